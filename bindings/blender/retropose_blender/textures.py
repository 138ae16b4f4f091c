"""The images of a model's materials: files of a folder that are called as materials are, else the
game's own (docs/formats/texm.md)."""

from __future__ import annotations

import array
import hashlib
import os
from typing import Dict, List, NamedTuple, Optional, Tuple

import bpy

from . import engine
from .lib import retropose

EXTENSIONS = (".png", ".tga", ".bmp", ".jpg", ".jpeg", ".dds", ".tif", ".tiff")
MATERIALS, TEXTURES = "Material.lib", "Textures.lib"
DIGEST = "retropose_texture"  # on an image, that of the bytes that it was decoded from
MOST_PIXELS = 1 << 24  # of all textures of a model; files made to exhaust memory share bytes
MOST_SIDE = 8192
MOST_NAMED = 8  # names in one note
# Flags of materials (facts/formats.md E.4): drawn opaque whatever alpha they have; and the number of the
# way in which others are drawn over what is behind them, 0 for not at all.
LIT = 2
BLENDED = 0x3C


class Found(NamedTuple):
    """What a material is drawn with."""

    image: "bpy.types.Image"
    # place and size of the part that is used, from the lower left corner, of 1 x 1
    part: Optional[Tuple[float, float, float, float]] = None
    see_through: bool = False  # the image's alpha is transparency


class Textures:
    """Where the images of one model come from. `folders` are searched in this order; images that are
    called as materials are lie in the first, if `images` says so."""

    def __init__(self, folders: List[str], images: bool) -> None:
        self.folders = folders
        self.images: Dict[str, str] = {}
        self.libraries: Dict[str, Optional[retropose.Archive]] = {}
        self.decoded: Dict[str, Optional[Tuple[bpy.types.Image, retropose.Texture]]] = {}
        self.pixels_left = MOST_PIXELS
        self.complaints: Dict[str, List[str]] = {}  # what is wrong, and with which names
        for file in self.files(folders[0]) if images else ():
            stem, extension = os.path.splitext(file)
            if extension.lower() in EXTENSIONS:
                self.images.setdefault(stem.lower(), os.path.join(folders[0], file))

    def notes(self) -> List[str]:
        """What could not be found or read, each thing once."""
        notes = []
        for what, names in self.complaints.items():
            some = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
            notes.append("%s: %s" % (what, some) if some else what)
        return notes

    def complain(self, what: str, name: str = "") -> None:
        names = self.complaints.setdefault(what, [])
        if name and name not in names:
            names.append(name)

    def files(self, folder: str) -> List[str]:
        """The names in a folder, in the same order everywhere."""
        try:
            return sorted(os.listdir(folder))
        except OSError as error:
            self.complain(str(error))
            return []

    # ---- looking up ------------------------------------------------------------------------------

    def find(self, named: str) -> Optional[Found]:
        """The image of a material's name, if there is one."""
        if not named:
            return None
        file = self.images.get(os.path.splitext(named)[0].lower())
        if file is not None:
            try:
                return Found(bpy.data.images.load(file, check_existing=True))
            except RuntimeError as error:
                self.complain(str(error).strip())
                return None
        try:
            return self.of_the_game(named)
        except engine.Error as error:
            self.complain("%s has no texture: %s" % (named, error))
            return None

    def library(self, name: str) -> "Optional[retropose.Archive]":
        """A library of the game, whatever the case of its name."""
        if name not in self.libraries:
            self.libraries[name] = None
            path = self.path(name)
            if path is None:
                self.complain("%s is not in %s" % (name, " or ".join(self.folders)))
                return None
            try:
                self.libraries[name] = retropose.Archive.open(path)
            except engine.Error as error:
                self.complain(str(error))
        return self.libraries[name]

    def path(self, name: str) -> Optional[str]:
        for folder in self.folders:
            for file in self.files(folder):
                if file.lower() == name.lower():
                    return os.path.join(folder, file)
        return None

    def of_the_game(self, named: str) -> Optional[Found]:
        materials = self.library(MATERIALS)
        if materials is None:
            return None
        material = retropose.Material.find(materials, named)
        if material is None or material.match != retropose.MaterialMatch.NAMED:
            stands = "nothing" if material is None else material.name
            self.complain("not in %s, %s stands for it" % (MATERIALS, stands), named)
        phase = material.shown if material else None
        if phase is None or not phase.texture:  # which is meant so
            return None
        found = self.decode(phase.texture)
        if found is None:
            return None
        image, texture = found
        part = None
        if phase.page is not None:
            part = part_of(texture, phase.page)
            if part is None:
                self.complain("%s has no page %d" % (phase.texture, phase.page), named)
        blended = bool(material.flags & BLENDED) and not material.flags & LIT
        return Found(image, part, blended and texture.format.has_alpha)

    def decode(self, name: str) -> "Optional[Tuple[bpy.types.Image, retropose.Texture]]":
        """The texture of a name, as an image that the file holds."""
        key = name.lower()
        if key not in self.decoded:
            self.decoded[key] = None
            archive = self.library(TEXTURES)
            member = archive.find(name) if archive is not None else None
            if member is not None:
                self.decoded[key] = self.read(archive, member)
            elif archive is not None:
                self.complain("not in %s" % TEXTURES, name)
        return self.decoded[key]

    def read(self, archive, member):
        texture = retropose.Texture.from_archive(archive, member)
        pixels = texture.width * texture.height
        if pixels > self.pixels_left or max(texture.width, texture.height) > MOST_SIDE:
            self.complain(
                "not shown, because textures are wider or higher than %d pixels, or have more than %d "
                "in all" % (MOST_SIDE, MOST_PIXELS),
                member.name,
            )
            return None
        self.pixels_left -= pixels
        digest = hashlib.sha256(archive.read(member)).hexdigest()
        for image in bpy.data.images:
            if image.get(DIGEST) == digest:
                return image, texture
        return make(member.name, texture, digest), texture


def part_of(texture, page: int) -> Optional[Tuple[float, float, float, float]]:
    if not 0 <= page < len(texture.pages):
        return None
    found = texture.pages[page]
    width, height = found.width / texture.width, found.height / texture.height
    # rows are counted from the top in the game, and from the bottom in Blender
    return found.x / texture.width, 1 - found.y / texture.height - height, width, height


def make(name: str, texture, digest: str):
    """An image in the file itself, whose rows Blender has from the bottom."""
    image = bpy.data.images.new(printable(name), texture.width, texture.height, alpha=True)
    # Colours and alpha are independent: the alpha of most textures is not transparency.
    image.alpha_mode = "CHANNEL_PACKED"
    rgba, row = texture.rgba(), 4 * texture.width
    share = [byte / 255 for byte in range(256)]
    pixels = array.array("f")
    for start in range(len(rgba) - row, -1, -row):
        pixels.extend([share[byte] for byte in rgba[start : start + row]])
    image.pixels.foreach_set(pixels)
    image.update()
    image.pack()
    image[DIGEST] = digest
    return image


def printable(text: str) -> str:
    """A text of the file as Blender can hold it. Bytes without a letter become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
