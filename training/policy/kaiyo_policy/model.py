"""The model in PyTorch, as it is trained: ternary weights and integer inputs are rounded on the
way forward, and gradients pass by the rounding (straight-through estimator). Out of training, all
else that the engine rounds is rounded too.

Names of parameters are those of the tensors in model files, and `reference.py` is the definition.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .config import BOARD_FEATURES, VOCABULARY, Config
from .dataset import Batch
from .sparse import chosen_products, sum_of_rows


class Vector(nn.Module):
    """A parameter that multiplies element by element."""

    def __init__(self, width: int, value: float):
        super().__init__()
        self.weight = nn.Parameter(torch.full((width,), value))

    def forward(self, states: Tensor) -> Tensor:
        return states * self.weight


class Norm(Vector):
    """RMSNorm."""

    def __init__(self, width: int, epsilon: float):
        super().__init__(width, 1.0)
        self.epsilon = epsilon

    def forward(self, states: Tensor) -> Tensor:
        return F.rms_norm(states, self.weight.shape, self.weight, self.epsilon)


def rounded_weights(weights: Tensor) -> Tensor:
    """The nearest ternary weights, times the mean absolute value of their row."""
    scales = weights.abs().mean(dim=1, keepdim=True).clamp_min(1e-8)
    return (weights / scales).round_().clamp_(-1, 1).mul_(scales)


def rounded_inputs(inputs: Tensor) -> Tensor:
    """Vectors rounded to 127ths of their largest element."""
    factors = inputs.abs().amax(dim=-1, keepdim=True).clamp_min_(1e-8).div_(127)
    return (inputs / factors).round_().mul_(factors)


def int8_weights(weights: Tensor) -> Tensor:
    """The weights rounded to 127ths of the largest of their row."""
    return rounded_inputs(weights)


class _RoundedProduct(torch.autograd.Function):
    @staticmethod
    def forward(context, inputs: Tensor, weights: Tensor) -> Tensor:
        kind = inputs.device.type
        half = torch.is_autocast_enabled(kind)
        dtype = torch.get_autocast_dtype(kind) if half else inputs.dtype
        inputs, weights = inputs.to(dtype), rounded_weights(weights).to(dtype)
        context.save_for_backward(inputs, weights)
        return inputs @ weights.T

    @staticmethod
    def backward(context, gradient: Tensor):
        inputs, weights = context.saved_tensors
        of_weights = gradient.flatten(0, -2).T @ inputs.flatten(0, -2)
        return (gradient @ weights).float(), of_weights.float()


class _RoundedInputs(torch.autograd.Function):
    @staticmethod
    def forward(_context, inputs: Tensor) -> Tensor:
        return rounded_inputs(inputs)

    @staticmethod
    def backward(_context, gradient: Tensor):
        return gradient


class Linear(nn.Linear):
    """A matrix. One that is ternary in the forward pass gets inputs that have been rounded."""

    def __init__(self, inputs: int, outputs: int, ternary: bool):
        super().__init__(inputs, outputs, bias=False)
        self.ternary = ternary
        nn.init.normal_(self.weight, std=inputs**-0.5)

    def forward(self, inputs: Tensor) -> Tensor:
        if self.ternary:
            return _RoundedProduct.apply(inputs, self.weight)
        if not self.training:
            return rounded_inputs(inputs) @ int8_weights(self.weight).T
        return super().forward(inputs)


class Block(nn.Module):
    """Attention and the feed-forward part."""

    def __init__(self, config: Config, ternary: bool):
        super().__init__()
        self.config = config
        scale = 0.5 / config.blocks**0.5
        self.attn_norm = Norm(config.width, config.epsilon)
        self.attn_q = Linear(config.width, config.query_width, False)
        self.attn_k = Linear(config.width, config.key_width, False)
        self.attn_v = Linear(config.width, config.key_width, False)
        self.attn_sub_norm = Norm(config.query_width, config.epsilon)
        self.attn_output = Linear(config.query_width, config.width, False)
        self.attn_layer_scale = Vector(config.width, scale)
        self.ffn_norm = Norm(config.width, config.epsilon)
        self.ffn_gate = Linear(config.width, config.hidden, ternary)
        self.ffn_up = Linear(config.width, config.hidden, ternary)
        self.ffn_sub_norm = Norm(config.hidden, config.epsilon)
        self.ffn_down = Linear(config.hidden, config.width, ternary)
        self.ffn_layer_scale = Vector(config.width, scale)
        self.ternary = ternary

    def rounded(self, inputs: Tensor) -> Tensor:
        return _RoundedInputs.apply(inputs) if self.ternary else inputs

    def forward(self, states: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
        states = states + self.attn_layer_scale(self.attention(self.attn_norm(states), turns))
        inputs = self.rounded(self.ffn_norm(states))
        hidden = F.silu(self.ffn_gate(inputs)) * self.ffn_up(inputs)
        hidden = self.rounded(self.ffn_sub_norm(hidden))
        return states + self.ffn_layer_scale(self.ffn_down(hidden))

    def attention(self, inputs: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
        sequences, steps, _ = inputs.shape
        queries, keys, values = (
            matrix(inputs).view(sequences, steps, -1, self.config.head_size).transpose(1, 2)
            for matrix in (self.attn_q, self.attn_k, self.attn_v)
        )
        queries, keys = turned(queries, turns), turned(keys, turns)
        attended = F.scaled_dot_product_attention(
            queries, keys, values, is_causal=True, enable_gqa=True
        )
        attended = attended.transpose(1, 2).reshape(sequences, steps, -1)
        return self.attn_output(self.attn_sub_norm(attended))


def turned(heads: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions on [sequence, head, step, element]; pairs are half a head apart."""
    cosines, sines = turns
    swapped = torch.roll(heads, heads.shape[-1] // 2, dims=-1)
    return heads * cosines + swapped * sines


@dataclass(frozen=True)
class Predictions:
    """What a model says about the positions of a batch."""

    logits: Tensor
    """[positions, most legal moves]; minus infinity where there is no move."""
    values: Tensor
    """[positions]: expected result for the side to move, from -1 to 1."""

    def policy_loss(self, batch: Batch) -> Tensor:
        """Mean cross-entropy of the moves that were played, in nats."""
        return F.cross_entropy(self.logits, batch.played)

    def value_loss(self, batch: Batch) -> Tensor:
        """Mean squared error of the values where the result is known."""
        known = ~batch.results.isnan()
        errors = torch.where(known, self.values - batch.results.nan_to_num(), 0)
        return errors.square().sum() / known.sum().clamp_min(1)


class Model(nn.Module):
    """The whole model. Sequences are no longer than the context."""

    def __init__(self, config: Config, ternary: bool = True):
        super().__init__()
        self.config = config
        self.token_embd = nn.Embedding(VOCABULARY, config.width)
        self.board_embd = nn.Embedding(BOARD_FEATURES, config.width)
        nn.init.normal_(self.token_embd.weight, std=0.1)
        nn.init.normal_(self.board_embd.weight, std=0.1)
        self.blk = nn.ModuleList(Block(config, ternary) for _ in range(config.blocks))
        self.output_norm = Norm(config.width, config.epsilon)
        self.output = Linear(config.width, VOCABULARY, False)
        self.value = nn.Linear(config.width, 1)
        nn.init.normal_(self.output.weight, std=0.02)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)
        self.register_buffer("turns", _turns(config), persistent=False)

    def states(self, batch: Batch) -> Tensor:
        """The normed outputs of the last block for the positions: [positions, width]."""
        sequences, steps = batch.tokens.shape
        # Sparse products know no 16-bit numbers.
        with torch.autocast(batch.tokens.device.type, enabled=False):
            board = sum_of_rows(self.board_embd.weight, batch.board)
        states = self.token_embd(batch.tokens) + board.view(sequences, steps, -1)
        turns = (self.turns[0, :steps], self.turns[1, :steps])
        for block in self.blk:
            states = block(states, turns)
        return self.output_norm(states.flatten(0, 1)[batch.predicting])

    def forward(self, batch: Batch) -> Predictions:
        states = self.states(batch).float()
        with torch.autocast(states.device.type, enabled=False):
            chosen = chosen_products(*self.head_factors(states), batch.legal)
            values = torch.tanh(self.value(states)).squeeze(1)
        positions = len(batch.predicting)
        logits = states.new_full((positions * batch.most_legal,), -torch.inf)
        logits = logits.index_copy(0, batch.legal_places, chosen)
        return Predictions(logits.view(positions, -1), values)

    def head_factors(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """What the policy head multiplies: vectors and its matrix."""
        if self.training:
            return states, self.output.weight
        return rounded_inputs(states), int8_weights(self.output.weight)

    def parameters_for_file(self) -> dict:
        """NumPy arrays by the names of tensors in model files."""
        arrays = {name: value.cpu().numpy() for name, value in self.state_dict().items()}
        arrays["value.weight"] = arrays["value.weight"].reshape(-1)
        return arrays


def _turns(config: Config) -> Tensor:
    """Cosines and signed sines of rotary positions: [2, context, head size]."""
    half = config.head_size // 2
    frequencies = config.rope_base ** -(torch.arange(half, dtype=torch.float64) / half)
    angles = torch.arange(config.context, dtype=torch.float64)[:, None] * frequencies
    cosines, sines = angles.cos(), angles.sin()
    turns = torch.stack((torch.cat((cosines, cosines), 1), torch.cat((-sines, sines), 1)))
    return turns.float()
