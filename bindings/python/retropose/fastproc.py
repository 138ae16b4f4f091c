"""The mathematics of Ngi32.dll that poses are made with, with the game's bits.

Quaternions are w, x, y, z. Matrices are 16 floats, row-major, for column vectors, with the
translation in elements 3, 7 and 11; whatever has 16 numbers is taken. Numbers are rounded to
binary32. `arithmetic` chooses the build, the control word and the readings."""

from __future__ import annotations

import ctypes
import math
import struct
from typing import Any, Optional, Tuple

from .library import Array, array, call, numbers, room, whole
from .pose import Arithmetic
from .trace import TraceSkeleton

Floats = Tuple[float, ...]


def _raw(arithmetic: Optional[Arithmetic]) -> Any:
    return None if arithmetic is None else arithmetic.raw


def _do(name: str, arithmetic: Optional[Arithmetic], count: int, *inputs: Any) -> Floats:
    """Calls a function that writes `count` floats."""
    result = (ctypes.c_float * count)()
    call(name, _raw(arithmetic), *inputs, result)
    return tuple(result)


def interpolate(q0: Any, q1: Any, t: float, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slots 17 and 22: between two rotations, spherically."""
    ends = numbers(q0, "f", 4, "q0"), numbers(q1, "f", 4, "q1")
    return _do("RpQuaternion_Interpolate", arithmetic, 4, *ends, t)


def interpolate_many(q0: Any, q1: Any, t: Any, arithmetic: Optional[Arithmetic] = None) -> Array:
    """The same for many pairs at once: (n, 4), (n, 4) and (n,) give (n, 4)."""
    count = len(t)
    times = numbers(t, "f", count, "t")
    ends = numbers(q0, "f", 4 * count, "q0"), numbers(q1, "f", 4 * count, "q1")
    memory = room(16 * count)
    call("RpQuaternion_InterpolateMany", _raw(arithmetic), count, *ends, times, memory)
    return array(memory, "f", (count, 4))


def quaternion_to_matrix(quaternion: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 14: the transpose of the usual matrix for column vectors."""
    given = numbers(quaternion, "f", 4, "the quaternion")
    return _do("RpQuaternion_ToMatrix", arithmetic, 16, given)


def product(a: Any, b: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 23."""
    given = numbers(a, "f", 16, "a"), numbers(b, "f", 16, "b")
    return _do("RpMatrix_Product", arithmetic, 16, *given)


def pose_product(a: Any, b: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 28, the product of the pose walk."""
    given = numbers(a, "f", 16, "a"), numbers(b, "f", 16, "b")
    return _do("RpMatrix_PoseProduct", arithmetic, 16, *given)


def rotate(matrix: Any, vector: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 7."""
    given = numbers(matrix, "f", 16, "the matrix"), numbers(vector, "f", 3, "the vector")
    return _do("RpMatrix_Rotate", arithmetic, 3, *given)


def rotate_transposed(matrix: Any, vector: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 35."""
    given = numbers(matrix, "f", 16, "the matrix"), numbers(vector, "f", 3, "the vector")
    return _do("RpMatrix_RotateTransposed", arithmetic, 3, *given)


def point_to_frame(frame: Any, point: Any, arithmetic: Optional[Arithmetic] = None) -> Floats:
    """Slot 26: a point in the coordinates of a frame."""
    given = numbers(frame, "f", 16, "the frame"), numbers(point, "f", 3, "the point")
    return _do("RpMatrix_PointToFrame", arithmetic, 3, *given)


def sine_cosine(angle: float, arithmetic: Optional[Arithmetic] = None) -> "tuple[float, float]":
    """The export ngiGetSinCos."""
    sine, cosine = ctypes.c_float(), ctypes.c_float()
    call(
        "RpScalar_SineCosine", _raw(arithmetic), angle, ctypes.byref(sine), ctypes.byref(cosine)
    )
    return sine.value, cosine.value


def _number(st0: bytes) -> float:
    """The float of Python that is nearest to a number of the x87, which has 64 significant bits and
    reaches farther. Under the game's control word it has 24, so that only the reach is lost."""
    significand, head = struct.unpack("<QH", st0)
    sign, exponent = -1.0 if head & 0x8000 else 1.0, (head & 0x7FFF) - 16383 - 63
    if exponent == 16384 - 63:
        return sign * (math.inf if significand == 1 << 63 else math.nan)
    try:
        return sign * math.ldexp(significand, exponent)
    except OverflowError:
        return sign * math.inf


def _st0(name: str, arithmetic: Optional[Arithmetic], *inputs: Any) -> float:
    """Calls a function that writes the ten bytes of ST0."""
    stored = (ctypes.c_uint8 * 10)()
    call(name, _raw(arithmetic), *inputs, stored)
    return _number(bytes(stored))


def reciprocal_square_root(x: float, arithmetic: Optional[Arithmetic] = None) -> float:
    """Slot 11: 1 / sqrt(x)."""
    return _st0("RpScalar_ReciprocalSquareRootSt0", arithmetic, x)


def normalise(vector: Any, arithmetic: Optional[Arithmetic] = None) -> "tuple[Floats, float]":
    """Slot 38: the vector at length 1, or as it was where its length is 0; and its former length."""
    given = numbers(vector, "f", 3, "the vector")
    result = (ctypes.c_float * 3)(*given)
    length = _st0("RpVector_NormaliseSt0", arithmetic, result)
    return tuple(result), length


def directional_cosine(
    normal: Any, travel: Any, arithmetic: Optional[Arithmetic] = None
) -> float:
    """DirectionalCosine: of a normal and where a directional light comes from, or 0 where that is
    behind. `travel` is where the light goes."""
    given = numbers(normal, "f", 3, "the normal"), numbers(travel, "f", 3, "the travel")
    return _st0("RpLight_DirectionalCosineSt0", arithmetic, *given)


def highlight(
    normal: Any,
    travel: Any,
    cosine: float,
    to_eye: Any,
    power: int,
    arithmetic: Optional[Arithmetic] = None,
) -> float:
    """Highlight: that of a directional light. `cosine` is what directional_cosine gave, `to_eye` the
    direction to the eye, of length 1."""
    given = numbers(normal, "f", 3, "the normal"), numbers(travel, "f", 3, "the travel")
    eye = numbers(to_eye, "f", 3, "the direction to the eye")
    times = whole(power, "the power")
    return _st0("RpLight_HighlightSt0", arithmetic, *given, cosine, eye, times)


def sample(
    skeleton: TraceSkeleton, t: float, arithmetic: Optional[Arithmetic] = None
) -> "tuple[Floats, Floats]":
    """SampleNode of AniMesh.dll over the streams of a recorded call: the rotation w, x, y, z and the
    position of its node at a time in frames."""
    quaternion, position = (ctypes.c_float * 4)(), (ctypes.c_float * 3)()
    call(
        "RpPose_Sample",
        skeleton.raw,
        _raw(arithmetic),
        skeleton.node,
        t,
        quaternion,
        position,
        None,
    )
    return tuple(quaternion), tuple(position)
