#!/usr/bin/env python3
"""A second reader and writer of RsLi, against which formats/rsli/ is compared.

Written from facts/formats.md B alone and sharing nothing with the C code: the cipher, LZSS and
LZHUF are here once more, in both directions; Deflate is zlib's, through Python.

    reference.py self                         the published vectors, and round trips of its own
    reference.py read DIRECTORY               decodes what pack_vectors wrote into DIRECTORY
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

STORED, XOR, LZSS, XOR_LZSS, HUFFMAN, XOR_HUFFMAN, DEFLATE = (
    0x000, 0x020, 0x040, 0x060, 0x080, 0x0A0, 0x100)
METHODS = (STORED, XOR, LZSS, XOR_LZSS, HUFFMAN, XOR_HUFFMAN, DEFLATE)
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


# ---- the ring that LZSS and LZHUF share ----------------------------------------------------------


class Ring:
    SIZE = 4096

    def __init__(self, start):
        self.bytes = bytearray(b" " * self.SIZE)
        self.at = start

    def put(self, byte):
        self.bytes[self.at] = byte
        self.at = (self.at + 1) % self.SIZE

    def copy(self, source, length, output, limit):
        """Byte by byte, so that a match may run into what it has just written."""
        for step in range(length):
            if len(output) == limit:
                return
            byte = self.bytes[(source + step) % self.SIZE]
            output.append(byte)
            self.put(byte)


class Matches:
    """The longest match of each place within the reach of a ring; greedy encoders ask in order.

    The text is preceded by the spaces that the ring holds at the start.
    """

    def __init__(self, data, spaces, reach, longest):
        self.text = b" " * spaces + data
        self.origin = spaces
        self.reach = reach
        self.longest = longest
        self.places = {}
        for place in range(spaces - 2):
            self.remember(place)

    def remember(self, place):
        self.places.setdefault(self.text[place:place + 3], []).append(place)

    def find(self, place):
        """(length, distance) of the longest match at `place` of the data; length 0 without one."""
        here = place + self.origin
        best, distance = 0, 0
        most = min(self.longest, len(self.text) - here)
        for candidate in reversed(self.places.get(self.text[here:here + 3], [])[-64:]):
            if here - candidate > self.reach:
                break
            length = 0
            while length < most and self.text[candidate + length] == self.text[here + length]:
                length += 1
            if length > best:
                best, distance = length, here - candidate
        return (best, distance) if best >= 3 else (0, 0)

    def passed(self, place, count):
        for done in range(place + self.origin, place + self.origin + count):
            # A place becomes a candidate only when its three bytes are behind us or copied as we go.
            self.remember(done)


# ---- LZSS (B.5) ----------------------------------------------------------------------------------

LZSS_START = 0xFEE
LZSS_LONGEST = 18
LZSS_FILLED = 4078  # ring bytes that the game fills with spaces


def lzss_decode(packed, size):
    ring = Ring(LZSS_START)
    output = bytearray()
    at = 0
    while len(output) < size:
        if at >= len(packed):
            raise Bad("LZSS data ends early")
        flags = packed[at]
        at += 1
        for bit in range(8):
            if len(output) == size:
                break
            wanted = 1 if flags >> bit & 1 else 2
            if at + wanted > len(packed):
                raise Bad("LZSS data ends early")
            if wanted == 1:
                output.append(packed[at])
                ring.put(packed[at])
            else:
                first, second = packed[at], packed[at + 1]
                ring.copy(first + 16 * (second & 0xF0), (second & 0x0F) + 3, output, size)
            at += wanted
    return bytes(output)


def lzss_encode(data):
    matches = Matches(data, LZSS_FILLED, LZSS_FILLED, LZSS_LONGEST)
    output, group, flags, count = bytearray(), bytearray(), 0, 0
    place = 0
    while place < len(data):
        length, distance = matches.find(place)
        if length:
            source = (LZSS_START + place - distance) % Ring.SIZE
            group += bytes((source & 0xFF, source >> 8 << 4 | length - 3))
        else:
            length = 1
            flags |= 1 << count
            group.append(data[place])
        matches.passed(place, length)
        place += length
        count += 1
        if count == 8 or place == len(data):
            output.append(flags)
            output += group
            group, flags, count = bytearray(), 0, 0
    return bytes(output)


# ---- LZHUF (B.6) ---------------------------------------------------------------------------------

HUFFMAN_START = 0xFC4
HUFFMAN_LONGEST = 60
HUFFMAN_REACH = Ring.SIZE - HUFFMAN_LONGEST
SYMBOLS = 314
FULL_WEIGHT = 0x8000


class Node:
    def __init__(self, weight, symbol=None):
        self.weight = weight
        self.symbol = symbol
        self.parent = None
        self.children = None
        self.rank = 0


class AdaptiveTree:
    """All nodes in one list by rising weight (the sibling property): children of one parent are
    neighbours, the even one is the branch of bit 0."""

    def __init__(self):
        leaves = [Node(1, symbol) for symbol in range(SYMBOLS)]
        self.leaf = {node.symbol: node for node in leaves}
        self.join(leaves)

    def join(self, leaves):
        """Rebuilds the inner nodes over leaves of rising weight: always the two lightest nodes that
        have no parent, a new node after all others of its weight."""
        order = list(leaves)
        lightest = 0
        while lightest + 1 < len(order):
            low, high = order[lightest], order[lightest + 1]
            parent = Node(low.weight + high.weight)
            parent.children = (low, high)
            low.parent = high.parent = parent
            place = len(order)
            while order[place - 1].weight > parent.weight:
                place -= 1
            order.insert(place, parent)
            lightest += 2
        self.order = order
        for rank, node in enumerate(order):
            node.rank = rank
        self.root = order[-1]
        self.root.parent = None

    def halve(self):
        leaves = [node for node in self.order if node.symbol is not None]
        for leaf in leaves:
            leaf.weight = (leaf.weight + 1) // 2
        self.join(leaves)

    def exchange(self, a, b):
        """Two nodes of equal weight change places, their subtrees with them."""
        ranks = (a.rank, b.rank)
        a.rank, b.rank = ranks[1], ranks[0]
        self.order[a.rank], self.order[b.rank] = a, b
        above_a, above_b = a.parent, b.parent
        side_a, side_b = above_a.children.index(a), above_b.children.index(b)
        for above, side, node in ((above_a, side_a, b), (above_b, side_b, a)):
            pair = list(above.children)
            pair[side] = node
            above.children = tuple(pair)
            node.parent = above

    def count(self, symbol):
        if self.root.weight == FULL_WEIGHT:
            self.halve()
        node = self.leaf[symbol]
        while node is not None:
            last = node.rank
            while last + 1 < len(self.order) and self.order[last + 1].weight == node.weight:
                last += 1
            if last != node.rank:
                self.exchange(node, self.order[last])
            node.weight += 1
            node = node.parent

    def code(self, symbol):
        bits = []
        node = self.leaf[symbol]
        while node.parent is not None:
            bits.append(node.parent.children.index(node))
            node = node.parent
        return reversed(bits)


def position_codes():
    """The prefix code of a position's upper six bits: value -> (code, bits)."""
    codes, code, value = {}, 0, 0
    for bits, count in zip(range(3, 9), (1, 3, 8, 12, 24, 16)):
        for _ in range(count):
            codes[value] = (code >> (8 - bits), bits)
            code += 1 << (8 - bits)
            value += 1
    assert code == 256 and value == 64
    return codes


POSITION_CODES = position_codes()
POSITION_VALUES = {pair: value for value, pair in POSITION_CODES.items()}


class BitReader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def bit(self):
        """Zero bits follow the data's last byte for as long as a code that began before needs."""
        place = self.at >> 3
        if place >= len(self.data) + 2:
            raise Bad("LZHUF data ends early")
        value = self.data[place] >> (7 - (self.at & 7)) & 1 if place < len(self.data) else 0
        self.at += 1
        return value

    def bits(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.bit()
        return value


class BitWriter:
    def __init__(self):
        self.bits = []

    def put(self, value, count):
        self.bits.extend(value >> shift & 1 for shift in reversed(range(count)))

    def bytes(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(int("".join(map(str, padded[i:i + 8])), 2) for i in range(0, len(padded), 8))


def read_position(reader):
    code, bits = reader.bits(3), 3
    while (code, bits) not in POSITION_VALUES:
        code, bits = code << 1 | reader.bit(), bits + 1
    return POSITION_VALUES[(code, bits)] << 6 | reader.bits(6)


def huffman_decode(packed, size):
    tree, reader, ring = AdaptiveTree(), BitReader(packed), Ring(HUFFMAN_START)
    output = bytearray()
    while len(output) < size:
        node = tree.root
        while node.children is not None:
            node = node.children[reader.bit()]
        tree.count(node.symbol)
        if node.symbol < 256:
            output.append(node.symbol)
            ring.put(node.symbol)
        else:
            source = ring.at - read_position(reader) - 1
            ring.copy(source, node.symbol - 253, output, size)
    return bytes(output)


def huffman_encode(data):
    tree, writer = AdaptiveTree(), BitWriter()
    matches = Matches(data, HUFFMAN_REACH, HUFFMAN_REACH, HUFFMAN_LONGEST)
    place = 0
    while place < len(data):
        length, distance = matches.find(place)
        symbol = 253 + length if length else data[place]
        for bit in tree.code(symbol):
            writer.put(bit, 1)
        tree.count(symbol)
        if length:
            writer.put(*POSITION_CODES[(distance - 1) >> 6])
            writer.put((distance - 1) & 63, 6)
        else:
            length = 1
        matches.passed(place, length)
        place += length
    return writer.bytes()


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
    if method in (XOR, XOR_LZSS, XOR_HUFFMAN):
        packed = cipher(key, packed)
    if method in (STORED, XOR):
        if len(packed) < size:
            raise Bad("stored data ends early")
        return packed[:size]
    if method in (LZSS, XOR_LZSS):
        return lzss_decode(packed, size)
    if method in (HUFFMAN, XOR_HUFFMAN):
        return huffman_decode(packed, size)
    if method == DEFLATE:
        return deflate_decode(packed, size)
    raise Bad("method 0x%X" % method)


def pack(method, key, data):
    packed = {STORED: bytes, XOR: bytes, LZSS: lzss_encode, XOR_LZSS: lzss_encode,
              HUFFMAN: huffman_encode, XOR_HUFFMAN: huffman_encode,
              DEFLATE: deflate_encode}[method](data)
    return cipher(key, packed) if method in (XOR, XOR_LZSS, XOR_HUFFMAN) else packed


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
    """facts/formats.md B.2, B.5, B.6, B.7."""
    h = bytes.fromhex
    check(cipher(0x1234, h("00010203")) == h("7A86B28C"), "cipher 0x1234")
    check(cipher(0x5678, bytes(4)) == h("A6C1054C"), "keystream 0x5678")
    check(cipher(0x1234, bytes(16)) == h("7A87B08FE656B7D421275BE701649F8A"), "keystream 0x1234")
    check(cipher(0, b"same") == b"same", "key 0")
    check(cipher(1, bytes(16)) == h("02060B1E2667BCFD4590BD89E25EAFF8"), "keystream 1")
    for packed, size, text in (("07414243", 3, b"ABC"), ("00FFF1", 4, b"    "),
                               ("036162EEF1", 6, b"ababab"), ("036162EEF1", 4, b"abab"),
                               ("000000", 3, b"   ")):
        check(lzss_decode(h(packed), size) == text, "LZSS", packed)
    check(huffman_decode(h("00"), 1) == b"t", "LZHUF 00")
    check(huffman_decode(h("E6C80000"), 8) == b"AAAAAAAA", "LZHUF E6C80000")
    check(huffman_encode(b"AAAAAAAA")[:4].ljust(4, b"\0") == h("E6C80000"), "LZHUF of AAAAAAAA")
    check(unpack(XOR_HUFFMAN, 1, h("02"), 1) == b"t", "XOR and LZHUF")
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
    count = 0
    with open(os.path.join(directory, "index.txt"), encoding="ascii") as index:
        for line in index:
            name, method, key, packed_size, raw_size = line.split()
            file = "%s.%s.packed" % (name, method)
            packed = open(os.path.join(directory, file), "rb").read()
            raw = open(os.path.join(directory, name + ".raw"), "rb").read()
            check(len(packed) == int(packed_size, 0), file, "has", len(packed), "bytes")
            check(len(raw) == int(raw_size, 0), name, "has", len(raw), "bytes")
            try:
                check(unpack(int(method, 0), int(key, 0), packed, len(raw)) == raw, file, "differs")
            except Bad as error:
                check(False, file, error)
            count += 1
    methods = {int(line.split()[1], 0) for line in open(os.path.join(directory, "index.txt"))}
    check(methods == set(METHODS), "methods packed:", sorted(methods))
    for file in sorted(os.listdir(directory)):
        if file.endswith(".rlb"):
            check_packed_library(directory, file)
            count += 1
    print("%d packed files read" % count)


def check_packed_library(directory, file):
    """A library of the C writer: every NAME.raw of the same directory is in it."""
    try:
        for entry in read_library(open(os.path.join(directory, file), "rb").read()):
            raw = os.path.join(directory, entry.name.decode("ascii") + ".raw")
            check(open(raw, "rb").read() == entry.data, file, entry.name, "differs")
    except Bad as error:
        check(False, file, error)


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
