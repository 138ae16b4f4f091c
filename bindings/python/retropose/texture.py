"""Textures: the game's images, and what leads to them from a batch of a model.

    material = Material.find(Archive.open("Material.lib"), wear.materials[batch.row])
    texture = Texture.from_archive(Archive.open("Textures.lib"), material.shown.texture)
"""

from __future__ import annotations

import ctypes
import enum
import os
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple, Union

from . import _abi
from .archive import Archive, Member, Source, _NRes
from .errors import RetroposeError, Status
from .library import as_bytes, attempt, call, decode, encode, read_file, room, whole

Colour = Tuple[int, int, int, int]


class TextureFormat(enum.IntEnum):
    """How a pixel is stored, the most significant channel first."""

    PALETTE = _abi.RP_TEXM_PALETTE
    A8L8 = _abi.RP_TEXM_A8L8
    R5G5B6 = _abi.RP_TEXM_R5G5B6
    R5G6B5 = _abi.RP_TEXM_R5G6B5
    X8R8G8B8 = _abi.RP_TEXM_X8R8G8B8
    A4R4G4B4 = _abi.RP_TEXM_A4R4G4B4
    A8R8G8B8 = _abi.RP_TEXM_A8R8G8B8

    @property
    def has_alpha(self) -> bool:
        """Whether pixels have an alpha of their own; those of other formats are opaque."""
        return bool(call("RpTexmFormat_HasAlpha", self))


@dataclass(frozen=True)
class Page:
    """One of the images that share a texture: a rectangle of the largest level, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Texture:
    """A Texm image. It is read whole when it is opened, and decoded when pixels are asked for."""

    width: int  # of level 0
    height: int
    format: TextureFormat
    pages: Tuple[Page, ...]

    def __init__(self) -> None:
        raise TypeError("a texture is made by Texture.open or Texture.from_archive")

    @classmethod
    def open(cls, source: Source) -> "Texture":
        """Reads a file, named by its path, or the bytes of one."""
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls._of(as_bytes(source))
        try:
            return cls._of(read_file(source))
        except RetroposeError as error:
            raise _at(error, os.fspath(source)) from None

    @classmethod
    def from_archive(cls, archive: Archive, member: Union[int, str, Member]) -> "Texture":
        data = archive.read(member)
        try:
            return cls._of(data)
        except RetroposeError as error:
            raise _at(error, _place(archive, member)) from None

    @classmethod
    def _of(cls, image: bytes) -> "Texture":
        texture: Texture = object.__new__(cls)
        raw = _abi.RpTexm()
        attempt("RpTexm_Open", image, len(image), raw)
        texture._image, texture._raw = image, raw
        texture.width, texture.height = raw.width, raw.height
        texture.format = TextureFormat(raw.format)
        pages = (call("RpTexm_Page", raw, page) for page in range(raw.page_count))
        texture.pages = tuple(Page(page.x, page.y, page.width, page.height) for page in pages)
        return texture

    _image: bytes  # into which _raw points
    _raw: Any

    @property
    def levels(self) -> List[Tuple[int, int]]:
        """The width and height of each level."""
        return [self._size(level) for level in range(self._raw.level_count)]

    def _size(self, level: int) -> Tuple[int, int]:
        width, height = ctypes.c_uint32(), ctypes.c_uint32()
        call("RpTexm_LevelSize", self._raw, level, ctypes.byref(width), ctypes.byref(height))
        return width.value, height.value

    def rgba(self, level: int = 0) -> bytes:
        """The pixels of a level, row by row from the top, each as red, green, blue and alpha."""
        width, height = self._size(whole(level, "the level", self._raw.level_count - 1))
        size = 4 * width * height
        pixels = room(size)
        attempt("RpTexm_Level", self._raw, level, pixels, size)
        return bytes(pixels)

    def __repr__(self) -> str:
        return "<texture of %d x %d, %s>" % (self.width, self.height, self.format.name)


@dataclass(frozen=True)
class Wear:
    """The names of a model's `.wea` member: materials by row, lightmaps by number. A row without a
    name is an empty text."""

    materials: Tuple[str, ...] = ()
    lightmaps: Tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: bytes) -> "Wear":
        """Reads such a text. Words in it that make no sense are passed over."""
        stored = as_bytes(text)
        raw = _abi.RpWear()
        attempt("RpWear_Read", raw, stored, len(stored), None)
        try:
            return cls(
                _names(raw.materials, raw.material_count), _names(raw.lightmaps, raw.lightmap_count)
            )
        finally:
            call("RpWear_Free", raw)


def _names(names: Any, count: int) -> Tuple[str, ...]:
    found = (names[row] for row in range(count))
    return tuple(decode(ctypes.string_at(name.text, name.length)) for name in found)


class MaterialMatch(enum.IntEnum):
    """What led to a material."""

    NAMED = _abi.RP_MATERIAL_NAMED  # its name
    DEFAULT = _abi.RP_MATERIAL_DEFAULT  # nothing has the name; this is the one called DEFAULT
    FIRST = _abi.RP_MATERIAL_FIRST  # nor is anything called DEFAULT; this is the first entry


@dataclass(frozen=True)
class MaterialPhase:
    """What a surface looks like at one time. Colours are from 0 to 255, alphas from 0 to 100."""

    ambient: Colour
    diffuse: Colour
    specular: Colour
    emissive: Colour
    power: int
    page: Optional[int]  # of the texture; None: all of it
    texture: str  # a member of Textures.lib; empty: the surface has no texture


class Material:
    """A record MAT0 of `Material.lib`."""

    name: str
    flags: int  # how it is drawn, the first attribute of its member
    match: MaterialMatch
    phases: Tuple[MaterialPhase, ...]
    shown: Optional[MaterialPhase]  # the phase that is shown first; None: there is none

    def __init__(self) -> None:
        raise TypeError("a material is made by Material.find or Material.from_archive")

    @classmethod
    def find(cls, archive: Archive, name: str) -> "Optional[Material]":
        """The material that stands for a name of a `.wea`: the one of this name, else the one called
        DEFAULT, else the first entry; `match` says which. None if none of these is a material."""
        try:
            stored = encode(name)
        except RetroposeError:
            stored = b""  # nothing is called so
        match = ctypes.c_int()
        index = call("RpMaterial_Find", _nres(archive).entries(), stored, ctypes.byref(match))
        return None if index < 0 else cls._of(archive, index, MaterialMatch(match.value))

    @classmethod
    def from_archive(cls, archive: Archive, member: Union[int, str, Member]) -> "Material":
        """The material of a member."""
        found = member if isinstance(member, Member) else _nres(archive)[member]
        return cls._of(archive, found.index, MaterialMatch.NAMED)

    @classmethod
    def _of(cls, archive: Archive, index: int, match: MaterialMatch) -> "Material":
        member, data = archive[index], archive.read(index)
        raw = _abi.RpMaterial()
        try:
            attempt("RpMaterial_Open", data, len(data), member.attributes[1], raw)
        except RetroposeError as error:
            raise _at(error, _place(archive, member)) from None
        material: Material = object.__new__(cls)
        material.name, material.flags, material.match = member.name, member.attributes[0], match
        material.phases = tuple(
            _phase(call("RpMaterial_Phase", raw, phase)) for phase in range(raw.phase_count)
        )
        material.shown = material.phases[raw.shown] if material.phases else None
        return material

    def __repr__(self) -> str:
        return "<material %s: %d phases>" % (self.name, len(self.phases))


def _phase(raw: Any) -> MaterialPhase:
    return MaterialPhase(
        _colour(raw.ambient),
        _colour(raw.diffuse),
        _colour(raw.specular),
        _colour(raw.emissive),
        int(raw.power),
        None if raw.page == _abi.RP_MATERIAL_WHOLE else int(raw.page),
        decode(raw.texture),
    )


def _colour(raw: Any) -> Colour:
    red, green, blue, alpha = raw
    return red, green, blue, alpha


def _nres(archive: Archive) -> Any:
    if not isinstance(archive, _NRes):
        raise RetroposeError(
            Status.UNSUPPORTED,
            "this is no library of materials",
            archive.path or "",
            expected="NRes",
            found="RsLi",
        )
    return archive


def _place(archive: Archive, member: Union[int, str, Member]) -> str:
    named = member if isinstance(member, Member) else archive[member]
    return "%s::%s" % (archive.path or "archive", named.name)


def _at(error: RetroposeError, place: str) -> RetroposeError:
    return RetroposeError(
        error.status, error.what, place, error.expected, error.found, error.offset
    )
