"""Poses: the matrices of a model's nodes at any time, with the game's bits."""

from __future__ import annotations

import ctypes
import enum
import math
import weakref
from typing import Any, Iterable, List, NamedTuple, Optional, Tuple

from . import _abi
from .errors import RetroposeError, Status
from .library import Array, array, attempt, call, room, whole
from .readings import AnyReadings, Readings


class Build(enum.IntEnum):
    """The variants of the original's code."""

    GENERIC = _abi.RP_BUILD_GENERIC
    FXCH = _abi.RP_BUILD_FXCH
    SSE = _abi.RP_BUILD_SSE


class Estimates(enum.IntEnum):
    """Whose rcpss and rsqrtss."""

    OF_THIS = _abi.RP_ESTIMATES_OF_THIS
    INTEL = _abi.RP_ESTIMATES_INTEL
    AMD = _abi.RP_ESTIMATES_AMD


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
        self.readings = Readings(readings)
        self.build, self.estimates = Build(build), Estimates(estimates)
        self.control_word = whole(control_word, "the control word", 0xFFFF)

    @property
    def raw(self) -> Any:
        """A new RpArithmetic."""
        return _abi.RpArithmetic(
            self.build, self.control_word, self.estimates, self.readings.raw
        )


class Pose(NamedTuple):
    """Matrices of all nodes, row-major, for column vectors: [node][row][column], and the
    translation in column 3. Of many poses at once the first index is the pose."""

    model: Array  # in the space of the model
    local: Array  # in the space of the node's parent


Times = Iterable[Tuple[float, float, float]]


def one(t_a: float, t_b: Optional[float], weight: float) -> Times:
    """The times of a single pose. Without a second time nothing is blended."""
    if t_b is None:
        if weight:
            raise RetroposeError(
                Status.INVALID, "a blend needs a second time", expected="t_b", found="none"
            )
        return [(t_a, -1.0, 0.0)]
    return [(t_a, t_b, weight)]


def table(times: Times) -> Any:
    """An array of RpPoseTimes. A time that is no number is refused."""
    rows: List[Tuple[float, float, float]] = [(float(a), float(b), float(w)) for a, b, w in times]
    for row in rows:
        if not all(map(math.isfinite, row)):
            raise RetroposeError(
                Status.INVALID, "a time or a weight is no number", found=str(row)
            )
    kind: Any = _abi.RpPoseTimes * max(len(rows), 1)
    return kind(*rows), len(rows)


def result(memory: Any, count: int, nodes: int, many: bool) -> Array:
    return array(memory, "f", (count, nodes, 4, 4) if many else (nodes, 4, 4))


def skeleton_nodes(skeleton: Any) -> int:
    return int(call("RpSkeleton_NodeCount", skeleton))


def pose_skeleton(
    skeleton: Any, arithmetic: Arithmetic, times: Times, zero_root: bool, many: bool
) -> Pose:
    nodes = skeleton_nodes(skeleton)
    rows, count = table(times)
    local, model = room(64 * nodes * count), room(64 * nodes * count)
    attempt(
        "RpPose_Skeletons",
        skeleton,
        arithmetic.raw,
        count,
        rows,
        zero_root,
        local,
        model,
        None,
    )
    return Pose(result(model, count, nodes, many), result(local, count, nodes, many))


def _free(clip: Any) -> None:
    call("RpClip_Free", clip)


class Clip:
    """A model prepared for posing many times: the same bits as Model.pose in less time. Made by
    Model.clip(); the model may change afterwards without changing the clip."""

    def __init__(self, skeleton: Any, arithmetic: Arithmetic) -> None:
        # copies, because the clip goes on reading them
        self._skeleton = _abi.RpSkeleton.from_buffer_copy(skeleton)
        self._streams = []
        sizes = (
            ("nodes", skeleton.node_bytes),
            ("keys", skeleton.key_bytes),
            ("frame_map", skeleton.frame_map_bytes),
        )
        for name, size in sizes:
            at = getattr(skeleton, name)
            stream = ctypes.create_string_buffer(
                ctypes.string_at(at, size) if at and size else b"", max(size, 1)
            )
            self._streams.append(stream)
            setattr(self._skeleton, name, ctypes.addressof(stream))
        self._arithmetic = arithmetic
        self._nodes = skeleton_nodes(self._skeleton)
        self._clip = ctypes.c_void_p()
        attempt(
            "RpClip_Prepare", self._skeleton, arithmetic.raw, None, ctypes.byref(self._clip)
        )
        weakref.finalize(self, _free, self._clip)

    def pose(
        self,
        t_a: float,
        t_b: Optional[float] = None,
        weight: float = 0.0,
        zero_root: bool = False,
    ) -> Pose:
        return self._pose(one(t_a, t_b, weight), zero_root, False)

    def poses(
        self, times: Iterable[Tuple[float, float, float]], zero_root: bool = False
    ) -> Pose:
        """Poses for many (t_a, t_b, weight) at once: arrays of (times, nodes, 4, 4)."""
        return self._pose(times, zero_root, True)

    def _pose(self, times: Times, zero_root: bool, many: bool) -> Pose:
        rows, count = table(times)
        size = 64 * self._nodes * count
        local, model = room(size), room(size)
        call(
            "RpClip_Pose",
            self._clip,
            self._arithmetic.raw,
            count,
            rows,
            zero_root,
            local,
            model,
            None,
        )
        return Pose(
            result(model, count, self._nodes, many), result(local, count, self._nodes, many)
        )

    @property
    def bytes(self) -> int:
        """Memory that the clip takes, apart from the model's streams."""
        return int(call("RpClip_Bytes", self._clip))
