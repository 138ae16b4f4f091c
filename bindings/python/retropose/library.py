"""Finding and loading libretropose."""

from __future__ import annotations

import os
from typing import Optional, Union


def load(path: Union[str, "os.PathLike[str]", None] = None) -> None:
    """Loads the C library. It need not be called: the first use of anything does. The library is
    taken from `path`; else from the environment's RETROPOSE_LIBRARY; else from this package's own
    folder, where a wheel has it; else from where the system finds libretropose.so.1
    (retropose-1.dll). RetroposeError says where it was looked for, or that it is not version 1.
    Once a library is loaded, another path is refused."""
    raise NotImplementedError


def library_path() -> str:
    """The library in use, as it was given to the system's loader."""
    raise NotImplementedError


def version() -> str:
    """The version of the library in use, such as "1.0.0"."""
    raise NotImplementedError
