// Tests of the page with the engine, on a document that is just enough for it. `kaiyo.wasm` has to be
// in this folder.

import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import test from "node:test";
import { installDocument, squareOf } from "./fake-document.js";

const { document, element } = installDocument();
const answers = [];
globalThis.prompt = () => answers.shift();

os.availableParallelism = () => 1;
syncBuiltinESMExports();

const text = (id) => element(id).textContent;
const click = (square) => squareOf(element("board"), square).fire("click");
const marked = (name) => element("board").all("button").filter(({ classes }) => classes.has(name)).length;
const play = (from, to) => {
  click(from);
  click(to);
};
function setUp(fen) {
  element("fen").value = fen;
  element("position").fire("submit");
  // So that what it shows next is from the engine.
  element("fen").value = "";
}
function command(line) {
  element("text").value = line;
  element("command").fire("submit");
}
/** What the page has sent, oldest first. */
const sent = () =>
  element("console").children.filter(({ tag }) => tag === "b").map(({ textContent }) => textContent.trim());
/** Its last command that sets up a position. */
const lastPosition = () => sent().findLast((line) => line.startsWith("position "));
/** Whether a search without an end was the last thing that it has sent. */
const analyses = () => sent().at(-1) === "go infinite";

async function until(what, holds) {
  const deadline = Date.now() + 30_000;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `${what}; FEN ${element("fen").value}, score ${text("score")}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const untilFen = (fen) => until(`expected ${fen}`, () => element("fen").value.startsWith(fen));
/** Both clicks of a move, and the position after it. */
async function playTo(from, to, fen) {
  play(from, to);
  await untilFen(fen);
}
const untilThoughts = () => until("no thoughts", () => text("lines") !== "");
const untilAnalysed = () => until("no analysis", analyses);
/** How many lines are shown. */
const countLines = () => element("lines").all("summary").filter(({ textContent }) => textContent !== "").length;

test("the page and the engine have the same game", async (context) => {
  element("multipv").value = "3";
  element("controls").disabled = true;
  await import("./page.js");
  assert.equal(element("controls").disabled, false, text("score"));
  // Or the test would never end after a failure, because the engine does not.
  context.after(() => command("quit"));
  await untilFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  assert.equal(text("threads"), "Searching with 1 thread");
  assert.equal(text("side"), "White to move");

  await context.test("checkmate is shown instead of what was thought before", async () => {
    setUp("startpos moves f2f3 e7e5 g2g4");
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -");
    await untilThoughts();
    await playTo("d8", "h4", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w");
    assert.equal(text("score"), "checkmate");
    assert.equal(text("lines") + text("progress"), "");
    element("back").fire("click");
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b");
    await untilThoughts();
  });

  await context.test("stalemate is shown", async () => {
    setUp("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    await until("no stalemate", () => text("score") === "stalemate");
    assert.equal(text("lines"), "");
  });

  await context.test("a FEN with moves is a game", async () => {
    setUp("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e7e5");
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert.equal(text("fault"), "");
    await playTo("g1", "f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -");
  });

  await context.test("a refused position leaves the game as it was", async () => {
    const before = lastPosition();
    const isInvalid = () => element("fen").attributes["aria-invalid"] === "true";
    element("fen").value = "8/8 w HA";
    element("position").fire("submit");
    await until("no fault", () => text("fault").includes("invalid FEN"));
    await until("not repeated", () => lastPosition() === before);
    await untilAnalysed();
    assert.deepEqual([element("fen").value, isInvalid()], ["8/8 w HA", true]);
    command("position fen 9/9");
    await until("no fault", () => text("fault").includes("'9/9'"));
    await until("not repeated", () => lastPosition() === before);
    await playTo("b8", "c6", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
    assert.equal(isInvalid(), false);
  });

  await context.test("where moves are ignored the game is the one on the board", async () => {
    command("position startpos moves e2e4 e2e4");
    await untilFen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert.match(text("fault"), /ply 2 and all after it ignored/);
    await playTo("e7", "e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert.equal(text("fault"), "");
    command("flip");
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    await playTo("g8", "f6", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3");
  });

  await context.test("castling of standard chess moves the king, that of Chess960 takes the rook", async () => {
    setUp("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    await untilFen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    await playTo("e1", "g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    await playTo("e8", "c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");

    setUp("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    await untilFen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert.equal(text("fault"), "");
    await playTo("e2", "e4", "bqnb1rkr/pp3ppp/3ppn2/2p5/4PP2/P2P4/NPP3PP/BQ1BNRKR b HFhf - 0 9");

    setUp("1r2k2r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1");
    await untilFen("1r2k2r/8/8/8/8/8/8/1R3KR1 w GBhb - 0 1");
    await playTo("f1", "g1", "1r2k2r/8/8/8/8/8/8/1R3RK1 b hb - 1 1");
    await playTo("e8", "b8", "2kr3r/8/8/8/8/8/8/1R3RK1 w - - 2 2");
    element("back").fire("click");
    await untilFen("1r2k2r/8/8/8/8/8/8/1R3RK1 b hb - 1 1");
    assert.equal(text("fault"), "");
  });

  await context.test("a promotion that is not made leaves nothing marked", async () => {
    setUp("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    await untilFen("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for (const answer of [null, "x", ""]) {
      click("a7");
      assert.equal(marked("from"), 1);
      answers.push(answer);
      click("a8");
      assert.equal(marked("from") + marked("to"), 0);
    }
    answers.push("N");
    await playTo("a7", "a8", "N7/7k/8/8/8/8/8/K7 b - - 0 1");
    assert.equal(text("score"), "draw by lack of material");
    assert.equal(text("side"), "Black to move");
  });

  await context.test("moves that are taken back can be played again", async () => {
    setUp("startpos moves e2e4 e7e5");
    const whole = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    await untilFen(whole);
    element("back").fire("click");
    element("back").fire("click");
    await untilFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
    assert.equal(element("back").attributes["aria-disabled"], "true");
    element("forward").fire("click");
    element("forward").fire("click");
    await untilFen(whole);
    assert.equal(element("forward").attributes["aria-disabled"], "true");
    // There is nothing more.
    element("forward").fire("click");
    assert.equal(lastPosition(), "position startpos moves e2e4 e7e5");
  });

  await context.test("a third repetition is told, and the game can go on", async () => {
    setUp(`startpos moves ${"g1f3 g8f6 f3g1 f6g8 ".repeat(2)}`);
    await until("no draw", () => text("score") === "draw by repetition");
    await untilThoughts();
    assert.equal(text("score"), "draw by repetition");
    await playTo("e2", "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
    await until("still drawn", () => text("score").includes("at depth"));
  });

  await context.test("the number of lines changes at once, in the list or in the console", async () => {
    await untilThoughts();
    element("multipv").value = "1";
    element("multipv").fire("change");
    await until("not one line", () => countLines() === 1);
    command("setoption name MultiPV value 5");
    assert.equal(element("multipv").value, "5");
    await until("not five lines", () => countLines() === 5);
    assert.equal(lastPosition(), `position startpos moves ${"g1f3 g8f6 f3g1 f6g8 ".repeat(2)}e2e4`);
  });

  await context.test("the analysis pauses when it is to, and while nobody sees it", async () => {
    await untilAnalysed();
    assert.equal(text("pause"), "Pause");
    element("pause").fire("click");
    assert.deepEqual([text("pause"), sent().at(-1)], ["Analyse", "stop"]);
    await playTo("e7", "e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    assert.equal(sent().at(-1), "policy");
    element("pause").fire("click");
    assert.deepEqual([text("pause"), analyses()], ["Pause", true]);
    await untilThoughts();

    document.hidden = true;
    document.fire("visibilitychange");
    assert.equal(sent().at(-1), "stop");
    document.hidden = false;
    document.fire("visibilitychange");
    await untilAnalysed();
  });

  await context.test("a search of the user's is not followed by another one", async () => {
    command("go depth 3");
    await until("not over", () => text("pause") === "Analyse");
    assert.match(text("console"), /bestmove \S+( ponder \S+)?\n$/);
    assert.match(text("score"), /at depth 3$/);
    command("ucinewgame");
    await untilAnalysed();
    command("stop");
    assert.equal(text("pause"), "Analyse");
    element("pause").fire("click");
    await untilAnalysed();
    assert.equal(text("fault"), "");
  });

  await context.test("without an engine the controls do nothing", async () => {
    command("quit");
    await until("no end", () => element("controls").disabled);
    assert.equal(text("score"), "The engine has ended (0).");
    command("d");
  });
});
