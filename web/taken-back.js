// Moves that were taken back and can be played again.

export class TakenBack {
  /** The game with all its moves. */
  #line = { fen: undefined, moves: [] };

  /** The game without its last move, or undefined if it has none. */
  back(game) {
    if (game.moves.length === 0) return undefined;
    if (!this.#holds(game)) this.#line = game;
    return { ...game, moves: game.moves.slice(0, -1) };
  }

  /** The game with the next move that was taken back, or undefined if there is none. */
  forward(game) {
    const count = game.moves.length;
    if (!this.#holds(game) || count === this.#line.moves.length) return undefined;
    return { ...game, moves: this.#line.moves.slice(0, count + 1) };
  }

  /** Nothing can be played again. */
  forget() {
    this.#line = { fen: undefined, moves: [] };
  }

  /** Whether the line begins with this game. */
  #holds({ fen, moves }) {
    return fen === this.#line.fen && moves.every((move, ply) => move === this.#line.moves[ply]);
  }
}
