"""Readings: the points that public sources leave open, chosen by name."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Union

from . import _abi
from .library import attempt, call, text


@dataclass(frozen=True)
class Reading:
    """One open point, and what may be chosen."""

    name: str
    choices: "tuple[str, ...]"  # the default first
    source: str
    runtime: bool  # whether it concerns arithmetic
    files: bool  # whether it concerns the fields of a model file


@dataclass(frozen=True)
class ReadingEvidence:
    """What a model's own numbers say about a reading."""

    name: str
    choice: str
    certainty: str  # "undecided", "likely" or "certain"
    matters: bool
    why: str


class Readings:
    """A choice for every reading. `Readings()` has the defaults; `Readings("drawn")` and
    `Readings("key-order=wxyz,uv=unsigned")` choose, and so do dicts. Equal choices are equal.
    Wherever a function takes readings, the text or the dict will do."""

    def __init__(self, choices: Union[str, Mapping[str, str], "Readings", None] = "") -> None:
        self.raw = _abi.RpReadings()
        if isinstance(choices, Readings):
            ctypes.memmove(self.raw.choice, choices.raw.choice, ctypes.sizeof(self.raw))
            return
        if isinstance(choices, Mapping):
            choices = ",".join("%s=%s" % pair for pair in choices.items())
        files: List[str] = []
        runtime: List[str] = []
        kinds = {reading.name: reading for reading in self.all()}
        for part in (choices or "").split(","):
            if part:
                known = kinds.get(part.partition("=")[0])
                if known is None or known.files:  # "drawn", and what the library refuses
                    files.append(part)
                if known is not None and known.runtime:
                    runtime.append(part)
        for kind, parts in ((_abi.RP_READS_FILES, files), (_abi.RP_READS_RUNTIME, runtime)):
            parsed = _abi.RpReadings()
            attempt("RpReadings_Parse", parsed, kind, ",".join(parts).encode())
            for index, choice in enumerate(parsed.choice):
                if choice:
                    self.raw.choice[index] = choice

    @classmethod
    def of(cls, raw: Any) -> "Readings":
        """A copy of an RpReadings."""
        made = cls()
        ctypes.memmove(made.raw.choice, raw.choice, ctypes.sizeof(made.raw))
        return made

    def __getitem__(self, name: str) -> str:
        """The choice taken. KeyError for a name that does not exist."""
        return self.as_dict()[name]

    def __str__(self) -> str:
        """What differs from the defaults, as the constructor takes it."""
        chosen = self.as_dict()
        return ",".join(
            "%s=%s" % (reading.name, chosen[reading.name])
            for reading in self.all()
            if chosen[reading.name] != reading.choices[0]
        )

    def __repr__(self) -> str:
        return "Readings(%r)" % str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Readings) and bytes(self.raw.choice) == bytes(other.raw.choice)

    def __hash__(self) -> int:
        return hash(bytes(self.raw.choice))

    def as_dict(self) -> Dict[str, str]:
        chosen = {}
        for index, reading in enumerate(self.all()):
            length = ctypes.c_size_t()
            at = call("RpReadings_Choice", self.raw, index, ctypes.byref(length))
            chosen[reading.name] = text(ctypes.string_at(at, length.value))
        return chosen

    @staticmethod
    def all() -> List[Reading]:
        """Every reading that there is."""
        return list(_all())


def _all() -> Iterator[Reading]:
    index = 0
    while True:
        name = call("RpReadings_Name", index)
        if name is None:
            return
        kind = call("RpReadings_Kind", index)
        yield Reading(
            text(name),
            tuple(text(call("RpReadings_Choices", index)).split("|")),
            text(call("RpReadings_Source", index)),
            bool(kind & _abi.RP_READS_RUNTIME),
            bool(kind & _abi.RP_READS_FILES),
        )
        index += 1


AnyReadings = Union[Readings, str, Mapping[str, str], None]
