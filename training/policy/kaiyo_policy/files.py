"""Files of which there is a whole one at any moment."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO


def replace(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Puts a file in its place when all of it is written."""
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("wb") as file:
        write(file)
        file.flush()
        # A name may reach the disk before what it names, and then outlive it.
        os.fsync(file.fileno())
    os.replace(partial, path)
