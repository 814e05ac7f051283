"""The order in which games are learnt from: the same for the same seed, at any point of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .config import CONTROL_STEPS
from .dataset import Folder, Window, ratings

CHUNK = 64
"""Batches whose games are sorted by length together."""


@dataclass(frozen=True)
class Plan:
    """What is learnt from, and how it is cut and mixed."""

    folders: Sequence[Folder]
    context: int
    """Steps of a sequence at most."""
    positions: int
    """Positions of a batch at most."""
    seed: int
    cut: float
    """Share of games that are cut into two at a random move, so that a sequence without the
    first moves is nothing new. Games longer than the context are cut anyway."""
    hidden: float
    """Share of games whose ratings are withheld, and of those whose time control is."""
    low_rating: int
    low_repeats: int
    """Games of weak players, of which there are few, come so often in an epoch: those where the
    mean of the known ratings is below `low_rating`."""

    @property
    def longest(self) -> int:
        """Moves of a window at most."""
        return self.context - CONTROL_STEPS + 1

    def epoch(self, number: int) -> Iterator[tuple[list[Window], np.ndarray]]:
        """The batches of an epoch: windows, and what is withheld of each (bool [windows, 2])."""
        random = np.random.default_rng((self.seed, number))
        windows = self._windows(random)
        windows = windows[random.permutation(len(windows))]
        lengths = windows[:, 3]
        chunk_ends = np.searchsorted(
            np.cumsum(lengths), np.arange(1, lengths.sum() // (CHUNK * self.positions) + 2)
            * CHUNK * self.positions
        )
        for start, end in zip(np.concatenate(([0], chunk_ends)), chunk_ends):
            chunk = windows[start:end]
            chunk = chunk[np.argsort(chunk[:, 3], kind="stable")]
            batches = list(split(chunk[:, 3], self.positions))
            for index in random.permutation(len(batches)):
                part = chunk[slice(*batches[index])]
                hidden = random.random((len(part), 2)) < self.hidden
                yield [Window(*row) for row in part.tolist()], hidden

    def _windows(self, random: np.random.Generator) -> np.ndarray:
        """All windows of an epoch: folder, game, first move, moves."""
        parts = []
        for number, folder in enumerate(self.folders):
            games = np.flatnonzero(~folder.held_out())
            weak = _weak(folder.games["players"][games], self.low_rating)
            games = np.repeat(games, np.where(weak, self.low_repeats, 1))
            lengths = folder.games["positions"][games].astype(np.int64)
            cuts = np.where(random.random(len(games)) < self.cut, random.integers(1, lengths + 1), 0)
            long = lengths > self.longest
            cuts = np.where(long, random.integers(1, self.longest + 1, len(games)), cuts)
            cuts = np.where(cuts == lengths, 0, cuts)
            parts.append(_cut(number, games, lengths, cuts, self.longest))
        return np.concatenate(parts)


def _weak(players: np.ndarray, low_rating: int) -> np.ndarray:
    """Whether the mean of the known ratings is below `low_rating`, for each game; where none is
    known it is not."""
    elo = ratings(players)
    known = (elo > 0).sum(axis=1)
    return elo.sum(axis=1) < low_rating * known


def _cut(
    folder: int, games: np.ndarray, lengths: np.ndarray, cuts: np.ndarray, longest: int
) -> np.ndarray:
    """Windows of games: the moves before a cut, then at most `longest` at a time."""
    rows = []
    first = cuts > 0
    zeros = np.zeros(first.sum(), np.int64)
    rows.append(np.stack((zeros + folder, games[first], zeros, cuts[first]), axis=1))
    starts = cuts.copy()
    while len(games):
        moves = np.minimum(lengths - starts, longest)
        rows.append(np.stack((np.full(len(games), folder), games, starts, moves), axis=1))
        left = lengths > starts + moves
        games, lengths, starts = games[left], lengths[left], (starts + moves)[left]
    return np.concatenate(rows)


def split(lengths: np.ndarray, positions: int) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours whose padded lengths add up to at most `positions`; lengths ascend."""
    start = 0
    for index, length in enumerate(lengths.tolist()):
        if index > start and length * (index + 1 - start) > positions:
            yield start, index
            start = index
    if start < len(lengths):
        yield start, len(lengths)


def validation(folder: Folder, number: int, plan: Plan, positions: int) -> list[list[Window]]:
    """Batches of about so many positions of the games held out: whole games, cut where they are
    longer than the context."""
    games = np.flatnonzero(folder.held_out())
    # Neighbours in a file are alike.
    games = games[np.random.default_rng(0).permutation(len(games))]
    lengths = folder.games["positions"][games].astype(np.int64)
    count = int(np.searchsorted(np.cumsum(lengths), positions)) + 1
    games, lengths = games[:count], lengths[:count]
    windows = _cut(number, games, lengths, np.zeros_like(lengths), plan.longest)
    windows = windows[np.argsort(windows[:, 3], kind="stable")]
    return [
        [Window(*row) for row in windows[slice(*bounds)].tolist()]
        for bounds in split(windows[:, 3], plan.positions)
    ]
