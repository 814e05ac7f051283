// Tests of the page with the engine, on a document that is just enough for it. `kaiyo.wasm` has to be
// in this folder.

import assert from "node:assert/strict";
import test from "node:test";

class FakeElement {
  children = [];
  text = "";
  value = "";
  listeners = {};
  attributes = {};
  classes = new Set();
  classList = { toggle: (name, on) => (on ? this.classes.add(name) : this.classes.delete(name)) };
  get textContent() {
    return this.text + this.children.map((child) => child.textContent).join("");
  }
  set textContent(text) {
    this.children = [];
    this.text = text;
  }
  get childElementCount() {
    return this.children.length;
  }
  get firstChild() {
    return { remove: () => this.children.shift() };
  }
  append(child) {
    this.children.push(child);
  }
  replaceChildren(...children) {
    this.textContent = "";
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  fire(name) {
    this.listeners[name]({ preventDefault() {} });
  }
}

const elements = {};
const element = (id) => (elements[id] ??= new FakeElement());
const answers = [];
Object.assign(globalThis, {
  document: { getElementById: element, createElement: () => new FakeElement() },
  prompt: () => answers.shift(),
});

// Newer versions of Node.js tell how many processors there are.
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 1 }, configurable: true });

const text = (id) => element(id).textContent;
const board = () => element("board").children;
const click = (square) =>
  board().find(({ attributes }) => attributes["aria-label"].startsWith(square)).fire("click");
const marked = (name) => board().filter(({ classes }) => classes.has(name)).length;
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
/** The last command of the page's that sets up a position. */
const lastPosition = () =>
  element("console").children.map(({ textContent }) => textContent).findLast((line) => line.startsWith("position "));

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

test("the page and the engine have the same game", async (context) => {
  await import("./page.js");
  // Or the test would never end after a failure, because the engine does not.
  context.after(() => command("quit"));
  await untilFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  assert.equal(text("threads"), "Searching with 1 thread");

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
    setUp("8/8 w HA");
    await until("no fault", () => text("fault").includes("invalid FEN"));
    await until("not repeated", () => lastPosition() === before);
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -");
    command("position fen 9/9");
    await until("no fault", () => text("fault").includes("'9/9'"));
    await until("not repeated", () => lastPosition() === before);
    await untilFen("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -");
    await playTo("b8", "c6", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
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
  });
});
