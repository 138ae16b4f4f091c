#!/bin/sh
# Runs print_width on processors that QEMU plays: test_widths.sh PRINT_WIDTH QEMU BITS
# PRINT_WIDTH is a static Linux program of so many bits. A processor without AVX-512, AVX2 or SSE2 has
# to take the next narrower way, and all have to give the same digest, which this processor gives, too.
# QEMU plays no AVX-512: that width is met where this processor has it.
set -u

program=$1
qemu=$2
failures=0

own=$("$program") || failures=1
digest=${own#* }
echo "ok      this processor: $own"

check() { # PROCESSOR WIDTH
    if found=$("$qemu" -cpu "$1" "$program" 2>/dev/null) && [ "$found" = "$2 $digest" ]; then
        echo "ok      $1: $found"
    else
        echo "FAILED  $1: expected \"$2 $digest\", found \"$found\""
        failures=$((failures + 1))
    fi
}

takes() { # PROCESSOR WIDTH
    found=$("$qemu" -cpu "$1" "$program" 2>/dev/null)
    case $found in
    "$2 "*) echo "ok      $1: $2" ;;
    *)
        echo "FAILED  $1: expected $2, found \"$found\""
        failures=$((failures + 1))
        ;;
    esac
}

if [ "$3" = 64 ]; then
    check qemu64 sse2
    check Nehalem sse2
    # AVX without AVX2
    check SandyBridge sse2
    check Haswell avx2
    check Haswell,-avx2 sse2
    # A processor that has AVX-512, of which QEMU leaves the rest.
    check Skylake-Server avx2
else
    # Before SSE2, and one from which it was taken away: the x87 is taken. QEMU's arc tangent is not
    # the x87's under this control word, so the digest is not compared there.
    takes pentium3 x87
    takes qemu32,-sse2 x87
    check athlon sse2
    check Nehalem sse2
    # 32-bit programs do without AVX.
    check Haswell sse2
    check max sse2
fi

[ "$failures" -eq 0 ]
