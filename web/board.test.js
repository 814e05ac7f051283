// Tests of the board.

import assert from "node:assert/strict";
import test from "node:test";
import { Board, label } from "./board.js";
import { FakeElement, installDocument, squareOf } from "./fake-document.js";

function start() {
  installDocument();
  const [root, chosen] = [new FakeElement(), []];
  const board = new Board(root, (square) => chosen.push(square));
  const press = (key, event) => root.fire("keydown", { key, ...event });
  const reachable = () => root.all("button").filter(({ tabIndex }) => tabIndex === 0);
  /** The square that the keyboard is at. */
  const active = () => reachable().map(({ attributes }) => attributes["aria-label"].slice(0, 2)).join(" ");
  return { board, root, chosen, press, active };
}

const position = { men: { e2: "P", d7: "q" }, targets: [], isFlipped: false };

test("squares are told with what stands there", () => {
  const facts = { isChosen: false, isTarget: false, isLast: false };
  assert.equal(label({ ...facts, square: "e2", letter: "P", isChosen: true }), "e2 white pawn, selected");
  assert.equal(label({ ...facts, square: "d7", letter: "q", isTarget: true }), "d7 black queen, possible");
  assert.equal(label({ ...facts, square: "e4" }), "e4");
  assert.equal(label({ ...facts, square: "e4", isLast: true }), "e4, last move");
});

test("the same buttons show one position after the other", () => {
  const { board, root } = start();
  const before = root.all("button");
  assert.equal(before.length, 64);
  board.draw({ ...position, from: "e2", targets: ["e3", "d7"], last: "d8d7" });
  assert.deepEqual(root.all("button"), before);
  const [e2, e3, d7, d8] = ["e2", "e3", "d7", "d8"].map((square) => squareOf(root, square));
  assert.equal(e2.attributes["aria-pressed"], "true");
  assert.equal(e3.attributes["aria-pressed"], "false");
  assert.equal(e2.textContent, "♟\uFE0E");
  assert.deepEqual([...e2.classes].sort(), ["from", "light", "white"]);
  assert.deepEqual([...e3.classes].sort(), ["to"]);
  assert.deepEqual([...d7.classes].sort(), ["black", "last", "light", "to"]);
  assert.deepEqual([...d8.classes].sort(), ["last"]);
  board.draw({ ...position, men: {} });
  assert.deepEqual([e2.textContent, e2.attributes["aria-pressed"], [...e2.classes]], ["", "false", ["light"]]);
});

test("a grid has eight rows of eight cells", () => {
  const { root } = start();
  assert.equal(root.attributes.role, "grid");
  assert.deepEqual(root.children.map(({ attributes }) => attributes.role), Array(8).fill("row"));
  for (const { children } of root.children) {
    assert.deepEqual(children.map(({ attributes }) => attributes.role), Array(8).fill("gridcell"));
  }
});

test("one square is in the order of the tabulator, and the arrow keys move it", () => {
  const { root, press, active } = start();
  assert.equal(active(), "e1");
  for (const [key, square] of [
    ["ArrowUp", "e2"],
    ["ArrowLeft", "d2"],
    ["ArrowDown", "d1"],
    ["ArrowDown", "d1"],
    ["Home", "a1"],
    ["ArrowLeft", "a1"],
    ["End", "h1"],
    ["ArrowRight", "h1"],
  ]) {
    press(key);
    assert.equal(active(), square, key);
    assert.equal(FakeElement.focused, squareOf(root, square));
  }
  press("ArrowUp", { altKey: true });
  press("x");
  assert.equal(active(), "h1");
});

test("a pressed square is chosen, and the keyboard goes on from there", () => {
  const { board, root, chosen, press, active } = start();
  squareOf(root, "c6").fire("click");
  assert.deepEqual([chosen, active()], [["c6"], "c6"]);
  board.draw(position);
  assert.equal(active(), "c6");
  board.draw({ ...position, isFlipped: true });
  assert.equal(active(), "c6");
  press("ArrowUp");
  assert.equal(active(), "c5");
  squareOf(root, "c5").fire("click");
  assert.deepEqual(chosen, ["c6", "c5"]);
});

test("coordinates stand at the left and at the bottom", () => {
  const { board, root } = start();
  const edge = (name) => root.all("button").map(({ attributes }) => attributes[name]).join("");
  assert.deepEqual([edge("data-rank"), edge("data-file")], ["87654321", "abcdefgh"]);
  board.draw({ ...position, isFlipped: true });
  assert.deepEqual([edge("data-rank"), edge("data-file")], ["12345678", "hgfedcba"]);
});
