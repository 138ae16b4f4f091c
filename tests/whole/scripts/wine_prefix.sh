#!/bin/sh
# The private Wine prefix: two programs at once make it once, exit codes pass, output does not keep a
# reader waiting, and the user's prefix stays as it is. prefix.sh WINE-RUN FOLDER
set -eu

run=$1
folder=$2
command -v wine >/dev/null 2>&1 || { echo 'skipped: Wine is not installed'; exit 77; }

fail() {
    echo "prefix.sh: $*" >&2
    exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
trap 'WINEPREFIX=$folder/prefix wineserver -k 2>/dev/null || :; rm -rf "$folder"' EXIT

export RETROPOSE_WINEPREFIX="$folder/prefix" WINEPREFIX="$folder/users"
"$run" cmd /c exit 5 >/dev/null 2>&1 &
first=$!
"$run" cmd /c exit 6 >/dev/null 2>&1 &
second=$!
code=0
wait "$first" || code=$?
[ "$code" -eq 5 ] || fail "the first program ended with $code, not 5"
code=0
wait "$second" || code=$?
[ "$code" -eq 6 ] || fail "the second program ended with $code, not 6"
[ -e "$folder/prefix/retropose-ready" ] || fail "the prefix was not made"
[ ! -e "$folder/users" ] || fail "the user's prefix was touched"

# A background process of Wine must not hold the pipe.
words=$(timeout 60 "$run" cmd /c echo heard </dev/null) || fail "the reader of a pipe waited"
[ "$(printf '%s' "$words" | tr -d '\r')" = heard ] || fail "unexpected output: $words"

code=0
"$run" >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "no arguments gave $code, not 2"
code=0
PATH=/nowhere /bin/sh "$run" x >/dev/null 2>&1 || code=$?
[ "$code" -eq 127 ] || fail "without Wine it gave $code, not 127"
