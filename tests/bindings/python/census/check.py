#!/usr/bin/env python3
"""Checks retropose.census (bindings/python): check.py RETROPOSE WORK

A game that was made to have the published numbers (game.py) has them all, and each row has been seen to differ where
the files are others or are read in another way.
"""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import types

import game
import peer
from retropose import census as package

DIGEST = "sampled poses, and fparkan's own digest of its poses of them"
ARCHIVES = "NRes archives, and their entries"
DAMAGED = "archives and models that cannot be opened"
TABLE = "sort table of system.rlb"
PAYLOADS = "payloads not at a multiple of 8, gaps that are not 0 to 7 zeros"
REPACKED = "archives that are the same when packed anew, of all"
STATED = "unpacked sums that gamefont.rlb and sprites.lib state"
UNPACKED = "what their entries unpack to"
INSIDE = "level 0 inside its box: without cockpits, and with them"
DRAWN = "triangles drawn at levels 0 to 4"
PITCH = "pitch of GP_m1o1 of o_tur_ha_02 at frames 55 to 57, and its sweep"
NOT_TOTALS = {ARCHIVES, DAMAGED, TABLE, STATED, UNPACKED, PAYLOADS, REPACKED, DIGEST}
NAMED_IDS = {"T9", "T10", "T12", "T15", "T16"}
# What the synthetic corpus of `gen corpus` has, which follows facts/formats.md C.14 in what levels and states count.
OF_GEN_CORPUS = {
    "models, and animated ones",
    DAMAGED,
    PAYLOADS,
    "nodes, and the most of one model",
    "nodes that do not move",
    "fewest and most slots of a model",
    "fewest and most batches of a model",
    "fewest and most vertices of a model",
    "interiors, path graphs, lit, cockpit nodes, stride 24",
    "triangles",
    "batches, different flag words, lit ones",
    "batches with flag 1, 2, 4, 8, 0x10, 0x40",
    "batches with flag 0x100, 0x2000, 0x4000",
    "keys, and those of length 1 within 0.1 %",
    "keys whose rotation is all zeros, 10 or 11",
    "animated models with a frame more than the last key's time, of all",
    "keys at the first frame that names them, of animated nodes",
    "fallbacks that are the last key of the node",
    "models that the runtime poses",
    "nodes of R_H_02, frames, nodes that travel",
}
failures = []
counted = {}  # what was counted before, by readings, name and contents of the file
seen = set()  # rows that have differed


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


class Remembering(package.Census):
    """Counts each file once. Everything is asked for; what a report does not want it does not show."""

    def count(self, name, data):
        key = str(self.readings), name, hashlib.sha256(data).digest()
        if key not in counted:
            asked, self.digest = self.digest, True
            counted[key] = super().count(name, data)
            self.digest = asked
        return counted[key]


def run(*words):
    """The command, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = package.main(words)
        except SystemExit as ended:
            code = ended.code
    return types.SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def census(folder, *more):
    ran = run("--json", folder, *more)
    check(ran.returncode in (0, 1), "exit code", ran.returncode, ran.stderr)
    document = json.loads(ran.stdout)
    rows = {row["what"]: row for row in document["rows"]}
    differs = {what for what, row in rows.items() if row["verdict"] == "DIFFERS"}
    check((ran.returncode == 1) == bool(differs), "exit code", ran.returncode, differs)
    seen.update(differs)
    return document, rows, differs


def shards(folder, work, count, *more):
    """Counts a folder in shards, each of which is kept as a file, from the first to the last."""
    files = [f"{work}/shard-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(files, 1):
        ran = run(folder, "--shard", f"{number}/{count}", "--json", *more)
        check(ran.returncode == 0, "shard", number, ran.stderr)
        pathlib.Path(name).write_text(ran.stdout)
    return files


def refused(words, *arguments):
    ran = run(*arguments)
    check(ran.returncode == 2 and not ran.stdout and all(word in ran.stderr for word in words), words, ran.stderr)


def check_shards(folder, work):
    """Merged shards are the count of the whole, byte for byte; what is missing, twice or of another run is named."""
    files = shards(folder, work, 7)
    check(sum('"files": 0' not in pathlib.Path(name).read_text() for name in files) > 2, "too few shards have files")
    for form in [], ["--json"]:
        whole, merged = run(folder, *form), run("--merge", *reversed(files), *form)
        check(vars(merged) == vars(whole), "another report", merged.stdout, merged.stderr)

    refused(["shards are missing", "2 of 7"], "--merge", files[0], *files[2:])
    refused(["a shard occurs twice", "3/7"], "--merge", *files, files[2])
    last = pathlib.Path(files[-1])
    kept = last.read_text()
    other = json.loads(kept)
    last.write_text(json.dumps({**other, "census": {**other["census"], "sum": {}}}))
    refused(["not the sums of a census", files[-1]], "--merge", *files)
    last.write_text(json.dumps({**other, "run": {**other["run"], "program": "0.9"}}))
    refused(["shards of different runs", "program"], "--merge", *files)
    shards(folder, work, 7, "--readings", "drawn,key-order=xyzw")
    last.write_text(kept)
    refused(["shards of different runs", "readings"], "--merge", *files)
    with open(folder + "/guns.rlb", "ab") as file:
        file.write(bytes(4))
    shards(folder, work, 7)
    last.write_text(kept)
    refused(["shards of different runs", "files"], "--merge", *files)
    os.truncate(folder + "/guns.rlb", os.path.getsize(folder + "/guns.rlb") - 4)
    refused(["--json"], folder, "--shard", "1/7")
    refused(["--shard"], folder, "--shard", "8/7", "--json")
    refused(["--digest"], folder, "--shard", "1/7", "--json", "--digest", "fparkan")


def check_made(folder):
    document, rows, differs = census(folder)
    check(document["part"] == 1 and len(rows) == len(document["rows"]), "rows", len(rows))
    check(all(row["source"] for row in document["rows"] if row["id"] != "-"), "a row without a source")
    others = {what for what, row in rows.items() if row["verdict"] != "ok"}
    check(others == {DIGEST}, "not ok:", [rows[what] for what in others - {DIGEST}])
    _, rows, differs = census(folder, "--digest", "fparkan")
    check(differs == {DIGEST}, "--digest fparkan:", differs)
    samples, value = peer.digest(folder)
    check(rows[DIGEST]["found"] == f"{samples} / {value}" and samples == 3469, rows[DIGEST], samples, value)
    refused(["fparkan"], folder, "--digest", "other")
    return rows


def check_readings(folder):
    """By another order of a key's components the rows differ that are about it. Readings that the runtime does not
    have are refused: the rows would come out as if nobody had asked."""
    _, rows, differs = census(folder, "--readings", "drawn,key-order=xyzw")
    wanted = {INSIDE, PITCH}
    check(wanted <= differs and DAMAGED not in differs, "key-order=xyzw goes unnoticed", wanted - differs)
    for reading in "rotation=plain", "slot-words=lod-group", "uv=signed", "key-order=xyzw,material=word2":
        refused(reading.split(",")[-1].split("="), folder, "--readings", "drawn," + reading)


def check_who(folder, work):
    """Both forms name the program and the processor; merged shards name every processor once."""
    small = work + "/small"
    os.makedirs(small)
    shutil.copy(folder + "/system.rlb", small)
    ran = subprocess.run([sys.executable, "-m", "retropose.census", small, "--json"], capture_output=True, text=True)
    document = json.loads(ran.stdout)
    version, processor = document["version"], document["processor"]
    check(f"retropose {version}, on {processor}\n" in run(small).stdout and processor, "who counted:", ran.stderr)
    files = shards(folder, work, 4)
    for name, other in zip(files[1:], (processor + "1", processor, "another")):
        shard = pathlib.Path(name)
        shard.write_text(json.dumps({**json.loads(shard.read_text()), "processor": other}))
    merged = json.loads(run("--merge", *files, "--json").stdout)
    check((merged["version"], merged["processor"]) == (version, f"{processor}; {processor}1; another"),
          merged["version"], merged["processor"])
    shard.write_text(json.dumps({name: value for name, value in json.loads(shard.read_text()).items()
                                 if name != "processor"}))
    refused(["processor"], "--merge", *files)


def check_folders(folder, work):
    for path, words in (work + "/none", "no such folder"), (folder + "/system.rlb", "this is no folder"):
        refused([words, path], path)


class Patched:
    """Changes bytes of a file, and puts them back."""

    def __init__(self, path, changes):
        self.path = path
        with open(path, "rb") as file:
            self.before = file.read()
        after = bytearray(self.before)
        for at, content in changes:
            after[at:at + len(content)] = content
        self.write(after)

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.write(self.before)


def directory(path):
    """Gives (offset of the record, name) of the members."""
    with open(path, "rb") as file:
        image = file.read()
    count, total = struct.unpack_from("<iI", image, 8)
    for at in range(total - 64 * count, total, 64):
        yield at, image[at + 20:at + 56].split(b"\0")[0].decode()


def libraries(folder):
    return [f"{folder}/{name}.rlb" for name in game.LIBRARIES]


def patch_all(folder, change):
    """`change` gives what is written at a record, by the member's name."""
    patches = []
    for path in libraries(folder):
        changes = [(at + where, content) for at, name in directory(path) for where, content in change(name)]
        patches.append(Patched(path, changes))
    return patches


def check_totals(folder, rows):
    """Without the loose models and the first one, every total is another."""
    gone = {"model_0.msh"} | {f"model_{i}.msh" for i in range(302, 434)}
    with Patched(f"{folder}/system.rlb", [(at, b"NONE") for at, name in directory(f"{folder}/system.rlb")
                                          if name.startswith("a_")]):
        patches = patch_all(folder, lambda name: [(0, b"NONE")] if name in gone else [])
        _, _, differs = census(folder)
        for patch in patches:
            patch.__exit__()
    totals = {what for what, row in rows.items() if row["id"] not in NAMED_IDS} - NOT_TOTALS
    check(differs == totals, "with fewer models", totals ^ differs)


def check_named(folder, rows):
    """Models whose names are exchanged, and nothing else."""
    names = [model.name for model in game.named()]
    after = dict(zip(names, names[1:] + names[:1]))

    def rename(name):
        new = after.get(name[:-4])
        return [(20, f"{new}.msh".encode().ljust(36, b"\0"))] if new else []
    patches = patch_all(folder, rename)
    _, _, differs = census(folder)
    for patch in patches:
        patch.__exit__()
    wanted = {what for what, row in rows.items() if row["id"] in NAMED_IDS}
    # The tables by which members are found follow other names now.
    check(differs == wanted | {REPACKED} and len(wanted) == 15, "names exchanged", wanted ^ differs)


def check_files(folder):
    """A table, a sum, an archive and a model that are others."""
    system, other = f"{folder}/system.rlb", f"{folder}/other_000.lib"
    first = next(directory(system))[0]
    for path, changes, wanted, found in (
            (system, [(first + 60, b"\1")], {TABLE, REPACKED}, None),
            (f"{folder}/gamefont.rlb", [(16, b"\1")], {STATED}, "87041 / 1573632"),
            (f"{folder}/sprites.lib", [(32 + 32 * 24, b"\xFF")], {UNPACKED}, f"87096 / {1573632 * 23 // 24}"),
            (other, [(0, b"xRes")], {ARCHIVES, REPACKED}, None),
            (other, [(20, b"\1")], {PAYLOADS, REPACKED}, "0 / 1"),  # in the padding of its second member
            (other, [(next(directory(other))[0] + 56, b"\x11")], {PAYLOADS, REPACKED}, "1 / 2")):  # an empty one, in the next
        with Patched(path, changes):
            _, rows, differs = census(folder)
            check(differs == wanted, path, differs)
            check(found in [None] + [rows[what]["found"] for what in wanted], path, [rows[what] for what in wanted])
    with Patched(f"{folder}/parts.rlb", [(16, b"XXXX")]):  # the magic of its first model
        _, rows, differs = census(folder)
        check(rows[DAMAGED]["found"] == "1" and DAMAGED in differs, rows[DAMAGED])
    for content in b"NL\0\1", b"NL\0\1" + struct.pack("<2h", 9, 9) + bytes(24):
        with open(f"{folder}/short.rlb", "wb") as file:
            file.write(content)
        _, rows, differs = census(folder)
        check(rows[DAMAGED]["found"] == "1" and differs == {DAMAGED}, "a library that cannot be opened", differs)
    os.remove(f"{folder}/short.rlb")
    os.rename(f"{folder}/gamefont.rlb", f"{folder}/font.rlb")
    _, rows, differs = census(folder)
    for what in STATED, UNPACKED:
        check(not differs and rows[what]["verdict"] == "not checked", rows[what])


def check_others(retropose, work):
    """The synthetic corpus, a folder of nothing, and one of no archives."""
    subprocess.run([retropose, "gen", "corpus", "-q", work + "/corpus", "--readings", "drawn", "--libraries"],
                   check=True)
    _, rows, _ = census(work + "/corpus/libraries")
    good = {what for what, row in rows.items() if row["verdict"] == "ok"}
    check(good == OF_GEN_CORPUS, "gen corpus", good ^ OF_GEN_CORPUS)
    os.makedirs(work + "/empty/within")
    refused(["has no files"], work + "/empty")
    os.symlink("..", work + "/empty/within/again")  # a circle
    with open(work + "/empty/text.txt", "w") as file:
        file.write("no archive")
    _, rows, differs = census(work + "/empty", "--digest", "fparkan")
    check(not differs and all(row["verdict"] == "not checked" for row in rows.values()), differs)


def main():
    retropose, work = sys.argv[1:]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    package.Census = Remembering
    folder = work + "/game"
    game.make(folder)
    rows = check_made(folder)
    check_shards(folder, work)
    check_readings(folder)
    check_who(folder, work)
    check_folders(folder, work)
    check_totals(folder, rows)
    check_named(folder, rows)
    check_files(folder)
    check(seen == set(rows), "never seen to differ:", set(rows) - seen)
    check_others(retropose, work)
    for failure in failures:
        print("failed:", failure[:600], file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
