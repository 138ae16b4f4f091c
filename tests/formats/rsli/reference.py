#!/usr/bin/env python3
"""A second reader and writer of RsLi, against which formats/rsli/ is compared.

Written from facts/formats.md B alone and sharing nothing with the C code: the file and the cipher
are here once more, in both directions; Deflate is zlib's, through Python. LZSS and LZHUF are compared
with textbook.c.

    reference.py self                         the published vectors, and round trips of its own
    reference.py read DIRECTORY               reads what write_libraries wrote into DIRECTORY
    reference.py write DIRECTORY UNPACK       writes libraries into DIRECTORY; UNPACK (unpack_library)
                                              must give their contents back

Exit codes: 0 equal, 1 different.
"""

import os
import random
import struct
import subprocess
import sys
import zlib

METHODS = STORED, XOR, DEFLATE = (0x000, 0x020, 0x100)
METHOD_MASK = 0x1E0
SORTED_MARK = 0xABBA


class Bad(Exception):
    """Data that breaks a rule of the format."""


# ---- the cipher (B.2) ----------------------------------------------------------------------------


class Cipher:
    def __init__(self, key):
        self.low = key & 0xFF
        self.high = (key >> 8) & 0xFF

    def run(self, data):
        output = bytearray()
        for byte in data:
            self.low = self.high ^ (self.low * 2 % 256)
            output.append(byte ^ self.low)
            self.high = self.low ^ (self.high // 2)
        return bytes(output)


def cipher(key, data):
    return Cipher(key).run(data)


# ---- methods (B.4) -------------------------------------------------------------------------------


def deflate_encode(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def deflate_decode(packed, size):
    unpacker = zlib.decompressobj(-15)
    try:
        output = unpacker.decompress(packed)
    except zlib.error as error:
        raise Bad("Deflate: %s" % error) from None
    if not unpacker.eof:
        raise Bad("Deflate data ends early")
    if len(output) != size:
        raise Bad("Deflate gives %d bytes, not %d" % (len(output), size))
    return output


def unpack(method, key, packed, size):
    if method == DEFLATE:
        return deflate_decode(packed, size)
    if method not in METHODS:
        raise Bad("method 0x%X" % method)
    if len(packed) < size:
        raise Bad("stored data ends early")
    return cipher(key, packed)[:size] if method == XOR else packed[:size]


def pack(method, key, data):
    if method == DEFLATE:
        return deflate_encode(data)
    return cipher(key, data) if method == XOR else data


# ---- the file (B.1, B.3, B.7) --------------------------------------------------------------------


class Entry:
    def __init__(self, name, method, data):
        self.name, self.method, self.data = name, method, data


def name_of(field):
    return field.split(b"\0")[0]


def sort_map(names):
    """At position i the index of the i-th name; equal names stay in order."""
    return sorted(range(len(names)), key=lambda index: names[index])


def read_library(image, use_trailer=True):
    """Entries of a library, decoded; Bad where anything disagrees."""
    if len(image) < 32 or image[:4] != b"NL\0\1":
        raise Bad("no RsLi header")
    count, again, mark = struct.unpack("<hh6xH", image[4:16])
    total, seed = struct.unpack("<II", image[16:24])
    if count < 0 or again != count or 32 + 32 * count > len(image):
        raise Bad("entry count")
    table = cipher(seed & 0xFFFF, image[32:32 + 32 * count])
    overlay = 0
    if use_trailer and image[-6:-4] == b"AO":
        overlay = struct.unpack("<I", image[-4:])[0]
    rows = [struct.unpack("<12s4shHIII", table[at:at + 32]) for at in range(0, len(table), 32)]
    names = [name_of(row[0]) for row in rows]
    expected_map = sort_map(names)
    stored_map = [row[3] for row in rows]
    if mark == SORTED_MARK and [names[i] for i in stored_map] != sorted(names):
        raise Bad("the stored map does not sort the names: %s" % stored_map)
    keys = stored_map if mark == SORTED_MARK else expected_map
    if total != sum(row[4] for row in rows):
        raise Bad("sum of unpacked sizes")
    entries = []
    for row, name, key in zip(rows, names, keys):
        _, _, flags, _, size, offset, packed_size = row
        packed = image[offset + overlay:offset + overlay + packed_size]
        method = flags & METHOD_MASK
        entries.append(Entry(name, method, unpack(method, key, packed, size)))
    return entries


def write_library(entries, seed, presorted, overlay=None):
    """A library; not presorted it holds nonsense where the map would be. With `overlay` it stands
    behind that many foreign bytes, which offsets do not count."""
    names = [entry.name for entry in entries]
    keys = sort_map(names)
    table, payloads = b"", b""
    for index, entry in enumerate(entries):
        packed = pack(entry.method, keys[index], entry.data)
        stored = keys[index] if presorted else 0x7000 + index
        table += struct.pack("<12s4shHIII", entry.name, b"\0" * 4, entry.method, stored,
                             len(entry.data), 32 + 32 * len(entries) + len(payloads), len(packed))
        payloads += packed
    header = struct.pack("<2sBBhh6xHII8x", b"NL", 0, 1, len(entries), len(entries),
                         SORTED_MARK if presorted else 0,
                         sum(len(entry.data) for entry in entries), seed)
    image = header + cipher(seed & 0xFFFF, table)
    if overlay is None:
        return image + payloads
    return image + b"\xEE" * overlay + payloads + b"AO" + struct.pack("<I", overlay)


# ---- data ----------------------------------------------------------------------------------------


def samples():
    """Deterministic inputs: empty, tiny, spaces, repeats, text, noise, beyond the ring."""
    noise = random.Random(20011214)
    words = [bytes(noise.choices(b"abcdefgh ", k=noise.randint(2, 9))) for _ in range(60)]
    text = b" ".join(noise.choice(words) for _ in range(4000))
    return {
        b"EMPTY": b"",
        b"ONE": b"t",
        b"EIGHT": b"AAAAAAAA",
        b"SPACES": b" " * 5000,
        b"PERIOD": b"abcabcab" * 700,
        b"TEXT": text,
        b"NOISE": bytes(noise.randrange(256) for _ in range(9000)),
        b"LITERALS": bytes(int(noise.gauss(128, 30)) & 0xFF for _ in range(60000)),  # halves twice
        b"SPARSE": bytes(noise.choice((0, 0, 0, 0, 1, 255)) for _ in range(12000)),
        b"TWELVELETTER": bytes(range(256)) * 3,
    }


def libraries():
    """name -> (image, flags of rsOpenLib, entries)."""
    entries = []
    for index, (name, data) in enumerate(sorted(samples().items(), reverse=True)):
        entries.append(Entry(name, METHODS[index % len(METHODS)], data))
    made = {
        "presorted": (write_library(entries, 0x1234ABCD, True), 0, entries),
        "unsorted": (write_library(entries, 0x5678, False), 0, entries),
        "overlay": (write_library(entries, 1, True, overlay=37), 2, entries),
        "empty": (write_library([], 7, True), 0, []),
    }
    for method in METHODS:
        same = [Entry(name, method, data) for name, data in samples().items()]
        made["method%03x" % method] = (write_library(same, method ^ 0xFFFF, True), 0, same)
    return made


# ---- the three commands --------------------------------------------------------------------------

failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


def check_vectors():
    """facts/formats.md B.2, B.7."""
    h = bytes.fromhex
    check(cipher(0x1234, h("00010203")) == h("7A86B28C"), "cipher 0x1234")
    check(cipher(0x5678, bytes(4)) == h("A6C1054C"), "keystream 0x5678")
    check(cipher(0x1234, bytes(16)) == h("7A87B08FE656B7D421275BE701649F8A"), "keystream 0x1234")
    check(cipher(0, b"same") == b"same", "key 0")
    check(cipher(1, bytes(16)) == h("02060B1E2667BCFD4590BD89E25EAFF8"), "keystream 1")
    check(deflate_decode(h("010300FCFF726177"), 3) == b"raw", "Deflate, stored")
    check(deflate_decode(h("4B4C4A0600"), 3) == b"abc", "Deflate, fixed")
    try:
        deflate_decode(zlib.compress(b"wrapped"), 7)
        check(False, "a zlib wrapper was taken")
    except Bad:
        pass


def check_self():
    check_vectors()
    for name, data in samples().items():
        for method in METHODS:
            packed = pack(method, 0xBEEF, data)
            check(unpack(method, 0xBEEF, packed, len(data)) == data, "own round trip", name, method)
    for name, (image, flags, entries) in libraries().items():
        read = read_library(image, flags & 2)
        check([entry.data for entry in read] == [entry.data for entry in entries], "own", name)


def check_read(directory):
    """Libraries of the C writer: every NAME.raw of the same directory is in them."""
    count, methods = 0, set()
    for file in ("added.rlb", "edited.rlb"):
        try:
            for entry in read_library(open(os.path.join(directory, file), "rb").read()):
                raw = os.path.join(directory, entry.name.decode("ascii") + ".raw")
                check(open(raw, "rb").read() == entry.data, file, entry.name, "differs")
                methods.add(entry.method)
                count += 1
        except Bad as error:
            check(False, file, error)
    check(methods == set(METHODS), "methods packed:", sorted(methods))
    print("%d entries read" % count)


def check_write(directory, unpack_library):
    count = 0
    for name, (image, flags, entries) in libraries().items():
        path = os.path.join(directory, name + ".rlb")
        with open(path, "wb") as file:
            file.write(image)
        run = subprocess.run([unpack_library, path, str(flags), os.path.join(directory, name)],
                             capture_output=True, text=True, check=False)
        check(run.returncode == 0, name, run.stderr)
        for index, entry in enumerate(entries if run.returncode == 0 else []):
            got = open(os.path.join(directory, "%s.%d" % (name, index)), "rb").read()
            check(got == entry.data, name, entry.name, "0x%03X" % entry.method, "differs")
            count += 1
    print("%d entries unpacked by the C decoders" % count)


def main(arguments):
    if arguments[:1] == ["self"] and len(arguments) == 1:
        check_self()
    elif arguments[:1] == ["read"] and len(arguments) == 2:
        check_read(arguments[1])
    elif arguments[:1] == ["write"] and len(arguments) == 3:
        os.makedirs(arguments[1], exist_ok=True)
        check_write(arguments[1], arguments[2])
    else:
        sys.exit(__doc__)
    for failure in failures:
        print("different:", failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
