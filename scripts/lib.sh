# shellcheck shell=bash
# What the scripts share; to be sourced. Every step's output goes to build/logs/NAME.log: a step that
# succeeds is one line, a step that fails shows the end of its log.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
LOGS=$ROOT/build/logs
JOBS=${JOBS:-$(nproc)}
export RETROPOSE_DEPS=${RETROPOSE_DEPS:-$ROOT/build/deps}
mkdir -p "$LOGS"

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$(basename "$0"): $*"
    exit 2
}

# One line that is written over, on a terminal only: elapsed time and what the log says last.
show_progress() { # NAME LOG PID
    local last started=$SECONDS
    while kill -0 "$3" 2>/dev/null; do
        last=$(tail -n 1 "$2" 2>/dev/null | tr -d '\r' | cut -c 1-60)
        printf '\r\033[K[%3d s] %s: %s' $((SECONDS - started)) "$1" "$last" >&2
        sleep 0.5
    done
    printf '\r\033[K' >&2
}

# record KIND NAME RESULT SECONDS: a line of the report, where the caller of these scripts keeps one.
record() {
    [ -z "${REPORT:-}" ] || (IFS=$'\t' && printf '%s\n' "$*" >>"$REPORT")
}

# step NAME COMMAND...: runs COMMAND with its output in the log, and says how it went.
step() {
    local name=$1 log="$LOGS/${1// /-}.log" started=$SECONDS status=0 pid
    shift
    [ -t 2 ] || say "  ..  $name"
    "$@" >"$log" 2>&1 &
    pid=$!
    [ ! -t 2 ] || show_progress "$name" "$log" "$pid"
    wait "$pid" || status=$?
    if [ "$status" -eq 0 ]; then
        say "  ok  $name ($((SECONDS - started)) s)"
        record step "$name" ok "$((SECONDS - started))"
        return 0
    fi
    say "FAILED $name ($((SECONDS - started)) s), exit code $status; the end of $log:"
    tail -n "${TAIL:-60}" "$log" >&2
    record step "$name" FAILED "$((SECONDS - started))"
    return "$status"
}

# Some machines' kernels refuse 32-bit programs (seen on virtual machines whose host runs 64-bit user
# code only). Everything can be built there; what needs Wine, or is a 32-bit program, cannot be run.
# The 32-bit loader is the smallest program that every package for 32-bit programs brings.
runs_32_bit() {
    [ ! -e /lib/ld-linux.so.2 ] || /lib/ld-linux.so.2 --version >/dev/null 2>&1
}

# Whether tests/emulator/run has them run in QEMU, which a report must say.
emulates_32_bit() {
    compgen -G '/proc/sys/fs/binfmt_misc/retropose-i386-*' >/dev/null
}

# Where ccache is installed, what was compiled once is not compiled again. Each configuration is told,
# because it may have been removed since the last one.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
else
    export CMAKE_C_COMPILER_LAUNCHER='' CMAKE_CXX_COMPILER_LAUNCHER=''
fi

build_preset() { # PRESET
    (cd "$ROOT" && cmake --preset "$1" -DCMAKE_C_COMPILER_LAUNCHER="$CMAKE_C_COMPILER_LAUNCHER" \
        -DCMAKE_CXX_COMPILER_LAUNCHER="$CMAKE_CXX_COMPILER_LAUNCHER") && cmake --build "$ROOT/build/$1" -j "$JOBS"
}

# The archiver that writes tables of WebAssembly's symbols, which that of binutils does not.
llvm_ar() {
    command -v llvm-ar || command -v llvm-ar-14 || compgen -G '/usr/lib/llvm-*/bin/llvm-ar' | head -n 1
}

# Whether programs for WebAssembly can be built here (scripts/packages).
has_wasm() {
    command -v clang >/dev/null && command -v wasm-ld >/dev/null &&
        [ -e /usr/include/wasm32-wasi ] && [ -n "$(llvm_ar)" ]
}
