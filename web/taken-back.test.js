// Tests of moves that are taken back and played again.

import assert from "node:assert/strict";
import test from "node:test";
import { TakenBack } from "./taken-back.js";

const game = (...moves) => ({ fen: undefined, moves });

test("moves are taken back, and played again until another one is made", () => {
  const taken = new TakenBack();
  const whole = game("e2e4", "e7e5", "g1f3");
  assert.equal(taken.forward(whole), undefined);
  assert.deepEqual(taken.back(whole), game("e2e4", "e7e5"));
  assert.deepEqual(taken.back(game("e2e4", "e7e5")), game("e2e4"));
  assert.deepEqual(taken.forward(game("e2e4")), game("e2e4", "e7e5"));
  // The same move as before is no other one.
  assert.deepEqual(taken.forward(game("e2e4", "e7e5")), whole);
  assert.equal(taken.forward(whole), undefined);
  assert.equal(taken.forward(game("e2e4", "c7c5")), undefined);
  assert.deepEqual(taken.back(game("e2e4", "c7c5")), game("e2e4"));
  assert.deepEqual(taken.forward(game("e2e4")), game("e2e4", "c7c5"));
});

test("there is nothing before the first move", () => {
  const taken = new TakenBack();
  assert.equal(taken.back(game()), undefined);
  assert.equal(taken.forward(game()), undefined);
});

test("another game has nothing to play again", () => {
  const taken = new TakenBack();
  taken.back(game("e2e4"));
  assert.equal(taken.forward({ fen: "another", moves: [] }), undefined);
  assert.deepEqual(taken.forward(game()), game("e2e4"));
  taken.forget();
  assert.equal(taken.forward(game()), undefined);
});
