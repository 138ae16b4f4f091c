#!/usr/bin/env python3
"""A second engine for the functions ani.* of a trace: reads a trace by docs/formats/trace.md alone,
evaluates every call with reference.py and compares every bit with the outcome in the trace.

    trace.py TRACE
"""
import pathlib
import struct
import sys

import reference

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scenario"))
from trace_file import RETURNED, calls  # noqa: E402

POLICIES = (reference.Single, reference.Double)


# ---- the engine ----------------------------------------------------------------------------------

cursors = {}  # of the call at hand: by identity of the track


def search(keys, t):
    """The original's, from where the cursor stands (facts/lego-ani.md B.1)."""
    if not keys or t < keys[0][0]:
        return []
    if t > keys[-1][0]:
        return [len(keys) - 1]
    i = cursors.get(id(keys), 0)
    if not keys[i][0] <= t:
        i = 0
    while i + 1 < len(keys) and t >= keys[i + 1][0]:
        i += 1
    if t == keys[i][0]:
        return [i]
    return [i, i + 1] if i + 1 < len(keys) else []


reference.search = search


class File:
    def __init__(self, image):
        _, self.camera, root = reference.Reader(image).whole()
        self.tracks, self.parents = [], []
        self.add(root, None)

    def add(self, node, parent):
        tracks, children = node
        index = len(self.tracks)
        self.tracks.append(tracks)
        self.parents.append(parent)
        for child in children:
            self.add(child, index)


def matrix(numbers):
    return [list(numbers[4 * r : 4 * r + 4]) for r in range(4)]


def bits(m):
    return b"".join(struct.pack("<f", c) for row in m for c in row)


def world(file, node, time, p, parent):
    above = file.parents[node]
    base = parent if above is None else world(file, above, time, p, parent)
    return reference.multiply(reference.local_matrix(file.tracks[node], time, p), base, p)


def outcome_of(key, inputs, file):
    """The outputs as a trace has them."""
    cursors.clear()
    if key == "ani.visible":
        _, _, node, time, *stops = struct.unpack("<IIIf4I", inputs)
        cursors.update(zip(map(id, file.tracks[node]), stops))
        return struct.pack("<I", reference.visible(file.tracks[node][3], time))
    if key == "ani.local":
        _, _, policy, node, time, *stops = struct.unpack("<IIIIf4I", inputs)
        cursors.update(zip(map(id, file.tracks[node]), stops))
        return bits(reference.local_matrix(file.tracks[node], time, POLICIES[policy]))
    if key == "ani.world":
        _, _, policy, node, time, *parent = struct.unpack("<IIIIi16f", inputs)
        time = reference.to32(float(time))
        return bits(world(file, node, time, POLICIES[policy], matrix(parent)))
    _, _, policy, time, *rest = struct.unpack("<IIIf3I16f", inputs)
    cursors.update(zip(map(id, file.camera), rest[:3]))
    result, m = reference.camera_matrix(file.camera, time, POLICIES[policy], matrix(rest[3:]))
    return struct.pack("<I", result) + bits(m)


def compare(path):
    with open(path, "rb") as stream:
        data = stream.read()
    files, counts, differing = {}, {}, 0
    for key, inputs, outcome, outputs, memories in calls(data):
        number = struct.unpack_from("<I", inputs)[0]
        if number not in files:
            files[number] = File(memories[number])
        counts[key] = counts.get(key, 0) + 1
        expected = outcome_of(key, inputs, files[number])
        if outcome != RETURNED or outputs != expected:
            differing += 1
            if differing <= 5:
                print(f"{key} {inputs.hex()}\nexpected {expected.hex()}\n   found {outputs.hex()}")
    print(f"{path}: {sum(counts.values())} calls, {differing} differ: {counts}")
    return not differing and len(counts) >= 3  # a camera is not in every file


if __name__ == "__main__":
    sys.exit(0 if compare(sys.argv[1]) else 1)
