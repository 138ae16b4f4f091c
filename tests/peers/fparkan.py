#!/usr/bin/env python3
"""Checks `retropose export --format fparkan-capture`: fparkan.py RETROPOSE TRACE WORK

The lines have what fparkan's schema demands (docs/proof/peers.md), no path and no pointer; decimals and bits are the
same numbers; matrix_hash follows from rotation and translation by the arithmetic of tests/vectors, which shares no
code with the library; and a wrong digit in any of these is found.
"""

import json
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors"))
import check  # noqa: E402
import x87  # noqa: E402

ENVELOPE = {
    "schema_version": str,
    "capture_kind": str,
    "game_part": str,
    "mission": str,
    "frame_id": int,
    "tick": int,
    "module_hashes": dict,
    "tool_version": str,
    "notes": str,
}
POSE = {
    "clip_id": str,
    "node_index": int,
    "sample_time": (int, float),
    "numeric_profile": str,
    "translation": list,
    "rotation_quat": list,
    "scale": list,
    "matrix_hash": str,
}
MODULES = {"World3D", "Terrain", "AniMesh", "Effect"}


def bits_of(number):
    return "%08x" % struct.unpack("<I", struct.pack("<f", number))[0]


def fnv(words):
    digest = 0xCBF29CE484222325
    for word in words:
        for byte in struct.pack("<I", word):
            digest = (digest ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return "%016x" % digest


def faults(capture):
    """What is wrong with one line."""
    wrong = [name for name, kind in {**ENVELOPE, **POSE}.items() if not isinstance(capture.get(name), kind)]
    if wrong:
        return ["missing or of the wrong kind: " + ", ".join(wrong)]
    if (capture["schema_version"], capture["capture_kind"]) != ("fparkan-stage4-capture-v1", "animation-pose"):
        wrong.append("another schema")
    if capture["game_part"] not in ("part1", "part2"):
        wrong.append("no part")
    for name, hashed in capture["module_hashes"].items():
        if not re.fullmatch("[0-9a-f]{64}", hashed):
            wrong.append("%s has no SHA-256" % name)
    complete = MODULES <= set(capture["module_hashes"])
    if capture["evidence"] == "capture" and not complete:
        wrong.append("evidence without module_hashes")
    if capture["evidence"] not in ("capture", "informational"):
        wrong.append("neither evidence nor informational")
    if re.search(r"(^|[ \"])(/|[A-Za-z]:\\)|0x[0-9a-f]{6}", json.dumps(capture)):
        wrong.append("a path or a pointer")
    for decimals, bits in (("translation", "translation_bits"), ("rotation_quat", "rotation_bits")):
        if [bits_of(number) for number in capture[decimals]] != capture[bits]:
            wrong.append("%s is not %s" % (decimals, bits))
    x, y, z, w = (x87.load(int(word, 16)) for word in capture["rotation_bits"])
    place = [x87.load(int(word, 16)) for word in capture["translation_bits"]]
    matrix = check.matrix([w, x, y, z], place)
    if fnv(x87.store(number) for number in matrix) != capture["matrix_hash"]:
        wrong.append("matrix_hash does not follow")
    return wrong


def export(retropose, trace, output, *more):
    command = [retropose, "export", "-q", "--format", "fparkan-capture", "--part", "part1", trace, "-o", output, *more]
    return subprocess.run(command, capture_output=True, text=True)


def digit(word):
    return word[:-1] + ("0" if word[-1] != "0" else "1")


def planted(capture):
    """Copies of a line with one mistake each."""
    for name in ("matrix_hash", "clip_id"):
        yield name, {**capture, name: digit(capture[name])}
    for name in ("translation_bits", "rotation_bits"):
        yield name, {**capture, name: [digit(capture[name][0]), *capture[name][1:]]}
    yield "a part", {**capture, "game_part": "part3"}
    yield "evidence", {**capture, "evidence": "capture"}
    yield "a path", {**capture, "notes": "/home/somebody/game"}
    yield "a field", {name: value for name, value in capture.items() if name != "tick"}


def main():
    retropose, trace, work = sys.argv[1:4]
    os.makedirs(work, exist_ok=True)
    output = os.path.join(work, "captures.jsonl")
    failures = []
    run = export(retropose, trace, output, "--select", "animesh.SampleNode:0-1999")
    if run.returncode:
        print(run.stderr)
        return 1
    with open(output) as file:
        captures = [json.loads(line) for line in file]
    for capture in captures:
        failures += ["frame %s: %s" % (capture.get("frame_id"), fault) for fault in faults(capture)]
    clips = {capture["clip_id"] for capture in captures}
    if len(captures) < 1900 or len(clips) < 2:  # some of the 2000 calls have infinities
        failures.append("%d captures of %d clips" % (len(captures), len(clips)))
    for what, capture in planted(captures[0]):
        if not faults(capture) and what != "clip_id":  # which names contents that a line does not have
            failures.append("not found: %s" % what)

    # With the game's folder the other modules are hashed; a stand-in is still no evidence.
    game = os.path.join(work, "game")
    os.makedirs(game, exist_ok=True)
    for name in ("world3d.dll", "Terrain.dll", "EFFECT.DLL"):
        with open(os.path.join(game, name), "wb") as file:
            file.write(name.encode())
    run = export(retropose, trace, output, "--game", game, "--select", "animesh.SampleNode:0-1")
    with open(output) as file:
        capture = json.loads(file.readline())
    if not MODULES <= set(capture["module_hashes"]) or capture["evidence"] != "informational" or faults(capture):
        failures.append("with a game: %s" % capture)
    os.remove(os.path.join(game, "Terrain.dll"))
    run = export(retropose, trace, output, "--game", game)
    if run.returncode != 2 or "Terrain.dll" not in run.stderr:
        failures.append("without Terrain.dll: %d, %s" % (run.returncode, run.stderr))
    export(retropose, trace, output, "--select", "animesh.SampleNode:0-1999")
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print("%d captures of %d clips, %d failures" % (len(captures), len(clips), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
