#!/usr/bin/env python3
"""Small traces that once took minutes.

    bombs.py check RETROPOSE WORK     each in a process with little time
    bombs.py write WORK               only leaves the traces there
    bombs.py seeds FOLDER             smaller ones of the same kinds, where fuzz targets begin

What is well takes a tenth of a second; what was not took more than ten. The limit
between them is of the processor's time, so that a busy machine does not matter.
"""
import pathlib
import resource
import struct
import subprocess
import sys
import zlib

from traces import CONTROL, MXCSR, chunk, memory, read_abi, signatures, trace, words

SECONDS = 10
RETURNED = 1
MESH, PIECE, PIECES_AT, PIECE_COUNT_AT, PIECE_READER = 0x240, 0x130, 0x1A8, 0x1AC, 0x12C
READER = 0xA4

# ---- the format -----------------------------------------------------------------------------------


def packed(kind, payload, records):
    stored = zlib.compress(payload, 1)
    head = struct.pack("<4sIIII", kind, 1, len(stored), len(payload), records)
    return head + struct.pack("<I", zlib.crc32(head + stored)) + stored


def head():
    data = struct.pack("<8sHHI", b"RPTRACE\0", 1, 1, 0)
    return data + struct.pack("<I", zlib.crc32(data))


def function(key):
    name, signature = key.encode(), signatures[key].encode()
    return chunk(b"FUNC", struct.pack("<HHH", 0, len(name), len(signature)) + name + signature, 1)


def call(sequence, inputs, outputs):
    return struct.pack("<HBBQHHIIII", 0, RETURNED, 0, sequence, CONTROL, CONTROL, MXCSR, MXCSR,
                       len(inputs), len(outputs)) + inputs + outputs


def end(calls, memories):
    return chunk(b"END ", struct.pack("<QII", calls, memories, 0), 0)


def memories_chunk(entries, pack):
    """entries: (id, bytes, relocations)."""
    records = b"".join(memory(*entry)[24:] for entry in entries)
    return (packed if pack else chunk)(b"MEM ", records, len(entries))


# ---- the bombs ------------------------------------------------------------------------------------


def ranges(count, pack=True, last=0):
    """An object of which every other dword is an output."""
    state = words(1, 0, 0, count) + b"".join(words(MESH + 8 * i, 1) for i in range(count))
    outputs = bytes(4 * count - 1) + bytes([last])
    calls = (packed if pack else chunk)(b"CALL", call(0, state, outputs), 1)
    return (head() + memories_chunk([(1, bytes(MESH + 8 * count), [])], pack) +
            function("animesh.ClearPoseCache") + calls + end(1, 1))


def relocations(pieces, links, pack=True):
    """Every piece has a reader of its own, all in one memory of many pointers. The readers lie on
    top of each other, so that they take no room."""
    mesh = bytearray(MESH + PIECE * pieces)
    struct.pack_into("<I", mesh, PIECE_COUNT_AT, pieces)
    for i in range(pieces): # no parents
        struct.pack_into("<i", mesh, MESH + PIECE * i + 0x18, -1)
    mesh_links = [(MESH + PIECE * i + PIECE_READER, 2, i) for i in range(pieces)]
    mesh_links.append((PIECES_AT, 1, MESH))
    base = READER + pieces
    base += -base % 4
    readers = (2, bytes(base + 4 * links), [(base + 4 * i, 2, 0) for i in range(links)])
    return (head() + memories_chunk([(1, bytes(mesh), mesh_links), readers], pack) +
            function("animesh.ClearPoseCache") +
            chunk(b"CALL", call(0, words(1, 0, 0, 0), b""), 1) + end(1, 2))


def highlights(count):
    """Billions of squarings each: of 1, of numbers that vanish or overflow, of no number."""
    eyes = [0x3F800000, 0x3F7FFFFF, 0x3F800001, 0x00000001, 0x7F7FFFFF, 0x7FC00000, 0xBF800000, 0]
    one = 0x3F800000
    calls = [words(0, 0, one, 0, 0, one, 0, 0, 0, eyes[i % len(eyes)], 0xFFFFFFFF - i)
             for i in range(count)]
    return trace([("ngi32.Highlight", inputs) for inputs in calls])


def numbers(count, step, pack=True):
    """Memories whose ids differ in their upper bits alone."""
    return (head() + memories_chunk([(step * i & 0xFFFFFFFF, b"", []) for i in range(count)], pack) +
            function("ngi32.slot11") + chunk(b"CALL", call(0, words(0x40000000), bytes(12)), 1) +
            end(1, count))


def large_state(size):
    return (head() + memories_chunk([(1, bytes(size), [])], True) +
            function("animesh.ClearPoseCache") + chunk(b"CALL", call(0, words(1, 0, 0, 0), b""), 1) +
            end(1, 1))


def many_memories(count):
    records = b"".join(struct.pack("<III", i, 0, 0) for i in range(count))
    return head() + packed(b"MEM ", records, count) + end(0, count)


def seeds():
    return {
        "ranges": ranges(24, pack=False),
        "relocations": relocations(5, 24, pack=False),
        "highlights": highlights(8),
        "numbers": numbers(24, 0x10000, pack=False),
    }


# ---- the checks -----------------------------------------------------------------------------------


class Checks:
    def __init__(self, retropose, work):
        self.retropose, self.work, self.failed = retropose, pathlib.Path(work), False
        self.work.mkdir(parents=True, exist_ok=True)

    def write(self, name, data):
        path = self.work / f"{name}.rptrace"
        path.write_bytes(data)
        return path

    def run(self, code, says, *command):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        done = subprocess.run([self.retropose, *map(str, command)], capture_output=True,
                              stdin=subprocess.DEVNULL, preexec_fn=limit)
        text = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode != code or says not in text:
            self.failed = True
            print(f"FAILED: {' '.join(map(str, command))}: {done.returncode}, not {code}: "
                  f"{says!r} in {text[-400:]!r}")


def check(retropose, work):
    checks = Checks(retropose, work)
    native = ["--original", "native", "--replacement", "native", "--quiet"]
    many, other = checks.write("ranges", ranges(32000)), checks.write("other", ranges(32000, last=7))
    checks.run(0, "piece[", "show", many)
    checks.run(0, '"path"', "show", many, "--json")
    checks.run(1, "1 different", "compare", many, other)
    checks.run(0, "1 calls compared, 0 different", "compare", many, many)
    path = checks.write("relocations", relocations(3400, 100000))
    checks.run(2, "0 of 1 calls compared, 0 different", "replay", path, *native)
    checks.run(0, "8 calls compared, 0 different", "replay", checks.write("highlights", highlights(8)),
               *native)
    checks.run(0, "1 calls compared, 0 different", "replay",
               checks.write("numbers", numbers(65000, 0x10000)), *native)
    checks.run(2, "the memory of a state is too large", "show",
               checks.write("large", large_state((1 << 20) + 4)))
    checks.run(2, "the trace has too many memories", "stat",
               checks.write("many", many_memories((1 << 20) + 1)))
    return 1 if checks.failed else 0


def main():
    read_abi()
    what, arguments = sys.argv[1], sys.argv[2:]
    if what == "check":
        return check(*arguments)
    if what == "seeds":
        made = seeds()
    else:
        made = {"ranges": ranges(32000), "relocations": relocations(3400, 100000),
                "highlights": highlights(8), "numbers": numbers(65000, 0x10000),
                "large": large_state((1 << 20) + 4), "many": many_memories((1 << 20) + 1)}
    for name, data in made.items():
        Checks(None, arguments[0]).write(name, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
