"""What the tests of bindings/python have in common."""
import os
import shutil
import sys
import unittest
from pathlib import Path

if os.environ.get("RETROPOSE_WITHOUT_NUMPY"):  # as on a machine that lacks it
    sys.modules["numpy"] = None
import retropose  # noqa: E402

ROOT = Path(os.environ["RETROPOSE_ROOT"])
SCRATCH = Path(os.environ["RETROPOSE_SCRATCH"])


def scratch():
    """An empty folder."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    return SCRATCH


class Case(unittest.TestCase):
    def refused(self, status, function, *arguments, **named):
        """Calls a function that has to fail, and returns the error."""
        with self.assertRaises(retropose.RetroposeError) as caught:
            function(*arguments, **named)
        self.assertEqual(caught.exception.status, status, str(caught.exception))
        self.assertTrue(caught.exception.what)
        return caught.exception


class Random:
    """Numbers that look random, and are the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def main():
    unittest.main(verbosity=2)
