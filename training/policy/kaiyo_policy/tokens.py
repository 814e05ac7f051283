"""Tokens of what is known before the first move."""

START = 64 * 64
UNKNOWN_TIME_CONTROL = START + 1
TIME_CONTROLS = 6
"""The unknown one and those that follow it: bullet, blitz, rapid, classical, correspondence."""
FIRST_PLAYER, SECOND_PLAYER = 65 * 64, 66 * 64
"""Tokens of players of whom nothing is known; that of engines and ratings follow."""
FIRST_RATING_CELL, RATING_CELLS = 2, 33
LOWEST_RATING, RATING_STEP = 400, 100
