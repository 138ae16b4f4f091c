# shellcheck shell=sh
# What the tests of verbs begin with. A script sets `verb` to the words in front of those that it
# gives itself, and reads this file. Its first argument is the command. It then runs in a folder of
# its own, which is removed at its end.
retropose=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "failed: $*" >&2
    exit 1
}

# expect CODE WORDS...: the command's exit code; what it prints is in `out`, complaints in `err`
expect() {
    wanted=$1
    shift
    code=0
    # shellcheck disable=SC2086,SC2154 # several words, which the script set
    "$retropose" $verb "$@" >out 2>err || code=$?
    [ "$code" = "$wanted" ] || { cat out err; fail "$verb $*: exit code $code, not $wanted"; }
}

says() { # WORDS [FILE]
    grep -qF -e "$1" "${2:-out}" || { cat out err; fail "\"$1\" is not in ${2:-out}"; }
}

says_not() { # WORDS
    if grep -qF -e "$1" out; then cat out; fail "\"$1\" is in the output"; fi
}

same() { # FILE FILE
    cmp "$1" "$2" || fail "$1 and $2 differ"
}

is_json() { # FILE
    python3 -m json.tool "$1" >/dev/null || fail "$1 is not JSON"
}
