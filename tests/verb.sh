# shellcheck shell=sh
# What the tests of verbs begin with. A script sets `verb` to the words in front of those that it
# gives itself, and reads this file. Its first argument is the command. It has a folder of its own,
# $work, which is removed at its end.
retropose=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/command.sh
. "$(dirname "$0")/../../command.sh"

run() {
    # shellcheck disable=SC2086,SC2154 # several words, which the script set
    "$retropose" $verb "$@" >out 2>err
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
