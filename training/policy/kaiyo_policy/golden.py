"""Makes the files of the engine's golden test: a tiny random model and what it says.

`python3 -m kaiyo_policy.golden FOLDER` reads `steps.txt` there and writes `tiny.gguf` and
`expected.txt`, which has a line for each line of steps: the value, the logarithm of the sum of the
exponentials of all logits, and the logits of the legal moves.
"""

import sys
from pathlib import Path

import numpy as np

from .config import Config
from .export import export
from .reference import Reference, Step

TINY = Config(blocks=2, context=32, width=32, hidden=96, heads=4, key_heads=2, head_size=16)
"""With a context that short games exceed."""


SEED = 2
"""Rounding to integers jumps at halves: with a few seeds a value is so near to one that the last
bit of a float decides, and engine and reference differ by a unit there. With this one none is."""


def random_parameters(config: Config, seed: int) -> dict[str, np.ndarray]:
    """Float parameters of a size that lets every part of the model matter."""
    random = np.random.default_rng(seed)
    parameters = {}
    for name, shape in config.embeddings().items():
        parameters[name] = random.normal(0, 0.4 if name.startswith("token") else 0.15, shape)
    for name, (rows, columns) in config.matrices().items():
        parameters[f"{name}.weight"] = random.normal(0, 1 / np.sqrt(columns), (rows, columns))
    for name, length in config.vectors().items():
        middle, spread = (1, 0.2) if "norm" in name else (0.3, 0.1)
        parameters[name] = random.normal(middle, spread, length)
    # The engine accepts models with and without this part.
    del parameters["blk.1.attn_sub_norm.weight"]
    return {name: values.astype(np.float32) for name, values in parameters.items()}


def model_file() -> bytes:
    """The tiny model."""
    description = {"name": "tiny random model of the golden test"}
    return export(TINY, random_parameters(TINY, SEED), description)


def expected(lines: list[str]) -> list[list[float]]:
    """For each line of steps the value, the logarithm of the sum, and the logits."""
    reference = Reference(TINY, random_parameters(TINY, SEED))
    numbers = []
    for line in lines:
        sequence, legal = line.split("|")
        logits, value = reference.evaluate([Step.parse(text) for text in sequence.split()])
        total = np.log(np.exp(logits.astype(np.float64)).sum())
        numbers.append([value, total, *logits[[int(token) for token in legal.split()]]])
    return numbers


def main() -> None:
    folder = Path(sys.argv[1])
    (folder / "tiny.gguf").write_bytes(model_file())
    rows = expected((folder / "steps.txt").read_text().splitlines())
    lines = [" ".join(f"{number:.6f}" for number in row) for row in rows]
    (folder / "expected.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
