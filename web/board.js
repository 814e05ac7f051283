// The board: 64 buttons in a grid, one of which the arrow keys move between.

import { FILES, isLight } from "./notation.js";

const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** Columns and rows that a key moves by. */
const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-7, 0],
  End: [7, 0],
};

/** Where the keys begin: e1. */
const FIRST_ACTIVE = 60;

export class Board {
  /** The buttons from the top left to the bottom right. */
  #buttons;
  /** The one that the keyboard reaches. */
  #active = FIRST_ACTIVE;
  #isFlipped = false;

  /** Makes the buttons in this element; `choose(square)` is called when one is pressed. */
  constructor(root, choose) {
    this.#buttons = Array.from({ length: 64 }, (_, index) => this.#makeButton(index, choose));
    const rows = Array.from({ length: 8 }, (_, row) =>
      make("div", "row", this.#buttons.slice(8 * row, 8 * row + 8).map((button) => make("div", "gridcell", [button]))),
    );
    root.setAttribute("role", "grid");
    root.replaceChildren(...rows);
    root.addEventListener("keydown", (event) => this.#step(event));
    this.draw({ men: {}, targets: [], isFlipped: false });
  }

  /**
   * Shows men by square, the squares of the last move, the chosen square, and those that its man can go to.
   * White is at the top if the board is flipped.
   */
  draw({ men, last = "", from, targets, isFlipped }) {
    // The keyboard stays at the same square.
    if (isFlipped !== this.#isFlipped) this.#activate(63 - this.#active);
    this.#isFlipped = isFlipped;
    for (const [index, button] of this.#buttons.entries()) {
      const square = this.#squareAt(index);
      const [letter, isLast] = [men[square], [last.slice(0, 2), last.slice(2, 4)].includes(square)];
      const [isChosen, isTarget] = [square === from, targets.includes(square)];
      const classes = {
        light: isLight(square),
        white: isWhite(letter),
        black: letter !== undefined && !isWhite(letter),
        last: isLast,
        from: isChosen,
        to: isTarget,
      };
      for (const [name, on] of Object.entries(classes)) button.classList.toggle(name, on);
      button.textContent = letter ? `${GLYPHS[letter.toLowerCase()]}\uFE0E` : "";
      button.setAttribute("aria-label", label({ square, letter, isChosen, isTarget, isLast }));
      button.setAttribute("aria-pressed", String(isChosen));
      button.setAttribute("data-file", index >= 56 ? square[0] : "");
      button.setAttribute("data-rank", index % 8 === 0 ? square[1] : "");
    }
  }

  #makeButton(index, choose) {
    const button = document.createElement("button");
    button.tabIndex = index === this.#active ? 0 : -1;
    button.addEventListener("click", () => {
      this.#activate(index);
      choose(this.#squareAt(index));
    });
    return button;
  }

  #squareAt(index) {
    const at = this.#isFlipped ? 63 - index : index;
    return FILES[at % 8] + (8 - Math.floor(at / 8));
  }

  #activate(index) {
    this.#buttons[this.#active].tabIndex = -1;
    this.#buttons[index].tabIndex = 0;
    this.#active = index;
  }

  #step(event) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [column, row] = [(this.#active % 8) + step[0], Math.floor(this.#active / 8) + step[1]].map(onBoard);
    this.#activate(8 * row + column);
    this.#buttons[this.#active].focus();
  }
}

/** What a screen reader says of a square. */
export function label({ square, letter, isChosen, isTarget, isLast }) {
  const man = letter && `${isWhite(letter) ? "white" : "black"} ${NAMES[letter.toLowerCase()]}`;
  const marks = [isChosen && "selected", isTarget && "possible", isLast && "last move"].filter(Boolean);
  return [man ? `${square} ${man}` : square, ...marks].join(", ");
}

const isWhite = (letter) => letter !== undefined && letter < "a";
const onBoard = (number) => Math.min(7, Math.max(0, number));

function make(tag, role, children) {
  const element = document.createElement(tag);
  element.setAttribute("role", role);
  element.replaceChildren(...children);
  return element;
}
