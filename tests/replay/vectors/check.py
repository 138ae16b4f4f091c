#!/usr/bin/env python3
"""Computes the vectors once more, by x87.py beside it: check.py FOLDER [--planted]

Prints how many results were compared and how many differ; exit code 1 if any does. --planted makes one mistake after
the other in the arithmetic, each of which must make results differ: a check that cannot fail proves nothing.
"""

import json
import struct
import sys

import x87
from x87 import ONE, ZERO, X87, Number, compare, fcos, fpatan, fsin, load, store, whole

P = X87(24)
LIMIT = load(0x3727C5AC)  # 9.9999997e-6
SCALE = load(0x38000100)  # 1 / 32767


# ---- the game's functions, as docs/reference/arithmetic.md writes them --------------------------------


def frame_index(t):
    """SampleNode, step 1: fistp of 64 bits, of which the low 32 count."""
    moved = P.sub(t, load(0x3F000000))
    if moved.is_zero:
        return 0
    units = x87.nearest(moved.mantissa, -moved.exponent)
    value = -units if moved.sign else units
    return value & 0xFFFFFFFF if -(1 << 63) <= value < 1 << 63 else 0


def dot(q0, q1):
    total = P.mul(q0[0], q1[0])
    for a, b in zip(q0[1:], q1[1:]):
        total = P.add(total, P.mul(a, b))
    return total


def slerp(q0, q1, t):
    c, turned = dot(q0, q1), ONE
    if compare(c, ZERO) < 0:
        c, turned = -c, -ONE
    k = P.sub(ONE, c)
    if compare(k, LIMIT) <= 0:
        w0, w1 = P.sub(ONE, t), t
    else:
        root = P.sqrt(P.mul(P.add(ONE, c), P.sub(ONE, c)))
        theta = fpatan(root, c)
        phi = P.mul(t, theta)
        w1 = P.mul(fsin(phi), P.div(ONE, fsin(theta)))
        w0 = P.sub(fcos(phi), P.mul(w1, c))
    w1 = P.mul(turned, w1)
    return [load(store(P.add(P.mul(w0, a), P.mul(w1, b)))) for a, b in zip(q0, q1)]


def matrix(q, position=(ZERO, ZERO, ZERO)):
    """Slot 14, with a translation in its fourth column."""
    w, x, y, z = q

    def twice(a):
        return P.add(a, a)

    def diagonal(a, b):
        return P.sub(ONE, twice(P.add(P.mul(a, a), P.mul(b, b))))

    def off(a, b, c, d, sign):
        return twice((P.add if sign > 0 else P.sub)(P.mul(a, b), P.mul(c, d)))

    rows = [
        [diagonal(y, z), off(x, y, w, z, 1), off(x, z, w, y, -1)],
        [off(x, y, w, z, -1), diagonal(x, z), off(y, z, w, x, 1)],
        [off(x, z, w, y, 1), off(y, z, w, x, -1), diagonal(x, y)],
    ]
    flat = []
    for row, place in zip(rows, position):
        flat += [load(store(element)) for element in row] + [place]
    return flat + [ZERO, ZERO, ZERO, ONE]


def product(a, b):
    """Slot 28."""
    result = []
    for i in range(4):
        for j in range(4):
            total = P.mul(a[4 * i], b[j])
            for k in range(1, 4):
                total = P.add(total, P.mul(a[4 * i + k], b[4 * k + j]))
            result.append(load(store(total)))
    return result


class Skeleton:
    def __init__(self, case):
        self.parents, self.starts, self.fallbacks = case["parents"], case["map_starts"], case["fallbacks"]
        positions, rotations = floats(case["key_positions"]), case["key_rotations"]
        self.times = floats(case["key_times"])
        self.map, self.frame_count = case["frame_map"], case["frame_count"]
        self.positions = [positions[3 * i : 3 * i + 3] for i in range(len(self.times))]
        self.rotations = [rotations[4 * i : 4 * i + 4] for i in range(len(self.times))]

    def decode(self, key):
        x, y, z, w = (load(store(P.mul(whole(word), SCALE))) for word in self.rotations[key])
        return [w, x, y, z], self.positions[key]

    def sample(self, node, t):
        """AniMesh 0x10012880."""
        frame, start, fallback = frame_index(t), self.starts[node], self.fallbacks[node]
        if frame >= self.frame_count or start == 0xFFFF or self.map[start + frame] >= fallback:
            return self.decode(fallback)
        k0 = self.map[start + frame]
        if compare(t, self.times[k0]) == 0:
            return self.decode(k0)
        if compare(t, self.times[k0 + 1]) == 0:
            return self.decode(k0 + 1)
        past, length = P.sub(t, self.times[k0]), P.sub(self.times[k0 + 1], self.times[k0])
        alpha = load(store(P.div(past, length)))
        (q0, p0), (q1, p1) = self.decode(k0), self.decode(k0 + 1)
        position = [
            load(store(P.add(a, P.mul(P.sub(b, a), alpha)))) for a, b in zip(p0, p1)
        ]
        return slerp(q0, q1, alpha), position

    def blend(self, node, t_a, t_b, weight):
        """AniMesh 0x10012560."""
        has_a = compare(weight, ONE) < 0 and compare(t_a, ZERO) >= 0
        has_b = compare(weight, ZERO) > 0 and compare(t_b, ZERO) >= 0
        if not (has_a and has_b):
            return matrix(*self.sample(node, t_a if has_a else t_b))
        (qa, pa), (qb, pb) = self.sample(node, t_a), self.sample(node, t_b)
        together = apart = ZERO
        for i, (a, b) in enumerate(zip(qa, qb)):
            u, v = P.add(a, b), P.sub(a, b)
            u, v = P.mul(u, u), P.mul(v, v)
            together, apart = (P.add(together, u), P.add(apart, v)) if i else (u, v)
        if compare(together, apart) < 0:
            qb = [-component for component in qb]
        place = [
            load(store(P.add(P.mul(P.sub(ONE, weight), a), P.mul(weight, b)))) for a, b in zip(pa, pb)
        ]
        return matrix(slerp(qa, qb, weight), place)

    def pose(self, t, zero_root):
        matrices = []
        for node, parent in enumerate(self.parents):
            local = matrix(*self.sample(node, t))
            if node == 0 and zero_root:
                local[3] = local[7] = local[11] = ZERO
            matrices.append(local if parent == 0xFFFF else product(matrices[parent], local))
        return [element for each in matrices for element in each]


# ---- reading ------------------------------------------------------------------------------------------


def floats(words):
    return [load(int(word, 16)) for word in words.split()]


def one(words):
    return load(int(words, 16))


def words_of(numbers):
    return " ".join("%08x" % store(number) for number in numbers)


class Tally:
    def __init__(self):
        self.compared = self.different = 0
        self.first = ""

    def take(self, where, expected, found):
        self.compared += 1
        if expected != found:
            self.different += 1
            self.first = self.first or "%s: the file has %s, found %s" % (where, expected, found)


def decimals_agree(tally, where, case):
    """Each decimal stands for the bits beside it. What is not finite is a text."""
    for name, value in case.items():
        if name.endswith("_decimal"):
            words = case[name[: -len("_decimal")]].split()
            found = [
                word if isinstance(number, str) else "%08x" % struct.unpack("<I", struct.pack("<f", float(number)))[0]
                for number, word in zip(value, words)
            ]
            tally.take(where + " " + name, words, found)


def check_game(document, tally):
    for i, case in enumerate(document["frame_index"]):
        tally.take("frame_index %d" % i, case["frame"], frame_index(one(case["t"])))
    for i, case in enumerate(document["slerp"]):
        found = slerp(floats(case["q0"]), floats(case["q1"]), one(case["t"]))
        tally.take("slerp %d" % i, case["out"], words_of(found))
    for i, case in enumerate(document["sine_cosine"]):
        angle = one(case["angle"])
        tally.take("sine %d" % i, case["sine"], words_of([fsin(angle)]))
        tally.take("cosine %d" % i, case["cosine"], words_of([fcos(angle)]))
    for i, case in enumerate(document["reciprocal_root"]):
        found = P.div(ONE, P.sqrt(one(case["x"])))
        tally.take("reciprocal_root %d" % i, case["out"], words_of([found]))
    for i, case in enumerate(document["matrix"]):
        found = matrix(floats(case["q"]), floats(case["translation"]))
        tally.take("matrix %d" % i, case["matrix"], words_of(found))
        tally.take("product %d" % i, case["product"], words_of(product(floats(case["before"]), found)))
    skeletons = [Skeleton(case) for case in document["skeletons"]]
    for i, case in enumerate(document["sample"]):
        rotation, position = skeletons[case["skeleton"]].sample(case["node"], one(case["t"]))
        tally.take("sample %d" % i, case["quaternion"], words_of(rotation))
        tally.take("sample %d" % i, case["position"], words_of(position))
    for i, case in enumerate(document["blend"]):
        times = one(case["t_a"]), one(case["t_b"]), one(case["weight"])
        found = skeletons[case["skeleton"]].blend(case["node"], *times)
        tally.take("blend %d" % i, case["matrix"], words_of(found))
    for i, case in enumerate(document["pose"]):
        found = skeletons[case["skeleton"]].pose(one(case["t"]), case["zero_root"])
        tally.take("pose %d" % i, case["matrices"], words_of(found))


def step(operation, value, operand):
    if operation == "fsqrt":
        return P.sqrt(Number(0, value.mantissa, value.exponent))
    return {"fadd": P.add, "fsub": P.sub, "fmul": P.mul, "fdiv": P.div}[operation](value, operand)


def double(word):
    bits = int(word, 16)
    exponent = bits >> 52 & 0x7FF
    return Number(bits >> 63, bits & (1 << 52) - 1 | 1 << 52, exponent - 1075)


def check_operations(document, tally):
    for i, case in enumerate(document["chains"]):
        value, after = one(case["start"]), []
        for operation, operand in zip(case["operations"].split(), floats(case["operands"])):
            value = step(operation, value, operand)
            after.append(value)
        tally.take("chain %d" % i, case["after"], words_of(after))
    for i, case in enumerate(document["doubles"]):
        value = double(case["double"])
        tally.take("double %d" % i, case["stored"], words_of([value]))
        tally.take("double %d" % i, case["added"], words_of([P.add(value, ZERO)]))


SPARSE_STEP = 4096


def digest(function, exponent):
    value = 0xCBF29CE484222325
    for mantissa in range(0, 1 << 23, SPARSE_STEP):
        word = store(function(load((exponent + 127) << 23 | mantissa)))
        for byte in struct.pack("<I", word):
            value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return "%016x" % value


def check_functions(document, tally, every=1):
    functions = {"fsin": fsin, "fcos": fcos, "fpatan": lambda x: fpatan(x, ONE)}
    for name, function in functions.items():
        for case in document[name][::every]:
            where = "%s, exponent %d" % (name, case["exponent"])
            tally.take(where, case["sparse"], digest(function, case["exponent"]))


CHECKS = {"x87.json": check_game, "pc24.json": check_operations, "functions.json": check_functions}


def check(folder, tally, names=tuple(CHECKS)):
    for name in names:
        with open("%s/%s" % (folder, name)) as file:
            document = json.load(file, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))
        assert document["format"] == "retropose vectors 1" and document["control_word"] == "007f"
        for section, cases in document.items():
            for i, case in enumerate(cases if isinstance(cases, list) else []):
                decimals_agree(tally, "%s %s %d" % (name, section, i), case)
        CHECKS[name](document, tally)


# ---- planted faults -----------------------------------------------------------------------------------


def planted():
    """Mistakes that implementations make: (what, object, name, replacement)."""
    true_nearest, true_sin, true_mul = x87.nearest, fsin, P.mul
    return [
        ("halves away from zero", x87, "nearest", lambda m, s: m << -s if s <= 0 else (m + (1 << s - 1)) >> s),
        ("toward zero", x87, "nearest", lambda m, s: m << -s if s <= 0 else m >> s),
        ("53 bits", P, "bits", 53),
        ("sines stored", sys.modules[__name__], "fsin", lambda x: load(store(true_sin(x)))),
        ("products stored", P, "mul", lambda a, b: load(store(true_mul(a, b)))),
        ("a limit of 2^-16", sys.modules[__name__], "LIMIT", load(0x37800000)),
        ("1 / 32768", sys.modules[__name__], "SCALE", load(0x38000000)),
        ("nearest as it is", x87, "nearest", true_nearest),
    ]


def main():
    folder = sys.argv[1]
    if "--planted" not in sys.argv:
        tally = Tally()
        check(folder, tally)
        print("%d results compared, %d different" % (tally.compared, tally.different))
        if tally.different:
            print(tally.first, file=sys.stderr)
        return 1 if tally.different else 0
    missed = 0
    for what, owner, name, replacement in planted():
        tally, before = Tally(), getattr(owner, name)
        setattr(owner, name, replacement)
        for file in ("x87.json", "pc24.json"):
            try:
                check(folder, tally, (file,))
            except ValueError as error:  # a value went where none should
                tally.take(file, "", str(error))
        setattr(owner, name, before)
        sound = what == "nearest as it is"
        print("%-22s %d of %d different" % (what, tally.different, tally.compared))
        missed += (tally.different > 0) == sound
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
