"""Matrices and vectors of small integers."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Matrix:
    """A matrix of integers with a scale a row."""

    weights: np.ndarray
    """int8 [outputs, inputs]."""
    scales: np.ndarray
    """float32 [outputs]."""
    ternary: bool
    """Whether all weights are -1, 0 or 1, and are stored in two bits."""


def ternary(weights: np.ndarray) -> Matrix:
    """The nearest ternary matrix with the mean absolute value of a row as its scale (BitNet
    b1.58, Ma et al. 2024, with a scale a row)."""
    scales = np.maximum(np.abs(weights).mean(axis=1), 1e-8).astype(np.float32)
    integers = np.clip(np.rint(weights / scales[:, None]), -1, 1).astype(np.int8)
    return Matrix(integers, scales, True)


def int8(weights: np.ndarray) -> Matrix:
    """The nearest matrix of integers from -127 to 127."""
    scales = (np.maximum(np.abs(weights).max(axis=1), 1e-8) / 127).astype(np.float32)
    return Matrix(np.rint(weights / scales[:, None]).astype(np.int8), scales, False)


def pack(matrix: Matrix) -> np.ndarray:
    """The rows as they are stored: bytes, or for a ternary row the bits of ones and then those
    of minus ones, least significant bit first."""
    if not matrix.ternary:
        return matrix.weights
    masks = [np.packbits(matrix.weights == sign, axis=1, bitorder="little") for sign in (1, -1)]
    return np.concatenate(masks, axis=1).view(np.int8)


def inputs(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """float32 vectors as integers from -127 to 127, with the factors that give back what they
    were."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True).astype(np.float32)
    safe = np.where(largest > 0, largest, np.float32(1))
    integers = np.rint(vectors * (np.float32(127) / safe)).astype(np.int32)
    return integers, largest / np.float32(127)


def product(matrix: Matrix, vectors: np.ndarray) -> np.ndarray:
    """The matrix with each of the vectors, which are quantised; sums are exact."""
    integers, factors = inputs(vectors)
    sums = integers @ matrix.weights.astype(np.int32).T
    return sums.astype(np.float32) * (factors * matrix.scales)
