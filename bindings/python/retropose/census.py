"""Counts and measures a game's own files, and compares with what others published about theirs.

    python3 -m retropose.census GAME
    python3 -m retropose.census GAME --shard 1/2 --json > part-1.json
    python3 -m retropose.census --merge part-1.json part-2.json

docs/proof/census.md says what the rows are. Poses, levels and bounds are computed by the runtime
that a game would use (MeshObject), not by a reader of the format. A number that differs from the
published one thus says that the runtime reads these files in another way than those who published
it."""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import math
import os
import platform
import statistics
import struct
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple
from typing import Union

from . import _abi
from .archive import Archive, Layout, _NRes
from .errors import RetroposeError, Status
from .library import attempt, encode, read_file, version
from .mesh import MeshObject, Space
from .model import Key, Model, Node, Slot, StreamType
from .peers import fnv
from .pose import Arithmetic, Build
from .readings import AnyReadings, Readings

FORMAT = "retropose census 1"
SHARD_FORMAT = "retropose census shard 1"
TYPE_MODEL = 0x4853454D  # MESH
LEVELS, STATES, FIRST_PERSON = 5, 3, 4
INTERIOR, COCKPIT = 1, 0x20  # flags of nodes
NODE_BYTES, LEGACY_NODE_BYTES = _abi.RP_MSH_NODE_BYTES, _abi.RP_MSH_LEGACY_NODE_BYTES
MODELS = 435, 511  # of the two parts of the game
# The sort table of system.rlb, the only one that was published (docs/facts/formats.md A.3).
SYSTEM, SYSTEM_TABLE = "system.rlb", "0 5 6 7 8 9 10 11 12 16 1 4 15 13 14 2 3"
LIBRARIES = "gamefont.rlb", "sprites.lib"  # RsLi, whose sums were published

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]


# ---- counts ------------------------------------------------------------------------------------


class Tally:
    """The counts of some files. Those of other files can be added."""

    def __init__(self) -> None:
        self.sums: "Counter[str]" = Counter()
        self.extremes: Dict[str, List[int]] = {}  # the least and the most of a single model
        self.words: List[int] = []  # the different flag words of batches
        self.gaps: List[List[float]] = [[], []]  # of each model's level 0: conjugate and plain
        self.texts: Dict[str, str] = {}  # what was measured of single models, by row
        self.files: Dict[str, List[int]] = {}  # what was read of single files
        # what fparkan hashes, if it was asked for, and the first model that its reader refuses
        self.digested: Optional[List[bytes]] = None
        self.refused = ""

    def limits(self, what: str, *counts: int) -> None:
        known = [*counts, *self.extremes.get(what, [])]
        self.extremes[what] = [min(known), max(known)]

    def add(self, other: "Tally") -> None:
        """Adds the counts of files that follow. Of two models of one name the first one counts, and
        of two files the last one."""
        self.sums.update(other.sums)
        for what, counts in other.extremes.items():
            self.limits(what, *counts)
        self.words = sorted({*self.words, *other.words})
        for own, added in zip(self.gaps, other.gaps):
            own += added
        self.texts = {**other.texts, **self.texts}
        self.files.update(other.files)
        if self.digested is not None:
            self.digested += other.digested or []
        self.refused = self.refused or other.refused

    @classmethod
    def load(cls, saved: Dict[str, Any]) -> "Tally":
        """Counts as JSON has them, which are the members of the object."""
        tally = cls()
        if set(saved) != set(vars(tally)):
            raise ValueError("these are not the sums of a census")
        vars(tally).update(saved, sums=Counter(saved["sums"]))
        return tally

    @property
    def part(self) -> int:
        """The part of the game whose number of models is nearest."""
        return 1 if 2 * self.sums["models"] < sum(MODELS) else 2


# ---- boxes -------------------------------------------------------------------------------------


class Box(NamedTuple):
    low: Tuple[float, ...]
    high: Tuple[float, ...]


def _bound(points: Sequence[Vector]) -> Optional[Box]:
    if not points:
        return None
    axes = list(zip(*points))
    return Box(tuple(map(min, axes)), tuple(map(max, axes)))


def _join(*boxes: Optional[Box]) -> Optional[Box]:
    return _bound([corner for box in boxes if box is not None for corner in box])


def _placed(matrix: Matrix, point: Vector) -> Vector:
    x, y, z = point
    return [a * x + b * y + c * z + d for a, b, c, d in matrix[:3]]


class Fit(NamedTuple):
    outside: float
    short_of: float
    gap: float


def _fit(header: Box, posed: Optional[Box]) -> Fit:
    """How far geometry extends beyond a box, how far it stays away from the box's faces, and how
    far the two boxes differ, in diagonals of the box. Negative numbers if there is none."""
    if posed is None:
        return Fit(-1, -1, -1)
    diagonal = math.dist(header.low, header.high) or sys.float_info.min
    beyond = [(a - b) / diagonal for a, b in zip(header.low, posed.low)]
    beyond += [(b - a) / diagonal for a, b in zip(header.high, posed.high)]
    outside, short_of = max(0.0, *beyond), max(0.0, *(-part for part in beyond))
    return Fit(outside, short_of, max(outside, short_of))


def _within(distance: float) -> bool:
    """Those who published the numbers used this limit for all three distances."""
    return 0 <= distance <= float(_abi.RP_MSH_BOX_TOLERANCE)


# ---- a model -----------------------------------------------------------------------------------


class Subject:
    """A model, with its streams as plain lists."""

    def __init__(self, image: bytes, name: str, readings: Readings) -> None:
        self.model, self.name = Model.open(image, readings), name
        self.raw = self.model._msh
        self.nodes: List[Node] = self.model.nodes
        self.slots: List[Slot] = self.model.slots
        self.keys: List[Key] = self.model.keys
        self.batches = self.model.batches
        self.positions: List[Vector] = self.model.positions().tolist()
        self.indices: List[int] = self.model.indices().tolist()
        words = self.model.stream(StreamType.FRAME_MAP)
        self.words = struct.unpack("<%dH" % (len(words) // 2), words[: len(words) // 2 * 2])
        header = self.model.header
        self.header = _bound(header.corners) if header else None
        self.legacy = self.raw.node_stride == LEGACY_NODE_BYTES
        self.animated = any(node.map_start is not None for node in self.nodes)

    def count(self, type: StreamType) -> int:
        return int(self.raw.streams[type].count)

    def slot(self, node: Node, state: int, level: int) -> Optional[Slot]:
        word = node.slots[state * LEVELS + level]
        return self.slots[word] if word is not None and word < len(self.slots) else None

    def word(self, node: Node, frame: int) -> int:
        """The frame map's word of a node, or -1 where there is none."""
        at = (node.map_start or 0) + frame
        return int(self.words[at]) if at < len(self.words) else -1

    def vertices(self, first: int, count: int, base: int) -> List[int]:
        """The different vertices of a run of indices, as far as the indices exist."""
        return [base + index for index in dict.fromkeys(self.indices[first : first + count])]

    def bound(self, slot: Slot) -> Optional[Box]:
        """The box of a slot's vertices; None if it has none, or if some of them do not exist."""
        points: List[Vector] = []
        batches = self.batches[slot.first_batch : slot.first_batch + slot.batch_count]
        if len(batches) < slot.batch_count:
            return None
        for batch in batches:
            if batch.index_count and batch.first_index + batch.index_count > len(self.indices):
                return None
            for vertex in self.vertices(batch.first_index, batch.index_count, batch.base_vertex):
                if vertex >= len(self.positions):
                    return None
                points.append(self.positions[vertex])
        return _bound(points)


def _counted(node: Node) -> bool:
    """Whether a node counts for published numbers by level: those who published them left out
    cockpits."""
    return not node.flags & COCKPIT


def _same_box(box: Optional[Box], low: Vector, high: Vector) -> bool:
    """Whether two boxes are the same, bit for bit."""
    form = struct.Struct("<6f").pack
    return box is not None and form(*box.low, *box.high) == form(*low, *high)


def _count_track(sums: "Counter[str]", subject: Subject, node: Node) -> None:
    """Keys whose time is the first frame that refers to them, and tracks whose fallback is their
    last key."""
    track, frames, frame = subject.model.track(node.index), subject.model.frame_count, 0
    if track is None:
        return
    sums["last fallbacks"] += track[1] == node.fallback
    sums["animated keys"] += track[1] - track[0] + 1
    for key in range(track[0], track[1] + 1):
        while frame < frames and subject.word(node, frame) < key:
            frame += 1
        sums["placed keys"] += (
            frame < frames
            and subject.word(node, frame) == key
            and subject.keys[key].time == frame
        )


def _is_timed(subject: Subject) -> bool:
    """Whether the number of frames is one more than the time of the last key."""
    tracks = (subject.model.track(node.index) for node in subject.nodes)
    last = max((subject.keys[track[1]].time for track in tracks if track), default=-1.0)
    return last + 1 == subject.model.frame_count


def _count_streams(tally: Tally, subject: Subject) -> None:
    sums, count = tally.sums, subject.count
    sums["models"] += 1
    sums["lit"] += count(StreamType.UV1) > 0
    sums["paths"] += count(StreamType.PATHS) > 0
    sums["triangles"] += count(StreamType.TRIANGLES)
    tally.limits("slots", count(StreamType.SLOTS))
    tally.limits("batches", count(StreamType.BATCHES))
    tally.limits("vertices", count(StreamType.POSITIONS))
    for batch in subject.batches:
        sums["batches"] += 1
        sums["lit batches"] += batch.lightmap == 0
        for bit in range(16):
            sums["bit %d" % bit] += batch.flags >> bit & 1
    tally.words = sorted({*tally.words, *(batch.flags for batch in subject.batches)})
    for key in subject.keys:
        length = math.hypot(*key.rotation) / 32767
        sums["keys"] += 1
        sums["zero keys"] += length == 0
        sums["unit keys"] += abs(length - 1) < 0.001
    for node in filter(_counted, subject.nodes):
        for level in range(LEVELS):
            slot = subject.slot(node, 0, level)
            if slot is not None:
                exact = _same_box(subject.bound(slot), slot.low, slot.high)
                sums["exact slots %d" % level] += exact
    if subject.legacy:
        sums["legacy"] += 1
        return
    for node in subject.nodes:
        sums["cockpits"] += bool(node.flags & COCKPIT)
        for state in range(STATES):
            filled = [word is not None for word in node.slots[state * LEVELS :][:LEVELS]]
            sums["state %d" % state] += any(filled)
            for level in range(LEVELS if state == 0 and _counted(node) else 0):
                sums["slots %d" % level] += filled[level]
        if node.map_start is not None:
            sums["moving nodes"] += 1
            _count_track(sums, subject, node)
    sums["nodes"] += len(subject.nodes)
    tally.limits("nodes", len(subject.nodes))
    sums["still nodes"] += sum(node.map_start is None for node in subject.nodes)
    sums["animated"] += subject.animated
    sums["timed"] += subject.animated and _is_timed(subject)
    sums["interiors"] += any(node.flags & INTERIOR for node in subject.nodes)


# ---- what the runtime makes of a model -----------------------------------------------------------


class Drawing(NamedTuple):
    """The boxes of what one level shows."""

    posed: Optional[Box]  # by the runtime, without cockpits
    plain: Optional[Box]  # the same with the plain sense of rotations
    cockpit: Optional[Box]  # posed
    unposed: Optional[Box]  # with cockpits
    triangles: int  # without cockpits
    cockpit_triangles: int


class Runtime:
    """A model in the runtime, posed at frame 0."""

    def __init__(self, subject: Subject, arithmetic: Arithmetic, plain: Optional[Readings]) -> None:
        self.subject = subject
        nodes = subject.model.node_count
        self.plain: List[Matrix] = []
        if plain is not None:
            memory = (ctypes.c_double * 4 * 4 * max(nodes, 1))()
            attempt("RpMsh_PoseNodes", subject.raw, plain.raw, 0.0, True, memory)
            self.plain = [list(map(list, matrix)) for matrix in memory]
        self.mesh = MeshObject(subject.model, arithmetic=arithmetic)
        self.model: List[Matrix] = self.mesh.matrices(Space.MODEL).tolist()
        self._boxes: Dict[Tuple[int, ...], List[Optional[Box]]] = {}

    def boxes(self, piece: int, first: int, count: int, base: int) -> List[Optional[Box]]:
        """Of a batch that is drawn: posed, by the plain sense, and not posed."""
        key = piece, first, count, base
        if key not in self._boxes:
            positions = self.subject.positions
            found = self.subject.vertices(first, count, base)
            points = [positions[vertex] for vertex in found if vertex < len(positions)]
            matrices = [self.model[piece], *self.plain[piece : piece + 1]]
            self._boxes[key] = [
                *(_bound([_placed(matrix, point) for point in points]) for matrix in matrices),
                _bound(points),
            ]
        return self._boxes[key]

    def draw(self, level: int) -> Drawing:
        boxes: List[List[Optional[Box]]] = [[], [], [], []]
        triangles = [0, 0]
        for drawn in self.mesh.draw(level):
            cockpit = not _counted(self.subject.nodes[drawn.piece])
            triangles[cockpit] += drawn.index_count // 3
            found = self.boxes(drawn.piece, drawn.first_index, drawn.index_count, drawn.base_vertex)
            boxes[2 if cockpit else 0].append(found[0])
            boxes[3].append(found[-1])
            if not cockpit:
                boxes[1].append(found[1])
        posed, plain, within, unposed = (_join(*some) for some in boxes)
        return Drawing(posed, plain, within, unposed, *triangles)


def _measure(tally: Tally, runtime: Runtime, header: Box) -> None:
    sums, subject, mesh = tally.sums, runtime.subject, runtime.mesh
    sums["posed"] += 1
    levels = [runtime.draw(level) for level in range(LEVELS)]
    for level, drawing in enumerate(levels):
        sums["cockpit triangles"] += drawing.cockpit_triangles
        sums["triangles %d" % level] += drawing.triangles
        sums["models %d" % level] += drawing.triangles > 0
        inside = drawing.triangles > 0 and _within(_fit(header, drawing.posed).outside)
        sums["inside %d" % level] += inside
    everything = _join(*(box for drawing in levels for box in (drawing.posed, drawing.cockpit)))
    sums["exact with all"] += _within(_fit(header, everything).gap)

    # Level 0 alone, and with the cockpits, which have no other level than the one that is seen from
    # within.
    alone = _fit(header, levels[0].posed)
    shown = _fit(header, _join(levels[0].posed, levels[FIRST_PERSON].cockpit))
    sums["inside with cockpits"] += _within(shown.outside)
    sums["animated inside"] += subject.animated and _within(alone.outside)
    sums["animated with cockpits"] += subject.animated and _within(shown.outside)
    sums["exact boxes"] += _within(shown.gap)
    for gaps, fit in zip(tally.gaps, (alone, _fit(header, levels[0].plain))):
        gaps += [fit.gap] if fit.gap >= 0 else []

    # The nodes of level 0 for which the runtime has exactly the box of their vertices.
    for node in filter(_counted, subject.nodes):
        slot = subject.slot(node, 0, 0)
        box = slot and subject.bound(slot)
        if box:
            corners = mesh.box(node.index, Space.LOCAL)
            sums["bounded"] += _same_box(box, corners[0], corners[7])

    # Whether everything that a model has, in all states and levels, reaches the faces of its box.
    for state in range(1, STATES):
        for piece in range(mesh.piece_count):
            mesh.set_stage(piece, state)
        levels += [runtime.draw(level) for level in range(LEVELS)]
    posed = _join(*(box for drawing in levels for box in (drawing.posed, drawing.cockpit)))
    sums["reached"] += _within(_fit(header, posed).short_of)
    unposed = _join(*(drawing.unposed for drawing in levels))
    sums["reached unposed"] += _within(_fit(header, unposed).short_of)


# ---- single models -------------------------------------------------------------------------------

MOST_FRAMES = 1024  # of a model that has a published name, as many are posed


class Named:
    """What is measured of a model of which a number was published."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime, self.mesh, self.nodes = runtime, runtime.mesh, runtime.subject.nodes
        shown = runtime.draw(0)
        self.shown = _join(shown.posed, shown.cockpit) or Box((0, 0, 0), (0, 0, 0))
        self.places = [[row[3] for row in matrix[:3]] for matrix in runtime.model]
        self.frames = min(runtime.subject.model.frame_count, MOST_FRAMES)

    def _node(self, start: str) -> Optional[int]:
        return next((node.index for node in self.nodes if node.name.startswith(start)), None)

    def _posed(self, frames: "range", space: Space) -> Iterator[List[Matrix]]:
        """All matrices at each frame."""
        for frame in frames:
            self.mesh.set_frames(frame, frame)
            self.mesh.set_phase(0)
            self.mesh.pose()
            yield self.mesh.matrices(space).tolist()

    def cylinder(self, digits: int) -> str:
        """The radius that the runtime states, and the distance of the box's corners from the axis
        in units of this radius. Published radii are the hypotenuse of two half extents."""
        bounds = self.mesh.bounds(update=False)
        low, high, radius = bounds.capsule[:3], bounds.capsule[3:6], bounds.capsule[6]
        axis = [b - a for a, b in zip(low, high)]
        square = sum(part * part for part in axis)
        farthest = 0.0
        for corner in bounds.corners:
            along = sum(part * (c - a) for part, c, a in zip(axis, corner, low))
            nearest = [a + (along / square * part if square else 0) for a, part in zip(low, axis)]
            farthest = max(farthest, math.dist(corner, nearest))
        return "%.*f / %.3f" % (digits, radius, farthest / radius if radius else math.inf)

    def pylons(self) -> str:
        """In how many of the four quadrants a node stands at (20.74, 20.74, 22.58), whatever the
        signs of x and y."""
        off = [(abs(x) - 20.74, abs(y) - 20.74, z - 22.58) for x, y, z in self.places]
        near = [all(abs(part) <= 0.00501 for part in parts) for parts in off]
        return str(len({(at[0] > 0, at[1] > 0) for at, found in zip(self.places, near) if found}))

    def socket(self, face: int) -> str:
        node = self._node("Base_T")
        if node is None:
            return "no socket"
        return "%.2f / %.2f" % (self.places[node][2], self.shown[face][2])

    def turret(self) -> str:
        """The height of the node whose height is nearest to the published one. Which node stands
        for the turret was not published."""
        return "%.2f" % min((z for _, _, z in self.places), key=lambda z: abs(z - 16.49))

    def size(self, *axes: int) -> str:
        return " / ".join("%.1f" % (self.shown.high[i] - self.shown.low[i]) for i in axes)

    def travellers(self) -> str:
        """Nodes whose place in their parent's space is not the same in all frames."""
        start: List[Any] = []
        travel: Set[int] = set()
        for matrices in self._posed(range(self.frames), Space.LOCAL):
            places = [struct.pack("<3f", *(row[3] for row in matrix[:3])) for matrix in matrices]
            start = start or places
            travel.update(node for node, place in enumerate(places) if place != start[node])
        frames = self.runtime.subject.model.frame_count
        return "%d / %d / %d" % (len(self.nodes), frames, len(travel))

    def lunge(self) -> str:
        """How far node 0 goes along any axis, and how far it is from its start at the end."""
        off = [
            max(abs(row[3] - a) for row, a in zip(matrices[0][:3], self.places[0]))
            for matrices in self._posed(range(self.frames), Space.MODEL)
        ]
        return "%.1f / %.1f" % (max(off, default=0), off[-1] if off else 0)

    def pitches(self) -> str:
        """How far above the horizon a node looks: where its y axis points."""
        node = next((node.index for node in self.nodes if node.name == "GP_m1o1"), None)
        if node is None:
            return "no such node"
        pitch = []
        for matrices in self._posed(range(55, 58), Space.MODEL):
            x, y, z = (row[1] for row in matrices[node][:3])
            pitch.append(math.atan2(z, math.hypot(x, y)))
        degrees = ["%.1f" % math.degrees(angle) for angle in pitch]
        return "%s / %.3f" % (" / ".join(degrees), pitch[2] - pitch[0])


# ---- fparkan's digest ----------------------------------------------------------------------------

# The digest of sampled poses that fparkan keeps (in its crate fparkan-msh, the test of the licensed
# corpus; docs/use/other-projects.md says what is hashed). The poses are not the game's.


def _single(value: float) -> float:
    """Rounds to a float of 32 bits, as each step does."""
    return ctypes.c_float(value).value


def _dot(a: Vector, b: Vector) -> float:
    total = _single(a[0] * b[0])
    for x, y in zip(a[1:], b[1:]):
        total = _single(total + _single(x * y))
    return total


def _unit(q: Vector) -> Optional[List[float]]:
    """None if fparkan's limit, the epsilon of a float, says that there is no direction."""
    square = _dot(q, q)
    if not math.isfinite(square) or square <= 2.0**-23:
        return None
    inverse = _single(1 / _single(math.sqrt(square)))
    return [_single(part * inverse) for part in q]


def _decoded(key: Key) -> Tuple[Vector, Vector]:
    q = _unit([_single(part / 32767) for part in key.rotation])
    return key.position, q or [0.0, 0.0, 0.0, 1.0]


def _between(a: Vector, b: Vector, t: float) -> List[float]:
    return [_single(x + _single(_single(y - x) * t)) for x, y in zip(a, b)]


def _sample(subject: Subject, node: Node, frame: int) -> Tuple[Vector, Vector]:
    keys, number = subject.keys, node.fallback
    if node.map_start is not None and frame < subject.model.frame_count:
        number = min(subject.word(node, frame), number)
    first = keys[number]
    if number == node.fallback or number + 1 == len(keys):
        return _decoded(first)
    second = keys[number + 1]
    if second.time <= first.time or frame <= first.time:
        return _decoded(first)
    if frame > second.time:
        return _decoded(second)
    (place_a, a), (place_b, b) = _decoded(first), _decoded(second)
    t = _single(_single(frame - first.time) / _single(second.time - first.time))
    far = _dot(a, b) < 0
    blended = _between(a, [-part for part in b] if far else b, t)
    return _between(place_a, place_b, t), _unit(blended) or blended


def _digest(subject: Subject) -> "Tuple[List[bytes], bool]":
    """What is hashed of a model, a sample each but for the first two, and whether fparkan's reader
    accepts it."""
    name, keys, words = encode(subject.name), subject.keys, subject.words
    if not all(math.isfinite(key.time) for key in keys):
        return [], False
    hashed, accepted = [name, struct.pack("<2Q", len(keys), len(words))], True
    frames = subject.model.frame_count
    for node in subject.nodes if subject.raw.node_stride == NODE_BYTES else ():
        start = node.map_start
        if node.fallback >= len(keys) or (start is not None and start + frames > len(words)):
            accepted = False
            continue
        moves = start is not None and frames > 0
        for frame in sorted({0, frames // 2, frames - 1}) if moves else [0]:
            place, q = _sample(subject, node, frame)
            bits = struct.unpack("<8I", struct.pack("<8f", frame, *place, *q))
            line = "P" + "".join(",%08x" % word for word in bits) + "\n"
            hashed.append(struct.pack("<2Q", node.index, frame) + line.encode())
    return hashed, accepted


# ---- rows ----------------------------------------------------------------------------------------

OP, OP_DATA, FP = "openparkan docs/07", "openparkan README", "fparkan docs/tomes/08"
BOTH_LIBRARIES = "gamefont.rlb and sprites.lib are not both there"


class Row(NamedTuple):
    id: str  # as in docs/facts/published.md 2, "T2", or in docs/facts/formats.md, "C.14"
    what: str  # the statement, without its number
    source: str  # who published it
    expected: Union[str, Tuple[str, str]]  # for part 1 alone, or for both; may have " or " in it
    found: str  # with the names of values in braces
    needs: str = "models"  # a value that is 0 or missing where no file was there to check the row
    missing: str = "no models were found"


def _levels(form: str, count: int = LEVELS) -> str:
    """A text for each level, from the last ones; # is its number."""
    return " / ".join(form.replace("#", str(level)) for level in range(LEVELS - count, LEVELS))


def _named(index: int) -> Row:
    model, id, what, expected, _ = NAMED[index]
    source = "openparkan docs/30" if id == "T15" else OP
    found, missing = "named %d" % index, "there is no %s.msh" % model
    return Row(id, what, source, expected, "{%s}" % found, found, missing)


NAMED: List[Tuple[str, str, str, str, Callable[[Named], str]]] = [
    ("r_b_02", "T9", "cylinder of R_B_02, and its box's corners in radii", "11.6771 / 1.000",
     lambda named: named.cylinder(4)),
    ("fr_b_brige", "T9", "the same of fr_b_brige", "28.3412 / 1.000",
     lambda named: named.cylinder(4)),
    ("fr_b_bunker", "T9", "the same of fr_b_bunker", "66.927 / 1.000",
     lambda named: named.cylinder(3)),
    ("fr_l_gener", "T10", "pylons of fr_l_gener at (+-20.74, +-20.74, 22.58)", "4", Named.pylons),
    ("r_h_02", "T12", "nodes of R_H_02, frames, nodes that travel", "10 / 124 / 1",
     Named.travellers),
    ("r_h_02", "T12", "how far its node 0 goes, and where it ends", "5.7 / 0.0", Named.lunge),
    ("r_h_02", "T12", "its height, posed", "1.5", lambda named: named.size(2)),
    ("r_b_02", "T12", "size of R_B_02, posed", "17.6 / 15.4 / 3.9",
     lambda named: named.size(0, 1, 2)),
    ("r_b_08", "T12", "height of R_B_08, posed", "29.7", lambda named: named.size(2)),
    ("o_tur_ha_02", "T15", "pitch of GP_m1o1 of o_tur_ha_02 at frames 55 to 57, and its sweep",
     "-30.5 / 24.4 / 79.4 / 1.919", Named.pitches),
    ("r_l_02", "T16", "turret socket of R_L_02, and the belly", "-0.43 / -0.53",
     lambda named: named.socket(0)),
    ("r_b_02", "T16", "turret socket of R_B_02, and the belly", "-2.00 / -2.08",
     lambda named: named.socket(0)),
    ("r_l_01", "T16", "turret socket of R_L_01, and the roof", "0.12 / 0.20",
     lambda named: named.socket(1)),
    ("fr_b_bunker", "T16", "turret of fr_b_bunker", "16.49", Named.turret),
    ("r_b_01", "T16", "turret socket of R_B_01, and the roof", "1.28 / 1.48",
     lambda named: named.socket(1)),
]

ROWS = [
    Row("T1", "NRes archives, and their entries", FP, ("120 / 6804", "134 / 8171"),
        "{archives} / {entries}"),
    Row("T1", "models, and animated ones", FP, ("435 / 157", "511 / 200"),
        "{models} / {animated}"),
    Row("-", "archives and models that cannot be opened", "", ("0", "0"), "{damaged}"),
    Row("A.4", "payloads not at a multiple of 8, gaps that are not 0 to 7 zeros", OP_DATA, "0 / 0",
        "{odd offsets} / {wide gaps}"),
    Row("A.4", "archives that are the same when packed anew, of all",
        "fparkan docs/specs/coverage-audit", "120 / 120", "{repacked} / {archives}"),
    Row("C.14", "nodes, and the most of one model", "openparkan docs/06, " + FP, "1845 / 38",
        "{nodes} / {most nodes}"),
    Row("C.14", "nodes that do not move", OP, "1028", "{still nodes}"),
    Row("C.14", "fewest and most slots of a model", FP, "1 / 112", "{least slots} / {most slots}"),
    Row("C.14", "fewest and most batches of a model", FP, "1 / 439",
        "{least batches} / {most batches}"),
    Row("C.14", "fewest and most vertices of a model", FP, "12 / 9686",
        "{least vertices} / {most vertices}"),
    Row("C.14", "slots by level", OP, "1451 / 1011 / 952 / 535 / 288", _levels("{slots #}")),
    Row("C.14", "nodes with state 0, 1 and 2", OP, "1479 / 135 / 15",
        "{state 0} / {state 1} / {state 2}"),
    Row("C.14", "interiors, path graphs, lit, cockpit nodes, stride 24", OP,
        "21 / 29 / 21 / 28 / 1", "{interiors} / {paths} / {lit} / {cockpits} / {legacy}"),
    Row("C.14", "triangles", OP, "241887", "{triangles}"),
    Row("T18", "batches, different flag words, lit ones", OP, "15153 / 14 / 972",
        "{batches} / {words} / {lit batches}"),
    Row("T18", "batches with flag 1, 2, 4, 8, 0x10, 0x40", OP, "183 / 1477 / 112 / 633 / 66 / 170",
        "{bit 0} / {bit 1} / {bit 2} / {bit 3} / {bit 4} / {bit 6}"),
    Row("T18", "batches with flag 0x100, 0x2000, 0x4000", OP, "2953 / 972 / 307",
        "{bit 8} / {bit 13} / {bit 14}"),
    Row("T7", "keys, and those of length 1 within 0.1 %", OP, "34049 / 34038",
        "{keys} / {unit keys}"),
    # Eleven keys are not of length 1. According to one page of the source, all of them are zero;
    # according to another, one has some other length (docs/facts/formats.md C.9, C.14).
    Row("C.14", "keys whose rotation is all zeros, 10 or 11", OP, "10 or 11", "{zero keys}"),
    Row("T7", "animated models with a frame more than the last key's time, of all", OP,
        "157 / 157", "{timed} / {animated}"),
    Row("T7", "keys at the first frame that names them, of animated nodes", OP, "33020 / 33020",
        "{placed keys} / {animated keys}"),
    Row("T7", "fallbacks that are the last key of the node", OP, "817 / 817",
        "{last fallbacks} / {moving nodes}"),
    Row("T2", "models that the runtime poses", OP, "434", "{posed}"),
    Row("T2", "level 0 inside its box: without cockpits, and with them", OP, "434 / 422",
        "{inside 0} / {inside with cockpits}"),
    Row("T2", "the same of animated models", OP, "157 / 145",
        "{animated inside} / {animated with cockpits}"),
    Row("T2", "models that reach all faces of their box: posed, not posed", OP, "305 / 237",
        "{reached} / {reached unposed}"),
    Row("T3", "levels 1, 2, 3 and 4 inside the box", OP, "257/283 232/282 134/197 101/103",
        _levels("{inside #}/{models #}", 4).replace(" / ", " ")),
    Row("T4", "triangles drawn at levels 0 to 4", OP, "137445 / 34843 / 14033 / 5039 / 13763",
        _levels("{triangles #}")),
    Row("T4", "models that draw anything there", OP, "434 / 283 / 282 / 197 / 103",
        _levels("{models #}")),
    Row("T4", "triangles of cockpits", OP, "18402", "{cockpit triangles}"),
    Row("T5", "slots whose box is that of their vertices, by level", OP,
        "1451 / 1011 / 952 / 535 / 288", _levels("{exact slots #}")),
    Row("T5", "nodes that the runtime bounds by that box", OP, "1451", "{bounded}"),
    Row("T6", "median distance of the boxes: conjugate, plain", OP, "0.10 % / 1.48 %",
        "{gap 0} / {gap 1}"),
    Row("T8", "boxes that level 0 gives exactly, and all levels", OP, "302 / 231",
        "{exact boxes} / {exact with all}"),
    Row("A.3", "sort table of system.rlb", "openparkan docs/01", (SYSTEM_TABLE, SYSTEM_TABLE),
        "{table}", "table", "there is no system.rlb"),
    Row("B.1", "unpacked sums that gamefont.rlb and sprites.lib state", OP_DATA,
        ("87096 / 1573632", "87096 / 1573632"), "{stated}", "stated", BOTH_LIBRARIES),
    Row("B.1", "what their entries unpack to", OP_DATA,
        ("87096 / 1573632", "87096 / 1573632"), "{unpacked}", "stated", BOTH_LIBRARIES),
    *map(_named, range(len(NAMED))),
    Row("T21", "sampled poses, and fparkan's own digest of its poses of them",
        "fparkan crates/fparkan-msh",
        ("3469 / 7119731908371799613", "5233 / 13040438305408523893"), "{digest}", "digest",
        "{no digest}"),
]


def _values(tally: Tally) -> Dict[str, Any]:
    """What the rows name in braces. A name that is missing is the number 0."""
    values: Dict[str, Any] = defaultdict(int, tally.sums)
    for what, counts in tally.extremes.items():
        values["least " + what], values["most " + what] = counts
    for which, gaps in enumerate(tally.gaps):
        values["gap %d" % which] = "%.2f %%" % (100 * statistics.median(gaps) if gaps else -1)
    values["words"] = len(tally.words)
    if SYSTEM in tally.files:
        table = " ".join(map(str, tally.files[SYSTEM]))
        values["table"] = table if table == SYSTEM_TABLE else "another table"
    font, sprites = (tally.files.get(name, [0, 0]) for name in LIBRARIES)
    if font[0] and sprites[0]:
        values["stated"], values["unpacked"] = map("%d / %d".__mod__, zip(font, sprites))
    values.update(tally.texts)
    if tally.digested is None:
        values["no digest"] = "--digest fparkan asks for it"
    elif tally.refused or not tally.sums["models"]:
        refused = "fparkan would refuse " + tally.refused
        values["no digest"] = refused if tally.refused else "no models were found"
    else:
        digest = fnv(b"".join(tally.digested))
        values["digest"] = "%d / %d" % (tally.sums["samples"], digest)
    return values


def judge(tally: Tally) -> List[Dict[str, str]]:
    """All rows: what was published for the part to which the files belong, what was found, and the
    verdict, which is "ok", "DIFFERS" or "not checked"."""
    rows, values = [], _values(tally)
    for row in ROWS:
        only_part_1 = isinstance(row.expected, str)
        expected = row.expected if isinstance(row.expected, str) else row.expected[tally.part - 1]
        found = verdict = why = ""
        if only_part_1 and tally.part != 1:
            why = "published for part 1 only"
        elif not values[row.needs]:
            why = row.missing.format_map(values)
        else:
            found = row.found.format_map(values)
            verdict = "ok" if found in expected.split(" or ") else "DIFFERS"
        judged = {"id": row.id, "what": row.what, "source": row.source, "expected": expected}
        judged.update(found=found, verdict=verdict or "not checked")
        rows.append({**judged, "why": why} if why else judged)
    return rows


# ---- files ---------------------------------------------------------------------------------------


class Census:
    """Counts files. `readings` are those with which models are posed. The runtime can read the
    fields of a model's file in one way only, "drawn", but for the order of a key's components.
    Others are refused, because the rows would show the results of this one."""

    def __init__(self, readings: AnyReadings = "drawn", digest: bool = False) -> None:
        self.readings, self.digest = Readings(readings), digest
        chosen, drawn = self.readings.as_dict(), Readings("drawn").as_dict()
        for reading in Readings.all():
            name = reading.name
            if reading.files and name != "key-order" and chosen[name] != drawn[name]:
                raise RetroposeError(
                    Status.UNSUPPORTED,
                    "the runtime, which is what a census judges, has no such reading",
                    name, drawn[name], chosen[name],
                )
        self._plain = Readings({**chosen, "rotation": "plain"})
        self._runtime = Arithmetic(self.readings, Build.SSE)
        # The game drops the translation of node 0. Those who measured single models kept it.
        self._rooted = Arithmetic({**chosen, "root-translation": "kept"}, Build.SSE)

    def count(self, name: str, data: bytes) -> Tally:
        """Counts a file; `name` is its name without its folder. Of an NRes archive the entries are
        counted, and members of the type MESH as models. Of an RsLi library the sizes are counted.
        Every other file is passed over."""
        tally = Tally()
        tally.digested = [] if self.digest else None
        if data[:4] not in (b"NRes", b"NL\0\1"):
            return tally
        try:
            archive = Archive.open(data)
        except RetroposeError:
            tally.sums["damaged"] += 1
            return tally
        if isinstance(archive, _NRes):
            self._count_archive(tally, name.lower(), archive, data)
        elif name.lower() in LIBRARIES:
            tally.files[name.lower()] = [struct.unpack_from("<I", data, 16)[0], _unpacked(archive)]
        archive.close()
        return tally

    def _count_archive(self, tally: Tally, name: str, archive: _NRes, data: bytes) -> None:
        sums, entries = tally.sums, [archive._entry(index) for index in range(len(archive))]
        sums["archives"] += 1
        sums["entries"] += len(entries)
        if name == SYSTEM:
            tally.files[name] = [entry.sort_index for entry in entries]

        # Payloads are visited in the order of the directory, which in the game's files is also the
        # order in which they lie. One that begins before the end of the last one is a gap, too.
        end = _abi.RP_NRES_HEADER_BYTES
        for entry in entries:
            sums["odd offsets"] += entry.data_offset % 8 != 0
            sums["wide gaps"] += not entry.data or not _is_padding(data, end, entry.data_offset)
            end = entry.data_offset + entry.size if entry.data else end
        sums["wide gaps"] += not _is_padding(data, end, archive._source.directory_offset)

        for member in archive:
            if member.type == TYPE_MODEL:
                try:
                    subject = Subject(archive.read(member.index), member.name, self.readings)
                except RetroposeError:
                    sums["damaged"] += 1
                else:
                    self._count_model(tally, subject)
        try:
            archive.writable().keeps_table = False  # it is made anew
            sums["repacked"] += archive.to_bytes(Layout.CANONICAL) == data
        except RetroposeError:
            pass

    def _count_model(self, tally: Tally, subject: Subject) -> None:
        _count_streams(tally, subject)
        if tally.digested is not None:
            hashed, accepted = _digest(subject)
            tally.digested += hashed
            tally.sums["samples"] += len(hashed[2:])
            tally.refused = tally.refused or ("" if accepted else subject.name)
        rows = [i for i, row in enumerate(NAMED) if subject.name.lower() == row[0] + ".msh"]
        try:  # a model that the runtime refuses is not posed, which is a row of its own
            if subject.header and subject.raw.node_stride == NODE_BYTES:
                _measure(tally, Runtime(subject, self._runtime, self._plain), subject.header)
            if rows:
                named = Named(Runtime(subject, self._rooted, None))
                for index in rows:
                    tally.texts.setdefault("named %d" % index, NAMED[index][4](named))
        except RetroposeError:
            pass


def _is_padding(data: bytes, start: int, end: int) -> bool:
    return start <= end < start + 8 and not any(data[start:end])


def _unpacked(library: Archive) -> int:
    """How many bytes all entries unpack to. One that cannot be unpacked has none."""
    total = 0
    for index in range(len(library)):
        try:
            total += len(library.read(index))
        except RetroposeError:
            pass
    return total


def walk(folder: str) -> Iterator[Tuple[str, str, int]]:
    """(path, name, size) of all files in a folder and in those below it. The order does not depend
    on the file system. Links to folders are not followed."""
    top = Path(folder)
    if not top.is_dir():
        if top.exists():
            raise RetroposeError(Status.INVALID, "this is no folder", folder, "a folder")
        raise RetroposeError(Status.NOT_FOUND, "no such folder", folder, "a folder")
    for path in sorted(top.rglob("*"), key=lambda path: path.parts):
        if path.is_file():
            yield str(path), path.name, path.stat().st_size


# ---- reports -------------------------------------------------------------------------------------


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "an unknown processor"


class Run(NamedTuple):
    """A count, and the circumstances that a report states beside it."""

    tally: Tally
    files: int
    version: str
    processor: str  # of shards each once, with "; " between them


def as_json(run: Run) -> str:
    document = {
        "format": FORMAT, "version": run.version, "processor": run.processor,
        "part": run.tally.part, "files": run.files, "rows": judge(run.tally),
    }
    return json.dumps(document, indent=2) + "\n"


def as_text(run: Run) -> str:
    lines, verdicts = [], Counter[str]()
    for row in judge(run.tally):
        verdicts[row["verdict"]] += 1
        said = row["found"]
        if row["verdict"] == "DIFFERS":
            said = "found %(found)s, expected %(expected)s" % row
        elif row["verdict"] == "not checked":
            said = "%(why)s; expected %(expected)s" % row
        lines.append("%(verdict)-11s  %(id)-5s %(what)s" % row)
        lines.append("%19s%s%s" % ("", said, "  [%(source)s]" % row if row["source"] else ""))
    lines.append("posed by the runtime of retropose %s, on %s" % (run.version, run.processor))
    lines.append("part %d, %d file%s: %d of %d numbers as published, %d not, %d not checked" % (
        run.tally.part, run.files, "" if run.files == 1 else "s", verdicts["ok"], len(ROWS),
        verdicts["DIFFERS"], verdicts["not checked"]))
    return "\n".join(lines) + "\n"


def _count(folder: str, census: Census, shard: Tuple[int, int]) -> Tuple[Run, str]:
    """Counts the files whose first byte is in the shard's part of all bytes, and returns a digest
    of the names and sizes of all files, too. Empty files behind all others are in the last
    shard."""
    found, tally, at, files = list(walk(folder)), Tally(), 0, 0
    tally.digested = [] if census.digest else None
    total, (number, of) = sum(size for _, _, size in found), shard
    begin = total * (number - 1) // of
    end = total * number // of if number < of else total + 1
    for path, name, size in found:
        if begin <= at < end:
            try:
                tally.add(census.count(name, read_file(path)))
                files += 1
            except RetroposeError as error:  # the others are still worth counting
                print("census:", error, file=sys.stderr)
        at += size
    names = hashlib.sha256()
    for _, name, size in found:
        names.update(os.fsencode(name) + b"\0" + struct.pack("<Q", size))
    return Run(tally, files, version(), processor()), names.hexdigest()


def merge(paths: Sequence[str]) -> Run:
    """Puts the shards of one run together, which are files that `--shard` has written."""
    shards: Dict[int, Tuple[Tally, Dict[str, Any]]] = {}

    def refuse(what: str, where: str, found: object, expected: object = "") -> RetroposeError:
        return RetroposeError(Status.INVALID, what, where, str(expected), str(found))

    for path in paths:
        try:
            shard = json.loads(read_file(path))
            number, tally, own = shard["shard"], Tally.load(shard["census"]), shard["run"]
            _, first = next(iter(shards.values()), (None, shard))
            for name, expected in first["run"].items():
                if own[name] != expected:
                    where = "%s, %s" % (path, name)
                    raise refuse("shards of different runs", where, own[name], expected)
            shard = {name: shard[name] for name in ("run", "files", "version", "processor")}
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise refuse("this is no shard of a census", path, problem, SHARD_FORMAT) from None
        if number in shards:
            raise refuse("a shard occurs twice", path, "%s/%d" % (number, own["shards"]))
        shards[number] = tally, shard
    of, total = own["shards"], Tally()
    missing = [str(number) for number in range(1, of + 1) if number not in shards]
    if missing:
        raise refuse("shards are missing", "", "without %s of %d" % (", ".join(missing), of), of)
    counted = [shards[number] for number in sorted(shards)]
    for tally, _ in counted:
        total.add(tally)
    processors = dict.fromkeys(shard["processor"] for _, shard in counted)
    files = sum(shard["files"] for _, shard in counted)
    return Run(total, files, counted[0][1]["version"], "; ".join(processors))


def _shard(text: str) -> Tuple[int, int]:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError("a shard is such as 3/8, and not " + text)
    return int(number), int(of)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m retropose.census",
        description="Counts and measures a game's files, and compares with what was published.")
    parser.add_argument("folder", nargs="?", metavar="GAME", help="the folder of a game")
    parser.add_argument("--readings", default="drawn", metavar="LIST",
                        help="drawn (the default) or drawn,key-order=xyzw: there are no others")
    parser.add_argument("--digest", choices=["fparkan"],
                        help="compare the digest that this project made of its own poses, too")
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="count the Ith of N parts")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--merge", nargs="+", metavar="FILE", help="put shards together")
    options = parser.parse_args(arguments)
    if (options.folder is None) != (options.merge is not None):
        parser.error("name the folder of a game, or shards behind --merge")
    if options.shard and not options.json:
        parser.error("--shard needs --json, whose output --merge takes")
    if options.shard and options.digest:
        parser.error("--digest needs all files in their order, and --shard takes some")
    try:
        if options.merge:
            run = merge(options.merge)
        else:
            census = Census(options.readings, options.digest is not None)
            run, names = _count(options.folder, census, options.shard or (1, 1))
    except RetroposeError as error:
        print("census:", error, file=sys.stderr)
        return 2
    if options.shard:
        number, of = options.shard
        described = {
            "program": run.version, "readings": str(census.readings), "files": names, "shards": of
        }
        document = {
            "format": SHARD_FORMAT, "shard": number, "run": described, "files": run.files,
            "version": run.version, "processor": run.processor, "census": vars(run.tally),
        }
        print(json.dumps(document))
        return 0
    if run.files == 0:
        print("census: %s has no files" % (options.folder or "the folder"), file=sys.stderr)
        return 2
    sys.stdout.write(as_json(run) if options.json else as_text(run))
    return int(any(row["verdict"] == "DIFFERS" for row in judge(run.tally)))


if __name__ == "__main__":
    sys.exit(main())
