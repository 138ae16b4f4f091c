"""The animation of a model: one track of keys for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from .model import Key

Track = List["Key"]


class Animation:
    """The tracks taken out of a model by Model.animation(). They are edited here, and
    Model.set_animation() puts them back. Times are frames; 20 frames are a second of the game."""

    sampled: int  # how many nodes were not in canonical form, and got one key a frame

    @property
    def frame_count(self) -> int:
        raise NotImplementedError

    @frame_count.setter
    def frame_count(self, count: int) -> None:
        raise NotImplementedError

    @property
    def node_count(self) -> int:
        raise NotImplementedError

    def track(self, node: int) -> List["Key"]:
        """The keys of a node: one key is static, more are animated."""
        raise NotImplementedError

    def set_track(self, node: int, keys: Sequence["Key"]) -> None:
        """Replaces a track: the first time is 0, then times ascend. The timeline grows."""
        raise NotImplementedError

    def clear_track(self, node: int, time: float = 0.0) -> None:
        """Makes a node static, with its pose at `time`."""
        raise NotImplementedError

    def make_static(self) -> int:
        """Makes tracks static whose keys are all the same; returns how many."""
        raise NotImplementedError

    def sample(
        self, node: int, time: float
    ) -> Tuple[Tuple[float, float, float, float], Tuple[float, float, float]]:
        """Rotation (w, x, y, z) and position of a node."""
        raise NotImplementedError

    def retime(self, ratio: float) -> int:
        """Multiplies all times; returns how many keys fell together and were dropped."""
        raise NotImplementedError

    def retime_to(self, frame_count: int) -> int:
        raise NotImplementedError

    def reverse(self) -> None:
        raise NotImplementedError

    def append(self, other: "Animation", nodes: Optional[Sequence[Optional[int]]] = None) -> None:
        """Adds the frames of another animation. `nodes` says as which node of `other` each node
        goes on (None: it holds its last pose); without it nodes are paired by number."""
        raise NotImplementedError

    def range(self, first: int, last: int) -> None:
        """Keeps only the frames first to last."""
        raise NotImplementedError

    def simplify(self, position: float = 0.0, degrees: float = 0.0) -> int:
        """Drops keys that are not needed; returns how many."""
        raise NotImplementedError

    def resample(self, step: int = 1) -> None:
        """One key at every `step`-th frame."""
        raise NotImplementedError
