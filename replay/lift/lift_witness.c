#include "replay/lift/lift_witness.h"

#include "core/bytes.h"
#include "replay/scenario/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 256 };

const LiftMeeting *LiftWitness_Meeting(const LiftPaths *paths, const uint32_t found[LIFT_SIDES]) {
    for (uint32_t i = 0; i < paths->meeting_count; i++) {
        if (memcmp(paths->meetings[i].found, found, sizeof paths->meetings[i].found) == 0)
            return &paths->meetings[i];
    }
    return NULL;
}

typedef struct Search {
    const LiftPaths *paths;
    const LiftPath *sides[LIFT_SIDES];
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

static uint32_t OutcomeOf(const LiftCondition *condition, ExpressionValue left,
                          ExpressionValue right) {
    const uint32_t bits = condition->left->bits;
    if (condition->order == LIFT_X87 || condition->order == LIFT_SSE)
        return ExpressionValue_Compare(bits, left, right);
    const uint64_t bias = condition->order == LIFT_SIGNED ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t a = left.low ^ bias, b = right.low ^ bias;
    return a < b ? COMPARE_LESS : a > b ? COMPARE_GREATER : COMPARE_EQUAL;
}

/* How far an input is from fulfilling all conditions of both paths; 0 if it does. */
static double Distance(Search *search) {
    static const double unknown = 1e6, other = 100, least = 1e-3;
    double distance = 0;
    for (int side = 0; side < LIFT_SIDES; side++) {
        const LiftPath *path = search->sides[side];
        for (uint32_t i = 0; i < path->condition_count; i++) {
            const LiftCondition *condition = &path->conditions[i];
            ExpressionValue left, right;
            if (!ExpressionEvaluator_Value(search->evaluator, condition->left, &left) ||
                !ExpressionEvaluator_Value(search->evaluator, condition->right, &right)) {
                distance += unknown;
                continue;
            }
            const uint32_t outcome = OutcomeOf(condition, left, right);
            if (outcome & condition->outcomes)
                continue;
            if (outcome == COMPARE_UNORDERED || condition->outcomes == COMPARE_UNORDERED) {
                distance += other;
                continue;
            }
            double gap = Rank(condition, left) - Rank(condition, right);
            gap = gap < 0 ? -gap : gap;
            distance += least + (gap < other ? gap : other);
        }
    }
    return distance;
}

static const LiftOutput *OutputAt(const LiftPath *path, const LiftOutput *place) {
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        if (output->place == place->place && output->region == place->region &&
            output->offset == place->offset)
            return output;
    }
    return NULL;
}

/* Whether the outputs of the two paths, evaluated, have different bits. What cannot be evaluated
 * counts as different, so that the call is run. */
static bool Differs(Search *search) {
    ExpressionValue values[LIFT_SIDES];
    for (int side = 0; side < LIFT_SIDES; side++) {
        const LiftPath *path = search->sides[side], *other = search->sides[1 - side];
        for (uint32_t i = 0; i < path->output_count; i++) {
            const LiftOutput *output = &path->outputs[i], *same = OutputAt(other, output);
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
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bits = simple[Random_Below(random, 5)];
        const uint32_t now = Bytes_U32(input->bytes + words[i]);
        if (now > 0xFFFF) /* not a count */
            Bytes_PutU32(input->bytes + words[i], bits);
    }
}

RpStatus LiftWitness_Search(LiftPaths *paths, const uint32_t found[LIFT_SIDES], uint32_t most,
                            uint64_t *searched, LiftInput *witness, bool *is_found,
                            RpError *error) {
    enum { PATIENCE = 300 }; /* changes without progress after which another beginning is taken */
    *is_found = false;
    Search search = {.paths = paths, .evaluator = ExpressionEvaluator_Create(paths->graph)};
    if (!search.evaluator)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a witness", "", "", "");
    for (int side = 0; side < LIFT_SIDES; side++)
        search.sides[side] = paths->found[side][found[side]].path;
    Random random = Random_Start("witness", found[0], found[1]);

    uint32_t words[MOST_WORDS], quiet = PATIENCE, runs = 0;
    LiftInput best = {0}, next = {0};
    LiftInputContext context;
    double nearest = 0;
    uint32_t count = 0;
    RpStatus status = RP_OK;
    for (uint32_t tried = 0; !status && !*is_found && tried < most; tried++) {
        if (quiet == PATIENCE) {
            const int side = (int)Random_Below(&random, LIFT_SIDES);
            LiftInput_Free(&best);
            status = LiftInput_Copy(&paths->found[side][found[side]].input, &best, error);
            if (status)
                break;
            count = LiftInput_Words(&best, paths->graph, search.sides[side], words, MOST_WORDS);
            if (count == 0)
                break;
            if (Random_OneIn(&random, 3))
                MakeSimple(&best, &random, words, count);
            Evaluate(&search, &best, &context);
            nearest = Distance(&search);
            quiet = 0;
        }
        status = LiftInput_Copy(&best, &next, error);
        if (status)
            break;
        for (uint32_t changes = 1 + Random_Below(&random, 3); changes > 0; changes--)
            LiftInput_Change(&next, Random_Next(&random), words, count);
        Evaluate(&search, &next, &context);
        const double distance = Distance(&search);
        ++*searched;
        quiet = distance < nearest ? 0 : quiet + 1;
        if (distance == 0 && runs < most / 16 && Differs(&search)) {
            uint32_t met[LIFT_SIDES];
            runs++;
            status = LiftPaths_Try(paths, &next, met, error);
            /* The array of paths may have moved; the paths themselves stay. */
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
    ExpressionEvaluator_Destroy(search.evaluator);
    return status;
}
