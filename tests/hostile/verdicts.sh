#!/bin/sh
# verdicts.sh RETROPOSE TRACES: nothing that was not compared, and nothing that was compared under other
# conditions, ends like a success.
set -eu
retropose=$1
traces=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$1"
    cat out
    exit 1
}

# ends CODE ARGUMENT...: the command ends so.
ends() {
    expected=$1
    shift
    code=0
    "$retropose" "$@" >out 2>&1 || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected: $*"
}

says() {
    grep -Eq -- "$1" out || fail "does not say: $1"
}

says_not() {
    if grep -Eq -- "$1" out; then fail "says: $1"; fi
}

# 64 calls of 4,096 can be made in this process: the others unmask exceptions.
own='--original native --replacement native --quiet'
# shellcheck disable=SC2086 # several words
ends 4 replay $own "$traces/control.rptrace" --junit junit.xml --json report.json
says '^64 of 4096 calls compared, 0 different; NOT COMPARED: 4032 unsupported$'
says 'SetFpuControlWord .* PARTLY COMPARED$'
says_not '^[0-9]+ calls compared'
grep -q 'skipped="1"' junit.xml || fail 'JUnit: not skipped'
grep -q '<skipped message="4032 of 4096 calls not compared: 4032 unsupported"/>' junit.xml ||
    fail 'JUnit: no reason'
grep -q '"exit_code":[[:space:]]*4' report.json || fail 'JSON: another exit code'
# shellcheck disable=SC2086
ends 0 replay $own "$traces/control.rptrace" --allow-partial
says '^64 of 4096 calls compared, 0 different; NOT COMPARED: 4032 unsupported$'

# Results of unlike readings and classes, of calls on which these have no bearing.
results() { # NAME GEN_OPTION...
    name=$1
    shift
    "$retropose" gen control "$name" --calls 640 --quiet "$@"
    # shellcheck disable=SC2086
    "$retropose" replay $own "$name" --keep --work "$name.work" --allow-partial >/dev/null 2>&1 || :
    mv "$name.work"/retropose-*/* "$name.work" # the run works in a folder of its own there
}
results plain
results wxyz --readings key-order=wxyz
results class --force-cpu 7
results build --slot-build generic
plain=plain.work/000000-a.trace
for other in wxyz:readings class:force-cpu build:slot-build; do
    trace=${other%:*}.work/000000-a.trace
    ends 2 compare "$plain" "$trace"
    says "unlike ${other#*:}"
    ends 0 compare "$plain" "$trace" --allow-unlike --allow-partial
done
ends 0 compare wxyz.work/000000-a.trace wxyz.work/000000-b.trace --allow-partial
says '^readings: key-order=wxyz, '
ends 0 compare "$plain" "$plain" --allow-partial
says '^readings: default, '
