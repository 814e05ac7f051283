// How the rules have ended a game.

import { isLight, men, words } from "./notation.js";

/** Half-moves without a capture or pawn move after which a game is drawn. */
const FIFTY_MOVES = 100;
/** Times that a position has to be on the board for a draw. */
const REPETITIONS = 3;

/** The end of the game at this position, or undefined if it goes on. */
export function outcomeOf({ fen, legal, inCheck, repetitions }) {
  if (legal.length === 0) return inCheck ? "checkmate" : "stalemate";
  if (lacksMaterial(fen)) return "draw by lack of material";
  if (Number(words(fen)[4]) >= FIFTY_MOVES) return "draw by the fifty-move rule";
  return repetitions >= REPETITIONS ? "draw by repetition" : undefined;
}

/** Bare kings, one knight, or bishops that all stand on squares of one colour. */
function lacksMaterial(fen) {
  const others = Object.entries(men(fen)).filter(([, letter]) => !/k/i.test(letter));
  const bishops = others.filter(([, letter]) => /b/i.test(letter));
  if (bishops.length < others.length) return others.length === 1 && /n/i.test(others[0][1]);
  return new Set(bishops.map(([square]) => isLight(square))).size <= 1;
}
