"""Traces: recorded calls of the game's functions, to check a sampler of one's own against."""

from __future__ import annotations

import ctypes
import enum
import os
import struct
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Tuple, Union

from . import _abi
from .archive import Source
from .errors import RetroposeError, Status
from .library import as_bytes, attempt, call, read_file, text


class Outcome(enum.IntEnum):
    """How a call ended."""

    NOT_RUN = _abi.RP_TRACE_NOT_RUN
    RETURNED = _abi.RP_TRACE_RETURNED
    CRASHED = _abi.RP_TRACE_CRASHED
    EXITED = _abi.RP_TRACE_EXITED
    TIMED_OUT = _abi.RP_TRACE_TIMED_OUT
    UNSUPPORTED = _abi.RP_TRACE_UNSUPPORTED
    NOT_CALLED = _abi.RP_TRACE_NOT_CALLED


@dataclass(frozen=True)
class TraceSkeleton:
    """The model's streams that a recorded sample was taken from, as in the file: records of 38
    bytes (Res1), of 24 bytes (Res8), and words of 16 bits (Res19)."""

    node: int  # the one that was sampled
    frame_count: int
    nodes: bytes
    keys: bytes
    frame_map: bytes

    @property
    def raw(self) -> Any:
        """An RpSkeleton of these streams."""
        made = _abi.RpSkeleton(frame_count=self.frame_count)
        for name, size in _STREAMS:
            stream = getattr(self, name)
            setattr(made, name, ctypes.cast(ctypes.c_char_p(stream), ctypes.c_void_p))
            setattr(made, size, len(stream))
        return made


_STREAMS = (("nodes", "node_bytes"), ("keys", "key_bytes"), ("frame_map", "frame_map_bytes"))


class TraceCall:
    """One call. Its data is copied, so that it may be kept. docs/reference/abi.md has the functions
    and the names of their parameters."""

    function: str  # such as "ngi32.slot17"
    sequence: int
    outcome: Outcome
    control_word: int  # of the x87, before the call
    control_word_after: int
    mxcsr: int
    mxcsr_after: int
    violations: int
    inputs: bytes
    outputs: bytes

    def __init__(self, raw: Any, reader: "_Reader") -> None:
        self.function, self.sequence = text(raw.function), raw.sequence
        self.outcome = Outcome(raw.outcome)
        self.control_word, self.control_word_after = raw.control_word, raw.control_word_after
        self.mxcsr, self.mxcsr_after = raw.mxcsr, raw.mxcsr_after
        self.violations = raw.violations
        self.inputs = ctypes.string_at(raw.inputs, raw.input_size) if raw.input_size else b""
        self.outputs = ctypes.string_at(raw.outputs, raw.output_size) if raw.output_size else b""
        # the reader has the signature; the data is what was copied, because the reader goes on
        self._reader, self._raw = reader, raw
        reader.last = self.sequence
        address = ctypes.c_char_p(self.inputs), ctypes.c_char_p(self.outputs)
        raw.inputs, raw.outputs = (ctypes.cast(at, ctypes.c_void_p) for at in address)
        raw.function = self.function.encode()

    def __repr__(self) -> str:
        return "<call %d of %s: %s>" % (self.sequence, self.function, self.outcome.name.lower())

    def input(self, name: str, count: int) -> Tuple[float, ...]:
        """The `count` floats of a parameter as the call found them. KeyError for a parameter that
        does not exist, is no input or has another size."""
        return self._floats("Input", name, count)

    def result(self, name: str, count: int) -> Tuple[float, ...]:
        """The floats as the call left them."""
        return self._floats("Result", name, count)

    def skeleton(self) -> Optional[TraceSkeleton]:
        """Of animesh.SampleNode and animesh.BlendPoses: the model's streams, copied, as a sampler
        of one's own needs them; None for a call of another function, and where the model is not in
        the trace. The trace must still be at this call."""
        if self._reader.last != self.sequence:
            raise RetroposeError(
                Status.INVALID,
                "the trace is at another call",
                "call %d of %s" % (self.sequence, self.function),
                "the call that was read last",
                "an earlier one",
            )
        raw, node = _abi.RpSkeleton(), ctypes.c_uint32()
        if not call(
            "RpTrace_Skeleton", self._reader.handle, self._raw, raw, ctypes.byref(node)
        ):
            return None
        streams = [
            ctypes.string_at(getattr(raw, name), getattr(raw, size)) if getattr(raw, size) else b""
            for name, size in _STREAMS
        ]
        return TraceSkeleton(node.value, raw.frame_count, *streams)

    def _floats(self, side: str, name: str, count: int) -> Tuple[float, ...]:
        values = (ctypes.c_float * max(count, 1))()
        if not call("RpTraceCall_" + side, self._raw, name.encode(), values, count):
            raise KeyError("%s of %s, %d floats" % (name, self.function, count))
        return tuple(values)


def _close(handle: Any) -> None:
    call("RpTrace_Close", handle)


class _Reader:
    """An open RpTrace."""

    last: Optional[int] = None  # the sequence number of the call that was read last

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.handle = data, ctypes.c_void_p()
        attempt("RpTrace_Open", data, len(data), name.encode(), ctypes.byref(self.handle))
        weakref.finalize(self, _close, self.handle)


class Trace:
    """The calls of a `.rptrace` file, one after another. Each iteration starts at the first. A
    trace that was cut off ends its iteration with RetroposeError, after all whole calls."""

    _data: bytes
    _name: str
    _reader: _Reader

    def __init__(self) -> None:
        raise TypeError("a trace is opened by Trace.open")

    @classmethod
    def open(cls, source: Source) -> "Trace":
        path = None if isinstance(source, (bytes, bytearray, memoryview)) else os.fspath(source)
        trace = object.__new__(cls)
        trace._data = as_bytes(source) if path is None else read_file(path)
        trace._name = path or "trace"
        trace._reader = _Reader(trace._data, trace._name)
        return trace

    def header(self, key: str) -> Optional[str]:
        """A value of the header, such as that of "provider"."""
        value = ctypes.create_string_buffer(8192)
        if not call("RpTrace_Header", self._reader.handle, key.encode(), value, len(value)):
            return None
        return text(value.value)

    def __iter__(self) -> Iterator[TraceCall]:
        reader = _Reader(self._data, self._name)
        while True:
            raw, found = _abi.RpTraceCall(), ctypes.c_bool()
            attempt("RpTrace_Next", reader.handle, raw, ctypes.byref(found))
            if not found.value:
                return
            yield TraceCall(raw, reader)


# ---- a sampler of one's own --------------------------------------------------------------------


@dataclass(frozen=True)
class SamplerReport:
    """How a sampler compares with recorded results. A call counts by its farthest float."""

    function: str
    calls: int
    same: int  # all bits the same
    near: int  # at most `ulps` apart
    farther: int
    ulps: int
    farthest: Optional[int]  # the greatest distance in ulps; None where one was no number
    first: Optional[TraceCall]  # the first call that differs
    got: "tuple[float, ...]"  # what the sampler gave for it
    wanted: "tuple[float, ...]"

    @property
    def differ(self) -> int:
        return self.near + self.farther

    def __str__(self) -> str:
        """Such as "ngi32.slot17: 210 of 539 calls have the same bits, 225 are at most 2 ulps away,
        104 farther", and the first difference in a second line."""
        line = "%s: %s of %s calls have the same bits, %s are at most %d ulp%s away, %s farther" % (
            self.function,
            format(self.same, ","),
            format(self.calls, ","),
            format(self.near, ","),
            self.ulps,
            "" if self.ulps == 1 else "s",
            format(self.farther, ","),
        )
        if self.first is None:
            return line
        return line + "\nfirst difference in call %d: %s, recorded %s" % (
            self.first.sequence,
            " ".join(map(_shown, self.got)),
            " ".join(map(_shown, self.wanted)),
        )


Sampler = Callable[..., Sequence[Any]]

SAMPLE = "animesh.SampleNode"

# what else takes and gives floats alone, of the functions that people write themselves
_KNOWN: Dict[str, Tuple[Sequence[Tuple[str, int]], Tuple[str, int]]] = {
    "ngi32.slot14": ((("quaternion", 4),), ("matrix", 16)),
    "ngi32.slot17": ((("q0", 4), ("q1", 4), ("t", 1)), ("result", 4)),
    "ngi32.slot22": ((("q0", 4), ("q1", 4), ("t", 1)), ("result", 4)),
    "ngi32.slot23": ((("a", 16), ("b", 16)), ("product", 16)),
    "ngi32.slot28": ((("a", 16), ("b", 16)), ("product", 16)),
}


def _bits(value: float) -> int:
    """The bits of a number as binary32."""
    try:
        stored: int = struct.unpack("<I", struct.pack("<f", value))[0]
        return stored
    except OverflowError:  # beyond binary32
        return 0x7F800000 if value > 0 else 0xFF800000


def _shown(value: float) -> str:
    return "%s (%08x)" % (format(value, ".9g"), _bits(value))


def ulps_between(a: float, b: float) -> Optional[int]:
    """How many floats of binary32 lie from one to the other: 0 only for the same bits, also of two
    that are no numbers; at least 1 for +0 and -0; None where exactly one is no number, or both are
    with other bits."""
    first, second = _bits(a), _bits(b)
    if first == second:
        return 0
    if (first & 0x7FFFFFFF) > 0x7F800000 or (second & 0x7FFFFFFF) > 0x7F800000:
        return None

    def rank(stored: int) -> int:
        return -(stored & 0x7FFFFFFF) if stored & 0x80000000 else stored

    return max(1, abs(rank(first) - rank(second)))


def _farthest(got: Sequence[float], wanted: Sequence[float]) -> Optional[int]:
    farthest = 0
    for a, b in zip(got, wanted):
        distance = ulps_between(a, b)
        if distance is None:
            return None
        farthest = max(farthest, distance)
    return farthest


def check_sampler(
    trace: "Union[Trace, Source]",
    function: str,
    sampler: Sampler,
    inputs: "Optional[Sequence[Tuple[str, int]]]" = None,
    result: "Optional[Tuple[str, int]]" = None,
    ulps: int = 2,
    accept: Optional[Callable[[TraceCall], bool]] = None,
) -> SamplerReport:
    """Runs a sampler on the inputs of every recorded call of a function that returned, and
    compares.

    `inputs` names the parameters that the sampler is called with, and how many floats each has (one
    float is passed as a number, more as a tuple); `result` names the one that it returns. For
    "ngi32.slot17" and "ngi32.slot22" (interpolation of two rotations), "ngi32.slot14" (a rotation's
    matrix), "ngi32.slot23" and "ngi32.slot28" (product of two matrices) they are known:
    sampler(q0, q1, t) gives w, x, y, z. So they are for "animesh.SampleNode": sampler(skeleton, t)
    gets a TraceSkeleton and a time in frames, and gives a pair, the rotation w, x, y, z and the
    position, as fastproc.sample does; a call whose model is not in the trace is left out.

    `accept` leaves calls out. What the sampler gives is rounded to binary32; a call for which it
    raises ArithmeticError or ValueError counts as farther. NOT_FOUND stands for a trace without such
    a call."""
    opened = trace if isinstance(trace, Trace) else Trace.open(trace)
    samples = function == SAMPLE and inputs is None and result is None
    if not samples and (inputs is None or result is None):
        if function not in _KNOWN:
            raise RetroposeError(
                Status.INVALID,
                "the inputs and the result of this function have to be named",
                expected="inputs and result, or one of " + " ".join(sorted([SAMPLE, *_KNOWN])),
                found=function,
            )
        inputs, result = inputs or _KNOWN[function][0], result or _KNOWN[function][1]
    same = near = farther = 0
    farthest: Optional[int] = 0
    first: Optional[TraceCall] = None
    first_got: Tuple[float, ...] = ()
    first_wanted: Tuple[float, ...] = ()
    for made in opened:
        if made.function != function or made.outcome != Outcome.RETURNED:
            continue
        if accept is not None and not accept(made):
            continue
        if samples:
            skeleton = made.skeleton()
            if skeleton is None:
                continue
            arguments = [skeleton, *made.input("t", 1)]
            wanted = made.result("quaternion", 4) + made.result("position", 3)
        else:
            given = (made.input(name, count) for name, count in inputs or ())
            arguments = [a[0] if len(a) == 1 else a for a in given]
            wanted = made.result(*result) if result else ()
        try:
            values = sampler(*arguments)
            if samples:
                quaternion, position = values
                values = [*quaternion, *position]
            got = tuple(float(value) for value in values)
        except (ArithmeticError, ValueError):
            got = (float("nan"),) * len(wanted)
            distance: Optional[int] = None
        else:
            if len(got) != len(wanted):
                raise RetroposeError(
                    Status.INVALID,
                    "the sampler gives another number of floats",
                    "call %d of %s" % (made.sequence, function),
                    str(len(wanted)),
                    str(len(got)),
                )
            distance = _farthest(got, wanted)
        if distance == 0:
            same += 1
            continue
        if distance is not None and distance <= ulps:
            near += 1
        else:
            farther += 1
        farthest = None if distance is None or farthest is None else max(farthest, distance)
        if first is None:
            first, first_got, first_wanted = made, got, wanted
    calls = same + near + farther
    if not calls:
        raise RetroposeError(
            Status.NOT_FOUND,
            "the trace has no such call",
            opened._name,
            "calls of %s that returned" % function,
            "none",
        )
    return SamplerReport(
        function, calls, same, near, farther, ulps, farthest, first, first_got, first_wanted
    )
