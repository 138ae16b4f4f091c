# shellcheck shell=bash
# What the scripts share; to be sourced. Every step's output goes to build/logs/NAME.log: a step that
# succeeds is one line, a step that fails shows the end of its log. Nothing is made before the first one.

# With --help first, a script prints its own head.
if [[ ${1:-} =~ ^(-h|--help)$ ]]; then
    sed -n '2,${/^#/!q;s/^# \{0,1\}//p}' "$0"
    exit
fi

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
LOGS=$ROOT/build/logs
JOBS=${JOBS:-$(nproc)}
export RETROPOSE_DEPS=${RETROPOSE_DEPS:-$ROOT/build/deps}

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

# The system's Python has the packages that scripts/packages lists. Another one that comes first in the PATH
# has not, and that of a version manager takes ten times as long to start.
use_system_python() {
    if [ ! -x /usr/bin/python3 ] || [ "$(command -v python3)" -ef /usr/bin/python3 ]; then
        return
    fi
    mkdir -p "$ROOT/build/bin"
    ln -sfn /usr/bin/python3 "$ROOT/build/bin/python3"
    PATH=$ROOT/build/bin:$PATH
}

# step NAME COMMAND...: runs COMMAND with its output in the log, and says how it went.
step() {
    local name=$1 log="$LOGS/${1// /-}.log" started=$SECONDS status=0 pid
    shift
    mkdir -p "$LOGS"
    use_system_python
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
# code only). The DLLs run in this project's own machine there; Wine and 32-bit programs for Linux cannot.
# Asks with a program of 93 bytes, which exits with 0, so that no package has to be there.
runs_32_bit() {
    local program=$ROOT/build/runs-32-bit
    if [ ! -x "$program" ]; then
        mkdir -p "$ROOT/build"
        {
            printf '\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0\x01\0\0\0\x54\x80\x04\x08\x34\0\0\0'
            printf '\0\0\0\0\0\0\0\0\x34\0\x20\0\x01\0\0\0\0\0\0\0'
            printf '\x01\0\0\0\0\0\0\0\0\x80\x04\x08\0\x80\x04\x08\x5d\0\0\0\x5d\0\0\0\x05\0\0\0\0\x10\0\0'
            printf '\xb8\x01\0\0\0\x31\xdb\xcd\x80' # mov eax, 1; xor ebx, ebx; int 0x80
        } >"$program.$$"
        chmod +x "$program.$$"
        mv "$program.$$" "$program"
    fi
    "$program" 2>/dev/null
}

# Whether tests/whole/emulator/run has them run in QEMU, which a report must say.
emulates_32_bit() {
    compgen -G '/proc/sys/fs/binfmt_misc/retropose-i386-*' >/dev/null
}

# Where ccache is installed, what was compiled once is not compiled again. Each configuration is told,
# because it may have been removed since the last one. It takes from the compiler which headers a file
# includes: what is compiled for the first time is then not read twice.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DEPEND=1
    # A file is known wherever its tree lies, so that tests/mutants/run compiles only what a fault changes.
    export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
else
    export CMAKE_C_COMPILER_LAUNCHER='' CMAKE_CXX_COMPILER_LAUNCHER=''
fi

# How many commits have come since the last whole run that passed (tests/last-full-run.md); nothing where there
# was none, or no history says it.
commits_since_whole_run() {
    local commit
    commit=$(sed -n '/^\* Result: passed$/,/^\* Date/s/^\* Commit: \([0-9a-f]*\)$/\1/p' "$ROOT/tests/last-full-run.md")
    [ -z "$commit" ] || git -C "$ROOT" rev-list --count "$commit..HEAD" 2>/dev/null || true
}

# A build tree whose toolchain file has moved since cannot be configured again, and is made anew.
forget_moved_toolchain() { # TREE
    local file
    file=$(sed -n 's/^include("\(.*\)")$/\1/p' "$1"/CMakeFiles/*/CMakeSystem.cmake 2>/dev/null) || true
    [ -z "$file" ] || [ -e "$file" ] || rm -rf "$1"
}

configure_preset() { # PRESET
    forget_moved_toolchain "$ROOT/build/$1"
    (cd "$ROOT" && cmake --preset "$1" -DCMAKE_C_COMPILER_LAUNCHER="$CMAKE_C_COMPILER_LAUNCHER" \
        -DCMAKE_CXX_COMPILER_LAUNCHER="$CMAKE_CXX_COMPILER_LAUNCHER" \
        -DRETROPOSE_COVERAGE="$([ "$1" = asan ] && [ -n "${all:-}" ] && echo ON || echo OFF)")
}

build_preset() { # PRESET [TARGET...]
    local preset=$1
    shift
    configure_preset "$preset" && cmake --build "$ROOT/build/$preset" -j "$JOBS" ${1:+--target "$@"}
}

# The archiver that writes tables of WebAssembly's symbols, which that of binutils does not.
llvm_ar() {
    command -v llvm-ar || command -v llvm-ar-14 || compgen -G '/usr/lib/llvm-*/bin/llvm-ar' | head -n 1
}

# Whether programs for 64-bit ARM, and for WebAssembly, can be built here (scripts/packages).
has_arm64() {
    command -v clang >/dev/null && [ -e /usr/aarch64-linux-gnu/lib/libc.a ] && [ -n "$(llvm_ar)" ]
}

has_wasm() {
    command -v clang >/dev/null && command -v wasm-ld >/dev/null &&
        [ -e /usr/include/wasm32-wasi ] && [ -n "$(llvm_ar)" ]
}

# What build/deps has to be made anew for: another scripts/setup-deps, or packages that it waited for.
dependency_stamp() {
    sha256sum <"$ROOT/scripts/setup-deps"
    ! has_wasm || echo wasm
    ! has_arm64 || echo arm64
}

# The checksums of all files in the folders of targets.
dependency_sums() { # DIRECTORY
    (cd "$1" && find ./*-*/ -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum --)
}
