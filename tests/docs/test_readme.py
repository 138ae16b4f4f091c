#!/usr/bin/env python3
"""readme finds what it is there for: each planted fault, and nothing in a page that is right."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
LOADER = importlib.machinery.SourceFileLoader("readme", str(HERE / "readme"))
readme = importlib.util.module_from_spec(importlib.util.spec_from_loader("readme", LOADER))
LOADER.exec_module(readme)

RIGHT = """# A page

```
$ printf 'one\\ntwo\\nthree\\n' >lines.tmp; cat lines.tmp
one
...
three
$ wc -c <lines.tmp >&2
14
```

```sh
no session, but a file
$ false
```

```
$ cat lines.tmp; printf '50 %%%%\\r\\033[K80 %%%%\\r\\033[Kdone\\n'
... 
two
th...
done
$ echo "size $$ of 3"
size ... of 3
$ scripts/replay --original GAME --json out.json
anything
$ retropose probe --original GAME
...
$ cmake --preset linux && cmake --build --preset linux
```
"""
PLANTED = [
    ("$ echo two\none\n", "and the page shows"),  # another output
    ("$ printf 'one\\ntwo\\n'\none\n", "and the page shows"),  # a line too many
    ("$ echo one\none\ntwo\n", "and the page shows"),  # a line too few
    ("$ echo\n", "and the page shows"),  # an empty line
    ("$ echo one two\none\n", "and the page shows"),  # the rest of a line
    ("$ echo one; false\none\n", "exit code 1"),
    ("$ retropose-of-nobody\n", "exit code 127"),
    ("$ scripts/replay --originals GAME\n", "has no option --originals"),
    ("$ retropose probe --originals GAME\n", "has no option --originals"),
    ("$ scripts/replays\n", "is no program"),
    ("$ cmake --preset lynx\n", "there is no preset lynx"),
    ("$ echo >left\n", "does not name: ['left']"),
    ("echo one\n", "begins with no command"),
]


def said_of(text, windows="/nowhere"):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
        page = pathlib.Path(folder, "page.md")
        page.write_text(text)
        (pathlib.Path(folder) / "retropose").write_text("#!/bin/sh\necho '  --original DIR --json FILE'\n")
        (pathlib.Path(folder) / "retropose").chmod(0o755)
        code = readme.main([str(page), str(SOURCE), f"{folder}/retropose", windows])
    return code, said.getvalue()


assert said_of(RIGHT) == (0, "4 commands of page.md print what it shows\n"), said_of(RIGHT)
for block, expected in PLANTED:
    found, words = said_of(RIGHT + "\n```\n" + block + "```\n")
    assert found == 1 and expected in words, (block, found, words)
assert said_of("# Nothing\n")[0] == 1
readme.SECONDS = 1
found, words = said_of("# A page\n\n```\n$ sleep 60\n```\n")
assert found == 1 and "not ended after 1 seconds" in words, (found, words)
readme.SECONDS = 300
# Without the DLLs the rest is run, and the test counts as skipped.
without = RIGHT + "\n```\n$ cp -r build/windows/standin GAME\n```\n"
assert said_of(without)[0] == 77, said_of(without)
assert said_of(without + "\n```\n$ false\n```\n")[0] == 1
