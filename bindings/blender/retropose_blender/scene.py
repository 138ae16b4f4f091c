"""Where the parts of a model are in Blender's data: names of custom properties, and nodes.

A model is a collection that holds the model's own bytes. A node is an empty, or a bone of an
armature: the class Holder is either. What a node shows in one cell is a mesh object under it.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from typing import Dict, Iterator, List, Optional, Set, Tuple

import bpy

# On the collection of a model:
MODEL = "retropose_model"  # the bytes of the .msh as it was opened, compressed
SOURCE = "retropose_source"  # where it was opened: FILE or FILE::MEMBER
READINGS = "retropose_readings"
FORM = "retropose_form"  # OBJECTS or ARMATURE
WRITTEN = "retropose_written"  # the digest of the model that was written back last
# On a node's object or bone:
NODE = "retropose_node"  # its number
NAME = "retropose_name"  # what the object or bone was called when the model was opened
FLAGS = "retropose_flags"
LABEL = "retropose_label"
# On the object of a mesh: NODE, and
CELL = "retropose_cell"
# On a mesh:
SLOT = "retropose_slot"
# Attributes of a mesh: the model's number of each vertex, and the record of Res7 of each face.
VERTEX = "retropose_vertex"
TRIANGLE = "retropose_triangle"
# On a material, the fields of the batches that it stands for:
LOOK = (
    "retropose_flags",
    "retropose_material",
    "retropose_row",
    "retropose_lightmap",
    "retropose_portal",
)

OBJECTS, ARMATURE = "OBJECTS", "ARMATURE"


def base_name(name: str) -> str:
    """A name without the number that Blender puts behind one that exists already."""
    return re.sub(r"\.\d{3,}$", "", name)


def row_of_name(name: str) -> Optional[int]:
    """The row of a material that is called `row N`."""
    match = re.fullmatch(r"row (\d{1,5})", base_name(name))
    return int(match[1]) if match and int(match[1]) <= 0xFFFF else None


def keep_model(collection, original: bytes) -> None:
    collection[MODEL] = zlib.compress(original, 9)


def kept_model(collection) -> bytes:
    """The bytes of the model as it was opened. ValueError where somebody has changed them."""
    try:
        return zlib.decompress(bytes(collection[MODEL]))
    except (zlib.error, TypeError, ValueError) as error:
        raise ValueError(
            "the collection %s does not hold its model any more: %s" % (collection.name, error)
        ) from error


def digest(model: bytes) -> str:
    return hashlib.sha256(model).hexdigest()


# What WRITTEN says, by the .blend, the collection and the place: undo takes the property back, and
# not what was written to the file.
_written: Dict[Tuple[str, str, str], str] = {}


def _written_key(collection) -> Tuple[str, str, str]:
    return bpy.data.filepath, collection.name, str(collection[SOURCE])


def keep_written(collection, model: bytes) -> None:
    """Remembers the model that was written to where the collection's was opened."""
    collection[WRITTEN] = _written[_written_key(collection)] = digest(model)


def own_digests(collection) -> Set[str]:
    """The digests of what this collection has read from its place or written there."""
    return {
        digest(kept_model(collection)),
        str(collection.get(WRITTEN, "")),
        _written.get(_written_key(collection), ""),
    }


def models() -> List["bpy.types.Collection"]:
    return [collection for collection in bpy.data.collections if MODEL in collection]


def model_of(context) -> Optional["bpy.types.Collection"]:
    """The model that the user is at: that of the active object, else the active collection, else
    the only one that there is."""
    found = models()
    active = context.object if hasattr(context, "object") else None
    for collection in found:
        if active is not None and active.name in collection.all_objects:
            return collection
    chosen = getattr(context, "collection", None)
    for collection in found:
        if chosen == collection or chosen in collection.children_recursive:
            return collection
    return found[0] if len(found) == 1 else None


class Holder:
    """What stands for a node: an object, or a bone of an armature."""

    def __init__(self, owner, bone=None) -> None:
        self.owner = owner
        self.bone = bone
        self.pose = owner if bone is None else owner.pose.bones[bone.name]
        self.properties = owner if bone is None else bone

    @property
    def name(self) -> str:
        return self.properties.name

    @property
    def parent(self):
        """The object or bone above."""
        return self.properties.parent

    @property
    def prefix(self) -> str:
        """How data paths of F-curves begin."""
        if self.bone is None:
            return ""
        return 'pose.bones["%s"].' % bpy.utils.escape_identifier(self.bone.name)


Curves = Dict[Tuple[str, int], "bpy.types.FCurve"]


class Animations:
    """The F-curves of nodes that have keys, found once for all bones of an armature."""

    def __init__(self) -> None:
        self._owners: Dict[str, Dict[str, Curves]] = {}

    def curves(self, holder: Holder) -> Curves:
        """A node's curves by channel, such as `location`, and index."""
        owner = holder.owner
        if owner.name not in self._owners:
            found: Dict[str, Curves] = {}
            data = owner.animation_data
            for curve in curves_of(data) if data else ():
                start, dot, channel = curve.data_path.rpartition(".")
                if len(curve.keyframe_points):
                    found.setdefault(start + dot, {})[channel, curve.array_index] = curve
            self._owners[owner.name] = found
        return self._owners[owner.name].get(holder.prefix, {})


def curves_of(data) -> "List[bpy.types.FCurve]":
    """The F-curves of the action in use. Since Blender 4.4 an action has slots, and those of other
    slots are not this object's."""
    action = data.action
    if action is None:
        return []
    slot = getattr(data, "action_slot", None)
    if slot is not None:
        found = []
        for layer in action.layers:
            for strip in layer.strips:
                bag = strip.channelbag(slot)
                if bag is not None:
                    found.extend(bag.fcurves)
        return found
    return list(action.fcurves)


def armature_of(collection) -> "Optional[bpy.types.Object]":
    for owner in collection.all_objects:
        if owner.type == "ARMATURE" and any(NODE in bone for bone in owner.data.bones):
            return owner
    return None


def holders(collection) -> Iterator[Holder]:
    """Everything in a model's collection that says to be a node of it."""
    if collection.get(FORM) == ARMATURE:
        owner = armature_of(collection)
        for bone in owner.data.bones if owner else ():
            if NODE in bone:
                yield Holder(owner, bone)
        return
    for owner in collection.all_objects:
        if NODE in owner and CELL not in owner:
            yield Holder(owner)


def shown_objects(collection) -> "Iterator[bpy.types.Object]":
    """The mesh objects that show a node in a cell."""
    for owner in collection.all_objects:
        if NODE in owner and CELL in owner and owner.type == "MESH":
            yield owner
