"""Writes random positions with what python-chess finds in tablebases, to check Kaiyo's prober.

    python3 python_chess.py FOLDER COUNT > FILE

FOLDER has tables; of each material with both kinds the same number of positions is drawn, with
either side in White's part and either side to move. Lines are FEN;WDL;DTZ. Needs the package `chess`.
"""

import pathlib
import random
import sys

import chess
import chess.syzygy


def random_position(rng, name):
    """A legal position with the men of a table, or None."""
    sides = name.split("v")
    if rng.random() < 0.5:
        sides.reverse()
    men = sides[0] + sides[1].lower()
    board = chess.Board(None)
    for man, square in zip(men, rng.sample(range(64), len(men))):
        if man in "pP" and not 8 <= square < 56:
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(man))
    board.turn = rng.random() < 0.5
    if "P" in men and "p" in men and rng.random() < 0.3:
        set_up_en_passant(rng, board)
    return board if board.is_valid() else None


def set_up_en_passant(rng, board):
    """Moves a pawn of each side to where one may take the other en passant, if there is space."""
    rank = 4 if board.turn else 3
    file = rng.randrange(7)
    squares = [chess.square(file, rank), chess.square(file + 1, rank)]
    rng.shuffle(squares)
    passed = squares[1] + (8 if board.turn else -8)
    for square, colour in zip(squares, [board.turn, not board.turn]):
        pawns = list(board.pieces(chess.PAWN, colour))
        if board.piece_at(square) is None:
            board.remove_piece_at(rng.choice(pawns))
            board.set_piece_at(square, chess.Piece(chess.PAWN, colour))
    board.ep_square = passed


def main(folder, count):
    rng = random.Random(20)
    names = sorted(path.stem for path in pathlib.Path(folder).glob("*.rtbz"))
    with chess.syzygy.open_tablebase(folder) as tables:
        for number in range(count):
            board = None
            while board is None:
                board = random_position(rng, names[number % len(names)])
            print(board.fen(), tables.probe_wdl(board), tables.probe_dtz(board), sep=";")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
