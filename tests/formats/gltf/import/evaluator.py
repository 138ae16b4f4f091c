"""What a glTF file shows at a time: the triangles of its default scene in the world, and their texture
coordinates. Written from the glTF 2.0 specification and its extensions alone, so that it can judge the
importer, with which it shares nothing. It reads what tests/formats/gltf/import/command makes, and more.
"""
import base64
import bisect
import json
import math
import pathlib
import struct
import urllib.parse

COMPONENTS = {5120: ("b", 1, 127.0), 5121: ("B", 1, 255.0), 5122: ("h", 2, 32767.0), 5123: ("H", 2, 65535.0),
              5125: ("I", 4, 1.0), 5126: ("f", 4, 1.0)}
ELEMENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
IDENTITY = [[float(i == j) for j in range(4)] for i in range(4)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def moved(matrix, point):
    return tuple(sum(matrix[i][j] * point[j] for j in range(3)) + matrix[i][3] for i in range(3))


def determinant(m):
    return sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]) for i in range(3))


def unit(quaternion):
    length = math.sqrt(sum(part * part for part in quaternion))
    return [part / length for part in quaternion] if length > 0 else [0.0, 0.0, 0.0, 1.0]


def of_parts(translation, rotation, scale):
    x, y, z, w = unit(rotation)
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[turn[i][j] * scale[j] for j in range(3)] + [translation[i]] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


class Gltf:
    def __init__(self, path):
        path = pathlib.Path(path)
        data, self.bin = path.read_bytes(), b""
        if data[:4] == b"glTF":
            length = struct.unpack("<I", data[12:16])[0]
            self.json, self.bin = json.loads(data[20:20 + length]), data[28 + length:]
        else:
            self.json = json.loads(data)
        self.buffers = [self.buffer(path, buffer) for buffer in self.json.get("buffers", [])]
        self.nodes = self.json.get("nodes", [])
        scenes = self.json.get("scenes")
        if scenes:
            self.roots = scenes[self.json.get("scene", 0)].get("nodes", [])
        else:
            children = {child for node in self.nodes for child in node.get("children", [])}
            self.roots = [i for i in range(len(self.nodes)) if i not in children]

    def buffer(self, path, buffer):
        uri = buffer.get("uri")
        if uri is None:
            return self.bin
        if uri[:5].lower() == "data:":
            return base64.b64decode(uri.split(",", 1)[1])
        decoded = path.parent / urllib.parse.unquote(uri)
        return (decoded if decoded.exists() else path.parent / uri).read_bytes()

    def numbers(self, index):
        accessor = self.json["accessors"][index]
        letter, size, scale = COMPONENTS[accessor["componentType"]]
        count = ELEMENTS[accessor["type"]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        stride = view.get("byteStride", size * count)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        scale = scale if accessor.get("normalized") else 1.0
        return [[max(part / scale, -1.0) if scale != 1.0 else part
                 for part in struct.unpack_from(f"<{count}{letter}", self.buffers[view["buffer"]], start + i * stride)]
                for i in range(accessor["count"])]

    # ---- animation ----

    def sample(self, sampler, time, turns):
        times = [key[0] for key in self.numbers(sampler["input"])]
        values, kind = self.numbers(sampler["output"]), sampler.get("interpolation", "LINEAR")
        spline = kind == "CUBICSPLINE"
        kept = [i for i in range(len(times)) if i + 1 == len(times) or times[i + 1] > times[i]]  # the later key
        at = bisect.bisect_right([times[i] for i in kept], time + 1e-6) - 1
        key = kept[max(at, 0)]
        here = values[3 * key + 1] if spline else values[key]
        here = unit(here) if turns and not spline else here
        if at < 0 or at + 1 == len(kept) or kind == "STEP" or time <= times[key]:
            return here
        after = kept[at + 1]
        span = times[after] - times[key]
        t = (time - times[key]) / span
        if spline:
            m0, p1, m1 = values[3 * key + 2], values[3 * after + 1], values[3 * after]
            mixed = [(2 * t**3 - 3 * t**2 + 1) * p + span * (t**3 - 2 * t**2 + t) * m
                     + (3 * t**2 - 2 * t**3) * q + span * (t**3 - t**2) * n
                     for p, m, q, n in zip(here, m0, p1, m1)]
            return unit(mixed) if turns else mixed
        there = unit(values[after]) if turns else values[after]
        if not turns:
            return [p + (q - p) * t for p, q in zip(here, there)]
        dot = sum(p * q for p, q in zip(here, there))
        there, dot = ([-q for q in there], -dot) if dot < 0 else (there, dot)
        angle = math.acos(min(dot, 1.0))
        if angle < 1e-6:
            return unit([p + (q - p) * t for p, q in zip(here, there)])
        return [(math.sin((1 - t) * angle) * p + math.sin(t * angle) * q) / math.sin(angle) for p, q in zip(here, there)]

    def locals_at(self, time):
        parts = []
        for node in self.nodes:
            matrix = node.get("matrix")
            part = {"translation": node.get("translation", [0.0] * 3), "rotation": node.get("rotation", [0.0, 0.0, 0.0, 1.0]),
                    "scale": node.get("scale", [1.0] * 3), "matrix": matrix}
            if matrix:  # an animation replaces a part of it, which has to be a translation, a rotation, a scale
                part["translation"] = matrix[12:15]
                part["scale"] = [math.sqrt(sum(matrix[4 * j + i] ** 2 for i in range(3))) for j in range(3)]
            parts.append(part)
        for channel in self.json.get("animations", [{}])[0].get("channels", []) if time is not None else []:
            target = channel["target"]
            pointer = target.get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer", "").split("/")
            node, path = (int(pointer[2]), pointer[3]) if pointer[1:2] == ["nodes"] else (target.get("node"), target["path"])
            if path not in ("translation", "rotation"):
                continue
            sampler = self.json["animations"][0]["samplers"][channel["sampler"]]
            parts[node][path] = self.sample(sampler, time, path == "rotation")
            parts[node]["matrix"] = None
        return [[[part["matrix"][4 * j + i] for j in range(4)] for i in range(4)] if part["matrix"]
                else of_parts(part["translation"], part["rotation"], part["scale"]) for part in parts]

    # ---- what is seen ----

    def triangles(self, time=None):
        """(corners, texture coordinates) of all triangles, in the order of the nodes. Without a time,
        at rest."""
        local, worlds, order = self.locals_at(time), {}, []

        def descend(index, above, visible):
            worlds[index] = product(above, local[index])
            extension = self.nodes[index].get("extensions", {}).get("KHR_node_visibility", {})
            visible = visible and extension.get("visible", True)
            if visible:
                order.append(index)
            for child in self.nodes[index].get("children", []):
                descend(child, worlds[index], visible)
        for root in self.roots:
            descend(root, IDENTITY, True)
        return [triangle for index in order if "mesh" in self.nodes[index]
                for primitive in self.json["meshes"][self.nodes[index]["mesh"]]["primitives"]
                for triangle in self.drawn(self.nodes[index], worlds, index, primitive)]

    def drawn(self, node, worlds, index, primitive):
        attributes = primitive["attributes"]
        points = self.numbers(attributes["POSITION"])
        if "skin" in node:
            skin = self.json["skins"][node["skin"]]
            binds = self.numbers(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else None
            joints = [product(worlds[joint], [[binds[i][4 * c + r] for c in range(4)] for r in range(4)] if binds else IDENTITY)
                      for i, joint in enumerate(skin["joints"])]
            weights, used = self.numbers(attributes["WEIGHTS_0"]), self.numbers(attributes["JOINTS_0"])
            placed = [tuple(sum(w * moved(joints[int(j)], point)[axis] for w, j in zip(weight, which)) for axis in range(3))
                      for point, weight, which in zip(points, weights, used)]
        else:
            placed = [moved(worlds[index], point) for point in points]
        uvs = self.numbers(attributes["TEXCOORD_0"]) if "TEXCOORD_0" in attributes else [[0.0, 0.0]] * len(points)
        if "material" in primitive:
            texture = self.json["materials"][primitive["material"]].get("pbrMetallicRoughness", {}).get("baseColorTexture", {})
            uvs = [transformed(texture.get("extensions", {}).get("KHR_texture_transform", {}), uv) for uv in uvs]
        indices = [i[0] for i in self.numbers(primitive["indices"])] if "indices" in primitive else range(len(points))
        step = -1 if "skin" not in node and determinant(worlds[index]) < 0 else 1  # a mirror turns them round
        return [([placed[i] for i in indices[at:at + 3][::step]], [uvs[i] for i in indices[at:at + 3][::step]])
                for at in range(0, len(indices) - 2, 3)]


def transformed(transform, uv):
    """KHR_texture_transform, with the rotation against the clock where v points down."""
    (sx, sy), (ox, oy) = transform.get("scale", [1.0, 1.0]), transform.get("offset", [0.0, 0.0])
    c, s = math.cos(transform.get("rotation", 0.0)), math.sin(transform.get("rotation", 0.0))
    u, v = uv[0] * sx, uv[1] * sy
    return [c * u + s * v + ox, c * v - s * u + oy]
