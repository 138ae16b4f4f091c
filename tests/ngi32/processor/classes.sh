#!/bin/sh
# Runs print_processor on processors of the time: classes.sh PRINT_PROCESSOR
# PRINT_PROCESSOR is a static 32-bit Linux program; qemu-i386 plays the processors.
set -u

program=$1
failures=0

check() { # PROCESSOR EXPECTED
    found=$(qemu-i386 -cpu "$1" "$program" 2>&1)
    if [ "$found" = "$2" ]; then
        echo "ok      $1: $found"
    else
        echo "FAILED  $1: expected \"$2\", found \"$found\""
        failures=$((failures + 1))
    fi
}

check pentium2 'sse 0, 3dnow 0, fxch 1, mmx 1: fxch, x87'
check pentium3 'sse 1, 3dnow 0, fxch 1, mmx 1: sse, x87'
# Not an Intel, hence not FXCH, whatever its family; QEMU's has 3DNow! beside SSE.
check athlon 'sse 1, 3dnow 1, fxch 0, mmx 1: sse, core'
# SSE, 3DNow! and MMX taken away one by one: generic builds for 3DNow! processors and for bare ones.
check athlon,-sse,-sse2 'sse 0, 3dnow 1, fxch 0, mmx 1: generic, x87'
check athlon,-sse,-sse2,-3dnow,-3dnowext 'sse 0, 3dnow 0, fxch 0, mmx 1: generic, x87'
check pentium2,-mmx 'sse 0, 3dnow 0, fxch 1, mmx 0: fxch, x87'
# An Intel of family 5 has no pairing of FXCH.
check pentium2,family=5 'sse 0, 3dnow 0, fxch 0, mmx 1: generic, x87'
# Family 15, the next after 6, has it again.
check pentium2,family=15 'sse 0, 3dnow 0, fxch 1, mmx 1: fxch, x87'

[ "$failures" -eq 0 ]
