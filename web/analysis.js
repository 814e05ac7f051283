// A conversation with the engine about one position after the other.

export class Analysis {
  #callbacks;
  /** Positions that were asked for and not yet answered. */
  #pending = 0;
  #fen = "";
  #legal = [];
  /** Lines of the table that is being read. */
  #people = [];
  #lines = [];

  /**
   * - `send(line)`: sends a line to the engine
   * - `onPosition({ fen, legal })`: the position, and its legal moves in UCI
   * - `onPeople(text)`: a table of what people of some ratings are likely to play
   * - `onThoughts({ lines, nodes, speed })`: the best lines so far, each `{ score, depth, moves }` with
   *   White's score
   * - `onFault(message)`: there is no such position; the one before comes again
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
  }

  /** Asks about the position after some moves, of the start position if there is no FEN. */
  show({ fen, moves }) {
    this.#pending += 1;
    const { send } = this.#callbacks;
    const place = fen === undefined ? "startpos" : `fen ${fen}`;
    // A search without end gives way to a new position.
    send(`position ${place} moves ${moves.join(" ")}`.trim());
    send("d");
    send("go perft 1");
    send("policy");
    send("go infinite");
  }

  /** Reads a line of the engine. */
  read(line) {
    const { onPosition, onPeople, onFault } = this.#callbacks;
    const [word, ...rest] = line.split(" ");
    if (word === "info" && rest[0] === "string") {
      const message = rest.slice(1).join(" ");
      if (message.startsWith("position: ")) onFault(message);
    } else if (word === "Fen:") {
      this.#pending -= 1;
      this.#fen = rest.join(" ");
      this.#legal = [];
      this.#people = [];
      this.#lines = [];
    } else if (this.#pending > 0) {
      // Of a position that is not the last one.
    } else if (/^[a-h][1-8][a-h][1-8][qrbn]?: 1$/.test(line)) {
      this.#legal.push(word.slice(0, -1));
    } else if (line.startsWith("Nodes searched:")) {
      onPosition({ fen: this.#fen, legal: this.#legal });
    } else if (word === "info") {
      this.#readThoughts(rest);
    } else if (word === "rating" || this.#people.length > 0) {
      this.#people.push(line);
      if (line.startsWith("Result")) onPeople(this.#people.splice(0).join("\n"));
    }
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
