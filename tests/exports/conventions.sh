#!/usr/bin/env bash
# conventions.sh DIRECTORY: exports/conventions.h is the one place to change a convention. Everything
# is built with g_FastProc slots as stdcall instead of fastcall, in DIRECTORY/conventions*, and must
# replay equal; the same host must notice DLLs that still have the default convention.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
jobs=${JOBS:-$(nproc)}
override=-DRETROPOSE_CONVENTIONS=ABI_CONV_SLOT=stdcall

cd "$root"
cmake --preset windows -B "$build/conventions" "$override"
cmake --build "$build/conventions" -j "$jobs" --target ngi32_dll animesh_dll retropose-host \
    standin_ngi32 standin_animesh standin_animesh_wxyz
cmake --preset linux -B "$build/conventions-linux" "$override"
cmake --build "$build/conventions-linux" -j "$jobs" --target retropose retropose-host

replay() {
    RETROPOSE_HOME=$build/conventions "$build/conventions-linux/retropose" replay \
        --scenario slots:20000 --scenario poses:20000 --jobs "$jobs" "$@"
}

replay
status=0
replay --replacement "$build/windows/replacement" >"$build/conventions/mixed.txt" 2>&1 || status=$?
if [ "$status" -ne 1 ] && [ "$status" -ne 3 ]; then # different, crashed
    tail -n 20 "$build/conventions/mixed.txt"
    echo "DLLs of the default convention: exit code $status, 1 or 3 expected"
    exit 1
fi
echo 'slots as stdcall replay equal, and DLLs with the default convention are noticed'
