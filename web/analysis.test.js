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
    onThinking: () => {},
    onFault: note("fault"),
  });
  const read = (lines) => {
    log.length = 0;
    lines.forEach((line) => analysis.read(line));
    return log;
  };
  return { analysis, log, read };
}

/** What the engine answers about a board with one legal move. */
const answer = (fen) => [`Fen: ${fen}`, "Checkers: none", "a7a6: 1", "Nodes searched: 1"];
const sent = (log) => log.filter(([name]) => name === "send").map(([, line]) => line);
const positions = (log) => log.filter(([name]) => name === "position").map(([, { game }]) => game);

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** The analysis of a game that the engine has on its board. */
function startAfterE4() {
  const started = start();
  const game = { fen: undefined, moves: ["e2e4"] };
  started.analysis.show(game);
  started.read(answer(AFTER_E4));
  started.log.length = 0;
  return { ...started, game };
}

test("positions, moves, people and thoughts are told as they come, scores for White", () => {
  const { analysis, log, read } = start();
  analysis.show({ fen: undefined, moves: ["e2e4"] });
  assert.deepEqual(log[0], ["send", "position startpos moves e2e4"]);
  const legal = read(["", `Fen: ${AFTER_E4}`, "Key: 1", "e7e5: 1", "a2a1q: 1", "", "Nodes searched: 2"]);
  const game = { fen: undefined, moves: ["e2e4"] };
  const position = { game, fen: AFTER_E4, legal: ["e7e5", "a2a1q"], outcome: undefined };
  assert.deepEqual(legal, [["position", position], ["send", "go infinite"]]);
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
  assert.deepEqual(positions(read(answer(AFTER_E4))), [{ fen: AFTER_E4, moves: [] }]);
});

test("a game that the engine refuses gives way to the one before", () => {
  const { analysis, log, read, game } = startAfterE4();
  analysis.show({ fen: "8/8 w HA", moves: [] });
  const kept = "position: invalid FEN '8/8 w HA': board; position kept";
  assert.deepEqual(read([`info string ${kept}`])[0], ["fault", kept]);
  assert.deepEqual(analysis.game, { fen: "8/8 w HA", moves: [] });
  // Its castling was to be that of Chess960.
  assert.deepEqual(sent(read(answer(AFTER_E4))).slice(0, 2), [
    "setoption name UCI_Chess960 value false",
    "position startpos moves e2e4",
  ]);
  assert.deepEqual(positions(read(answer(AFTER_E4))), [game]);
  assert.deepEqual(analysis.game, game);
});

test("a notice is no refusal: the game is the one on the engine's board", () => {
  const { analysis, read } = start();
  analysis.show({ fen: undefined, moves: ["e2e4", "e2e4"] });
  const notice = "position: illegal move 'e2e4': e2 is empty; ply 2 and all after it ignored";
  assert.deepEqual(read([`info string ${notice}`]), [["fault", notice]]);
  const adopted = { fen: AFTER_E4, moves: [] };
  assert.deepEqual(positions(read(answer(AFTER_E4))), [adopted]);
  assert.deepEqual(analysis.game, adopted);
});

test("what the engine says of one game is not taken for another", () => {
  const { analysis, log, read } = start();
  const game = { fen: undefined, moves: ["e2e4"] };
  analysis.show({ fen: "8/8", moves: [] });
  analysis.show(game);
  log.length = 0;
  assert.deepEqual(read(["info string position: invalid FEN '8/8': board; position kept"]), []);
  assert.deepEqual(read(answer(START_FEN)), []);
  assert.deepEqual(positions(read(answer(AFTER_E4))), [game]);
  assert.deepEqual(analysis.game, game);
  // Nobody has asked for this.
  assert.deepEqual(read(["info string position: invalid FEN 'x': board; position kept"]), []);
});

test("the user's commands may change the board, and look at it", () => {
  const { analysis, log, read, game } = startAfterE4();

  analysis.command("d");
  assert.deepEqual(sent(log), ["d"]);
  const thought = "info depth 1 multipv 1 score cp 1 nodes 1 nps 1 pv e7e5";
  assert.deepEqual(read(["Fen: as written by then", "Checkers: none", thought])[0][0], "thoughts");
  assert.deepEqual(analysis.game, game);

  log.length = 0;
  analysis.command("d");
  analysis.command("position fen 8/8");
  assert.deepEqual(sent(log), ["d", "stop", "position fen 8/8", "d", "go perft 1", "policy"]);
  read([`Fen: ${AFTER_E4}`, "info string position: invalid FEN '8/8': board; position kept"]);
  assert.deepEqual(log.at(-1)[0], "fault");
  assert.equal(sent(read(answer(AFTER_E4)))[0], "position startpos moves e2e4");
  read(answer(AFTER_E4));
  assert.deepEqual(analysis.game, game);

  analysis.command("  position startpos moves e2e4");
  assert.deepEqual(positions(read(answer(AFTER_E4))), [game]);
  analysis.command("joho position startpos");
  assert.deepEqual(positions(read(answer(START_FEN))), [{ fen: undefined, moves: [] }]);
  analysis.command("flip");
  assert.deepEqual(positions(read(answer("flipped w"))), [{ fen: "flipped w", moves: [] }]);
  log.length = 0;
  analysis.command("# position startpos");
  assert.deepEqual(sent(log), ["# position startpos"]);
  assert.deepEqual(analysis.game, { fen: "flipped w", moves: [] });
});

test("a command that waits for the end of a search ends it, and the position is analysed again", () => {
  const { analysis, log, read, game } = startAfterE4();
  const line = "setoption name MultiPV value 5";
  analysis.command(line);
  assert.deepEqual(sent(log), ["stop", line, "d", "go perft 1", "policy"]);
  const thought = "info depth 1 multipv 1 score cp 1 nodes 1 nps 1 pv e7e5";
  assert.deepEqual(read([thought, "bestmove e7e5"]), []);
  // Another way to write the same position.
  const told = read(answer("the same w"));
  assert.deepEqual(positions(told), [game]);
  assert.deepEqual(sent(told), ["go infinite"]);

  log.length = 0;
  for (const atOnce of ["eval", "isready", "help", "uci", "nonsense"]) analysis.command(atOnce);
  assert.deepEqual(sent(log), ["eval", "isready", "help", "uci", "nonsense"]);
});

test("a search of the user's tells its thoughts and is followed by nothing", () => {
  const { analysis, log, read } = startAfterE4();
  analysis.command("go depth 2");
  assert.deepEqual(sent(log), ["stop", "go depth 2"]);
  read(["bestmove e7e5"]);
  const thought = (line) => `info depth 2 multipv ${line} score cp 1 nodes 1 nps 1 pv e7e5`;
  assert.equal(read([thought(1), thought(2)]).at(-1)[1].lines.length, 2);
  assert.deepEqual(read(["bestmove e7e5"]), []);
  // What a search before has found is not mixed with it.
  analysis.command("go searchmoves e7e5");
  assert.equal(read([thought(1)]).at(-1)[1].lines.length, 1);
  log.length = 0;
  analysis.show({ fen: undefined, moves: [] });
  assert.deepEqual(sent(log), ["stop", "position startpos moves", "d", "go perft 1", "policy"]);
  read(["bestmove e7e5"]);
  assert.deepEqual(sent(read(answer(START_FEN))), ["go infinite"]);
});

test("after a stop positions are shown, and not analysed until the user wants it", () => {
  const { analysis, log, read, game } = startAfterE4();
  analysis.command("stop");
  assert.deepEqual(sent(log), ["stop"]);
  read(["bestmove e7e5"]);
  analysis.show({ fen: undefined, moves: [] });
  assert.deepEqual(sent(read(answer(START_FEN))), []);
  analysis.resume();
  assert.deepEqual(sent(log), ["go infinite"]);
  analysis.pause();
  read(["bestmove e7e5"]);
  analysis.show(game);
  const told = read(answer(AFTER_E4));
  assert.deepEqual([positions(told), sent(told)], [[game], []]);
});

test("legal moves that a stop has cut off are asked for again", () => {
  const { analysis, read, game } = startAfterE4();
  analysis.command("bench");
  analysis.command("stop");
  const stopped = read(["info string bench stopped", `Fen: ${AFTER_E4}`, "a7a6: 1", "info string perft stopped"]);
  assert.deepEqual(sent(stopped), ["d", "go perft 1", "policy"]);
  assert.deepEqual(positions(read(answer(AFTER_E4))), [game]);
  // Those of the user's own.
  analysis.command("go perft 9");
  assert.deepEqual(read(["info string perft stopped"]), []);
});

test("the protocol stays the same", () => {
  const { analysis, log } = startAfterE4();
  analysis.command("xboard");
  assert.deepEqual(log.map(([name]) => name), ["fault"]);
});

test("the engine is told where castling is that of Chess960", () => {
  const { analysis, log } = start();
  const option = (value) => `setoption name UCI_Chess960 value ${value}`;
  const options = (act) => {
    log.length = 0;
    act();
    return sent(log).filter((line) => /Chess960/.test(line));
  };
  const chess960 = { fen: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", moves: [] };
  const standard = { fen: undefined, moves: [] };
  assert.deepEqual(options(() => analysis.show(standard)), []);
  assert.deepEqual(options(() => analysis.show(chess960)), [option(true)]);
  assert.deepEqual(options(() => analysis.show({ ...chess960, moves: ["e2e4"] })), []);
  assert.deepEqual(options(() => analysis.show(standard)), [option(false)]);
  assert.deepEqual(options(() => analysis.command(`position fen ${chess960.fen}`)), [option(true)]);
  // The user's word holds until the next position.
  analysis.command(option(false));
  assert.deepEqual(options(() => analysis.show(chess960)), [option(true)]);
});

test("a draw is told, and the moves that would go on", () => {
  const { analysis, read } = start();
  analysis.show({ fen: undefined, moves: [] });
  const told = read([`Fen: ${START_FEN}`, "Checkers: none", "Repetitions: 3", "e2e4: 1", "Nodes searched: 1"]);
  assert.equal(told[0][1].outcome, "draw by repetition");
  assert.deepEqual(told[0][1].legal, ["e2e4"]);
  assert.deepEqual(sent(told), ["go infinite"]);
  analysis.show({ fen: undefined, moves: ["e2e4"] });
  assert.equal(read(answer(AFTER_E4)).find(([name]) => name === "position")[1].outcome, undefined);
});

test("the end of the game is told, and nothing of what people would play there", () => {
  const { analysis, read } = start();
  for (const [checkers, outcome] of [["h4", "checkmate"], ["none", "stalemate"]]) {
    analysis.show({ fen: undefined, moves: [] });
    const told = read(["Fen: x w", `Checkers: ${checkers}`, "Legal moves: 0", "", "Nodes searched: 0"]);
    assert.equal(told[0][1].outcome, outcome);
    const people = ["rating       1100", "result      +0.16", "Result expected by White"];
    assert.deepEqual(read([...people, "info depth 0 score mate 0"]), []);
  }
});
