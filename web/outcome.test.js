// Tests of how games end.

import assert from "node:assert/strict";
import test from "node:test";
import { outcomeOf } from "./outcome.js";

const outcome = (fen, facts) => outcomeOf({ fen, legal: ["a1a2"], inCheck: false, repetitions: 1, ...facts });
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("a side without a move is mated or not", () => {
  const drawn = { legal: [], repetitions: 3 };
  assert.equal(outcome("4k3/8/8/8/8/8/8/4K3 w - - 100 90", { ...drawn, inCheck: true }), "checkmate");
  assert.equal(outcome("4k3/8/8/8/8/8/8/4K3 w - - 100 90", drawn), "stalemate");
});

test("games are drawn where nobody can mate", () => {
  for (const board of [
    "4k3/8/8/8/8/8/8/4K3",
    "4k3/8/8/8/8/8/8/4KN2",
    "4kb2/8/8/8/8/8/8/4K3",
    "4kb2/8/8/8/8/8/8/2B1K3",
  ]) {
    assert.equal(outcome(`${board} w - - 0 1`), "draw by lack of material", board);
  }
  for (const board of [
    "4kb2/8/8/8/8/8/8/4KB2",
    "4k3/8/8/8/8/8/8/4KNN1",
    "4kb2/8/8/8/8/8/8/4KN2",
    "4k3/7p/8/8/8/8/8/4K3",
  ]) {
    assert.equal(outcome(`${board} w - - 0 1`), undefined, board);
  }
});

test("games are drawn after fifty moves and at the third repetition", () => {
  assert.equal(outcome("4k3/8/8/8/8/8/8/R3K3 b - - 99 80"), undefined);
  assert.equal(outcome("4k3/8/8/8/8/8/8/R3K3 b - - 100 80"), "draw by the fifty-move rule");
  assert.equal(outcome(START, { repetitions: 2 }), undefined);
  assert.equal(outcome(START, { repetitions: 3 }), "draw by repetition");
});
