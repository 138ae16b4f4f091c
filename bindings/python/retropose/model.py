"""Models (`.msh`): their nodes, geometry, keys and labels, read and edited."""

from __future__ import annotations

import ctypes
import enum
import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _abi
from .animation import Animation, key_of, key_to, keys_of
from .archive import Archive, Layout, Member, Source, _NRes
from .errors import Finding, RetroposeError, Status
from .gltf import Import, RootMotion
from .library import (
    Array,
    Buffer,
    Sink,
    array,
    as_bytes,
    attempt,
    call,
    checked,
    decode,
    encode,
    numbers,
    read_file,
    room,
    several,
    text,
    whole,
    write_file,
)
from .pose import Arithmetic, Clip, Pose, one, pose_skeleton
from .readings import AnyReadings, ReadingEvidence, Readings

NONE: int = _abi.RP_MSH_NONE  # stands in the file's fields for "no node", "no slot" and the like

Vector = Tuple[float, float, float]


class StreamType(enum.IntEnum):
    """Types of a model's streams."""

    NODES = _abi.RP_MSH_NODES
    SLOTS = _abi.RP_MSH_SLOTS
    POSITIONS = _abi.RP_MSH_POSITIONS
    NORMALS = _abi.RP_MSH_NORMALS
    UV0 = _abi.RP_MSH_UV0
    INDICES = _abi.RP_MSH_INDICES
    TRIANGLES = _abi.RP_MSH_TRIANGLES
    KEYS = _abi.RP_MSH_KEYS
    NAMES = _abi.RP_MSH_NAMES
    LABELS = _abi.RP_MSH_LABELS
    BATCHES = _abi.RP_MSH_BATCHES
    RES15 = _abi.RP_MSH_RES15
    RES16 = _abi.RP_MSH_RES16
    PATHS = _abi.RP_MSH_PATHS
    UV1 = _abi.RP_MSH_UV1
    FRAME_MAP = _abi.RP_MSH_FRAME_MAP
    PROBES = _abi.RP_MSH_PROBES


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
        raw = call("RpMshTransform_Identity")
        attempt("RpMshTransform_Turn", raw, numbers(axis, "d", 3, "the axis"), degrees)
        return cls(several(raw.scale), several(raw.quaternion), several(raw.translation))

    @property
    def raw(self) -> Any:
        made = _abi.RpMshTransform()
        made.scale[:] = [float(value) for value in self.scale]
        made.quaternion[:] = [float(value) for value in self.quaternion]
        made.translation[:] = [float(value) for value in self.translation]
        return made


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
        path = None if isinstance(source, (bytes, bytearray, memoryview)) else os.fspath(source)
        if path is None:
            return cls._of(as_bytes(source), readings, "model")
        file, separator, member = path.rpartition("::")
        if separator and not os.path.exists(path):
            return cls.from_archive(Archive.open(file), member, readings)
        try:
            return cls._of(read_file(path), readings, os.path.basename(path))
        except RetroposeError as error:
            raise _at(error, path) from None

    @classmethod
    def from_archive(
        cls, archive: Archive, member: Union[int, str, Member], readings: AnyReadings = None
    ) -> "Model":
        data = archive.read(member)
        found = member if isinstance(member, Member) else archive[member]
        try:
            model = cls._of(data, readings, found.name)
        except RetroposeError as error:
            raise _at(error, "%s::%s" % (archive.path or "archive", found.name)) from None
        model.archive, model.member = archive, found
        return model

    @classmethod
    def _of(cls, image: bytes, readings: AnyReadings, name: str) -> "Model":
        """A model of the bytes of a file, or of an archive that a function is to fill."""
        file = Archive.open(image)
        if not isinstance(file, _NRes):
            raise RetroposeError(
                Status.UNSUPPORTED, "this is no model", expected="NRes", found="RsLi"
            )
        model = cls._around(file, readings, name)
        if call("RpMsh_IsLand", file.entries()):
            raise RetroposeError(Status.UNSUPPORTED, "this is the landscape of a map, and no model")
        if not call("RpMsh_Is", file.entries()):
            raise RetroposeError(
                Status.UNSUPPORTED,
                "this archive is no model",
                expected="streams of the types 1, 2, 3, 6 and 13",
                found="%d members" % len(file),
            )
        return model

    @classmethod
    def _around(cls, file: "_NRes", readings: AnyReadings, name: str) -> "Model":
        model = object.__new__(cls)
        model.readings, model.name, model.file = Readings(readings), name, file
        model.archive, model.member, model._seen, model._opened = None, None, -1, None
        return model

    @classmethod
    def _filled(cls, readings: AnyReadings, name: str, filler: str, *arguments: Any) -> "Model":
        """A model in a new archive, which a function fills whose last parameter it is."""
        file = Archive.new("nres")
        assert isinstance(file, _NRes)
        attempt(filler, *arguments, file.writable())
        image = file.to_bytes(Layout.CANONICAL)
        file.close()
        return cls._of(image, readings, name)

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
        keep: List[Any] = []

        def many(kind: Any, items: Sequence[Any]) -> Any:
            made = (kind * max(len(items), 1))(*items)
            keep.append(made)
            return made

        def address(kind: str, values: Any, count: int, what: str) -> int:
            made = numbers(values, kind, count, what)
            keep.append(made)
            return ctypes.addressof(made)

        raw_nodes = []
        for node in nodes:
            raw = call("RpMshNodeDescription_Default")
            raw.name, raw.label = encode(node.name), encode(node.label) or None
            raw.flags = whole(node.flags, "a node's flags", 0xFFFF)
            raw.parent = _none(node.parent, "a node's parent")
            for cell, slot in node.slots.items():
                raw.slots[whole(cell, "a cell", _abi.RP_MSH_SLOT_WORDS - 1)] = _none(slot, "a slot")
            keep.append(keys_of(node.keys))
            raw.keys, raw.key_count = keep[-1], len(node.keys)
            raw_nodes.append(raw)
        raw_slots = []
        for slot_ in slots:
            raw = _abi.RpMshSlotDescription(
                whole(slot_.first_batch, "a slot's first batch"),
                whole(slot_.batch_count, "a slot's batches"),
            )
            if slot_.sphere is not None:
                raw.has_sphere = True
                raw.sphere[:] = slot_.sphere
            if slot_.measures is not None:
                raw.has_measures = True
                raw.area, raw.volume = slot_.measures
            raw.opaque[:] = slot_.opaque
            raw_slots.append(raw)
        raw_batches = []
        for batch in batches:
            raw = call("RpMshBatchDescription_Default")
            raw.flags = whole(batch.flags, "a batch's flags", 0xFFFF)
            raw.material = whole(batch.material, "a batch's material", 0xFFFF)
            raw.row = whole(batch.row, "a batch's row", 0xFF)
            raw.lightmap = whole(batch.lightmap, "a batch's lightmap", 0xFF)
            raw.portal = _none(batch.portal, "a batch's portal")
            raw.base_vertex = whole(batch.base_vertex, "a batch's base vertex")
            raw.indices = address("H", batch.indices, len(batch.indices), "a batch's indices")
            raw.index_count = len(batch.indices)
            if batch.triangle_flags is not None:
                raw.triangle_flags = address(
                    "H", batch.triangle_flags, len(batch.indices) // 3, "a batch's triangle flags"
                )
            raw_batches.append(raw)
        count = len(positions)
        model = _abi.RpMshDescription()
        model.name = encode(name)
        model.nodes, model.node_count = many(_abi.RpMshNodeDescription, raw_nodes), len(nodes)
        model.slots, model.slot_count = many(_abi.RpMshSlotDescription, raw_slots), len(slots)
        model.batches = many(_abi.RpMshBatchDescription, raw_batches)
        model.batch_count, model.vertex_count = len(batches), count
        model.positions = address("f", positions, 3 * count, "the positions")
        model.normals = address("b", normals, 4 * count, "the normals")
        model.uv0 = address("H", uv0, 2 * count, "the UV")
        if uv1 is not None:
            model.uv1 = address("H", uv1, 2 * count, "the lightmap's UV")
        raw_probes = []
        for probe in probes:
            raw = _abi.RpMshProbe(node=whole(probe.node, "a probe's node", 0x7FFFFFFF, -0x80000000))
            raw.position[:], raw.direction[:] = probe.position, probe.direction
            raw.colour[:], raw.intensity = probe.colour, probe.intensity
            raw_probes.append(raw)
        model.probes, model.probe_count = many(_abi.RpMshProbe, raw_probes), len(probes)
        model.frame_count = whole(frame_count, "the number of frames")
        if header is not None:
            model.has_header = True
            for corner, values in zip(model.header.corners, header.corners):
                corner[:] = values
            model.header.sphere[:] = header.sphere
            model.header.axis_low[:], model.header.axis_high[:] = header.axis_low, header.axis_high
            model.header.axis_radius = header.axis_radius
        chosen = Readings(readings)
        model.readings = chosen.raw
        return cls._filled(chosen, name, "RpMsh_Make", model)

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
        ignore_animation: bool = False,
    ) -> Import:
        """Reads GLB, or glTF as text (with its further files beside it, if `source` is a path).
        An export that was not edited gives every stream back byte for byte."""
        path = None if isinstance(source, (bytes, bytearray, memoryview)) else os.fspath(source)
        data = as_bytes(source) if path is None else read_file(path)
        options, sink = call("RpGltfImportOptions_Default"), Sink()
        chosen = Readings(readings)
        options.readings, options.use_readings = chosen.raw, readings is not None
        options.frames_per_second, options.tolerance = frames_per_second, tolerance
        options.animation = None if animation is None else animation.encode()
        options.name = None if name is None else encode(name)
        options.ignore_restore, options.ignore_animation = ignore_restore, ignore_animation
        options.notes = ctypes.pointer(sink.raw)

        def load(_: object, beside: bytes, buffer: Any, error: Any) -> int:
            return _load_beside(path or "", beside, buffer, error)

        loader = type(options.load)(load)
        if path is not None:
            options.load = loader
        try:
            file = Archive.new("nres")
            assert isinstance(file, _NRes)
            attempt("RpGltf_Import", data, len(data), options, file.writable())
            image = file.to_bytes(Layout.CANONICAL)
        except RetroposeError as error:
            raise (_at(error, path) if path else error) from None
        shown = os.path.basename(path) if path else "model"
        return Import(cls._of(image, readings, name or shown), sink.findings)

    @classmethod
    def assemble(cls, text: str, readings: AnyReadings = None) -> "Model":
        """Makes the model that a dump describes."""
        data = text.encode("utf-8", "surrogateescape")
        with Buffer() as buffer:
            attempt("RpMsh_Assemble", data, len(data), buffer.raw)
            return cls._of(buffer.take(), readings, "model")

    # ---- what all methods stand on ----

    file: _NRes  # the streams, as members of the model's own archive
    _seen: int
    _opened: Any

    def __init__(self) -> None:
        raise TypeError("a model is made by Model.open, from_archive, make or import_glb")

    def __repr__(self) -> str:
        return "<model %s: %d nodes, %d frames>" % (self.name, self.node_count, self.frame_count)

    @property
    def _msh(self) -> Any:
        """The RpMsh as the model is now."""
        if self._seen != self.file.edits:
            opened = _abi.RpMsh()
            attempt("RpMsh_Open", self.file.entries(), _abi.RP_TOLERANT, opened)
            self._opened, self._seen = opened, self.file.edits
        return self._opened

    def _image(self) -> "tuple[bytes, Any]":
        """The bytes, and an RpNRes of them, which they have to outlive."""
        image, source = self.to_bytes(), _abi.RpNRes()
        attempt("RpNRes_Open", image, len(image), _abi.RP_TOLERANT, source)
        return image, source

    def _edit(self, name: str, *arguments: Any) -> None:
        """Calls a function that changes the archive."""
        attempt(name, self.file.writable(), *arguments)
        self.file._touched()

    def _skeleton(self) -> Any:
        skeleton = _abi.RpSkeleton()
        attempt("RpMsh_Skeleton", self._msh, skeleton)
        return skeleton

    def _records(self, type: int, name: str, record: Any) -> "Iterable[Any]":
        for index in range(self._msh.streams[type].count):
            raw = record()
            if call(name, self._msh, index, raw):
                yield index, raw

    def _array(self, type: int, format: str, width: int) -> Array:
        stream = self._msh.streams[type]
        shape = (stream.count, width) if width > 1 else (stream.count,)
        size = stream.count * max(width, 1) * _SIZES[format]
        memory = room(size)
        if size and stream.data:
            ctypes.memmove(memory, stream.data, size)
        return array(memory, format, shape)

    def _texts(self, type: int) -> List[str]:
        found = []
        walk = call("RpMsh_Texts", self._msh, type)
        at, length = ctypes.c_void_p(), ctypes.c_uint32()
        while call("RpMshTexts_Next", walk, ctypes.byref(at), ctypes.byref(length)):
            found.append(decode(ctypes.string_at(at.value, length.value)) if at.value else "")
        return found

    # ---- out ----

    @property
    def changed(self) -> bool:
        """Whether `to_bytes` would give other bytes than those that were read."""
        return self.file.changed

    def to_bytes(self, layout: Layout = Layout.PRESERVING) -> bytes:
        """The `.msh`. A model that was not changed gives the bytes that were read."""
        return self.file.to_bytes(layout)

    def save(self, path: str, layout: Layout = Layout.PRESERVING) -> None:
        """Writes the `.msh`, all of it or nothing."""
        write_file(path, self.to_bytes(layout))

    def store(self) -> None:
        """Puts the model into the archive that it came from, which is in memory: `archive.save`
        writes it. RetroposeError for a model that came from none."""
        if self.archive is None or self.member is None:
            raise RetroposeError(Status.INVALID, "the model came from no archive")
        self.archive.replace(self.member, self.to_bytes())
        self.member = self.archive[self.archive._index(self.member)]

    def dump(self) -> str:
        """The whole model as JSON, which `assemble` turns into the same bytes."""
        _image, source = self._image()
        with Buffer() as buffer:
            attempt("RpMsh_Dump", source, buffer.raw)
            return buffer.take().decode("utf-8", "surrogateescape")

    def diff(
        self,
        other: "Model",
        most: int = 10,
        bytes_only: bool = False,
        position: float = 0.0,
        angle: float = 0.0,
    ) -> Differences:
        _mine, a = self._image()
        _its, b = other._image()
        options = _abi.RpMshDiffOptions(
            whole(most, "the number of differences"), bytes_only, position, angle,
            self.readings.raw,
        )
        found: List[Difference] = []

        def take(_: object, difference: Any) -> None:
            raw = difference.contents
            found.append(
                Difference(
                    _KINDS[raw.kind], text(raw.place), text(raw.a), text(raw.b),
                    _index(raw.stream), _index(raw.node), _index(raw.element),
                )
            )

        result = _abi.RpMshDiffResult()
        taker = _abi.FUNCTIONS["RpMsh_Diff"][1][3](take)
        attempt("RpMsh_Diff", a, b, options, taker, None, result)
        return Differences(
            result.count, result.posed, result.position, result.angle,
            _index(result.node), result.frame, tuple(found),
        )

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
        options, sink = call("RpGltfExportOptions_Default"), Sink()
        options.readings = self.readings.raw
        options.name = None if name is None else name.encode()
        options.frames_per_second = frames_per_second
        options.sub_frames = whole(sub_frames, "the samples a frame")
        options.cells = whole(cells, "the cells")
        options.root_motion = RootMotion(root_motion)
        options.container = _abi.RP_GLTF_TEXT if text else _abi.RP_GLTF_BINARY
        options.animation, options.restore = animation, restore
        options.notes = ctypes.pointer(sink.raw)
        with Buffer() as buffer:
            attempt("RpGltf_Export", self.file.writable(), options, buffer.raw)
            data = buffer.take()
        if notes is not None:
            notes.extend(sink.findings)
        if path is not None:
            write_file(path, data)
        return data

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
        options, sink = call("RpObjOptions_Default"), Sink()
        options.readings = self.readings.raw
        options.cell, options.frame = whole(cell, "the cell"), frame
        options.zero_root, options.y_up = zero_root, y_up
        options.materials = None if materials is None else materials.encode()
        options.notes = ctypes.pointer(sink.raw)
        with Buffer() as obj, Buffer() as mtl:
            attempt("RpObj_Export", self.file.writable(), options, obj.raw, mtl.raw)
            texts = text(obj.take()), text(mtl.take())
        if notes is not None:
            notes.extend(sink.findings)
        return texts

    # ---- what it has ----

    @property
    def node_count(self) -> int:
        return int(self._msh.streams[_abi.RP_MSH_NODES].count)

    @property
    def frame_count(self) -> int:
        """It moves between the frames 0 and frame_count - 1."""
        return int(self._msh.frame_count)

    @property
    def streams(self) -> List[Stream]:
        found = []
        for member in self.file:
            name = call("RpMsh_StreamName", member.type)
            known = member.type < _abi.RP_MSH_TYPE_LIMIT
            stream = self._msh.streams[member.type] if known else None
            found.append(
                Stream(
                    member.type,
                    text(name) if name else "Res%d" % member.type,
                    stream.count if stream is not None and stream.entry == member.index else 0,
                    member.size,
                    member.attributes,
                )
            )
        return found

    def stream(self, type: int) -> bytes:
        """The bytes of a stream; b"" where it is missing."""
        for member in self.file:
            if member.type == type:
                return self.file.read(member.index)
        return b""

    @property
    def nodes(self) -> List[Node]:
        names = self._texts(_abi.RP_MSH_NAMES)
        labels = self._texts(_abi.RP_MSH_LABELS)
        return [
            Node(
                index,
                names[index] if index < len(names) else "",
                labels[index] if index < len(labels) else "",
                _some(raw.parent),
                raw.flags,
                several(map(_some, raw.slots)),
                _some(raw.map_start),
                raw.fallback,
            )
            for index, raw in self._records(_abi.RP_MSH_NODES, "RpMsh_Node", _abi.RpMshNode)
        ]

    @property
    def sockets(self) -> List[Node]:
        """The nodes that have a label."""
        return [node for node in self.nodes if node.label]

    def find_node(self, name: str) -> int:
        """A node by its name, or by "#3". RetroposeError for none, and for several of one name."""
        node = ctypes.c_uint32()
        attempt(
            "RpMshEdit_FindNode",
            self.file.writable(),
            self.readings.raw,
            encode(name),
            ctypes.byref(node),
        )
        return node.value

    @property
    def slots(self) -> List[Slot]:
        return [
            Slot(
                index, raw.first_triangle, raw.triangle_count, raw.first_batch, raw.batch_count,
                several(raw.low), several(raw.high), several(raw.sphere), raw.area, raw.volume,
                several(raw.opaque),
            )
            for index, raw in self._records(_abi.RP_MSH_SLOTS, "RpMsh_Slot", _abi.RpMshSlot)
        ]

    @property
    def batches(self) -> List[Batch]:
        return [
            Batch(
                index, raw.flags, raw.material, raw.row, raw.lightmap, _some(raw.portal),
                raw.first_index, raw.index_count, raw.base_vertex, raw.vertex_count,
            )
            for index, raw in self._records(_abi.RP_MSH_BATCHES, "RpMsh_Batch", _abi.RpMshBatch)
        ]

    @property
    def triangles(self) -> List[Triangle]:
        return [
            Triangle(
                index, raw.flags, several(map(_some, raw.neighbours)), several(raw.normal), raw.edges
            )
            for index, raw in self._records(
                _abi.RP_MSH_TRIANGLES, "RpMsh_Triangle", _abi.RpMshTriangle
            )
        ]

    @property
    def keys(self) -> List[Key]:
        return [
            key_of(raw)
            for _, raw in self._records(_abi.RP_MSH_KEYS, "RpMsh_Key", _abi.RpMshKey)
        ]

    def track(self, node: int) -> Optional["tuple[int, int]"]:
        """The first and the last of a node's keys, or None where it has no track of its own."""
        first, last = ctypes.c_uint32(), ctypes.c_uint32()
        node = whole(node, "the node")
        if call("RpMsh_Track", self._msh, node, ctypes.byref(first), ctypes.byref(last)):
            return first.value, last.value
        return None

    def key_at(self, node: int, frame: int) -> Optional[int]:
        """The key that the frame map names."""
        key = ctypes.c_uint32()
        node, frame = whole(node, "the node"), whole(frame, "the frame")
        found = call("RpMsh_KeyAt", self._msh, node, frame, ctypes.byref(key))
        return key.value if found else None

    @property
    def probes(self) -> List[Probe]:
        return [
            Probe(
                raw.node, several(raw.position), several(raw.direction), several(raw.colour),
                raw.intensity,
            )
            for _, raw in self._records(_abi.RP_MSH_PROBES, "RpMsh_Probe", _abi.RpMshProbe)
        ]

    @property
    def header(self) -> Optional[Header]:
        raw = _abi.RpMshHeader()
        if not call("RpMsh_Header", self._msh, raw):
            return None
        return Header(
            tuple(several(corner) for corner in raw.corners), several(raw.sphere),
            several(raw.axis_low), several(raw.axis_high), raw.axis_radius,
        )

    def positions(self) -> Array:
        """(vertices, 3) float32; a copy, here and below."""
        return self._array(_abi.RP_MSH_POSITIONS, "f", 3)

    def normals(self) -> Array:
        """(vertices, 4) int8; divide by 127 and clamp to -1..1."""
        return self._array(_abi.RP_MSH_NORMALS, "b", 4)

    def uv(self, channel: int = 0) -> Array:
        """(vertices, 2) uint16, or int16 under the reading uv=signed; divide by 1024. Channel 1 is
        the lightmap's."""
        type = _abi.RP_MSH_UV1 if _channel(channel) else _abi.RP_MSH_UV0
        return self._array(type, "H" if self.readings["uv"] == "unsigned" else "h", 2)

    def indices(self) -> Array:
        """(indices,) uint16, each relative to its batch's base vertex."""
        return self._array(_abi.RP_MSH_INDICES, "H", 1)

    def corners(self, batch: int) -> Array:
        """(triangles, 3) uint32: the vertices of a batch's triangles."""
        raw = _abi.RpMshBatch()
        if not call("RpMsh_Batch", self._msh, whole(batch, "the batch"), raw):
            raise RetroposeError(Status.NOT_FOUND, "there is no such batch", found=str(batch))
        indices = self._array(_abi.RP_MSH_INDICES, "H", 1)
        last = min(raw.first_index + raw.index_count, len(indices))
        chosen = [int(index) + raw.base_vertex for index in indices[raw.first_index : last]]
        chosen = chosen[: len(chosen) - len(chosen) % 3]
        return array(numbers(chosen, "I", None, "the corners"), "I", (len(chosen) // 3, 3))

    def quaternion(self, rotation: Sequence[int]) -> "tuple[float, float, float, float]":
        """w, x, y, z of a key's rotation, under the readings; not normalised."""
        made = (ctypes.c_float * 4)()
        call(
            "RpMsh_DecodeRotation", numbers(rotation, "h", 4, "the rotation"), self.readings.raw,
            made,
        )
        w, x, y, z = made
        return w, x, y, z

    def rotation(self, quaternion: Sequence[float]) -> "tuple[int, int, int, int]":
        """What a key stores for w, x, y, z."""
        made = (ctypes.c_int16 * 4)()
        call(
            "RpMsh_EncodeRotation", numbers(quaternion, "f", 4, "the quaternion"),
            self.readings.raw, made,
        )
        a, b, c, d = made
        return a, b, c, d

    def describe(self) -> Dict[str, Any]:
        """What the page shows beside the model: nodes, slots, bounds, counts, readings."""
        _image, source = self._image()
        with Buffer() as buffer:
            attempt("RpView_Describe", source, self.readings.raw, buffer.raw)
            described: Dict[str, Any] = json.loads(buffer.take().decode("utf-8"))
            return described

    def check(self) -> List[Finding]:
        """All findings (rules M01 on)."""
        sink = Sink()
        return checked(sink, "RpMsh_Check", self.file.entries(), None, sink.raw)

    def readings_by_evidence(self) -> "tuple[Readings, list[ReadingEvidence]]":
        """The readings that the model's own numbers speak for, and why."""
        raw, found = _abi.RpReadings(), (_abi.RpMshReading * _abi.RP_MSH_READINGS)()
        attempt("RpMsh_ReadingsByEvidence", self._msh, None, raw, found)
        return Readings.of(raw), [
            ReadingEvidence(
                text(reading.name),
                text(reading.choice),
                text(call("RpMshCertainty_Name", reading.certainty)),
                reading.matters,
                text(reading.why),
            )
            for reading in found
        ]

    def box_evidence(self) -> BoxEvidence:
        raw = _abi.RpMshBoxEvidence()
        attempt("RpMsh_BoxEvidence", self._msh, None, raw)
        (a, b), (c, d) = raw.supported
        return BoxEvidence(
            raw.usable, text(raw.why), ((a, b), (c, d)), raw.telling,
            None if raw.key_order < 0 else raw.key_order,
            None if raw.rotation < 0 else raw.rotation,
        )

    def _arithmetic(self, readings: AnyReadings, arithmetic: Optional[Arithmetic]) -> Arithmetic:
        if arithmetic is not None:
            if readings is not None:
                raise RetroposeError(
                    Status.INVALID, "readings and an arithmetic, which has readings of its own"
                )
            return arithmetic
        return Arithmetic(self.readings if readings is None else readings)

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
        chosen = self._arithmetic(readings, arithmetic)
        return pose_skeleton(self._skeleton(), chosen, one(t_a, t_b, weight), zero_root, False)

    def poses(
        self,
        times: Iterable["tuple[float, float, float]"],
        *,
        readings: AnyReadings = None,
        arithmetic: Optional[Arithmetic] = None,
        zero_root: bool = False,
    ) -> Pose:
        """Poses for many (t_a, t_b, weight) at once: arrays of (times, nodes, 4, 4)."""
        chosen = self._arithmetic(readings, arithmetic)
        return pose_skeleton(self._skeleton(), chosen, times, zero_root, True)

    def clip(
        self, *, readings: AnyReadings = None, arithmetic: Optional[Arithmetic] = None
    ) -> Clip:
        """Prepares for posing many times."""
        return Clip(self._skeleton(), self._arithmetic(readings, arithmetic))

    # ---- edits: each recomputes what follows from it, and leaves every other byte ----

    def _node(self, node: int) -> int:
        """A number for the library, which itself refuses one that is too large."""
        last = max(self.node_count, 1) - 1
        return whole(node, "the node", last if node < 0 else 0xFFFFFFFF)

    def rename(self, node: int, name: str) -> None:
        """A name of 0 to 31 bytes."""
        self._edit("RpMshEdit_Rename", self._node(node), encode(name))

    def set_label(self, node: int, label: str) -> None:
        self._edit("RpMshEdit_SetLabel", self._node(node), encode(label, "the label"))

    def set_parent(self, node: int, parent: Optional[int]) -> None:
        self._edit("RpMshEdit_SetParent", self._node(node), _none(parent, "the parent"))

    def set_flags(self, node: int, flags: int) -> None:
        self._edit("RpMshEdit_SetFlags", self._node(node), whole(flags, "the flags"))

    def set_slot(self, node: int, cell: int, slot: Optional[int]) -> None:
        self._edit(
            "RpMshEdit_SetSlot", self._node(node), whole(cell, "the cell"),
            _none(slot, "the slot"),
        )

    def set_material(self, batch: int, material: int) -> None:
        self._edit(
            "RpMshEdit_SetMaterial", self.readings.raw, whole(batch, "the batch"),
            whole(material, "the material"),
        )

    def drop_stream(self, type: int) -> None:
        self._edit("RpMshEdit_DropStream", whole(type, "the type"))

    def set_attribute(self, type: int, which: int, value: int) -> None:
        self._edit(
            "RpMshEdit_SetAttribute", whole(type, "the type"), whole(which, "which attribute"),
            whole(value, "the attribute"),
        )

    def set_stream(self, type: int, data: bytes) -> None:
        """Replaces the bytes of a stream that exists. Nothing is recomputed."""
        index = call("RpNResArchive_FindType", self.file.writable(), whole(type, "the type"))
        if index < 0:
            raise RetroposeError(
                Status.NOT_FOUND, "the model has no such stream", found="type %d" % type
            )
        self.file.replace(index, data)

    def _patch(self, type: int, offset: int, data: bytes) -> None:
        stream = self.stream(type)
        self.set_stream(type, stream[:offset] + data + stream[offset + len(data) :])

    def set_key(self, index: int, key: Key, update: bool = True) -> None:
        """Changes one key in place; its time stays where the frame map has it, so a key with
        another time is refused: `set_animation` moves keys. `update` makes the header anew."""
        raw = _abi.RpMshKey()
        if not call("RpMsh_Key", self._msh, whole(index, "the key"), raw):
            raise RetroposeError(Status.NOT_FOUND, "there is no such key", found=str(index))
        if raw.time != key.time:
            raise RetroposeError(
                Status.INVALID, "a key keeps its time here; set_animation moves keys",
                "key %d" % index, str(raw.time), str(key.time),
            )
        key_to(raw, key)
        stored = (ctypes.c_uint8 * _abi.RP_MSH_KEY_BYTES)()
        call("RpMshKey_Write", raw, stored)
        self._patch(_abi.RP_MSH_KEYS, _abi.RP_MSH_KEY_BYTES * index, bytes(stored))
        if update:
            self.update_header()

    def set_position(self, vertex: int, position: Vector, update: bool = True) -> None:
        """Moves one vertex. `update` makes bounds and triangles' normals anew."""
        if whole(vertex, "the vertex") >= self._msh.streams[_abi.RP_MSH_POSITIONS].count:
            raise RetroposeError(Status.NOT_FOUND, "there is no such vertex", found=str(vertex))
        stored = bytes(numbers(position, "f", 3, "the position"))
        self._patch(_abi.RP_MSH_POSITIONS, 12 * vertex, stored)
        if update:
            self._moved()

    def _moved(self) -> None:
        """What follows from positions."""
        self.update_triangles()
        self.update_bounds()

    def set_positions(self, positions: Any, update: bool = True) -> None:
        """Moves all vertices: (vertices, 3) float32."""
        if self._fill(_abi.RP_MSH_POSITIONS, positions, "f", 3, "the positions") and update:
            self._moved()

    def _fill(self, type: int, values: Any, format: str, width: int, what: str) -> bool:
        """Replaces all elements of a stream, and says whether that changed it."""
        count = self._msh.streams[type].count
        made = numbers(values, format, width * count, what)
        stored = bytes(made)[: width * count * _SIZES[format]]
        if not stored or self.stream(type).startswith(stored):
            return False
        self._patch(type, 0, stored)
        return True

    def set_normals(self, normals: Any) -> None:
        """(vertices, 4) int8."""
        self._fill(_abi.RP_MSH_NORMALS, normals, "b", 4, "the normals")

    def set_uv(self, uv: Any, channel: int = 0) -> None:
        """(vertices, 2) of 16 bits."""
        type = _abi.RP_MSH_UV1 if _channel(channel) else _abi.RP_MSH_UV0
        format = "H" if self.readings["uv"] == "unsigned" else "h"
        self._fill(type, uv, format, 2, "the UV")

    def transform_node(self, node: int, transform: Transform) -> None:
        self._edit(
            "RpMshEdit_TransformNode", self.readings.raw, whole(node, "the node"), transform.raw
        )

    def transform_all(self, transform: Transform) -> None:
        self._edit("RpMshEdit_TransformAll", self.readings.raw, transform.raw)

    def animation(self, exact: bool = False) -> Animation:
        """A copy of all tracks. With `exact`, nodes that are not in canonical form are refused;
        else they get one key a frame."""
        made, sampled = Animation(), ctypes.c_uint32()
        mode = _abi.RP_MSH_EXTRACT_EXACT if exact else _abi.RP_MSH_EXTRACT_SAMPLE
        attempt("RpMshAnimation_Extract", made.raw, self._msh, mode, ctypes.byref(sampled))
        made.sampled = sampled.value
        return made

    def set_animation(self, animation: Animation, update: bool = True) -> None:
        """Puts tracks in. Nothing changes where they are those that the model has."""
        if animation.node_count == self.node_count and animation == self.animation():
            return
        attempt("RpMshAnimation_Install", animation.raw, self.file.writable())
        self.file._touched()
        if update:
            self.update_header()

    def match_nodes(self, other: "Model") -> List[Optional[int]]:
        """For each node the node of `other` with the same name, for Animation.append."""
        nodes, matched = (ctypes.c_uint32 * max(self.node_count, 1))(), ctypes.c_uint32()
        attempt("RpMsh_MatchNodes", self._msh, other._msh, None, nodes, ctypes.byref(matched))
        return [_some(node) for node in nodes[: self.node_count]]

    def update_bounds(self) -> None:
        self._edit("RpMsh_UpdateBounds", self.readings.raw)

    def update_header(self) -> None:
        self._edit("RpMsh_UpdateHeader", self.readings.raw)

    def update_triangles(self) -> None:
        self._edit("RpMsh_UpdateTriangles")


# ---- small things ------------------------------------------------------------------------------

_SIZES = {"f": 4, "b": 1, "B": 1, "h": 2, "H": 2, "I": 4}
_KINDS = {
    _abi.RP_MSH_STREAM_MISSING: "stream missing",
    _abi.RP_MSH_NODE_MISSING: "node missing",
    _abi.RP_MSH_COUNT: "count",
    _abi.RP_MSH_ATTRIBUTE: "attribute",
    _abi.RP_MSH_FIELD: "field",
    _abi.RP_MSH_BYTES: "bytes",
    _abi.RP_MSH_POSE: "pose",
    _abi.RP_MSH_REST: "rest",
}


def _some(value: int) -> Optional[int]:
    return None if value == NONE else value


def _none(value: Optional[int], what: str) -> int:
    return NONE if value is None else whole(value, what, NONE)


def _index(value: int) -> Optional[int]:
    return None if value == _abi.RP_NO_INDEX else value


def _channel(channel: int) -> int:
    return whole(channel, "the channel of UV", 1)


def _at(error: RetroposeError, path: str) -> RetroposeError:
    """The same error, which says which file."""
    where = path + (", " + error.where if error.where else "")
    return RetroposeError(
        error.status, error.what, where, error.expected, error.found, error.offset
    )


def _load_beside(path: str, beside: bytes, buffer: Any, error: Any) -> int:
    """Loads a buffer from the glTF file's own folder, and from nowhere else. Nothing may be raised
    through C, so that everything becomes a status."""
    try:
        if not call("RpGltf_IsBeside", beside):
            raise RetroposeError(
                Status.UNSUPPORTED, "the buffer is not a file beside the glTF", "/buffers",
                "a relative path without ..", beside.decode("utf-8", "replace"),
            )
        data = read_file(os.path.join(os.path.dirname(path), beside.decode("utf-8")))
        if not call("RpBuffer_Append", buffer, data, len(data)):
            raise RetroposeError(Status.NO_MEMORY, "the buffer is too large", "/buffers")
    except (RetroposeError, UnicodeDecodeError, MemoryError) as problem:
        failed = (
            problem
            if isinstance(problem, RetroposeError)
            else RetroposeError(Status.INVALID, str(problem))
        )
        return int(
            call(
                "RpError_Set", error, failed.status, _abi.RP_NOWHERE, failed.what.encode(),
                failed.where.encode(), failed.expected.encode(), failed.found.encode(),
            )
        )
    return int(Status.OK)
