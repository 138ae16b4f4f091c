#!/bin/sh
# retropose probe: its exit codes, what it prints and what it writes.
#   cli.sh RETROPOSE WINDOWS_BUILD
set -u
retropose=$1
build=$2
[ -e "$build/standin/Ngi32.dll" ] || exit 77
RETROPOSE_HOME=$build
export RETROPOSE_HOME
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # CODE WORDS-OF-OUTPUT ARGUMENT...
    code=$1
    words=$2
    shift 2
    "$retropose" probe "$@" >"$work/out" 2>&1
    status=$?
    if [ "$status" -ne "$code" ] || ! grep -qF -- "$words" "$work/out"; then
        echo "probe $*: $status, expected $code and: $words"
        cat "$work/out"
        failed=1
    fi
}

has() { # LINE-OF-THE-OVERLAY
    if ! grep -qF -- "$1" "$work/made.overlay"; then
        echo "the overlay lacks: $1"
        cat "$work/made.overlay"
        failed=1
    fi
}

expect 0 'fastcall(quaternion, matrix) in' -q --original "$build/standin" \
    --functions ngi32.slot14,animesh.SetColumn -o "$work/made.overlay"
has 'call fastcall(quaternion,matrix) evidence static+dynamic'
has 'function animesh.SetColumn at 0x0B8E0 call fastcall(matrix,column,vector)'
# What a function does with its arguments is seen, in whatever way it is called.
seen='reads quaternion 16; writes matrix 64; takes 0 bytes off the stack; leaves nothing on the x87 stack'
expect 0 "$seen" -q --original "$build/standin" --functions ngi32.slot14
expect 0 "\"$seen\"" -q --original "$build/standin" --functions ngi32.slot14 --json
expect 0 "<td>$seen</td>" -q --original "$build/standin" --functions ngi32.slot14 --html -
expect 0 'reads quaternion 16; writes matrix 64; takes 8 bytes off the stack' -q \
    --original "$build/variants/stacked" --functions ngi32.slot14
expect 0 'leaves a number on the x87 stack' -q --original "$build/standin" --functions ngi32.slot11
expect 0 "2 of 2 probed functions verified; next: $retropose calibrate --original $build/standin --overlay $work/made.overlay -o $work/retropose.profile" \
    --original "$build/standin" --functions ngi32.slot14,animesh.SetColumn -o "$work/made.overlay"
# A second run keeps what it does not ask for.
expect 0 'cdecl()' -q --original "$build/standin" --functions ngi32.SetFpuControlWord \
    -o "$work/made.overlay"
has 'function animesh.SetColumn at 0x0B8E0'
has 'function ngi32.SetFpuControlWord at 0x06D00 call cdecl()'
# Code alone can be analysed where there is no Wine, too.
mkdir "$work/bin"
for tool in grep cat; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH=$work/bin expect 0 'loads as a float [esp+4]' -q --original "$build/standin" --static-only \
    --evidence --functions ngi32.ngiGetSinCos
expect 0 '"verdict":' -q --json --static-only --original "$build/standin" --functions 'ngi32.slot4'
expect 1 'no candidate reproduces the formula' -q --original "$build/tests/replay/host/rogue" \
    --functions ngi32.slot17
expect 3 'not loaded' -q --original "$build/tests/replay/host/exits" --functions ngi32.slot17
expect 2 '--original' -q
expect 2 'missing' -q --original "$work"
expect 2 'ngi32.slot' -q --original "$build/standin" --functions ngi32.slott4
exit $failed
