"""The package as it is handed on: the wheel, its README and page, its types, and how it finds the
library."""
import base64
import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile

import retropose
from retropose import Status, library
from shared import Case, ROOT, main, scratch

BINDINGS = ROOT / "bindings" / "python"
LIBRARY = os.environ["RETROPOSE_LIBRARY"]


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "RETROPOSE_LIBRARY")}
    return {**kept, **more}


def run(folder, *words, **more):
    return subprocess.run([sys.executable, *map(str, words)], cwd=folder, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=environment(**more))


def blocks(page):
    """(the Python of a page, what it says that this prints)"""
    code, printed = [], []
    for block in re.findall(r"```python\n(.*?)```\n(.*?)(?=```python|\Z)", page, re.S):
        code.append(block[0])
        output = re.search(r"```\n(.*?)```", block[1], re.S)
        printed.append(output[1] if output else "")
    return "".join(code), "".join(printed)


class Wheel(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch()
        done = run(cls.folder, "-B", BINDINGS / "build", "--library", LIBRARY, "-o", cls.folder)
        if done.returncode:
            raise AssertionError(done.stdout)
        cls.wheel = done.stdout.strip()
        cls.place = cls.folder / "installed"
        pip = run(cls.folder, "-m", "pip", "--version").returncode == 0
        if pip:
            done = run(cls.folder, "-m", "pip", "install", "--no-index", "--target", cls.place,
                       cls.wheel)
            if done.returncode:
                raise AssertionError(done.stdout)
        else:
            zipfile.ZipFile(cls.wheel).extractall(cls.place)
        print("installed by pip" if pip else "unpacked: there is no pip")
        made = subprocess.run([os.environ["RETROPOSE_COMMAND"], "gen", "corpus", "corpus",
                               "--libraries"], cwd=cls.folder, stdout=subprocess.DEVNULL, check=True)
        del made

    def test_the_wheel_says_what_it_holds(self):
        name = os.path.basename(self.wheel)
        self.assertRegex(name, r"^retropose-[\d.]+-py3-none-(linux_\w+)\.whl$")
        with zipfile.ZipFile(self.wheel) as archive:
            record = next(path for path in archive.namelist() if path.endswith("/RECORD"))
            rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
            self.assertEqual([row[0] for row in rows], archive.namelist())
            for path, digest, size in rows[:-1]:
                data = archive.read(path)
                stated = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
                self.assertEqual((digest, size), ("sha256=" + stated.decode(), str(len(data))))
            self.assertIn("retropose/py.typed", archive.namelist())
            info = archive.read(record.replace("RECORD", "METADATA")).decode()
        self.assertIn("\nVersion: %s\n" % retropose.version(), info)
        again = run(self.folder, "-B", BINDINGS / "build", "--library", LIBRARY, "-o",
                    self.folder / "again").stdout.strip()
        with open(self.wheel, "rb") as one, open(again, "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_a_wheel_without_a_library_is_for_all_systems(self):
        path = run(self.folder, "-B", BINDINGS / "build", "--library", "none", "-o",
                   self.folder / "any").stdout.strip()
        self.assertTrue(path.endswith("-py3-none-any.whl"), path)
        for wrong in ("nothing.so", self.wheel):
            done = run(self.folder, "-B", BINDINGS / "build", "--library", wrong, "-o", "x")
            self.assertNotEqual(done.returncode, 0)
            self.assertNotIn("Traceback", done.stdout)

    def test_the_installed_package_uses_its_own_library(self):
        code = "import retropose; print(retropose.library_path()); print(retropose.version())"
        done = run(self.folder, "-B", "-c", code, PYTHONPATH=str(self.place))
        path, version = done.stdout.splitlines()
        self.assertEqual(os.path.dirname(path), str(self.place / "retropose"))
        self.assertEqual(version, retropose.version())

    def test_readme_and_page_print_what_they_say(self):
        for page in (BINDINGS / "README.md", ROOT / "docs/use/python.md"):
            code, printed = blocks(page.read_text(encoding="utf-8"))
            done = run(self.folder, "-B", "-c", code, PYTHONPATH=str(self.place))
            self.assertEqual(done.stdout, printed, page)


class Types(Case):
    def test_types_are_sound(self):
        mypy = shutil.which("mypy")
        if not mypy:
            self.skipTest("mypy is not installed")
        done = subprocess.run(
            [mypy, "--strict", "--cache-dir", os.devnull, "--config-file",
             BINDINGS / "pyproject.toml", BINDINGS / "retropose"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_everything_that_is_offered_is_there(self):
        for name in retropose.__all__:
            self.assertTrue(hasattr(retropose, name), name)


class Finding(Case):
    """How the library is found, each in a process of its own."""

    def try_it(self, code, **more):
        done = run(ROOT, "-B", "-c", "import retropose\n" + code, PYTHONPATH=str(BINDINGS), **more)
        return done.stdout

    def test_the_argument_comes_before_the_environment(self):
        code = "retropose.load(%r); print(retropose.library_path())" % LIBRARY
        self.assertEqual(self.try_it(code, RETROPOSE_LIBRARY="/nowhere").strip(), LIBRARY)

    def test_the_environment_says_which(self):
        code = "print(retropose.library_path())"
        self.assertEqual(self.try_it(code, RETROPOSE_LIBRARY=LIBRARY).strip(), LIBRARY)

    def test_a_missing_library_is_named(self):
        code = ("try: retropose.version()\n"
                "except retropose.RetroposeError as error: print(error.status.name, error)")
        printed = self.try_it(code, RETROPOSE_LIBRARY="/nowhere/lib.so")
        self.assertIn("NOT_FOUND", printed)
        self.assertIn("/nowhere/lib.so", printed)
        self.assertIn("RETROPOSE_LIBRARY", printed)

    def test_another_library_is_refused(self):
        code = ("try: retropose.load('libc.so.6')\n"
                "except retropose.RetroposeError as error: print(error)")
        self.assertIn("this library is no libretropose", self.try_it(code))

    def test_another_version_is_refused(self):
        class Number:
            restype = None

            def __call__(self):
                return 2003004

        class Other:
            RpVersion_Number = Number()

        error = self.refused(Status.UNSUPPORTED, library._check_version, Other, "other.so")
        self.assertEqual((error.expected, error.found), ("version 1.x", "version 2.3.4"))

    def test_a_second_library_is_refused(self):
        retropose.version()
        self.refused(Status.INVALID, retropose.load, "/nowhere")
        retropose.load(retropose.library_path())


if __name__ == "__main__":
    main()
