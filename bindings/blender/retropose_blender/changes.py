"""What was edited in Blender: the scene compared with the View of the stored model.

Every edit is found by comparing bits with what the import made. What a model has no place for is a
loss: it is named, and nothing of the model is touched on its account.
"""

from __future__ import annotations

import array
import math
import struct
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

import bpy
from mathutils import Euler, Matrix, Quaternion

from . import scene
from .lib.retropose import Key
from .build import LINEAR, curve_numbers, fill, inverse_of, printable
from .view import CELLS, NONE, Look, Surface, View, floats

LOCATION = [("location", index) for index in range(3)]
ROTATION = [("rotation_quaternion", index) for index in range(4)]
EULER = [("rotation_euler", index) for index in range(3)]
CHANNELS = ("location", "rotation_quaternion", "rotation_euler")
LAST_FRAME = 65534  # a track has at most 65535 keys
TWO_SIDED = 2  # a flag of batches (facts/formats.md C.6)
NORMAL_STEP = 1e-3  # a little more than the steps in which Blender stores custom normals

# The values of keys by their time, for each channel that has keys.
Numbers = Dict[Tuple[str, int], Dict[float, float]]


class Edit(NamedTuple):
    text: str  # for people: what is written
    apply: Callable[[object], None]  # to a model


class Changes:
    def __init__(self) -> None:
        self.edits: List[Edit] = []
        self.losses: List[str] = []  # what a model cannot hold
        self.tracks: Dict[int, list] = {}  # the new keys of nodes
        self.moved: Dict[int, Tuple[float, ...]] = {}  # vertices, by the model's number
        self.uv: Tuple[Dict[int, Tuple[int, int]], ...] = ({}, {})
        self.reshaped: Dict[int, object] = {}  # slots whose triangles are others, and their meshes

    def __bool__(self) -> bool:
        return bool(
            self.edits or self.tracks or self.moved or any(self.uv) or self.reshaped
        )

    def texts(self) -> List[str]:
        """What would be written, one line for each."""
        lines = [edit.text for edit in self.edits]
        if self.tracks:
            lines.append("keys of %s" % some(len(self.tracks), "node"))
        if self.moved:
            lines.append("positions of %s" % some(len(self.moved), "vertex", "vertices"))
        for channel, changed in enumerate(self.uv):
            if changed:
                name = ("texture", "lightmap")[channel]
                lines.append(
                    "%s coordinates of %s" % (name, some(len(changed), "vertex", "vertices"))
                )
        for slot in self.reshaped:
            lines.append("triangles of slot %d" % slot)
        return lines


def some(count: int, one: str, many: str = "") -> str:
    return "%d %s" % (count, one if count == 1 else many or one + "s")


def find(collection, view: View) -> Changes:
    """Compares a model's collection with the model that it was made from."""
    return Comparison(collection, view).changes


class Finder:
    """Notes what it finds in Changes."""

    def __init__(self, view: View, changes: Changes) -> None:
        self.view = view
        self.changes = changes

    def lose(self, text: str) -> None:
        if text not in self.changes.losses:
            self.changes.losses.append(text)

    def edit(self, text: str, apply: Callable[[object], None]) -> None:
        self.changes.edits.append(Edit(text, apply))


class Meshes(Finder):
    """Compares meshes with the slots that they were made from."""

    def __init__(self, view: View, changes: Changes) -> None:
        super().__init__(view, changes)
        self.still: "set[int]" = set()  # vertices that were not moved, in some mesh

    def has_its_triangles(self, mesh, surface: Surface) -> bool:
        """Whether vertices and triangles are those of the model, in the same order."""
        corners = array.array("i", (corner for face in surface.faces for corner in face))
        return (
            len(mesh.vertices) == len(surface.vertices)
            and len(mesh.polygons) == len(surface.faces)
            and len(mesh.loops) == len(corners)
            and attribute(mesh, scene.VERTEX) == surface.vertices
            and attribute(mesh, scene.TRIANGLE) == surface.triangles
            and read(mesh.loops, "vertex_index", "i", len(corners)) == corners
        )

    def compare(self, surface: Surface, mesh) -> None:
        self.check_layers(mesh)
        if not self.has_its_triangles(mesh, surface):
            self.changes.reshaped[surface.slot] = mesh
            return
        self.compare_positions(surface, mesh)
        for channel, name in enumerate(self.view.uv_names()):
            self.compare_uv(surface, mesh, channel, name)
        self.compare_looks(surface, mesh)
        self.compare_normals(surface, mesh)

    def check_layers(self, mesh) -> None:
        for layer in mesh.uv_layers:
            if layer.name not in self.view.uv_names():
                self.lose("the UV map %s of %s" % (layer.name, mesh.name))
        if len(mesh.color_attributes):
            self.lose("vertex colours of %s" % mesh.name)

    def compare_normals(self, surface: Surface, mesh) -> None:
        """Names normals that were edited. A vertex that moved takes the normals around it along;
        these are not compared."""
        made = bpy.data.meshes.new(mesh.name)
        try:
            fill(made, self.view, surface)
            made.update()
            was = corner_normals(made)
        finally:
            bpy.data.meshes.remove(made)
        now = corner_normals(mesh)
        if now.tobytes() == was.tobytes():
            return
        co = read(mesh.vertices, "co", "f", len(surface.co))
        moved = {
            number
            for number in range(len(surface.vertices))
            if co[3 * number : 3 * number + 3] != surface.co[3 * number : 3 * number + 3]
        }
        around = {
            corner for face in surface.faces if not moved.isdisjoint(face) for corner in face
        }
        corners = [corner for face in surface.faces for corner in face]
        if any(
            abs(a - b) > NORMAL_STEP and corners[number // 3] not in around
            for number, (a, b) in enumerate(zip(now, was))
        ):
            self.lose("custom normals of %s: the model keeps its own" % mesh.name)

    def compare_positions(self, surface: Surface, mesh) -> None:
        co = read(mesh.vertices, "co", "f", len(surface.co))
        if co.tobytes() == surface.co.tobytes():
            self.still.update(surface.vertices)
            return
        moved = self.changes.moved
        for number, vertex in enumerate(surface.vertices):
            now = co[3 * number : 3 * number + 3]
            if now.tobytes() == surface.co[3 * number : 3 * number + 3].tobytes():
                self.still.add(vertex)
                continue
            if not all(map(math.isfinite, now)):
                self.lose("vertex %d of %s is at no number" % (number, mesh.name))
            elif moved.setdefault(vertex, tuple(now)) != tuple(now):
                self.lose(
                    "vertex %d of %s: another mesh has the same vertex, at another place"
                    % (number, mesh.name)
                )

    def compare_uv(self, surface: Surface, mesh, channel: int, name: str) -> None:
        layer = mesh.uv_layers.get(name)
        if layer is None:
            self.lose("the UV map %s of %s is gone; the model keeps it" % (name, mesh.name))
            return
        was = surface.uv[channel]
        now = read(layer.data, "uv", "f", len(was))
        if now.tobytes() == was.tobytes():
            return
        unsigned = self.view.model.readings["uv"] == "unsigned"
        low, high = (0, 0xFFFF) if unsigned else (-0x8000, 0x7FFF)
        found: Dict[int, Tuple[int, int]] = {}
        for face, corners in enumerate(surface.faces):
            for number, corner in enumerate(corners):
                at = 2 * (3 * face + number)
                pair = now[at : at + 2]
                if not all(map(math.isfinite, pair)):
                    self.lose("UV of %s that are no numbers" % mesh.name)
                    return
                stored = round(pair[0] * 1024), round((1 - pair[1]) * 1024)
                fits = tuple(min(max(number, low), high) for number in stored)
                if fits != stored:
                    self.lose("UV of %s beyond %d: the nearest that fit" % (mesh.name, high / 1024))
                vertex = surface.vertices[corner]
                if found.setdefault(vertex, fits) != fits:
                    # The vertex has to become two.
                    self.changes.reshaped[surface.slot] = mesh
                    return
        raw = self.view.raw_uv[self.view.uv_channel(name)]
        changed = self.changes.uv[self.view.uv_channel(name)]
        for vertex, pair in found.items():
            if tuple(raw[2 * vertex : 2 * vertex + 2]) != pair:
                changed[vertex] = pair

    # ---- materials -------------------------------------------------------------------------------

    def compare_looks(self, surface: Surface, mesh) -> None:
        numbers = read(mesh.polygons, "material_index", "i", len(surface.faces))
        now: Dict[int, set] = {}
        for batch, number in zip(surface.batches, numbers):
            now.setdefault(batch, set()).add(number)
        for batch, found in now.items():
            looks = {self.look(mesh, number, self.view.look(batch)) for number in found}
            if len(looks) > 1:
                self.changes.reshaped[surface.slot] = mesh
                return
            look = looks.pop()
            if look != self.view.look(batch):
                self.edit(
                    "batch %d: %s"
                    % (batch, ", ".join("%s %d" % pair for pair in zip(Look._fields, look))),
                    lambda m, batch=batch, look=look: set_look(m, batch, look),
                )

    def look(self, mesh, number: int, was: Look) -> Look:
        """The fields of batches that a material stands for."""
        material = mesh.materials[number] if number < len(mesh.materials) else None
        if material is None:
            self.lose("%s has faces without a material" % mesh.name)
            return was
        values = [material.get(name) for name in scene.LOOK]
        limits = (0xFFFF, 0xFFFF, 0xFF, 0xFF, NONE)
        if all(
            isinstance(value, int) and 0 <= value <= limit for value, limit in zip(values, limits)
        ):
            look = Look(*values)
        else:
            row = scene.row_of_name(material.name)
            if row is None:
                self.lose(
                    "the material %s has no row: call it `row N`, or open its panel"
                    % material.name
                )
                return was
            by_byte = self.view.model.readings["material"] == "byte4"
            look = was._replace(row=row & 0xFF) if by_byte else was._replace(material=row)
        if material.use_backface_culling == bool(look.flags & TWO_SIDED):
            look = look._replace(flags=look.flags ^ TWO_SIDED)
        return look


class Comparison(Finder):
    """Compares all of a model's collection."""

    def __init__(self, collection, view: View) -> None:
        super().__init__(view, Changes())
        self.collection = collection
        self.meshes = Meshes(view, self.changes)
        self.animations = scene.Animations()
        self.holders: Dict[int, scene.Holder] = {}
        self.number_of: Dict[object, int] = {}  # by object or bone
        self.find_holders()
        for node in range(len(view.nodes)):
            if node in self.holders:
                self.compare_node(node, self.holders[node])
        self.compare_meshes()

    # ---- nodes -----------------------------------------------------------------------------------

    def find_holders(self) -> None:
        for holder in scene.holders(self.collection):
            node = holder.properties[scene.NODE]
            if not isinstance(node, int) or not 0 <= node < len(self.view.nodes):
                self.lose("%s says to be node %r, which the model lacks" % (holder.name, node))
                continue
            copy = holder
            if node not in self.holders:
                copy, self.holders[node] = None, holder
            elif holder.name == holder.properties.get(scene.NAME):
                # Of two that say to be one node, the copy is the one whose name is new.
                copy, self.holders[node] = self.holders[node], holder
            if copy is not None:
                self.lose("%s is a copy of a node, and a new node has no place" % copy.name)
        for node, holder in self.holders.items():
            self.number_of[key_of(holder.properties)] = node
        for node, record in enumerate(self.view.nodes):
            if node not in self.holders:
                self.lose(
                    "node %d (%s) is not in the collection any more; the model keeps it"
                    % (node, record.name)
                )
        self.find_strangers()

    def find_strangers(self) -> None:
        """Names what is no part of the model, in its collection and below its nodes."""
        own = set(self.collection.all_objects)
        armature = None
        if self.collection.get(scene.FORM) == scene.ARMATURE:
            armature = scene.armature_of(self.collection)
        if armature is not None:
            own.remove(armature)
            self.check_armature(armature)
        for owner in bpy.data.objects:
            if owner in own:
                is_part = scene.NODE in owner and (scene.CELL not in owner or owner.type == "MESH")
            else:
                is_part = scene.NODE in owner or owner == armature
                above = owner.parent
                while above is not None and above != armature and above not in own:
                    above = above.parent
                is_part = is_part or above is None
            if not is_part:
                self.lose("%s is no node of the model, and a new node has no place" % owner.name)

    def check_armature(self, owner) -> None:
        for bone in owner.data.bones:
            if scene.NODE not in bone:
                self.lose(
                    "the bone %s is no node of the model, and a new node has no place" % bone.name
                )
        if not is_identity(owner.matrix_basis) or owner.parent is not None:
            self.lose("the armature %s was moved as a whole: move its bones" % owner.name)
        if len(owner.constraints):
            self.lose("constraints of the armature %s" % owner.name)
        self.check_animation(owner)

    def check_animation(self, owner) -> None:
        """Names the curves of an object that are none of its node's, or of its bones'."""
        data = owner.animation_data
        if data is None:
            return
        read = {
            holder.prefix + channel
            for holder in self.holders.values()
            if holder.owner == owner
            for channel in CHANNELS + ("scale",)  # which has a loss of its own
        }
        for curve in scene.curves_of(data) + list(data.drivers):
            if curve.data_path not in read:
                self.lose("the animation of %s of %s" % (curve.data_path, owner.name))
        if not read and len(data.nla_tracks):
            self.lose("NLA strips of %s" % owner.name)

    def compare_node(self, node: int, holder: scene.Holder) -> None:
        record = self.view.nodes[node]
        properties = holder.properties
        title = record.name or "node %d" % node
        name, was = properties.name, str(properties.get(scene.NAME, ""))
        if scene.base_name(name) != scene.base_name(was):
            wanted = scene.base_name(name)
            if encodes(wanted, 31):
                self.edit(
                    "name of %s: %s" % (title, wanted), lambda m: m.rename(node, wanted)
                )
            else:
                self.lose(
                    "the name %s of %s does not fit: 31 letters of Windows-1251" % (wanted, title)
                )
        label = str(properties.get(scene.LABEL, ""))
        if label != printable(record.label):
            if encodes(label, 255):
                self.edit(
                    "label of %s: %s" % (title, label or "none"),
                    lambda m: m.set_label(node, label),
                )
            else:
                self.lose(
                    "the label %s of %s does not fit: 255 letters of Windows-1251" % (label, title)
                )
        flags = properties.get(scene.FLAGS, record.flags)
        if flags != record.flags:
            if isinstance(flags, int) and 0 <= flags <= 0xFFFF:
                self.edit(
                    "flags of %s: 0x%04X" % (title, flags), lambda m: m.set_flags(node, flags)
                )
            else:
                self.lose("the flags %r of %s are no 16 bits" % (flags, title))
        self.compare_parent(node, holder, title)
        self.compare_track(node, holder, title)

    def compare_parent(self, node: int, holder: scene.Holder, title: str) -> None:
        above = holder.parent
        parent = self.number_of.get(key_of(above)) if above is not None else None
        if above is not None and parent is None:
            self.lose("%s hangs on %s, which is no node" % (title, above.name))
        elif parent != self.view.parent(node):
            if parent is not None and parent >= node:
                self.lose(
                    "%s cannot hang on %s: a parent's number is the smaller one (rule M19)"
                    % (title, above.name)
                )
            else:
                name = "none" if parent is None else self.view.nodes[parent].name
                self.edit(
                    "parent of %s: %s" % (title, name), lambda m: m.set_parent(node, parent)
                )

    # ---- poses -----------------------------------------------------------------------------------

    def compare_track(self, node: int, holder: scene.Holder, title: str) -> None:
        target = holder.pose
        self.check_transform(holder, title)
        shown = self.view.track(node)
        curves = self.animations.curves(holder)
        offset = offset_of(holder)
        channels = LOCATION + (ROTATION if target.rotation_mode == "QUATERNION" else EULER)
        moving = [channel for channel in channels if channel in curves]
        data = holder.owner.animation_data
        if len(shown) > 1 and not moving and data and data.action is None and len(data.nla_tracks):
            self.lose("%s is animated by NLA strips, which are not read: its keys stay" % title)
            return
        if target.rotation_mode == "AXIS_ANGLE":
            self.lose("%s turns by axis and angle, which is not read: its keys stay" % title)
            return
        numbers: Numbers = {}
        if not moving:
            place = tuple(target.location), tuple(target.rotation_quaternion)
            still = target.rotation_mode == "QUATERNION" and offset is None
            if len(shown) == 1 and still and same(place[0] + place[1], shown[0][1] + shown[0][2]):
                return
            times = [0.0]
        else:
            if offset is None and target.rotation_mode == "QUATERNION":
                if len(shown) > 1 and all(
                    channel in curves and is_as_made(curves[channel], shown, channel)
                    for channel in channels
                ):
                    return
            numbers = {
                channel: self.on_frames(curves[channel], shown, title)
                for channel in moving
            }
            times = self.times([(curves[channel], numbers[channel]) for channel in moving], title)
        keys = self.keys(node, target, curves, numbers, times, offset)
        if keys != list(self.view.animation.track(node)):
            self.changes.tracks[node] = keys

    def check_transform(self, holder: scene.Holder, title: str) -> None:
        target = holder.pose
        curves = self.animations.curves(holder)
        if any(abs(scale - 1.0) > 1e-6 for scale in target.scale) or any(
            channel == "scale" for channel, _ in curves
        ):
            self.lose("the scale of %s: nodes have none; apply it to the mesh" % title)
        if len(target.constraints):
            self.lose("constraints of %s: bake them into keys first" % title)
        if holder.bone is None and any(
            tuple(getattr(target, name)) != neutral
            for name, neutral in (
                ("delta_location", (0.0, 0.0, 0.0)),
                ("delta_rotation_quaternion", (1.0, 0.0, 0.0, 0.0)),
                ("delta_scale", (1.0, 1.0, 1.0)),
            )
        ):
            self.lose("the delta transform of %s" % title)
        if holder.bone is not None and not is_identity(holder.bone.matrix_local):
            self.lose(
                "the rest position of bone %s: only poses are read; it has to stay at its parent's"
                " origin" % title
            )
        if any(curve.mute or curve.group and curve.group.mute for curve in curves.values()):
            self.lose("that F-curves of %s are muted: their keys count all the same" % title)
        if holder.bone is None:
            self.check_animation(holder.owner)
        data = holder.owner.animation_data
        driven = {driver.data_path for driver in data.drivers} if data else ()
        if any(holder.prefix + channel in driven for channel in CHANNELS):
            self.lose("drivers of %s: bake them into keys first" % title)

    def on_frames(self, curve, shown, title: str) -> Dict[float, float]:
        """The value of each key of an F-curve by its time. Times of the model's own keys stay; keys
        at other times between two frames move to the nearest frame, unless it has a key."""
        known = {key[0] for key in shown}
        found: Dict[float, float] = {}
        between = []
        for time, value in (tuple(point.co) for point in curve.keyframe_points):
            if time > LAST_FRAME:
                self.lose("keys of %s behind frame %d" % (title, LAST_FRAME))
                break
            if time in known or time == round(time):
                found[time] = value
            else:
                between.append((abs(time - round(time)), time, value))
        for _, time, value in sorted(between):
            frame = float(round(time))
            if frame in found:
                self.lose(
                    "the key of %s at frame %g: frame %d has one already, which stays"
                    % (title, time, frame)
                )
            else:
                found[frame] = value
                self.lose("keys of %s between two frames: they move to the nearest frame" % title)
        if any(time < 0.0 for time in found):
            self.lose("keys of %s before frame 0" % title)
        return found

    def times(self, curves, title: str) -> List[float]:
        """The times of a changed track: where curves have keys, and every frame that a curve bends
        between two keys, because the game goes straight."""
        found = {0.0}
        for curve, numbers in curves:
            found.update(time for time in numbers if time >= 0.0)
            points = curve.keyframe_points
            for point, after in zip(points, points[1:]):
                if point.interpolation != "LINEAR":
                    start, end = (min(max(p.co[0], 0.0), LAST_FRAME) for p in (point, after))
                    found.update(map(float, range(math.floor(start) + 1, math.ceil(end))))
            if len(curve.modifiers):
                self.lose("modifiers of F-curves of %s" % title)
        return sorted(found)

    def keys(self, node, target, curves, numbers, times, offset) -> list:
        """The keys of a node as Blender has them now."""
        pairs = zip(self.view.track(node), self.view.animation.track(node))
        shown = {key[0]: (key, old) for key, old in pairs}
        turning = [channel for channel in ROTATION if channel in curves]
        turns_as_before = (
            offset is None
            and target.rotation_mode == "QUATERNION"
            and len(turning) == 4
            and all(
                is_as_made(curves[channel], self.view.track(node), channel) for channel in turning
            )
        )
        places = values(curves, numbers, LOCATION, target.location)
        turns = values(curves, numbers, ROTATION, target.rotation_quaternion)
        angles = values(curves, numbers, EULER, target.rotation_euler)
        keys = []
        for time in times:
            location = tuple(at(time) for at in places)
            if target.rotation_mode == "QUATERNION":
                turn = tuple(at(time) for at in turns)
            else:
                euler = Euler([at(time) for at in angles], target.rotation_mode)
                turn = tuple(euler.to_quaternion())
            if offset is not None:
                location, turn = placed(offset, location, turn)
            key, old = shown.get(time, (None, None))
            if key is not None and same(turn, key[2]):
                rotation = old.rotation
            elif key is None and turns_as_before:
                rotation = self.view.model.rotation(self.view.animation.sample(node, time)[0])
            else:
                rotation = self.view.model.rotation(unit(turn))
            keys.append(Key(tuple(floats(location)), time, tuple(rotation)))
        return keys

    # ---- meshes ----------------------------------------------------------------------------------

    def compare_meshes(self) -> None:
        view = self.view
        found: Dict[Tuple[int, int], object] = {}
        for shown in scene.shown_objects(self.collection):
            place = shown[scene.NODE], shown[scene.CELL]
            if place in found:
                self.lose("%s is a copy of a mesh; a cell of a node shows one" % shown.name)
                continue
            found[place] = shown
            self.check_shown(shown)
        meshes: Dict[int, Dict[str, object]] = {}
        for node in range(len(view.nodes)):
            for cell in range(CELLS):
                shown = found.pop((node, cell), None)
                slot = self.compare_cell(node, cell, shown)
                if slot is not None:
                    meshes.setdefault(slot, {})[shown.data.name] = shown.data
        for shown in found.values():
            self.lose("%s shows a node that the model lacks" % shown.name)
        for slot, by_name in sorted(meshes.items()):
            surface = view.surface(slot)
            if len(by_name) > 1 and not all(
                is_untouched(view, surface, mesh) for mesh in by_name.values()
            ):
                self.lose(
                    "slot %d is shown as several meshes, of which a model holds one: %s"
                    % (slot, ", ".join(sorted(by_name)))
                )
            else:
                self.meshes.compare(surface, next(iter(by_name.values())))
        shared = len(self.meshes.still.intersection(self.changes.moved))
        if shared:
            self.lose(
                "%s moved in one mesh of several that share them: they move in all of these"
                % some(shared, "vertex", "vertices")
            )

    def check_shown(self, shown) -> None:
        holder = self.holders.get(shown[scene.NODE])
        if holder is not None and not hangs_on(shown, holder):
            self.lose(
                "%s does not hang on %s any more, whose mesh it stays" % (shown.name, holder.name)
            )
        elif not is_identity(shown.matrix_basis) or (
            holder is not None and not is_near(shown.matrix_parent_inverse, inverse_of(holder))
        ):
            self.lose(
                "%s was moved instead of its node: apply the transform to the mesh" % shown.name
            )
        if len(shown.constraints):
            self.lose("constraints of %s" % shown.name)
        if len(shown.vertex_groups):
            self.lose("vertex groups of %s" % shown.name)
        self.check_animation(shown)
        if len(shown.modifiers):
            self.lose("modifiers of %s: apply them first" % shown.name)
        if shown.data.shape_keys:
            self.lose("shape keys of %s" % shown.name)

    def compare_cell(self, node: int, cell: int, shown) -> Optional[int]:
        """Returns the slot that a node shows in a cell."""
        view = self.view
        title = "%s in %s" % (view.nodes[node].name or "node %d" % node, view.cell_name(cell))
        was = view.slot(node, cell)
        if shown is None:
            if was is not None and node in self.holders:
                self.edit("%s: nothing" % title, lambda m: m.set_slot(node, cell, None))
            return None
        slot = shown.data.get(scene.SLOT)
        if not isinstance(slot, int) or not 0 <= slot < len(view.slots):
            self.lose("%s has a mesh that is no slot of the model: %s" % (title, shown.data.name))
            return None
        if slot != was:
            self.edit("%s: slot %d" % (title, slot), lambda m: m.set_slot(node, cell, slot))
        return slot


def is_untouched(view: View, surface: Surface, mesh) -> bool:
    changes = Changes()
    Meshes(view, changes).compare(surface, mesh)
    return not changes and not changes.losses


BATCH = struct.Struct("<HHBBH")  # the beginning of a record (facts/formats.md C.6)
BATCH_BYTES = 20
BATCHES = 13


def set_look(model, batch: int, look: Look) -> None:
    stream = bytearray(model.stream(BATCHES))
    BATCH.pack_into(stream, batch * BATCH_BYTES, *look)
    model.set_stream(BATCHES, bytes(stream))


# ---- numbers -------------------------------------------------------------------------------------


def read(data, name: str, code: str, count: int) -> array.array:
    """An attribute of every element, as Blender stores it."""
    numbers = array.array(code, bytes(4 * count))
    if count:
        data.foreach_get(name, numbers)
    return numbers


def attribute(mesh, name: str) -> "array.array[int]":
    found = mesh.attributes.get(name)
    if found is None or found.data_type != "INT":
        return array.array("i")
    return read(found.data, "value", "i", len(found.data))


def corner_normals(mesh) -> "array.array[float]":
    """The normal of each corner as Blender shows it. Blender 4.1 has them ready."""
    if hasattr(mesh, "corner_normals"):
        return read(mesh.corner_normals, "vector", "f", 3 * len(mesh.loops))
    mesh.calc_normals_split()
    return read(mesh.loops, "normal", "f", 3 * len(mesh.loops))


def key_of(data) -> Tuple[str, str]:
    """What tells an object or a bone from all others."""
    return data.id_data.name if data.id_data else "", data.name


def same(a, b) -> bool:
    return floats(a).tobytes() == floats(b).tobytes()


def is_identity(matrix) -> bool:
    return matrix == Matrix.Identity(4)


def is_near(a, b) -> bool:
    return all(abs(x - y) < 1e-6 for row, other in zip(a, b) for x, y in zip(row, other))


def hangs_on(shown, holder: scene.Holder) -> bool:
    """Whether a mesh object is a child of what stands for its node."""
    if holder.bone is None:
        return shown.parent == holder.owner and shown.parent_type == "OBJECT"
    return (
        shown.parent == holder.owner
        and shown.parent_type == "BONE"
        and shown.parent_bone == holder.bone.name
    )


def offset_of(holder: scene.Holder) -> Optional[Matrix]:
    """What an object's parent adds to its placement, where that is not nothing."""
    if holder.bone is not None or holder.owner.parent is None:
        return None
    inverse = holder.owner.matrix_parent_inverse
    return None if is_identity(inverse) else inverse.copy()


def placed(offset: Matrix, location, turn):
    matrix = offset @ Matrix.Translation(location) @ Quaternion(turn).to_matrix().to_4x4()
    place, rotation, _ = matrix.decompose()
    return tuple(place), tuple(rotation)


def is_as_made(curve, shown, channel) -> bool:
    """Whether an F-curve is what the import made of a track."""
    points = curve.keyframe_points
    if len(points) != len(shown) or len(curve.modifiers):
        return False
    part = 1 if channel[0] == "location" else 2
    numbers = read(points, "co", "f", 2 * len(points))
    if numbers.tobytes() != curve_numbers(shown, part, channel[1]).tobytes():
        return False
    kinds = read(points, "interpolation", "i", len(points))
    return all(kind == LINEAR for kind in kinds[:-1])


def values(curves, numbers: Numbers, channels, still) -> "List[Callable[[float], float]]":
    """For each channel, its value at a time: the key's own number where there is a key."""
    found = []
    for index, channel in enumerate(channels):
        if channel not in numbers:
            found.append(lambda time, number=still[index]: number)
        else:
            keys, curve = numbers[channel], curves[channel]
            found.append(
                lambda time, keys=keys, curve=curve: keys[time]
                if time in keys
                else curve.evaluate(time)
            )
    return found


def unit(turn):
    length = math.sqrt(sum(number * number for number in turn))
    if not math.isfinite(length) or length < 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    return tuple(number / length for number in turn)


def encodes(text: str, most: int) -> bool:
    try:
        return len(text.encode("cp1251")) <= most and "\0" not in text
    except UnicodeEncodeError:
        return False
