#!/usr/bin/env python3
"""A second reader and writer of NRes, against which formats/nres/ is compared.

Written from facts/formats.md A alone and sharing nothing with the C code.

    reference.py VECTORS DIRECTORY

VECTORS is the program of vectors.c; files are made in DIRECTORY. Exit codes: 0 equal, 1 different.
"""

import functools
import os
import random
import struct
import subprocess
import sys

HEADER, RECORD, NAME = 16, 64, 36
VERSION = 0x100


class Bad(Exception):
    """An image that breaks a rule of the format."""


class Member:
    def __init__(self, type_id, attrs, field, data):
        self.type, self.attrs, self.field, self.data = type_id, attrs, field, data

    @property
    def folded(self):
        """The name as lookups compare it: up to the NUL, A to Z as a to z and nothing else."""
        name = self.field.split(b"\0")[0]
        return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in name)


def permutation(members):
    """A.3: 0..n-1 by name, ties in directory order. An insertion sort, so as to be another method
    than the bubble sort of the game and whatever C does."""
    order = []
    for index, member in enumerate(members):
        place = len(order)
        while place > 0 and members[order[place - 1]].folded > member.folded:
            place -= 1
        order.insert(place, index)
    return order


def write(members):
    """A.6, the canonical layout."""
    body = bytearray(HEADER)
    offsets = []
    for member in members:
        offsets.append(len(body))
        body += member.data
        while len(body) % 8:
            body.append(0)
    for member, offset, place in zip(members, offsets, permutation(members)):
        attr1, attr2, attr3 = member.attrs
        body += struct.pack("<5I36sII", member.type, attr1, attr2, len(member.data), attr3,
                            member.field, offset, place)
    body[:HEADER] = struct.pack("<4sIiI", b"NRes", VERSION, len(members), len(body))
    return bytes(body)


def read(image):
    """Members, offsets and permutation of an image that keeps the rules of A.1 to A.3 and A.5."""
    if len(image) < HEADER:
        raise Bad("no header")
    magic, version, count, total = struct.unpack("<4sIiI", image[:HEADER])
    if magic != b"NRes" or version != VERSION or count < 0 or total != len(image):
        raise Bad("header")
    directory = total - RECORD * count
    if directory < HEADER:
        raise Bad("directory before the header's end")
    members, offsets, order = [], [], []
    for at in range(directory, total, RECORD):
        type_id, attr1, attr2, size, attr3, field, offset, place = struct.unpack(
            "<5I36sII", image[at:at + RECORD])
        if offset < HEADER or offset + size > directory or offset % 8 or b"\0" not in field:
            raise Bad("record at %d" % at)
        members.append(Member(type_id, (attr1, attr2, attr3), field, image[offset:offset + size]))
        offsets.append(offset)
        order.append(place)
    if sorted(order) != list(range(count)):
        raise Bad("no permutation: %s" % order)
    names = [members[i].folded for i in order]
    if any(a > b for a, b in zip(names, names[1:])):
        raise Bad("names do not rise under the permutation")
    return members, offsets, order


def find(members, name):
    """The first member in directory order of that name, or -1."""
    wanted = Member(0, (), name, b"").folded
    return next((i for i, member in enumerate(members) if member.folded == wanted), -1)


SORTS = {  # the numbering of Ngi32 0x10012560 (A.4, facts/ngi32.md E.5): keys, most significant first
    0: (), 1: ("attr1",), 2: ("attr2",), 3: ("attr1", "attr2"), 4: ("type",), 5: ("type", "attr1"),
    6: ("type", "attr1"), 7: ("type", "attr1", "attr2"), 8: ("name",), 9: ("type", "name"),
    10: ("attr1", "name"), 11: ("attr2", "name")}


def sort_key(member, keys):
    values = {"attr1": member.attrs[0], "attr2": member.attrs[1], "type": member.type,
              "name": member.folded}
    return [values[key] for key in keys]


# ---- archives to compare -------------------------------------------------------------------------


def field(name, tail=b""):
    return (name + b"\0" + tail).ljust(NAME, b"\0")


def archives():
    """name -> members. Deterministic."""
    chance = random.Random(1998)
    four = functools.partial(int.from_bytes, byteorder="little")
    land = [Member(t, (t * 3, 0, 4), field(b"Land"), bytes([t]) * (t * 5)) for t in
            (1, 2, 3, 4, 5, 18, 14, 11, 21)]
    library = [Member(four(b"MESH"), (0, 0, 1), field(b"R_B_%02d.msh" % (n * 7 % 30)),
                      bytes(chance.randrange(256) for _ in range(n * 3))) for n in range(30)]
    odd = [Member(9, (1, 2, 3), field(b"A"), b""),
           Member(9, (0xFFFFFFFF, 0x80000000, 7), field(b"a", b"tail\0after"), b"x"),
           Member(8, (2, 1, 0), field(b"Z" * 35), b"1234567"),
           Member(8, (1, 1, 0), field(b"[not a letter"), b"12345678"),
           Member(7, (1, 9, 0), field(b"_under"), b""),
           Member(7, (1, 8, 0), field(b"\xCF\xE0\xF0\xEA\xE0\xED"), b"123456789")]
    many = [Member(chance.randrange(4), (chance.randrange(3), chance.randrange(3), 0),
                   field(bytes(chance.choices(b"aAbB_0", k=chance.randint(1, 3)))),
                   bytes(chance.randrange(20))) for _ in range(400)]
    return {"empty": [], "land": land, "library": library, "odd": odd, "many": many}


failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


def describe(members, path):
    with open(path, "w", encoding="ascii") as file:
        for member in members:
            print(member.type, *member.attrs, member.field.hex(), member.data.hex() or "-", file=file)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


class Vectors:
    def __init__(self, program, directory):
        self.program, self.directory = program, directory

    def path(self, name):
        return os.path.join(self.directory, name)

    def run(self, *arguments):
        run = subprocess.run([self.program, *arguments], capture_output=True, check=False)
        check(run.returncode == 0, *arguments, run.stderr.decode(errors="replace"))
        return run.stdout.decode().split("\n")[:-1]


def check_archive(vectors, name, members):
    ours, theirs = vectors.path(name + ".python"), vectors.path(name + ".c")
    describe(members, vectors.path(name + ".txt"))
    vectors.run("pack", vectors.path(name + ".txt"), theirs)
    image = write(members)
    with open(ours, "wb") as file:
        file.write(image)
    check(contents(theirs) == image, name, "written by C differs")
    try:
        check(read(contents(theirs))[2] == permutation(members), name, "permutation of C")
    except Bad as error:
        check(False, name, error)
    vectors.run("keep", ours, vectors.path("kept"))
    check(contents(vectors.path("kept")) == image, name, "kept by C differs")
    check_list(vectors, name, ours, image)
    check_sorts(vectors, name, ours, members)


def check_list(vectors, name, path, image):
    members, offsets, order = read(image)
    # Names as command-line arguments: without those that no argument can be.
    names = sorted({m.field.split(b"\0")[0] for m in members if m.field.split(b"\0")[0].isascii()})
    queries = [n.swapcase() for n in names] + [b"absent", b"zz", b"Lan", b"Landx"]
    lines = vectors.run("list", path, *(query.decode("ascii") for query in queries))
    expected = ["%d %d %d %d %s %d %d %d" % (m.type, *m.attrs, m.field.hex(), len(m.data), o, p)
                for m, o, p in zip(members, offsets, order)]
    check(lines[:len(expected)] == expected, name, "entries read by C")
    for query, line in zip(queries, lines[len(expected):]):
        first, as_game = map(int, line.split())
        check(first == find(members, query), name, "find", query, first)
        same = {i for i, m in enumerate(members) if find([m], query) == 0} or {-1}
        check(as_game in same, name, "find as the game", query, as_game)
    check(len(lines) == len(expected) + len(queries), name, "lines")


def check_sorts(vectors, name, path, members):
    for mode, keys in SORTS.items():
        vectors.run("sort", str(mode), path, vectors.path("sorted"))
        expected = write(sorted(members, key=lambda member: sort_key(member, keys)))
        check(contents(vectors.path("sorted")) == expected, name, "sorted by mode", mode)


def check_published_permutation():
    """The only public genuine table (A.3): its inverse gives ranks of 17 names."""
    table = [0, 5, 6, 7, 8, 9, 10, 11, 12, 16, 1, 4, 15, 13, 14, 2, 3]
    members = [Member(0, (0, 0, 0), field(b"%c" % (65 + table.index(i))), b"") for i in range(17)]
    check(permutation(members) == table, "published permutation", permutation(members))
    check(read(write(members))[2] == table, "published permutation, stored")


def main(program, directory):
    os.makedirs(directory, exist_ok=True)
    vectors = Vectors(program, directory)
    check_published_permutation()
    for name, members in archives().items():
        check_archive(vectors, name, members)
    for failure in failures:
        print("different:", failure, file=sys.stderr)
    if not failures:
        print("%d archives equal" % len(archives()))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
