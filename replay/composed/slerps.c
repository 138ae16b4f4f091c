/* Compares slots 17 and 22 with the x87: one pair at a time, and many in each width. */
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/many.h"
#include "ngi32/processor/scope.h"
#include "replay/composed/kinds.h"
#include "replay/composed/random_pair.h"
#include "retropose/fastproc.h"

#include <math.h>
#include <string.h>

typedef struct Batch {
    float q0[EXACT_MANY][4], q1[EXACT_MANY][4], t[EXACT_MANY], expected[EXACT_MANY][4];
    ComposedCall call;
} Batch;

/* Returns whether the core takes all of a pair's numbers, apart from a fraction beyond 1. A number
 * that it does not take may make a width refuse the whole batch. */
static bool IsModerate(const RandomPair *pair) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            const float size = fabsf(k ? pair->q1[i] : pair->q0[i]);
            if (!(size == 0 || (size >= 0x1p-40f && size <= 0x1p40f)))
                return false;
        }
    return fabsf(pair->t) >= 0x1p-45f && fabsf(pair->t) <= 4;
}

static void Compare(Composed *composed, int path, const Batch *batch, uint64_t lanes,
                    const float (*found)[4]) {
    for (int i = 0; i < EXACT_MANY; i++) {
        RpBuffer text;
        if (!(lanes >> i & 1) || memcmp(found[i], batch->expected[i], sizeof *found) == 0 ||
            !Composed_Differs(composed, COMPOSED_SLERP, path, &batch->call, &text))
            continue;
        Composed_PrintWords(&text, "q0", batch->q0[i], 4);
        Composed_PrintWords(&text, "q1", batch->q1[i], 4);
        Composed_PrintWords(&text, "t", &batch->t[i], 1);
        Composed_PrintWords(&text, "found", found[i], 4);
        Composed_PrintWords(&text, "expected", batch->expected[i], 4);
        Composed_Describe(composed, &text);
    }
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* Computes the pairs one by one, and returns which of them the core serves. */
static uint64_t ByOne(const Batch *batch, float (*found)[4]) {
    const ExactSum order = Arc_Order(&batch->call.settings);
    uint64_t served = 0;
    for (int i = 0; i < EXACT_MANY; i++)
        if (Exact_Slerp(order, batch->q0[i], batch->q1[i], &batch->t[i], found[i]))
            served |= UINT64_C(1) << i;
    return served;
}

/* ---- many ------------------------------------------------------------------------------------ */

static void Gather(const float (*quaternions)[4], ExactRotations *rotations) {
    for (int i = 0; i < EXACT_MANY; i++)
        for (int k = 0; k < 4; k++)
            memcpy(&rotations->number[k][i], &quaternions[i][k], sizeof(float));
}

static uint64_t ByWidth(const Batch *batch, const ExactWidth *width, float (*found)[4]) {
    ExactRotations q0, q1, result;
    Gather(batch->q0, &q0);
    Gather(batch->q1, &q1);
    const uint32_t before = Exact_Enter();
    const uint64_t refused = width->interpolate(&q0, &q1, batch->t, EXACT_MANY,
                                                Arc_Order(&batch->call.settings), &result);
    const bool valid = Exact_Leave(before);
    for (int i = 0; i < EXACT_MANY; i++)
        for (int k = 0; k < 4; k++)
            memcpy(&found[i][k], &result.number[k][i], sizeof(float));
    return valid ? ~refused : 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void CompareServed(Composed *composed, int path, const Batch *batch, uint64_t served,
                          const float (*found)[4]) {
    Composed_Count(composed, COMPOSED_SLERP, path, (uint64_t)__builtin_popcountll(served),
                   (uint64_t)__builtin_popcountll(served));
    Compare(composed, path, batch, served, found);
}

void Composed_Slerps(Composed *composed, uint32_t calls) {
    const Rounding before = Rounding_Get();
    for (uint32_t done = 0; done < calls; done += EXACT_MANY) {
        Batch batch;
        /* One batch of eight has numbers of any class, two of eight have numbers that are too small
         * or too large for the core, and the others have neither. */
        Random *random = &composed->random;
        const uint32_t kind = Random_Below(random, 8);
        for (int i = 0; i < EXACT_MANY; i++) {
            RandomPair pair;
            do
                (Random_OneIn(random, 2) ? RandomPair_MakeEdge : RandomPair_Make)(random, &pair);
            while (kind > 2 && !IsModerate(&pair));
            if (kind == 0 && Random_OneIn(random, 4))
                RandomPair_PutSpecial(random, &pair);
            memcpy(batch.q0[i], pair.q0, sizeof pair.q0);
            memcpy(batch.q1[i], pair.q1, sizeof pair.q1);
            memcpy(&batch.t[i], &pair.t, sizeof pair.t);
        }
        batch.call = ComposedCall_Draw(random);

        const RpArithmetic *settings = &batch.call.settings;
        const ExactWidth *const *widths = Exact_Widths();
        float found[EXACT_MANY][4];
        Rounding_Set(batch.call.reference);
        for (int i = 0; i < EXACT_MANY; i++)
            RpQuaternion_Interpolate(&batch.call.reference_settings, batch.q0[i], batch.q1[i],
                                     batch.t[i], batch.expected[i]);
        Rounding_Set(batch.call.rounding);
        const ArithmeticScope scope = Arithmetic_Enter(settings);
        if (Exact_IsInForce(settings) && Arc_IsExact(settings)) {
            CompareServed(composed, COMPOSED_ONE, &batch, ByOne(&batch, found),
                          (const float(*)[4])found);
            for (int i = 0; widths[i]; i++)
                CompareServed(composed, COMPOSED_FIRST_WIDTH + i, &batch,
                              ByWidth(&batch, widths[i], found), (const float(*)[4])found);
        }
        Arithmetic_Leave(scope);

        /* The public functions use the x87 where the core refuses. */
        RpQuaternion_InterpolateMany(settings, EXACT_MANY, (const float(*)[4])batch.q0,
                                     (const float(*)[4])batch.q1, batch.t, found);
        Composed_Count(composed, COMPOSED_SLERP, COMPOSED_MANY, EXACT_MANY, 0);
        Compare(composed, COMPOSED_MANY, &batch, UINT64_MAX, (const float(*)[4])found);
        Rounding_Set(before);
        composed->report->calls += EXACT_MANY;
    }
}
