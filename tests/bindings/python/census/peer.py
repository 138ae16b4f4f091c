"""fparkan's digest of sampled poses (docs/use/other-projects.md), computed from the archives of a folder."""

import os
import struct

NONE = 0xFFFF


def single(value):
    """Rounds as a float of 32 bits: one operation of two such numbers is right after two roundings, too."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def members(image):
    count, total = struct.unpack_from("<iI", image, 8)
    for i in range(count):
        kind, _, attr2, size, attr3, name, offset, _ = struct.unpack_from("<5I36s2I", image, total - 64 * (count - i))
        yield kind, attr2, attr3, name.split(b"\0")[0], image[offset:offset + size]


def dot(a, b):
    total = single(a[0] * b[0])
    for x, y in zip(a[1:], b[1:]):
        total = single(total + single(x * y))
    return total


def normalised(q):
    square = dot(q, q)
    if square <= 2.0 ** -23:
        return None
    inverse = single(1 / single(square ** 0.5))
    return [single(part * inverse) for part in q]


def decoded(key):
    *at, _, a, b, c, d = key
    return at + (normalised([single(part / 32767) for part in (a, b, c, d)]) or [0.0, 0.0, 0.0, 1.0])


def between(a, b, t):
    return single(a + single(single(b - a) * t))


def sampled(keys, words, frames, start, fallback, frame):
    key = fallback
    if start != NONE and frame < frames:
        key = min(words[start + frame], fallback)
    first = keys[key]
    if key == fallback or key + 1 == len(keys) or keys[key + 1][3] <= first[3] or frame <= first[3]:
        return decoded(first)
    second = keys[key + 1]
    if frame > second[3]:
        return decoded(second)
    a, b = decoded(first), decoded(second)
    t = single(single(frame - first[3]) / single(second[3] - first[3]))
    if dot(a[3:], b[3:]) < 0:
        b[3:] = [-part for part in b[3:]]
    return [between(x, y, t) for x, y in zip(a[:3], b[:3])] + normalised(
        [between(x, y, t) for x, y in zip(a[3:], b[3:])])


def digested(model):
    """What is hashed of a model, after its name."""
    streams = {kind: (attr2, attr3, payload) for kind, attr2, attr3, _, payload in members(model)}
    frames, _, payload = streams[19]
    keys = list(struct.iter_unpack("<4f4h", streams[8][2]))
    words = [word for word, in struct.iter_unpack("<H", payload)]
    yield struct.pack("<2Q", len(keys), len(words))
    if streams[1][1] != 38:
        return
    for number, (_, _, start, fallback, *_) in enumerate(struct.iter_unpack("<4H15H", streams[1][2])):
        moves = start != NONE and frames > 0
        for frame in sorted({0, frames // 2, frames - 1}) if moves else [0]:
            pose = sampled(keys, words, frames, start, fallback, frame)
            bits = [struct.unpack("<I", struct.pack("<f", part))[0] for part in (frame, *pose)]
            yield struct.pack("<2Q", number, frame) + ("P," + ",".join(f"{b:08x}" for b in bits) + "\n").encode()


def digest(folder):
    """Gives the number of samples and the digest."""
    value, samples = 0xCBF29CE484222325, 0
    for path in sorted(os.listdir(folder)):
        with open(os.path.join(folder, path), "rb") as file:
            image = file.read()
        if image[:4] != b"NRes":
            continue
        for *_, name, model in members(image):
            if not name.lower().endswith(b".msh"):
                continue
            for part in (name, *digested(model)):
                samples += part[16:17] == b"P"
                for byte in part:
                    value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return samples, value
