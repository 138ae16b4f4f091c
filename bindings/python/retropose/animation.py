"""The animation of a model: one track of keys for each node."""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

from . import _abi
from .errors import RetroposeError, Status
from .library import attempt, call, several, whole

if TYPE_CHECKING:
    from .model import Key

Track = List["Key"]


def _free(raw: Any) -> None:
    call("RpMshAnimation_Free", raw)


def keys_of(keys: Sequence["Key"]) -> Any:
    """An array of RpMshKey."""
    made = (_abi.RpMshKey * max(len(keys), 1))()
    for stored, key in zip(made, keys):
        key_to(stored, key)
    return made


def key_to(stored: Any, key: "Key") -> None:
    stored.position[:] = [float(value) for value in key.position]
    stored.time = float(key.time)
    stored.rotation[:] = [
        whole(value, "a key's rotation", 0x7FFF, -0x8000) for value in key.rotation
    ]


def key_of(stored: Any) -> "Key":
    from .model import Key

    return Key(several(stored.position), stored.time, several(stored.rotation))


class Animation:
    """The tracks taken out of a model by Model.animation(). They are edited here, and
    Model.set_animation() puts them back. Times are frames; 20 frames are a second of the game."""

    sampled: int  # how many nodes were not in canonical form, and got one key a frame

    def __init__(self) -> None:
        self.raw = _abi.RpMshAnimation()
        call("RpMshAnimation_Init", self.raw, None)
        weakref.finalize(self, _free, self.raw)
        self.sampled = 0

    def copy(self) -> "Animation":
        made = Animation()
        attempt("RpMshAnimation_Copy", made.raw, self.raw)
        made.sampled = self.sampled
        return made

    def __eq__(self, other: object) -> bool:
        """Whether all keys have the same bits, and the timelines the same length."""
        return (
            isinstance(other, Animation)
            and self.frame_count == other.frame_count
            and self.node_count == other.node_count
            and all(self._bytes(node) == other._bytes(node) for node in range(self.node_count))
        )

    def _bytes(self, node: int) -> bytes:
        track = self.raw.tracks[node]
        return ctypes.string_at(track.keys, track.key_count * ctypes.sizeof(_abi.RpMshKey))

    @property
    def frame_count(self) -> int:
        return int(self.raw.frame_count)

    @frame_count.setter
    def frame_count(self, count: int) -> None:
        last = max((self.track(node)[-1].time for node in range(self.node_count)), default=0)
        if whole(count, "the number of frames") < 1 + last:
            raise RetroposeError(
                Status.INVALID,
                "the last key would be behind the last frame",
                expected="at least %d frames" % (1 + last),
                found=str(count),
            )
        self.raw.frame_count = count

    @property
    def node_count(self) -> int:
        return int(self.raw.node_count)

    def _node(self, node: int) -> int:
        return whole(node, "the node", self.node_count - 1)

    def track(self, node: int) -> List["Key"]:
        """The keys of a node: one key is static, more are animated."""
        track = self.raw.tracks[self._node(node)]
        return [key_of(track.keys[index]) for index in range(track.key_count)]

    def set_track(self, node: int, keys: Sequence["Key"]) -> None:
        """Replaces a track: the first time is 0, then times ascend. The timeline grows."""
        attempt("RpMshAnimation_SetTrack", self.raw, self._node(node), keys_of(keys), len(keys))

    def clear_track(self, node: int, time: float = 0.0) -> None:
        """Makes a node static, with its pose at `time`."""
        attempt("RpMshAnimation_ClearTrack", self.raw, self._node(node), time)

    def make_static(self) -> int:
        """Makes tracks static whose keys are all the same; returns how many."""
        return int(call("RpMshAnimation_MakeStatic", self.raw))

    def sample(
        self, node: int, time: float
    ) -> Tuple[Tuple[float, float, float, float], Tuple[float, float, float]]:
        """Rotation (w, x, y, z) and position of a node."""
        quaternion, position = (ctypes.c_float * 4)(), (ctypes.c_float * 3)()
        attempt("RpMshAnimation_Sample", self.raw, self._node(node), time, quaternion, position)
        w, x, y, z = quaternion
        return (w, x, y, z), (position[0], position[1], position[2])

    def _dropping(self, action: str, *arguments: Any) -> int:
        dropped = ctypes.c_uint32()
        attempt("RpMshAnimation_" + action, self.raw, *arguments, ctypes.byref(dropped))
        return dropped.value

    def retime(self, ratio: float) -> int:
        """Multiplies all times; returns how many keys fell together and were dropped."""
        return self._dropping("Retime", ratio)

    def retime_to(self, frame_count: int) -> int:
        return self._dropping("RetimeTo", whole(frame_count, "the number of frames"))

    def reverse(self) -> None:
        attempt("RpMshAnimation_Reverse", self.raw)

    def append(self, other: "Animation", nodes: Optional[Sequence[Optional[int]]] = None) -> None:
        """Adds the frames of another animation. `nodes` says as which node of `other` each node
        goes on (None: it holds its last pose); without it nodes are paired by number."""
        pairs: Any = None
        if nodes is not None:
            if len(nodes) != self.node_count:
                raise RetroposeError(
                    Status.INVALID,
                    "every node needs a partner or None",
                    expected=str(self.node_count),
                    found=str(len(nodes)),
                )
            pairs = (ctypes.c_uint32 * max(len(nodes), 1))(
                *(
                    _abi.RP_MSH_NONE if node is None else whole(node, "a node", other.node_count - 1)
                    for node in nodes
                )
            )
        attempt("RpMshAnimation_Append", self.raw, other.raw, pairs)

    def range(self, first: int, last: int) -> None:
        """Keeps only the frames first to last."""
        attempt(
            "RpMshAnimation_Range", self.raw, whole(first, "the frame"), whole(last, "the frame")
        )

    def simplify(self, position: float = 0.0, degrees: float = 0.0) -> int:
        """Drops keys that are not needed; returns how many."""
        return self._dropping("Simplify", position, degrees)

    def resample(self, step: int = 1) -> None:
        """One key at every `step`-th frame."""
        attempt("RpMshAnimation_Resample", self.raw, whole(step, "the step"))
