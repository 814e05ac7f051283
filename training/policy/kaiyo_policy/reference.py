"""The forward pass in NumPy, as the engine computes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .config import CONTROL_STEPS, Config
from .export import quantised
from .quantise import product


@dataclass(frozen=True)
class Step:
    """One input: a token, and the rows of the board table after it."""

    token: int
    board: Sequence[int]

    @staticmethod
    def parse(text: str) -> "Step":
        """Reads `token` or `token:row,row,...`."""
        token, _, rows = text.partition(":")
        return Step(int(token), [int(row) for row in rows.split(",") if row])


class Reference:
    """A model with the matrices that its file will have."""

    def __init__(self, config: Config, parameters: Mapping[str, np.ndarray]):
        self.config = config
        self.matrices = quantised(config, parameters)
        self.vectors = {
            name: parameters[name].astype(np.float32)
            for name in config.vectors()
            if name in parameters
        }
        self.embeddings = {
            name: parameters[name].astype(np.float16).astype(np.float32)
            for name in config.embeddings()
        }

    def evaluate(self, steps: Sequence[Step]) -> tuple[np.ndarray, float]:
        """The logits of all tokens and the value at the last step."""
        tokens, board = self.embeddings.values()
        states = np.stack(
            [tokens[step.token] + board[list(step.board)].sum(axis=0) for step in steps]
        ).astype(np.float32)
        for block in range(self.config.blocks):
            states = states + self.attention(f"blk.{block}.", states)
            states = states + self.feed_forward(f"blk.{block}.", states)
        last = self.norm(states[-1:], "output_norm.weight")
        logits = product(self.matrices["output"], last)[0]
        value = np.tanh(last[0] @ self.vectors["value.weight"] + self.vectors["value.bias"][0])
        return logits, float(value)

    def norm(self, states: np.ndarray, name: str) -> np.ndarray:
        """RMSNorm; a norm that the model does not have changes nothing."""
        if name not in self.vectors:
            return states
        mean = np.square(states).mean(axis=-1, keepdims=True, dtype=np.float32)
        return states / np.sqrt(mean + np.float32(self.config.epsilon)) * self.vectors[name]

    def feed_forward(self, block: str, states: np.ndarray) -> np.ndarray:
        states = self.norm(states, block + "ffn_norm.weight")
        gate = product(self.matrices[block + "ffn_gate"], states)
        up = product(self.matrices[block + "ffn_up"], states)
        hidden = gate / (1 + np.exp(-gate)) * up
        hidden = self.norm(hidden, block + "ffn_sub_norm.weight")
        output = product(self.matrices[block + "ffn_down"], hidden)
        return output * self.vectors[block + "ffn_layer_scale.weight"]

    def attention(self, block: str, states: np.ndarray) -> np.ndarray:
        config = self.config
        states = self.norm(states, block + "attn_norm.weight")
        queries, keys, values = (
            product(self.matrices[block + name], states).reshape(len(states), -1, config.head_size)
            for name in ("attn_q", "attn_k", "attn_v")
        )
        positions = np.arange(len(states))
        # A control step is never further away than in training.
        near = self.turned(queries, positions)
        control = self.turned(queries, np.minimum(positions, config.context - 1))
        keys = self.turned(keys, positions)
        # Several query heads for one key head.
        keys, values = (
            heads.repeat(config.heads // config.key_heads, axis=1) for heads in (keys, values)
        )
        scores = np.einsum("qhe,khe->hqk", near, keys)
        scores[:, :, :CONTROL_STEPS] = np.einsum("qhe,khe->hqk", control, keys[:CONTROL_STEPS])
        distance = positions[:, None] - positions[None, :]
        visible = (distance < config.window) | (positions[None, :] < CONTROL_STEPS)
        scores = np.where(visible & (distance >= 0), scores / np.sqrt(config.head_size), -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)
        attended = np.einsum("hqk,khe->qhe", weights, values).reshape(len(states), -1)
        attended = self.norm(attended, block + "attn_sub_norm.weight")
        output = product(self.matrices[block + "attn_output"], attended)
        return output * self.vectors[block + "attn_layer_scale.weight"]

    def turned(self, heads: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Rotary positions (Su et al. 2021) on [step, head, element]; pairs are half a head
        apart."""
        half = self.config.head_size // 2
        frequencies = self.config.rope_base ** -(np.arange(half) / half)
        angles = (positions[:, None] * frequencies)[:, None, :]
        cosines, sines = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        first, second = heads[..., :half], heads[..., half:]
        return np.concatenate(
            (first * cosines - second * sines, second * cosines + first * sines), axis=-1
        )
