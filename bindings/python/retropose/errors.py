"""What fails, and what checks find."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Optional

from . import _abi


class Status(enum.IntEnum):
    """Kinds of failures."""

    OK = _abi.RP_OK
    TRUNCATED = _abi.RP_TRUNCATED  # the input ends early
    CORRUPT = _abi.RP_CORRUPT  # the input contradicts itself
    UNSUPPORTED = _abi.RP_UNSUPPORTED  # well-formed, but not handled
    INVALID = _abi.RP_INVALID  # an argument is out of range
    NOT_FOUND = _abi.RP_NOT_FOUND
    IO = _abi.RP_IO
    NO_MEMORY = _abi.RP_NO_MEMORY
    CRASHED = _abi.RP_CRASHED


class Severity(enum.IntEnum):
    ERROR = _abi.RP_SEVERITY_ERROR  # the game would misread the file or crash
    WARNING = _abi.RP_SEVERITY_WARNING  # suspicious, but the game copes
    CANONICAL = _abi.RP_SEVERITY_CANONICAL  # legal, but not how the game's own files are written
    INFO = _abi.RP_SEVERITY_INFO


class RetroposeError(Exception):
    """A call that failed. The texts are those of the C library; `str()` gives them as one line."""

    status: Status
    what: str  # what failed and how
    where: str  # the file, stream, node or call, or ""
    expected: str  # what a valid input has there, or ""
    found: str  # what this one has, or ""
    offset: Optional[int]  # byte of the input

    def __init__(
        self,
        status: Status,
        what: str,
        where: str = "",
        expected: str = "",
        found: str = "",
        offset: Optional[int] = None,
    ) -> None:
        self.status, self.what, self.where = status, what, where
        self.expected, self.found, self.offset = expected, found, offset
        text = what
        if where:
            text += ", at " + where
        if offset is not None:
            text += " (byte %d)" % offset
        parts = []
        if expected:
            parts.append("expected " + expected)
        if found:
            by_system = status == Status.IO or (status == Status.NOT_FOUND and not expected)
            parts.append(found if by_system else "found " + found)
        if parts:
            text += ": " + ", ".join(parts)
        super().__init__(text)


@dataclass(frozen=True)
class Finding:
    """What a checker, an export or an import has to say. docs/formats/ lists the rules."""

    rule: str  # such as "N07", "M21" or "G12"; never changes its meaning
    severity: Severity
    what: str
    expected: str = ""
    found: str = ""
    offset: Optional[int] = None  # byte of the checked image, here and below where it applies
    entry: Optional[int] = None
    stream: Optional[int] = None
    node: Optional[int] = None
    element: Optional[int] = None

    def __str__(self) -> str:
        text = "%s %s: %s" % (self.rule, self.severity.name.lower(), self.what)
        parts = []
        if self.expected:
            parts.append("expected " + self.expected)
        if self.found:
            parts.append("found " + self.found)
        return text + (": " + ", ".join(parts) if parts else "")
