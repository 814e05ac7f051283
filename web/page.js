// An analysis board. The engine knows the rules: it tells the position, the legal moves, what people
// would play, and what it thinks itself.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Kaiyo } from "./kaiyo.js";
import { Lines } from "./lines.js";
import { men, readGame, words } from "./notation.js";
import { processors } from "./platform.js";
import { PositionField } from "./position-field.js";
import { TakenBack } from "./taken-back.js";
import { ThreadCount } from "./thread-count.js";

const element = (id) => document.getElementById(id);
const board = new Board(element("board"), choose);
const lines = new Lines(element("lines"));
const field = new PositionField(element("fen"));
const takenBack = new TakenBack();

/** The game of which the last position is on the board, that position, its legal moves and its end. */
let shown = { game: readGame(""), fen: "", legal: [], outcome: undefined };
let from;
let isFlipped = false;
let isThinking = false;
let threadCount;
let analysis;

function log(kind, text) {
  const line = document.createElement(kind);
  line.textContent = `${text}\n`;
  const console = element("console");
  console.append(line);
  while (console.childElementCount > 1000) console.firstChild.remove();
  console.scrollTop = console.scrollHeight;
}

/** Writes a text that a screen reader tells, once. */
function tell(text) {
  const score = element("score");
  if (score.textContent !== text) score.textContent = text;
}

function drawBoard() {
  const ofMan = shown.legal.filter((move) => from && move.startsWith(from));
  board.draw({
    men: men(shown.fen),
    last: shown.game.moves.at(-1),
    from,
    targets: ofMan.map((move) => move.slice(2, 4)),
    isFlipped,
  });
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
  const { game, fen, outcome } = position;
  field.show(fen);
  element("side").textContent = `${words(fen)[1] === "b" ? "Black" : "White"} to move`;
  tell(outcome ?? "");
  element("progress").textContent = "";
  lines.draw([]);
  element("people").textContent = "";
  element("back").setAttribute("aria-disabled", String(game.moves.length === 0));
  element("forward").setAttribute("aria-disabled", String(!takenBack.forward(game)));
  drawBoard();
}

function drawThoughts(thoughts) {
  const [best] = thoughts.lines;
  const [nodes, speed] = [thoughts.nodes, thoughts.speed].map((number) => number.toLocaleString());
  if (!shown.outcome) tell(`${best.score} at depth ${best.depth}`);
  element("progress").textContent = `${nodes} nodes, ${speed} a second`;
  lines.draw(thoughts.lines);
}

function drawThinking(isActive) {
  isThinking = isActive;
  element("pause").textContent = isActive ? "Pause" : "Analyse";
}

function drawFault(message) {
  element("fault").textContent = message;
  field.refuse();
}

/** The controls do nothing without an engine. */
function end(message) {
  element("controls").disabled = true;
  tell(message);
}

/** Asks for a game instead of what stands in the field. */
function show(game) {
  field.release();
  ask(game);
}

function ask(game) {
  from = undefined;
  element("fault").textContent = "";
  analysis.show(game);
}

/** Asks for a game that may be another one. */
function begin(game) {
  takenBack.forget();
  ask(game);
}

function showIfAny(game) {
  if (game) show(game);
}

/** Sends a command from the console. */
function command(line) {
  element("fault").textContent = "";
  // The user may change it, at some time.
  if (/threads/i.test(line)) element("threads").textContent = "";
  const [, number] = /\bmultipv\s+value\s+(\d+)/i.exec(line) ?? [];
  if (number) element("multipv").value = number;
  analysis.command(line);
}

function onSubmit(id, act) {
  element(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

const linesCommand = () => `setoption name MultiPV value ${element("multipv").value}`;

/** Starts the engine with as many threads as there is room for; returns what sends it a line. */
async function startEngine() {
  const engine = await Kaiyo.start({
    onLine: (line) => {
      log("span", line);
      threadCount?.read(line);
      analysis?.read(line);
    },
    onError: (line) => log("i", line),
  });
  engine.ended.then(
    (code) => end(`The engine has ended (${code}).`),
    (error) => end(`The engine has failed: ${error.message}`),
  );
  const send = (line) => {
    log("b", line);
    engine.send(line);
  };
  send("uci");
  send("setoption name Hash value 64");
  send(linesCommand());
  send("setoption name UCI_AnalyseMode value true");
  threadCount = new ThreadCount(send);
  const { count, refusal } = await threadCount.ask(processors());
  const running = `Searching with ${count} ${count === 1 ? "thread" : "threads"}`;
  element("threads").textContent = refusal ? `${running}: ${refusal}` : running;
  return send;
}

function listen() {
  const onClick = (id, act) => element(id).addEventListener("click", act);
  onClick("new", () => {
    field.release();
    begin(readGame(""));
  });
  onClick("back", () => showIfAny(takenBack.back(analysis.game)));
  onClick("forward", () => showIfAny(takenBack.forward(analysis.game)));
  onClick("flip", () => {
    isFlipped = !isFlipped;
    drawBoard();
  });
  onClick("pause", () => (isThinking ? analysis.pause() : analysis.resume()));
  element("multipv").addEventListener("change", () => analysis.command(linesCommand()));
  onSubmit("position", () => begin(readGame(field.ask())));
  onSubmit("command", () => {
    command(element("text").value);
    element("text").value = "";
  });
  document.addEventListener("visibilitychange", () => analysis.hide(document.hidden));
}

try {
  const send = await startEngine();
  analysis = new Analysis({
    send,
    onPosition: drawPosition,
    onPeople: (text) => (element("people").textContent = text),
    onThoughts: drawThoughts,
    onThinking: drawThinking,
    onFault: drawFault,
  });
  listen();
  element("controls").disabled = false;
  analysis.hide(document.hidden);
  show(readGame(""));
} catch (error) {
  end(error.message);
}
