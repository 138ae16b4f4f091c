#!/usr/bin/env python3
"""digest.py RETROPOSE WINDOWS_BUILD WORK: a digest is of the answers that the original gives, by whatever
way the calls went, and tells another original from this one.

The stand-in plays the original, under Wine. One of its variants, which follows other readings, plays
another one.
"""
import os
import pathlib
import shutil
import subprocess
import sys

RETROPOSE, WORK = sys.argv[1], pathlib.Path(sys.argv[3])
BUILD = pathlib.Path(os.environ.get("RETROPOSE_HOME") or sys.argv[2])  # tests/mutants sets it
CALLS = ("slots:3000", "words:2000", "poses:1500", "stubs:60", "models:300")


def run(*words, expect=0):
    done = subprocess.run([RETROPOSE, *map(str, words)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, RETROPOSE_HOME=str(BUILD), RETROPOSE_CONFIG="none"))
    if done.returncode != expect:
        sys.exit(f"retropose {' '.join(map(str, words))}: {done.returncode}, expected {expect}\n"
                 + done.stdout)
    return done.stdout


def digest(name, *words, expect=0):
    path = WORK / name
    scenarios = [word for call in CALLS for word in ("--scenario", call)]
    run("replay", "-q", *scenarios, "--digest", path, *words, expect=expect)
    return path


def main():
    if not (BUILD / "standin/Ngi32.dll").exists() or not (BUILD / "variants/readings").exists():
        print(f"no stand-in in {BUILD}: build the windows preset first")
        return 77
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)

    # Through shared memory and through files, beside the replacement and beside a side that is wrong
    # in many calls, the original's answers are the same.
    other = BUILD / "variants/readings"
    overlay = ("--overlay", other / "truth.overlay")
    shared = digest("shared.txt")
    files = digest("files.txt", "--keep", "--work", WORK / "kept")
    beside = digest("beside.txt", "--replacement", other, expect=1)
    for path in files, beside:
        if path.read_text() != shared.read_text():
            return f"{path.name} is not {shared.name}:\n{path.read_text()}"

    # The DLLs of ours give the same, and so does the library as far as it has the functions.
    said = run("digest", "compare", shared, "--replacement", BUILD / "replacement")
    if "same, 0 different\n" not in said:
        return said
    said = run("digest", "compare", shared, expect=4)
    if " 0 different, " not in said or "cannot be told" not in said:
        return said

    # An original that follows other readings is told from this one, by function and scenario.
    said = run("digest", "compare", digest("other.txt", "--original", other, *overlay, expect=1),
               expect=1)
    if not any(line.split()[:2] == ["different", "animesh.SampleNode"] and "poses" in line
               for line in said.splitlines()):
        return said
    print("the same digest by three ways; another original is told apart")
    return 0


sys.exit(main())
