"""What Blender is shown of a model, computed from the model alone and without Blender.

An import makes Blender's objects from a View. An export computes the View of the stored model once
more and compares it with what Blender has by then: whatever is still the same, bit for bit, was not
edited. Nothing in here may therefore depend on anything but the model and its readings.
"""

from __future__ import annotations

import array
from typing import Dict, List, NamedTuple, Optional, Tuple

CELLS = 15
NONE = 0xFFFF
MOST_POSES = 4_000_000  # of tracks that are not in the game's own form, and get a key a frame
MOST_COPIES = 16  # how often slots may show a triangle, on average
UV_NAMES = ("UVMap", "Lightmap")  # the layers of Res5 and Res18 in Blender

# How a node shows one of its keys: time in frames, then location and rotation (w, x, y, z).
Shown = Tuple[float, Tuple[float, ...], Tuple[float, ...]]


class Look(NamedTuple):
    """What a batch is drawn with. Batches that agree in all of it share a material."""

    flags: int
    material: int
    row: int
    lightmap: int
    portal: int


class Surface(NamedTuple):
    """A slot as a mesh. Corners are numbers of `vertices`, which are the model's own."""

    slot: int
    vertices: "array.array[int]"
    co: "array.array[float]"
    faces: List[Tuple[int, int, int]]
    triangles: "array.array[int]"  # the record of Res7 of each face
    batches: "array.array[int]"  # the batch of each face
    looks: List[Look]
    look_of_face: "array.array[int]"
    uv: List["array.array[float]"]  # for each channel, two numbers a corner


def floats(values) -> "array.array[float]":
    """Numbers as Blender stores them, with 32 bits."""
    return array.array("f", values)


def _array(code: str, values) -> array.array:
    result = array.array(code)
    result.frombytes(values.tobytes())
    return result


class View:
    """A model as it is shown. `notes` says what of it cannot be."""

    def __init__(self, model) -> None:
        self.model = model
        self.nodes = model.nodes
        self.slots = model.slots
        self.batches = model.batches
        self.notes: List[str] = []
        if not self.nodes:
            raise ValueError("the model has no nodes of 38 bytes, which alone can be shown")
        self.positions = _array("f", model.positions())
        self.normals = _array("b", model.normals())
        code = "H" if model.readings["uv"] == "unsigned" else "h"
        self.raw_uv = [_array(code, model.uv(0)), _array(code, model.uv(1))]
        self.vertex_count = len(self.positions) // 3
        # Files made to exhaust memory share keys and triangles among thousands of nodes and slots.
        poses = len(self.nodes) * model.frame_count
        self.animation = model.animation(exact=poses > MOST_POSES)
        self._triangles_left = MOST_COPIES * (1 + len(model.indices()) // 3)
        self._surfaces: Dict[int, Surface] = {}
        self._tracks: Dict[int, List[Shown]] = {}

    # ---- nodes -----------------------------------------------------------------------------------

    def parent(self, node: int) -> Optional[int]:
        """The parent, if it comes before the node, as it has to (rule M19)."""
        parent = self.nodes[node].parent
        return parent if parent is not None and parent < node else None

    def slot(self, node: int, cell: int) -> Optional[int]:
        slot = self.nodes[node].slots[cell]
        return slot if slot is not None and slot < len(self.slots) else None

    def cells(self) -> List[int]:
        """The cells that show something."""
        return [
            cell
            for cell in range(CELLS)
            if any(self.slot(node, cell) is not None for node in range(len(self.nodes)))
        ]

    def cell_name(self, cell: int) -> str:
        """As the scenes of a glTF export are called (docs/formats/gltf.md)."""
        by_state = self.model.readings["slot-words"] == "state-lod"
        return ("state%d lod%d" if by_state else "lod%d group%d") % (cell // 5, cell % 5)

    # ---- animation -------------------------------------------------------------------------------

    def track(self, node: int) -> List[Shown]:
        """The keys of a node. A rotation and its negative are the same turn; of the two, each key
        shows the one that is nearer to the key before it, because Blender interpolates numbers."""
        if node not in self._tracks:
            shown: List[Shown] = []
            before: Tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
            for key in self.animation.track(node):
                turn = tuple(self.model.quaternion(key.rotation))
                if sum(a * b for a, b in zip(before, turn)) < 0.0:
                    turn = tuple(-number for number in turn)
                before = turn
                shown.append((key.time, tuple(key.position), turn))
            self._tracks[node] = shown
        return self._tracks[node]

    # ---- geometry --------------------------------------------------------------------------------

    def look(self, batch: int) -> Look:
        record = self.batches[batch]
        portal = NONE if record.portal is None else record.portal
        return Look(record.flags, record.material, record.row, record.lightmap, portal)

    def surface(self, slot: int) -> Surface:
        if slot not in self._surfaces:
            self._surfaces[slot] = self._surface(slot)
        return self._surfaces[slot]

    def _corners(self, slot: int):
        """The batch, the record of Res7 and the three vertices of each triangle that Blender can
        hold: its corners exist, and are three."""
        record = self.slots[slot]
        left_out = 0
        for batch in range(record.first_batch, record.first_batch + record.batch_count):
            if batch >= len(self.batches):
                self.notes.append("slot %d: batch %d is not there" % (slot, batch))
                break
            first = self.batches[batch].first_index // 3
            self._triangles_left -= 1 + self.batches[batch].index_count // 3
            if self._triangles_left < 0:
                raise ValueError(
                    "slots show the same triangles again and again, more than %d times" % MOST_COPIES
                )
            corners = _array("I", self.model.corners(batch))
            triples = zip(corners[0::3], corners[1::3], corners[2::3])
            for number, (a, b, c) in enumerate(triples):
                if a == b or b == c or a == c or max(a, b, c) >= self.vertex_count:
                    left_out += 1
                else:
                    yield batch, first + number, a, b, c
        if left_out:
            self.notes.append(
                "slot %d: %d triangles without three corners are not shown" % (slot, left_out)
            )

    def _surface(self, slot: int) -> Surface:
        rows = list(self._corners(slot))
        used = set()
        for _, _, a, b, c in rows:
            used.update((a, b, c))
        vertices = array.array("i", sorted(used))
        local = {vertex: number for number, vertex in enumerate(vertices)}
        looks: List[Look] = []
        numbers: Dict[Look, int] = {}
        look_of_batch: Dict[int, int] = {}
        for batch in sorted({row[0] for row in rows}):
            look = self.look(batch)
            if look not in numbers:
                numbers[look] = len(looks)
                looks.append(look)
            look_of_batch[batch] = numbers[look]
        co = floats(())
        for vertex in vertices:
            co.extend(self.positions[3 * vertex : 3 * vertex + 3])
        uv = []
        for raw in self.raw_uv:
            if len(raw) == 2 * self.vertex_count:
                # v grows downwards in the game (facts/formats.md C.8) and upwards in Blender. Both
                # numbers are exact: 16 bits over 1024.
                shown = {v: (raw[2 * v] / 1024, 1 - raw[2 * v + 1] / 1024) for v in vertices}
                channel = floats(())
                for _, _, a, b, c in rows:
                    channel.extend(shown[a] + shown[b] + shown[c])
                uv.append(channel)
        return Surface(
            slot,
            vertices,
            co,
            [(local[a], local[b], local[c]) for _, _, a, b, c in rows],
            array.array("i", (row[1] for row in rows)),
            array.array("i", (row[0] for row in rows)),
            looks,
            array.array("i", (look_of_batch[row[0]] for row in rows)),
            uv,
        )

    def uv_channel(self, name: str) -> int:
        """0 for the texture's coordinates, 1 for the lightmap's."""
        return UV_NAMES.index(name)

    def uv_names(self) -> List[str]:
        """The layers of `Surface.uv`."""
        return [
            name for name, raw in zip(UV_NAMES, self.raw_uv) if len(raw) == 2 * self.vertex_count
        ]
