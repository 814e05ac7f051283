// Lines for the program, sent on as there is room for them.

import { Pipe } from "./pipe.js";

/** How often input that did not fit is tried again, in milliseconds. */
const RETRY_INTERVAL = 10;

export class Input {
  #pipe = new Pipe();
  #unsent = [];
  /** The timer that waits for room. */
  #retry;
  #hasEnded = false;

  /** Where the other end reads. */
  get buffer() {
    return this.#pipe.buffer;
  }

  /** Sends a line; none after the end. */
  send(line) {
    if (this.#hasEnded) return;
    this.#unsent.push(new TextEncoder().encode(`${line}\n`));
    if (this.#retry === undefined) this.#flush();
  }

  /** Nobody reads any more. */
  end() {
    this.#hasEnded = true;
    this.#unsent = [];
    clearTimeout(this.#retry);
  }

  #flush() {
    this.#retry = undefined;
    while (this.#unsent.length > 0) {
      const [bytes] = this.#unsent;
      const count = this.#pipe.write(bytes);
      if (count < bytes.length) {
        this.#unsent[0] = bytes.subarray(count);
        this.#retry = setTimeout(() => this.#flush(), RETRY_INTERVAL);
        return;
      }
      this.#unsent.shift();
    }
  }
}
