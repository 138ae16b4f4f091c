"""Traces: recorded calls of the game's functions, to check a sampler of one's own against."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Callable, Iterator, Optional, Sequence, Tuple

from .archive import Source


class Outcome(enum.IntEnum):
    """How a call ended."""

    NOT_RUN = 0
    RETURNED = 1
    CRASHED = 2
    EXITED = 3
    TIMED_OUT = 4
    UNSUPPORTED = 5
    NOT_CALLED = 6


class TraceCall:
    """One call. It holds as long as one likes: its data is copied."""

    function: str  # such as "ngi32.slot17"
    sequence: int
    outcome: Outcome
    control_word: int
    control_word_after: int
    mxcsr: int
    mxcsr_after: int
    violations: int
    inputs: bytes
    outputs: bytes

    def input(self, name: str, count: int) -> Tuple[float, ...]:
        """The `count` floats of a parameter as the call found them. KeyError for a parameter that
        does not exist, is no input or has another size."""
        raise NotImplementedError

    def result(self, name: str, count: int) -> Tuple[float, ...]:
        """The floats as the call left them."""
        raise NotImplementedError


class Trace:
    """The calls of a `.rptrace` file, one after another. Each iteration starts at the first."""

    @classmethod
    def open(cls, source: Source) -> "Trace":
        raise NotImplementedError

    def header(self, key: str) -> Optional[str]:
        """A value of the header, such as that of "provider"."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[TraceCall]:
        raise NotImplementedError


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

    def __str__(self) -> str:
        """Such as "ngi32.slot17: 10,302 of 19,108 the same bits, ..."."""
        raise NotImplementedError


Sampler = Callable[..., Sequence[float]]


def check_sampler(
    trace: "Trace | Source",
    function: str,
    sampler: Sampler,
    inputs: "Sequence[tuple[str, int]] | None" = None,
    result: "tuple[str, int] | None" = None,
    ulps: int = 2,
) -> SamplerReport:
    """Runs a sampler on the inputs of every recorded call of a function, and compares.

    `inputs` names the parameters that the sampler is called with, and how many floats each has;
    `result` names the one that it returns. For "ngi32.slot17" (the interpolation of two rotations)
    they are known: sampler(q0, q1, weight) gives (w, x, y, z)."""
    raise NotImplementedError
