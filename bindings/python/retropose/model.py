"""Models (`.msh`): their nodes, geometry, keys and labels, read and edited."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .animation import Animation
from .archive import Archive, Layout, Member, Source
from .errors import Finding
from .gltf import Import, RootMotion
from .pose import Arithmetic, Array, Clip, Pose
from .readings import AnyReadings, ReadingEvidence, Readings

NONE = 0xFFFF  # stands in the file's fields for "no node", "no slot" and the like

Vector = Tuple[float, float, float]


class StreamType(enum.IntEnum):
    """Types of a model's streams."""

    NODES = 1
    SLOTS = 2
    POSITIONS = 3
    NORMALS = 4
    UV0 = 5
    INDICES = 6
    TRIANGLES = 7
    KEYS = 8
    NAMES = 9
    LABELS = 10
    BATCHES = 13
    RES15 = 15
    RES16 = 16
    PATHS = 17
    UV1 = 18
    FRAME_MAP = 19
    PROBES = 20


@dataclass(frozen=True)
class Stream:
    """One stream: a member of the model's archive."""

    type: int
    name: str  # "nodes", "slots", ... or "Res21"
    count: int  # whole elements
    size: int  # bytes
    attributes: "tuple[int, int, int]"


@dataclass(frozen=True)
class Node:
    index: int
    name: str
    label: str  # of a socket; usually ""
    parent: Optional[int]
    flags: int
    slots: "tuple[Optional[int], ...]"  # 15: what is shown, by damage state and level
    map_start: Optional[int]
    fallback: int


@dataclass(frozen=True)
class Slot:
    """What a node shows: ranges of triangles and batches, and their bounds in the node's space."""

    index: int
    first_triangle: int
    triangle_count: int
    first_batch: int
    batch_count: int
    low: Vector
    high: Vector
    sphere: "tuple[float, float, float, float]"
    area: float
    volume: float
    opaque: "tuple[int, int, int]"


@dataclass(frozen=True)
class Batch:
    """A run of triangles with one material."""

    index: int
    flags: int
    material: int  # under the reading material=word2
    row: int  # the material under material=byte4
    lightmap: int
    portal: Optional[int]
    first_index: int
    index_count: int
    base_vertex: int
    vertex_count: int


@dataclass(frozen=True)
class Triangle:
    index: int
    flags: int
    neighbours: "tuple[Optional[int], Optional[int], Optional[int]]"
    normal: "tuple[int, int, int]"  # divide by 32767
    edges: int


@dataclass(frozen=True)
class Key:
    """A key as the file has it. `rotation` is four whole numbers, to be divided by 32767, in the
    order of the file; Model.quaternion and Model.rotation translate."""

    position: Vector
    time: float  # in frames
    rotation: "tuple[int, int, int, int]"


@dataclass(frozen=True)
class Probe:
    node: int
    position: Vector
    direction: Vector
    colour: "tuple[float, float, float, float]"
    intensity: float


@dataclass(frozen=True)
class Header:
    """The model's own bounds, in posed model space."""

    corners: "tuple[Vector, ...]"  # 8
    sphere: "tuple[float, float, float, float]"
    axis_low: Vector
    axis_high: Vector
    axis_radius: float


@dataclass(frozen=True)
class Transform:
    """Scaled first, then turned, then moved."""

    scale: Vector = (1.0, 1.0, 1.0)
    quaternion: "tuple[float, float, float, float]" = (1.0, 0.0, 0.0, 0.0)  # w, x, y, z
    translation: Vector = (0.0, 0.0, 0.0)

    @classmethod
    def turn(cls, axis: Vector, degrees: float) -> "Transform":
        raise NotImplementedError


@dataclass(frozen=True)
class BoxEvidence:
    """Which readings of keys put the geometry into the model's own box."""

    usable: bool
    why: str
    supported: "tuple[tuple[bool, bool], tuple[bool, bool]]"  # [key order][rotation]
    telling: bool
    key_order: Optional[int]
    rotation: Optional[int]


@dataclass(frozen=True)
class Difference:
    kind: str  # "stream missing", "node missing", "count", "attribute", "field", "bytes", "pose"
    place: str
    a: str
    b: str
    stream: Optional[int]
    node: Optional[int]
    element: Optional[int]


@dataclass(frozen=True)
class Differences:
    count: int
    posed: bool
    position: float  # the largest distance of two poses
    angle: float  # in degrees
    node: Optional[int]
    frame: int
    found: "tuple[Difference, ...]"


# ---- descriptions, of which Model.make makes a model -------------------------------------------


@dataclass
class BatchDescription:
    """Indices are relative to base_vertex; three make a triangle."""

    indices: Sequence[int]
    base_vertex: int = 0
    flags: int = 0
    material: int = 0
    row: int = 0
    lightmap: int = 0xFF
    portal: Optional[int] = None
    triangle_flags: Optional[Sequence[int]] = None


@dataclass
class SlotDescription:
    first_batch: int = 0
    batch_count: int = 0
    sphere: "Optional[tuple[float, float, float, float]]" = None  # None: computed
    measures: "Optional[tuple[float, float]]" = None  # area and volume; None: computed
    opaque: "tuple[int, int, int]" = (0, 0, 0)


@dataclass
class NodeDescription:
    name: str = ""
    parent: Optional[int] = None
    keys: Sequence[Key] = field(default_factory=list)  # at least one
    slots: "Dict[int, int]" = field(default_factory=dict)  # cell (0 to 14) to slot
    flags: int = 0
    label: str = ""


class Model:
    """A model in memory. Reading never changes it; edits take effect at once in memory, and in a
    file only through `save`, or `store` and Archive.save.

    Names and labels are text in Windows-1251, as the game reads them."""

    readings: Readings  # of the file's fields; used wherever a function needs them
    archive: Optional[Archive]  # the archive that it came from
    member: Optional[Member]
    name: str  # of the member or the file

    # ---- in and out ----

    @classmethod
    def open(cls, source: Source, readings: AnyReadings = None) -> "Model":
        """Reads a bare `.msh`: a path, "library.rlb::model.msh", or bytes. What is damaged is left
        out, and `check` names it; what is no model is a RetroposeError."""
        raise NotImplementedError

    @classmethod
    def from_archive(
        cls, archive: Archive, member: Union[int, str, Member], readings: AnyReadings = None
    ) -> "Model":
        raise NotImplementedError

    @classmethod
    def make(
        cls,
        nodes: Sequence[NodeDescription],
        slots: Sequence[SlotDescription],
        batches: Sequence[BatchDescription],
        positions: Sequence[Vector],
        normals: Sequence["tuple[int, int, int, int]"],
        uv0: Sequence["tuple[int, int]"],
        name: str = "model",
        uv1: Optional[Sequence["tuple[int, int]"]] = None,
        probes: Sequence[Probe] = (),
        frame_count: int = 0,
        header: Optional[Header] = None,
        readings: AnyReadings = None,
    ) -> "Model":
        """Makes a model of a plain description; everything that follows from it is computed."""
        raise NotImplementedError

    @classmethod
    def import_glb(
        cls,
        source: Source,
        readings: AnyReadings = None,
        frames_per_second: float = 0.0,
        animation: Optional[str] = None,
        name: Optional[str] = None,
        tolerance: float = 1e-6,
        ignore_restore: bool = False,
    ) -> Import:
        """Reads GLB, or glTF as text (with its further files beside it, if `source` is a path).
        An export that was not edited gives every stream back byte for byte."""
        raise NotImplementedError

    @classmethod
    def assemble(cls, text: str, readings: AnyReadings = None) -> "Model":
        """Makes the model that a dump describes."""
        raise NotImplementedError

    @property
    def changed(self) -> bool:
        """Whether `to_bytes` would give other bytes than those that were read."""
        raise NotImplementedError

    def to_bytes(self, layout: Layout = Layout.PRESERVING) -> bytes:
        """The `.msh`. A model that was not changed gives the bytes that were read."""
        raise NotImplementedError

    def save(self, path: str, layout: Layout = Layout.PRESERVING) -> None:
        """Writes the `.msh`, all of it or nothing."""
        raise NotImplementedError

    def store(self) -> None:
        """Puts the model into the archive that it came from, which is in memory: `archive.save`
        writes it. RetroposeError for a model that came from none."""
        raise NotImplementedError

    def dump(self) -> str:
        """The whole model as JSON, which `assemble` turns into the same bytes."""
        raise NotImplementedError

    def diff(
        self,
        other: "Model",
        most: int = 10,
        bytes_only: bool = False,
        position: float = 0.0,
        angle: float = 0.0,
    ) -> Differences:
        raise NotImplementedError

    def export_glb(
        self,
        path: Optional[str] = None,
        *,
        name: Optional[str] = None,
        frames_per_second: float = 20.0,
        sub_frames: int = 1,
        cells: int = 0x7FFF,
        root_motion: RootMotion = RootMotion.KEEP,
        text: bool = False,
        animation: bool = True,
        restore: bool = True,
        notes: Optional[List[Finding]] = None,
    ) -> bytes:
        """The model as GLB, or as glTF text; also written to `path`. `notes` receives what could
        not be shown."""
        raise NotImplementedError

    def export_obj(
        self,
        *,
        cell: int = 0,
        frame: float = -1.0,
        zero_root: bool = False,
        y_up: bool = True,
        materials: Optional[str] = None,
        notes: Optional[List[Finding]] = None,
    ) -> "tuple[str, str]":
        """The texts of an OBJ and of its MTL. A negative frame is the rest pose."""
        raise NotImplementedError

    # ---- what it has ----

    @property
    def node_count(self) -> int:
        raise NotImplementedError

    @property
    def frame_count(self) -> int:
        """It moves between the frames 0 and frame_count - 1."""
        raise NotImplementedError

    @property
    def streams(self) -> List[Stream]:
        raise NotImplementedError

    def stream(self, type: int) -> bytes:
        """The bytes of a stream; b"" where it is missing."""
        raise NotImplementedError

    @property
    def nodes(self) -> List[Node]:
        raise NotImplementedError

    @property
    def sockets(self) -> List[Node]:
        """The nodes that have a label."""
        raise NotImplementedError

    def find_node(self, name: str) -> int:
        """A node by its name, or by "#3". RetroposeError for none, and for several of one name."""
        raise NotImplementedError

    @property
    def slots(self) -> List[Slot]:
        raise NotImplementedError

    @property
    def batches(self) -> List[Batch]:
        raise NotImplementedError

    @property
    def triangles(self) -> List[Triangle]:
        raise NotImplementedError

    @property
    def keys(self) -> List[Key]:
        raise NotImplementedError

    def track(self, node: int) -> Optional["tuple[int, int]"]:
        """The first and the last of a node's keys, or None where it has no track of its own."""
        raise NotImplementedError

    def key_at(self, node: int, frame: int) -> Optional[int]:
        """The key that the frame map names."""
        raise NotImplementedError

    @property
    def probes(self) -> List[Probe]:
        raise NotImplementedError

    @property
    def header(self) -> Optional[Header]:
        raise NotImplementedError

    def positions(self) -> Array:
        """(vertices, 3) float32; a copy, here and below."""
        raise NotImplementedError

    def normals(self) -> Array:
        """(vertices, 4) int8; divide by 127 and clamp to -1..1."""
        raise NotImplementedError

    def uv(self, channel: int = 0) -> Array:
        """(vertices, 2) uint16, or int16 under the reading uv=signed; divide by 1024. Channel 1 is
        the lightmap's."""
        raise NotImplementedError

    def indices(self) -> Array:
        """(indices,) uint16, each relative to its batch's base vertex."""
        raise NotImplementedError

    def corners(self, batch: int) -> Array:
        """(triangles, 3) uint32: the vertices of a batch's triangles."""
        raise NotImplementedError

    def quaternion(self, rotation: Sequence[int]) -> "tuple[float, float, float, float]":
        """w, x, y, z of a key's rotation, under the readings; not normalised."""
        raise NotImplementedError

    def rotation(self, quaternion: Sequence[float]) -> "tuple[int, int, int, int]":
        """What a key stores for w, x, y, z."""
        raise NotImplementedError

    def describe(self) -> Dict[str, Any]:
        """What the viewer is told: nodes, slots, bounds, counts, readings, findings."""
        raise NotImplementedError

    def check(self) -> List[Finding]:
        """All findings (rules M01 on)."""
        raise NotImplementedError

    def readings_by_evidence(self) -> "tuple[Readings, list[ReadingEvidence]]":
        """The readings that the model's own numbers speak for, and why."""
        raise NotImplementedError

    def box_evidence(self) -> BoxEvidence:
        raise NotImplementedError

    # ---- poses ----

    def pose(
        self,
        t_a: float,
        t_b: Optional[float] = None,
        weight: float = 0.0,
        *,
        readings: AnyReadings = None,
        arithmetic: Optional[Arithmetic] = None,
        zero_root: bool = False,
    ) -> Pose:
        """Poses all nodes at a time in frames, or between two times: with `t_b`, `weight` (0 to 1)
        of the second. Arrays of (nodes, 4, 4)."""
        raise NotImplementedError

    def poses(
        self,
        times: Iterable["tuple[float, float, float]"],
        *,
        readings: AnyReadings = None,
        arithmetic: Optional[Arithmetic] = None,
        zero_root: bool = False,
    ) -> Pose:
        """Poses for many (t_a, t_b, weight) at once: arrays of (times, nodes, 4, 4)."""
        raise NotImplementedError

    def clip(
        self, *, readings: AnyReadings = None, arithmetic: Optional[Arithmetic] = None
    ) -> Clip:
        """Prepares for posing many times."""
        raise NotImplementedError

    # ---- edits: each recomputes what follows from it, and leaves every other byte ----

    def rename(self, node: int, name: str) -> None:
        """A name of 0 to 31 bytes."""
        raise NotImplementedError

    def set_label(self, node: int, label: str) -> None:
        raise NotImplementedError

    def set_parent(self, node: int, parent: Optional[int]) -> None:
        raise NotImplementedError

    def set_flags(self, node: int, flags: int) -> None:
        raise NotImplementedError

    def set_slot(self, node: int, cell: int, slot: Optional[int]) -> None:
        raise NotImplementedError

    def set_material(self, batch: int, material: int) -> None:
        raise NotImplementedError

    def drop_stream(self, type: int) -> None:
        raise NotImplementedError

    def set_attribute(self, type: int, which: int, value: int) -> None:
        raise NotImplementedError

    def set_stream(self, type: int, data: bytes) -> None:
        """Replaces the bytes of a stream that exists. Nothing is recomputed."""
        raise NotImplementedError

    def set_key(self, index: int, key: Key, update: bool = True) -> None:
        """Changes one key in place; its time stays where the frame map has it, so a key with
        another time is refused: `set_animation` moves keys. `update` makes the header anew."""
        raise NotImplementedError

    def set_position(self, vertex: int, position: Vector, update: bool = True) -> None:
        """Moves one vertex. `update` makes bounds and triangles' normals anew."""
        raise NotImplementedError

    def set_positions(self, positions: Any, update: bool = True) -> None:
        """Moves all vertices: (vertices, 3) float32."""
        raise NotImplementedError

    def set_normals(self, normals: Any) -> None:
        """(vertices, 4) int8."""
        raise NotImplementedError

    def set_uv(self, uv: Any, channel: int = 0) -> None:
        """(vertices, 2) of 16 bits."""
        raise NotImplementedError

    def transform_node(self, node: int, transform: Transform) -> None:
        raise NotImplementedError

    def transform_all(self, transform: Transform) -> None:
        raise NotImplementedError

    def animation(self, exact: bool = False) -> Animation:
        """A copy of all tracks. With `exact`, nodes that are not in canonical form are refused;
        else they get one key a frame."""
        raise NotImplementedError

    def set_animation(self, animation: Animation, update: bool = True) -> None:
        """Puts tracks in. Nothing changes where they are those that the model has."""
        raise NotImplementedError

    def match_nodes(self, other: "Model") -> List[Optional[int]]:
        """For each node the node of `other` with the same name, for Animation.append."""
        raise NotImplementedError

    def update_bounds(self) -> None:
        raise NotImplementedError

    def update_header(self) -> None:
        raise NotImplementedError

    def update_triangles(self) -> None:
        raise NotImplementedError
