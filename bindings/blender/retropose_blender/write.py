"""Carries the edits that were made in Blender out on the model, and puts it where it belongs."""

from __future__ import annotations

import os
import struct
from typing import List, Optional, Set, Tuple

from . import changes as comparing
from . import reshape, scene
from .engine import load
from .view import View

SLOTS, TRIANGLES = 2, 7
MODEL_STREAMS = {1, 2, 3, 6, 13}  # which every model has (facts/formats.md C.1)
# The parts of the records that are computed (facts/formats.md C.5, C.7): of the header the box, the
# sphere and the axis; of a slot the box, the sphere, area and volume; of a triangle the neighbours,
# the normal and the edges.
HEADER_BYTES, SLOT_BYTES, TRIANGLE_BYTES = 140, 68, 16
HEADER_PARTS = ((0, 96), (96, 112), (112, 140))
SLOT_PARTS = ((8, 32), (32, 48), (48, 56))
TRIANGLE_PARTS = ((2, 8), (8, 14), (14, 16))


class Result:
    """A model as it is to be written."""

    def __init__(self, data: bytes, changes, notes: List[str]) -> None:
        self.data = data
        self.changes = changes
        self.notes = notes  # what the library has to say about it


def original(collection):
    """The model as it was opened: its bytes, and a Model of them."""
    retropose = load()
    data = scene.kept_model(collection)
    return data, retropose.Model.open(data, str(collection.get(scene.READINGS, "")))


def result(collection) -> Result:
    """The model with what was edited. Without an edit it is the very bytes that were opened."""
    data, model = original(collection)
    view = View(model)
    changes = comparing.find(collection, view)
    notes: List[str] = []
    if not changes:
        return Result(data, changes, notes)
    for edit in changes.edits:
        edit.apply(model)
    write_uv(model, view, changes)
    if changes.moved:
        move(model, data, changes.moved, notes)
    if changes.tracks:
        write_tracks(model, changes, notes)
    if changes.reshaped:
        model = reshape.reshaped(model, view, changes, notes)
    return Result(model.to_bytes(), changes, notes)


def write_uv(model, view: View, changes) -> None:
    for channel, (type_of_stream, changed) in enumerate(zip((5, 18), changes.uv)):
        if changed:
            stream = bytearray(model.stream(type_of_stream))
            code = "<HH" if model.readings["uv"] == "unsigned" else "<hh"
            for vertex, pair in changed.items():
                struct.pack_into(code, stream, 4 * vertex, *pair)
            model.set_stream(type_of_stream, bytes(stream))


# ---- positions -----------------------------------------------------------------------------------


def move(model, data: bytes, moved, notes: List[str]) -> None:
    """Moves vertices. What follows from them is computed for the model before and after the move;
    where both agree, the model keeps the bytes that it has."""
    stream = bytearray(model.stream(3))
    for vertex, position in moved.items():
        struct.pack_into("<fff", stream, 12 * vertex, *position)
    try:
        before = computed(model)
        model.set_stream(3, bytes(stream))
        after = computed(model)
    except load().RetroposeError as error:
        model.set_stream(3, bytes(stream))
        notes.append("bounds and face normals stay as they were: %s" % error)
        return
    slots = bytearray(model.stream(SLOTS))
    take(slots, before[0], after[0], 0, HEADER_BYTES, HEADER_PARTS)
    take(slots, before[0], after[0], HEADER_BYTES, SLOT_BYTES, SLOT_PARTS)
    model.set_stream(SLOTS, bytes(slots))
    triangles = bytearray(model.stream(TRIANGLES))
    take(triangles, before[1], after[1], 0, TRIANGLE_BYTES, TRIANGLE_PARTS)
    model.set_stream(TRIANGLES, bytes(triangles))


def computed(model) -> Tuple[bytes, bytes]:
    """Res2 and Res7 as they follow from the geometry. The model stays as it is."""
    copy = load().Model.open(model.to_bytes(), str(model.readings))
    copy.update_bounds()
    if copy.stream(TRIANGLES):
        copy.update_triangles()
    return copy.stream(SLOTS), copy.stream(TRIANGLES)


def take(stream, before: bytes, after: bytes, start: int, stride: int, parts) -> None:
    """Takes over the parts of records that the move has changed. The header is one record."""
    end = start + stride if start == 0 and stride == HEADER_BYTES else len(stream)
    if len(before) != len(stream) or len(after) != len(stream):
        return
    for record in range(start, end - stride + 1, stride):
        for low, high in parts:
            part = slice(record + low, record + high)
            if before[part] != after[part]:
                stream[part] = after[part]


# ---- keys ----------------------------------------------------------------------------------------


def write_tracks(model, changes, notes: List[str]) -> None:
    animation = model.animation()
    if animation.sampled:
        notes.append(
            "the tracks of %s were not in the game's own form, and get a key a frame"
            % comparing.some(animation.sampled, "node")
        )
    nodes = range(animation.node_count)
    ended = animation.frame_count == 1 + max(animation.track(node)[-1].time for node in nodes)
    for node, keys in changes.tracks.items():
        animation.set_track(node, keys)
    if ended:
        last = max(animation.track(node)[-1].time for node in nodes)
        animation.frame_count = 1 + int(-(-last // 1))
    model.set_animation(animation, update=False)


# ---- files ---------------------------------------------------------------------------------------


class Place:
    """FILE, FILE::MEMBER or FILE::LIBRARY::MEMBER; a member is a name, or # and its index."""

    def __init__(self, text: str) -> None:
        self.path, *self.members = text.split("::")

    def __str__(self) -> str:
        return "::".join([self.path] + self.members)


def member_of(archive, name: str):
    if name.startswith("#") and name[1:].isdigit():
        index = int(name[1:])
        if index < len(archive):
            return archive.members[index]
    else:
        found = archive.find(name)
        if found is not None:
            return found
    retropose = load()
    raise retropose.RetroposeError(
        retropose.Status.NOT_FOUND, "there is no such member", name, "", ""
    )


def is_a_model(data: bytes) -> bool:
    """Whether these bytes are a model itself, and not a library or something else. RetroposeError
    where they are no archive."""
    with load().Archive.open(data) as archive:
        return archive.kind == "nres" and MODEL_STREAMS <= {
            member.type for member in archive.members
        }


def check_replaceable(data: bytes, place: str) -> None:
    """A model takes the place of a model only: a library would lose all that is in it."""
    retropose = load()
    try:
        if is_a_model(data):
            return
        problem = "this is a library; name the member as FILE::MEMBER"
        found = "an archive of other things"
    except retropose.RetroposeError:
        problem, found = "this is no model, and is not replaced by one", "another file"
    raise retropose.RetroposeError(
        retropose.Status.INVALID, problem, place, "a model", found
    )


def replaced(
    data: bytes, place: str, members: List[str], model: bytes, known: Optional[Set[str]]
) -> bytes:
    """An archive with another model in it. The member has to be a model now, and of a digest that
    is in `known`, if that is given."""
    retropose = load()
    if not members:
        check_replaceable(data, place)
        if known is not None and scene.digest(data) not in known:
            raise retropose.RetroposeError(
                retropose.Status.INVALID,
                "the model in the file is not the one that was opened any more",
                "",
                "the bytes that were opened, or written from here",
                "others, which this would undo",
            )
        return model
    with retropose.Archive.open(data) as archive:
        member = member_of(archive, members[0])
        inner = archive.read(member)
        outer = replaced(inner, "%s::%s" % (place, members[0]), members[1:], model, known)
        if outer == inner:
            return data
        archive.replace(member, outer)
        return archive.to_bytes()


def put(place: Place, model: bytes, known: Optional[Set[str]]) -> bool:
    """Writes a model to its place. What is there already has to be a model, and of a digest that is
    in `known`, if that is given. Returns whether the file changed."""
    present = None
    if os.path.exists(place.path):
        with open(place.path, "rb") as file:
            present = file.read()
    if present is None:
        if place.members:
            retropose = load()
            raise retropose.RetroposeError(
                retropose.Status.NOT_FOUND, "the library is not there", place.path
            )
        wanted = model
    else:
        wanted = replaced(present, place.path, place.members, model, known)
    if wanted == present:
        return False
    load().library.write_file(place.path, wanted)
    return True
