#!/usr/bin/env bash
# replay.sh RETROPOSE WINDOWS_BUILD VARIANT...: what each variant of the stand-in says of itself is all
# that replay needs: called as its truth says, with its readings, the library gives the same bits; and
# with another's truth it is noticed.
set -euo pipefail

retropose=$1
build=$2
shift 2
if [ ! -e "$build/standin/Ngi32.dll" ] || [ ! -e "$build/variants/$1/truth.overlay" ]; then
    echo "no variants in $build: build the windows preset first"
    exit 77
fi
export RETROPOSE_HOME=$build

# The class that the variant takes the processor for is forced upon the library, too.
replay() { # VARIANT OPTION...
    local folder=$build/variants/$1 chosen
    shift
    chosen=$(sed -n 's/^build //p' "$folder/truth.txt")
    local -A force=([generic]=7 [fxch]=7 [sse]=2) # no value means FXCH alone
    "$retropose" replay --quiet --original "$folder" --replacement native \
        ${force[$chosen]:+--force-cpu "${force[$chosen]}"} --scenario slots:3000 \
        --scenario poses:1500 --scenario blends:1000 --scenario mesh:4000 "$@"
}

for variant in "$@"; do
    folder=$build/variants/$variant
    status=0
    replay "$variant" --overlay "$folder/truth.overlay" --profile "$folder/truth.profile" \
        >"$folder/replay.txt" 2>&1 || status=$?
    tail -n 1 "$folder/replay.txt"
    if [ "$status" -ne 0 ]; then
        cat "$folder/replay.txt"
        echo "$variant: exit code $status"
        exit 1
    fi
done

# The overlay is made for the very files: that of another pair is refused.
other=$build/variants/$1
status=0
replay "$2" --overlay "$other/truth.overlay" >"$other/refused.txt" 2>&1 || status=$?
if [ "$status" -eq 0 ] || ! grep -q 'the overlay is of another file' "$other/refused.txt"; then
    cat "$other/refused.txt"
    echo "$2 was replayed with the overlay of $1: exit code $status"
    exit 1
fi
