"""Poses: the matrices of a model's nodes at any time, with the game's bits."""

from __future__ import annotations

import enum
from typing import Any, Iterable, NamedTuple, Optional, Tuple

from .readings import AnyReadings, Readings

# float32 of the named shape: a NumPy array where NumPy is installed, else a memoryview
Array = Any


class Build(enum.IntEnum):
    """The variants of the original's code."""

    GENERIC = 0
    FXCH = 1
    SSE = 2


class Estimates(enum.IntEnum):
    """Whose rcpss and rsqrtss."""

    OF_THIS = 0
    INTEL = 1
    AMD = 2


class Arithmetic:
    """How bits come about. The default is the game's, in the build that gives the same bits on
    every processor."""

    build: Build
    control_word: int  # of the x87; 0 is the game's
    estimates: Estimates
    readings: Readings

    def __init__(
        self,
        readings: AnyReadings = None,
        build: Build = Build.GENERIC,
        control_word: int = 0,
        estimates: Estimates = Estimates.OF_THIS,
    ) -> None:
        raise NotImplementedError


class Pose(NamedTuple):
    """Matrices of all nodes, row-major, for column vectors: [node][row][column], and the
    translation in column 3. Of many poses at once the first index is the pose."""

    model: Array  # in the space of the model
    local: Array  # in the space of the node's parent


class Clip:
    """A model prepared for posing many times: the same bits as Model.pose in less time. Made by
    Model.clip(); the model may change afterwards without changing the clip."""

    def pose(
        self,
        t_a: float,
        t_b: Optional[float] = None,
        weight: float = 0.0,
        zero_root: bool = False,
    ) -> Pose:
        raise NotImplementedError

    def poses(
        self, times: Iterable[Tuple[float, float, float]], zero_root: bool = False
    ) -> Pose:
        """Poses for many (t_a, t_b, weight) at once: arrays of (times, nodes, 4, 4)."""
        raise NotImplementedError

    @property
    def bytes(self) -> int:
        """Memory that the clip takes, apart from the model's streams."""
        raise NotImplementedError
