// The field with the FEN of the position, in which the user may write another one.

export class PositionField {
  #input;
  /** The FEN on the board. */
  #fen = "";
  /** The user is writing. */
  #isUsers = false;
  /** The engine has been asked for what stands there. */
  #isAsked = false;
  /** It has refused, and its answer is still to come. */
  #isRefused = false;

  constructor(input) {
    this.#input = input;
    input.addEventListener("input", () => (this.#isUsers = true));
  }

  /** What the user has written, for which the engine is asked now. */
  ask() {
    this.release();
    this.#isAsked = true;
    return this.#input.value;
  }

  /** The engine has not set up what it was asked for: if it stands here, the user can mend it. */
  refuse() {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#isUsers = true;
    this.#isRefused = true;
    this.#mark(true);
  }

  /** Another position is asked for. */
  release() {
    this.#isUsers = false;
    this.#isAsked = false;
    this.#isRefused = false;
    this.#mark(false);
  }

  /** Shows the position on the board, unless the user is writing and it is the same as before. */
  show(fen) {
    const isNew = fen !== this.#fen;
    this.#fen = fen;
    const isAnswerToRefused = this.#isRefused;
    this.#isRefused = false;
    if (isAnswerToRefused || (this.#isUsers && !isNew)) return;
    this.release();
    this.#input.value = fen;
  }

  #mark(isInvalid) {
    this.#input.setAttribute("aria-invalid", String(isInvalid));
  }
}
