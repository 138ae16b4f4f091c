#!/usr/bin/env python3
"""A second evaluation of .ani files, written from facts/lego-ani.md A and B alone, and compared with
print_samples bit for bit.

    reference.py PRINT_SAMPLES STEP FILE...

Policy S rounds every binary32 step once, from its exact result; sine, cosine and arc cosine are
rounded to binary64 from 200-bit integers. Nothing is shared with the library but the facts.
"""
import math
import struct
import subprocess
import sys
from fractions import Fraction

# ---- numbers ------------------------------------------------------------------------------------


def nearest32(exact):
    """The binary32 number nearest to a Fraction, ties to even."""
    if exact == 0:
        return 0.0
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    value = float(round(magnitude / unit) * unit)  # round() of a Fraction ties to even
    if value > 3.4028234663852886e38:
        value = math.inf
    return math.copysign(value, 1 if exact > 0 else -1)


def finite(*numbers):
    return all(math.isfinite(number) for number in numbers)


def to32(value):
    if not math.isfinite(value) or value == 0:
        return value
    return nearest32(Fraction(value))


class Single:
    """Policy S: each step from its exact result to binary32."""

    name = "S"

    @staticmethod
    def add(a, b):
        total = a + b
        if total == 0 or not finite(a, b):
            return total
        return nearest32(Fraction(a) + Fraction(b))

    @staticmethod
    def sub(a, b):
        return Single.add(a, -b)

    @staticmethod
    def mul(a, b):
        product = a * b
        if a == 0 or b == 0 or not finite(a, b):
            return product
        return nearest32(Fraction(a) * Fraction(b)) or math.copysign(0.0, product)

    @staticmethod
    def div(a, b):
        if b == 0 or a == 0 or not finite(a, b):
            return divide(a, b)
        return nearest32(Fraction(a) / Fraction(b)) or math.copysign(0.0, a * b)

    @staticmethod
    def sqrt(a):
        if a <= 0 or not finite(a):
            return math.sqrt(a)
        scaled = Fraction(a) * 4**200
        root = math.isqrt(math.floor(scaled))
        return nearest32(Fraction(2 * root + (root * root != scaled), 2 * 2**200))


class Double:
    """Policy D: binary64 within an expression."""

    name = "D"

    @staticmethod
    def add(a, b):
        return a + b

    @staticmethod
    def sub(a, b):
        return a - b

    @staticmethod
    def mul(a, b):
        return a * b

    @staticmethod
    def div(a, b):
        return divide(a, b)

    @staticmethod
    def sqrt(a):
        return math.sqrt(a)


def divide(a, b):
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


# ---- trigonometry in fixed point ------------------------------------------------------------------

BITS = 240
ONE = 1 << BITS


def arctan_inverse(n):
    term, total, odd, sign = ONE // n, ONE // n, 3, -1
    while term:
        term //= n * n
        total += sign * (term // odd)
        sign, odd = -sign, odd + 2
    return total


PI = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


def fixed_sine_cosine(x):
    x %= 2 * PI
    sine, cosine, term, k = 0, 0, ONE, 0
    while term:
        if k % 2:
            sine += term if k % 4 == 1 else -term
        else:
            cosine += term if k % 4 == 0 else -term
        k += 1
        term = term * x // ONE // k
    return sine, cosine


def to_fixed(x):
    return math.floor(Fraction(x) * ONE)


def sine64(x):
    return x if x == 0 else float(Fraction(fixed_sine_cosine(to_fixed(x))[0], ONE))


def cosine64(x):
    return float(Fraction(fixed_sine_cosine(to_fixed(x))[1], ONE))


def arc_cosine64(x):
    angle, goal = to_fixed(math.acos(x)), to_fixed(x)
    for _ in range(4):
        sine, cosine = fixed_sine_cosine(angle)
        angle += (cosine - goal) * ONE // sine
    return float(Fraction(angle, ONE))


# ---- the file: facts/lego-ani.md A ------------------------------------------------------------------


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def one(self, form):
        return self.take(form)[0]

    def keys(self, form, effect):
        keys = []
        for _ in range(self.one("H")):
            word, *value = self.take("I" + form)
            flags = word >> 24
            keys.append((float(word & 0xFFFFFF), flags, bool(flags & 1) or effect(value), value))
        return keys

    def translations(self):
        limit = to32(1e-5)
        return self.keys("3f", lambda v: any(c > limit or c < -limit for c in v))

    def node(self):
        self.take("%ds" % self.one("I"))
        tracks = (
            self.translations(),
            self.keys("4f", lambda v: v[0] != 1.0),
            self.keys("3f", lambda v: any(c > 1.00001 or c < 0.99999 for c in v)),
            self.keys("B", lambda v: False),
        )
        return tracks, [self.node() for _ in range(self.one("I"))]

    def whole(self):
        magic, _, _, _, _, has_camera, _ = self.take("i4fii")
        assert magic == 17
        for _ in range(self.one("I")):
            length = self.one("I")
            if length:
                self.take("%dsI" % length)
        duration, camera = self.one("i"), None
        if has_camera:
            camera = (self.translations(), self.translations(), self.keys("f", lambda v: False))
        return duration, camera, self.node()


# ---- tracks: facts/lego-ani.md B.1 to B.4 ---------------------------------------------------------


def search(keys, t):
    """The keys concerned. Times may fall, so the search goes on from the first key as the original's
    does."""
    if not keys or t < keys[0][0]:
        return []
    if t > keys[-1][0]:
        return [len(keys) - 1]
    i = 0
    while i + 1 < len(keys) and t >= keys[i + 1][0]:
        i += 1
    if t == keys[i][0]:
        return [i]
    return [i, i + 1] if i + 1 < len(keys) else []


def vector(keys, t, p, flags_count):
    found = [keys[i] for i in search(keys, t)]
    if not found or (flags_count and not any(key[2] for key in found)):
        return None
    if len(found) == 1:
        return found[0][3]
    (t1, _, _, v1), (t2, _, _, v2) = found
    return [
        to32(p.add(a, p.div(p.mul(p.sub(b, a), p.sub(t, t1)), p.sub(t2, t1)))) for a, b in zip(v1, v2)
    ]


def slerp(s, e, alpha, p):
    (sw, sx, sy, sz), (ew, ex, ey, ez) = s, e
    d = p.add(p.add(p.mul(sx, ex), p.mul(sz, ez)), p.add(p.mul(sy, ey), p.mul(sw, ew)))
    if d + 1.0 > 0.00001:
        if 1.0 - d > 0.00001:
            th = arc_cosine64(d)
            a = sine64((1.0 - alpha) * th) / sine64(th)
            b = sine64(alpha * th) / sine64(th)
        else:
            a, b = 1.0 - alpha, alpha
        return [to32(u * a + v * b) for u, v in zip(s, e)]
    k = 1.570796326794895
    a, b = sine64((1.0 - alpha) * k), sine64(alpha * k)
    return [sz, to32(sx * a + -sy * b), to32(sy * a + sx * b), to32(sz * a + -sw * b)]


def rotation(keys, t, p):
    found = [keys[i] for i in search(keys, t)]
    if not any(key[2] for key in found):
        return None
    if len(found) == 1:
        return found[0][3]
    (t1, _, _, q1), (t2, flags, _, q2) = found
    if flags & 4:
        return q1
    if flags & 2:
        q2 = [-c for c in q2]
    return slerp(q1, q2, to32(p.div(p.sub(t, t1), p.sub(t2, t1))), p)


# ---- matrices: facts/lego-ani.md B.5, B.6 -----------------------------------------------------------


def identity():
    return [[float(r == c) for c in range(4)] for r in range(4)]


def from_quaternion(q, m, p):
    w, x, y, z = q
    length = p.add(p.add(p.add(p.mul(y, y), p.mul(x, x)), p.mul(z, z)), p.mul(w, w))
    if not length > 0:
        return m
    s = p.div(2.0, length)
    xs, ys, zs = p.mul(x, s), p.mul(y, s), p.mul(z, s)
    wx, wy, wz = p.mul(w, xs), p.mul(w, ys), p.mul(w, zs)
    xx, xy, xz = p.mul(x, xs), p.mul(x, ys), p.mul(x, zs)
    yy, yz, zz = p.mul(y, ys), p.mul(y, zs), p.mul(z, zs)
    rows = [
        [p.sub(1.0, p.add(yy, zz)), p.sub(xy, wz), p.add(xz, wy), 0.0],
        [p.add(xy, wz), p.sub(1.0, p.add(xx, zz)), p.sub(yz, wx), 0.0],
        [p.sub(xz, wy), p.add(yz, wx), p.sub(1.0, p.add(xx, yy)), 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
    return [[to32(c) for c in row] for row in rows]


def multiply(a, b, p):
    c = [[0.0] * 4 for _ in range(4)]
    for r in range(4):
        for k in range(4):
            for i in range(4):
                c[r][k] = to32(p.add(c[r][k], p.mul(a[r][i], b[i][k])))
    return c


def local_matrix(tracks, t, p):
    translations, rotations, scales, _ = tracks
    m = identity()
    q = rotation(rotations, t, p)
    if scales:
        factors = vector(scales, t, p, False)
        if factors:
            m = [[to32(p.mul(c, f)) for c, f in zip(row, factors + [1.0])] for row in m]
        if rotations:
            m = multiply(m, from_quaternion(q, identity(), p) if q else identity(), p)
    elif q:
        m = from_quaternion(q, m, p)
    offset = vector(translations, t, p, True)
    if offset:
        m[3] = [to32(p.add(c, o)) for c, o in zip(m[3], offset)] + [m[3][3]]
    return m


def visible(keys, t):
    found = search(keys, t)
    return keys[found[0]][3][0] if found else 1


# ---- camera: facts/lego-ani.md B.7 ------------------------------------------------------------------


def unitise(v, p):
    square = p.add(p.add(p.mul(v[0], v[0]), p.mul(v[1], v[1])), p.mul(v[2], v[2]))
    length = p.sqrt(square)
    return [to32(p.div(c, length)) for c in v] if length > 0 else None


def cross(a, b, p):
    return [
        to32(p.sub(p.mul(a[i], b[j]), p.mul(a[j], b[i]))) for i, j in ((1, 2), (2, 0), (0, 1))
    ]


def camera_matrix(camera, t, p, base):
    """(result, matrix)."""
    eyes, targets, rolls = camera
    base = [row[:] for row in base]
    goal = [0.0 + c for c in vector(targets, t, p, True) or [0.0] * 3]
    eye = [0.0 + c for c in vector(eyes, t, p, True) or [0.0] * 3]
    z = unitise([to32(p.sub(g, e)) for g, e in zip(goal, eye)], p)
    if not z:
        return 1, base
    x = unitise(cross([0.0, 1.0, 0.0], z, p), p)
    if not x:
        return 2, base
    y = cross(z, x, p)
    place = [to32(p.add(b, e)) for b, e in zip(base[3], eye)]
    base[3] = [0.0, 0.0, 0.0, 1.0]
    found = search(rolls, t)
    if found:
        angle = rolls[found[0]][3][0]
        s, c = to32(sine64(angle)), to32(cosine64(angle))
        base = [
            [to32(p.sub(p.mul(r[0], c), p.mul(r[1], s))), to32(p.add(p.mul(r[1], c), p.mul(r[0], s)))]
            + r[2:]
            for r in base
        ]
    m = multiply(base, [x + [0.0], y + [0.0], z + [0.0], [0.0, 0.0, 0.0, 1.0]], p)
    m[3] = place + [m[3][3]]
    return 0, m


# ---- comparison ---------------------------------------------------------------------------------------


def show(m):
    return " ".join(struct.pack(">f", c).hex() for row in m for c in row)


def tree_lines(node, parent, t, p, lines):
    tracks, children = node
    local = local_matrix(tracks, t, p)
    world = multiply(local, parent, p)
    place = len(lines)
    lines.append(f"{p.name} {t:.0f} {place} {visible(tracks[3], t)} {show(local)} {show(world)}")
    for child in children:
        tree_lines(child, world, t, p, lines)


def expected_lines(data, step):
    duration, camera, root = Reader(data).whole()
    for p in (Single, Double):
        for time in range(-50, duration + 101, step):
            lines = []
            tree_lines(root, identity(), float(time), p, lines)
            yield from lines
            if camera:
                result, m = camera_matrix(camera, float(time), p, identity())
                yield f"{p.name} {time} camera {result} {show(m)}"


def compare(program, step, path):
    with open(path, "rb") as file:
        data = file.read()
    output = subprocess.run([program, path, step], check=True, capture_output=True, text=True).stdout
    found, expected = output.split("\n")[:-1], list(expected_lines(data, int(step)))
    differing = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
    for pair in differing[:5]:
        print("expected %s\n   found %s" % pair)
    good = not differing and len(expected) == len(found)
    print(f"{path}: {len(expected)} lines, {len(found)} found, {len(differing)} differ")
    return good and len(expected) > 0


if __name__ == "__main__":
    results = [compare(sys.argv[1], sys.argv[2], path) for path in sys.argv[3:]]
    sys.exit(0 if results and all(results) else 1)
