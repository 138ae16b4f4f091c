"""Mesh objects: models put together, posed, measured and hit, as the game does."""

from __future__ import annotations

import ctypes
import enum
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple

from . import _abi
from .errors import RetroposeError, Status
from .library import Array, array, attempt, call, numbers, room, whole
from .pose import Arithmetic
from .readings import AnyReadings

if TYPE_CHECKING:
    from .model import Model

Vector = Tuple[float, float, float]


class Space(enum.IntEnum):
    LOCAL = _abi.RP_MESH_LOCAL  # of the parent
    MODEL = _abi.RP_MESH_MODEL  # of the object
    WORLD = _abi.RP_MESH_WORLD


@dataclass(frozen=True)
class Piece:
    """A node of one of the models that the object consists of."""

    part: int
    node: int
    parent: Optional[int]  # index of the parent's piece
    flags: int
    material: int
    stage: int


@dataclass(frozen=True)
class Bounds:
    corners: "tuple[Vector, ...]"  # 8
    agent_sphere: "tuple[float, float, float, float]"  # centre and radius
    node_sphere: "tuple[float, float, float, float]"
    capsule: "tuple[float, ...]"  # two ends and the radius


class Drawn(NamedTuple):
    """A batch that is drawn."""

    piece: int
    mode: int  # 2: of a cockpit
    flags: int  # as the game hands them on: those of the batch, and more above them
    material: int
    lightmap: int
    portal: int  # the piece behind it, or -1
    first_index: int
    index_count: int
    base_vertex: int
    vertex_count: int


@dataclass(frozen=True)
class Filter:
    """Which faces count: those with all required bits and none of the excluded ones."""

    required_batch: int = 0
    excluded_batch: int = 0
    required_triangle: int = 0
    excluded_triangle: int = 0


@dataclass(frozen=True)
class Hit:
    piece: int
    batch: int
    batch_triangle: int
    triangle: int
    point: Vector
    distance: float  # squared


def _free_model(model: Any) -> None:
    call("RpModel_Free", model)


def _free_object(mesh: Any) -> None:
    call("RpMeshObject_Free", mesh)


class _Loaded:
    """An RpModel, and the bytes that it points into."""

    def __init__(self, model: "Model", prepare_queries: bool) -> None:
        self.image, self.raw = model.to_bytes(), ctypes.c_void_p()
        attempt("RpModel_FromNRes", self.image, len(self.image), None, ctypes.byref(self.raw))
        weakref.finalize(self, _free_model, self.raw)
        if prepare_queries:
            attempt("RpModel_PrepareQueries", self.raw)


def _vector(values: Any, what: str) -> Any:
    return numbers(values, "f", 3, what)


def _matrix(values: Any) -> Any:
    return numbers(values, "f", 16, "the matrix")


def _filter(chosen: "Optional[Filter]") -> Any:
    if chosen is None:
        return None
    return _abi.RpMeshFilter(
        whole(chosen.required_batch, "the filter"),
        whole(chosen.excluded_batch, "the filter"),
        whole(chosen.required_triangle, "the filter"),
        whole(chosen.excluded_triangle, "the filter"),
    )


def _hit(raw: Any) -> "Hit":
    x, y, z = raw.point
    return Hit(raw.piece, raw.batch, raw.batch_triangle, raw.triangle, (x, y, z), raw.distance)


def _four(values: Any) -> "tuple[float, float, float, float]":
    x, y, z, radius = values
    return x, y, z, radius


def _corners(rows: Any) -> "tuple[Vector, ...]":
    return tuple((row[0], row[1], row[2]) for row in rows)


def _times(*times: int) -> "tuple[int, ...]":
    return tuple(whole(time, "a time", 0x7FFFFFFF, -0x80000000) for time in times)


class MeshObject:
    """An object made of a model, to which others can be attached. It keeps copies of its models."""

    HIDDEN = _abi.RP_MESH_HIDDEN
    FLYING = _abi.RP_MESH_FLYING
    OWN_SEGMENT = _abi.RP_MESH_OWN_SEGMENT
    TILTED = _abi.RP_MESH_TILTED

    def __init__(
        self,
        model: "Model",
        readings: AnyReadings = None,
        arithmetic: Optional[Arithmetic] = None,
        prepare_queries: bool = False,
    ) -> None:
        if arithmetic is not None and readings is not None:
            raise RetroposeError(
                Status.INVALID, "readings and an arithmetic, which has readings of its own"
            )
        chosen = arithmetic or Arithmetic(model.readings if readings is None else readings)
        self._prepare = prepare_queries
        root = _Loaded(model, prepare_queries)
        self._kept: List[_Loaded] = [root]  # every model has to outlive the object
        self._raw = ctypes.c_void_p()
        attempt("RpMeshObject_Create", root.raw, chosen.raw, None, ctypes.byref(self._raw))
        self._free = weakref.finalize(self, _free_object, self._raw)

    def _mesh(self) -> Any:
        if not self._free.alive:
            raise ValueError("the object is closed")
        return self._raw

    def _piece(self, piece: int) -> int:
        return whole(piece, "the piece", self.piece_count - 1)

    def _scope(self, piece: int) -> int:
        """A piece, or -1 for all."""
        return -1 if piece == -1 else self._piece(piece)

    def attach(self, model: "Model", part: int, piece: int, material: int = 0) -> None:
        """Attaches the nodes of a model, except for its node 0, to a piece, as part number `part`
        (above 0)."""
        loaded = _Loaded(model, self._prepare)
        attempt(
            "RpMeshObject_Attach", self._mesh(), loaded.raw, whole(part, "the part"),
            whole(piece, "the piece", 0x7FFFFFFF), whole(material, "the material"),
        )
        self._kept.append(loaded)

    def detach(self, part: int) -> None:
        attempt("RpMeshObject_Detach", self._mesh(), whole(part, "the part"))

    @property
    def piece_count(self) -> int:
        return int(call("RpMeshObject_PieceCount", self._mesh()))

    def piece(self, index: int) -> Piece:
        raw = _abi.RpMeshPiece()
        call("RpMeshObject_Piece", self._mesh(), self._piece(index), raw)
        return Piece(
            raw.part, raw.node, None if raw.parent < 0 else raw.parent, raw.flags, raw.material,
            raw.stage,
        )

    def first_piece(self, part: int) -> Optional[int]:
        found = call("RpMeshObject_FirstPieceOfPart", self._mesh(), whole(part, "the part"))
        return None if found < 0 else int(found)

    def set_frames(self, a_first: int, a_last: int, b_first: int = -1, b_last: int = -1) -> None:
        """Times of the object: side A goes from a_first to a_last, side B likewise. A side with a
        negative time does not count."""
        call("RpMeshObject_SetFrames", self._mesh(), *_times(a_first, a_last, b_first, b_last))

    def set_phase(self, phase: float, weight: float = 0.0) -> None:
        """Where it is between first and last (0 to 1), and between side A and side B (0 to 1)."""
        call("RpMeshObject_SetPhase", self._mesh(), phase, weight)

    def set_piece_frames(
        self, piece: int, a_first: int, a_last: int, b_first: int = -1, b_last: int = -1
    ) -> None:
        times = _times(a_first, a_last, b_first, b_last)
        call("RpMeshObject_SetPieceFrames", self._mesh(), self._piece(piece), *times)

    def set_piece_phase(self, piece: int, phase: float, weight: float = 0.0) -> None:
        call("RpMeshObject_SetPiecePhase", self._mesh(), self._piece(piece), phase, weight)

    def change_flags(
        self, piece: int, flags: int, on: bool = True, subtree: bool = False
    ) -> None:
        call(
            "RpMeshObject_ChangeFlags", self._mesh(), self._piece(piece),
            whole(flags, "the flags"), on, subtree,
        )

    def set_stage(self, piece: int, stage: int) -> None:
        """Damage state, 0 to 2."""
        call("RpMeshObject_SetStage", self._mesh(), self._piece(piece), whole(stage, "the stage", 2))

    def set_placement(self, matrix: Any) -> None:
        """Takes the object's space into the world: 16 numbers, or 4 x 4."""
        call("RpMeshObject_SetPlacement", self._mesh(), _matrix(matrix))

    def set_scale(self, scale: Vector) -> None:
        call("RpMeshObject_SetScale", self._mesh(), _vector(scale, "the scale"))

    def set_piece_matrix(self, piece: int, matrix: Any) -> None:
        call("RpMeshObject_SetPieceMatrix", self._mesh(), self._piece(piece), _matrix(matrix))

    def tilt(self, piece: int, start: Optional[Vector], to: Optional[Vector]) -> None:
        turn: List[Any] = [None, None]
        if start is not None and to is not None:
            turn = [_vector(start, "a direction"), _vector(to, "a direction")]
        call("RpMeshObject_Tilt", self._mesh(), self._piece(piece), *turn)

    def pose(self) -> None:
        """Poses all pieces by what was set."""
        call("RpMeshObject_Pose", self._mesh())

    def matrix(self, piece: int, space: Space = Space.WORLD) -> Array:
        """(4, 4) float32 of the last pose."""
        at = call("RpMeshObject_Matrix", self._mesh(), self._piece(piece), Space(space))
        memory = room(64)
        ctypes.memmove(memory, at, 64)
        return array(memory, "f", (4, 4))

    def matrices(self, space: Space = Space.WORLD) -> Array:
        """(pieces, 4, 4) float32 of the last pose."""
        count = self.piece_count
        memory = room(64 * count)
        for piece in range(count):
            at = call("RpMeshObject_Matrix", self._mesh(), piece, Space(space))
            ctypes.memmove(ctypes.addressof(memory) + 64 * piece, at, 64)
        return array(memory, "f", (count, 4, 4))

    def draw(self, level: int) -> List[Drawn]:
        """The batches that the game would draw at a level: 0 to 3, or 4 for first person."""
        drawn: List[Drawn] = []

        def visit(_: object, piece: int, mode: int, world: Any, batch: Any) -> None:
            del world
            raw = batch.contents
            drawn.append(
                Drawn(
                    piece, mode, raw.flags, raw.material, raw.lightmap, raw.portal,
                    raw.first_index, raw.index_count, raw.base_vertex, raw.vertex_count,
                )
            )

        visitor = _abi.FUNCTIONS["RpMeshObject_Draw"][1][2](visit)
        call(
            "RpMeshObject_Draw", self._mesh(), whole(level, "the level", 0x7FFFFFFF), visitor, None
        )
        return drawn

    def box(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[Vector, ...]":
        """The 8 corners of a piece's box."""
        made = ((ctypes.c_float * 3) * 8)()
        call("RpMeshObject_Box", self._mesh(), self._piece(piece), Space(space), subtree, made)
        return _corners(made)

    def sphere(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[float, float, float, float]":
        made = (ctypes.c_float * 4)()
        call("RpMeshObject_Sphere", self._mesh(), self._piece(piece), Space(space), subtree, made)
        return _four(made)

    def capsule(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[float, ...]":
        made = (ctypes.c_float * 7)()
        index = self._piece(piece)
        call("RpMeshObject_NodeCapsule", self._mesh(), index, Space(space), subtree, made)
        return tuple(made)

    def bounds(self, update: bool = True) -> Bounds:
        """Of the whole object, computed at its present pose unless `update` is false."""
        if update:
            call("RpMeshObject_UpdateBounds", self._mesh())
        raw = _abi.RpMeshBounds()
        call("RpMeshObject_Bounds", self._mesh(), raw)
        return Bounds(
            _corners(raw.corners), _four(raw.agent_sphere), _four(raw.node_sphere),
            tuple(raw.capsule),
        )

    def segment(
        self, start: Vector, end: Vector, piece: int = -1, filter: Optional[Filter] = None
    ) -> Optional[Hit]:
        """The nearest face that a segment in world space hits."""
        hit = _abi.RpMeshHit()
        found = call(
            "RpMeshObject_Segment", self._mesh(), self._scope(piece), _vector(start, "the start"),
            _vector(end, "the end"), _filter(filter), hit,
        )
        return _hit(hit) if found else None

    def walk_face(self, point: Vector, filter: Optional[Filter] = None) -> Optional[Hit]:
        hit, at = _abi.RpMeshHit(), _vector(point, "the point")
        found = call("RpMeshObject_WalkFace", self._mesh(), at, _filter(filter), hit)
        return _hit(hit) if found else None

    def push_out(
        self,
        centre: Vector,
        radius: float,
        filter: Optional[Filter] = None,
        face_count: int = 256,
    ) -> Optional[Vector]:
        """How far a sphere has to move to leave the faces; None where no face pushes."""
        count = whole(face_count, "the number of faces", 1 << 20)
        faces, push = room(call("RpMeshObject_PushOutRoom", count)), (ctypes.c_float * 3)()
        found = call(
            "RpMeshObject_PushOut", self._mesh(), _vector(centre, "the centre"), radius,
            _filter(filter), faces, count, push, None,
        )
        return (push[0], push[1], push[2]) if found else None

    def is_inside(
        self, point: Vector, piece: int = -1, filter: Optional[Filter] = None
    ) -> bool:
        at, scope = _vector(point, "the point"), self._scope(piece)
        return bool(call("RpMeshObject_IsInside", self._mesh(), scope, at, _filter(filter)))

    def close(self) -> None:
        self._free()
