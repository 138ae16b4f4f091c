"""NRes archives (`.rlb`, `.lib`, `.msh`) and RsLi libraries: list, read, edit, save."""

from __future__ import annotations

import ctypes
import enum
import os
import weakref
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Tuple, Union

from . import _abi
from .errors import Finding, RetroposeError, Status
from .library import (
    Buffer,
    Sink,
    as_bytes,
    attempt,
    call,
    checked,
    decode,
    encode,
    read_file,
    room,
    whole,
    write_file,
)

Data = Union[bytes, bytearray, memoryview]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]


class ReadMode(enum.IntEnum):
    """How an input that breaks rules is read."""

    STRICT = _abi.RP_STRICT  # the first broken rule is an error
    TOLERANT = _abi.RP_TOLERANT  # only what is damaged is dropped


class Layout(enum.IntEnum):
    """How an archive is written."""

    CANONICAL = _abi.RP_NRES_CANONICAL  # as the game's own files: payloads back to back in the order of the directory
    PRESERVING = _abi.RP_NRES_PRESERVING  # payloads, and bytes between them, stay where they were


class Method(enum.IntEnum):
    """How the data of an RsLi member is packed."""

    STORED = _abi.RP_RSLI_STORED
    XOR = _abi.RP_RSLI_XOR
    LZSS = _abi.RP_RSLI_LZSS
    XOR_LZSS = _abi.RP_RSLI_XOR_LZSS
    HUFFMAN = _abi.RP_RSLI_HUFFMAN
    XOR_HUFFMAN = _abi.RP_RSLI_XOR_HUFFMAN
    DEFLATE = _abi.RP_RSLI_DEFLATE


@dataclass(frozen=True)
class Member:
    """One member of an archive, as it was when it was asked for."""

    index: int
    name: str
    size: int  # bytes of the data, unpacked
    type: int = 0  # NRes only, here and below
    attributes: Tuple[int, int, int] = (0, 0, 0)
    method: Optional[Method] = None  # RsLi only, here and below
    packed_size: Optional[int] = None


class Archive:
    """An archive in memory. Nothing touches the file that it came from until `save` is called.

    Members are named by their index, their name (the case of A to Z does not matter) or a Member.
    Names are text in Windows-1251, as the game reads them; bytes that have no letter there survive.
    """

    kind: str  # "nres" or "rsli"
    path: Optional[str]  # the file that it was read from

    def __init__(self) -> None:
        raise TypeError("an archive is made by Archive.open or Archive.new")

    @classmethod
    def open(cls, source: Source, mode: ReadMode = ReadMode.TOLERANT) -> "Archive":
        """Reads a file, named by its path, or the bytes of one. NRes or RsLi is told apart by the
        first bytes."""
        path = None if isinstance(source, (bytes, bytearray, memoryview)) else os.fspath(source)
        image = as_bytes(source) if path is None else read_file(path)
        kind = _RsLi if image[:2] == b"NL" else _NRes
        archive: Archive = object.__new__(kind)
        archive.path = path
        try:
            archive._start(image, ReadMode(mode))
        except RetroposeError as error:
            if path is None:
                raise
            where = path + (", " + error.where if error.where else "")
            raise RetroposeError(
                error.status, error.what, where, error.expected, error.found, error.offset
            ) from None
        return archive

    @classmethod
    def new(cls, kind: str = "nres") -> "Archive":
        """Makes an archive without members."""
        kinds = {"nres": _NRes, "rsli": _RsLi}
        if kind not in kinds:
            raise ValueError("an archive is nres or rsli, not " + repr(kind))
        archive: Archive = object.__new__(kinds[kind])
        archive.path = None
        archive._start(None, ReadMode.STRICT)
        return archive

    # ---- what the two kinds do in their own way ----

    _image: Optional[bytes]  # what was read
    _edited: bool
    _closed: bool
    _free: Any
    edits: int  # grows with every edit, so that others know when to look again

    def _start(self, image: Optional[bytes], mode: ReadMode) -> None:
        raise NotImplementedError

    def _count(self) -> int:
        raise NotImplementedError

    def _member(self, index: int) -> Member:
        raise NotImplementedError

    def _find(self, name: bytes) -> int:
        raise NotImplementedError

    def _read(self, index: int) -> bytes:
        raise NotImplementedError

    def _check(self, image: bytes) -> List[Finding]:
        raise NotImplementedError

    def _write(self, layout: Layout) -> bytes:
        raise NotImplementedError

    def _replace(self, index: int, data: bytes, method: Optional[Method]) -> None:
        raise NotImplementedError

    def _add(
        self,
        position: int,
        name: bytes,
        data: bytes,
        type: int,
        attributes: Tuple[int, int, int],
        method: Method,
    ) -> None:
        raise NotImplementedError

    def _edit(self, action: str, *arguments: Any) -> None:
        raise NotImplementedError

    # ---- what they do alike ----

    @property
    def members(self) -> List[Member]:
        """All members, in the order of the directory."""
        self._open_still()
        return [self._member(index) for index in range(self._count())]

    @property
    def changed(self) -> bool:
        """Whether `to_bytes` would give other bytes than those that were read."""
        self._open_still()
        return self._edited and self.to_bytes() != self._image

    def __len__(self) -> int:
        self._open_still()
        return self._count()

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __getitem__(self, member: Union[int, str]) -> Member:
        """The member of an index or a name. IndexError or KeyError where there is none."""
        if isinstance(member, str):
            found = self.find(member)
            if found is None:
                raise KeyError(member)
            return found
        count = len(self)
        if not -count <= member < count:
            raise IndexError(member)
        return self._member(member % count)

    def find(self, name: str) -> Optional[Member]:
        """The first member of that name, as the game finds it, or None."""
        self._open_still()
        try:
            stored = encode(name)
        except RetroposeError:
            return None  # no member can be called so
        index = self._find(stored)
        return None if index < 0 else self._member(index)

    def read(self, member: Union[int, str, Member]) -> bytes:
        """The data of a member, unpacked."""
        return self._read(self._index(member))

    def replace(
        self, member: Union[int, str, Member], data: Data, method: Optional[Method] = None
    ) -> None:
        """Gives a member other data; its name, type and attributes stay. RsLi keeps its method
        unless another one is asked for. The same data changes nothing."""
        index, stored = self._index(member), bytes(data)
        before = self._member(index)
        if (method is None or method == before.method) and self._holds(index, stored):
            return
        self._replace(index, stored, method)

    def _holds(self, index: int, data: bytes) -> bool:
        try:
            return self._member(index).size == len(data) and self._read(index) == data
        except RetroposeError:
            return False  # what is there is damaged

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
        count = len(self)
        at = count if position is None else whole(position, "the position", count)
        stored = encode(name)
        self._add(at, stored, bytes(data), whole(type, "the type"), _three(attributes), method)
        return self._member(at)

    def remove(self, member: Union[int, str, Member]) -> None:
        self._edit("Remove", self._index(member))

    def rename(self, member: Union[int, str, Member], name: str) -> None:
        self._edit("Rename", self._index(member), encode(name))

    def move(self, member: Union[int, str, Member], to: int) -> None:
        """Takes a member out and inserts it before the member that then stands at `to`."""
        self._edit("Move", self._index(member), whole(to, "the position"))

    def set_attributes(
        self,
        member: Union[int, str, Member],
        attributes: "tuple[int, int, int]",
        type: Optional[int] = None,
    ) -> None:
        """Sets the three attributes of an NRes member, and its type."""
        raise RetroposeError(Status.UNSUPPORTED, "members of RsLi have no attributes")

    def check(self) -> List[Finding]:
        """All findings about the archive as `to_bytes` writes it (rules N01 and R01 on)."""
        return self._check(self.to_bytes())

    def to_bytes(self, layout: Layout = Layout.PRESERVING) -> bytes:
        """The whole file. An archive that was not changed gives the bytes that were read."""
        self._open_still()
        if self._image is not None and not self._edited and layout == Layout.PRESERVING:
            return self._image
        return self._write(layout)

    def save(
        self, path: Union[str, "os.PathLike[str]", None] = None, layout: Layout = Layout.PRESERVING
    ) -> None:
        """Writes the file, by default over the one that was read. The new bytes go into a file
        beside it, which takes the name at once, so that no reader ever sees a part."""
        target = self.path if path is None else os.fspath(path)
        if target is None:
            raise RetroposeError(Status.INVALID, "the archive came from no file, and needs a path")
        write_file(target, self.to_bytes(layout))

    def close(self) -> None:
        """Frees the memory. An archive is a context manager, too; otherwise the garbage collector
        frees it."""
        self._closed = True
        self._image = None
        self._free()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<%s archive %s>" % (self.kind, self.path or "of bytes")

    def _open_still(self) -> None:
        if self._closed:
            raise ValueError("the archive is closed")

    def _index(self, member: Union[int, str, Member]) -> int:
        """The index of a member. One that was asked for earlier still has to be where it was."""
        self._open_still()
        if isinstance(member, Member):
            if member.index < self._count() and self._member(member.index).name == member.name:
                return member.index
            member = member.name
        if isinstance(member, str):
            index = self._find(encode(member))
            if index < 0:
                raise RetroposeError(
                    Status.NOT_FOUND, "the archive has no member of this name", self.path or "",
                    found=member,
                )
            return index
        return whole(member, "the index", self._count() - 1)

    def _touched(self) -> None:
        self._edited = True
        self.edits += 1


def _three(attributes: "tuple[int, int, int]") -> "tuple[int, int, int]":
    first, second, third = attributes
    return whole(first, "attribute 1"), whole(second, "attribute 2"), whole(third, "attribute 3")


def _release(name: str, struct: Any) -> None:
    call(name, struct)


class _NRes(Archive):
    kind = "nres"

    def _start(self, image: Optional[bytes], mode: ReadMode) -> None:
        self._image, self._edited, self._closed, self.edits = image, False, False, 0
        self._source: Any = None
        self._archive: Any = None  # made with the first edit: most archives are only read
        self._free: Any = lambda: None
        if image is None:
            self.writable()
        else:
            self._source = _abi.RpNRes()
            attempt("RpNRes_Open", image, len(image), mode, self._source)

    def writable(self) -> Any:
        """The RpNResArchive, which nothing has been done to yet when this makes it."""
        self._open_still()
        if self._archive is None:
            archive = _abi.RpNResArchive()
            call("RpNResArchive_Init", archive, None)
            # the image lives until the archive is freed
            free = weakref.finalize(self, _release, "RpNResArchive_Free", archive)
            if self._source is not None:
                try:
                    attempt("RpNRes_CheckCopies", self._source)
                    attempt("RpNResArchive_Read", archive, self._source)
                except RetroposeError:
                    free()
                    raise
            self._archive, self._free = archive, free
        return self._archive

    def entries(self) -> Any:
        """The RpNResEntries as they are now."""
        self._open_still()
        if self._source is not None and not self._edited:
            return call("RpNRes_Entries", self._source)
        return call("RpNResArchive_Entries", self.writable())

    def _count(self) -> int:
        return int(self.entries().count)

    def _entry(self, index: int) -> Any:
        return call("RpNResEntries_Get", self.entries(), index)

    def _member(self, index: int) -> Member:
        entry = self._entry(index)
        name = ctypes.string_at(entry.name, entry.name_length)
        return Member(
            index, decode(name), entry.size, entry.type, (entry.attr1, entry.attr2, entry.attr3)
        )

    def _find(self, name: bytes) -> int:
        if self._source is not None and not self._edited:
            return int(call("RpNRes_Find", self._source, name))
        return int(call("RpNResArchive_Find", self.writable(), name))

    def _read(self, index: int) -> bytes:
        entry = self._entry(index)
        if entry.size and not entry.data:
            raise RetroposeError(
                Status.CORRUPT,
                "the data of this member is not inside the archive",
                self._member(index).name,
                offset=entry.record_offset,
            )
        return ctypes.string_at(entry.data, entry.size) if entry.size else b""

    def _edit(self, action: str, *arguments: Any) -> None:
        attempt("RpNResArchive_" + action, self.writable(), *arguments)
        self._touched()

    def _replace(self, index: int, data: bytes, method: Optional[Method]) -> None:
        if method is not None:
            raise RetroposeError(Status.INVALID, "members of NRes are not packed")
        self._edit("Replace", index, data, whole(len(data), "the size"))

    def _add(
        self,
        position: int,
        name: bytes,
        data: bytes,
        type: int,
        attributes: Tuple[int, int, int],
        method: Method,
    ) -> None:
        if len(name) > _abi.RP_NRES_NAME_MAX:
            raise RetroposeError(
                Status.INVALID,
                "the name is too long",
                expected="at most %d bytes" % _abi.RP_NRES_NAME_MAX,
                found=decode(name),
            )
        if method != Method.STORED:
            raise RetroposeError(Status.INVALID, "members of NRes are not packed")
        keep = ctypes.create_string_buffer(data, max(len(data), 1))
        member = _abi.RpNResMember(type, *attributes)
        member.name = name
        member.data = ctypes.addressof(keep)
        member.size = whole(len(data), "the size")
        self._edit("Add", position, member)

    def set_attributes(
        self,
        member: Union[int, str, Member],
        attributes: "tuple[int, int, int]",
        type: Optional[int] = None,
    ) -> None:
        """Sets the three attributes of an NRes member, and its type."""
        index, wanted = self._index(member), _three(attributes)
        before = self._member(index)
        number = before.type if type is None else whole(type, "the type")
        if (before.type, before.attributes) == (number, wanted):
            return
        stored = self.writable().members[index]
        stored.type = number
        stored.attr1, stored.attr2, stored.attr3 = wanted
        self._touched()

    def _check(self, image: bytes) -> List[Finding]:
        sink = Sink()
        count = self._count()
        work = room(4 * count + call("RpNRes_CheckWork", count))
        return checked(sink, "RpNRes_Check", image, len(image), work, sink.raw)

    def _write(self, layout: Layout) -> bytes:
        with Buffer() as buffer:
            attempt("RpNResArchive_Write", self.writable(), Layout(layout), buffer.raw)
            return buffer.take()


class _RsLi(Archive):
    kind = "rsli"

    TRAILER = 2  # rsOpenLib's flag: look for the trailer

    def _start(self, image: Optional[bytes], mode: ReadMode) -> None:
        self._image, self._edited, self._closed, self.edits = image, False, False, 0
        self._source: Any = None
        self._archive: Any = None
        self._free: Any = lambda: None
        self._work = room(_abi.RP_RSLI_WORK_BYTES)
        if image is None:
            self._writable()
            return
        count = call("RpRsLi_Count", image, len(image))
        self._records = (_abi.RpRsLiRecord * max(count, 1))()
        self._source = _abi.RpRsLi()
        attempt(
            "RpRsLi_Open",
            image,
            len(image),
            self.TRAILER,
            mode,
            self._records,
            count,
            self._source,
        )

    def _writable(self) -> Any:
        self._open_still()
        if self._archive is None:
            archive = _abi.RpRsLiArchive()
            call("RpRsLiArchive_Init", archive, None)
            free = weakref.finalize(self, _release, "RpRsLiArchive_Free", archive)
            if self._source is not None:
                try:
                    attempt("RpRsLi_CheckSizes", self._source)
                    attempt("RpRsLiArchive_Read", archive, self._source)
                except RetroposeError:
                    free()
                    raise
            self._archive, self._free = archive, free
        return self._archive

    def _as_read(self) -> bool:
        return self._source is not None and not self._edited

    def _count(self) -> int:
        return int(self._source.count if self._as_read() else self._writable().count)

    def _record(self, index: int) -> Any:
        if self._as_read():
            return self._source.records[index]
        return self._writable().members[index].record

    def _member(self, index: int) -> Member:
        record = self._record(index)
        name = bytes(record.name).split(b"\0", 1)[0]
        flags = record.flags & _abi.RP_RSLI_METHOD_MASK
        known = call("RpRsLiMethod_Name", flags) is not None
        packed = record.packed_size
        if not self._as_read():
            packed = self._writable().members[index].packed_size
        return Member(
            index,
            decode(name),
            record.unpacked_size,
            method=Method(flags) if known else None,
            packed_size=packed,
        )

    def _find(self, name: bytes) -> int:
        if self._as_read():
            return int(call("RpRsLi_Find", self._source, name))
        return int(call("RpRsLiArchive_Find", self._writable(), name))

    def _read(self, index: int) -> bytes:
        record = self._record(index)
        if self._as_read():
            size = ctypes.c_size_t()
            call("RpRsLi_Packed", self._source, index, ctypes.byref(size))
            packed_size = size.value
        else:
            packed_size = self._writable().members[index].packed_size
        most = call("RpRsLiMethod_MostUnpacked", record.flags, packed_size)
        if record.unpacked_size > most:
            raise RetroposeError(
                Status.CORRUPT,
                "the packed data is too short for the size that is declared",
                self._member(index).name,
                "at most %d bytes unpacked" % most,
                str(record.unpacked_size),
            )
        output = room(record.unpacked_size)
        notes = _abi.RpRsLiNotes()
        if self._as_read():
            attempt("RpRsLi_Load", self._source, index, output, self._work, notes)
        else:
            member = self._writable().members[index]
            attempt(
                "RpRsLi_Unpack",
                record.flags & _abi.RP_RSLI_METHOD_MASK,
                member.packed_key,
                member.packed,
                member.packed_size,
                output,
                record.unpacked_size,
                self._work,
                notes,
            )
        return bytes(output[: record.unpacked_size])

    def _edit(self, action: str, *arguments: Any) -> None:
        attempt("RpRsLiArchive_" + action, self._writable(), *arguments)
        self._touched()

    def _replace(self, index: int, data: bytes, method: Optional[Method]) -> None:
        flags = self._record(index).flags if method is None else Method(method)
        self._edit(
            "Replace",
            index,
            flags & _abi.RP_RSLI_METHOD_MASK,
            data,
            whole(len(data), "the size"),
        )

    def _add(
        self,
        position: int,
        name: bytes,
        data: bytes,
        type: int,
        attributes: Tuple[int, int, int],
        method: Method,
    ) -> None:
        if type or attributes != (0, 0, 0):
            raise RetroposeError(Status.INVALID, "members of RsLi have no type and no attributes")
        self._edit(
            "Add", position, name, Method(method), data, whole(len(data), "the size")
        )

    def _check(self, image: bytes) -> List[Finding]:
        sink = Sink()
        return checked(
            sink, "RpRsLi_Check", image, len(image), self.TRAILER, None, sink.raw
        )

    def _write(self, layout: Layout) -> bytes:
        with Buffer() as buffer:
            attempt("RpRsLiArchive_Write", self._writable(), Layout(layout), buffer.raw)
            return buffer.take()
