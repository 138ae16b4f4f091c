#include "replay/lift/lift_paths.h"

#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_CALLS 64u /* before the first lifted one */

LiftBudget LiftBudget_Default(void) {
    return (LiftBudget){
        .most_inputs = 4000, .patience = 600, .most_paths = 600, .instructions = 200000};
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for paths", "", "", "");
}

/* ---- one input ------------------------------------------------------------------------------- */

static uint64_t Mix(uint64_t key, uint64_t value) {
    key = (key ^ value) * 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

/* Puts a path among those of its side. The path belongs to `paths` afterwards, or is freed, if the
 * same one is there. */
static RpStatus Enter(LiftPaths *paths, int side, LiftPath *path, const LiftInput *input,
                      uint32_t *number, RpError *error) {
    /* A hash of what makes a path: its conditions, its outputs and its end. */
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
            const LiftOutput *same = LiftPath_OutputAt(other, output);
            if (output->place == LIFT_MEMORY) {
                /* The other call left four bytes there, or what was there before. */
                const uint8_t *before =
                    same ? NULL
                         : LiftInput_At(input, ExpressionGraph_NameOf(paths->graph, output->region),
                                        output->offset, 4);
                const uint32_t left = same     ? (uint32_t)same->number.low
                                      : before ? Bytes_U32(before)
                                               : 0;
                if (left != (uint32_t)output->number.low)
                    return false;
                continue;
            }
            if (LiftOutput_IsSeen(paths->signature, output) &&
                (!same || same->number.low != output->number.low ||
                 same->number.head != output->number.head))
                return false;
        }
    return true;
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
    if (status || !paths->pairs[LIFT_REPLACEMENT])
        return status;

    /* It is noted that one input took these paths. */
    uint32_t at = 0;
    while (at < paths->meeting_count &&
           memcmp(paths->meetings[at].found, found, sizeof paths->meetings[at].found) != 0)
        at++;
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

/* ---- finding --------------------------------------------------------------------------------- */

RpStatus LiftPaths_Find(LiftPair *const pairs[LIFT_SIDES], LiftInputs *inputs,
                        const AbiFunction *function, const LiftBudget *budget, LiftPaths *paths,
                        RpError *error) {
    LiftInput input;
    uint32_t found[LIFT_SIDES], quiet = 0;
    bool has_room = true;
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

    for (uint64_t number = 0;
         !status && number < budget->most_inputs && quiet < budget->patience && has_room;
         number++) {
        const uint32_t before = paths->found_count[0] + paths->found_count[1];
        status = LiftInputs_Make(inputs, function, number, &input, error);
        paths->signature = input.signature;
        if (!status)
            status = LiftPaths_Try(paths, &input, found, error);
        LiftInput_Free(&input);
        quiet = before == paths->found_count[0] + paths->found_count[1] ? quiet + 1 : 0;
        has_room = paths->found_count[0] < budget->most_paths &&
                   paths->found_count[1] < budget->most_paths;
    }
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
