"""Model files from float parameters."""

from collections.abc import Mapping

import numpy as np

from . import gguf, quantise
from .config import TOKEN_TABLE, VOCABULARY, Config
from .quantise import Matrix

ARCHITECTURE = "kaiyo-policy"


def is_ternary(name: str) -> bool:
    """Matrices of the feed-forward part are ternary, the others int8."""
    return ".ffn_" in name


def quantised(config: Config, parameters: Mapping[str, np.ndarray]) -> dict[str, Matrix]:
    """The matrices among the parameters as the engine uses them."""
    return {
        name: (quantise.ternary if is_ternary(name) else quantise.int8)(
            parameters[f"{name}.weight"]
        )
        for name in config.matrices()
    }


def export(
    config: Config, parameters: Mapping[str, np.ndarray], description: Mapping[str, str]
) -> bytes:
    """The file of a model; `description` is added to the general metadata (`name`, ...)."""
    tensors = {}
    for name in config.embeddings():
        tensors[name] = parameters[name].astype(np.float16)
    for name in config.vectors():
        if name in parameters:
            tensors[name] = parameters[name].astype(np.float32)
    for name, matrix in quantised(config, parameters).items():
        tensors[f"{name}.weight"] = quantise.pack(matrix)
        tensors[f"{name}.scale"] = matrix.scales
    sizes = {
        "token_table": TOKEN_TABLE,
        "vocab_size": VOCABULARY,
        "block_count": config.blocks,
        "context_length": config.context,
        "embedding_length": config.width,
        "feed_forward_length": config.hidden,
        "attention.head_count": config.heads,
        "attention.head_count_kv": config.key_heads,
        "attention.key_length": config.head_size,
        "attention.layer_norm_rms_epsilon": config.epsilon,
        "rope.freq_base": config.rope_base,
    }
    metadata = {"general.architecture": ARCHITECTURE}
    metadata |= {f"general.{key}": text for key, text in description.items()}
    metadata |= {f"{ARCHITECTURE}.{key}": size for key, size in sizes.items()}
    return gguf.encode(metadata, tensors)
