// Tests of the analysis against a made-up engine.

import assert from "node:assert/strict";
import test from "node:test";
import { Analysis } from "./analysis.js";

function start() {
  const log = [];
  const note = (name) => (value) => log.push([name, value]);
  const analysis = new Analysis({
    send: note("send"),
    onPosition: note("position"),
    onPeople: note("people"),
    onThoughts: note("thoughts"),
    onFault: note("fault"),
  });
  const read = (lines) => {
    log.length = 0;
    lines.forEach((line) => analysis.read(line));
    return log;
  };
  return { analysis, log, read };
}

const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

test("positions, moves, people and thoughts are told as they come, scores for White", () => {
  const { analysis, log, read } = start();
  analysis.show({ fen: undefined, moves: ["e2e4"] });
  assert.deepEqual(log[0], ["send", "position startpos moves e2e4"]);
  const legal = read(["", `Fen: ${AFTER_E4}`, "Key: 1", "e7e5: 1", "a2a1q: 1", "", "Nodes searched: 2"]);
  assert.deepEqual(legal, [["position", { fen: AFTER_E4, legal: ["e7e5", "a2a1q"] }]]);
  const table = ["rating       1100", "e5         59.2 %", "result      +0.16", "Result expected by White"];
  assert.deepEqual(read(table), [["people", table.join("\n")]]);
  const thoughts = read([
    "info depth 9 seldepth 16 multipv 1 score cp 34 nodes 33794 nps 22042 hashfull 16 tbhits 0 time 9 pv e7e5 g1f3",
    "info depth 9 seldepth 16 multipv 2 score mate -3 nodes 33795 nps 22042 hashfull 16 tbhits 0 time 9 pv a7a6",
  ]);
  const lines = [
    { score: "-0.34", depth: 9, moves: "e7e5 g1f3" },
    { score: "#3", depth: 9, moves: "a7a6" },
  ];
  assert.deepEqual(thoughts[1], ["thoughts", { lines, nodes: 33795, speed: 22042 }]);
});

test("what is still said about the position before is not taken for the new one", () => {
  const { analysis, read } = start();
  analysis.show({ fen: undefined, moves: [] });
  analysis.show({ fen: AFTER_E4, moves: [] });
  const thought = "info depth 1 multipv 1 score cp 1 nodes 1 nps 1 pv e2e4";
  assert.deepEqual(read([thought, "Fen: first", "e2e4: 1", "Nodes searched: 1", thought]), []);
  assert.deepEqual(read([`Fen: ${AFTER_E4}`, "Nodes searched: 0"]), [
    ["position", { fen: AFTER_E4, legal: [] }],
  ]);
});

test("positions that do not exist are told", () => {
  const { analysis, read } = start();
  analysis.show({ fen: "8/8", moves: [] });
  const fault = "info string position: invalid FEN '8/8'; position kept";
  assert.deepEqual(read([fault])[0][0], "fault");
});
