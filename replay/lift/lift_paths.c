#include "replay/lift/lift_paths.h"

#include "core/bytes.h"
#include "replay/scenario/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_CALLS 64u /* before the first lifted one */

LiftBudget LiftBudget_Default(void) {
    return (LiftBudget){.most_inputs = 4000,
                        .patience = 600,
                        .most_paths = 600,
                        .most_runs = 400,
                        .most_search = 6000,
                        .most_rounds = 6,
                        .instructions = 200000};
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for paths", "", "", "");
}

/* ---- one input ------------------------------------------------------------------------------- */

static uint64_t Mix(uint64_t key, uint64_t value) {
    key = (key ^ value) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

/* Returns a hash of what makes a path: its conditions, its outputs and its end. */
static uint64_t KeyOf(const LiftPath *path) {
    uint64_t key = Mix(path->end, path->popped);
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftCondition *condition = &path->conditions[i];
        key = Mix(key, condition->left->id);
        key = Mix(key, condition->right->id);
        key = Mix(key, (uint64_t)condition->order << 8 | condition->outcomes);
    }
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        key = Mix(key, (uint64_t)output->place << 8 | output->stored);
        key = Mix(key, (uint64_t)output->region << 32 | output->offset);
        key = Mix(key, output->value->id);
    }
    for (const char *at = path->end == LIFT_RETURNED ? "" : path->reason; *at; at++)
        key = Mix(key, (uint8_t)*at);
    return key;
}

/* Puts a path among those of its side. The path belongs to `paths` afterwards, or is freed, if the
 * same one is there. */
static RpStatus Enter(LiftPaths *paths, int side, LiftPath *path, const LiftInput *input,
                      uint32_t *number, RpError *error) {
    const uint64_t key = KeyOf(path);
    for (uint32_t i = 0; i < paths->found_count[side]; i++)
        if (paths->found[side][i].key == key) {
            paths->found[side][i].inputs++;
            LiftPath_Free(path);
            *number = i;
            return RP_OK;
        }
    const uint32_t count = paths->found_count[side];
    LiftFound *longer = realloc(paths->found[side], (count + 1) * sizeof *longer);
    if (!longer) {
        LiftPath_Free(path);
        return NoMemory(error);
    }
    paths->found[side] = longer;
    longer[count] = (LiftFound){.path = path, .inputs = 1, .key = key};
    *number = count;
    paths->found_count[side]++;
    return LiftInput_Copy(input, &longer[count].input, error);
}

/* Returns the four bytes that a call left at a place of a region. */
static uint32_t WordAfter(const LiftPath *path, const LiftInput *input,
                          const ExpressionGraph *graph, const LiftOutput *place) {
    for (uint32_t i = 0; i < path->output_count; i++)
        if (path->outputs[i].place == LIFT_MEMORY && path->outputs[i].region == place->region &&
            path->outputs[i].offset == place->offset)
            return (uint32_t)path->outputs[i].number.low;
    const uint8_t *before =
        LiftInput_At(input, ExpressionGraph_NameOf(graph, place->region), place->offset, 4);
    return before ? Bytes_U32(before) : 0;
}

bool LiftPaths_PopAlike(const LiftPaths *paths, const LiftPath *const sides[LIFT_SIDES]) {
    return sides[LIFT_ORIGINAL]->end != LIFT_RETURNED ||
           sides[LIFT_ORIGINAL]->popped == sides[LIFT_REPLACEMENT]->popped ||
           LiftPair_Convention(paths->pairs[LIFT_ORIGINAL], paths->function) !=
               LiftPair_Convention(paths->pairs[LIFT_REPLACEMENT], paths->function);
}

/* Returns whether all that a caller looks at has the same bits after both calls. Of a call that was
 * not followed to its end nobody knows. */
static bool IsSameOutcome(const LiftPaths *paths, LiftPath *const sides[LIFT_SIDES],
                          const LiftInput *input) {
    if (sides[0]->end == LIFT_REFUSED || sides[1]->end == LIFT_REFUSED)
        return true;
    const LiftPath *const both[LIFT_SIDES] = {sides[0], sides[1]};
    if (sides[0]->end != sides[1]->end)
        return false;
    if (!LiftPaths_PopAlike(paths, both))
        return false;
    for (int side = 0; side < LIFT_SIDES; side++)
        for (uint32_t i = 0; i < sides[side]->output_count; i++) {
            const LiftOutput *output = &sides[side]->outputs[i];
            const LiftPath *other = sides[1 - side];
            if (output->place == LIFT_MEMORY) {
                if (WordAfter(other, input, paths->graph, output) != (uint32_t)output->number.low)
                    return false;
                continue;
            }
            bool is_found = !LiftOutput_IsSeen(paths->signature, output);
            for (uint32_t k = 0; !is_found && k < other->output_count; k++)
                is_found = other->outputs[k].place == output->place &&
                           other->outputs[k].number.low == output->number.low &&
                           other->outputs[k].number.head == output->number.head;
            if (!is_found)
                return false;
        }
    return true;
}

/* Notes that one input took these paths. */
static RpStatus Meet(LiftPaths *paths, const uint32_t found[LIFT_SIDES], bool is_same,
                     const LiftInput *input, RpError *error) {
    uint32_t at = 0;
    while (at < paths->meeting_count &&
           memcmp(paths->meetings[at].found, found, sizeof paths->meetings[at].found) != 0)
        at++;
    RpStatus status = RP_OK;
    if (at == paths->meeting_count) {
        LiftMeeting *longer = realloc(paths->meetings, (paths->meeting_count + 1) * sizeof *longer);
        if (!longer)
            return NoMemory(error);
        paths->meetings = longer;
        longer[paths->meeting_count++] = (LiftMeeting){.found = {found[0], found[1]}};
        status = LiftInput_Copy(input, &longer[at].input, error);
    }
    LiftMeeting *meeting = &paths->meetings[at];
    meeting->inputs++;
    if (!status && !is_same && !meeting->differs) {
        meeting->differs = true;
        status = LiftInput_Copy(input, &meeting->differing, error);
    }
    return status;
}

RpStatus LiftPaths_Try(LiftPaths *paths, const LiftInput *input, uint32_t found[LIFT_SIDES],
                       RpError *error) {
    LiftPath *sides[LIFT_SIDES] = {NULL};
    RpStatus status = RP_OK;
    bool is_same = true;
    found[0] = found[1] = 0;
    for (int side = 0; !status && side < LIFT_SIDES; side++)
        if (paths->pairs[side])
            status =
                LiftPair_Run(paths->pairs[side], input, paths->instructions, &sides[side], error);
    paths->runs++;
    if (!status && sides[0] && sides[1])
        is_same = IsSameOutcome(paths, sides, input);
    for (int side = 0; side < LIFT_SIDES; side++) {
        if (status)
            LiftPath_Free(sides[side]);
        else if (sides[side])
            status = Enter(paths, side, sides[side], input, &found[side], error);
    }
    if (!status && paths->pairs[LIFT_REPLACEMENT])
        status = Meet(paths, found, is_same, input, error);
    return status;
}

/* ---- open branches --------------------------------------------------------------------------- */

/* A side of a branch that no path took: the conditions of a path up to one, and other outcomes of
 * that one. */
typedef struct Branch {
    int side;
    uint32_t found, condition; /* a path that comes to the branch, and which condition it is */
    uint8_t wanted;            /* outcomes */
} Branch;

static bool IsSameQuestion(const LiftCondition *a, const LiftCondition *b) {
    return a->left == b->left && a->right == b->right && a->order == b->order;
}

/* Returns whether both paths took the same sides of the first conditions. */
static bool SharesBeginning(const LiftPath *a, const LiftPath *b, uint32_t conditions) {
    if (a->condition_count < conditions || b->condition_count < conditions)
        return false;
    for (uint32_t i = 0; i < conditions; i++)
        if (!IsSameQuestion(&a->conditions[i], &b->conditions[i]) ||
            a->conditions[i].outcomes != b->conditions[i].outcomes)
            return false;
    return true;
}

/* Returns the outcomes that a condition of a path may still have after those before it. */
static uint8_t Possible(const LiftPath *path, uint32_t number) {
    const LiftCondition *asked = &path->conditions[number];
    uint8_t possible = asked->order == LIFT_X87 || asked->order == LIFT_SSE
                           ? COMPARE_ANY
                           : COMPARE_LESS | COMPARE_EQUAL | COMPARE_GREATER;
    for (uint32_t i = 0; i < number; i++)
        if (IsSameQuestion(&path->conditions[i], asked))
            possible &= path->conditions[i].outcomes;
    return possible;
}

/* Finds the sides of branches that no path of a side took. Each is given once, with the first path
 * that comes to it. Returns how many there are, at most `most`. */
static uint32_t FindOpen(const LiftPaths *paths, int side, Branch *branches, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < paths->found_count[side]; f++) {
        const LiftPath *path = paths->found[side][f].path;
        for (uint32_t c = 0; c < path->condition_count && count < most; c++) {
            uint8_t wanted = Possible(path, c) & (uint8_t)~path->conditions[c].outcomes;
            bool is_first = path->conditions[c].decision != LIFT_PIN;
            for (uint32_t o = 0; wanted && is_first && o < paths->found_count[side]; o++) {
                const LiftPath *other = paths->found[side][o].path;
                if (!SharesBeginning(path, other, c) || other->condition_count <= c ||
                    !IsSameQuestion(&path->conditions[c], &other->conditions[c]))
                    continue;
                is_first = o >= f; /* another path came here before */
                wanted &= (uint8_t)~other->conditions[c].outcomes;
            }
            if (wanted && is_first)
                branches[count++] = (Branch){side, f, c, wanted};
        }
    }
    return count;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* Returns a number whose order is that of the values. */
static double Rank(const Expression *of, LiftOrder order, ExpressionValue value) {
    double magnitude;
    bool is_negative;
    if (order == LIFT_X87) {
        magnitude =
            (double)(value.head & 0x7FFF) + (double)(value.low << 1) / 18446744073709551616.;
        is_negative = value.head & 0x8000;
        if (magnitude == 0)
            return 0;
    } else if (order == LIFT_SSE && of->bits == 32) {
        magnitude = (double)(value.low & 0x7FFFFFFF) / 8388608.;
        is_negative = value.low >> 31 & 1;
    } else if (order == LIFT_SSE) {
        magnitude = (double)(value.low & 0x7FFFFFFFFFFFFFFF) / 4503599627370496.;
        is_negative = value.low >> 63;
    } else if (order == LIFT_SIGNED && of->bits < 64) {
        const uint64_t sign = (uint64_t)1 << (of->bits - 1);
        return (double)((int64_t)((value.low ^ sign) - sign));
    } else {
        return (double)value.low;
    }
    return is_negative ? -magnitude : magnitude;
}

/* How far a run is from the wanted side of a branch: first the conditions before it that went
 * another way, then the distance of what the branch compares. */
typedef struct Distance {
    uint32_t missing;
    double gap;
} Distance;

static Distance Measure(const LiftPath *path, const LiftPath *to, const Branch *branch) {
    uint32_t same = 0;
    while (same <= branch->condition && SharesBeginning(path, to, same + 1) &&
           same < branch->condition)
        same++;
    if (same < branch->condition || path->condition_count <= branch->condition ||
        !IsSameQuestion(&path->conditions[branch->condition], &to->conditions[branch->condition]))
        return (Distance){branch->condition + 1 - same, 0};
    const LiftCondition *at = &path->conditions[branch->condition];
    if (at->outcome & branch->wanted)
        return (Distance){0, 0};
    double gap =
        Rank(at->left, at->order, at->left_value) - Rank(at->right, at->order, at->right_value);
    return (Distance){0, gap < 0 ? 1 - gap : 1 + gap};
}

static bool IsNearer(Distance a, Distance b) {
    return a.missing < b.missing || (a.missing == b.missing && a.gap <= b.gap);
}

/* Searches an input that takes the wanted side of a branch: changes words that the path reads, and
 * keeps what comes nearer. Each input is run through both sides, so that what it meets there is
 * not lost. */
static RpStatus Search(LiftPaths *paths, const Branch *branch, const LiftBudget *budget,
                       uint64_t seed, uint32_t *left, RpError *error) {
    enum { MOST_WORDS = 256 };
    uint32_t words[MOST_WORDS], found[LIFT_SIDES];
    LiftInput best, next;
    LiftPath *path = paths->found[branch->side][branch->found].path;
    Random random = Random_Start("open branch", seed << 32 | branch->found, branch->condition);
    RpStatus status =
        LiftInput_Copy(&paths->found[branch->side][branch->found].input, &best, error);
    if (status)
        return status;
    const uint32_t count = LiftInput_Words(&best, paths->graph, path, words, MOST_WORDS);
    Distance nearest = Measure(path, path, branch);
    for (uint32_t run = 0; !status && count > 0 && *left > 0 && run < budget->most_runs; run++) {
        (*left)--;
        LiftPath *taken = NULL;
        status = LiftInput_Copy(&best, &next, error);
        for (uint32_t changes = Random_OneIn(&random, 3) ? 2 : 1; changes > 0; changes--)
            LiftInput_Change(&next, Random_Next(&random), words, count);
        if (!status)
            status = LiftPair_Run(paths->pairs[branch->side], &next, budget->instructions, &taken,
                                  error);
        if (status) {
            LiftInput_Free(&next);
            break;
        }
        const Distance distance = Measure(taken, path, branch);
        const bool is_there =
            taken->end == LIFT_RETURNED && distance.missing == 0 && distance.gap == 0;
        const bool is_kept = taken->end == LIFT_RETURNED && IsNearer(distance, nearest);
        LiftPath_Free(taken);
        if (is_there)
            status = LiftPaths_Try(paths, &next, found, error);
        if (is_kept) {
            LiftInput_Free(&best);
            best = next;
            nearest = distance;
        } else {
            LiftInput_Free(&next);
        }
        if (is_there)
            break;
    }
    LiftInput_Free(&best);
    return status;
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool HasTooMany(const LiftPaths *paths, const LiftBudget *budget) {
    return paths->found_count[0] >= budget->most_paths ||
           paths->found_count[1] >= budget->most_paths;
}

RpStatus LiftPaths_Find(LiftPair *const pairs[LIFT_SIDES], LiftInputs *inputs,
                        const AbiFunction *function, const LiftBudget *budget, LiftPaths *paths,
                        RpError *error) {
    enum { MOST_BRANCHES = 256 };
    Branch branches[MOST_BRANCHES];
    LiftInput input;
    uint32_t found[LIFT_SIDES], quiet = 0, left = budget->most_search;
    RpStatus status = RP_OK;
    *paths = (LiftPaths){.function = function,
                         .graph = LiftPair_Graph(pairs[0]),
                         .pairs = {pairs[0], pairs[1]},
                         .instructions = budget->instructions};

    for (int side = 0; !status && side < LIFT_SIDES; side++)
        if (pairs[side])
            status = LiftPair_CutCallees(pairs[side], function, error);
    for (uint64_t number = 0; !status && number < WARM_CALLS; number++) {
        status = LiftInputs_Make(inputs, function, number, &input, error);
        for (int side = 0; !status && side < LIFT_SIDES; side++)
            if (pairs[side])
                LiftPair_Call(pairs[side], &input);
        LiftInput_Free(&input);
    }

    for (uint64_t number = 0; !status && number < budget->most_inputs && quiet < budget->patience &&
                              !HasTooMany(paths, budget);
         number++) {
        const uint32_t before = paths->found_count[0] + paths->found_count[1];
        status = LiftInputs_Make(inputs, function, number, &input, error);
        paths->signature = input.signature;
        if (!status)
            status = LiftPaths_Try(paths, &input, found, error);
        LiftInput_Free(&input);
        quiet = before == paths->found_count[0] + paths->found_count[1] ? quiet + 1 : 0;
    }

    /* New paths have new branches, so the search goes on until a round brings nothing. */
    bool is_new = true;
    for (uint32_t round = 0; !status && is_new && round < budget->most_rounds; round++) {
        uint32_t count = FindOpen(paths, LIFT_ORIGINAL, branches, MOST_BRANCHES);
        if (pairs[LIFT_REPLACEMENT])
            count += FindOpen(paths, LIFT_REPLACEMENT, branches + count, MOST_BRANCHES - count);
        is_new = false;
        for (uint32_t i = 0; !status && i < count && left > 0 && !HasTooMany(paths, budget); i++) {
            const uint32_t before = paths->found_count[0] + paths->found_count[1];
            status = Search(paths, &branches[i], budget, round, &left, error);
            is_new |= before < paths->found_count[0] + paths->found_count[1];
        }
    }
    paths->ended_early = HasTooMany(paths, budget);
    return status;
}

void LiftPaths_Free(LiftPaths *paths) {
    for (int side = 0; side < LIFT_SIDES; side++) {
        for (uint32_t i = 0; i < paths->found_count[side]; i++) {
            LiftPath_Free(paths->found[side][i].path);
            LiftInput_Free(&paths->found[side][i].input);
        }
        free(paths->found[side]);
    }
    for (uint32_t i = 0; i < paths->meeting_count; i++) {
        LiftInput_Free(&paths->meetings[i].input);
        if (paths->meetings[i].differs)
            LiftInput_Free(&paths->meetings[i].differing);
    }
    free(paths->meetings);
    memset(paths, 0, sizeof *paths);
}
