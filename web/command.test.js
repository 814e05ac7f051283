// Tests of which command a line is.

import assert from "node:assert/strict";
import test from "node:test";
import { isDoneAtOnce, isSearch, readCommand } from "./command.js";

test("commands are found as the engine finds them", () => {
  for (const [line, name, rest] of [
    ["  go depth\t5", "go", ["depth", "5"]],
    ["joho position startpos", "position", ["startpos"]],
    ["policy 1500", "policy", ["1500"]],
    ["joho policy 1500", undefined, []],
    ["# position startpos", undefined, []],
    ["what is this", undefined, []],
    [" ", undefined, []],
  ]) {
    assert.deepEqual(readCommand(line), { name, rest }, line);
  }
});

test("some commands do not wait for a search, and some are one", () => {
  const fits = (isSo, lines) => lines.filter((line) => isSo(readCommand(line)));
  const atOnce = ["d", "eval", "isready", "help", "stop", "quit", "exit", "nonsense", "", "# go"];
  const waiting = ["setoption name Hash value 1", "policy", "ucinewgame", "flip", "bench", "go perft 3", "position"];
  assert.deepEqual(fits(isDoneAtOnce, [...atOnce, ...waiting]), atOnce);
  const searches = ["go", "go infinite", "joho go depth 3"];
  assert.deepEqual(fits(isSearch, [...searches, "go perft 3", "go Perft", "perft 3", "d"]), searches);
});
