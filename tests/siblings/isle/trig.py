#!/usr/bin/env python3
"""Checks that the results print_trig prints are the correctly rounded ones: trig.py PRINT_TRIG."""
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from reference import arc_cosine64, cosine64, sine64

functions = {"s": sine64, "c": cosine64, "a": arc_cosine64}


def number(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
wrong = 0
for line in lines:
    name, argument, result = line.split()
    if functions[name](number(argument)) != number(result):
        wrong += 1
        print(f"{line}: expected {struct.pack('>d', functions[name](number(argument))).hex()}")
print(f"{len(lines)} results, {wrong} wrong")
sys.exit(0 if len(lines) == 18000 and wrong == 0 else 1)
