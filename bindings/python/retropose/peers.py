"""What other projects' gates read: poses for fparkan, archives and models for openparkan.

    python3 -m retropose.peers capture poses.rptrace --part part1 -o poses.jsonl
    python3 -m retropose.peers nres static.rlb
    python3 -m retropose.peers mesh static.rlb s_tree_0_04.msh

docs/use/other-projects.md describes both forms."""

from __future__ import annotations

import argparse
import ctypes
import functools
import hashlib
import json
import math
import os
import struct
import sys
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import _abi, fastproc
from .archive import Archive, _NRes
from .errors import RetroposeError, Status
from .library import call, encode, read_file, version, write_file
from .model import NONE, Model
from .pose import Arithmetic
from .texture import Wear
from .trace import SAMPLE, Outcome, Trace, TraceCall

Vector = Sequence[float]


def _numbers(value: Any) -> Any:
    """A value for JSON, which has no words for floats that are not finite. Others have nine
    digits."""
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return float("%.9g" % value)
    if isinstance(value, dict):
        return {name: _numbers(part) for name, part in value.items()}
    return [_numbers(part) for part in value] if isinstance(value, (list, tuple)) else value


def fnv(data: bytes) -> int:
    """FNV-1a of 64 bits, by which fparkan tells poses and models apart."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


# ---- fparkan: captured poses ---------------------------------------------------------------------

NGI32 = "bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5"
# The modules whose SHA-256 the schema asks for in addition to those that a trace has, with those of
# the published builds (docs/facts/animesh.md A.3). Of AniMesh.dll and Effect.dll none is published.
MODULES = {
    "World3D.dll": ("17e4a3089b2583a8cf2356c9db0390b1aba138356a09130d79b4e7e4791da61e",),
    "Terrain.dll": (
        "6d3e68f0e15b297f6c184af3113baf1f31e19c3326c18f0150dec659242ed667",
        "af87d1b2e728a0be73c52be3b44cc196ab46da7799f25a15d40f8c9b0b425ead",
    ),
    "Effect.dll": (),
}
PROFILES = "x87-pc24", "x87-reserved", "x87-pc53", "x87-pc64"


class Recording(NamedTuple):
    """Of what a trace is. Texts are empty where they are not known."""

    provider: str
    processor: str
    ngi32: str  # SHA-256, here and below
    animesh: str
    modules: Mapping[str, str]

    @classmethod
    def of(cls, trace: Trace, game: Optional[str] = None) -> "Recording":
        keys = "provider", "processor", "ngi32.sha256", "animesh.sha256"
        provider, processor, ngi32, animesh = (trace.header(key) or "" for key in keys)
        return cls(provider, processor, ngi32, animesh, hash_modules(game) if game else {})

    @property
    def why_informational(self) -> str:
        """Empty if the lines are evidence about the game: if an original answered whose Ngi32.dll
        is the published build, if all modules are hashed, and if each module of which builds are
        published is one of these. Otherwise the reason, which each line gives."""
        if self.provider != "original":
            return "no original answered"
        if self.ngi32 != NGI32:
            return "Ngi32.dll is not the published build"
        if not self.animesh:
            return "the trace has no SHA-256 of AniMesh.dll"
        for name, published in MODULES.items():
            if name not in self.modules:
                return "not all modules were hashed"
            if published and self.modules[name] not in published:
                which = "the" if len(published) == 1 else "a"
                return "%s is not %s published build" % (name, which)
        return ""


def hash_modules(game: str) -> Dict[str, str]:
    """SHA-256 of the modules in a game's folder, whatever the case of their names is."""
    found = {name.lower(): name for name in os.listdir(game)}
    sums = {}
    for name in MODULES:
        if name.lower() not in found:
            raise RetroposeError(
                Status.NOT_FOUND, "the game's folder has no such file", name, " and ".join(MODULES)
            )
        data = read_file(os.path.join(game, found[name.lower()]))
        sums[name] = hashlib.sha256(data).hexdigest()
    return sums


@functools.lru_cache(None)
def _arithmetic(control_word: int) -> Arithmetic:
    return Arithmetic(control_word=control_word)


def _pose(made: TraceCall) -> Optional[Dict[str, Any]]:
    """What a call of SampleNode was asked and answered. None for a call that did not return, whose
    model is not in the trace, or with a time or a pose that is not finite."""
    skeleton = made.skeleton() if made.outcome == Outcome.RETURNED else None
    if skeleton is None:
        return None
    (time,), (w, x, y, z) = made.input("t", 1), made.result("quaternion", 4)
    place = made.result("position", 3)
    if not all(map(math.isfinite, (time, w, x, y, z, *place))):
        return None

    # A clip is named by its contents, which has nothing to do with anybody's pointers or paths.
    contents = skeleton.nodes + skeleton.keys + skeleton.frame_map
    clip = hashlib.sha256(contents + struct.pack("<I", skeleton.frame_count)).hexdigest()
    matrix = list(fastproc.quaternion_to_matrix((w, x, y, z), _arithmetic(made.control_word)))
    matrix[3::4] = [*place, matrix[15]]

    def bits(values: Vector) -> List[str]:
        return ["%08x" % word for word in struct.unpack("<%dI" % len(values), _packed(values))]

    return {
        "clip_id": "sha256:" + clip[:16],
        "node_index": skeleton.node,
        "sample_time": time,
        "sample_time_bits": bits([time])[0],
        "numeric_profile": PROFILES[made.control_word >> 8 & 3],
        "translation": place,
        "translation_bits": bits(place),
        "rotation_quat": (x, y, z, w),
        "rotation_bits": bits((x, y, z, w)),
        "scale": [1, 1, 1],
        "matrix_hash": "%016x" % fnv(_packed(matrix)),
    }


def _packed(values: Vector) -> bytes:
    return struct.pack("<%df" % len(values), *values)


def captures(
    trace: Trace, recording: Recording, part: str, mission: str = "",
    calls: Optional["range"] = None,
) -> Iterator[Optional[Dict[str, Any]]]:
    """A line for each call of SampleNode, as fparkan's schema wants it (docs/facts/published.md
    3.1), or None for a call that is left out. `calls` are numbers of calls in the trace."""
    why = recording.why_informational
    notes = [
        "rotation_quat is x, y, z, w",
        "answered by: " + (recording.provider or "unknown"),
        "processor: " + (recording.processor or "unknown"),
        "no SHA-256 of AniMesh.dll or Effect.dll is published to compare theirs with",
    ]
    for made in trace:
        if calls is not None and made.sequence >= calls.stop:
            return
        if made.function != SAMPLE or (calls is not None and made.sequence not in calls):
            continue
        pose = _pose(made)
        yield pose and _numbers({
            "schema_version": "fparkan-stage4-capture-v1",
            "capture_kind": "animation-pose",
            "game_part": part,
            "mission": mission,
            **dict.fromkeys(("frame_id", "tick", "frame_or_tick"), made.sequence),
            "module_hashes": {
                "AniMesh.dll": recording.animesh, "Ngi32.dll": recording.ngi32, **recording.modules
            },
            "module_name": "AniMesh.dll",
            "module_sha256": recording.animesh,
            "tool_version": "retropose " + version(),
            "evidence": "informational" if why else "capture",
            "notes": notes + (["informational, because " + why] if why else []),
            **pose,
        })


# ---- openparkan: the golden comparison -----------------------------------------------------------

NAME_BYTES = 32  # of a member, as many as openparkan reads


def _latin(name: str) -> str:
    """A name of a file as openparkan reads it."""
    return encode(name).decode("latin-1")


def _nres(path: str) -> _NRes:
    archive = Archive.open(path)
    if not isinstance(archive, _NRes):
        raise RetroposeError(Status.UNSUPPORTED, "this is no archive NRes", path)
    return archive


def nres(path: str) -> Dict[str, Any]:
    """The directory of an archive, and the SHA-256 of each member."""
    archive, entries = _nres(path), []
    image = archive.to_bytes()
    for index in range(len(archive)):
        entry = archive._entry(index)
        name = image[entry.record_offset + 20 :][:NAME_BYTES].split(b"\0")[0]
        kind = struct.pack("<I", entry.type)
        printable = all(32 <= byte < 127 for byte in kind)
        data = archive.read(index) if entry.data else b""
        entries.append({
            "name": name.decode("latin-1"),
            "tag": kind.decode("latin-1").strip(" ") if printable else "#%d" % entry.type,
            "type_id": entry.type,
            "offset": entry.data_offset,
            "size": entry.size,
            "index": entry.sort_index,
            "element_count": entry.attr1,
            "link_count": entry.attr2,
            "sha256": hashlib.sha256(data).hexdigest(),
        })
    version = struct.unpack_from("<I", image, 4)[0]
    return {"kind": "nres", "version": version, "entries": entries}


class UnitPose(NamedTuple):
    """A translation and a unit quaternion w, x, y, z."""

    place: Tuple[float, ...] = (0.0, 0.0, 0.0)
    turn: Tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)

    @classmethod
    def of(cls, rotation: Vector, place: Vector) -> "UnitPose":
        """openparkan makes rotations units. They turn in the direction opposite to that of the four
        numbers in a file."""
        length = math.sqrt(sum(part * part for part in rotation))
        w, *axis = rotation
        unit = (w / length, *(-part / length for part in axis)) if length >= 1e-6 else cls().turn
        return cls(tuple(place), unit)

    def apply(self, point: Vector) -> Tuple[float, ...]:
        """v + 2w (u x v) + 2u x (u x v), u being the vector part; and the translation."""
        w, *axis = self.turn
        once = _cross(axis, point)
        twice = _cross(axis, once)
        parts = zip(point, once, twice, self.place)
        return tuple(v + 2 * (w * a + b) + place for v, a, b, place in parts)

    def compose(self, child: "UnitPose") -> "UnitPose":
        """The child in the space of this one's parent."""
        (w, *a), (s, *b) = self.turn, child.turn
        axis = (x + w * q + s * p for x, p, q in zip(_cross(a, b), a, b))
        return UnitPose(
            self.apply(child.place), (w * s - sum(p * q for p, q in zip(a, b)), *axis)
        )


def _cross(a: Vector, b: Vector) -> List[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Sampler:
    """Poses of a model's nodes by our sampler, in the readings of openparkan."""

    def __init__(self, model: Model) -> None:
        self.arithmetic = Arithmetic(model.readings)
        try:
            self.skeleton = model._skeleton()
        except RetroposeError:  # the model has not all streams that poses need
            self.skeleton = None

    def sample(self, node: int, frame: float) -> "Tuple[Vector, Vector]":
        if self.skeleton is None:
            return UnitPose().turn, UnitPose().place
        turn, place = (ctypes.c_float * 4)(), (ctypes.c_float * 3)()
        call(
            "RpPose_Sample", self.skeleton, self.arithmetic.raw, node, frame, turn, place, None
        )
        return list(turn), list(place)

    def pose(self, node: int, frame: float) -> UnitPose:
        return UnitPose.of(*self.sample(node, frame))

    def blend(self, node: int, a: float, b: float, weight: float) -> UnitPose:
        """Between two frames, as the game does it."""
        (turn_a, place_a), (turn_b, place_b) = self.sample(node, a), self.sample(node, b)
        turn = fastproc.interpolate(turn_a, turn_b, weight, self.arithmetic)
        return UnitPose.of(
            turn, [(1 - weight) * p + weight * q for p, q in zip(place_a, place_b)]
        )


def _triangles(model: Model) -> List[List[int]]:
    """Indices are relative to the base vertex of the batch to which they belong. Indices of no
    batch are used unchanged."""
    indices = model.indices().tolist()
    corners = [indices[at : at + 3] for at in range(0, len(indices) // 3 * 3, 3)]
    for batch in model.batches:
        first = batch.first_index // 3
        for t in range(first, min(first + batch.index_count // 3, len(corners))):
            corners[t] = [batch.base_vertex + index for index in indices[3 * t : 3 * t + 3]]
    return corners


def mesh(path: str, member: str) -> Dict[str, Any]:
    """A model of an archive, with the names in its .wea member beside it. A vertex belongs to the
    last node that has a slot with this vertex."""
    archive = _nres(path)
    model = Model.from_archive(archive, member, "key-order=wxyz,uv=unsigned")
    worn = archive.find(member.rpartition(".")[0] + ".wea")
    wear = Wear.parse(archive.read(worn)) if worn else Wear()
    stride = model._msh.node_stride  # openparkan reads no nodes of another one
    nodes = model.nodes if stride == _abi.RP_MSH_NODE_BYTES else []
    sampler, slots = Sampler(model), model.slots
    # At rest an animated node stands in its first frame, and another one in its only key.
    local = [sampler.pose(node.index, -1 if node.map_start is None else 0) for node in nodes]
    world: List[UnitPose] = []
    for node, pose in zip(nodes, local):
        before = node.parent is not None and node.parent < node.index
        world.append(world[node.parent or 0].compose(pose) if before else pose)
    triangles, positions = _triangles(model), model.positions().tolist()
    owners = [-1] * len(positions)
    for node in nodes:
        for word in node.slots:
            if word is None or word >= len(slots):
                continue
            first = slots[word].first_triangle
            for triangle in triangles[first : first + slots[word].triangle_count]:
                for vertex in triangle:
                    if vertex < len(owners):
                        owners[vertex] = node.index

    def number(value: Optional[int]) -> int:
        return NONE if value is None else value

    keys = model.keys
    words = model.stream(_abi.RP_MSH_FRAME_MAP)
    n, roots = model.frame_count, (i for i, node in enumerate(nodes) if node.parent is None)
    root, header = next(roots, None), model.header
    frames = 0, 0.5, 1, 2.25, n * 0.5 + 0.3, n - 1, n + 1
    made: Dict[str, Any] = _numbers({
        "kind": "mesh",
        "name": _latin(member),
        "wear": {
            "materials": list(map(_latin, wear.materials)),
            "lightmaps": list(map(_latin, wear.lightmaps)),
        },
        "nodes": [
            {
                "name": _latin(node.name),
                "flags": node.flags,
                "parent": number(node.parent),
                "anim_start": number(node.map_start),
                "fallback_key": node.fallback,
                "slot_index": list(map(number, node.slots)),
                "world_pose": world[node.index],
            }
            for node in nodes
        ],
        "slots": [
            [slot.first_triangle, slot.triangle_count, slot.first_batch, slot.batch_count,
             slot.low, slot.high, slot.sphere, slot.area, slot.volume]
            for slot in slots
        ],
        "batches": [
            [batch.row, batch.lightmap, batch.first_index, batch.index_count, batch.base_vertex,
             batch.vertex_count]
            for batch in model.batches
        ],
        "triangles": triangles,
        "positions": [
            world[owner].apply(point) if owner >= 0 else point
            for owner, point in zip(owners, positions)
        ],
        "normals": [[part / 127 for part in row[:3]] for row in model.normals().tolist()],
        "uv": [[part / 1024 for part in row] for row in model.uv(0).tolist()],
        "lightmap_uv": [[part / 1024 for part in row] for row in model.uv(1).tolist()],
        "keys": [
            [key.position, key.time, UnitPose.of(key.rotation, key.position).turn] for key in keys
        ],
        "face_flags": [face.flags for face in model.triangles],
        "face_normals": [[part / 32767 for part in face.normal] for face in model.triangles],
        "frame_map": list(struct.unpack("<%dH" % (len(words) // 2), words[: len(words) // 2 * 2])),
        "frame_count": n,
        "root_pose": UnitPose() if root is None else local[root],
        "node_of_vertex": owners,
        "sphere": [header.sphere[:3], header.sphere[3]] if header else None,
        # at whole frames, between frames, and behind the end
        "samples": [
            {
                "node": node.index,
                "at": [sampler.pose(node.index, frame) for frame in frames],
                "blended": sampler.blend(node.index, 0.5, n * 0.6, 0.3),
            }
            for node in nodes if node.map_start is not None
        ],
    })
    return made


# ---- the command ---------------------------------------------------------------------------------


def _mission(text: str) -> str:
    """A path within the game, and not one on a computer of any system."""
    if text[:1] in ("/", "\\") or ":" in text:
        raise argparse.ArgumentTypeError(
            "a capture has no path of a machine: name one within the game's folder "
            "(MISSIONS/.../data.tma), and not " + text
        )
    return text


def _calls(text: str) -> "range":
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _capture(options: argparse.Namespace) -> str:
    trace, lines, left_out = Trace.open(options.trace), [], 0
    recording = Recording.of(trace, options.game)
    for line in captures(trace, recording, options.part, options.mission, options.calls):
        if line is None:
            left_out += 1
        else:
            lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    if not lines:
        raise RetroposeError(Status.NOT_FOUND, "the trace has no call of %s for a capture" % SAMPLE)
    why = "informational: each line says why" if recording.why_informational else (
        "answered by an original of the published build, all modules hashed")
    print("%d poses, %s" % (len(lines), why), file=sys.stderr)
    if left_out:
        print("%d calls of SampleNode left out: they did not return, their model is not in the "
              "trace, or they are not finite" % left_out, file=sys.stderr)
    return "".join(lines)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m retropose.peers", description="Writes what other projects' gates read.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    capture = kinds.add_parser("capture", help="for fparkan: the poses of a trace as lines of JSON")
    capture.add_argument("trace", metavar="TRACE")
    capture.add_argument("--part", choices=["part1", "part2"], required=True,
                         help="of the game: the AniMesh.dll of the two parts differ")
    capture.add_argument("--mission", type=_mission, default="", metavar="PATH",
                         help="that was recorded: its path within the game's folder")
    capture.add_argument("--game", metavar="DIR", help="its folder, for the SHA-256 of modules")
    capture.add_argument("--calls", type=_calls, metavar="FIRST-LAST", help="numbers of calls")
    for kind, what in ("nres", "an archive"), ("mesh", "a model"):
        dump = kinds.add_parser(kind, help="for openparkan: %s" % what)
        dump.add_argument("archive", metavar="ARCHIVE")
        if kind == "mesh":
            dump.add_argument("member", metavar="MODEL")
    for one in kinds.choices.values():
        one.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    options = parser.parse_args(arguments)
    try:
        if options.kind == "capture":
            text = _capture(options)
        else:
            made = mesh(options.archive, options.member) if options.kind == "mesh" else (
                nres(options.archive))
            text = json.dumps(made) + "\n"
        if options.output:
            write_file(options.output, text.encode())
        else:
            sys.stdout.write(text)
    except (RetroposeError, OSError) as error:
        print("peers:", error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
