#!/usr/bin/env python3
"""The object's own bounds, scaled and with a part, against a model in binary64 that shares nothing
with the code: it reads the files itself and follows facts/animesh.md E.4, E.5, E.7, E.8, E.11.

    bounds.py RETROPOSE [CORPUS]     a synthetic corpus; without one it is made (two seconds)

What it holds the object to is what a scale is. One that is the same along all axes makes everything
larger: the bounds of the object that is not scaled, times that number. Another one multiplies
geometry in the space of its node, and the translation of every matrix.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

RETROPOSE = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
CORPUS = sys.argv[2] if len(sys.argv) > 2 else os.path.join(FOLDER.name, "corpus")
NEAR = 1e-5  # of the largest number: some dozens of roundings to binary32
INTERIOR = 1
NONE = 0xFFFF


# ---- a model --------------------------------------------------------------------------------------

def read_streams(path):
    with open(path, "rb") as file:
        image = file.read()
    _, _, count, size = struct.unpack_from("<4sIII", image)
    streams = {}
    for i in range(count):
        entry = struct.unpack_from("<5I36sII", image, size - 64 * (count - i))
        streams[entry[0]] = (image[entry[6]:entry[6] + entry[3]], entry[2])
    return streams


class Model:
    def __init__(self, name):
        streams = read_streams(os.path.join(CORPUS, "models", name))
        self.nodes, _ = streams[1]
        self.keys, _ = streams[8]
        self.frame_map, self.frames = streams[19]
        header, _ = streams[2]
        numbers = struct.unpack_from("<35f", header)
        self.corners = [numbers[3 * i:3 * i + 3] for i in range(8)]
        self.sphere = numbers[24:27], numbers[27]
        self.capsule = [numbers[28:31], numbers[31:34]], numbers[34]
        self.slots = header[0x8C:]

    def node_count(self):
        return len(self.nodes) // 38

    def node(self, index):
        """Flags, parent, start in the frame map, fallback key, slot of level 0 and variant 0"""
        return struct.unpack_from("<5H", self.nodes, 38 * index)

    def key(self, index):
        x, y, z, time, *turn = struct.unpack_from("<4f4h", self.keys, 24 * index)
        return time, (x, y, z), [turn[3] / 32767] + [part / 32767 for part in turn[:3]]

    def sample(self, index):
        """At time 0, where the frame is 0"""
        _, _, start, fallback, _ = self.node(index)
        first = NONE
        if self.frames > 0 and start != NONE:
            first, = struct.unpack_from("<H", self.frame_map, 2 * start)
        if first >= fallback:
            return self.key(fallback)[1:]
        time, position, turn = self.key(first)
        assert time == 0, "a model whose first key is later: the model here does not interpolate"
        return position, turn

    def box(self, index):
        slot = self.node(index)[4]
        if slot == NONE:
            return None
        numbers = struct.unpack_from("<6f", self.slots, 68 * slot + 8)
        return numbers[:3], numbers[3:]


# ---- an object ------------------------------------------------------------------------------------

def matrix_of(position, turn):
    w, x, y, z = turn
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]]
    return [row + [at] for row, at in zip(rows, position)]


def through(matrix, point):
    return [sum(row[k] * point[k] for k in range(3)) + row[3] for row in matrix] if matrix else point


def product(a, b):
    columns = [[b[k][j] for k in range(3)] for j in range(4)]
    turned = [[sum(row[k] * column[k] for k in range(3)) for column in columns] for row in a]
    return [row[:3] + [row[3] + whole[3]] for row, whole in zip(turned, a)]


def times(point, scale):
    return [value * factor for value, factor in zip(point, scale)]


class Object:
    def __init__(self, scale):
        self.scale, self.pieces, self.parts = scale, [], []

    def add(self, model, attach=None):
        first_node = 0 if attach is None else 1
        base = len(self.pieces) - first_node
        self.parts.append((model, None if attach is None else self.pieces[attach][2]))
        for index in range(first_node, model.node_count()):
            above = model.node(index)[1]
            parent = attach if above == 0 and attach is not None else base + above
            position, turn = model.sample(index)
            local = matrix_of(times(position, self.scale), turn)
            if above == NONE:
                matrix = [row[:3] + [0.0] for row in local]
            else:
                matrix = product(self.pieces[parent][2], local)
            self.pieces.append((model, index, matrix))
        return self

    def bounds(self):
        largest = max(self.scale)
        placed, spheres = [], []
        for model, matrix in self.parts:
            placed += [through(matrix, times(corner, self.scale)) for corner in model.corners]
            centre, radius = model.sphere
            spheres.append((through(matrix, times(centre, self.scale)), radius * largest))
        low, high = extent(placed)
        (model, _), several = self.parts[0], len(self.parts) > 1
        ends, radius = model.capsule
        capsule = [times(end, self.scale) for end in ends], radius * largest
        return {"corners": corners(low, high) if several else placed,
                "agent_sphere": flat(join(spheres) if several else spheres[0]),
                "node_sphere": flat(join(self.node_spheres())),
                "capsule": flat(capsule_of(low, high) if several else capsule)}

    def node_spheres(self):
        for model, index, matrix in self.pieces[1:]:
            if model.node(index)[0] & INTERIOR:
                continue
            box = model.box(index)
            if box:
                ends = [through(matrix, times(corner, self.scale)) for corner in box]
                yield middle(*ends), math.dist(*ends) / 2
            else:
                yield [row[3] for row in matrix], 0.0


def extent(points):
    return [min(axis) for axis in zip(*points)], [max(axis) for axis in zip(*points)]


def corners(low, high):
    order = ["", "x", "xy", "y", "yz", "z", "xz", "xyz"]
    return [[(high if name in greatest else low)[axis] for axis, name in enumerate("xyz")]
            for greatest in order]


def middle(a, b):
    return [(left + right) / 2 for left, right in zip(a, b)]


def join(spheres):
    spheres = list(spheres)
    weight = sum(radius for _, radius in spheres)
    if weight == 0:
        return [0.0] * 3, 0.0
    centre = [sum(c[axis] * r for c, r in spheres) / weight for axis in range(3)]
    return centre, max(math.dist(c, centre) + r for c, r in spheres)


def capsule_of(low, high):
    c = corners(low, high)
    x, y, z = [greatest - least for least, greatest in zip(low, high)]
    faces = (5, 7, 0, 2) if z >= x and z >= y else (1, 7, 0, 4) if x >= y else (3, 7, 0, 6)
    ends = [middle(c[faces[0]], c[faces[1]]), middle(c[faces[2]], c[faces[3]])]
    return ends, math.dist(ends[0], c[7])


def flat(value):
    return [number for item in value for number in flat(item)] if isinstance(
        value, (list, tuple)) else [value]


# ---- the comparison -------------------------------------------------------------------------------

def asked(name, part, piece, scale):
    folder = os.path.join(CORPUS, "models")
    words = [RETROPOSE, "object", "bounds", os.path.join(folder, name), "--json", "--space", "model",
             "--scale", ",".join(map(str, scale))]
    if part:
        words += ["--attach", f"{os.path.join(folder, part)}@{piece}"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def expected(name, part, piece, scale):
    def made(factors):
        whole = Object(factors).add(Model(name))
        return (whole.add(Model(part), piece) if part else whole).bounds()
    if len(set(scale)) > 1:
        return made(scale)
    return {key: [number * scale[0] for number in flat(value)]
            for key, value in made([1.0, 1.0, 1.0]).items()}


def differences(name, part, piece, scale):
    found = asked(name, part, piece, scale)
    for key, numbers in expected(name, part, piece, scale).items():
        got, want = flat(found[key]), flat(numbers)
        size = max(map(abs, want))
        for at, (one, other) in enumerate(zip(got, want, strict=True)):
            if not abs(one - other) <= NEAR * size:
                yield f"{key}[{at}] {one}, expected {other}"


def main():
    if not os.path.exists(CORPUS):
        subprocess.run([RETROPOSE, "gen", "corpus", CORPUS, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
    faults = cases = 0
    pairs = [("a_a_035.msh", "s_rok_0_25.msh", 1), ("a_a_035.msh", None, 0),
             ("s_rok_0_25.msh", "a_a_035.msh", 1), ("a_a_035.msh", "a_a_035.msh", 2)]
    scales = [(4, 4, 4), (1, 1, 1), (0.25, 0.25, 0.25), (1.5, 1.5, 1.5), (1, 3, 2), (2, 0.5, 0.75)]
    for name, part, piece in pairs:
        for scale in scales:
            cases += 1
            lines = list(differences(name, part, piece, scale))
            faults += bool(lines)
            for line in lines[:3]:
                print(f"{name} with {part} at {piece}, scale {scale}: {line}")
    print(f"{cases} objects, {faults} with other bounds than the model's")
    return 1 if faults else 0


sys.exit(main())
