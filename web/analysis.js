// A conversation with the engine about one game after the other.

import { isDoneAtOnce, isSearch, readCommand } from "./command.js";
import { needsChess960, readGame } from "./notation.js";
import { outcomeOf } from "./outcome.js";
import { Thinking } from "./thinking.js";

const START = { fen: undefined, moves: [] };

export class Analysis {
  #callbacks;
  #thinking;
  /**
   * What was asked about the board and not yet answered, in order: `game` is the one that the engine was
   * given, `fault` what it said of it. Without a game it is `own`, if the page wants to know what the
   * board has become, or one of the user's commands. Where the board `isTheSame`, so is its game.
   */
  #questions = [];
  /** The game on the engine's board, by its last answer, and the FEN of the position that it ends with. */
  #game = START;
  #fen = "";
  #inCheck = false;
  #repetitions = 1;
  #legal = [];
  /** The legal moves are being read. */
  #readsMoves = false;
  /** Whether the engine has the option `UCI_Chess960` set; undefined if that is not known. */
  #chess960 = false;
  /** Lines of the table that is being read. */
  #people = [];
  #lines = [];

  /**
   * - `send(line)`: sends a line to the engine
   * - `onPosition({ game, fen, legal, outcome })`: the game on the board, the position that it ends with,
   *   the legal moves there in UCI, and how the rules have ended the game, if they have
   * - `onPeople(text)`: a table of what people of some ratings are likely to play
   * - `onThoughts({ lines, nodes, speed })`: the best lines so far, each `{ score, depth, moves }` with
   *   White's score
   * - `onThinking(isActive)`: the engine searches, or is about to, or no longer
   * - `onFault(message)`: the game is not as it was asked for; `onPosition` tells what it is instead
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.#thinking = new Thinking(callbacks);
  }

  /** The game that was asked for last. */
  get game() {
    return this.#questions.findLast(({ game }) => game)?.game ?? this.#game;
  }

  /** Asks about the position after some moves, of the start position if there is no FEN. */
  show(game) {
    const { fen, moves } = game;
    const place = fen === undefined ? "startpos" : `fen ${fen}`;
    this.#showBy(`position ${place} moves ${moves.join(" ")}`.trim(), game);
  }

  /** Stops the search; no position is analysed until `resume`. */
  pause() {
    this.#thinking.pause();
  }

  /** Analyses the position on the board, and those that follow. */
  resume() {
    this.#thinking.resume();
  }

  /** Nothing is analysed while the page is hidden. */
  hide(isHidden) {
    this.#thinking.hide(isHidden);
  }

  /**
   * Sends a command of the user's. One that a search would hold up ends the search; the position is then
   * asked for and analysed again, unless the command is a search itself.
   */
  command(line) {
    const command = readCommand(line);
    const { name, rest } = command;
    if (name === "xboard") this.#callbacks.onFault("xboard: this page speaks UCI");
    else if (name === "position") this.#showBy(line, readGame(rest.join(" ")));
    else if (name === "stop") this.#thinking.stop(line);
    else if (isSearch(command)) this.#thinking.go(line);
    else if (isDoneAtOnce(command)) this.#pass(line, name);
    else this.#carryOut(line, name);
  }

  /** Sends a command that changes nothing. */
  #pass(line, name) {
    this.#callbacks.send(line);
    if (name === "d") this.#questions.push({});
  }

  /** Sends a command that may change what the engine says of the position. */
  #carryOut(line, name) {
    if (/chess960/i.test(line)) this.#chess960 = undefined;
    this.#thinking.interrupt();
    this.#callbacks.send(line);
    this.#ask({ own: true, isTheSame: name !== "flip" });
  }

  /** Sets up a game by this command. */
  #showBy(command, game) {
    this.#thinking.interrupt();
    const chess960 = needsChess960(game.fen);
    if (chess960 !== this.#chess960) {
      this.#callbacks.send(`setoption name UCI_Chess960 value ${chess960}`);
      this.#chess960 = chess960;
    }
    this.#callbacks.send(command);
    this.#ask({ own: true, game });
  }

  #ask(question) {
    const { send } = this.#callbacks;
    this.#questions.push(question);
    this.#thinking.prepare();
    send("d");
    send("go perft 1");
    send("policy");
  }

  /** Reads a line of the engine. */
  read(line) {
    const { onPeople } = this.#callbacks;
    const [word, ...rest] = line.split(" ");
    if (word === "info" && rest[0] === "string") {
      const message = rest.slice(1).join(" ");
      if (message.startsWith("position: ")) this.#readFault(message);
      if (message === "perft stopped") this.#askAgain();
    } else if (word === "bestmove") {
      this.#lines = [];
      this.#thinking.finish();
    } else if (word === "Fen:") {
      this.#readBoard(rest.join(" "));
    } else if (this.#isAsked()) {
      // Of a position that is not the last one.
    } else if (this.#readsMoves) {
      this.#readMoves(line);
    } else if (word === "info") {
      this.#readThoughts(rest);
    } else if (word === "rating" || this.#people.length > 0) {
      this.#people.push(line);
      if (!line.startsWith("Result")) return;
      const table = this.#people.splice(0).join("\n");
      if (this.#legal.length > 0) onPeople(table);
    }
  }

  /** Reads a line about the position: a fact, a legal move, or that there are no more. */
  #readMoves(line) {
    const [word, value] = line.split(" ");
    if (word === "Checkers:") this.#inCheck = value !== "none";
    if (word === "Repetitions:") this.#repetitions = Number(value);
    if (/^[a-h][1-8][a-h][1-8][qrbn]?: 1$/.test(line)) this.#legal.push(word.slice(0, -1));
    if (!line.startsWith("Nodes searched:")) return;
    this.#readsMoves = false;
    const position = { fen: this.#fen, legal: this.#legal };
    const outcome = outcomeOf({ ...position, inCheck: this.#inCheck, repetitions: this.#repetitions });
    this.#callbacks.onPosition({ game: this.#game, ...position, outcome });
    this.#thinking.begin();
  }

  /** A stop that was for something else has also ended the list of legal moves. */
  #askAgain() {
    if (this.#readsMoves && !this.#isAsked()) this.#ask({ own: true, isTheSame: true });
  }

  /** What the engine says of a game belongs to the first question, whose board it has not shown yet. */
  #readFault(message) {
    const [question, ...others] = this.#questions;
    if (!question) return;
    question.fault = message;
    if (others.length === 0) this.#callbacks.onFault(message);
  }

  /** The answer to the first question. */
  #readBoard(fen) {
    const { own, game, fault, isTheSame } = this.#questions.shift() ?? {};
    if (!own) return;
    const isKept = fault?.endsWith("; position kept") ?? false;
    const isAsAsked = game && !fault;
    if (isAsAsked) this.#game = game;
    else if (!isKept && !isTheSame && fen !== this.#fen) this.#game = { fen, moves: [] };
    this.#fen = fen;
    this.#inCheck = false;
    this.#repetitions = 1;
    this.#legal = [];
    this.#readsMoves = true;
    this.#people = [];
    this.#lines = [];
    // The options are now those of the game that was refused.
    if (isKept && !this.#isAsked()) this.show(this.#game);
  }

  /** Whether the page waits for a board. */
  #isAsked() {
    return this.#questions.some(({ own }) => own);
  }

  #readThoughts(words) {
    const value = (name) => words[words.indexOf(name) + 1];
    const moves = words.indexOf("pv");
    if (moves < 0) return;
    const [kind, amount] = words.slice(words.indexOf("score") + 1);
    const sign = this.#fen.split(" ")[1] === "b" ? -1 : 1;
    this.#lines[Number(value("multipv")) - 1] = {
      score: written(kind, sign * Number(amount)),
      depth: Number(value("depth")),
      moves: words.slice(moves + 1).join(" "),
    };
    this.#callbacks.onThoughts({
      lines: this.#lines.filter(Boolean),
      nodes: Number(value("nodes")),
      speed: Number(value("nps")),
    });
  }
}

function written(kind, amount) {
  if (kind === "mate") return amount < 0 ? `-#${-amount}` : `#${amount}`;
  return `${amount > 0 ? "+" : ""}${(amount / 100).toFixed(2)}`;
}
