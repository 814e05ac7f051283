// Tests of what the page reads itself.

import assert from "node:assert/strict";
import test from "node:test";
import { isLight, men, needsChess960, readGame } from "./notation.js";

test("men are found by square", () => {
  assert.deepEqual(men("k6K/8/8/8/8/8/8/3p4 w - - 0 1"), { a8: "k", h8: "K", d1: "p" });
  assert.deepEqual(men(""), {});
});

test("squares are light or dark", () => {
  assert.deepEqual(["a1", "h1", "a8", "h8", "d4", "e4"].map(isLight), [false, true, true, false, false, true]);
});

test("games are read as UCI has them, or as a FEN alone", () => {
  const fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
  for (const [text, game] of [
    ["", { fen: undefined, moves: [] }],
    [" startpos ", { fen: undefined, moves: [] }],
    ["moves e2e4 e7e5", { fen: undefined, moves: ["e2e4", "e7e5"] }],
    [`${fen}\n`, { fen, moves: [] }],
    [`${fen} moves e1e2`, { fen, moves: ["e1e2"] }],
    [`position fen  ${fen} moves`, { fen, moves: [] }],
    ["e2e4", { fen: "e2e4", moves: [] }],
  ]) {
    assert.deepEqual(readGame(text), game, text);
  }
});

test("castling of Chess960 is told from that of standard chess", () => {
  for (const fen of [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
    "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1",
    "1r2k3/8/8/8/8/8/8/4K3 b q - 0 1",
    "4k1r1/8/8/8/8/8/8/R3K2R w KQk - 0 1",
  ]) {
    assert.ok(needsChess960(fen), fen);
  }
  for (const fen of [
    undefined,
    "",
    "x/y z KQ",
    "4k3/8/8/8/8/8/8/3K3R w - - 0 1",
    "4k3/8/8/8/8/8/8/3K3R w",
    "4k3/8/8/8/8/8/8/R5K1 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    // There are no such rights.
    "4k3/8/8/8/8/8/3K4/R6R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/K6R w Qkq - 0 1",
  ]) {
    assert.ok(!needsChess960(fen), fen);
  }
});
