// An analysis board. The engine knows the rules: it tells the position, the legal moves, what people
// would play, and what it thinks itself.

import { Analysis } from "./analysis.js";
import { Kaiyo } from "./kaiyo.js";
import { FILES, men, readGame } from "./notation.js";
import { processors } from "./platform.js";
import { ThreadCount } from "./thread-count.js";

const PIECES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

const element = (id) => document.getElementById(id);
/** The game of which the last position is on the board, that position and its legal moves. */
let shown = { game: readGame(""), fen: "", legal: [] };
let from;
let turned = false;

function log(kind, text) {
  const line = document.createElement(kind);
  line.textContent = `${text}\n`;
  const console = element("console");
  console.append(line);
  while (console.childElementCount > 1000) console.firstChild.remove();
  console.scrollTop = console.scrollHeight;
}

function drawBoard() {
  const placed = men(shown.fen);
  const last = shown.game.moves.at(-1);
  const targets = shown.legal.filter((move) => move.startsWith(from ?? "-")).map((move) => move.slice(2, 4));
  const squares = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (8 - (index >> 3)));
  if (turned) squares.reverse();
  element("board").replaceChildren(
    ...squares.map((square) => {
      const button = document.createElement("button");
      const letter = placed[square];
      if (letter) button.textContent = `${PIECES[letter.toLowerCase()]}\uFE0E`;
      button.setAttribute("aria-label", letter ? `${square} ${letter}` : square);
      const isLight = (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 0;
      const classes = {
        light: isLight,
        white: letter && letter < "a",
        black: letter && letter >= "a",
        last: last?.slice(0, 2) === square || last?.slice(2, 4) === square,
        from: from === square,
        to: targets.includes(square),
      };
      for (const [name, on] of Object.entries(classes)) button.classList.toggle(name, Boolean(on));
      button.addEventListener("click", () => choose(square));
      return button;
    }),
  );
}

/** Takes a man up, or moves the one that is. */
function choose(square) {
  const moves = shown.legal.filter((move) => from && move.startsWith(from + square));
  from = shown.legal.some((move) => move.startsWith(square)) && from !== square ? square : undefined;
  const promotes = moves.length > 1;
  // Null after Cancel.
  const promoted = promotes ? prompt("Promote to q, r, b or n?", "q")?.trim().toLowerCase() : "";
  const move = moves.find((move) => move.slice(4) === promoted);
  if (move) show({ ...shown.game, moves: [...shown.game.moves, move] });
  else drawBoard();
}

/** Draws a new position; nothing is thought about it yet. */
function drawPosition(position) {
  shown = position;
  from = undefined;
  element("fen").value = position.fen;
  element("score").textContent = position.outcome ?? "";
  element("progress").textContent = "";
  element("lines").replaceChildren();
  element("people").textContent = "";
  drawBoard();
}

function drawThoughts({ lines, nodes, speed }) {
  const best = lines[0];
  element("score").textContent = `${best.score} at depth ${best.depth}`;
  element("progress").textContent = `${nodes.toLocaleString()} nodes, ${speed.toLocaleString()} a second`;
  element("lines").replaceChildren(
    ...lines.map(({ score, moves }) => {
      const item = document.createElement("li");
      item.textContent = `${score.padStart(7, "\u00a0")}  ${moves}`;
      return item;
    }),
  );
}

let threadCount;
let analysis;

function show(game) {
  from = undefined;
  element("fault").textContent = "";
  analysis.show(game);
}

try {
  const engine = await Kaiyo.start({
    onLine: (line) => {
      log("span", line);
      threadCount?.read(line);
      analysis?.read(line);
    },
    onError: (line) => log("i", line),
  });
  engine.ended.then(
    (code) => (element("score").textContent = `The engine has ended (${code}).`),
    (error) => (element("score").textContent = error.message),
  );
  const send = (line) => {
    log("b", line);
    engine.send(line);
  };
  send("uci");
  send("setoption name Hash value 64");
  send("setoption name MultiPV value 3");
  send("setoption name UCI_AnalyseMode value true");
  threadCount = new ThreadCount(send);
  const { count, refusal } = await threadCount.ask(processors());
  const running = `Searching with ${count} ${count === 1 ? "thread" : "threads"}`;
  element("threads").textContent = refusal ? `${running}: ${refusal}` : running;
  analysis = new Analysis({
    send,
    onPosition: drawPosition,
    onPeople: (text) => (element("people").textContent = text),
    onThoughts: drawThoughts,
    onFault: (message) => (element("fault").textContent = message),
  });
  element("new").addEventListener("click", () => show(readGame("")));
  element("back").addEventListener("click", () => {
    const { game } = analysis;
    show({ ...game, moves: game.moves.slice(0, -1) });
  });
  element("turn").addEventListener("click", () => {
    turned = !turned;
    drawBoard();
  });
  element("position").addEventListener("submit", (event) => {
    event.preventDefault();
    show(readGame(element("fen").value));
  });
  element("command").addEventListener("submit", (event) => {
    event.preventDefault();
    const line = element("text").value;
    element("text").value = "";
    element("fault").textContent = "";
    // The user may change it, at some time.
    if (/threads/i.test(line)) element("threads").textContent = "";
    analysis.command(line);
  });
  show(readGame(""));
} catch (error) {
  element("score").textContent = error.message;
}
