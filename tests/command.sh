# Shared by the scripts that run the command and look at what it says.
# shellcheck shell=sh
# Before it is read: set -eu; retropose=PROGRAM, and output=FOLDER where `out` and `err` are not to be
# in the folder in which a script works.
output=${output:-.}

fail() {
    echo "failed: $*" >&2
    exit 1
}

# What the command prints goes to `out`, complaints to `err`. A script may run it in another way.
run() {
    "${retropose:?}" "$@" >"$output/out" 2>"$output/err"
}

# expect CODE WORDS...: the exit code
expect() {
    wanted=$1
    shift
    code=0
    run "$@" || code=$?
    [ "$code" = "$wanted" ] || { cat "$output/out" "$output/err"; fail "$*: exit code $code, not $wanted"; }
}

has() { # F|E TEXT [out|err|FILE]
    heard=${3:-out}
    case $heard in out | err) heard=$output/$heard ;; esac
    grep -q "-$1" -e "$2" "$heard" || { cat "$output/out" "$output/err"; fail "\"$2\" is not in ${3:-out}"; }
}

says() { # TEXT [out|err|FILE]
    has F "$@"
}

matches() { # EXPRESSION [out|err|FILE]
    has E "$@"
}

# told CODE TEXT WORDS..., complains CODE TEXT WORDS...: the exit code, and what is printed or complained
told() {
    wanted=$1 text=$2
    shift 2
    expect "$wanted" "$@"
    says "$text"
}

complains() {
    wanted=$1 text=$2
    shift 2
    expect "$wanted" "$@"
    says "$text" err
}
