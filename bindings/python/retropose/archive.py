"""NRes archives (`.rlb`, `.lib`, `.msh`) and RsLi libraries: list, read, edit, save."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from typing import Iterator, List, Optional, Union

from .errors import Finding

Data = Union[bytes, bytearray, memoryview]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]


class ReadMode(enum.IntEnum):
    """How an input that breaks rules is read."""

    STRICT = 0  # the first broken rule is an error
    TOLERANT = 1  # only what is damaged is dropped


class Layout(enum.IntEnum):
    """How an archive is written."""

    CANONICAL = 0  # as the game's own files: payloads back to back in the order of the directory
    PRESERVING = 1  # payloads, and bytes between them, stay where they were


class Method(enum.IntEnum):
    """How the data of an RsLi member is packed."""

    STORED = 0
    XOR = 0x20
    LZSS = 0x40
    XOR_LZSS = 0x60
    HUFFMAN = 0x80
    XOR_HUFFMAN = 0xA0
    DEFLATE = 0x100


@dataclass(frozen=True)
class Member:
    """One member of an archive, as it was when it was asked for."""

    index: int
    name: str
    size: int  # bytes of the data, unpacked
    type: int = 0  # NRes only, here and below
    attributes: "tuple[int, int, int]" = (0, 0, 0)
    method: Optional[Method] = None  # RsLi only, here and below
    packed_size: Optional[int] = None


class Archive:
    """An archive in memory. Nothing touches the file that it came from until `save` is called.

    Members are named by their index, their name (the case of A to Z does not matter) or a Member.
    Names are text in Windows-1251, as the game reads them; bytes that have no letter there survive.
    """

    kind: str  # "nres" or "rsli"
    path: Optional[str]  # the file that it was read from

    @classmethod
    def open(cls, source: Source, mode: ReadMode = ReadMode.TOLERANT) -> "Archive":
        """Reads a file, named by its path, or the bytes of one. NRes or RsLi is told apart by the
        first bytes."""
        raise NotImplementedError

    @classmethod
    def new(cls, kind: str = "nres") -> "Archive":
        """Makes an archive without members."""
        raise NotImplementedError

    @property
    def members(self) -> List[Member]:
        """All members, in the order of the directory."""
        raise NotImplementedError

    @property
    def changed(self) -> bool:
        """Whether `to_bytes` would give other bytes than those that were read."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Member]:
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        raise NotImplementedError

    def __getitem__(self, member: Union[int, str]) -> Member:
        """The member of an index or a name. IndexError or KeyError where there is none."""
        raise NotImplementedError

    def find(self, name: str) -> Optional[Member]:
        """The first member of that name, as the game finds it, or None."""
        raise NotImplementedError

    def read(self, member: Union[int, str, Member]) -> bytes:
        """The data of a member, unpacked."""
        raise NotImplementedError

    def replace(
        self, member: Union[int, str, Member], data: Data, method: Optional[Method] = None
    ) -> None:
        """Gives a member other data; its name, type and attributes stay. RsLi keeps its method
        unless another one is asked for. The same data changes nothing."""
        raise NotImplementedError

    def add(
        self,
        name: str,
        data: Data,
        type: int = 0,
        attributes: "tuple[int, int, int]" = (0, 0, 0),
        position: Optional[int] = None,
        method: Method = Method.STORED,
    ) -> Member:
        """Inserts a member before `position`, or at the end."""
        raise NotImplementedError

    def remove(self, member: Union[int, str, Member]) -> None:
        raise NotImplementedError

    def rename(self, member: Union[int, str, Member], name: str) -> None:
        raise NotImplementedError

    def move(self, member: Union[int, str, Member], to: int) -> None:
        """Takes a member out and inserts it before the member that then stands at `to`."""
        raise NotImplementedError

    def set_attributes(
        self,
        member: Union[int, str, Member],
        attributes: "tuple[int, int, int]",
        type: Optional[int] = None,
    ) -> None:
        """Sets the three attributes of an NRes member, and its type."""
        raise NotImplementedError

    def check(self) -> List[Finding]:
        """All findings about the archive as `to_bytes` writes it (rules N01 and R01 on)."""
        raise NotImplementedError

    def to_bytes(self, layout: Layout = Layout.PRESERVING) -> bytes:
        """The whole file. An archive that was not changed gives the bytes that were read."""
        raise NotImplementedError

    def save(
        self, path: Union[str, "os.PathLike[str]", None] = None, layout: Layout = Layout.PRESERVING
    ) -> None:
        """Writes the file, by default over the one that was read. The new bytes go into a file
        beside it, which takes the name at once, so that no reader ever sees a part."""
        raise NotImplementedError

    def close(self) -> None:
        """Frees the memory. An archive is a context manager, too; otherwise the garbage collector
        frees it."""
        raise NotImplementedError

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
