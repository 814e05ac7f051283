"""Writing GGUF version 3 (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md)."""

import struct
from collections.abc import Mapping

import numpy as np

ALIGNMENT = 64
TYPES = {np.dtype(np.float32): 0, np.dtype(np.float16): 1, np.dtype(np.int8): 24}
"""Codes of GGML."""


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: bool | int | float | str) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + _text(value)
    raise TypeError(f"metadata of type bool, int, float or str expected, found {type(value)}")


def encode(
    metadata: Mapping[str, bool | int | float | str], tensors: Mapping[str, np.ndarray]
) -> bytes:
    """A file with these metadata and tensors, each in C order."""
    metadata = dict(metadata) | {"general.alignment": ALIGNMENT}
    out = bytearray(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
    for key, value in metadata.items():
        out += _text(key) + _value(value)
    offset = 0
    for name, tensor in tensors.items():
        sizes = tensor.shape[::-1]
        out += _text(name) + struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)
        out += struct.pack("<IQ", TYPES[tensor.dtype], offset)
        offset += -(-tensor.nbytes // ALIGNMENT) * ALIGNMENT
    for tensor in tensors.values():
        out += bytes(-len(out) % ALIGNMENT)
        out += tensor.astype(tensor.dtype.newbyteorder("<")).tobytes()
    return bytes(out)
