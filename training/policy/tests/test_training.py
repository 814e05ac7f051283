"""Tests of the trainer; they need PyTorch.

`python3 -m unittest discover tests` in the folder above.
"""

import io
import shutil
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

try:
    import resource
except ImportError:
    resource = None

import numpy as np

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("no PyTorch") from error

from kaiyo_policy import checkpoint, evaluate, train
from kaiyo_policy.config import VOCABULARY, Config
from kaiyo_policy.dataset import GAME, POSITION, Folder, Window, batch
from kaiyo_policy.model import Model
from kaiyo_policy.plan import Plan, validation
from kaiyo_policy.reference import Reference, Step
from kaiyo_policy.schedule import rate
from kaiyo_policy.sparse import Pattern, chosen_products, sum_of_rows
from kaiyo_policy.tokens import FIRST_PLAYER, SECOND_PLAYER, START, UNKNOWN_TIME_CONTROL

TINY = Config(blocks=2, context=32, width=32, hidden=96, heads=4, key_heads=2, head_size=16)


def write_folder(path: Path, lengths: list[int], seed: int) -> None:
    """Games of these lengths that are no chess: a few men, and up to nine moves each."""
    random = np.random.default_rng(seed)
    count = sum(lengths)
    positions = np.zeros(count, POSITION)
    positions["men"] = random.integers(0, 256, (count, 32)) % 13 * (random.random((count, 32)) < 0.2)
    positions["legal"] = random.integers(1, 10, count)
    positions["en_passant"] = random.integers(0, 9, count)
    first = np.concatenate([np.arange(length) for length in lengths])
    positions["flags"] = random.integers(0, 16, count) | 16 * (first % 2)
    legal = [np.sort(random.choice(4096, size, False)) for size in positions["legal"]]
    positions["played"] = [random.choice(moves) for moves in legal]
    games = np.zeros(len(lengths), GAME)
    games["positions"] = lengths
    games["first_position"] = np.cumsum(lengths) - lengths
    starts = np.concatenate(([0], np.cumsum(positions["legal"].astype(np.int64))))
    games["first_legal"] = starts[games["first_position"].astype(np.int64)]
    games["checksum"] = np.arange(len(lengths))
    games["players"] = random.integers(0, 35, (len(lengths), 2)) + [FIRST_PLAYER, SECOND_PLAYER]
    games["time_control"] = UNKNOWN_TIME_CONTROL + random.integers(0, 5, len(lengths))
    games["result"] = random.integers(-1, 3, len(lengths))
    path.mkdir()
    games.tofile(path / "games")
    positions.tofile(path / "positions")
    np.concatenate(legal).astype("<u2").tofile(path / "legal")


class WithFolder(unittest.TestCase):
    LENGTHS = [5, 40, 12, 29, 30, 1, 17, 8] * 30

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name)
        write_folder(self.path / "games", self.LENGTHS, 1)
        self.folder = Folder(self.path / "games")

    def plan(self, **changes) -> Plan:
        return Plan(**{
            "folders": [self.folder], "context": 32, "positions": 64, "seed": 5, "cut": 0.3,
            "hidden": 0.3, "low_rating": 2000, "low_repeats": 1, **changes,
        })


class Batches(WithFolder):
    def rows(self, pattern: Pattern, row: int) -> list[int]:
        return pattern.columns[pattern.row_starts[row]:pattern.row_starts[row + 1]].tolist()

    def test_a_window_has_the_moves_and_boards_of_its_game(self):
        game, start = self.folder.games[1], 3
        first = int(game["first_position"]) + start
        prepared = batch([self.folder], [Window(0, 1, start, 6), Window(0, 2, 0, 12)])
        self.assertEqual(tuple(prepared.tokens.shape), (2, 15))
        positions = self.folder.positions[first:first + 6]
        # Black moves first in this sequence, so that the players change places.
        players = game["players"].astype(int)
        expected = [
            START, players[1] - SECOND_PLAYER + FIRST_PLAYER,
            players[0] - FIRST_PLAYER + SECOND_PLAYER, int(game["time_control"]),
            *positions["played"][:5].tolist(),
        ]
        self.assertEqual(prepared.tokens[0, :9].tolist(), expected)
        self.assertEqual(prepared.predicting[:6].tolist(), list(range(3, 9)))
        for index, position in enumerate(positions):
            self.assertEqual(780 in self.rows(prepared.board, 3 + index), index % 2 == 1)
            men = [row for row in self.rows(prepared.board, 3 + index) if row < 768]
            nibbles = [(byte >> shift) & 15 for byte in position["men"].tolist() for shift in (0, 4)]
            codes = {64 * (code - 1) + square for square, code in enumerate(nibbles) if code}
            self.assertEqual(set(men), codes)
            legal = self.rows(prepared.legal, index)
            self.assertEqual(len(legal), position["legal"])
            self.assertEqual(legal[prepared.played[index]], position["played"])
        self.assertEqual(self.rows(prepared.board, 0), [])
        self.assertEqual(prepared.plies[:6].tolist(), list(range(3, 9)))

    def test_results_are_those_of_the_side_to_move(self):
        for game in range(8):
            result = int(self.folder.games[game]["result"])
            for start in (0, 1):
                length = int(self.folder.games[game]["positions"])
                if length < start + 2:
                    continue
                results = batch([self.folder], [Window(0, game, start, 2)]).results.tolist()
                sign = 1 - 2 * start
                if result == 2:
                    self.assertTrue(np.isnan(results).all())
                else:
                    self.assertEqual(results, [sign * result, -sign * result])

    def test_conditions_are_withheld(self):
        hidden = np.array([[True, False], [False, True]])
        windows = [Window(0, 3, 0, 4), Window(0, 4, 0, 4)]
        tokens = batch([self.folder], windows, hidden).tokens
        self.assertEqual(tokens[0, 1:3].tolist(), [FIRST_PLAYER, SECOND_PLAYER])
        self.assertEqual(tokens[0, 3], self.folder.games[3]["time_control"])
        self.assertEqual(tokens[1, 1], self.folder.games[4]["players"][0])
        self.assertEqual(tokens[1, 3], UNKNOWN_TIME_CONTROL)


class EngineFiles(unittest.TestCase):
    """What `kaiyo-train data sequences` writes is what the engine's model is asked with."""

    DATA = Path(__file__).parent / "data"

    def test_steps_are_those_of_the_engine(self):
        folder = Folder(self.DATA / "sequences")
        lines = (self.DATA / "short.steps").read_text().splitlines()
        self.assertEqual(len(folder.games), len(lines))
        for game, line in enumerate(lines):
            steps, legal = line.split("|")
            steps = [step.partition(":") for step in steps.split(" ")]
            moves = int(folder.games[game]["positions"])
            prepared = batch([folder], [Window(0, game, 0, moves)])
            self.assertEqual(prepared.tokens[0].tolist(), [int(token) for token, _, _ in steps])
            starts, columns = prepared.board.row_starts, prepared.board.columns
            for step, (_, _, rows) in enumerate(steps):
                expected = [int(row) for row in rows.split(",")] if rows else []
                self.assertEqual(columns[starts[step]:starts[step + 1]].tolist(), expected)
            starts, columns = prepared.legal.row_starts, prepared.legal.columns
            found = columns[starts[moves - 1]:starts[moves]].tolist()
            self.assertEqual(found, sorted(int(token) for token in legal.split(" ")))


class Plans(WithFolder):
    def windows(self, plan: Plan, epoch: int) -> list[Window]:
        return [window for windows, _ in plan.epoch(epoch) for window in windows]

    def test_an_epoch_has_every_move_but_those_held_out_once(self):
        windows = self.windows(self.plan(), 0)
        seen = sorted((w.game, w.first + move) for w in windows for move in range(w.moves))
        held_out = self.folder.held_out()
        expected = [
            (game, move) for game, length in enumerate(self.LENGTHS) if not held_out[game]
            for move in range(length)
        ]
        self.assertEqual(seen, expected)
        self.assertTrue(all(w.moves <= 29 for w in windows))
        self.assertTrue(any(w.first % 2 for w in windows))

    def test_games_held_out_are_validated(self):
        batches = validation(self.folder, 0, self.plan(), 10**6)
        games = {window.game for windows in batches for window in windows}
        self.assertEqual(games, set(np.flatnonzero(self.folder.held_out()).tolist()))

    def test_epochs_are_alike_for_the_same_seed_only(self):
        first = self.windows(self.plan(), 0)
        self.assertEqual(first, self.windows(self.plan(), 0))
        self.assertNotEqual(first, self.windows(self.plan(), 1))
        self.assertNotEqual(first, self.windows(self.plan(seed=6), 0))

    def test_batches_are_no_larger_than_asked(self):
        for windows, _ in self.plan().epoch(0):
            padded = max(window.moves for window in windows) * len(windows)
            self.assertLessEqual(padded, 64)

    def test_games_of_low_ratings_come_several_times(self):
        cells = {"?": 0, "engine": 1, 400: 2, 1500: 13, 1900: 17, 2000: 18, 2100: 19, 2600: 24}
        times = {
            (400, 400): 3, (400, 2600): 3, (1900, 1900): 3, (1900, 2000): 3, (2000, 1900): 3,
            (1900, 2100): 1, (2000, 2000): 1, (2600, 2100): 1,
            # Of a player without a rating nothing is known.
            (1500, "?"): 3, ("?", 1900): 3, ("engine", 1500): 3,
            (2000, "?"): 1, ("?", 2600): 1, (2600, "engine"): 1,
            ("?", "?"): 1, ("engine", "engine"): 1, ("?", "engine"): 1,
        }
        write_folder(self.path / "few", [5] * len(times), 2)
        folder = Folder(self.path / "few")
        folder.games["checksum"] = 1
        players = [[cells[player] for player in pair] for pair in times]
        folder.games["players"] = np.array(players) + [FIRST_PLAYER, SECOND_PLAYER]
        windows = self.windows(self.plan(folders=[folder], cut=0.0, low_repeats=3), 0)
        counts = np.bincount([window.game for window in windows], minlength=len(times))
        self.assertEqual(dict(zip(times, counts.tolist())), times)


class Parts(unittest.TestCase):
    PATTERN = Pattern.of_rows(np.array([2, 0, 1, 3]), np.array([0, 3, 1, 0, 2, 4]), 5)

    def test_sparse_products_are_those_of_dense_matrices(self):
        random = torch.Generator().manual_seed(1)
        table = torch.randn(5, 3, generator=random, dtype=torch.double, requires_grad=True)
        vectors = torch.randn(4, 3, generator=random, dtype=torch.double, requires_grad=True)
        dense = torch.zeros(4, 5, dtype=torch.double)
        rows = torch.tensor([0, 0, 2, 3, 3, 3])
        dense[rows, self.PATTERN.columns] = 1
        torch.testing.assert_close(sum_of_rows(table, self.PATTERN), dense @ table)
        chosen = (vectors @ table.T)[rows, self.PATTERN.columns]
        torch.testing.assert_close(chosen_products(vectors, table, self.PATTERN), chosen)
        gradcheck = torch.autograd.gradcheck
        self.assertTrue(gradcheck(lambda t: sum_of_rows(t, self.PATTERN), (table,)))
        self.assertTrue(
            gradcheck(lambda v, t: chosen_products(v, t, self.PATTERN), (vectors, table)))

    def test_the_rate_rises_stays_and_falls(self):
        rates = [rate(step, 100, 10, 0.5, 0.1) for step in range(101)]
        np.testing.assert_allclose(rates[:11], np.minimum(np.arange(1, 12) / 10, 1))
        self.assertTrue(all(value == 1 for value in rates[10:51]))
        self.assertTrue(all(a > b for a, b in zip(rates[50:], rates[51:])))
        self.assertAlmostEqual(rates[75], 0.55)
        self.assertAlmostEqual(rates[100], 0.1)


class Models(WithFolder):
    def model(self) -> Model:
        torch.manual_seed(3)
        model = Model(TINY)
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() == 1:
                    parameter.copy_(0.5 + torch.rand(parameter.shape))
            model.value.weight.normal_()
            for table in (model.token_embd, model.board_embd):
                table.weight.copy_(table.weight.half().float())
        return model

    def test_the_model_is_that_of_the_definition(self):
        model = self.model().eval()
        reference = Reference(TINY, model.parameters_for_file())
        prepared = batch([self.folder], [Window(0, 1, 3, 20), Window(0, 2, 0, 12)])
        with torch.no_grad():
            predictions = model(prepared)
        spread = predictions.logits[predictions.logits.isfinite()].std().item()
        length = prepared.tokens.shape[1]
        for position in (0, 7, 19, 20, 31):
            sequence, last = divmod(prepared.predicting[position].item(), length)
            starts, columns = prepared.board.row_starts, prepared.board.columns
            rows = [sequence * length + step for step in range(last + 1)]
            steps = [
                Step(token, columns[starts[row]:starts[row + 1]].tolist())
                for token, row in zip(prepared.tokens[sequence].tolist(), rows)
            ]
            logits, value = reference.evaluate(steps)
            starts = prepared.legal.row_starts
            legal = prepared.legal.columns[starts[position]:starts[position + 1]].numpy()
            ours = predictions.logits[position, :len(legal)].numpy()
            # An input next to a half may be rounded the other way.
            np.testing.assert_allclose(ours, logits[legal], atol=0.01 * spread)
            self.assertAlmostEqual(predictions.values[position].item(), value, delta=0.01)

    def test_rounding_what_is_not_ternary_changes_little(self):
        model = self.model()
        prepared = batch([self.folder], [Window(0, 1, 0, 29)])
        with torch.no_grad():
            training = model(prepared).logits
            rounded = model.eval()(prepared).logits
        finite = training.isfinite()
        difference = (training - rounded)[finite]
        self.assertGreater(difference.abs().max().item(), 0)
        self.assertLess(difference.std() / training[finite].std(), 0.06)

    def test_probabilities_are_over_legal_moves(self):
        prepared = batch([self.folder], [Window(0, 1, 0, 20)])
        logits = self.model()(prepared).logits
        self.assertEqual((logits > -torch.inf).sum(dim=1).tolist(),
                         self.folder.positions["legal"][5:25].tolist())

    def test_a_batch_that_is_learnt_from_often_is_known(self):
        torch.manual_seed(1)
        model = Model(TINY)
        prepared = batch([self.folder], [Window(0, 1, 0, 29)])
        optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
        before = model(prepared)
        for _ in range(60):
            predictions = model(prepared)
            loss = predictions.policy_loss(prepared) + predictions.value_loss(prepared)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        after = model(prepared)
        self.assertGreater(before.policy_loss(prepared).item(), 1.2)
        self.assertLess(after.policy_loss(prepared).item(), 0.2)


class Runs(WithFolder):
    def run_for(
        self, out: str, steps: int, *more: str, games: tuple[str, ...] = ("games",)
    ) -> dict:
        line = [
            "train", *(str(self.path / name) for name in games),
            "--out", str(self.path / out), "--steps", "8",
            "--batch", "64", "--context", "32", "--blocks", "1", "--width", "32", "--heads", "2",
            "--key-heads", "1", "--head-size", "16", "--save-every", "3", "--log-every", "2",
            "--validate-every", "4", "--warm-up", "2", "--device", "cpu", *more,
        ]
        with (
            mock.patch.object(sys, "argv", line), mock.patch.object(train, "tqdm"),
            mock.patch("builtins.print") as self.printed,
        ):
            run = train.Run(train.arguments())
            run.options.steps = steps
            run.run()
        return checkpoint.load(run.checkpoint, torch.device("cpu"))

    def test_a_resumed_run_is_the_same_run(self):
        whole = self.run_for("whole", 8)
        # A run with 8 steps that is cut off after 3.
        with mock.patch.object(train, "rate", lambda step, _, *rest: rate(step, 8, *rest)):
            self.run_for("parts", 3)
        parts = self.run_for("parts", 8, "--resume")
        self.assertEqual(whole["step"], parts["step"])
        for name, tensor in whole["model"].items():
            torch.testing.assert_close(parts["model"][name], tensor, rtol=0, atol=0)
        self.assertTrue((self.path / "parts/log.png").exists())
        self.assertTrue((self.path / "parts/model.gguf").read_bytes().startswith(b"GGUF"))

    def refusal(self, *more: str, games: tuple[str, ...] = ("games",)) -> str:
        """What `--resume` with other options or games says instead of going on."""
        before = (self.path / "run/checkpoint.pt").read_bytes()
        with self.assertRaises(SystemExit) as raised:
            self.run_for("run", 4, "--resume", *more, games=games)
        self.assertEqual((self.path / "run/checkpoint.pt").read_bytes(), before)
        message = str(raised.exception)
        self.assertNotIn("\n", message)
        return message

    def test_a_resumed_run_keeps_its_options(self):
        self.run_for("run", 2)
        message = self.refusal("--batch", "32", "--value-weight", "0.5")
        self.assertIn("--batch 64, not 32; --value-weight 0.3, not 0.5", message)
        self.assertNotIn("--seed", message)
        self.assertNotIn("folder", message)
        for option, value in (
            ("--seed", "2"), ("--cut", "0.2"), ("--hidden-conditions", "0.2"),
            ("--low-rating", "1900"), ("--low-repeats", "3"), ("--rate", "0.01"),
            ("--warm-up", "3"), ("--weight-decay", "0"), ("--clip", "2"),
        ):
            self.assertRegex(self.refusal(option, value), f"{option} [^ ;]+, not {value}")

    def test_a_resumed_run_keeps_its_games(self):
        self.run_for("run", 2)
        write_folder(self.path / "more", [5, 6], 2)
        message = self.refusal(games=("games", "more"))
        self.assertIn("nothing as folder 2, not 2 games with 11 moves", message)
        # One result is another.
        changed = self.folder.games["result"][1:2]
        changed[:] = 1 if changed[0] != 1 else 0
        self.folder.games.tofile(self.path / "games" / "games")
        message = self.refusal()
        self.assertRegex(message, "240 games .* as folder 1, not 240 games")

    def test_a_resumed_run_may_end_in_another_way_and_place(self):
        self.run_for("run", 2)
        (self.path / "games").rename(self.path / "moved")
        more = ("--resume", "--decay", "0.5", "--floor", "0.1", "--log-every", "1")
        self.assertEqual(self.run_for("run", 4, *more, games=("moved",))["step"], 4)

    def test_a_checkpoint_without_a_record_is_resumed(self):
        state = self.run_for("run", 2)
        del state["record"]
        checkpoint.save(self.path / "run/checkpoint.pt", state)
        state = self.run_for("run", 4, "--resume", "--seed", "2")
        notes = [call.args[0] for call in self.printed.call_args_list]
        self.assertTrue(any("does not say which games" in note for note in notes))
        self.assertEqual((state["step"], state["record"]["options"]["seed"]), (4, 2))

    def test_a_run_stopped_before_its_last_model_gets_it(self):
        self.run_for("whole", 4)
        with mock.patch.object(checkpoint, "write_model", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.run_for("run", 4, "--save-every", "4")
        self.assertFalse((self.path / "run/model.gguf").exists())
        log = (self.path / "run/log.csv").read_bytes()
        self.assertEqual(self.run_for("run", 4, "--resume")["step"], 4)
        model = (self.path / "run/model.gguf").read_bytes()
        self.assertEqual(model, (self.path / "whole/model.gguf").read_bytes())
        self.assertEqual((self.path / "run/log.csv").read_bytes(), log)

    @unittest.skipUnless(resource, "no limits of the size of files")
    def test_a_file_that_cannot_be_written_leaves_the_one_before(self):
        state = self.run_for("run", 2)
        model = checkpoint.model_of(state, torch.device("cpu"))
        files = (self.path / "run/model.gguf", self.path / "run/checkpoint.pt")
        before = [file.read_bytes() for file in files]
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(signal.signal, signal.SIGXFSZ, signal.getsignal(signal.SIGXFSZ))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
        try:
            with self.assertRaises(OSError):
                checkpoint.write_model(files[0], model, {}, np.zeros(VOCABULARY, int))
            with self.assertRaises((OSError, RuntimeError)):
                checkpoint.save(files[1], state)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertEqual([file.read_bytes() for file in files], before)

    def assert_learnt_alike(self, one: dict, other: dict, tolerance: float):
        """Both runs went from the same start to places near each other."""
        torch.manual_seed(1)
        start = Model(Config(**one["config"])).state_dict()
        flat = lambda state: torch.cat([state[name].flatten() for name in start])
        one, other, start = flat(one["model"]), flat(other["model"]), flat(start)
        way, apart = (one - start).norm().item(), (one - other).norm().item()
        self.assertGreater(way, 0)
        self.assertLess(apart, tolerance * way)
        self.assertLess((one - other).abs().max().item(), 0.02)

    def test_a_run_with_16_bits_is_nearly_the_same(self):
        whole, half = self.run_for("whole", 8), self.run_for("half", 8, "--bf16")
        self.assert_learnt_alike(whole, half, 0.5)
        for tensor in half["model"].values():
            self.assertEqual(tensor.dtype, torch.float32)

    def test_a_resumed_run_keeps_its_kind_of_weights(self):
        self.run_for("run", 2)
        with self.assertRaises(SystemExit):
            self.run_for("run", 4, "--resume", "--float")

    def test_games_are_needed_to_validate_the_model(self):
        self.folder.games["checksum"] = 1
        self.folder.games.tofile(self.path / "games" / "games")
        with self.assertRaises(SystemExit):
            self.run_for("run", 2)

    @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
    def test_a_compiled_run_is_nearly_the_same(self):
        whole, compiled = self.run_for("whole", 8), self.run_for("compiled", 8, "--compile")
        self.assertEqual(whole["model"].keys(), compiled["model"].keys())
        self.assert_learnt_alike(whole, compiled, 0.1)

    def test_a_run_is_not_overwritten(self):
        self.run_for("run", 2)
        with self.assertRaises(SystemExit):
            self.run_for("run", 2)

    def test_the_table_of_an_evaluation_is_right(self):
        found = evaluate.Results(
            rank=np.array([0, 1, 2, 3, 0, 9]),
            loss=np.log([2.0, 4.0, 4.0, 8.0, 1.0, 1.0]),
            value=np.array([-0.8, -0.8, 0.1, 0.2, 0.9, 0.9]),
            result=np.array([-1.0, 0.0, 1.0, np.nan, 1.0, 1.0]),
            rating=np.array([900, 999, 1000, 0, 2100, 2100]),
            ply=np.array([0, 9, 10, 19, 20, 80]),
        )
        expected = '''| positions of | number | top-1 % | top-3 % | perplexity |
|---|---|---|---|---|
| all | 6 | 33.3 | 66.7 | 2.52 |
| all, after ply 10 | 4 | 25.0 | 50.0 | 2.38 |
| rated, after ply 10 | 3 | 33.3 | 66.7 | 1.59 |
| rating 1-999 | 2 | 50.0 | 100.0 | 2.83 |
| rating 1000-1199 | 1 | 0.0 | 100.0 | 4.00 |
| rating 1000-1199, after ply 10 | 1 | 0.0 | 100.0 | 4.00 |
| rating 2000-2199 | 2 | 50.0 | 50.0 | 1.00 |
| rating 2000-2199, after ply 10 | 2 | 50.0 | 50.0 | 1.00 |
| rating unknown | 1 | 0.0 | 0.0 | 8.00 |
| plies 0-9 | 2 | 50.0 | 100.0 | 2.83 |
| plies 10-19 | 2 | 0.0 | 50.0 | 5.66 |
| plies 20-39 | 1 | 100.0 | 100.0 | 1.00 |
| plies 80-999 | 1 | 0.0 | 0.0 | 1.00 |

| value | number | mean value | mean result |
|---|---|---|---|
| -1.00 to -0.75 | 2 | -0.800 | -0.500 |
| +0.00 to +0.25 | 1 | +0.100 | +1.000 |
| +0.75 to +1.00 | 2 | +0.900 | +1.000 |'''
        self.assertEqual("\n".join(evaluate.table(found)), expected)

    def test_validation_counts_first_choices_and_losses(self):
        torch.manual_seed(2)
        model = Model(TINY).eval()
        parts = [batch([self.folder], [Window(0, game, 0, moves)])
                 for game, moves in ((1, 20), (2, 12), (3, 29))]
        with torch.no_grad():
            made = [model(part) for part in parts]
        hits = sum((m.logits.argmax(1) == p.played).sum().item() for m, p in zip(made, parts))
        losses = torch.cat([
            -m.logits.log_softmax(1).gather(1, p.played[:, None]) for m, p in zip(made, parts)])
        errors = torch.cat([m.values - p.results for m, p in zip(made, parts)])
        found = train.validate(model, parts, torch.device("cpu"))
        self.assertAlmostEqual(found["top1"], hits / 61, places=6)
        self.assertAlmostEqual(found["validation_policy"], losses.mean().item(), places=4)
        self.assertAlmostEqual(
            found["validation_value"], errors[~errors.isnan()].square().mean().item(), places=4)

    def test_an_evaluated_model_is_that_of_the_file(self):
        state = self.run_for("run", 2)
        model = checkpoint.model_of(state, torch.device("cpu"))
        for table in (model.token_embd.weight, model.board_embd.weight):
            torch.testing.assert_close(table, table.half().float(), rtol=0, atol=0)
        # No game has a time control of the last class, and its row is not the one it began with.
        unknown, correspondence = (
            model.token_embd.weight[UNKNOWN_TIME_CONTROL + control] for control in (0, 5))
        torch.testing.assert_close(correspondence, unknown, rtol=0, atol=0)

    def test_wrong_options_and_files_are_named(self):
        def refusal(*more: str) -> str:
            with mock.patch("sys.stderr", io.StringIO()) as said:
                with self.assertRaises(SystemExit) as left:
                    self.run_for("refused", 2, *more)
            return f"{said.getvalue()} {left.exception}"

        for options, expected in (
            (("--width", "24"), "--width: a multiple of 16 from 16 to 8192 expected, found 24"),
            (("--heads", "3", "--key-heads", "2"), "--heads: a multiple of 2 key heads expected"),
            (("--context", "3"), "--context: from 8 to 4096 expected, found 3"),
            (("--save-every", "0"), "--save-every: 1 or more expected, found 0"),
        ):
            self.assertIn(expected, refusal(*options))
        with self.assertRaisesRegex(SystemExit, "a checkpoint of kaiyo_policy.train expected"):
            self.run_for("nothing", 2, "--resume")
        with self.assertRaisesRegex(SystemExit, "a folder of 'kaiyo-train data sequences' expected"):
            Folder(self.path / "nothing")
        legal = self.path / "games/legal"
        legal.write_bytes(legal.read_bytes()[:-2])
        with self.assertRaisesRegex(SystemExit, "is not complete"):
            Folder(self.path / "games")

    def test_a_run_is_resumed_in_any_epoch_and_its_log_goes_on(self):
        write_folder(self.path / "few", [29, 12, 8, 30], 3)
        few = Folder(self.path / "few")
        few.games["checksum"] = [1, 2, 3, 0]
        few.games.tofile(self.path / "few/games")
        steps = {"games": ("few",)}
        whole = self.run_for("whole", 8, **steps)
        self.assertGreater(whole["epoch"], 2)
        with mock.patch.object(train, "rate", lambda step, _, *rest: rate(step, 8, *rest)):
            self.run_for("parts", 3, **steps)
            self.run_for("parts", 6, "--resume", **steps)
        parts = self.run_for("parts", 8, "--resume", **steps)
        for name, tensor in whole["model"].items():
            torch.testing.assert_close(parts["model"][name], tensor, rtol=0, atol=0)
        # Where a sitting ends, the model is validated too.
        columns = ("step", "positions", "rate", "loss", "policy", "value", "gradient")
        first, second = (
            [{column: row[column] for column in columns} for row in train.Log(self.path / run).rows()]
            for run in ("whole", "parts"))
        self.assertEqual(first, second)

    def test_a_model_is_evaluated_by_rating_and_ply(self):
        self.run_for("run", 8)
        line = ["evaluate", str(self.path / "run/checkpoint.pt"), str(self.path / "games")]
        with mock.patch.object(sys, "argv", line), mock.patch("builtins.print") as printed:
            evaluate.main()
        text = "\n".join(str(call.args[0]) for call in printed.call_args_list)
        self.assertIn("all", text)
        self.assertIn("perplexity", text)
        held_out = self.folder.games["positions"][self.folder.held_out()].sum()
        self.assertIn(f" {held_out} ", text)


if __name__ == "__main__":
    unittest.main()
