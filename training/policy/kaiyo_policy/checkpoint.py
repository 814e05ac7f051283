"""Checkpoints of a training run, and model files from them."""

import os
from pathlib import Path
from typing import Any

import torch

from .config import Config
from .export import export
from .model import Model


def save(path: Path, state: dict[str, Any]) -> None:
    """Writes a checkpoint; one that is there stays whole until the new one is."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)


def load(path: Path, device: torch.device) -> dict[str, Any]:
    """Reads a checkpoint."""
    return torch.load(path, map_location=device, weights_only=True)


def model_of(state: dict[str, Any], device: torch.device) -> Model:
    """The model of a checkpoint."""
    model = Model(Config(**state["config"]), state["ternary"]).to(device)
    model.load_state_dict(state["model"])
    return model


def write_model(path: Path, model: Model, description: dict[str, str]) -> int:
    """Writes the engine's file of a model; returns its size in bytes."""
    if not model.blk[0].ternary:
        raise ValueError("a model with ternary weights expected, found one with floats")
    data = export(model.config, model.parameters_for_file(), description)
    path.write_bytes(data)
    return len(data)

