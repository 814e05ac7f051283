"""Ratings and time controls that the games hardly show."""

from collections.abc import Sequence

import numpy as np

from .config import VOCABULARY
from .tokens import (
    FIRST_PLAYER, FIRST_RATING_CELL, RATING_CELLS, SECOND_PLAYER, TIME_CONTROLS, UNKNOWN_TIME_CONTROL,
)

LEAST_GAMES = 100
"""Games with a time control, and players of a rating, that are needed for it to be learnt."""


def token_counts(tokens: Sequence[np.ndarray]) -> np.ndarray:
    """How often each token stands in any of the arrays: int [VOCABULARY]."""
    return np.bincount(np.concatenate([part.ravel() for part in tokens]), minlength=VOCABULARY)


def with_seldom_filled(embedding: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The token embedding ([VOCABULARY, width]), in which each rating that too few games have is that of
    the nearest one that enough have, and each such time control the unknown one: the model would take
    its random row for anything."""
    filled = embedding.copy()
    controls = UNKNOWN_TIME_CONTROL + np.arange(TIME_CONTROLS)
    filled[controls[counts[controls] < LEAST_GAMES]] = embedding[UNKNOWN_TIME_CONTROL]
    cells = FIRST_RATING_CELL + np.arange(RATING_CELLS)
    known = cells[counts[FIRST_PLAYER + cells] + counts[SECOND_PLAYER + cells] >= LEAST_GAMES]
    if not len(known):
        return filled
    nearest = known[np.abs(cells[:, None] - known).argmin(axis=1)]
    for plane in (FIRST_PLAYER, SECOND_PLAYER):
        filled[plane + cells] = embedding[plane + nearest]
    return filled
