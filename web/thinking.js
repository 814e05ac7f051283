// When the engine searches: for the page, without an end, or for the user.

export class Thinking {
  #send;
  #onThinking;
  /**
   * Searches that have given no best move yet, in order: whether one is the page's own, and whether it has
   * been told to stop. All but the last one have.
   */
  #searches = [];
  /** The position is to be analysed. */
  #isDue = false;
  /** The engine has answered what it was asked about the position. */
  #isReady = false;
  #isPaused = false;
  #isHidden = false;
  #isActive = false;

  /** `send(line)` sends a line to the engine; `onThinking(isActive)` is told whether it thinks, or is about to. */
  constructor({ send, onThinking }) {
    this.#send = send;
    this.#onThinking = onThinking;
  }

  /** Ends the search that runs, for what is sent next. */
  interrupt() {
    const search = this.#searches.at(-1);
    if (!search || search.isStopped) return;
    search.isStopped = true;
    this.#send("stop");
  }

  /** The engine is being asked about a position, which is to be analysed then. */
  prepare() {
    this.#isDue = true;
    this.#isReady = false;
    this.#settle();
  }

  /** The engine has answered. */
  begin() {
    this.#isReady = true;
    this.#settle();
  }

  /** Sends a `go` of the user's, after which nothing is analysed until the next position. */
  go(line) {
    this.interrupt();
    this.#isDue = false;
    this.#searches.push({ isOwn: false, isStopped: false });
    this.#send(line);
    this.#settle();
  }

  /** Sends a `stop` of the user's. */
  stop(line) {
    this.#isPaused = true;
    const search = this.#searches.at(-1);
    if (search) search.isStopped = true;
    this.#send(line);
    this.#settle();
  }

  /** Nothing is analysed until `resume`. */
  pause() {
    this.#isPaused = true;
    this.interrupt();
    this.#settle();
  }

  /** Analyses the position. */
  resume() {
    this.#isPaused = false;
    this.#isDue = true;
    this.#settle();
  }

  /** Nothing is analysed while nobody sees the page; a search of the user's goes on. */
  hide(isHidden) {
    this.#isHidden = isHidden;
    this.#settle();
  }

  /** The engine has given a best move. */
  finish() {
    const search = this.#searches.shift();
    // It has nothing more to say about the position.
    if (search?.isOwn && !search.isStopped) this.#isDue = false;
    this.#settle();
  }

  #settle() {
    const isWanted = this.#isDue && !this.#isPaused && !this.#isHidden;
    if (this.#searches.at(-1)?.isOwn && !isWanted) this.interrupt();
    if (this.#searches.length === 0 && isWanted && this.#isReady) {
      this.#searches.push({ isOwn: true, isStopped: false });
      this.#send("go infinite");
    }
    const search = this.#searches.at(-1);
    const isActive = isWanted || (search !== undefined && !search.isStopped);
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.#onThinking(isActive);
  }
}
