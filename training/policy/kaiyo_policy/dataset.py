"""Games as sequences of steps, from folders that `kaiyo-train data sequences` wrote.

The format is documented in `crates/train/src/data/sequences.rs`.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .config import BOARD_FEATURES, CONTROL_STEPS, VOCABULARY
from .sparse import Pattern
from .tokens import (
    FIRST_PLAYER, FIRST_RATING_CELL, LOWEST_RATING, RATING_STEP, SECOND_PLAYER, START,
    UNKNOWN_TIME_CONTROL,
)

GAME = np.dtype(
    [
        ("first_position", "<u8"),
        ("first_legal", "<u8"),
        ("positions", "<u4"),
        ("checksum", "<u4"),
        ("players", "<u2", 2),
        ("time_control", "<u2"),
        ("result", "i1"),
        ("padding", "u1"),
    ]
)
POSITION = np.dtype(
    [
        ("men", "u1", 32),
        ("flags", "u1"),
        ("en_passant", "u1"),
        ("played", "<u2"),
        ("legal", "u1"),
        ("padding", "u1"),
    ]
)
assert (GAME.itemsize, POSITION.itemsize) == (32, 38)

UNKNOWN_RESULT = 2
SECOND_PLAYER_FLAG = 16

CASTLING_ROW, EN_PASSANT_ROW, SECOND_PLAYER_ROW = 768, 772, 780
HELD_OUT = 100
"""One game in so many is never trained on."""


def ratings(players: np.ndarray) -> np.ndarray:
    """Elo of players from their tokens; 0 where it is unknown or an engine's."""
    cells = players.astype(np.int64) % 64 - FIRST_RATING_CELL
    return np.where(cells >= 0, LOWEST_RATING + RATING_STEP * cells, 0)


class Folder:
    """All games of a folder, mapped into memory."""

    def __init__(self, path: Path):
        try:
            self.games = np.fromfile(path / "games", GAME)
            self.positions = np.memmap(path / "positions", POSITION, "r")
            self.legal = np.memmap(path / "legal", "<u2", "r")
        except (OSError, ValueError) as error:
            raise SystemExit(f"{path}: a folder of 'kaiyo-train data sequences' expected: {error}")
        positions = self.games["positions"].sum(dtype=np.int64)
        last = self.games[-1]
        of_last = self.positions["legal"][int(last["first_position"]) :].sum(dtype=np.int64)
        legal = int(last["first_legal"]) + int(of_last)
        if (positions, legal) != (len(self.positions), len(self.legal)):
            raise SystemExit(f"{path} is not complete")
        self.path = path

    def held_out(self) -> np.ndarray:
        """Whether each game is kept for validation: equal games go the same way."""
        return self.games["checksum"] % HELD_OUT == 0

    def summary(self) -> str:
        """What tells these games from others. The file of games has a checksum of the moves of
        each, so that the larger files need not be read."""
        moves, checksum = len(self.positions), zlib.crc32(self.games)
        return f"{len(self.games)} games with {moves} moves (checksum {checksum:08x})"


@dataclass(frozen=True)
class Window:
    """Moves of a game that make a sequence."""

    folder: int
    game: int
    first: int
    moves: int


@dataclass(frozen=True)
class Batch:
    """Sequences of equal length, shorter ones being filled up at the end."""

    tokens: Tensor
    """int64 [sequences, steps]"""
    board: Pattern
    """[sequences * steps, board features]"""
    predicting: Tensor
    """int64 [positions]: steps, of all sequences one after another, with a move to predict."""
    legal: Pattern
    """[positions, vocabulary]"""
    legal_places: Tensor
    """int64 [legal moves]: place of each in a [positions, most legal moves] matrix."""
    most_legal: int
    played: Tensor
    """int64 [positions]: which of the legal moves was played."""
    results: Tensor
    """float32 [positions]: for the side to move, from -1 to 1; NaN where it is unknown."""
    ratings: Tensor
    """int64 [positions]: Elo of the side to move, or 0."""
    plies: Tensor
    """int64 [positions]: moves of the game before the position."""

    def to(self, device: torch.device) -> "Batch":
        def moved(value):
            return value.to(device) if isinstance(value, (Tensor, Pattern)) else value

        return Batch(**{name: moved(value) for name, value in vars(self).items()})


def batch(
    folders: Sequence[Folder], windows: Sequence[Window], hidden: np.ndarray | None = None
) -> Batch:
    """The batch of these windows. `hidden` (bool [windows, 2]) tells where the players' ratings
    and the time control are withheld."""
    steps = CONTROL_STEPS - 1 + max(window.moves for window in windows)
    tokens = np.full((len(windows), steps), START, np.int64)
    parts, legal_parts, flips, results, plies, predicting = [], [], [], [], [], []
    for row, window in enumerate(windows):
        folder = folders[window.folder]
        game = folder.games[window.game]
        first = int(game["first_position"])
        before = folder.positions["legal"][first : first + window.first].sum(dtype=np.int64)
        part = folder.positions[first + window.first : first + window.first + window.moves]
        parts.append(part)
        first_legal = int(game["first_legal"]) + int(before)
        count = part["legal"].sum(dtype=np.int64)
        legal_parts.append(folder.legal[first_legal : first_legal + count])

        # The first player is who moves first in the sequence.
        swapped = window.first % 2 == 1
        cells = game["players"].astype(np.int64) % 64
        cells = cells[::-1] if swapped else cells
        time_control = int(game["time_control"])
        if hidden is not None:
            cells = np.where(hidden[row, 0], 0, cells)
            time_control = UNKNOWN_TIME_CONTROL if hidden[row, 1] else time_control
        tokens[row, 1] = FIRST_PLAYER + cells[0]
        tokens[row, 2] = SECOND_PLAYER + cells[1]
        tokens[row, 3] = time_control
        tokens[row, CONTROL_STEPS : CONTROL_STEPS + window.moves - 1] = part["played"][:-1]

        flips.append(np.full(window.moves, swapped))
        result = np.float32(np.nan if game["result"] == UNKNOWN_RESULT else game["result"])
        signs = np.where((window.first + np.arange(window.moves)) % 2 == 0, 1, -1)
        results.append(result * signs.astype(np.float32))
        plies.append(window.first + np.arange(window.moves))
        predicting.append(row * steps + CONTROL_STEPS - 1 + np.arange(window.moves))

    positions = np.concatenate(parts)
    predicting = np.concatenate(predicting)
    second = ((positions["flags"] & SECOND_PLAYER_FLAG) != 0) ^ np.concatenate(flips)
    sequences = predicting // steps
    movers = tokens[sequences, 1 + second.astype(np.int64)]
    legal = np.concatenate(legal_parts).astype(np.int64)
    counts = positions["legal"].astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(legal)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_played = legal == positions["played"].astype(np.int64)[rows]
    return Batch(
        tokens=torch.from_numpy(tokens),
        board=_board(positions, second, predicting, len(windows) * steps),
        predicting=torch.from_numpy(predicting),
        legal=Pattern.of_rows(counts, legal, VOCABULARY),
        legal_places=torch.from_numpy(rows * int(counts.max()) + within),
        most_legal=int(counts.max()),
        played=torch.from_numpy(within[is_played]),
        results=torch.from_numpy(np.concatenate(results)),
        ratings=torch.from_numpy(ratings(movers)),
        plies=torch.from_numpy(np.concatenate(plies)),
    )


def _board(
    positions: np.ndarray, second: np.ndarray, predicting: np.ndarray, steps: int
) -> Pattern:
    """The board's rows at each step."""
    men = positions["men"]
    codes = np.stack((men & 15, men >> 4), axis=2).reshape(-1, 64).astype(np.int64)
    of_men = np.where(codes > 0, 64 * (codes - 1) + np.arange(64), -1)
    castling = (positions["flags"][:, None] >> np.arange(4)) & 1
    of_castling = np.where(castling == 1, CASTLING_ROW + np.arange(4), -1)
    file = positions["en_passant"].astype(np.int64)
    of_file = np.where(file > 0, EN_PASSANT_ROW + file - 1, -1)[:, None]
    of_second = np.where(second, SECOND_PLAYER_ROW, -1)[:, None]
    rows = np.concatenate((of_men, of_castling, of_file, of_second), axis=1)
    rows = np.sort(rows, axis=1)
    present = rows >= 0
    counts = np.zeros(steps, np.int64)
    counts[predicting] = present.sum(axis=1)
    return Pattern.of_rows(counts, rows[present], BOARD_FEATURES)
