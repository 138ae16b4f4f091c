/* Makes inputs that tell apart readings of the arithmetic that agree on nearly all other inputs
 * (slerp-limit and flip-sum of exports/reading_table.h): a dot product between two limits, and
 * poses at right angles. */
#include "replay/scenario/calls.h"

/* ---- between the limits of slots 17 and 22 --------------------------------------------------- */

/* Puts a pair whose 1 - c is 175921857 to 175921860 times 2^-44. That is above 1e-5 as binary32,
 * which is 175921856 of these units, and not above 1e-5 as binary64, which is 175921860.4. c takes
 * 44 bits, so the control word must ask for 53 bits or more; all sums are exact. */
static void PutPairBetweenLimits(Random *random, ScenarioCall *call) {
    uint32_t place = Random_Below(random, 4), other = (place + 1 + Random_Below(random, 3)) % 4;
    int power = Random_Between(random, -8, 8);
    uint32_t q0[4] = {0}, q1[4] = {0};
    q0[place] = Float_FromInteger(1, power);
    q1[place] = Float_FromInteger((1 << 24) - 168, -24 - power);
    q0[other] = Float_FromInteger(1, -20);
    q1[other] = Float_FromInteger(Random_Between(random, 238908, 238911), -24);
    if (Random_OneIn(random, 2))
        for (int i = 0; i < 4; i++)
            q1[i] ^= FLOAT_SIGN;
    Call_Words(call, q0, 4);
    Call_Words(call, q1, 4);
    Call_Word(call, Value_Random(random, MAGNITUDE_UNIT) & ~FLOAT_SIGN);
    call->control = Random_OneIn(random, 2) ? 0x027F : 0x037F;
}

static void InterpolateBetweenLimits(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot17");
    PutPairBetweenLimits(random, call);
}

static void BlendBetweenLimits(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot22");
    PutPairBetweenLimits(random, call);
}

/* ---- right angles ---------------------------------------------------------------------------- */

/* Blends from an even key to the next one. The model has a key in every frame and an even number
 * of frames. */
static void BlendAtRightAngles(ScenarioContext *context, Random *random, ScenarioCall *call) {
    const ModelImage *image = Scenario_Model(context, CORPUS_TIES_MODEL);
    if (!image)
        return;
    uint32_t node = Random_Below(random, image->node_count);
    int64_t frame = 2 * Random_Below(random, image->frame_count / 2);
    Call_Begin(call, "animesh.BlendPoses");
    Call_Reference(call, MEMORY_PIECES + 4 * CORPUS_TIES_MODEL, node * MODEL_PIECE_SIZE);
    Call_Word(call, Float_FromInteger(frame, 0));
    Call_Word(call, Float_FromInteger(frame + 1, 0));
    Call_Word(call, Float_FromInteger(Random_Between(random, 1, 255), -8));
}

/* ---- calls ----------------------------------------------------------------------------------- */

void Ties_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    static CallMaker *const makers[4] = {InterpolateBetweenLimits, BlendAtRightAngles,
                                         BlendBetweenLimits, BlendAtRightAngles};
    Random random = Random_Start(context->name, context->seed, index);
    makers[index % 4](context, &random, call);
}
