#!/usr/bin/env python3
"""Checks `retropose corpus check` on the synthetic corpus: check.py RETROPOSE WORK

Models that are read as they were written have the numbers that the corpus was made to have. Read in any other way
(another order of components, other slot words), the rows that judge that reading differ, and the exit code says so.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

# What the corpus was not made to have yet (docs/proof/census.md).
OTHER = {
    "NRes archives, and their entries",
    "level 0 inside its box: posed, with cockpits, unposed",
    "levels 1, 2, 3 and 4 inside the box",
    "median distance of the boxes: conjugate, plain",
    "boxes that level 0 gives exactly, and all levels",
    "sort table of system.rlb",
}
POSED = "the same of animated models, posed"
LEVELS = "slots by level"
DRAWN = "triangles drawn at levels 0 to 4"
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))


def census(retropose, folder, *more):
    run = subprocess.run([retropose, "corpus", "check", "--json", folder, *more], capture_output=True, text=True)
    check(run.returncode in (0, 1), "exit code", run.returncode, run.stderr)
    document = json.loads(run.stdout)
    rows = {row["what"]: row for row in document["rows"]}
    differs = {what for what, row in rows.items() if row["verdict"] == "DIFFERS"}
    check((run.returncode == 1) == bool(differs), "exit code", run.returncode, differs)
    return document, rows, differs


def merge(retropose, *arguments):
    return subprocess.run([retropose, "merge", *arguments], capture_output=True, text=True)


def shards(retropose, folder, work, count, *more):
    """Counts a folder in shards, each of which is kept as a file, from the first to the last."""
    files = [f"{work}/shard-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(files, 1):
        run = subprocess.run([retropose, "corpus", "check", folder, "--shard", f"{number}/{count}", "--json", *more],
                             capture_output=True, text=True)
        check(run.returncode == 0, "shard", number, run.stderr)
        with open(name, "w") as file:
            file.write(run.stdout)
    return files


def check_shards(retropose, folder, work):
    """Merged shards are the count of the whole, byte for byte; what is missing, twice or of another run is named."""
    whole = [subprocess.run([retropose, "corpus", "check", folder, *json_or_not], capture_output=True, text=True)
             for json_or_not in ([], ["--json"])]
    files = shards(retropose, folder, work, 7)
    check(sum('"files": 0' not in pathlib.Path(name).read_text() for name in files) > 2, "too few shards have files")
    merged = merge(retropose, *reversed(files), "--json", work + "/merged.json")
    check((merged.returncode, merged.stdout) == (whole[0].returncode, whole[0].stdout), "another text", merged.stdout)
    check(pathlib.Path(work + "/merged.json").read_text() == whole[1].stdout, "another JSON")
    both = merge(retropose, *files, "--json", "-")
    check(both.stdout == whole[1].stdout, "another JSON on the standard output")

    def refused(words, *arguments):
        run = merge(retropose, *arguments)
        check(run.returncode == 2 and not run.stdout and all(word in run.stderr for word in words), words, run.stderr)

    refused(["shards are missing", "2 of 7"], files[0], *files[2:])
    refused(["a shard occurs twice", "3/7"], *files, files[2])
    last = pathlib.Path(files[-1])
    kept = last.read_text()
    other = json.loads(kept)
    last.write_text(json.dumps({**other, "census": other["census"][:-2]}))
    refused(["not the sums of a census", files[-1]], *files)
    last.write_text(json.dumps({**other, "run": {**other["run"], "program": "0.9"}}))
    refused(["shards of different runs", "program"], *files)
    shards(retropose, folder, work, 7, "--readings", "drawn,key-order=xyzw")
    last.write_text(kept)
    refused(["shards of different runs", "readings"], *files)
    with open(folder + "/guns.rlb", "ab") as file:
        file.write(bytes(4))
    shards(retropose, folder, work, 7)
    last.write_text(kept)
    refused(["shards of different runs", "files"], *files)
    os.truncate(folder + "/guns.rlb", os.path.getsize(folder + "/guns.rlb") - 4)
    refused(["--json"], *files, "-o", "x")
    run = subprocess.run([retropose, "corpus", "check", folder, "--shard", "1/7"], capture_output=True, text=True)
    check(run.returncode == 2 and "--json" in run.stderr, run.stderr)


def main():
    retropose, work = sys.argv[1:]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    corpus, libraries = work + "/corpus", work + "/corpus/libraries"
    subprocess.run([retropose, "gen", "corpus", "-q", corpus, "--readings", "drawn", "--libraries"], check=True)
    document, rows, differs = census(retropose, libraries)
    check(document["part"] == 1 and len(rows) == len(document["rows"]), "rows", len(rows))
    check(differs == OTHER, "differs", differs ^ OTHER)
    check(rows[POSED]["found"] == "157", rows[POSED])
    check(all(row["source"] for row in document["rows"] if row["id"] != "-"), "a row without a source")

    check_shards(retropose, libraries, work)

    # The same files by other readings: each is told by the rows that it is about.
    _, rows, differs = census(retropose, libraries, "--readings", "drawn,key-order=xyzw")
    check(POSED in differs, "key-order=xyzw goes unnoticed", rows[POSED])
    _, rows, differs = census(retropose, libraries, "--readings", "drawn,slot-words=lod-group")
    check(LEVELS in differs, "slot-words=lod-group goes unnoticed", rows[LEVELS])
    # The runtime has one way to look a slot up, so files with other slot words draw something else.
    words = "key-order=wxyz,material=byte4"
    subprocess.run([retropose, "gen", "corpus", "-q", work + "/lod", "--readings", words, "--libraries"], check=True)
    _, rows, differs = census(retropose, work + "/lod/libraries")
    check(DRAWN in differs and POSED not in differs, "files with other slot words go unnoticed", rows[DRAWN])

    # One model less, one damaged, and a folder of nothing.
    subprocess.run([retropose, "nres", "edit", "-q", libraries + "/guns.rlb", "--remove", "g_can_0_27.msh"], check=True)
    with open(libraries + "/parts.rlb", "r+b") as file:
        file.seek(16)
        file.write(b"XXXX")  # the magic of its first model
    _, rows, differs = census(retropose, libraries)
    found = rows["archives and models that cannot be opened"]
    check(found["found"] == "1" and found["verdict"] == "DIFFERS", found)
    check(rows["models, and animated ones"]["found"].startswith("433 / "), rows["models, and animated ones"])
    os.makedirs(work + "/empty/within")
    run = subprocess.run([retropose, "corpus", "check", work + "/empty"], capture_output=True, text=True)
    check(run.returncode == 2 and "has no files" in run.stderr, run.stderr)
    os.symlink("..", work + "/empty/within/again")  # a circle
    with open(work + "/empty/text.txt", "w") as file:
        file.write("no archive")
    _, rows, differs = census(retropose, work + "/empty")
    check(not differs and all(row["verdict"] == "not checked" for row in rows.values()), differs)

    for failure in failures:
        print("failed:", failure[:300], file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
