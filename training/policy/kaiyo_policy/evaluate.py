"""How well a model predicts games that it was not trained on:
`python3 -m kaiyo_policy.evaluate CHECKPOINT GAMES...`.

For all held-out positions, and by rating of the mover, by move of the game and by how sure the
model is of the result: the share of moves that were its first choice (top-1) and among its first
three (top-3), the perplexity of the move, and what values it gave beside the results.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from . import checkpoint
from .dataset import Folder, batch
from .model import Model
from .plan import Plan, validation

BANDS = (1, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800, 4000)
"""Bounds of rating bands."""
PLIES = (0, 10, 20, 40, 80, 1000)
"""Bounds of phases of a game, in plies."""
VALUES = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.001)
POSITIONS = 4096
"""Of a batch."""


@dataclass(frozen=True)
class Results:
    """What the model said about each position: arrays of equal length."""

    rank: np.ndarray
    """How many moves it likes better than the one that was played."""
    loss: np.ndarray
    """Minus the logarithm of the probability of the move."""
    value: np.ndarray
    result: np.ndarray
    rating: np.ndarray
    ply: np.ndarray


@torch.no_grad()
def results(model: Model, folder: Folder, positions: int, device: torch.device) -> Results:
    """The results for about so many held-out positions of a folder."""
    plan = Plan(
        folders=[folder], context=model.config.context, positions=POSITIONS, seed=0, cut=0.0,
        hidden=0.0, low_rating=0, low_repeats=1,
    )
    columns: list[list[np.ndarray]] = [[] for _ in range(6)]
    model.eval()
    for windows in validation(folder, 0, plan, positions):
        prepared = batch([folder], windows).to(device)
        predictions = model(prepared)
        logits, played = predictions.logits, prepared.played[:, None]
        of_played = logits.gather(1, played)
        parts = (
            (logits > of_played).sum(dim=1),
            -torch.log_softmax(logits, dim=1).gather(1, played).squeeze(1),
            predictions.values, prepared.results, prepared.ratings, prepared.plies,
        )
        for column, part in zip(columns, parts):
            column.append(part.cpu().numpy())
    if not columns[0]:
        raise SystemExit(f"{folder.path}: too few games: none is held out")
    return Results(*(np.concatenate(column) for column in columns))


def rows(found: Results) -> Iterator[tuple[str, np.ndarray]]:
    """Names of groups of positions, and where they are."""
    yield "all", np.ones(len(found.rank), bool)
    yield "all, after ply 10", found.ply >= 10
    yield "rated, after ply 10", (found.rating > 0) & (found.ply >= 10)
    for low, high in zip(BANDS, BANDS[1:]):
        band = (found.rating >= low) & (found.rating < high)
        yield f"rating {low}-{high - 1}", band
        yield f"rating {low}-{high - 1}, after ply 10", band & (found.ply >= 10)
    yield "rating unknown", found.rating == 0
    for low, high in zip(PLIES, PLIES[1:]):
        yield f"plies {low}-{high - 1}", (found.ply >= low) & (found.ply < high)


def table(found: Results) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield "| positions of | number | top-1 % | top-3 % | perplexity |"
    yield "|---|---|---|---|---|"
    for name, chosen in rows(found):
        if not chosen.any():
            continue
        rank, loss = found.rank[chosen], found.loss[chosen]
        yield (f"| {name} | {chosen.sum()} | {100 * (rank < 1).mean():.1f} "
               f"| {100 * (rank < 3).mean():.1f} | {np.exp(loss.mean()):.2f} |")
    yield ""
    yield "| value | number | mean value | mean result |"
    yield "|---|---|---|---|"
    known = ~np.isnan(found.result)
    for low, high in zip(VALUES, VALUES[1:]):
        chosen = known & (found.value >= low) & (found.value < high)
        if chosen.any():
            yield (f"| {low:+.2f} to {high:+.2f} | {chosen.sum()} | {found.value[chosen].mean():+.3f} "
                   f"| {found.result[chosen].mean():+.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--positions", type=int, default=400_000, help="of each folder, about")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    device = torch.device(options.device)
    model = checkpoint.model_of(checkpoint.load(options.checkpoint, device), device)
    for path in options.games:
        found = results(model, Folder(path), options.positions, device)
        print(f"\n{path.name}\n")
        for line in table(found):
            print(line)


if __name__ == "__main__":
    main()
