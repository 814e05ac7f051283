"""Ratings that the games hardly show."""

from collections.abc import Sequence

import numpy as np

from .config import VOCABULARY
from .tokens import FIRST_PLAYER, FIRST_RATING_CELL, RATING_CELLS, SECOND_PLAYER

LEAST_SIDES = 100
"""Players of a rating that games need to have for it to be learnt."""


def player_counts(players: Sequence[np.ndarray]) -> np.ndarray:
    """How often each token stands for a player in any of the arrays: int [VOCABULARY]."""
    return np.bincount(np.concatenate([part.ravel() for part in players]), minlength=VOCABULARY)


def with_ratings_filled(embedding: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The token embedding ([VOCABULARY, width]), in which each rating that too few games have is that of
    the nearest one that enough have: the model would take its random row for anybody."""
    cells = FIRST_RATING_CELL + np.arange(RATING_CELLS)
    known = cells[counts[FIRST_PLAYER + cells] + counts[SECOND_PLAYER + cells] >= LEAST_SIDES]
    if not len(known):
        return embedding
    nearest = known[np.abs(cells[:, None] - known).argmin(axis=1)]
    filled = embedding.copy()
    for plane in (FIRST_PLAYER, SECOND_PLAYER):
        filled[plane + cells] = embedding[plane + nearest]
    return filled
