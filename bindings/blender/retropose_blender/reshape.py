"""Meshes whose triangles are others: the model is made anew through glTF.

The library exports the model with corrections for all that glTF cannot say. The meshes that were
edited are replaced in this export, and the import makes the rest byte for byte as it was wherever
the corrections still fit (docs/formats/gltf.md).
"""

from __future__ import annotations

import array
import base64
import json
import math
from typing import Dict, List, NamedTuple, Tuple

from . import changes as comparing
from . import scene
from .engine import load
from .view import NONE, Look, View, floats

TRIANGLES, RES15, RES16 = 7, 15, 16
TRIANGLE_BYTES = 16
FLOAT, UNSIGNED, SHORT, BYTE = 5126, 5125, 5123, 5120  # glTF's types of components
TWO_SIDED = 2


class Corner(NamedTuple):
    """A vertex as glTF knows it."""

    vertex: int  # of the mesh
    normal: Tuple[int, int, int, int]
    uv: Tuple[Tuple[float, float], ...]


class Group:
    """The triangles of one batch."""

    def __init__(self) -> None:
        self.corners: List[Corner] = []
        self.numbers: Dict[Corner, int] = {}
        self.indices: List[int] = []
        self.flags: List[int] = []

    def add(self, corner: Corner) -> None:
        if corner not in self.numbers:
            self.numbers[corner] = len(self.corners)
            self.corners.append(corner)
        self.indices.append(self.numbers[corner])


class Document:
    """A glTF text, to which meshes are added."""

    def __init__(self, text: bytes) -> None:
        self.json = json.loads(text)
        self.data = bytearray()

    def accessor(self, numbers: array.array, component: int, kind: str, width: int, **more) -> int:
        views, accessors = self.json["bufferViews"], self.json["accessors"]
        self.data.extend(bytes(-len(self.data) % 4))
        data = numbers.tobytes()
        buffer = len(self.json["buffers"])
        views.append({"buffer": buffer, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data.extend(data)
        accessors.append(
            dict(
                bufferView=len(views) - 1,
                componentType=component,
                count=len(numbers) // width,
                type=kind,
                **more,
            )
        )
        return len(accessors) - 1

    def material(self, look: Look, row: int) -> int:
        fields = dict(look._asdict())
        if look.portal == NONE:
            del fields["portal"]
        self.json.setdefault("materials", []).append(
            {
                "name": "row %d flags %04X.%02X.%04X"
                % (row, look.flags, look.lightmap, look.portal),
                "doubleSided": bool(look.flags & TWO_SIDED),
                "extras": {"retropose": fields},
            }
        )
        return len(self.json["materials"]) - 1

    def to_bytes(self) -> bytes:
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.json["buffers"].append({"byteLength": len(self.data), "uri": uri})
        return json.dumps(self.json).encode()


def reshaped(model, view: View, changes, notes: List[str]):
    """A model in which the meshes of `changes.reshaped` take the place of their slots."""
    retropose = load()
    document = Document(model.export_glb(text=True))
    for slot, mesh in changes.reshaped.items():
        replace(document, view, slot, mesh, changes)
    made = retropose.Model.import_glb(document.to_bytes(), str(model.readings))
    notes.extend(str(note) for note in made.notes)
    return made.model


def replace(document: Document, view: View, slot: int, mesh, changes) -> None:
    for target in document.json["meshes"]:
        known = target.get("extras", {}).get("retropose", {})
        if known.get("slot") == slot:
            break
    else:
        changes.losses.append("slot %d is not in the export: its triangles stay" % slot)
        return
    groups = gather(view, slot, mesh, changes)
    if not groups:
        changes.losses.append("slot %d has no triangles any more: they stay" % slot)
        return
    flags: List[int] = []
    target["primitives"] = []
    for look, group in groups:
        target["primitives"].append(primitive(document, view, mesh, look, group))
        flags.extend(group.flags)
    known.pop("triangleFlags", None)
    if any(flags):
        known["triangleFlags"] = runs(flags)


def runs(flags: List[int]) -> List[int]:
    """A flag word, how many triangles have it, and so on."""
    found: List[int] = []
    for word in flags:
        if found and found[-2] == word:
            found[-1] += 1
        else:
            found += [word, 1]
    return found


def gather(view: View, slot: int, mesh, changes) -> List[Tuple[Look, Group]]:
    """The triangles of a mesh by batch: first those of the model's batches, in their order."""
    surface = view.surface(slot)
    batch_of = dict(zip(surface.triangles, surface.batches))
    stream = view.model.stream(TRIANGLES)
    ids = numbers_of(mesh, scene.TRIANGLE, len(mesh.polygons))
    vertices = numbers_of(mesh, scene.VERTEX, len(mesh.vertices))
    uv = [mesh.uv_layers.get(name) for name in view.uv_names()]
    normals = comparing.corner_normals(mesh)
    looks = LooksOfMesh(view, mesh, changes)
    groups: Dict[Tuple[int, Look], Group] = {}
    mesh.calc_loop_triangles()
    for triangle in mesh.loop_triangles:
        record = ids[triangle.polygon_index]
        batch = batch_of.get(record, -1)
        look = looks.look(triangle.material_index, batch)
        if batch >= 0 and look != view.look(batch):
            batch = -1
        key = (batch if batch >= 0 else len(view.batches), look)
        group = groups.setdefault(key, Group())
        at = TRIANGLE_BYTES * record
        known = batch_of.get(record) is not None and at + 2 <= len(stream)
        group.flags.append(int.from_bytes(stream[at : at + 2], "little") if known else 0)
        for loop in triangle.loops:
            vertex = mesh.loops[loop].vertex_index
            group.add(
                Corner(
                    vertex,
                    normal_of(view, mesh, vertex, vertices[vertex], normals, loop),
                    tuple(
                        coordinates(view, layer.data[loop].uv) if layer else (0.0, 0.0)
                        for layer in uv
                    ),
                )
            )
    return [(key[1], group) for key, group in sorted(groups.items())]


class LooksOfMesh:
    """What the materials of a mesh stand for, asked once for each."""

    def __init__(self, view: View, mesh, changes) -> None:
        self.view, self.mesh = view, mesh
        self.meshes = comparing.Meshes(view, changes)
        self.known: Dict[Tuple[int, int], Look] = {}

    def look(self, number: int, batch: int) -> Look:
        key = number, batch
        if key not in self.known:
            was = self.view.look(batch) if batch >= 0 else Look(0, 0, 0, 0xFF, NONE)
            self.known[key] = self.meshes.look(self.mesh, number, was)
        return self.known[key]


def numbers_of(mesh, name: str, count: int) -> "array.array[int]":
    found = comparing.attribute(mesh, name)
    return found if len(found) == count else array.array("i", [-1] * count)


def normal_of(view: View, mesh, vertex: int, known: int, normals, loop: int):
    """A vertex that stayed keeps the normal of the model; any other has what Blender shows."""
    fourth = 0
    if 0 <= known < view.vertex_count and len(view.normals) == 4 * view.vertex_count:
        raw = tuple(view.normals[4 * known : 4 * known + 4])
        place = view.positions[3 * known : 3 * known + 3]
        if floats(mesh.vertices[vertex].co).tobytes() == place.tobytes():
            return raw
        fourth = raw[3]
    shown = normals[3 * loop : 3 * loop + 3]
    return tuple(max(-128, min(127, round(number * 127))) for number in shown) + (fourth,)


def coordinates(view: View, pair) -> Tuple[float, float]:
    """The coordinates that a model can have nearest to these, as glTF counts them."""
    low, high = (0, 0xFFFF) if view.model.readings["uv"] == "unsigned" else (-0x8000, 0x7FFF)
    u, v = (
        number if math.isfinite(number) else 0.0 for number in (pair[0], 1 - pair[1])
    )
    return tuple(min(max(round(number * 1024), low), high) / 1024 for number in (u, v))


def primitive(document: Document, view: View, mesh, look: Look, group: Group) -> dict:
    by_byte = view.model.readings["material"] == "byte4"
    positions = floats(n for c in group.corners for n in mesh.vertices[c.vertex].co)
    columns = [positions[axis::3] for axis in range(3)]
    attributes = {
        "POSITION": document.accessor(
            positions, FLOAT, "VEC3", 3, min=list(map(min, columns)), max=list(map(max, columns))
        ),
        "NORMAL": document.accessor(
            floats(n for c in group.corners for n in unit(c.normal)), FLOAT, "VEC3", 3
        ),
        "_RAW_NORMAL": document.accessor(
            array.array("b", (n for c in group.corners for n in c.normal)), BYTE, "VEC4", 4
        ),
    }
    for number, name in enumerate(view.uv_names()):
        attributes["TEXCOORD_%d" % view.uv_channel(name)] = document.accessor(
            floats(n for c in group.corners for n in c.uv[number]), FLOAT, "VEC2", 2
        )
    known = numbers_of(mesh, scene.VERTEX, len(mesh.vertices))
    for stream, name in ((RES15, "_RES15"), (RES16, "_RES16")):
        data = view.model.stream(stream)
        if len(data) == 8 * view.vertex_count:
            words = array.array("H")
            for corner in group.corners:
                vertex = known[corner.vertex]
                there = 0 <= vertex < view.vertex_count
                words.frombytes(data[8 * vertex : 8 * vertex + 8] if there else bytes(8))
            attributes[name] = document.accessor(words, SHORT, "VEC4", 4)
    return {
        "attributes": attributes,
        "indices": document.accessor(array.array("I", group.indices), UNSIGNED, "SCALAR", 1),
        "material": document.material(look, look.row if by_byte else look.material),
    }


def unit(normal) -> Tuple[float, float, float]:
    length = math.sqrt(sum(number * number for number in normal[:3]))
    return tuple(number / length for number in normal[:3]) if length else (0.0, 0.0, 1.0)
