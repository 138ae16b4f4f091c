#include "replay/compare/standing.h"

#include "exports/call_graph.h"

#include <stddef.h>
#include <string.h>

Standing Standing_Of(const CompareCounts *counts) {
    if (counts->crashed > 0)
        return STANDING_CRASHED;
    if (counts->different > 0)
        return STANDING_DIFFERENT;
    if (counts->compared == 0)
        return STANDING_NOT_COMPARED;
    if (CompareCounts_Rest(counts) > 0)
        return STANDING_PARTLY_COMPARED;
    if (counts->known > 0)
        return STANDING_KNOWN_DIFFERENCES;
    return counts->processor > 0 ? STANDING_AS_PROCESSORS_MAY : STANDING_EQUAL;
}

const char *Standing_Name(Standing standing) {
    static const char *const names[STANDING_COUNT] = {
        "CRASHED",           "DIFFERENT", "PARTLY COMPARED", "not compared", "known differences",
        "as processors may", "equal"};
    return names[standing];
}

/* ---- columns ----------------------------------------------------------------------------------
 */

const StandingColumn standing_columns[STANDING_COLUMNS] = {
    {"compared", "compared", offsetof(CompareCounts, compared), true, false},
    {"different", "different", offsetof(CompareCounts, different), true, false},
    {"known", "known", offsetof(CompareCounts, known), false, false},
    {"processor", "processor", offsetof(CompareCounts, processor), false, false},
    {"failed alike", "failed_alike", offsetof(CompareCounts, failed_alike), false, false},
    {"wrote outside", "wrote_outside", offsetof(CompareCounts, wrote_outside), false, true},
    {"not comparable", "not_comparable", offsetof(CompareCounts, not_comparable), false, false},
    {"not called", "not_called", offsetof(CompareCounts, not_called), false, false},
    {"unsupported", "unsupported", offsetof(CompareCounts, unsupported), false, false},
};

uint64_t *StandingColumn_Count(const StandingColumn *column, CompareCounts *counts) {
    return (uint64_t *)(void *)((char *)counts + column->count);
}

uint64_t StandingColumn_Number(const StandingColumn *column, const CompareCounts *counts) {
    uint64_t number;
    memcpy(&number, (const char *)counts + column->count, sizeof number);
    return number;
}

bool StandingColumn_IsShown(const StandingColumn *column, const CompareTotals *totals) {
    return column->always || StandingColumn_Number(column, &totals->counts) > 0;
}

/* ---- causes -----------------------------------------------------------------------------------
 */

/* Returns the index of a differing function after `index` that `function` reaches. */
static size_t NextReached(const Comparison *comparison, const AbiFunction *function, size_t index) {
    for (size_t i = index + 1; i < Comparison_FunctionCount(comparison); i++) {
        const CompareFunction *other = Comparison_FunctionAt(comparison, i);
        if (other->counts.different > 0 && Abi_Reaches(function, other->function))
            return i;
    }
    return SIZE_MAX;
}

size_t Standing_NextCause(const Comparison *comparison, const AbiFunction *function, size_t index) {
    while ((index = NextReached(comparison, function, index)) != SIZE_MAX)
        if (NextReached(comparison, Comparison_FunctionAt(comparison, index)->function, SIZE_MAX) ==
            SIZE_MAX)
            break;
    return index;
}
