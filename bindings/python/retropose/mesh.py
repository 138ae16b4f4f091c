"""Mesh objects: models put together, posed, measured and hit, as the game does."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

from .pose import Arithmetic, Array
from .readings import AnyReadings

if TYPE_CHECKING:
    from .model import Model

Vector = Tuple[float, float, float]


class Space(enum.IntEnum):
    LOCAL = 0  # of the parent
    MODEL = 1  # of the object
    WORLD = 2


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


class MeshObject:
    """An object made of a model, to which others can be attached. It keeps copies of its models."""

    HIDDEN = 1
    FLYING = 4
    OWN_SEGMENT = 8
    TILTED = 0x10

    def __init__(
        self,
        model: "Model",
        readings: AnyReadings = None,
        arithmetic: Optional[Arithmetic] = None,
        prepare_queries: bool = False,
    ) -> None:
        raise NotImplementedError

    def attach(self, model: "Model", part: int, piece: int, material: int = 0) -> None:
        """Attaches the nodes of a model, except for its node 0, to a piece, as part number `part`
        (above 0)."""
        raise NotImplementedError

    def detach(self, part: int) -> None:
        raise NotImplementedError

    @property
    def piece_count(self) -> int:
        raise NotImplementedError

    def piece(self, index: int) -> Piece:
        raise NotImplementedError

    def first_piece(self, part: int) -> Optional[int]:
        raise NotImplementedError

    def set_frames(self, a_first: int, a_last: int, b_first: int = -1, b_last: int = -1) -> None:
        """Times of the object: side A goes from a_first to a_last, side B likewise. A side with a
        negative time does not count."""
        raise NotImplementedError

    def set_phase(self, phase: float, weight: float = 0.0) -> None:
        """Where it is between first and last (0 to 1), and between side A and side B (0 to 1)."""
        raise NotImplementedError

    def set_piece_frames(
        self, piece: int, a_first: int, a_last: int, b_first: int = -1, b_last: int = -1
    ) -> None:
        raise NotImplementedError

    def set_piece_phase(self, piece: int, phase: float, weight: float = 0.0) -> None:
        raise NotImplementedError

    def change_flags(
        self, piece: int, flags: int, on: bool = True, subtree: bool = False
    ) -> None:
        raise NotImplementedError

    def set_stage(self, piece: int, stage: int) -> None:
        """Damage state, 0 to 2."""
        raise NotImplementedError

    def set_placement(self, matrix: Sequence[float]) -> None:
        """Takes the object's space into the world: 16 numbers, or 4 x 4."""
        raise NotImplementedError

    def set_scale(self, scale: Vector) -> None:
        raise NotImplementedError

    def set_piece_matrix(self, piece: int, matrix: Sequence[float]) -> None:
        raise NotImplementedError

    def tilt(self, piece: int, start: Optional[Vector], to: Optional[Vector]) -> None:
        raise NotImplementedError

    def pose(self) -> None:
        """Poses all pieces by what was set."""
        raise NotImplementedError

    def matrix(self, piece: int, space: Space = Space.WORLD) -> Array:
        """(4, 4) float32 of the last pose."""
        raise NotImplementedError

    def matrices(self, space: Space = Space.WORLD) -> Array:
        """(pieces, 4, 4) float32 of the last pose."""
        raise NotImplementedError

    def box(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[Vector, ...]":
        """The 8 corners of a piece's box."""
        raise NotImplementedError

    def sphere(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[float, float, float, float]":
        raise NotImplementedError

    def capsule(
        self, piece: int, space: Space = Space.WORLD, subtree: bool = False
    ) -> "tuple[float, ...]":
        raise NotImplementedError

    def bounds(self, update: bool = True) -> Bounds:
        """Of the whole object, computed at its present pose unless `update` is false."""
        raise NotImplementedError

    def segment(
        self, start: Vector, end: Vector, piece: int = -1, filter: Optional[Filter] = None
    ) -> Optional[Hit]:
        """The nearest face that a segment in world space hits."""
        raise NotImplementedError

    def walk_face(self, point: Vector, filter: Optional[Filter] = None) -> Optional[Hit]:
        raise NotImplementedError

    def push_out(
        self,
        centre: Vector,
        radius: float,
        filter: Optional[Filter] = None,
        face_count: int = 256,
    ) -> Optional[Vector]:
        """How far a sphere has to move to leave the faces; None where no face pushes."""
        raise NotImplementedError

    def is_inside(
        self, point: Vector, piece: int = -1, filter: Optional[Filter] = None
    ) -> bool:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError
