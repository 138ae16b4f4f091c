"""Pairs of the game's 32-bit DLLs, run in a machine of the library's own, called and compared."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _abi
from .archive import Source
from .errors import RetroposeError, Status
from .library import Buffer, as_bytes, attempt, call, function, read_file, text
from .trace import Outcome

CONTROL_WORD = 0x007F  # of the x87, in the game's threads: 24 bits, to nearest
MXCSR = 0x1F80

_MODULES = {"ngi32": _abi.RP_MODULE_NGI32, "animesh": _abi.RP_MODULE_ANIMESH}
_FILES = ("Ngi32.dll", "AniMesh.dll", None)
_ENGINES = {"interpreter": _abi.RP_PAIR_INTERPRETER, "translator": _abi.RP_PAIR_TRANSLATOR}


def _bytes_of(source: Source) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return as_bytes(source)
    return read_file(os.fspath(source))


@dataclass(frozen=True)
class CallResult:
    """What a call left."""

    outcome: Outcome  # RETURNED, CRASHED, EXITED, TIMED_OUT or UNSUPPORTED
    eax: int
    edx: int
    st0: Optional[bytes]  # the ten bytes of ST0, the lowest first; None where no float was returned
    control_word: int
    mxcsr: int
    popped: int  # bytes of arguments that the function took off the stack
    exception: int  # of a crash: its code, such as 0xC0000005
    module: Optional[str]  # and where it was: "Ngi32.dll", "AniMesh.dll", or None for elsewhere
    offset: int  # in that file's image; elsewhere an address
    exit_code: int
    reason: str  # why it was unsupported or had no end; else empty


def _close(handle: Any) -> None:
    call("RpPair_Close", handle)


class Pair:
    """An open pair of DLLs. One thread at a time may use it; others may have pairs of their own.

    `engine` is "interpreter", or "translator", which is forty times as fast, needs Linux on x86-64,
    and handles signals of the whole process (retropose/machine.h says how; Python's own handlers
    run as before, after the call). `processor` is which one the pair finds: "pentium-mmx",
    "pentium2", "k6-2", "pentium3", "athlon", "pentium4" or "this"."""

    def __init__(self) -> None:
        raise TypeError("a pair is opened by Pair.open")

    @classmethod
    def open(
        cls,
        ngi32: Source,
        animesh: Source,
        engine: str = "interpreter",
        processor: str = "this",
        force_cpu: Optional[int] = None,
        most_instructions: Optional[int] = None,
        most_memory: Optional[int] = None,
        stack_bytes: Optional[int] = None,
        trust: bool = False,
    ) -> "Pair":
        """Loads two files, by path or as bytes, and runs their entry points. CORRUPT, TRUNCATED and
        UNSUPPORTED stand for files that are no DLLs for 32-bit Windows, CRASHED for one whose entry
        point crashes. `most_instructions` is of one call."""
        if engine not in _ENGINES:
            raise RetroposeError(
                Status.INVALID, "there is no such engine", expected="interpreter or translator",
                found=str(engine),
            )
        options = function("RpPairOptions_Default")()
        options.engine = _ENGINES[engine]
        options.processor = processor.encode()
        options.force_cpu = -1 if force_cpu is None else force_cpu
        options.trust = trust
        limits = (("most_instructions", most_instructions), ("most_memory", most_memory),
                  ("stack_bytes", stack_bytes))
        for name, value in limits:
            if value is not None:
                setattr(options, name, value)
        pair: Pair = object.__new__(cls)
        pair._files = _bytes_of(ngi32), _bytes_of(animesh)
        pair._handle = ctypes.c_void_p()
        attempt(
            "RpPair_Open", pair._files[0], len(pair._files[0]), pair._files[1],
            len(pair._files[1]), options, ctypes.byref(pair._handle),
        )
        pair._closer = weakref.finalize(pair, _close, pair._handle)
        facts = _abi.RpPairFacts()
        call("RpPair_Facts", pair._handle, facts)
        pair.kind, pair.description = text(facts.kind), text(facts.description)
        pair.sha256 = {"Ngi32.dll": text(facts.ngi32_sha256), "AniMesh.dll": text(facts.animesh_sha256)}
        pair.is_published, pair.is_software = bool(facts.is_published), bool(facts.is_software)
        pair.engine, pair.processor = text(facts.engine), text(facts.processor)
        return pair

    kind: str  # "original", "stand-in", "modified stand-in", "replacement" or "mixed"
    description: str  # one line, as reports have it
    sha256: Dict[str, str]  # by file
    is_published: bool  # Ngi32.dll is the build whose SHA-256 is published
    engine: str  # "machine" for the translator, or "interpreter"
    processor: str
    is_software: bool  # x87 and SSE are computed in software

    _files: Tuple[bytes, bytes]
    _handle: ctypes.c_void_p
    _closer: Any  # frees the handle

    def __repr__(self) -> str:
        return "<pair: %s; %s>" % (self.description, self.engine)

    def close(self) -> None:
        """Frees the pair, which cannot be used afterwards."""
        self._closer()

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _open(self) -> Any:
        if not self._closer.alive:
            raise RetroposeError(Status.INVALID, "the pair is closed")
        return self._handle

    # ---- calling -------------------------------------------------------------------------------

    def export(self, module: str, name: str) -> Optional[int]:
        """The address of an export of "ngi32" or "animesh", or None."""
        return call("RpPair_Export", self._open, _MODULES[module], name.encode()) or None

    def slot(self, number: int) -> Optional[int]:
        """The address that an entry of g_FastProc holds, or None."""
        return call("RpPair_Slot", self._open, number) or None

    def allocate(self, size: int) -> int:
        """The address of so many zeroed bytes in the pair's memory. MemoryError where none are
        left."""
        address: int = call("RpPair_Allocate", self._open, size)
        if not address:
            raise MemoryError("%d bytes of a pair" % size)
        return address

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the pair's memory. INVALID where the pair could not read them."""
        room = ctypes.create_string_buffer(max(size, 1))
        attempt("RpPair_Read", self._open, address, room, size)
        return room.raw[:size]

    def write(self, address: int, data: Source) -> None:
        """Writes bytes. INVALID where the pair could not write them."""
        stored = as_bytes(data)
        attempt("RpPair_Write", self._open, address, stored, len(stored))

    def call(
        self,
        address: int,
        arguments: Sequence[int] = (),
        ecx: int = 0,
        edx: int = 0,
        control_word: int = CONTROL_WORD,
        mxcsr: int = MXCSR,
    ) -> CallResult:
        """Calls a function. `arguments` are dwords for the stack, the first one first, a float as
        its bits; fastcall and thiscall take their first pointers in `ecx` and `edx`. INVALID after
        a call that exited or timed out, until `restore`."""
        words = (ctypes.c_uint32 * max(len(arguments), 1))(*(word & 0xFFFFFFFF for word in arguments))
        made = _abi.RpPairCall(
            function=address, arguments=ctypes.cast(words, ctypes.c_void_p),
            argument_count=len(arguments), ecx=ecx, edx=edx, control_word=control_word, mxcsr=mxcsr,
        )
        attempt("RpPair_Call", self._open, made)
        return CallResult(
            Outcome(made.outcome), made.eax, made.edx_after,
            bytes(made.st0) if made.returned_float else None, made.control_word_after,
            made.mxcsr_after, made.popped, made.exception, _FILES[made.module], made.offset,
            made.exit_code, text(made.reason),
        )

    def restore(self) -> None:
        """Brings the pair back to just after its loading."""
        attempt("RpPair_Restore", self._open)

    # ---- traces --------------------------------------------------------------------------------

    def run(
        self, trace: Source, progress: Optional[Callable[[int, int], Optional[bool]]] = None
    ) -> bytes:
        """Executes all calls of a trace, given by path or as bytes, in a freshly loaded pair, and
        returns the trace with their results. `progress(done, total)` is called from time to time;
        if it returns False, the run ends with INVALID, and if it raises, so does this."""
        data, raised = _bytes_of(trace), []

        def watch(_: object, done: int, total: int) -> bool:
            try:
                return progress is None or progress(done, total) is not False
            except BaseException as error:  # pylint: disable=broad-except
                raised.append(error)
                return False

        kind = function("RpPair_Run").argtypes[3]
        with Buffer() as executed:
            try:
                attempt("RpPair_Run", self._open, data, len(data), kind(watch), None, executed.raw)
            except RetroposeError:
                if raised:
                    raise raised[0] from None
                raise
            return executed.take()

    def reason(self, key: str) -> str:
        """Why a call of a function such as "ngi32.slot17" was unsupported or timed out in the last
        run; empty where none is known."""
        return text(call("RpPair_Reason", self._open, key.encode()))


@dataclass(frozen=True)
class ComparisonCounts:
    """How many calls came out how; retropose/machine.h says what each is."""

    compared: int
    different: int
    processor: int
    crashed: int
    failed_alike: int
    wrote_outside: int
    not_comparable: int
    not_called: int
    unsupported: int


@dataclass(frozen=True)
class FunctionDifference:
    """The first difference in a function."""

    trace: str
    sequence: int
    field: str  # "matrix[2][1]", "outcome" and so on
    a: str  # the digits of the bits with the number, or words such as "timed out"
    b: str


@dataclass(frozen=True)
class ComparedFunction:
    key: str  # "ngi32.slot17"
    name: str
    standing: str  # "equal", "DIFFERENT", "CRASHED", "not compared" and so on
    counts: ComparisonCounts
    difference: Optional[FunctionDifference]


def _destroy(handle: Any) -> None:
    call("RpComparison_Destroy", handle)


def _counts(raw: Any) -> ComparisonCounts:
    return ComparisonCounts(*(getattr(raw, name) for name, _ in _abi.RpComparisonCounts._fields_))


class Comparison:
    """Executed traces of two pairs, compared bit for bit."""

    def __init__(self, most_differences: int = 20) -> None:
        self._handle = call("RpComparison_Create", most_differences)
        if not self._handle:
            raise MemoryError("a comparison")
        weakref.finalize(self, _destroy, self._handle)

    def add(self, a: Source, b: Source, name: str = "trace") -> None:
        """Compares two executed traces of the same calls, of which `a` is the original's. CORRUPT
        and INVALID stand for traces that are not comparable."""
        first, second = _bytes_of(a), _bytes_of(b)
        attempt("RpComparison_Add", self._handle, first, len(first), second, len(second), name.encode())

    @property
    def totals(self) -> ComparisonCounts:
        raw = _abi.RpComparisonCounts()
        call("RpComparison_Totals", self._handle, raw)
        return _counts(raw)

    @property
    def functions(self) -> List[ComparedFunction]:
        found = []
        for index in range(call("RpComparison_FunctionCount", self._handle)):
            raw, first = _abi.RpComparisonFunction(), _abi.RpComparisonDifference()
            call("RpComparison_FunctionAt", self._handle, index, raw)
            difference = None
            if call("RpComparison_FirstDifference", self._handle, raw.key, first):
                difference = FunctionDifference(
                    text(first.trace), first.sequence, text(first.field), text(first.text_a),
                    text(first.text_b),
                )
            found.append(ComparedFunction(
                text(raw.key), text(raw.name), text(raw.standing), _counts(raw.counts), difference))
        return found

    def report(self) -> Any:
        """The report that `retropose replay --json` writes (docs/use/replay.md), as Python has
        JSON."""
        with Buffer() as written:
            attempt("RpComparison_Json", self._handle, written.raw)
            return json.loads(written.take())
