#!/bin/sh
# Makes the bundled traces, inputs only, and their list of SHA-256.
#
#     traces/make.sh [RETROPOSE [DIR]]
#
# RETROPOSE is the command (default: retropose of the search path), DIR the folder to write to
# (default: this one). docs/scenarios.md says what each trace is for. The files in the repository
# also hold the outputs of the stand-in: after `make.sh`, each was run through it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
retropose=${1:-retropose}
out=${2:-$here}
seed=2001

# make FILE SCENARIO CALLS [OPTION...]
make() {
    file=$1 scenario=$2 calls=$3
    shift 3
    "$retropose" gen "$scenario" "$out/$file.rptrace" --calls "$calls" --seed $seed --compress "$@"
}

make slots slots 20000
make edges edges 24000
make words words 36000
make poses poses 32768
make blends blends 9216
make models models 4000
make control control 4096
make stubs stubs 600
make poses-wxyz poses 16384 --hypotheses key-order=wxyz
make blends-wxyz blends 4608 --hypotheses key-order=wxyz
for class in 2 3 4 5 6 7; do
    make "classes-$class" classes 2000 --force-cpu "$class"
done

(cd "$out" && sha256sum -- *.rptrace >SHA256SUMS)
