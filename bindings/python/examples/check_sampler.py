#!/usr/bin/env python3
"""Checks a sampler of one's own, and its spherical interpolation, against recorded calls.

    check_sampler.py TRACE...

Put your own functions in the place of `slerp` and `sample`."""
import math
import struct
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


def key_of(skeleton, index):
    """Time, position and rotation of a key of Res8, which stores a rotation as x, y, z, w."""
    x, y, z, time, *rotation = struct.unpack_from("<4f4h", skeleton.keys, 24 * index)
    qx, qy, qz, qw = (number / 32767 for number in rotation)
    return time, (x, y, z), (qw, qx, qy, qz)


def sample(skeleton, t):
    """The rotation and the position of a node at a time, in doubles: what is between two keys lies
    on a line, and rotations on the arc."""
    map_start, fallback = struct.unpack_from("<2H", skeleton.nodes, 38 * skeleton.node + 4)
    frame, index = round(t - 0.5), fallback
    if 0 <= frame < skeleton.frame_count and map_start != 0xFFFF:
        (index,) = struct.unpack_from("<H", skeleton.frame_map, 2 * (map_start + frame))
    time, position, rotation = key_of(skeleton, min(index, fallback))
    if index >= fallback or t == time:
        return rotation, position
    after, position_after, rotation_after = key_of(skeleton, index + 1)
    alpha = (t - time) / (after - time)
    place = [a + alpha * (b - a) for a, b in zip(position, position_after)]
    return slerp(rotation, rotation_after, alpha), place


CHECKS = (("ngi32.slot17", slerp, a_game_makes_it), ("animesh.SampleNode", sample, None))


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    for path in sys.argv[1:]:
        try:
            recorded = {call.function for call in retropose.Trace.open(path)}
            checks = [check for check in CHECKS if check[0] in recorded] or CHECKS
            for function, own, accept in checks:
                print(retropose.check_sampler(path, function, own, accept=accept))
        except retropose.RetroposeError as error:
            print("check_sampler.py: %s" % error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
