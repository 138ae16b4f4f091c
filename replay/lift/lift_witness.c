#include "replay/lift/lift_witness.h"

#include "core/bytes.h"
#include "replay/lift/lift_rules.h"
#include "replay/scenario/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 256 };

#define UNKNOWN 1e6 /* the distance from a goal whose sides cannot be evaluated */

const LiftMeeting *LiftWitness_Meeting(const LiftPaths *paths, const uint32_t found[LIFT_SIDES]) {
    for (uint32_t i = 0; i < paths->meeting_count; i++) {
        if (memcmp(paths->meetings[i].found, found, sizeof paths->meetings[i].found) == 0)
            return &paths->meetings[i];
    }
    return NULL;
}

/* A comparison, and the outcomes that an input is searched for. */
typedef struct Goal {
    const LiftCondition *condition;
    uint32_t outcomes;
} Goal;

typedef struct Search {
    const LiftPaths *paths;
    const LiftPath *sides[LIFT_SIDES];
    Goal *goals;
    uint32_t goal_count;
    ExpressionEvaluator *evaluator;
} Search;

/* Returns a number that grows with a value in the order in which the condition compares. Between
 * two neighbouring powers of two it grows by 1. */
static double Rank(const LiftCondition *condition, ExpressionValue value) {
    const uint32_t bits = condition->left->bits;
    double magnitude;
    bool is_negative;
    if (condition->order == LIFT_X87) {
        magnitude =
            (double)(value.head & 0x7FFF) + (double)(value.low << 1) / 18446744073709551616.;
        is_negative = value.head & 0x8000;
        if (value.low == 0)
            magnitude = 0;
    } else if (condition->order == LIFT_SSE) {
        const double step = bits == 32 ? 8388608. : 4503599627370496.;
        const uint64_t sign = UINT64_C(1) << (bits - 1);
        magnitude = (double)(value.low & (sign - 1)) / step;
        is_negative = (value.low & sign) != 0;
    } else {
        const uint64_t sign = UINT64_C(1) << (bits - 1);
        is_negative = condition->order == LIFT_SIGNED && (value.low & sign);
        magnitude = is_negative ? (double)(sign - (value.low & (sign - 1))) : (double)value.low;
    }
    return is_negative ? -magnitude : magnitude;
}

/* How far an input is from all goals; 0 if it reaches them. */
static double Distance(Search *search) {
    static const double other = 100, least = 1e-3;
    double distance = 0;
    for (uint32_t i = 0; i < search->goal_count; i++) {
        const LiftCondition *condition = search->goals[i].condition;
        const uint32_t wanted = search->goals[i].outcomes;
        ExpressionValue left, right;
        if (!ExpressionEvaluator_Value(search->evaluator, condition->left, &left) ||
            !ExpressionEvaluator_Value(search->evaluator, condition->right, &right)) {
            distance += UNKNOWN;
            continue;
        }
        const uint32_t bits = condition->left->bits;
        uint32_t outcome;
        if (condition->order == LIFT_X87 || condition->order == LIFT_SSE) {
            outcome = ExpressionValue_Compare(bits, left, right);
        } else {
            const uint64_t bias = condition->order == LIFT_SIGNED ? UINT64_C(1) << (bits - 1) : 0;
            const uint64_t a = left.low ^ bias, b = right.low ^ bias;
            outcome = a < b ? COMPARE_LESS : a > b ? COMPARE_GREATER : COMPARE_EQUAL;
        }
        if (outcome & wanted)
            continue;
        if (outcome == COMPARE_UNORDERED || wanted == COMPARE_UNORDERED) {
            distance += other;
            continue;
        }
        double gap = Rank(condition, left) - Rank(condition, right);
        gap = gap < 0 ? -gap : gap;
        distance += least + other * gap / (gap + other);
    }
    return distance;
}

/* Whether the outputs of the two paths, evaluated, have different bits. What cannot be evaluated
 * counts as different, so that the call is run. */
static bool Differs(Search *search) {
    ExpressionValue values[LIFT_SIDES];
    for (int side = 0; side < LIFT_SIDES; side++) {
        const LiftPath *path = search->sides[side], *other = search->sides[1 - side];
        for (uint32_t i = 0; i < path->output_count; i++) {
            const LiftOutput *output = &path->outputs[i], *same = LiftPath_OutputAt(other, output);
            if (!LiftOutput_IsSeen(search->paths->signature, output))
                continue;
            const Expression *before = NULL;
            if (!same && output->place == LIFT_MEMORY)
                before = Expression_Input(search->paths->graph, output->region, output->offset, 32);
            if (!same && !before)
                return true;
            if (!ExpressionEvaluator_Value(search->evaluator, output->value, &values[0]) ||
                !ExpressionEvaluator_Value(search->evaluator, same ? same->value : before,
                                           &values[1]))
                return true;
            if (values[0].low != values[1].low || values[0].head != values[1].head)
                return true;
        }
    }
    return false;
}

static void Evaluate(Search *search, const LiftInput *input, LiftInputContext *context) {
    *context = (LiftInputContext){input, search->paths->graph};
    const ExpressionInputs inputs = LiftInput_ForEvaluator(context);
    ExpressionEvaluator_Begin(search->evaluator, &inputs);
}

/* Makes numbers that are exact in every sum and product, with which two sides of a comparison often
 * meet exactly. */
static void MakeSimple(LiftInput *input, Random *random, const uint32_t *words, uint32_t count) {
    static const uint32_t simple[] = {0x00000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x40000000};
    const bool is_whole = Random_OneIn(random, 2);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_whole && Random_OneIn(random, 2))
            continue;
        const uint32_t bits = simple[Random_Below(random, 5)];
        const uint32_t now = Bytes_U32(input->bytes + words[i]);
        if (now > 0xFFFF) /* not a count */
            Bytes_PutU32(input->bytes + words[i], bits);
    }
}

/* Lists the dwords that a path read and that are no pointers. Among them are words of 16 bits, such
 * as those of a key's rotation. */
static uint32_t ReadWords(const LiftInput *input, const ExpressionGraph *graph,
                          const LiftPath *path, uint32_t *words, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < path->read_count; i++) {
        const LiftRange *range = &path->reads[i];
        const LiftPart *part = LiftInput_Part(input, ExpressionGraph_NameOf(graph, range->region));
        if (!part)
            continue;
        for (uint32_t at = range->offset & ~3u; at < range->offset + range->size; at += 4) {
            bool is_link = at + 4 > part->size;
            for (uint32_t k = 0; k < input->link_count && !is_link; k++)
                is_link =
                    &input->parts[input->links[k].part] == part && input->links[k].offset == at;
            if (!is_link && count < most)
                words[count++] = part->first + at;
        }
    }
    return count;
}

/* Makes two to four dwords that follow each other what others are. */
static void CopyVector(LiftInput *input, Random *random, const uint32_t *words, uint32_t count) {
    const uint32_t to = words[Random_Below(random, count)];
    const uint32_t from = words[Random_Below(random, count)];
    const uint32_t bytes = 4 * (2 + Random_Below(random, 3));
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        listed += words[i] >= to && words[i] < to + bytes ? 1u : 0u;
        listed += words[i] >= from && words[i] < from + bytes ? 1u : 0u;
    }
    if (listed == 2 * bytes / 4)
        memmove(input->bytes + to, input->bytes + from, bytes);
}

/* Changes a word of 16 bits. */
static void ChangeHalf(LiftInput *input, Random *random, const uint32_t *words, uint32_t count) {
    static const uint16_t values[] = {0, 1, 0x7FFF, 0x8001, 0x8000, 0xFFFF};
    uint8_t *half = input->bytes + words[Random_Below(random, count)];
    half += 2 * Random_Below(random, 2);
    const uint16_t now = Bytes_U16(half);
    switch (Random_Below(random, 4)) {
    case 0:
        Bytes_PutU16(half, values[Random_Below(random, 6)]);
        break;
    case 1:
        Bytes_PutU16(half, (uint16_t)(0u - now));
        break;
    case 2:
        Bytes_PutU16(half, (uint16_t)(now + Random_Below(random, 33) - 16));
        break;
    default:
        Bytes_PutU16(half, (uint16_t)Random_Next(random));
        break;
    }
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to search an input", "", "", "");
}

static void AddGoals(Search *search, const LiftPath *path, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        search->goals[search->goal_count++] =
            (Goal){&path->conditions[i], path->conditions[i].outcomes};
}

/* Whether both calls return. What was changed may lead out of the memory that there is; then they
 * do not, or an address is pinned. */
static RpStatus Returns(const LiftPaths *paths, const LiftInput *input, bool *returns,
                        RpError *error) {
    RpStatus status = RP_OK;
    *returns = true;
    for (int side = 0; !status && side < LIFT_SIDES; side++) {
        LiftPath *path = NULL;
        if (!paths->pairs[side])
            continue;
        status = LiftPair_Run(paths->pairs[side], input, paths->instructions, &path, error);
        *returns &= !status && path->end == LIFT_RETURNED;
        for (uint32_t i = 0; *returns && i < path->condition_count; i++) {
            const LiftCondition *condition = &path->conditions[i];
            *returns = condition->decision != LIFT_PIN || LiftCondition_IsOfPlaces(condition);
        }
        LiftPath_Free(path);
    }
    return status;
}

/* Changes inputs of the given paths until all goals are reached. With `differing`, goes on until
 * two calls leave different bits, which is then the `witness`; else it ends there. */
static RpStatus Run(Search *search, LiftPaths *paths, const uint32_t *found, bool differing,
                    uint32_t most, uint64_t *searched, LiftInput *witness, bool *is_found,
                    RpError *error) {
    enum {
        PATIENCE = 300, /* changes without progress after which another beginning is taken */
        MOST_REACHING_RUNS =
            100 /* calls that reach all goals and lead out of the memory there is */
    };
    Random random = Random_Start("witness", search->goal_count, *searched);
    uint32_t words[MOST_WORDS], quiet = PATIENCE, runs = 0, count = 0;
    uint32_t read_words[MOST_WORDS], read_count = 0;
    LiftInput best = {0}, next = {0};
    LiftInputContext context;
    double nearest = 0;
    RpStatus status = RP_OK;
    for (uint32_t tried = 0; !status && !*is_found && tried < most; tried++) {
        if (quiet == PATIENCE) {
            int side = (int)Random_Below(&random, LIFT_SIDES);
            if (!search->sides[side])
                side = 1 - side;
            LiftInput_Free(&best);
            status = LiftInput_Copy(&paths->found[side][found[side]].input, &best, error);
            if (status)
                break;
            count = LiftInput_Words(&best, paths->graph, search->sides[side], words, MOST_WORDS);
            read_count =
                ReadWords(&best, paths->graph, search->sides[side], read_words, MOST_WORDS);
            if (read_count == 0)
                break;
            Evaluate(search, &best, &context);
            nearest = Distance(search);
            if (nearest >= UNKNOWN) /* a goal depends on a function that was cut out */
                break;
            if (count > 0 && Random_OneIn(&random, 3)) {
                MakeSimple(&best, &random, words, count);
                Evaluate(search, &best, &context);
                nearest = Distance(search);
            }
            quiet = 0;
        }
        status = LiftInput_Copy(&best, &next, error);
        if (status)
            break;
        for (uint32_t changes = 1 + Random_Below(&random, 3); changes > 0; changes--) {
            if (Random_OneIn(&random, 8))
                CopyVector(&next, &random, read_words, read_count);
            else if (count == 0 || Random_OneIn(&random, 4))
                ChangeHalf(&next, &random, read_words, read_count);
            else
                LiftInput_Change(&next, Random_Next(&random), words, count);
        }
        Evaluate(search, &next, &context);
        const double distance = Distance(search);
        ++*searched;
        quiet = distance < nearest ? 0 : quiet + 1;
        const uint32_t most_runs = differing ? most / 16 : MOST_REACHING_RUNS;
        bool is_tried = distance == 0 && runs < most_runs && (!differing || Differs(search));
        if (is_tried) {
            runs++;
            status = Returns(paths, &next, &is_tried, error);
        }
        uint32_t met[LIFT_SIDES];
        if (!status && is_tried && !differing) {
            status = LiftPaths_Try(paths, &next, met, error);
            *is_found = true;
        } else if (!status && is_tried) {
            status = LiftPaths_Try(paths, &next, met, error);
            const LiftMeeting *meeting = status ? NULL : LiftWitness_Meeting(paths, met);
            if (meeting && meeting->differs) {
                *is_found = true;
                status = LiftInput_Copy(&meeting->differing, witness, error);
            }
        }
        if (distance <= nearest) {
            LiftInput_Free(&best);
            best = next;
            nearest = distance;
        } else {
            LiftInput_Free(&next);
        }
        next = (LiftInput){0};
    }
    LiftInput_Free(&best);
    LiftInput_Free(&next);
    return status;
}

RpStatus LiftWitness_Search(LiftPaths *paths, const uint32_t found[LIFT_SIDES], uint32_t most,
                            uint64_t *searched, LiftInput *witness, bool *is_found,
                            RpError *error) {
    Search search = {.paths = paths, .evaluator = ExpressionEvaluator_Create(paths->graph)};
    uint32_t count = 1;
    *is_found = false;
    for (int side = 0; side < LIFT_SIDES; side++) {
        search.sides[side] = paths->found[side][found[side]].path;
        count += search.sides[side]->condition_count;
    }
    search.goals = calloc(count, sizeof *search.goals);
    RpStatus status = search.evaluator && search.goals ? RP_OK : NoMemory(error);
    if (!status) {
        for (int side = 0; side < LIFT_SIDES; side++)
            AddGoals(&search, search.sides[side], search.sides[side]->condition_count);
        status = Run(&search, paths, found, true, most, searched, witness, is_found, error);
    }
    free(search.goals);
    ExpressionEvaluator_Destroy(search.evaluator);
    return status;
}

RpStatus LiftWitness_Reach(LiftPaths *paths, uint32_t side, uint32_t number, uint32_t condition,
                           uint32_t most, uint64_t *searched, bool *is_found, RpError *error) {
    Search search = {.paths = paths, .evaluator = ExpressionEvaluator_Create(paths->graph)};
    const LiftPath *path = paths->found[side][number].path;
    const uint32_t found[LIFT_SIDES] = {number, number};
    *is_found = false;
    search.sides[side] = path;
    search.goals = calloc(condition + 1u, sizeof *search.goals);
    RpStatus status = search.evaluator && search.goals ? RP_OK : NoMemory(error);
    if (!status) {
        const LiftCondition *branch = &path->conditions[condition];
        AddGoals(&search, path, condition);
        search.goals[search.goal_count++] =
            (Goal){branch, ~(uint32_t)branch->outcomes & COMPARE_ANY};
        status = Run(&search, paths, found, false, most, searched, NULL, is_found, error);
    }
    free(search.goals);
    ExpressionEvaluator_Destroy(search.evaluator);
    return status;
}
