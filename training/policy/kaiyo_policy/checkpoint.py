"""Checkpoints of a training run, and model files from them."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from .config import Config
from .export import export
from .files import replace
from .model import Model
from .seldom import with_seldom_filled


def save(path: Path, state: dict[str, Any]) -> None:
    """Writes a checkpoint; one that is there stays whole until the new one is."""
    replace(path, lambda file: torch.save(state, file))


def load(path: Path, device: torch.device) -> dict[str, Any]:
    """Reads a checkpoint."""
    try:
        return torch.load(path, map_location=device, weights_only=True)
    except OSError as error:
        raise SystemExit(f"a checkpoint of kaiyo_policy.train expected: {error}")


def model_of(state: dict[str, Any], device: torch.device) -> Model:
    """The model of a checkpoint, with the embeddings of the file that the engine gets."""
    model = Model(Config(**state["config"]), state["ternary"]).to(device)
    model.load_state_dict(state["model"])
    embedding = model.token_embd.weight
    # Checkpoints of earlier versions do not say what their games have shown.
    if (counts := state.get("token_counts")) is not None:
        filled = with_seldom_filled(embedding.detach().cpu().numpy(), counts.cpu().numpy())
        embedding.data.copy_(torch.from_numpy(filled))
    for table in (model.token_embd, model.board_embd):
        table.weight.data.copy_(table.weight.half().float())
    return model


def write_model(
    path: Path, model: Model, description: dict[str, str], token_counts: np.ndarray
) -> int:
    """Writes the engine's file of a model, in place of one that is there as `save` does; returns
    its size in bytes. `token_counts` tells which ratings and
    time controls the games have shown it."""
    if not model.blk[0].ternary:
        raise ValueError("a model with ternary weights expected, found one with floats")
    parameters = model.parameters_for_file()
    embedding = "token_embd.weight"
    parameters[embedding] = with_seldom_filled(parameters[embedding], token_counts)
    data = export(model.config, parameters, description)
    replace(path, lambda file: file.write(data))
    return len(data)
