#!/usr/bin/env python3
"""Checks retropose.peers (bindings/python) against a reader of its own: openparkan.py RETROPOSE WORK

The reader takes the bytes apart by docs/formats/nres.md and docs/formats/msh.md and poses nodes in binary64, by
rotations that are made units; keys, their order and the tolerance of 1e-5 are those of openparkan's golden
comparison (docs/use/other-projects.md). The archives are those of the synthetic corpus in the readings that openparkan has.
Then the reader makes mistakes, one at a time, each of which must be found. The script of that page, which hands
other kinds on to openparkan's own program, is run as `openparkan golden` runs it.
"""

import glob
import hashlib
import json
import math
import os
import re
import stat
import struct
import subprocess
import sys

from retropose import peers

TOLERANCE = 1e-5
NONE = 0xFFFF
MODELS = 434  # that can be posed, of all libraries


# ---- archives -----------------------------------------------------------------------------------------


def archive(data):
    magic, version, count, size = struct.unpack_from("<4sIII", data)
    assert magic == b"NRes" and size == len(data)
    entries = []
    for at in range(size - 64 * count, size, 64):
        kind, attr1, attr2, length, _, name, offset, index = struct.unpack_from("<4sIIII36sII", data, at)
        tag = kind.decode("latin-1").strip() if all(32 <= b < 127 for b in kind) else "#%d" % struct.unpack("<I", kind)
        entries.append(
            {
                "name": name[:32].split(b"\0")[0].decode("latin-1"),
                "tag": tag,
                "type_id": struct.unpack("<I", kind)[0],
                "offset": offset,
                "size": length,
                "index": index,
                "element_count": attr1,
                "link_count": attr2,
                "sha256": hashlib.sha256(data[offset : offset + length]).hexdigest(),
            }
        )
    return {"kind": "nres", "version": version, "entries": entries}


def member(data, name):
    for entry in archive(data)["entries"]:
        if entry["name"].lower() == name.lower():
            return data[entry["offset"] : entry["offset"] + entry["size"]]
    return b""


def wear(text):
    words = text.decode("latin-1").split()
    tables, at, keyword = {"": [], "LIGHTMAPS": []}, 0, ""
    while at < len(words):
        if words[at].isdigit():
            names, at = [""] * int(words[at]), at + 1
            while at + 1 < len(words) and words[at].isdigit():
                if int(words[at]) < len(names):
                    names[int(words[at])] = words[at + 1]
                at += 2
            tables[keyword] = names
        else:
            keyword, at = words[at].upper(), at + 1
    return {"materials": tables[""], "lightmaps": tables["LIGHTMAPS"]}


# ---- rotations: w, x, y, z ----------------------------------------------------------------------------


def unit(q):
    length = math.sqrt(sum(part * part for part in q))
    return tuple(part / length for part in q) if length >= 1e-6 else (1.0, 0.0, 0.0, 0.0)


def conjugate(q):
    return q[0], -q[1], -q[2], -q[3]


def times(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def turned(q, point):
    return times(times(q, (0.0, *point)), conjugate(q))[1:]


def moved(pose, point):
    return tuple(a + b for a, b in zip(turned(pose[1], point), pose[0]))


def composed(parent, child):
    return moved(parent, child[0]), times(parent[1], child[1])


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = tuple(-x for x in b), -dot
    angle = math.acos(min(dot, 1.0))
    if angle < 1e-4:
        return unit([x + t * (y - x) for x, y in zip(a, b)])
    left, right = math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle)
    return unit([left * x + right * y for x, y in zip(a, b)])


IDENTITY = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


# ---- models -------------------------------------------------------------------------------------------


class Reader:
    sense = staticmethod(conjugate)  # of the rotations of a file
    order = (0, 1, 2, 3)  # of w, x, y, z in a file
    nested = True  # nodes stand in their parents
    based = True  # indices count from the base vertex of their batch

    def __init__(self, image):
        self.streams, self.counts = {}, {}
        for entry in archive(image)["entries"]:
            data = image[entry["offset"] : entry["offset"] + entry["size"]]
            self.streams.setdefault(entry["type_id"], data)
            self.counts.setdefault(entry["type_id"], entry["link_count"])
        self.nodes = [struct.unpack("<19H", raw) for raw in self.cut(1, 38)]
        self.slots = [struct.unpack("<4H12f", raw[:56]) for raw in self.cut(2, 68, 140)]
        self.vertices = [struct.unpack("<3f", raw) for raw in self.cut(3, 12)]
        self.faces = [struct.unpack("<HHHH3hH", raw) for raw in self.cut(7, 16)]
        self.keys = [struct.unpack("<4f4h", raw) for raw in self.cut(8, 24)]
        self.batches = [struct.unpack("<IBBHHIHI", raw) for raw in self.cut(13, 20)]
        self.map = [word[0] for word in struct.iter_unpack("<H", self.streams.get(19, b""))]
        self.frames = self.counts.get(19, 0)
        indices = struct.iter_unpack("<3H", self.streams.get(6, b""))
        self.triangles = [list(triangle) for triangle in indices]
        for _, _, _, _, count, first, _, base in self.batches:
            for t in range(first // 3, first // 3 + count // 3):
                if self.based:
                    self.triangles[t] = [base + index for index in self.triangles[t]]

    def cut(self, kind, stride, start=0):
        data = self.streams.get(kind, b"")[start:]
        return [data[at : at + stride] for at in range(0, len(data), stride)] if len(data) % stride == 0 else []

    def key(self, index):
        words = self.keys[index]
        return words[:3], self.sense(unit([words[4 + place] / 32767 for place in self.order]))

    def pose(self, node, frame):
        start, fallback = self.nodes[node][2:4]
        index, k = fallback, math.floor(frame)
        if start != NONE and 0 <= k < self.frames and self.map[start + k] < fallback:
            index = self.map[start + k]
        before = self.keys[index][3]
        if index == fallback or frame == before:
            return self.key(index)
        (p0, q0), (p1, q1) = self.key(index), self.key(index + 1)
        t = (frame - before) / (self.keys[index + 1][3] - before)
        return tuple(a + t * (b - a) for a, b in zip(p0, p1)), slerp(q0, q1, t)

    def rest(self, node):
        start, fallback = self.nodes[node][2:4]
        return self.key(fallback if start == NONE else self.map[start])

    def world(self, node):
        parent, pose = self.nodes[node][1], self.rest(node)
        return composed(self.world(parent), pose) if self.nested and parent != NONE else pose

    def blended(self, node, a, b, weight):
        (p0, q0), (p1, q1) = self.pose(node, a), self.pose(node, b)
        return tuple((1 - weight) * x + weight * y for x, y in zip(p0, p1)), slerp(q0, q1, weight)

    def owners(self):
        owners = [-1] * len(self.vertices)
        for i, node in enumerate(self.nodes):
            for slot in node[4:]:
                if slot == NONE:
                    continue
                first, count = self.slots[slot][:2]
                for triangle in self.triangles[first : first + count]:
                    for vertex in triangle:
                        owners[vertex] = i
        return owners

    def pairs(self, kind):
        return [[u / 1024, v / 1024] for u, v in struct.iter_unpack("<2H", self.streams.get(kind, b""))]

    def samples(self):
        n = self.frames
        for i, node in enumerate(self.nodes):
            if node[2] != NONE:
                at = [self.pose(i, frame) for frame in (0.0, 0.5, 1.0, 2.25, n * 0.5 + 0.3, n - 1.0, n + 1.0)]
                yield {"node": i, "at": at, "blended": self.blended(i, 0.5, n * 0.6, 0.3)}

    def dump(self, name, materials):
        header = struct.unpack_from("<35f", self.streams[2])
        owners = self.owners()
        poses = [self.world(i) for i in range(len(self.nodes))]
        names = [raw.split(b"\0")[0].decode("latin-1") for raw in self.cut(9, 32)]
        roots = [i for i, node in enumerate(self.nodes) if node[1] == NONE]
        return {
            "kind": "mesh",
            "name": name,
            "wear": materials,
            "nodes": [
                {
                    "name": names[i],
                    "flags": node[0],
                    "parent": node[1],
                    "anim_start": node[2],
                    "fallback_key": node[3],
                    "slot_index": node[4:],
                    "world_pose": poses[i],
                }
                for i, node in enumerate(self.nodes)
            ],
            "slots": [[*s[:4], s[4:7], s[7:10], s[10:14], s[14], s[15]] for s in self.slots],
            "batches": [[row, lit, first, count, base, span] for _, row, lit, _, count, first, span, base in self.batches],
            "triangles": self.triangles,
            "positions": [
                moved(poses[owner], vertex) if owner >= 0 else vertex for owner, vertex in zip(owners, self.vertices)
            ],
            "normals": [[part / 127 for part in raw[:3]] for raw in struct.iter_unpack("<4b", self.streams[4])],
            "uv": self.pairs(5),
            "lightmap_uv": self.pairs(18),
            "keys": [[key[:3], key[3], self.key(i)[1]] for i, key in enumerate(self.keys)],
            "face_flags": [face[0] for face in self.faces],
            "face_normals": [[part / 32767 for part in face[4:7]] for face in self.faces],
            "frame_map": self.map,
            "frame_count": self.frames,
            "root_pose": self.rest(roots[0]) if roots else IDENTITY,
            "node_of_vertex": owners,
            "sphere": [header[24:27], header[27]],
            "samples": list(self.samples()),
        }


# ---- comparing ----------------------------------------------------------------------------------------


def differences(a, b, path="$"):
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            yield "%s: the keys %s, not %s" % (path, list(a), list(b))
        for key in a:
            yield from differences(a[key], b.get(key), path + "." + key)
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            yield "%s: %d items, not %d" % (path, len(a), len(b))
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, "%s[%d]" % (path, i))
    elif isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if abs(a - b) > TOLERANCE * max(1.0, abs(a), abs(b)):
            yield "%s: %r, not %r" % (path, a, b)
    elif a != b:
        yield "%s: %r, not %r" % (path, a, b)


def ours(kind, *words):
    return json.loads(json.dumps({"nres": peers.nres, "mesh": peers.mesh}[kind](*words)))


def compare(path):
    """(models, differences) of an archive."""
    with open(path, "rb") as file:
        data = file.read()
    found, models = list(differences(archive(data), ours("nres", path))), 0
    for entry in archive(data)["entries"]:
        image = member(data, entry["name"])
        if entry["tag"] != "MESH" or archive(image)["entries"][0]["size"] % 38:
            continue  # the one model of stride 24 has no nodes that can be posed
        models += 1
        expected = Reader(image).dump(entry["name"], wear(member(data, entry["name"].rsplit(".", 1)[0] + ".wea")))
        dumped = ours("mesh", path, entry["name"])
        found += ["%s %s" % (entry["name"], line) for line in differences(expected, dumped)]
    return models, found


def with_wear(path, work):
    """An archive of one model and its .wea, which no archive of the corpus has."""
    with open(path, "rb") as file:
        data = file.read()
    name = archive(data)["entries"][0]["name"]
    text = b"3\r\n0 steel_01\r\n1 B_GLASS\r\n2 rust.0\r\n\r\nLIGHTMAPS\r\n1\r\n0 lm_house\r\n"
    members = [(b"MESH", name, member(data, name)), (b"WEAR", name.rsplit(".", 1)[0] + ".WEA", text)]
    body, directory = b"", b""
    for i, (kind, called, payload) in enumerate(members):
        record = (kind, 0, 0, len(payload), 1, called.encode(), 16 + len(body), i)
        directory += struct.pack("<4sIIII36sII", *record)
        body += payload + bytes(-len(payload) % 8)
    output = "%s/worn.lib" % work
    with open(output, "wb") as file:
        file.write(struct.pack("<4sIII", b"NRes", 256, 2, 16 + len(body) + len(directory)) + body + directory)
    return output


# ---- as openparkan runs a program ---------------------------------------------------------------------

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../..", "docs/use/other-projects.md")
# Kinds in openparkan's order, not all of the last ones (docs/facts/published.md 3.2), and whether they are ours.
KINDS = (
    ("nres", True),
    *((kind, False) for kind in ("mission", "materials", "landmesh", "texm", "assembly")),
    ("mesh", True),
    *((kind, False) for kind in ("control", "cpt", "sky", "rsli", "scr")),
)


def write_program(path, text):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def golden(work, path):
    """What is wrong when the page's script runs for one kind after the other and must not fail once."""
    with open(PAGE) as file:
        script = re.search("^```sh\n(.*?)^```$", file.read(), re.M | re.S).group(1)
    programs = os.path.abspath(os.path.join(work, "programs"))
    os.makedirs(programs, exist_ok=True)
    write_program(os.path.join(programs, "engine"), script)
    write_program(os.path.join(programs, "parkan-dump"), '#!/bin/sh\nprintf \'{"other": "%s %s"}\' "$1" "$3"\n')
    environment = {**os.environ, "PATH": "%s:%s" % (programs, os.environ["PATH"])}
    with open(path, "rb") as file:
        name = archive(file.read())["entries"][0]["name"]
    for kind, is_ours in KINDS:
        names = [name] if kind in ("mesh", "texm") else []
        done = subprocess.run(
            [os.path.join(programs, "engine"), kind, path, *names], capture_output=True, env=environment
        )
        if done.returncode:  # where openparkan's comparison ends with an exception
            yield "%s: exit code %d, %s" % (kind, done.returncode, done.stderr.decode())
            continue
        expected = {"other": " ".join([kind, *names]) if names else kind + " "}
        if is_ours:
            expected = ours(kind, path, *names)
        if json.loads(done.stdout) != expected:
            yield "%s: %.80r" % (kind, done.stdout)


FAULTS = {"sense": staticmethod(lambda q: q), "order": (3, 0, 1, 2), "nested": False, "based": False}


def main():
    retropose, work = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    corpus = "%s/corpus" % work
    subprocess.run([retropose, "gen", "corpus", "-q", corpus, "--readings", "drawn", "--libraries"], check=True)
    turrets = "%s/libraries/turrets.rlb" % corpus
    libraries = sorted(glob.glob("%s/libraries/*.rlb" % corpus))
    failed = compared = 0
    for path in [*libraries, with_wear(turrets, work)]:
        models, found = compare(path)
        compared += models if path in libraries else 0
        print("%s: %d models, %d differences" % (path.rsplit("/", 1)[1], models, len(found)))
        for line in found[:5]:
            print("   ", line[:200], file=sys.stderr)
        failed += bool(found)
    print("%d models of the corpus" % compared)
    failed += compared != MODELS
    for line in golden(work, turrets):
        print("as openparkan runs it:", line, file=sys.stderr)
        failed += 1
    for name, value in FAULTS.items():
        before = Reader.__dict__[name]
        setattr(Reader, name, value)
        _, found = compare(turrets)
        setattr(Reader, name, before)
        print("planted, %s: %d differences" % (name, len(found)))
        failed += not found
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
