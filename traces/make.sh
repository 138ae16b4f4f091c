#!/bin/sh
# Makes the bundled traces with the outputs of the stand-in, and their list of SHA-256; with the outputs
# of the library those of builds under other control words, and of the table.
#
#     traces/make.sh [RETROPOSE [DIR]]
#
# RETROPOSE is the command (default: retropose of the search path), DIR the folder to write to
# (default: this one). docs/proof/inputs.md says what each trace is for. The outputs are this
# processor's own, except where $processor names another maker's estimates: rcpss, rsqrtss and the
# transcendentals differ elsewhere.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
retropose=${1:-retropose}
out=${2:-$here}
seed=2001
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep FILE: the outcomes of side a, from the folder that replay made in $work
keep() {
    "$retropose" trim "$work"/retropose-*/000000-a.trace "$out/$1.rptrace" --select '*' --compress
    rm -r "$work"/retropose-*
}

# make FILE SCENARIO CALLS [OPTION...]
make() {
    file=$1 scenario=$2 calls=$3
    shift 3
    "$retropose" gen "$scenario" "$work/calls" --calls "$calls" --seed $seed "$@"
    "$retropose" replay "$work/calls" --keep --work "$work" --quiet >"$work/report"
    keep "$file"
    tail -n 1 "$work/report" | sed "s/^/$file: /"
}

# make_native FILE SCENARIO CALLS [OPTION...], with the estimates of $processor where that is set
make_native() {
    file=$1 scenario=$2 calls=$3
    shift 3
    "$retropose" gen "$scenario" "$work/calls" --calls "$calls" --seed $seed "$@"
    "$retropose" replay "$work/calls" --original native --replacement native --keep \
        --processor "${processor:-this}" --work "$work" --quiet >"$work/report"
    keep "$file"
    tail -n 1 "$work/report" | sed "s/^/$file: /"
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
make poses-wxyz poses 16384 --readings key-order=wxyz
make blends-wxyz blends 4608 --readings key-order=wxyz
for class in 2 3 4 5 6 7; do
    make "classes-$class" classes 2000 --force-cpu "$class"
done
for build in generic fxch; do
    make "builds-$build" classes 6000 --slot-build "$build"
done
# No DLL is needed for these, so a change of the library shows at once which outcomes it changes.
make_native words-generic words 36000 --slot-build generic
make_native ties-generic ties 4000 --slot-build generic
make_native table table 68
processor=amd make_native estimates-amd slots 20000 --slot-build sse --select ngi32.slot45

(cd "$out" && sha256sum -- *.rptrace >SHA256SUMS)
