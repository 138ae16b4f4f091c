#!/usr/bin/env python3
"""add_slot SOURCE WORK [CMAKE-ARGUMENT...]: carries out "Add a slot" of CONTRIBUTING.md.

Copies the project to WORK, applies the code blocks of the walkthrough (five files at most), builds the
copy and both DLLs, makes with the one command what the tree keeps, and follows the new slot through the
made pages, a generated trace, `retropose show` and a replay of the stand-in against the replacement. Then
the tests that a row can change pass in the copy.

--without N leaves out the Nth block, to see that a forgotten step is noticed. Exits 0 or 1, or 77 without
a compiler for Windows."""
import os
import re
import shutil
import subprocess
import sys

MOST_FILES = 5
KEY, NAME = "ngi32.slot50", "ScaleVector"
# What a row can change: the made pages, the answers that are kept, the tables of both pairs, and what the
# scenarios and the bundled traces promise.
PROGRAMS = ("replay_scenario", "replay_scenario_bundled", "exports", "replay_session_answer_digest", "cli_trace")
TESTS = "^(exports_fresh_.*|replay_truth_kept_stand_in.*|docs_(links|prose|words)|%s)$" % "|".join(PROGRAMS)
PLACE = re.compile(r'^<!-- in (\S+) (?:before "([^\n]*)"|(at the end)) -->\n```\w*\n(.*?)^```$',
                   re.MULTILINE | re.DOTALL)


class Fault(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def section(text):
    start = text.find("\n## Add a slot\n")
    if start < 0:
        raise Fault("CONTRIBUTING.md has no section 'Add a slot'")
    return text[start:text.find("\n## ", start + 4)]


def apply(source, copy, without):
    """The files that the walkthrough edits."""
    text = section(read(os.path.join(source, "CONTRIBUTING.md")))
    blocks = PLACE.findall(text)
    if len(blocks) * 2 != len(re.findall(r"^```", text, re.MULTILINE)):
        raise Fault("a code block of the walkthrough does not say where it goes")
    files = set()
    for number, (path, anchor, end, block) in enumerate(blocks, 1):
        files.add(path)
        if number == without:
            continue
        target = os.path.join(copy, path)
        content = read(target)
        if not end and content.count(anchor) != 1:
            raise Fault(f"{path} has {content.count(anchor)} times: {anchor}")
        at = len(content) if end else content.index(anchor)
        with open(target, "w", encoding="utf-8") as file:
            file.write(content[:at] + block + content[at:])
    if not files or len(files) > MOST_FILES:
        raise Fault(f"the walkthrough edits {len(files)} files: {' '.join(sorted(files))}")
    return files


def run(*command, folder=None):
    """What the command prints."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-30:])
        raise Fault(f"{' '.join(command)}: exit code {done.returncode}\n{tail}")
    return done.stdout


def demand(text, what, where):
    if what not in text:
        raise Fault(f"{where} does not mention {what}")


def configure(copy, name, *arguments):
    build = os.path.join(copy, "build", name)
    run("cmake", "-S", copy, "-B", build, "-G", "Ninja", *arguments)
    return build


def check_report(report):
    """Every call was compared, and none differs."""
    if not re.search(rf"^{re.escape(KEY)} +{NAME} +[1-9]\d*(?: +0)+ +equal$", report, re.MULTILINE):
        raise Fault(f"the report does not say that {KEY} {NAME} is equal:\n{report}")


def build_pairs(copy):
    toolchain = os.path.join(copy, "packaging", "cmake", "i686-w64-mingw32.cmake")
    build = configure(copy, "windows", "-DCMAKE_TOOLCHAIN_FILE=" + toolchain,
                      "-DCMAKE_BUILD_TYPE=RelWithDebInfo")  # as the preset
    run("cmake", "--build", build, "--target", "standin_ngi32", "standin_animesh", "standin_animesh_wxyz",
        "ngi32_dll", "animesh_dll", "retropose-host")
    return build


def check_slot(copy, work, build, pairs):
    command = os.path.join(build, "retropose")
    trace = os.path.join(work, "rows.rptrace")
    for page in "docs/reference/abi.md", "docs/reference/native.md", "tests/golden/digests.txt":
        demand(read(os.path.join(copy, page)), KEY, f"{page}, made again,")
    demand(read(os.path.join(copy, "tests/replay/truth/digests/stand-in.txt")), "slot50=", "the kept digest")
    demand(read(os.path.join(copy, "docs/reference/arithmetic.md")), NAME, "docs/reference/arithmetic.md")
    run(command, "gen", "rows", trace, "--calls", "4000", "--select", KEY)
    demand(run(command, "show", trace), f"{KEY} {NAME}", "retropose show")
    check_report(run(command, "replay", "-v", trace, "--original", "native", "--replacement", "native"))
    check_report(run(command, "replay", "-v", trace, "--original", os.path.join(pairs, "standin"),
                     "--replacement", os.path.join(pairs, "replacement")))


def main(arguments):
    without = 0
    if arguments[:1] == ["--without"]:
        without, arguments = int(arguments[1]), arguments[2:]
    source, work, *options = arguments
    if not shutil.which("i686-w64-mingw32-gcc"):
        print("skipped: no compiler for Windows")
        return 77
    copy = os.path.join(work, "copy")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, copy, symlinks=True, ignore=shutil.ignore_patterns(
        "build", ".git", "node_modules", "__pycache__"))
    # The libraries that no package has are not built again for the copy.
    os.environ.setdefault("RETROPOSE_DEPS", os.path.join(source, "build", "deps"))
    files = apply(source, copy, without)
    build = configure(copy, "linux", *options)
    pairs = build_pairs(copy)
    run("cmake", "--build", build, "--target", "refresh", *PROGRAMS)
    check_slot(copy, work, build, pairs)
    run("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "-R", TESTS)
    print(f"{len(files)} files edited: {' '.join(sorted(files))}")
    return 0


if len(sys.argv) < 3:
    print(__doc__)
    sys.exit(2)
try:
    sys.exit(main(sys.argv[1:]))
except Fault as fault:
    print(f"add_slot: {fault}", file=sys.stderr)
    sys.exit(1)
