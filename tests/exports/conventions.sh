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
cmake --build "$build/conventions" -j "$jobs" --target ngi32_dll animesh_dll standin_ngi32 \
    standin_animesh retropose-host
cmake --preset linux -B "$build/conventions-linux" "$override"
cmake --build "$build/conventions-linux" -j "$jobs" --target retropose

replay() {
    RETROPOSE_HOME=$build/conventions "$build/conventions-linux/retropose" replay \
        --scenario slots:20000 --scenario poses:20000 --jobs "$jobs" "$@"
}

replay
if replay --replacement "$build/windows/replacement" >"$build/conventions/mixed.txt" 2>&1; then
    echo 'DLLs of the default convention went unnoticed'
    exit 1
fi
echo 'slots as stdcall replay equal, and DLLs with the default convention are noticed'
