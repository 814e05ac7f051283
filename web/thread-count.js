// Agreeing with the engine on how many threads search.

export class ThreadCount {
  #send;
  #count;
  #refused = false;
  /** Why the first number was refused. */
  #refusal;
  #agree;

  constructor(send) {
    this.#send = send;
  }

  /**
   * Asks an idle engine for so many threads, then for half as many as long as it refuses. Resolves to the
   * `count` that it has, and why it has no more as `refusal`.
   */
  ask(count) {
    this.#request(count);
    return new Promise((resolve) => (this.#agree = resolve));
  }

  #request(count) {
    this.#count = count;
    this.#refused = false;
    this.#send(`setoption name Threads value ${count}`);
    // An option that is set without trouble is not answered.
    this.#send("isready");
  }

  /** Reads a line of the engine. */
  read(line) {
    if (!this.#agree) return;
    const [, reason] = /^info string option Threads: (.*)$/.exec(line) ?? [];
    if (reason !== undefined) {
      this.#refused = true;
      this.#refusal ??= reason;
    } else if (line === "readyok") {
      // There is one from the start.
      if (this.#refused && this.#count > 1) this.#request(Math.floor(this.#count / 2));
      else this.#finish();
    }
  }

  #finish() {
    this.#agree({ count: this.#count, refusal: this.#refusal });
    this.#agree = undefined;
  }
}
