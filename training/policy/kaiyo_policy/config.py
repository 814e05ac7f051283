"""Sizes of a model."""

from dataclasses import dataclass

VOCABULARY = 72 * 64
BOARD_FEATURES = 781
CONTROL_STEPS = 4
TOKEN_TABLE = 1
"""Version of the table of tokens and board features."""


@dataclass(frozen=True)
class Config:
    """Sizes of a model, as in the metadata of its file."""

    blocks: int
    context: int
    """Steps that the model attends to, control steps included."""
    width: int
    hidden: int
    heads: int
    key_heads: int
    head_size: int
    epsilon: float = 1e-5
    rope_base: float = 10000.0

    @property
    def query_width(self) -> int:
        return self.heads * self.head_size

    @property
    def key_width(self) -> int:
        return self.key_heads * self.head_size

    @property
    def window(self) -> int:
        """How many steps, itself included, a step attends to besides the control steps."""
        return self.context - CONTROL_STEPS

    def matrices(self) -> dict[str, tuple[int, int]]:
        """Name and (outputs, inputs) of every matrix."""
        shapes = {}
        for block in range(self.blocks):
            shapes |= {
                f"blk.{block}.attn_q": (self.query_width, self.width),
                f"blk.{block}.attn_k": (self.key_width, self.width),
                f"blk.{block}.attn_v": (self.key_width, self.width),
                f"blk.{block}.attn_output": (self.width, self.query_width),
                f"blk.{block}.ffn_gate": (self.hidden, self.width),
                f"blk.{block}.ffn_up": (self.hidden, self.width),
                f"blk.{block}.ffn_down": (self.width, self.hidden),
            }
        return shapes | {"output": (VOCABULARY, self.width)}

    def vectors(self) -> dict[str, int]:
        """Name and length of every float vector; norms before second projections included."""
        lengths = {}
        for block in range(self.blocks):
            lengths |= {
                f"blk.{block}.attn_norm.weight": self.width,
                f"blk.{block}.attn_sub_norm.weight": self.query_width,
                f"blk.{block}.attn_layer_scale.weight": self.width,
                f"blk.{block}.ffn_norm.weight": self.width,
                f"blk.{block}.ffn_sub_norm.weight": self.hidden,
                f"blk.{block}.ffn_layer_scale.weight": self.width,
            }
        return lengths | {
            "output_norm.weight": self.width,
            "value.weight": self.width,
            "value.bias": 1,
        }

    def embeddings(self) -> dict[str, tuple[int, int]]:
        """Name and (rows, width) of the embeddings."""
        return {
            "token_embd.weight": (VOCABULARY, self.width),
            "board_embd.weight": (BOARD_FEATURES, self.width),
        }
