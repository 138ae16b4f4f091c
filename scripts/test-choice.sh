# shellcheck shell=bash
# What `scripts/test` chooses when it does not run everything; to be sourced after lib.sh. The tests'
# choice is data: tests/selection.

SLOW='^(slow|npm)$' # labels

# Where the change begins: the commit that it shares with the main branch. On the main branch itself,
# without changes of the files, the change is the last commit. RETROPOSE_BASE names another commit.
change_base() {
    local base=${RETROPOSE_BASE:-} branch
    if [ -z "$base" ]; then
        for branch in origin/HEAD origin/main main HEAD; do
            base=$(git -C "$ROOT" merge-base HEAD "$branch" 2>/dev/null) && break
        done
        if [ "$base" = "$(git -C "$ROOT" rev-parse HEAD 2>/dev/null)" ] &&
            [ -z "$(git -C "$ROOT" status --porcelain 2>/dev/null)" ]; then
            base=HEAD~1
        fi
    fi
    git -C "$ROOT" rev-parse --quiet --verify "$base^{commit}" 2>/dev/null
}

# The paths that the change touches, files that git does not know yet among them; one a line. Without
# a history (an unpacked archive, a clone of one commit) nobody can tell, and this says nothing.
touched_paths() {
    local base
    base=$(change_base) || return 0
    git -C "$ROOT" diff --name-only "$base" --
    git -C "$ROOT" ls-files --others --exclude-standard
}

# The lines of tests/selection for one preset and word, without these.
selection() { # PRESET WORD
    awk -v preset="$1" -v word="$2" '$1 == preset && $2 == word { $1 = $2 = ""; sub(/^ +/, ""); print }' \
        "$ROOT/tests/selection"
}

# Whether of this build some tests can be tried after all: in QEMU's user mode as the system has it.
runs_in_qemu() { # PRESET
    [ "$1" = linux-i686 ] && ! runs_32_bit && command -v qemu-i386 >/dev/null
}

# Names as in tests/selection to regular expressions, one a line.
expressions() {
    tr -s ' ' '\n' | sed -n 's/\*/.*/g; s/..*/^&$/p'
}

# The names behind one word of tests/selection as an expression for ctest, or nothing.
one_expression() { # PRESET WORD
    selection "$1" "$2" | expressions | paste -sd '|' -
}

# Those that this machine cannot run are among them, with "(Disabled)" behind the name.
test_names() { # PRESET CTEST-ARGUMENT...
    local preset=$1
    shift
    ctest --test-dir "$ROOT/build/$preset" -N "$@" 2>/dev/null | sed -nE 's/^ *Test *#[0-9]*: ([^ ]+).*/\1/p'
}

# Names of slow tests, and of those that need the npm registry, that the change concerns; the others are
# left out.
slow_tests_of_change() { # PRESET
    local name paths path touched slow
    touched=$(touched_paths)
    slow=$(test_names "$1" -L "$SLOW")
    while read -r name paths; do
        for path in $paths; do
            if grep -q "^$path" <<<"$touched"; then
                grep -E "$(expressions <<<"$name")" <<<"$slow" || true
                break
            fi
        done
    done < <(selection "$1" also)
}

# A name that no test has stands for a test that has another name now.
check_selection() { # PRESET
    local names expression status=0
    names=$(test_names "$1")
    while read -r expression; do
        if ! grep -qE "$expression" <<<"$names"; then
            echo "tests/selection: no test of build/$1 matches $expression"
            status=1
        fi
    done < <({
        selection "$1" only
        selection "$1" qemu
        selection "$1" but
        selection "$1" also | cut -d ' ' -f 1
    } | expressions)
    return "$status"
}

# The arguments of ctest that choose a preset's tests, one a line. Without parentheses, of which CMake's
# regular expressions may have no more than 32.
choose_tests() { # PRESET
    local word=only only but
    ! runs_in_qemu "$1" || word=qemu
    only=$(one_expression "$1" $word)
    but=$({
        selection "$1" but | expressions
        comm -23 <(test_names "$1" -L "$SLOW" | sort) <(slow_tests_of_change "$1" | sort) | expressions
    } | paste -sd '|' -)
    [ -z "$only" ] || printf '%s\n' -R "$only"
    [ -z "$but" ] || printf '%s\n' -E "$but"
}
