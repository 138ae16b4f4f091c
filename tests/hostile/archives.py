#!/usr/bin/env python3
"""Files that a stranger could send to the verbs of formats: archives.py RETROPOSE [--without-limits]

Most are small and ask for very much memory, time or disk; some are of another kind than they should
be, or have names that are devices, or lost in an editor what they had. Each is made here, none is copied. The command runs with limits far above what it needs and far
below what the file asks for: 600 MiB of memory, 20 s of processor time, files of 400 MiB.
--without-limits is for sanitizers, which reserve more memory than there is.

    archives.py --seeds FOLDER

writes smaller ones of the same kinds as seeds for the fuzz targets, FOLDER being tests/fuzz/seeds.
"""

import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

MEMORY, SECONDS, FILE = 600 << 20, 20, 400 << 20
failures = []


# ---- files ----------------------------------------------------------------------------------------


def nres(data, ranges, name="n%05d", kind=b"DATA"):
    """An NRes archive (docs/formats/nres.md): `data` behind the header, an entry for each (offset, size)."""
    data += bytes(-len(data) % 8)
    directory = b"".join(
        struct.pack("<4sIIII36sII", kind, 0, 0, size, 0, (name % i).encode(), at, i)
        for i, (at, size) in enumerate(ranges)
    )
    total = 16 + len(data) + len(directory)
    return struct.pack("<4sIII", b"NRes", 0x100, len(ranges), total) + data + directory


STORED, XOR, LZSS, HUFFMAN, DEFLATE = 0, 0x20, 0x40, 0x80, 0x100


def rsli(data, entries):
    """An RsLi library (docs/formats/rsli.md) with an unencrypted table; entries: (method, unpacked size,
    offset in the data, packed size)."""
    start = 32 + 32 * len(entries)
    unpacked = sum(entry[1] for entry in entries) & 0xFFFFFFFF
    count = len(entries)
    head = struct.pack("<4sHH6sHII8s", b"NL\0\1", count, count, b"", 0xABBA, unpacked, 0, b"")
    table = b"".join(
        struct.pack("<12s4sHHIII", b"E%05d" % i, b"", method, i, size, start + at, packed)
        for i, (method, size, at, packed) in enumerate(entries)
    )
    return head + table + data


def zeros_deflated(mebibytes):
    """A raw Deflate stream of so many MiB of zeros: blocks after a full flush are all alike."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = stream.compress(bytes(1 << 20)) + stream.flush(zlib.Z_FULL_FLUSH)
    return block * mebibytes + b"\x03\x00"


def animation(nodes, duration):
    """A LEGO Island animation (docs/formats/ani.md): a root with children, none of which has keys."""
    body = struct.pack("<I8xI", 0, nodes - 1) + struct.pack("<I8xI", 0, 0) * (nodes - 1)
    return struct.pack("<i4fiiIi", 17, 1, 0, 0, 0, 0, 0, 0, duration) + body


def triangle(uris, length):
    """A glTF with one triangle in the first of its buffers."""
    return {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": uri, "byteLength": length} for uri in uris],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "type": "VEC3",
                "count": 3,
                "min": [0, 0, 0],
                "max": [1, 1, 0],
            }
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }


TRIANGLE = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


# ---- running --------------------------------------------------------------------------------------


def limit():
    # Not RLIMIT_AS: an emulator of 32-bit programs sets 4 GB of addresses aside, and writes to few.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))


class Command:
    def __init__(self, retropose, limited):
        self.retropose, self.limited = retropose, limited

    def expect(self, code, words, *arguments):
        """The exit code, and words that what is printed or complained has."""
        line = " ".join(arguments)
        try:
            run = subprocess.run(
                [self.retropose, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=4 * SECONDS,
                preexec_fn=limit if self.limited else None,
            )
        except subprocess.TimeoutExpired:
            failures.append("%s: did not end" % line)
            return ""
        said = (run.stdout + run.stderr).decode("utf-8", "replace")
        if run.returncode != code:
            failures.append("%s: exit code %d, not %d: %s" % (line, run.returncode, code, said[:300]))
        elif words not in said:
            failures.append('%s: "%s" is not in: %s' % (line, words, said[:300]))
        return said


def write(path, content):
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


# ---- the attacks ----------------------------------------------------------------------------------


def overlapping_entries(command):
    """400 KB of data and 8,000 entries that all name all of it: 3.2 GB of payloads."""
    data = bytes(range(256)) * 1600
    write("overlap.lib", nres(data, [(16, len(data))] * 8000))
    write("other.lib", nres(data, [(16, len(data))] * 8000, kind=b"ELSE"))
    refused = "at most 16777216 bytes"
    command.expect(2, refused, "nres", "dump", "overlap.lib", "-o", "text.json")
    command.expect(2, refused, "nres", "dump", "overlap.lib", "--files", "dumped")
    command.expect(2, refused, "nres", "extract", "overlap.lib", "--all", "-o", "extracted")
    command.expect(2, refused, "nres", "diff", "overlap.lib", "other.lib")
    canonical = "nres edit overlap.lib --layout canonical -o canonical.lib"
    command.expect(2, refused, *canonical.split())
    # What does not copy them works.
    command.expect(0, "n07999", "nres", "ls", "overlap.lib")
    command.expect(0, "broken", "nres", "info", "overlap.lib")
    command.expect(1, "N09 error", "nres", "check", "overlap.lib")
    command.expect(0, "", *"nres edit overlap.lib --rename n00001=x -o renamed.lib".split())
    command.expect(0, "", "nres", "extract", "overlap.lib", "n00001", "-o", "one")


def overlapping_models(command):
    """A library whose 4,000 models are the same 100 KB."""
    model = nres(bytes(98304), [(16, 90000)], kind=struct.pack("<I", 3))
    ranges = [(16, len(model))] * 4000
    write("models.rlb", nres(model, ranges, name="m%05d.msh", kind=b"MESH"))
    refused = "at most 16777216 bytes"
    command.expect(2, refused, "msh", "check", "models.rlb")
    command.expect(2, refused, "msh", "convert", "models.rlb", "models")


def model(nodes, slots, batches, vertices=65536, frames=1, keys=1):
    """A model (docs/formats/msh.md) whose ranges name what is there, however often.
    nodes: (map start, fallback key, slot); slots: (first batch, batches); batches: (base vertex, indices)."""
    streams = {
        1: b"".join(struct.pack("<4H15H", 0, 0xFFFF, at, key, slot, *[0xFFFF] * 14) for at, key, slot in nodes),
        2: bytes(140) + b"".join(struct.pack("<4H60x", 0, 0, *slot) for slot in slots),
        3: struct.pack("<3f", 1, 2, 3) * vertices,
        4: bytes(4) * vertices,
        5: bytes(4) * vertices,
        6: struct.pack("<3H", 0, 1, 65535) * 20000,
        7: bytes(16),
        8: b"".join(struct.pack("<4f4h", 0, 0, 0, i, 0, 0, 0, 32767) for i in range(keys)),
        13: b"".join(struct.pack("<4xBB2xHIHI", 0, 255, count, 0, 65535, base) for base, count in batches),
        19: bytes(2) * frames,
    }
    ranges, data = [], b""
    for stream in streams.values():
        ranges.append((16 + len(data), len(stream)))
        data += stream + bytes(-len(stream) % 8)
    image = bytearray(nres(data, ranges))
    for i, kind in enumerate(streams):
        struct.pack_into("<III", image, 16 + len(data) + 64 * i, kind, 0, frames if kind == 19 else 0)
    return bytes(image)


def ranges_ever_again(command):
    """Models of 2 MB whose nodes, slots and batches name the same elements thousands of times."""
    node, slot, batch = [(0xFFFF, 0, 0)], [(0, 1)], [(0, 3)]
    attacks = {
        "batches": model(node, slot, [(0, 60000)] * 60000),
        "slots": model(node, [(0, 20000)] * 20000, batch * 20000),
        "nodes": model(node * 50000, [(0, 2000)], batch * 2000),
        "keys": model([(0, i % 2 * 30000, 0) for i in range(20000)], slot, batch, frames=20, keys=40000),
        "frames": model([(0, 0, 0)] * 20000, slot, batch, frames=60000, keys=2),
    }
    refused = "ranges of the model name the same elements again and again"
    for name, image in attacks.items():
        write(name + ".msh", image)
        for words in (
            "convert %s.msh out.glb",
            "convert %s.msh out.obj",
            "edit %s.msh --update-bounds -o out.msh",
            "anim %s.msh --reverse -o out.msh",
        ):
            command.expect(2, refused, "msh", *(words % name).split())
    # Each batch has a beginning of its own, and all vertices behind it.
    bases = [(i, 3) for i in range(30000)]
    write("vertices.msh", model(node, [(0, 30000)], bases, vertices=96000))
    refused = "batches share vertices again and again"
    command.expect(2, refused, "msh", "convert", "vertices.msh", "out.glb")
    # A map that is shorter than the animation, from which nothing can be taken but samples.
    short = bytearray(model([(0, 0, 0)] * 60, slot, batch, frames=2, keys=2))
    struct.pack_into("<I", short, len(short) - 64 + 8, 60000)
    write("short.msh", bytes(short))
    command.expect(2, "too many frames have to be sampled", *"msh anim short.msh --reverse -o out.msh".split())


def one_file_ever_again(command):
    """A manifest of 8,000 members that name one file of 1.2 MB: an archive of 9.4 GB. The file has
    many names; each spelling of them is the same file."""
    os.makedirs("named", exist_ok=True)
    write("named/a", bytes(1200000))
    os.link("named/a", "named/b")
    spellings = ["a", "b", "./a", ".//b", "././a"]
    members = [{"name": "m%d" % i, "type": 1, "file": spellings[i % 5]} for i in range(8000)]
    write("named/manifest.json", json.dumps({"format": "retropose nres 1", "members": members}))
    refused = "files that are named several times add up to too much"
    command.expect(2, refused, "nres", "pack", "named", "-o", "named.lib")
    entries = [{"name": "E%d" % i, "method": "stored", "file": spellings[i % 5]} for i in range(8000)]
    write("named/manifest.json", json.dumps({"format": "retropose rsli 1", "entries": entries}))
    command.expect(2, refused, "rsli", "pack", "named", "-o", "named.rlb")
    # Ten times is not too often, and one of few bytes may be named very often.
    members = [{"name": "m%d" % i, "type": 1, "file": spellings[i % 5]} for i in range(10)]
    write("named/manifest.json", json.dumps({"format": "retropose nres 1", "members": members}))
    command.expect(0, "", "nres", "pack", "named", "-o", "named.lib")
    write("named/c", bytes(1000))
    members = [{"name": "m%d" % i, "type": 1, "file": "c"} for i in range(8000)]
    write("named/manifest.json", json.dumps({"format": "retropose nres 1", "members": members}))
    command.expect(0, "", "nres", "pack", "named", "-o", "named.lib")


def unpacking(command):
    """870 KB that unpack to 900 MB once, and 90 KB that unpack to 24 MB for each of 1,000 entries."""
    stream = zeros_deflated(880)
    write("large.rlb", rsli(stream, [(DEFLATE, 880 << 20, 0, len(stream))]))
    stream = zeros_deflated(24)
    entries = [(DEFLATE, 24 << 20, 0, len(stream))] * 1000
    write("many.rlb", rsli(stream, entries))
    write("again.rlb", rsli(stream + b"!", entries))
    refused = "at most 67108864 bytes"
    for library, other in (("large.rlb", "many.rlb"), ("many.rlb", "again.rlb")):
        command.expect(1, refused, "rsli", "check", library)
        command.expect(0, "error", "rsli", "info", library)
        command.expect(2, refused, "rsli", "diff", library, other)
        command.expect(2, refused, "rsli", "extract", library, "--all", "-o", "unpacked")
        command.expect(0, "deflate", "rsli", "ls", library)
    command.expect(1, "R29 error", "rsli", "check", "--rule", "R29", "many.rlb")
    command.expect(0, "", "rsli", "extract", "many.rlb", "E00007", "-o", "unpacked")


def overlapping_payloads(command):
    """400 KB of data and 8,000 entries that all name nearly all of it."""
    data = bytes(range(256)) * 1600
    entries = [(STORED, len(data) - i, i, len(data) - i) for i in range(8000)]
    write("shared.rlb", rsli(data, entries))
    refused = "at most 16777216 bytes"
    command.expect(1, refused, "rsli", "check", "shared.rlb")
    command.expect(2, refused, "rsli", "dump", "shared.rlb", "-o", "text.json")
    command.expect(2, refused, "rsli", "diff", "shared.rlb", "many.rlb")
    edit = "rsli edit shared.rlb --layout canonical -o canonical.rlb"
    command.expect(2, refused, *edit.split())
    edit = "rsli edit shared.rlb --remove E00003 -o preserved.rlb"
    command.expect(2, refused, *edit.split())


def one_buffer_ever_again(command):
    """A glTF that names one buffer of 500 KB 5,000 times: read once. By 5,000 spellings: refused."""
    write("buffer.bin", TRIANGLE + bytes(500000))
    write("same.gltf", json.dumps(triangle(["buffer.bin"] * 5000, 500036)))
    command.expect(0, "", "msh", "convert", "same.gltf", "same.msh")
    spelled = ["/".join(["."] * (i % 900) + ["buffer.bin"]) for i in range(5000)]
    write("spelled.gltf", json.dumps(triangle(spelled, 500036)))
    refused = "files that are named several times add up to too much"
    command.expect(2, refused, "msh", "convert", "spelled.gltf", "spelled.msh")
    write("twice.gltf", json.dumps(triangle(["buffer.bin", "./buffer.bin"], 500036)))
    command.expect(0, "", "msh", "convert", "twice.gltf", "twice.msh")


# ---- files of another kind ------------------------------------------------------------------------


def another_kind(command):
    """What a file is not, and where that leaves its reader."""
    write("text", "to be, or not to be: this is no library of any kind\n" * 3)
    write("a.lib", nres(bytes(64), [(16, 64)]))
    write("b.rlb", rsli(bytes(64), [(STORED, 64, 0, 64)]))
    whole = "retropose: R02: no RsLi library, at text (byte 0): expected NL, 0, 1"
    for words in ("ls", "info", "dump", "extract --all -o out", "edit --remove E -o out"):
        verb, *rest = words.split()
        command.expect(2, whole, "rsli", verb, "text", *rest)
        command.expect(2, "see `retropose nres`", "rsli", verb, "a.lib", *rest)
        command.expect(2, "see `retropose rsli`", "nres", verb, "b.rlb", *rest)
    command.expect(2, whole, "rsli", "diff", "text", "b.rlb")
    command.expect(2, whole, "rsli", "diff", "b.rlb", "text")
    command.expect(1, "see `retropose nres`", "rsli", "check", "a.lib")
    command.expect(1, "see `retropose rsli`", "nres", "check", "b.rlb")
    command.expect(2, "see `retropose rsli`", "nres", "diff", "a.lib", "b.rlb")
    for verb in ("info", "ls", "dump"):
        command.expect(2, "see `retropose rsli`", "msh", verb, "b.rlb")
    command.expect(1, "see `retropose rsli`", "msh", "check", "b.rlb")


def pipes(command):
    """A pipe that nobody writes to, named by a manifest, by a glTF and as the input itself."""
    os.mkdir("piped")
    os.mkfifo("piped/pipe")
    members = [{"name": "m", "type": 1, "file": "pipe"}]
    write("piped/manifest.json", json.dumps({"format": "retropose nres 1", "members": members}))
    refused = "expected a regular file, found a pipe"
    command.expect(2, refused, "nres", "pack", "piped", "-o", "piped.lib")
    entries = [{"name": "E", "method": "stored", "file": "pipe"}]
    write("piped/manifest.json", json.dumps({"format": "retropose rsli 1", "entries": entries}))
    command.expect(2, refused, "rsli", "pack", "piped", "-o", "piped.rlb")
    write("piped/pipe.gltf", json.dumps(triangle(["pipe"], 36)))
    command.expect(2, refused, "msh", "convert", "piped/pipe.gltf", "piped.msh")
    command.expect(2, refused, "nres", "ls", "piped/pipe")
    command.expect(2, "found a folder", "nres", "ls", "piped")


def devices(command):
    """Members with the names of devices: their files, and those of models, are named otherwise."""
    names = ["NUL .txt", "CONIN$", "CONOUT$", "PRN  .a.b", "COM1 ", "aux.msh"]
    data = nres(bytes(8 * len(names)), [(16 + 8 * i, 8) for i in range(len(names))])
    data = bytearray(data)
    for i, name in enumerate(names):
        struct.pack_into("<36s", data, 16 + 8 * len(names) + 64 * i + 20, name.encode())
    write("devices.lib", bytes(data))
    command.expect(0, "", "nres", "extract", "devices.lib", "--all", "-o", "devices")
    wanted = sorted(["_" + name.rstrip() for name in names] + ["manifest.json"])
    if sorted(os.listdir("devices")) != wanted:
        failures.append("files of devices: %s" % sorted(os.listdir("devices")))


# ---- glTF -----------------------------------------------------------------------------------------


def moved(frames, rate, extras, other=(), node=None, hints=()):
    """A glTF with a node that turns, a key a frame; other members, another node, more hints."""
    node, hints = node or {"mesh": 0}, dict(hints)
    times = b"".join(struct.pack("<f", i / rate) for i in range(frames))
    turns = b"".join(struct.pack("<4f", 0, 0, *((0.6, 0.8) if i % 2 else (0, 1))) for i in range(frames))
    document = triangle(["moved.bin"], 36 + len(times) + len(turns))
    document["bufferViews"] += [
        {"buffer": 0, "byteOffset": 36, "byteLength": len(times)},
        {"buffer": 0, "byteOffset": 36 + len(times), "byteLength": len(turns)},
    ]
    document["accessors"] += [
        {
            "bufferView": 1,
            "componentType": 5126,
            "type": "SCALAR",
            "count": frames,
            "min": [0],
            "max": [(frames - 1) / rate],
        },
        {"bufferView": 2, "componentType": 5126, "type": "VEC4", "count": frames},
    ]
    document["animations"] = [
        {
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": 1, "output": 2}],
        }
    ]
    document.update(other)
    if extras:
        hints = {"schema": 1, "framesPerSecond": 20, "frames": 5, **hints}
        document["nodes"] = [node, {"children": [0], "extras": {"retropose": hints}}]
        document["scenes"] = [{"nodes": [1]}]
    write("moved.bin", TRIANGLE + times + turns)
    write("moved.gltf", json.dumps(document))


def what_editors_lose(command):
    """Five frames at 20 a second that come back at 24, and a file without our extras."""
    convert = ("msh", "convert", "moved.gltf", "moved.msh")
    moved(5, 24, True)
    command.expect(0, "G38: the animation has another number of frames", *convert)
    command.expect(0, "4, exported 5 at 20 a second", *convert)
    moved(5, 20, True)
    if "G38" in command.expect(0, "bytes", *convert):
        failures.append("a frame count that holds is warned about")
    moved(6, 24, True)  # whose length agrees, while its keys do not
    command.expect(0, "G45: keys are between the frames", *convert)
    command.expect(0, "5 of 6 times, exported at 20 a second", *convert)
    moved(5, 20, True)
    if "G45" in command.expect(0, "bytes", *convert):
        failures.append("keys on frames are warned about")
    moved(5, 20, True, {"animations": []})
    command.expect(0, "G38: the animation that was exported is not there", *convert)
    moved(5, 20, False)
    command.expect(0, "G39: no extras.retropose", *convert)
    kept = {"name": "arm", "extras": {"retropose": {"label": "hook", "flags": 64}}, "mesh": 0}
    bare = {"name": "arm", "mesh": 0}
    lists = {"sockets": "hook\neye", "flagged": "arm"}
    moved(5, 20, True, {}, kept, lists)
    command.expect(0, "G46: sockets that were exported are lost (1 of 2, eye)", *convert)
    moved(5, 20, True, {}, bare, lists)
    command.expect(0, "G46: sockets that were exported are lost (2 of 2, hook, eye)", *convert)
    command.expect(0, "G46: flags of nodes that were exported are lost (1 of 1, arm)", *convert)
    moved(5, 20, True, {}, kept, {"sockets": "claw", "flagged": "old arm"})
    if "G46" in command.expect(0, "bytes", *convert):
        failures.append("sockets and flags with other names are warned about")
    moved(5, 20, True, {}, bare, {"sockets": "\n" * 300000})
    command.expect(0, "G46: sockets that were exported are lost (300001 of 300001", *convert)


def without_bytes():
    """A buffer without a byte, and what points to it."""
    document = triangle(["data:application/octet-stream;base64,"], 0)
    document["bufferViews"] = [{"buffer": 0, "byteLength": 0, "byteOffset": 0}]
    document["accessors"][0].update({"count": 0, "byteOffset": 0})
    return document


def empty_buffer(command):
    """What reads a null pointer plus an offset is seen by the fuzz target's sanitizer alone."""
    write("empty.gltf", json.dumps(without_bytes()))
    command.expect(0, "", "msh", "convert", "empty.gltf", "empty.msh")


# ---- what is large and sound ----------------------------------------------------------------------


def large_archive(command):
    """100,000 entries of 8 bytes each, named out of order."""
    count = 100000
    data = b"".join(struct.pack("<Q", i) for i in range(count))
    names = sorted(range(count), key=lambda i: "%05d" % (i * 7919 % count))
    directory = bytearray(nres(data, [(16 + 8 * i, 8) for i in range(count)]))
    start = 16 + len(data)
    for i in range(count):
        directory[start + 64 * i + 20 : start + 64 * i + 25] = b"%05d" % (i * 7919 % count)
        directory[start + 64 * i + 25] = 0
        struct.pack_into("<I", directory, start + 64 * i + 60, names[i])
    write("large.lib", bytes(directory))
    command.expect(0, "", "nres", "check", "large.lib")
    command.expect(0, "", "nres", "dump", "large.lib", "-o", "large.json")
    command.expect(0, "", "nres", "assemble", "large.json", "-o", "again.lib")
    command.expect(0, "", *"nres edit large.lib --layout canonical -o canonical.lib".split())
    for copy in ("again.lib", "canonical.lib"):
        with open("large.lib", "rb") as a, open(copy, "rb") as b:
            if a.read() != b.read():
                failures.append("%s is not large.lib" % copy)


# ---- seeds ----------------------------------------------------------------------------------------


def write_seeds(folder):
    data = bytes(range(256)) * 2
    write(folder + "/nres/overlap.lib", nres(data, [(16, len(data))] * 40))
    write(folder + "/nres_manifest/overlap.lib", nres(data, [(16, len(data))] * 40))
    members = [{"name": "m%d" % i, "type": 1, "file": "a"} for i in range(20)]
    manifest = {"format": "retropose nres 1", "members": members}
    write(folder + "/nres_manifest/same.json", json.dumps(manifest))
    entries = [{"name": "E%d" % i, "method": "stored", "file": "a"} for i in range(20)]
    manifest = {"format": "retropose rsli 1", "entries": entries}
    write(folder + "/library_text/same.json", json.dumps(manifest))
    write(folder + "/rsli/overlap", rsli(data, [(STORED, 512 - i, i, 512 - i) for i in range(40)]))
    stream = zlib.compress(bytes(4096), 9)[2:-4]
    write(folder + "/rsli/unpacking", rsli(stream, [(DEFLATE, 4096, 0, len(stream))] * 20))
    write(folder + "/ani/wide.ani", animation(40, 0xFFFFFF))
    uri = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
    write(folder + "/gltf/again.gltf", json.dumps(triangle([uri] * 20, 36)))
    write(folder + "/gltf/empty.gltf", json.dumps(without_bytes()))


def main():
    if sys.argv[1] == "--seeds":
        write_seeds(sys.argv[2])
        return 0
    command = Command(os.path.realpath(sys.argv[1]), "--without-limits" not in sys.argv)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.mkdir("models")
        for attack in (
            overlapping_entries,
            overlapping_models,
            ranges_ever_again,
            one_file_ever_again,
            unpacking,
            overlapping_payloads,
            one_buffer_ever_again,
            another_kind,
            pipes,
            devices,
            what_editors_lose,
            empty_buffer,
            large_archive,
        ):
            attack(command)
        os.chdir("/")
    for failure in failures:
        print("failed:", failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
