#!/bin/sh
# Makes the bundled traces with the outputs of the stand-in, and their list of SHA-256; in siblings/
# those of functions without a DLL, with the outputs of the library.
#
#     traces/make.sh [RETROPOSE [DIR]]
#
# RETROPOSE is the command (default: retropose of the search path), DIR the folder to write to
# (default: this one). docs/scenarios.md says what each trace is for. The outputs are this
# processor's own: rcpss, rsqrtss and the transcendentals differ elsewhere.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
retropose=${1:-retropose}
out=${2:-$here}
seed=2001
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# make FILE SCENARIO CALLS [OPTION...]
make() {
    file=$1 scenario=$2 calls=$3
    shift 3
    "$retropose" gen "$scenario" "$work/calls" --calls "$calls" --seed $seed "$@"
    "$retropose" replay "$work/calls" --keep --work "$work" --quiet >"$work/report"
    "$retropose" trim "$work/000000-a.trace" "$out/$file.rptrace" --select '*' --compress
    tail -n 1 "$work/report" | sed "s/^/$file: /"
}

# make_sibling FILE SCENARIO CALLS
make_sibling() {
    "$retropose" gen "$2" "$work/calls" --calls "$3" --seed $seed
    "$retropose" replay "$work/calls" --original native --replacement native --keep \
        --work "$work" --quiet >"$work/report"
    "$retropose" trim "$work/000000-a.trace" "$out/siblings/$1.rptrace" --select '*' --compress
    tail -n 1 "$work/report" | sed "s/^/siblings\/$1: /"
}

make slots slots 20000
make edges edges 24000
make words words 36000
make poses poses 32768
make blends blends 9216
make models models 4000
make control control 4096
make stubs stubs 600
make mesh mesh 5000
make poses-wxyz poses 16384 --hypotheses key-order=wxyz
make blends-wxyz blends 4608 --hypotheses key-order=wxyz
for class in 2 3 4 5 6 7; do
    make "classes-$class" classes 2000 --force-cpu "$class"
done
for build in generic fxch; do
    make "builds-$build" classes 6000 --slot-build "$build"
done
mkdir -p "$out/siblings"
make_sibling ani ani 6000
make_sibling ac ac 4000

(cd "$out" && sha256sum -- *.rptrace siblings/*.rptrace >SHA256SUMS)
