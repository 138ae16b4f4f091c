# Shared by the tests that run the game: game folders made of a build for Windows.
# shellcheck shell=sh
# Before: set -eu; source=SOURCE_DIR retropose=PROGRAM windows=BUILD_DIR cmake=PROGRAM make_walk=PROGRAM
if [ ! -e "$windows/replacement/Ngi32.dll" ] ||
    [ ! -e "$windows/tests/whole/game/default/game-names.exe" ] ||
    ! command -v wine >/dev/null 2>&1; then
    echo 'skipped: no build for Windows, or no Wine'
    exit 77
fi
RETROPOSE_HOME=$windows
export RETROPOSE_HOME
unset RETROPOSE_LOG RETROPOSE_MODES RETROPOSE_RECORD RETROPOSE_READINGS || :
work=$(mktemp -d)

fail() {
    echo "failed: $*" >&2
    exit 1
}

says() {
    grep -qE -e "$1" "$2" || { cat "$2"; fail "\"$1\" is not in $2"; }
}

# our_folder DIR: the game with our DLLs and no original
our_folder() {
    mkdir -p "$1"
    cp "$windows/replacement/Ngi32.dll" "$windows/replacement/AniMesh.dll" \
        "$windows/tests/whole/game/default/game-names.exe" "$source/tests/whole/game/Comp.ini" "$1"
    "$make_walk" "$1/walk.msh"
}

# hosted_folder DIR: beside them the stand-in, renamed as an original is, and what is known of it
hosted_folder() {
    our_folder "$1"
    mkdir -p "$1/pair"
    cp "$windows/standin/Ngi32.dll" "$windows/standin/AniMesh.dll" "$1/pair"
    "$cmake" "-DMADE=$windows/tests/standin/default" "-DFOLDER=$1/pair" \
        -P "$source/tests/standin/truth.cmake"
    for dll in Ngi32 AniMesh; do
        cp "$1/pair/$dll.dll" "$1/$dll.retail.dll"
    done
    cp "$1/pair/truth.overlay" "$1/retropose.overlay"
}

play() {
    "$source/scripts/wine-run" game-names.exe "$@"
}

digest() {
    sed -n 's/^digest //p' "$1"
}

# replays TRACE PAIR: no call differs from what is recorded
replays() {
    "$retropose" replay -q --allow-partial --replacement recorded --original "$windows/$2" "$1" \
        >replay.out 2>&1 ||
        { cat replay.out; fail "$1 through $2"; }
    says '^[0-9]+( of [0-9]+)? calls compared, 0 different' replay.out
}
