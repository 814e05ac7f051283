"""`python3 -m unittest discover tests` in the folder above."""

import unittest
from pathlib import Path

import numpy as np

from kaiyo_policy import golden, quantise
from kaiyo_policy.config import VOCABULARY, Config
from kaiyo_policy.reference import Reference, Step
from kaiyo_policy.seldom import LEAST_GAMES, with_seldom_filled
from kaiyo_policy.tokens import (
    FIRST_PLAYER, LOWEST_RATING, RATING_STEP, SECOND_PLAYER, TIME_CONTROLS, UNKNOWN_TIME_CONTROL,
)

GOLDEN = Path(__file__).parents[3] / "crates/policy/tests/golden"


class Golden(unittest.TestCase):
    def test_the_committed_files_are_those_of_the_definition(self):
        self.assertEqual((GOLDEN / "tiny.gguf").read_bytes(), golden.model_file())
        rows = golden.expected((GOLDEN / "steps.txt").read_text().splitlines())
        lines = (GOLDEN / "expected.txt").read_text().splitlines()
        self.assertEqual(len(rows), len(lines))
        for row, line in zip(rows, lines):
            np.testing.assert_allclose(row, np.array(line.split(), float), atol=1e-5)


class Quantise(unittest.TestCase):
    def test_ternary_weights_are_the_nearest_multiples_of_the_mean(self):
        matrix = quantise.ternary(np.array([[0.1, -2.0, 1.0, -0.9]], np.float32))
        self.assertEqual(matrix.weights.tolist(), [[0, -1, 1, -1]])
        self.assertAlmostEqual(float(matrix.scales[0]), 1.0)

    def test_ternary_rows_are_two_masks(self):
        weights = np.zeros((1, 16), np.int8)
        weights[0, [0, 9]] = 1
        weights[0, 15] = -1
        packed = quantise.pack(quantise.Matrix(weights, np.ones(1, np.float32), True))
        self.assertEqual(packed.view(np.uint8).tolist(), [[1, 2, 0, 128]])

    def test_products_come_near_those_of_floats(self):
        random = np.random.default_rng(1)
        weights = random.normal(size=(32, 64)).astype(np.float32)
        vectors = random.normal(size=(5, 64)).astype(np.float32)
        error = quantise.product(quantise.int8(weights), vectors) - vectors @ weights.T
        self.assertLess(np.abs(error).max(), 0.3)


class Model(unittest.TestCase):
    def test_later_steps_change_nothing_before_them(self):
        config = Config(1, 8, 16, 32, 2, 1, 16)
        reference = Reference(config, golden.random_parameters(
            Config(2, 8, 16, 32, 2, 1, 16), 3))
        states = np.random.default_rng(4).normal(size=(12, 16)).astype(np.float32)
        whole = reference.attention("blk.0.", states)
        np.testing.assert_array_equal(whole[:7], reference.attention("blk.0.", states[:7]))

    def test_what_too_few_games_show_is_as_what_is_known(self):
        embedding = np.arange(VOCABULARY, dtype=np.float32)[:, None].repeat(3, axis=1)
        row = lambda plane, elo: plane + 2 + (elo - LOWEST_RATING) // RATING_STEP
        counts = np.zeros(VOCABULARY, int)
        filled = with_seldom_filled(embedding, counts)
        controls = slice(UNKNOWN_TIME_CONTROL, UNKNOWN_TIME_CONTROL + TIME_CONTROLS)
        np.testing.assert_array_equal(filled[controls], UNKNOWN_TIME_CONTROL)
        filled[controls] = embedding[controls]
        np.testing.assert_array_equal(filled, embedding)
        counts[UNKNOWN_TIME_CONTROL + 1] = LEAST_GAMES
        counts[UNKNOWN_TIME_CONTROL + 2] = LEAST_GAMES - 1
        for elo, first in ((800, LEAST_GAMES), (1100, LEAST_GAMES // 2), (1500, LEAST_GAMES - 1)):
            counts[row(FIRST_PLAYER, elo)] = first
            counts[row(SECOND_PLAYER, elo)] = LEAST_GAMES // 2 if elo == 1100 else 0
        filled = with_seldom_filled(embedding, counts)
        for plane in (FIRST_PLAYER, SECOND_PLAYER):
            for elo, source in ((400, 800), (800, 800), (900, 800), (1000, 1100), (1500, 1100),
                                (3600, 1100)):
                np.testing.assert_array_equal(filled[row(plane, elo)], row(plane, source))
            # Unknown players and engines are no ratings.
            np.testing.assert_array_equal(filled[plane : plane + 2], embedding[plane : plane + 2])
        others = np.ones(VOCABULARY, bool)
        for plane in (FIRST_PLAYER, SECOND_PLAYER):
            others[plane + 2 : plane + 35] = False
        for control, source in enumerate((0, 1, 0, 0, 0, 0)):
            np.testing.assert_array_equal(
                filled[UNKNOWN_TIME_CONTROL + control], UNKNOWN_TIME_CONTROL + source)
            others[UNKNOWN_TIME_CONTROL + control] = False
        np.testing.assert_array_equal(filled[others], embedding[others])

    def test_steps_are_read(self):
        self.assertEqual(Step.parse("7"), Step(7, []))
        self.assertEqual(Step.parse("7:1,2"), Step(7, [1, 2]))


if __name__ == "__main__":
    unittest.main()
