#!/usr/bin/env python3
"""Checks the Markdown pages of a tree, what its other files say of them, and the public headers.

    check.py links ROOT      every relative link leads to a file, and to a heading where it names one
    check.py mentions ROOT   every page of docs/ that a text file names, in a comment too, is a file;
                             pages that cite other projects' documents are excepted
    check.py prose ROOT      no line of prose is longer than 100 columns; tables, code blocks and
                             lines that hold nothing but links may be
    check.py headers ROOT    every function of include/retropose/ has a comment of its own straight
                             above it, which is one sentence or more; it names the statuses
                             that a function of type RpStatus returns besides RP_OK, or says
                             that its errors are those of another function
    check.py words ROOT      a page does not call a thing by another word than the glossary does;
                             code is excepted (but not the command's help), and so are pages that
                             cite other projects' documents

Every fault is printed as FILE:LINE: what is wrong. Exits with 1 if there is any.
"""
import os
import pathlib
import re
import sys

COLUMNS = 100
# Pages that cite other projects' documents, whose folders are called docs/, too.
CITING = ("docs/facts/", "docs/sources.md")
# The page of scripts/help-texts, whose boxes are what the command says as its help: prose, too.
HELP = "commands.md"
# What must not be said in prose, and the glossary's word or the usual spelling for it.
WORDS = [(re.compile(pattern.replace(" ", r"\s+")), word) for pattern, word in [
    (r"(?i)\bcalling conventions?\b", "convention"),
    (r"(?i)\bkey-?frames?\b", "key"),
    (r"(?i)\bstand in (?:pair|DLLs?|plays)\b|\bstandins?\b", "stand-in"),
    (r"(?i)\bretail (?:pair|version|binar(?:y|ies))\b", "retail files, or original"),
    (r"(?i)\b(?:genuine|vanilla) (?:DLLs?|files?)\b", "retail files, or original"),
    (r"(?i)\breimplementations?\b", "replacement"),
    (r"(?i)\bFPU (?:control )?word\b", "control word"),
    (r"\b(?:GLTF|Gltf|GlTF)\b", "glTF"),
    (r"\b(?:NGI32|ngi32)\.dll\b", "Ngi32.dll"),
    (r"\b(?:ANIMESH|animesh|Animesh)\.dll\b", "AniMesh.dll"),
]]
# Folders that hold no source of this project.
FOREIGN = {".git", "build", "node_modules", "__pycache__"}
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)\)")
MENTION = re.compile(r"(?<![\w./])docs/(?:[a-z][\w.-]*/)*(?:[a-z][\w.-]*|README)\.(?:md|ksy|jpg|png|svg)\b")


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in FOREIGN
                            and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt")))
        for name in sorted(names):
            yield pathlib.Path(folder, name)


def text_of(path):
    data = path.read_bytes() if path.is_file() else b""
    try:
        return "" if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return ""


def lines_outside_code(text):
    """(number, line) of everything that is not in a fenced block."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark[1]
        elif fence is not None:
            if mark and mark[1].startswith(fence):
                fence = None
        else:
            yield number, line


def prose_of(page):
    """The text without code, with all its lines."""
    text = text_of(page)
    kept = [""] * len(text.splitlines())
    for number, line in lines_outside_code(text):
        kept[number - 1] = line
    return re.sub(r"`(?:[^`\n]|\n(?!\n))*`", lambda code: re.sub(r"[^\n]", "", code[0]), "\n".join(kept))


def links_of(page):
    """(number, target) of every link outside of code; a link's text may go over several lines."""
    text = prose_of(page)
    for link in LINK.finditer(text):
        yield text.count("\n", 0, link.end()) + 1, link[1]


def anchors_of(path):
    """What a link may name behind #: the headings, spelt as GitHub spells them, and <a id="...">."""
    seen, anchors = {}, set()
    for _, line in lines_outside_code(text_of(path)):
        anchors.update(re.findall(r'<a id="([^"]+)">', line))
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        anchors.add(f"{slug}-{count}" if count else slug)
    return anchors


def links(root):
    for page in files_of(root):
        if page.suffix != ".md":
            continue
        for number, target in links_of(page):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            if root != file.resolve() and root not in file.resolve().parents:
                yield page, number, f"the link {target} leaves the tree"
            elif not file.exists():
                yield page, number, f"the link {target} leads to no file"
            elif anchor and anchor not in anchors_of(file):
                yield page, number, f"the link {target} leads to no heading of {file.name}"


def mentions(root):
    for path in files_of(root):
        if path.relative_to(root).as_posix().startswith(CITING):
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            for name in MENTION.findall(line):
                if not (root / name).is_file():
                    yield path, number, f"{name} does not exist"


def prose(root):
    for page in files_of(root):
        if page.suffix != ".md":
            continue
        for number, line in lines_outside_code(text_of(page)):
            if len(line) > COLUMNS and not line.lstrip().startswith("|") \
                    and re.search(r"\w", LINK.sub("", line)):
                yield page, number, f"prose of {len(line)} columns, {COLUMNS} are allowed"


# A comment, or the declaration of a function; comments within a declaration are none.
DECLARED = re.compile(r"(?P<comment>/\*.*?\*/)"
                      r"|^(?!typedef\b|static\b)[A-Za-z_][^;{}#/]*?\b(?P<name>Rp\w+)\([^;{]*?;", re.M | re.S)

STATUS = re.compile(r"\bRP_(?:TRUNCATED|CORRUPT|UNSUPPORTED|INVALID|NOT_FOUND|IO|NO_MEMORY|CRASHED)\b")
SAME_ERRORS = re.compile(r"\b[Ee]rrors are those of (Rp\w+)")


def headers(root):
    named = {} # {function: whether its comment names a status}
    borrowed = [] # (header, line, function, whose errors it has)
    for header in sorted((root / "include/retropose").glob("*.h*")):
        text = text_of(header)
        comment = None
        for found in DECLARED.finditer(text, text.find("\nRP_API_BEGIN\n") + 1):
            if found["comment"]:
                comment = found
                continue
            number = text.count("\n", 0, found.start()) + 1
            between = text[comment.end():found.start()] if comment else "none"
            if between != "\n" or comment["comment"].startswith("/* ----"):
                yield header, number, f"{found['name']} has no comment of its own"
            elif not re.match(r"/\* [A-Z].*[.:]\s+\*/$|/\* [A-Z][^/]*\.[^/]*\*/$",
                              comment["comment"], re.S):
                yield header, number, f"the comment of {found['name']} is no sentence"
            elif found[0].startswith("RpStatus "):
                said = re.sub(r"\s+(?:\* )?", " ", comment["comment"])
                named[found["name"]] = bool(STATUS.search(said))
                other = SAME_ERRORS.search(said)
                if other:
                    borrowed.append((header, number, found["name"], other[1]))
                elif not named[found["name"]]:
                    yield header, number, f"the comment of {found['name']} names no error"
    for header, number, name, other in borrowed:
        if not named.get(other):
            yield header, number, f"{name} has the errors of {other}, whose comment names none"


def words(root):
    for page in files_of(root):
        if page.suffix != ".md" or page.relative_to(root).as_posix().startswith(CITING):
            continue
        text = text_of(page) if page.name == HELP else prose_of(page)
        for pattern, word in WORDS:
            for found in pattern.finditer(re.sub(r"<!--.*-->", "", text)):
                said = " ".join(found[0].split())
                yield page, text.count("\n", 0, found.start()) + 1, f"{said}: the word is {word}"


CHECKS = {"links": links, "mentions": mentions, "prose": prose, "words": words,
          "headers": headers}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    top = pathlib.Path(sys.argv[2]).resolve()
    faults = list(CHECKS[sys.argv[1]](top))
    for where, at, what in faults:
        print(f"{where.relative_to(top)}:{at}: {what}")
    sys.exit(bool(faults))
