#!/usr/bin/env python3
"""check.py on small trees: it says of each planted fault where it is, and nothing of what is right."""
import pathlib
import subprocess
import tempfile

import check

LONG = "word " * 30
# What no check may object to.
RIGHT = {
    "README.md": "# Title\n\n[a page](guide/a.md#two-words), [here](#title), [web](https://x.org/y)\n"
                 "![picture](guide/a.jpg) and `[no link](nowhere.md)`\n"
                 f"\n```text\n[in code](nowhere.md) {LONG}\n```\n\n| table {LONG}|\n"
                 "[one](guide/a.md), [two](guide/a.md), [three](guide/a.md), [four](guide/a.md), "
                 "[five](guide/a.md)\n",
    "guide/a.md": "# Two `words`\n\n# Two words\n\n[the second](#two-words-1), [up](../README.md)\n",
    "guide/a.jpg": "",
    "build/a.md": f"[ignored](nowhere.md) {LONG}\n",
    "other/CMakeCache.txt": "",
    "other/a.md": f"[ignored](nowhere.md) {LONG}\n",
    "docs/" "a.md": "# A\n",
    "docs/" "facts" "/a.md": "docs/" + "b.md of another project\n",
    "include/retropose/a.h": "#define RP_API_BEGIN\n\nRP_API_BEGIN\n\n/* ---- a part ---- */\n\n"
                             "/* Does one thing. */\nvoid RpA_One(int x);\n"
                             "typedef void RpA_Type(int x);\nstatic inline int RpA_Two(int x) {\n"
                             "    return x;\n}\n"
                             "/* Does it. RP_IO. */\nRpStatus RpA_Four(int x);\n"
                             "/* Does it. Errors are\n * those of RpA_Four. */\nRpStatus RpA_Five(int x);\n",
    "source.c": "/* docs/" + "a.md, but not ../docs/" + "b.md of another project */\n",
}
# check, file, text that is added to it, what must be said, and nothing else.
PLANTED = [
    ("words", "README.md", "Each keyframe\n", "README.md:12: keyframe: the word is key"),
    ("words", "README.md", "The calling\nconvention\n",
     "README.md:12: calling convention: the word is convention"),
    ("words", "guide/a.md", "Our animesh.dll\n", "guide/a.md:6: animesh.dll: the word is AniMesh.dll"),
    ("words", "README.md", "`a keyframe` and <!-- a key frame --> a standin\n",
     "README.md:12: standin: the word is stand-in"),
    ("links", "README.md", "[x](guide/b.md)\n", "README.md:12: the link guide/b.md leads to no file"),
    ("links", "README.md", "[x](guide/a.md#three)\n",
     "README.md:12: the link guide/a.md#three leads to no heading of a.md"),
    ("links", "guide/a.md", "![x](b.jpg)\n", "guide/a.md:6: the link b.jpg leads to no file"),
    ("links", "guide/a.md", "[x\ny](b.md)\n", "guide/a.md:7: the link b.md leads to no file"),
    ("links", "guide/a.md", "[x](#three)\n",
     "guide/a.md:6: the link #three leads to no heading of a.md"),
    ("links", "guide/a.md", "[x](../..)\n", "guide/a.md:6: the link ../.. leaves the tree"),
    ("mentions", "source.c", "// see docs/" + "b.md\n", "source.c:2: docs/" + "b.md does not exist"),
    ("mentions", "guide/a.md", "`docs/" + "b.ksy`\n", "guide/a.md:6: docs/" + "b.ksy does not exist"),
    ("headers", "include/retropose/a.h", "int RpA_Three(int x,\n    int y);\n",
     "include/retropose/a.h:18: RpA_Three has no comment of its own"),
    ("headers", "include/retropose/a.h", "/* Is apart. */\n\nint RpA_Three(int x);\n",
     "include/retropose/a.h:20: RpA_Three has no comment of its own"),
    ("headers", "include/retropose/a.h", "/* ---- x. ---- */\nint RpA_Three(int x);\n",
     "include/retropose/a.h:19: RpA_Three has no comment of its own"),
    ("headers", "include/retropose/a.h", "/* fills x */\nint RpA_Three(int x);\n",
     "include/retropose/a.h:19: the comment of RpA_Three is no sentence"),
    ("headers", "include/retropose/a.h", "/* Does x; RP_OK. */\nRpStatus RpA_Three(int x);\n",
     "include/retropose/a.h:19: the comment of RpA_Three names no error"),
    ("headers", "include/retropose/a.h", "/* Errors are those of RpA_One. */\nRpStatus RpA_Three(int x);\n",
     "include/retropose/a.h:19: RpA_Three has the errors of RpA_One, whose comment names none"),
    ("prose", "guide/a.md", f"{'word ' * 20}w\n",
     "guide/a.md:6: prose of 101 columns, 100 are allowed"),
    ("prose", "guide/a.md", f"{'[link](a.md) ' * 8}w\n",
     "guide/a.md:6: prose of 105 columns, 100 are allowed"),
]


def said_of(name, planted_in=None, text=""):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, content in RIGHT.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content + (text if path == planted_in else ""))
        return [f"{path.relative_to(root)}:{line}: {what}"
                for path, line, what in check.CHECKS[name](root)]


for name in check.CHECKS:
    assert said_of(name) == [], (name, said_of(name))
for name, file, text, expected in PLANTED:
    assert said_of(name, file, text) == [expected], (expected, said_of(name, file, text))

# The page that a full run writes is prose, too, however long the names of what failed are.
REPORT = ["head\tscope\tall\t0", f"head\temulator\t{LONG}\t0", "head\tshard\t1/1\t0", f"head\tprocessor\t{LONG}\t0",
          f"left-out\t{LONG}\tno 32-bit programs\t0", f"test\tlinux/{LONG}\tFailed\t1"]
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "report.tsv").write_text("\n".join(REPORT) + "\n")
    scripts = pathlib.Path(__file__).resolve().parents[2] / "scripts"
    subprocess.run([scripts / "test-report", "--output", root / "page.md", "merge", root],
                   stdout=subprocess.DEVNULL, check=False)
    page = (root / "page.md").read_text()
    assert "FAILED" in page and "Faults:" in page and "could not:" in page and "programs: in " in page, page
    assert list(check.prose(root)) == [], list(check.prose(root))

# A machine without 32-bit programs does not begin some tests of linux-i686, and says of how many. What it
# does not say is a fault.
for listed, fault in ((4, False), (5, True)):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "report.tsv").write_text("\n".join((
            "head\tscope\tall\t0", "test\tlinux-i686/a\tPassed\t1", f"listed\tlinux-i686\t{listed}\t0",
            "left-out\t3 tests of linux-i686\tthey compute as QEMU does not\t0")) + "\n")
        said = subprocess.run([scripts / "test-report", "--output", root / "page.md", "merge", root],
                              stdout=subprocess.PIPE, text=True, check=False).stdout
        assert ("linux-i686: 1 tests ran of" in said) == fault, (listed, said)
