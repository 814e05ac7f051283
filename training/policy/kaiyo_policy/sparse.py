"""Products with sparse matrices of a batch.

A position has some thirty men and as many legal moves out of thousands of rows, so that sparse
products take a few per cent of the time of dense ones.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True)
class Pattern:
    """Where a sparse [rows, columns] matrix has elements, by rows and by columns."""

    shape: tuple[int, int]
    row_starts: Tensor
    """[rows + 1]: first element of each row."""
    columns: Tensor
    """[elements]: column of each element, ascending in a row."""
    column_starts: Tensor
    """[columns + 1]: first element of each column in `order`."""
    rows: Tensor
    """[elements]: row of each element in `order`."""
    order: Tensor
    """[elements]: the elements sorted by column, then row."""

    @staticmethod
    def of_rows(counts: np.ndarray, columns: np.ndarray, width: int) -> "Pattern":
        """From the number of elements of each row, and their columns."""
        starts = np.concatenate(([0], np.cumsum(counts)))
        order = np.argsort(columns, kind="stable")
        rows = np.repeat(np.arange(len(counts)), counts)[order]
        column_starts = np.concatenate(([0], np.cumsum(np.bincount(columns, minlength=width))))
        arrays = (starts, columns, column_starts, rows, order)
        tensors = (torch.from_numpy(array.astype(np.int64)) for array in arrays)
        return Pattern((len(counts), width), *tensors)

    def to(self, device: torch.device) -> "Pattern":
        tensors = (self.row_starts, self.columns, self.column_starts, self.rows, self.order)
        return Pattern(self.shape, *(tensor.to(device, non_blocking=True) for tensor in tensors))

    def matrix(self, values: Tensor) -> Tensor:
        """The matrix with these values of its elements."""
        return torch.sparse_csr_tensor(self.row_starts, self.columns, values, self.shape)

    def transposed(self, values: Tensor) -> Tensor:
        """The transposed matrix with these values of its elements, in the order of `columns`."""
        shape = self.shape[::-1]
        return torch.sparse_csr_tensor(self.column_starts, self.rows, values[self.order], shape)


class _SumOfRows(torch.autograd.Function):
    @staticmethod
    def forward(context, table: Tensor, pattern: Pattern) -> Tensor:
        context.pattern = pattern
        return pattern.matrix(table.new_ones(len(pattern.columns))) @ table

    @staticmethod
    def backward(context, gradient: Tensor):
        pattern = context.pattern
        ones = gradient.new_ones(len(pattern.columns))
        return pattern.transposed(ones) @ gradient.contiguous(), None


class _ChosenProducts(torch.autograd.Function):
    @staticmethod
    def forward(context, vectors: Tensor, table: Tensor, pattern: Pattern) -> Tensor:
        context.save_for_backward(vectors, table)
        context.pattern = pattern
        zeros = pattern.matrix(vectors.new_zeros(len(pattern.columns)))
        return torch.sparse.sampled_addmm(zeros, vectors, table.T, beta=0.0).values()

    @staticmethod
    def backward(context, gradient: Tensor):
        vectors, table = context.saved_tensors
        pattern = context.pattern
        return pattern.matrix(gradient) @ table, pattern.transposed(gradient) @ vectors, None


def sum_of_rows(table: Tensor, pattern: Pattern) -> Tensor:
    """For each row of the pattern the sum of the table's rows that it has elements for:
    [columns, width] to [rows, width]."""
    return _SumOfRows.apply(table, pattern)


def chosen_products(vectors: Tensor, table: Tensor, pattern: Pattern) -> Tensor:
    """For each element of the pattern the product of a vector and a row of the table: [rows,
    width] and [columns, width] to [elements]."""
    return _ChosenProducts.apply(vectors, table, pattern)
