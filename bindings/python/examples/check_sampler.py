#!/usr/bin/env python3
"""Checks a spherical interpolation of one's own against recorded calls of the game's function.

    check_sampler.py TRACE...

Put your own sampler in the place of `slerp`, and take the function and the names of its parameters
from docs/reference/abi.md."""
import math
import sys

import retropose


def slerp(q0, q1, t):
    """A slerp as one writes it in Python, whose numbers are doubles: it is near the game's, whose
    steps are each rounded to 24 bits, and cannot have all of its bits."""
    dot = sum(a * b for a, b in zip(q0, q1))
    sign = -1.0 if dot < 0 else 1.0
    weights = 1.0 - t, t
    if 1.0 - abs(dot) > 1e-5:
        angle = math.acos(abs(dot))
        weights = tuple(math.sin(weight * angle) / math.sin(angle) for weight in weights)
    return [weights[0] * a + sign * weights[1] * b for a, b in zip(q0, q1)]


def a_game_makes_it(call):
    """With the game's control word, of two rotations, at a time between both."""
    q0, q1, (t,) = call.input("q0", 4), call.input("q1", 4), call.input("t", 1)
    lengths = [sum(x * x for x in q) for q in (q0, q1)]
    return call.control_word == 0x7F and 0 <= t <= 1 and all(
        0.9999 < length < 1.0001 for length in lengths)


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    for path in sys.argv[1:]:
        try:
            report = retropose.check_sampler(path, "ngi32.slot17", slerp, accept=a_game_makes_it)
        except retropose.RetroposeError as error:
            print("check_sampler.py: %s" % error, file=sys.stderr)
            return 1
        print(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
