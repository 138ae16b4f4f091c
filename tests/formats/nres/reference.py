#!/usr/bin/env python3
"""A second reader, judge and writer of NRes, against which formats/nres/ is compared.

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
IMAGES = 4000
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


def look(image):
    """Members, offsets and permutation of an image whose header is sound, whatever else is not. The
    data of a member that does not lie inside is None."""
    _, _, count, total = struct.unpack("<4sIiI", image[:HEADER])
    directory = total - RECORD * count
    members, offsets, order = [], [], []
    for at in range(directory, total, RECORD):
        type_id, attr1, attr2, size, attr3, field, offset, place = struct.unpack(
            "<5I36sII", image[at:at + RECORD])
        inside = offset >= HEADER and offset + size <= directory
        data = image[offset:offset + size] if inside else None
        members.append(Member(type_id, (attr1, attr2, attr3), field, data))
        offsets.append(offset)
        order.append(place)
    return members, offsets, order, directory


def is_in_order(members, order):
    """Whether the table is a permutation under which the names rise."""
    return sorted(order) == list(range(len(members))) and all(
        members[a].folded <= members[b].folded for a, b in zip(order, order[1:]))


def is_covered(image, members, offsets, directory):
    """Whether each byte in front of the directory has one owner, or is one of up to seven zeros."""
    owners = bytearray(directory)
    for member, offset in zip(members, offsets):
        if member.data is None:
            return False
        for at in range(offset, offset + len(member.data)):
            if owners[at]:
                return False
            owners[at] = 1
    unowned = 0
    for at in range(HEADER, directory):
        unowned = 0 if owners[at] else unowned + 1
        if unowned and (unowned > 7 or image[at]):
            return False
    return True


def judge(image):
    """(Whether N06 to N14 hold, whether N15 to N18 do, too), for a sound header."""
    members, offsets, order, directory = look(image)
    good = all(offset % 8 == 0 and member.field[0] and 0 in member.field
               for member, offset in zip(members, offsets))
    is_strict = (good and is_covered(image, members, offsets, directory)
                 and is_in_order(members, order))
    return is_strict, good and rewritten(members) == image


def rewritten(members):
    """The canonical image of the same members, or None where one does not lie inside."""
    return None if any(member.data is None for member in members) else write(members)


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


NAMES = (b"a", b"A", b"b", b"B.msh", b"b.msh", b"_z", b"Z", b"[x", b"a long name of 35 characters, yes..",
         b"tex.0", b"a ", b"\xE0\xC0", b"\xC0", b"12345678", b"1234567", b"12345678x")
SIZE, PLACE, OFFSET = 12, 60, 56  # of a record's fields


def put(image, at, value):
    struct.pack_into("<I", image, at, value)


def swap(image, one, other, *fields):
    for at in fields:
        a, b = (struct.unpack_from("<I", image, record + at)[0] for record in (one, other))
        put(image, one + at, b)
        put(image, other + at, a)


def insert(image, at, blob, directory):
    """Puts bytes in front of the directory and moves what begins there or behind."""
    for record in range(directory, len(image), RECORD):
        offset = struct.unpack_from("<I", image, record + OFFSET)[0]
        if offset >= at:
            put(image, record + OFFSET, offset + len(blob))
    image[at:at] = blob
    put(image, 12, len(image))


def damage(image, chance):
    """Makes one change that leaves the header sound."""
    count = struct.unpack_from("<I", image, 8)[0]
    if not count:
        return
    directory = len(image) - RECORD * count
    one, other = (directory + RECORD * chance.randrange(count) for _ in range(2))
    kind = chance.randrange(8)
    if kind == 0:
        swap(image, one, other, OFFSET, SIZE)
    elif kind == 1:
        swap(image, one, other, PLACE)
    elif kind == 2:
        blob = (b"0123456789abcdefghi" if chance.randrange(2) else bytes(19))[:chance.randrange(20)]
        insert(image, chance.randint(HEADER, directory), blob, directory)
    elif kind == 3:
        put(image, one + OFFSET, chance.randrange(directory + 9))
    elif kind == 4:
        put(image, one + SIZE, chance.randrange(40))
    elif kind == 5:
        put(image, one + PLACE, chance.randrange(count + 1))
    elif kind == 6:
        image[one + 20 + chance.randrange(NAME)] = chance.choice(b"\0q")
    else:
        image[chance.randrange(HEADER, len(image))] ^= 1 << chance.randrange(8)


def random_images():
    """Images that are sound, and images that have up to three damages."""
    chance = random.Random(2001)
    for _ in range(IMAGES):
        image = bytearray(write([
            Member(chance.randrange(4), tuple(chance.randrange(3) for _ in range(3)),
                   field(chance.choice(NAMES)), b"abcdefghijklmnopqrstuvwxyz"[:max(0, chance.randrange(-13, 26))])
            for _ in range(chance.randrange(13))]))
        for _ in range(chance.randrange(4)):
            damage(image, chance)
        yield bytes(image)


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


def check_finds(image, answers):
    members, _, order, _ = look(image)
    is_sorted = is_in_order(members, order)
    for name, answer in zip(NAMES, answers):
        first, as_game = map(int, answer.split(":"))
        check(first == find(members, name), image.hex(), "find", name, first)
        # Any of the equal names may be found, but it has to be one of them.
        good = find([members[as_game]], name) == 0 if as_game >= 0 else first < 0 or not is_sorted
        check(good, image.hex(), "find as the game", name, as_game)


def check_random_images(vectors):
    images, counts = list(random_images()), [0, 0, 0]
    with open(vectors.path("images"), "w", encoding="ascii") as file:
        file.writelines(image.hex() + "\n" for image in images)
    lines = vectors.run("judge", vectors.path("images"), *NAMES)
    check(len(lines) == len(images), "images judged:", len(lines))
    for image, line in zip(images, lines):
        opens, plain, with_work, *answers, canonical = line.split()
        verdict = judge(image)
        check(opens == str(int(verdict[0])), image.hex(), "opened strictly:", opens)
        for found in (plain, with_work):
            check(found == "%d,%d" % verdict, image.hex(), "judged", found, "and not", verdict)
        check_finds(image, answers)
        expected = rewritten(look(image)[0])
        check(canonical == (expected.hex() if expected else "-"), image.hex(), "written by C differs")
        for i, occurs in enumerate((*verdict, expected)):
            counts[i] += bool(occurs)
    # Both outcomes of each question occur often enough.
    check(all(IMAGES / 8 < count < IMAGES * 7 / 8 for count in counts[:2]), "verdicts", counts)
    check(IMAGES / 2 < counts[2] < IMAGES, "images that can be written", counts)


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
    check_random_images(vectors)
    for failure in failures[:20]:
        print("different:", failure, file=sys.stderr)
    if not failures:
        print("%d archives equal, %d images judged alike" % (len(archives()), IMAGES))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
