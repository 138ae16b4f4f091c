"""Readings: the points that public sources leave open, chosen by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Union


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

    def __init__(self, choices: Union[str, Mapping[str, str], "Readings"] = "") -> None:
        raise NotImplementedError

    def __getitem__(self, name: str) -> str:
        """The choice taken. KeyError for a name that does not exist."""
        raise NotImplementedError

    def __str__(self) -> str:
        """What differs from the defaults, as the constructor takes it."""
        raise NotImplementedError

    def as_dict(self) -> Dict[str, str]:
        raise NotImplementedError

    @staticmethod
    def all() -> List[Reading]:
        """Every reading that there is."""
        raise NotImplementedError


AnyReadings = Union[Readings, str, Mapping[str, str], None]
