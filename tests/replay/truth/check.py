#!/usr/bin/env python3
"""check.py RETROPOSE WORK: what `retropose bundle check` and `bundle show` make of bundles that were put together
by hand: nothing passes in which nothing was compared, and what cannot be read is said with the bundle's name.

The answers in them are the library's own, so that all of this runs on any machine.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

RETROPOSE, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
TRACES = pathlib.Path(__file__).resolve().parents[3] / "traces"
ENVIRONMENT = dict(os.environ, RETROPOSE_CONFIG="none", NO_COLOR="1")
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(map(str, words)))


def run(*words, expect=0):
    done = subprocess.run([RETROPOSE, *map(str, words)], text=True, check=False, env=ENVIRONMENT, capture_output=True)
    check(done.returncode == expect, "retropose", *words, "ended with", done.returncode, "and not", expect, done.stdout,
          done.stderr)
    return done.stdout, done.stderr


def bundle(name, **members):
    """Writes a bundle of these members, with a right sum."""
    text = json.dumps({"format": "retropose bundle 1", "version": "1", **members}, indent=1)[:-2]
    path = WORK / f"{name}.json"
    path.write_text(f'{text},\n"sha256": "{hashlib.sha256(text.encode()).hexdigest()}"\n}}\n')
    return path


def digest_of(words):
    """The words of a digest, and the check over them (docs/proof/send.md)."""
    value = 0xCBF29CE484222325
    for byte in "".join(word + "\n" for word in words).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return " ".join([*words, f"end={value & 0xFFFFFFFF:08x}"])


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    native = ("--original", "native", "--replacement", "native", "-q")
    run("replay", *native, "--scenario", "slots:300", "--digest", WORK / "digest.txt")
    words = (WORK / "digest.txt").read_text().split()[:-1]
    digest = digest_of(words)
    check(digest.split() == (WORK / "digest.txt").read_text().split(), "another check of the digest")
    # A digest of other calls, and one with a function that nobody can be asked about.
    untold = digest_of([re.sub("^calls=.*", "calls=00000000", word) for word in words])
    partly = digest_of([re.sub("^slot7=.*", "slot7=none", word) for word in words])
    different = digest_of([re.sub("^slot7=.*", "slot7=00000000", word) for word in words])
    run("trim", TRACES / "slots.rptrace", WORK / "one.trace", "--select", "ngi32.slot7:0-1", "-q")
    call = {"function": "ngi32.slot7", "trace": (WORK / "one.trace").read_bytes().hex()}

    for name, members, code in (("same", {"digest": digest, "calls": [call]}, 0),
                                ("call", {"calls": [call]}, 0),
                                ("partly", {"digest": partly}, 4),
                                ("untold-but-a-call", {"digest": untold, "calls": [call]}, 4),
                                ("different", {"digest": different, "calls": [call]}, 1)):
        path = bundle(name, **members)
        run("bundle", "check", path, expect=code)
        run("bundle", "check", path, "--allow-partial", expect=0 if code == 4 else code)

    half = dict(call, trace=call["trace"][:len(call["trace"]) // 4 * 2])
    for name, members, said in (("nothing", {}, "nothing could be told"),
                                ("empty", {"calls": []}, "nothing could be told"),
                                ("untold", {"digest": untold, "calls": []}, "nothing could be told"),
                                ("no-digest", {"digest": "no digest"}, "digest"),
                                ("no-digest-call", {"digest": "no digest", "calls": [call]}, "digest"),
                                ("no-digits", {"digest": digest, "calls": [dict(call, trace="xy")]}, "ngi32.slot7"),
                                ("odd", {"digest": digest, "calls": [dict(call, trace=call["trace"] + "0")]},
                                 "ngi32.slot7"),
                                ("no-trace", {"digest": digest, "calls": [{"function": "ngi32.slot7"}]}, "ngi32.slot7"),
                                ("other-bytes", {"digest": digest, "calls": [dict(call, trace="00" * 400)]},
                                 "ngi32.slot7"),
                                ("half", {"digest": digest, "calls": [half]}, "ngi32.slot7")):
        path = bundle(name, **members)
        for more in [], ["--allow-partial"]:
            _, complaint = run("bundle", "check", path, *more, expect=2)
            check(str(path) in complaint and said in complaint and "of-bundle" not in complaint, name, complaint)

    # All that is in a bundle, whose short form only counts it.
    lines = (WORK / "digest.txt").read_text()
    differences = [{"function": "ngi32.slot7", "path": "result[1]", "a": {"hex": "3f800000"}}]
    path = bundle("shown", digest=lines, calls=[call], differences=differences)
    short, _ = run("bundle", "show", path)
    check("differences  1 entries" in short and "result[1]" not in short and lines not in short, short)
    said, _ = run("bundle", "show", path, "--all")
    shown, _ = run("show", WORK / "one.trace")
    header, _ = run("show", WORK / "one.trace", "--header")
    for words in "result[1]", "3f800000", lines, shown, header:
        check(words in said, "not in all of a bundle:", words, said)
    check(call["trace"] not in said, "the digits of a trace are shown, which nobody can read")

    for failure in failures:
        print(failure)
    return bool(failures)


sys.exit(main())
