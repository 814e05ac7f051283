// Lines of the program, delivered one by one.

import { Pipe } from "./pipe.js";

export class Output {
  #pipe = new Pipe();
  #decoder = new TextDecoder();
  /** What has come of the next line. */
  #rest = "";
  #deliver;
  #report;

  /** `deliver` gets each line; what it throws is reported, and the lines after it are delivered. */
  constructor(deliver, report = throwLater) {
    this.#deliver = deliver;
    this.#report = report;
  }

  /** Where the other end writes. */
  get buffer() {
    return this.#pipe.buffer;
  }

  /** Delivers the lines that have come. */
  drain() {
    this.#take(this.#decoder.decode(this.#pipe.read(), { stream: true }));
  }

  /** Delivers all that is left, a last line without its end as well. */
  end() {
    this.drain();
    this.#take(this.#decoder.decode());
    if (this.#rest !== "") this.#take("\n");
  }

  #take(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) this.#deliverOne(line);
  }

  #deliverOne(line) {
    try {
      this.#deliver(line);
    } catch (error) {
      this.#report(error);
    }
  }
}

/** Lets the page or the process see the error, but not whoever delivers. */
function throwLater(error) {
  queueMicrotask(() => {
    throw error;
  });
}
