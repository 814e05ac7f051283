// A conversation with the engine about one game after the other.

import { needsChess960, readGame, words } from "./notation.js";

const START = { fen: undefined, moves: [] };

export class Analysis {
  #callbacks;
  /**
   * What was asked about the board and not yet answered, in order: `game` is the one that the engine was
   * given, `fault` what it said of it. Without a game it is `own`, if the page wants to know what the
   * board has become, or one of the user's commands.
   */
  #questions = [];
  /** The game on the engine's board, by its last answer, and the FEN of the position that it ends with. */
  #game = START;
  #fen = "";
  #inCheck = false;
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
   *   the legal moves there in UCI, and "checkmate" or "stalemate" if there is none
   * - `onPeople(text)`: a table of what people of some ratings are likely to play
   * - `onThoughts({ lines, nodes, speed })`: the best lines so far, each `{ score, depth, moves }` with
   *   White's score
   * - `onFault(message)`: the game is not as it was asked for; `onPosition` tells what it is instead
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
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

  /** Sends a command of the user's, which may change the board as well. */
  command(line) {
    const { send } = this.#callbacks;
    const [name, ...rest] = words(line);
    if (name === "position") {
      this.#showBy(line, readGame(rest.join(" ")));
      return;
    }
    send(line);
    if (name === "d") this.#questions.push({});
    if (/chess960/i.test(line)) this.#chess960 = undefined;
    // The engine finds commands after words that it does not know.
    if (name === "flip" || rest.includes("position")) this.#ask({ own: true });
  }

  /** Sets up a game by this command. */
  #showBy(command, game) {
    const chess960 = needsChess960(game.fen);
    if (chess960 !== this.#chess960) {
      this.#callbacks.send(`setoption name UCI_Chess960 value ${chess960}`);
      this.#chess960 = chess960;
    }
    // A search without end gives way to a new position.
    this.#callbacks.send(command);
    this.#ask({ own: true, game });
  }

  #ask(question) {
    const { send } = this.#callbacks;
    this.#questions.push(question);
    send("d");
    send("go perft 1");
    send("policy");
    send("go infinite");
  }

  /** Reads a line of the engine. */
  read(line) {
    const { onPosition, onPeople } = this.#callbacks;
    const [word, ...rest] = line.split(" ");
    if (word === "info" && rest[0] === "string") {
      const message = rest.slice(1).join(" ");
      if (message.startsWith("position: ")) this.#readFault(message);
    } else if (word === "Fen:") {
      this.#readBoard(rest.join(" "));
    } else if (this.#isAsked()) {
      // Of a position that is not the last one.
    } else if (this.#readsMoves) {
      if (word === "Checkers:") this.#inCheck = rest[0] !== "none";
      if (/^[a-h][1-8][a-h][1-8][qrbn]?: 1$/.test(line)) this.#legal.push(word.slice(0, -1));
      if (!line.startsWith("Nodes searched:")) return;
      this.#readsMoves = false;
      const end = this.#inCheck ? "checkmate" : "stalemate";
      const outcome = this.#legal.length === 0 ? end : undefined;
      onPosition({ game: this.#game, fen: this.#fen, legal: this.#legal, outcome });
    } else if (word === "info") {
      this.#readThoughts(rest);
    } else if (word === "rating" || this.#people.length > 0) {
      this.#people.push(line);
      if (!line.startsWith("Result")) return;
      const table = this.#people.splice(0).join("\n");
      if (this.#legal.length > 0) onPeople(table);
    }
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
    const { own, game, fault } = this.#questions.shift() ?? {};
    if (!own) return;
    const isKept = fault?.endsWith("; position kept") ?? false;
    const isAsAsked = game && !fault;
    if (isAsAsked) this.#game = game;
    else if (!isKept && fen !== this.#fen) this.#game = { fen, moves: [] };
    this.#fen = fen;
    this.#inCheck = false;
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
