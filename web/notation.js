// What the page reads of texts itself: where men stand, and which game is meant.

export const FILES = "abcdefgh";

/** The words of a text, separated as the engine does. */
export const words = (text) => text.split(/[\s\p{Cc}]+/u).filter(Boolean);

/** Whether the square is a light one. */
export const isLight = (square) => (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 0;

/** The men of a FEN by square. */
export function men(fen) {
  const found = {};
  const [board = ""] = words(fen);
  board.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else found[FILES[file++] + (8 - index)] = letter;
    }
  });
  return found;
}

/**
 * The game that a text describes: a FEN, moves after `moves`, or both, as in UCI. Without a FEN it has
 * none, and begins at the start position.
 */
export function readGame(text) {
  const head = words(text);
  if (head[0] === "position") head.shift();
  const at = head.indexOf("moves");
  const moves = at < 0 ? [] : head.splice(at).slice(1);
  if (head[0] === "fen") head.shift();
  const fen = head.join(" ");
  return { fen: fen === "" || fen === "startpos" ? undefined : fen, moves };
}

/**
 * Whether castling is not as in standard chess: rooks are named by their files, or a king or rook that
 * has the right stands elsewhere.
 */
export function needsChess960(fen = "") {
  const placed = men(fen);
  const [, , castling = "-"] = words(fen);
  return [...castling].some((letter) => {
    if (/[a-h]/i.test(letter)) return true;
    if (!/[kq]/i.test(letter)) return false;
    const isWhite = letter < "a";
    const row = [...FILES].map((file) => placed[file + (isWhite ? 1 : 8)]);
    const king = row.indexOf(isWhite ? "K" : "k");
    // The outermost rook of that side is meant. Without one there is no such right.
    const rook = isWhite ? "R" : "r";
    if (/k/i.test(letter)) {
      const file = row.lastIndexOf(rook);
      return king >= 0 && file > king && (king !== 4 || file !== 7);
    }
    const file = row.indexOf(rook);
    return file >= 0 && file < king && (king !== 4 || file !== 0);
  });
}
