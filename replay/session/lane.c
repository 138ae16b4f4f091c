#include "replay/session/lane.h"

#include "replay/provider/answerer.h"
#include "replay/provider/server.h"
#include "tracefile/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 1500

/* Scenarios may take turns on processor classes, so the hosts of the last few classes are kept. */
#define MOST_PAIRS 4

/* The hosts of two sides, and the surroundings in which they run. */
typedef struct Pair {
    Server *servers[2]; /* null for a side that has none, because it answers in this process */
    const Provider *sides[2];
    TraceHeader header;
    uint64_t used; /* when it was used last */
} Pair;

struct Lane {
    unsigned number;
    BatchInputs *inputs;
    char path[PATH_BYTES]; /* the path of the file of `inputs` */
    ProviderOptions options;
    Pair pairs[MOST_PAIRS];
    uint64_t turns; /* counts how often pairs were used */
};

/* Everything about the answers with one build. */
typedef struct Answers {
    const LaneBuild *asked;
    ProviderSlotBuild build;
    TraceHeader header;     /* the header that a trace of these calls has before they are run */
    Answerer *answerers[2]; /* null for a side that answers in a host */
    Comparing *comparing;   /* null until the first answers are there */
} Answers;

/* An order that the hosts carry out. */
typedef struct Post {
    uint32_t input, output; /* indices of parts */
    Answers *answers;       /* null if there is no order */
} Post;

/* Everything about the calls of one work. */
typedef struct Run {
    Lane *lane;
    Pair *pair;
    const LaneWork *work;
    Answers answers[LANE_MOST_BUILDS];
    TraceReader *calls;
    uint32_t memories; /* how many of the reader's memories the hosts have */
    /* indexed by the row of abi_functions, for calls that were made */
    const Signature **signatures;
    RpError error; /* the error that makes this run fail, which is told to nobody */
    uint8_t *held; /* records that did not fit and wait for the next part */
    size_t held_size, held_capacity;
    uint32_t held_outputs;
    uint64_t compared; /* the number of calls that have been compared, with all builds together */
    uint32_t orders;
    bool ended; /* every call has been made */
} Run;

/* ---- hosts ------------------------------------------------------------------------------------
 */

bool Lane_Has(const Provider *a, const Provider *b) {
    return (Server_Has(a) && (Server_Has(b) || Answerer_Has(b))) ||
           (Answerer_Has(a) && Server_Has(b));
}

Lane *Lane_Create(unsigned number) {
    Lane *lane = calloc(1, sizeof *lane);
    if (lane)
        lane->number = number;
    return lane;
}

static void EndPair(Pair *pair) {
    for (int i = 0; i < 2; i++) {
        Server_Close(pair->servers[i]);
        pair->servers[i] = NULL;
    }
}

void Lane_Destroy(Lane *lane) {
    if (!lane)
        return;
    for (int i = 0; i < MOST_PAIRS; i++)
        EndPair(&lane->pairs[i]);
    if (lane->inputs) {
        Server_Unshare(lane->inputs, sizeof *lane->inputs);
        remove(lane->path);
    }
    free(lane);
}

/* Returns whether a pair runs, is of the work's two sides, and was loaded in the surroundings that
 * the header asks for. */
static bool Suits(const Pair *pair, const LaneWork *work, const TraceHeader *header) {
    static const char *const keys[] = {"force-cpu", "hypotheses"};
    for (int i = 0; i < 2; i++)
        if (pair->sides[i] != work->sides[i] || (Server_Has(work->sides[i]) && !pair->servers[i]))
            return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char loaded[TRACE_HEADER_MAX], wanted[TRACE_HEADER_MAX];
        TraceHeader_Get(&pair->header, keys[i], loaded, sizeof loaded);
        TraceHeader_Get(header, keys[i], wanted, sizeof wanted);
        if (strcmp(loaded, wanted) != 0)
            return false;
    }
    return true;
}

/* ---- making batches ---------------------------------------------------------------------------
 */

/* Returns room for a record that has to wait for a part, or null where memory is short. */
static BatchRecord *Hold(Run *run, uint32_t bytes) {
    if (run->held_size + bytes > run->held_capacity) {
        const size_t capacity = (run->held_size + bytes) * 2;
        uint8_t *grown = realloc(run->held, capacity);
        if (!grown)
            return NULL;
        run->held = grown;
        run->held_capacity = capacity;
    }
    BatchRecord *record = (BatchRecord *)(run->held + run->held_size);
    run->held_size += bytes;
    *record = (BatchRecord){.bytes = bytes};
    return record;
}

/* Fills a part with calls. The last call may have to wait for the next part. */
static bool FillPart(Run *run, uint32_t part_index, bool first) {
    BatchPart *part = &run->lane->inputs->parts[part_index];
    uint32_t outputs = 0; /* the most bytes of outcomes that the hosts may need */
    part->bytes = 0;
    part->fresh = first;
    for (;;) {
        /* The next call is held after the memories that no earlier call has named. */
        if (run->held_size == 0 && !run->ended) {
            TraceCall call;
            bool found;
            if (TraceReader_Next(run->calls, &call, &found, &run->error))
                return false;
            run->ended = !found;
            while (found && run->memories < TraceReader_MemoryCount(run->calls)) {
                const TraceMemory *memory = TraceReader_MemoryAt(run->calls, run->memories++);
                const uint32_t padded = Batch_PadTo8(memory->size);
                const uint32_t relocations =
                    memory->relocation_count * (uint32_t)sizeof(TraceRelocation);
                BatchRecord *record = NULL;
                if (memory->size < BATCH_RECORD_BYTES && relocations < BATCH_RECORD_BYTES)
                    record =
                        Hold(run, Batch_PadTo8((uint32_t)sizeof *record + padded + relocations));
                if (!record)
                    return false;
                record->kind = BATCH_MEMORY;
                record->size = memory->size;
                record->result = memory->relocation_count;
                record->id = memory->id;
                uint8_t *bytes = (uint8_t *)(record + 1);
                if (memory->size > 0)
                    memcpy(bytes, memory->bytes, memory->size);
                if (relocations > 0)
                    memcpy(bytes + padded, memory->relocations, relocations);
            }
            if (found) {
                const uint32_t most =
                    Signature_OutputBytes(call.signature, call.inputs, call.input_size);
                BatchRecord *record =
                    Hold(run, Batch_PadTo8((uint32_t)sizeof *record + call.input_size));
                if (!record)
                    return false;
                record->kind = BATCH_CALL;
                record->row = (uint32_t)(call.function - abi_functions);
                record->mxcsr = call.mxcsr_in;
                record->control = call.control_in;
                record->size = call.input_size;
                record->result = most;
                record->sequence = call.sequence;
                memcpy(record + 1, call.inputs, call.input_size);
                run->signatures[record->row] = call.signature;
                run->held_outputs = (uint32_t)Batch_OutcomeBytes(most);
            }
        }
        if (run->held_size == 0)
            return true;
        if (run->held_size > BATCH_RECORD_BYTES || run->held_outputs > BATCH_RECORD_BYTES)
            return false;
        if (part->bytes + run->held_size > BATCH_RECORD_BYTES ||
            outputs + run->held_outputs > BATCH_RECORD_BYTES)
            return true;
        memcpy(part->records + part->bytes, run->held, run->held_size);
        part->bytes += (uint32_t)run->held_size;
        outputs += run->held_outputs;
        run->held_size = 0;
    }
}

/* ---- comparing --------------------------------------------------------------------------------
 */

/* Makes the header of a trace of these calls with the answers of one side. */
static bool StateHeader(Run *run, const Answers *answers, int side, TraceHeader *header) {
    static const char *const keys[] = {"provider",  "ngi32.sha256", "animesh.sha256",
                                       "processor", "estimates",    "system"};
    if (answers->answerers[side]) {
        *header = *Answerer_Header(answers->answerers[side]);
        return true;
    }
    TraceHeader said = Server_Outputs(run->pair->servers[side])->header;
    said.text[TRACE_HEADER_MAX - 1] = 0;
    *header = answers->header;
    header->minor = TRACE_VERSION_MINOR_RUN;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char value[256];
        if (TraceHeader_Get(&said, keys[i], value, sizeof value) &&
            TraceHeader_Set(header, keys[i], value, &run->error))
            return false;
    }
    return true;
}

/* Reads the outcome of a call, which has `call->output_size` bytes of outputs if it returned, and
 * moves to the end of it. The foreign code in a host may have written anything there, so everything
 * is checked. */
static bool TakeOutcome(const BatchPart *part, uint32_t *at, TraceCall *call) {
    BatchOutcome outcome;
    if (*at > BATCH_RECORD_BYTES - sizeof outcome)
        return false;
    memcpy(&outcome, part->records + *at, sizeof outcome);
    const uint32_t room = BATCH_RECORD_BYTES - *at;
    if (outcome.bytes < sizeof outcome || outcome.bytes > room || outcome.bytes % 8 != 0 ||
        outcome.size > outcome.bytes - sizeof outcome || outcome.outcome >= TRACE_OUTCOME_COUNT ||
        outcome.outcome == TRACE_NOT_RUN || outcome.violations > TRACE_VIOLATION_MASK)
        return false;
    const uint32_t size = outcome.outcome == TRACE_RETURNED
                              ? call->output_size
                              : Trace_OutputBytes(outcome.outcome, NULL, NULL, 0);
    if (outcome.size != size)
        return false;
    call->outcome = outcome.outcome;
    call->violations = outcome.violations;
    call->control_out = outcome.control;
    call->mxcsr_out = outcome.mxcsr;
    call->outputs = part->records + *at + sizeof outcome;
    call->output_size = outcome.size;
    *at += outcome.bytes;
    return call->outcome != TRACE_RETURNED ||
           Signature_CheckOutputs(call->signature, call->inputs, call->input_size, call->outputs,
                                  NULL) == RP_OK;
}

/* Waits for the hosts, and compares both sides' outcomes for a part. */
static bool FinishPart(Run *run, const Post *post) {
    const ProviderOptions *provider = run->work->provider;
    const BatchPart *part = &run->lane->inputs->parts[post->input], *parts[2] = {NULL, NULL};
    const uint8_t *from = part->records, *end = from + part->bytes;
    uint32_t at[2] = {0, 0};
    TraceCall calls[2] = {{.function = NULL}, {.function = NULL}};
    for (int i = 0; i < 2; i++) {
        Server *server = run->pair->servers[i];
        if (server && !Server_Wait(server))
            return false;
        if (server)
            parts[i] = &Server_Outputs(server)->parts[post->output];
    }
    Answers *answers = post->answers;
    if (!answers->comparing) {
        /* The comparison begins as soon as the hosts have said what they are. */
        TraceHeader headers[2];
        if (!StateHeader(run, answers, 0, &headers[0]) ||
            !StateHeader(run, answers, 1, &headers[1]) ||
            Comparison_Begin(answers->asked->part, &headers[0], &headers[1], run->calls,
                             answers->asked->name, &answers->comparing, &run->error))
            return false;
    }
    for (const BatchRecord *record; from < end; from += record->bytes) {
        record = (const BatchRecord *)from;
        if (record->kind != BATCH_CALL)
            continue;
        for (int i = 0; i < 2; i++) {
            Answerer *answerer = answers->answerers[i];
            TraceCall *call = &calls[i];
            call->function = &abi_functions[record->row];
            call->signature = run->signatures[record->row];
            call->sequence = record->sequence;
            call->control_in = record->control;
            call->mxcsr_in = record->mxcsr;
            call->inputs = (const uint8_t *)(record + 1);
            call->input_size = record->size;
            call->output_size = record->result;
            if (answerer && Answerer_Call(answerer, call, call, &run->error))
                return false;
            if (!answerer && !TakeOutcome(parts[i], &at[i], &calls[i]))
                return false;
        }
        if (answers->asked->answers)
            AnswerSums_Call(answers->asked->answers, &calls[0]);
        if (Comparing_Call(answers->comparing, &calls[0], &calls[1], &run->error))
            return false;
        run->compared++;
    }
    if (provider->progress)
        provider->progress(provider->context, run->compared);
    return true;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* Makes one part while the hosts run the one before it. */
static bool RunParts(Run *run) {
    Post last = {.answers = NULL};
    for (uint32_t part_index = 0;; part_index = (part_index + 1) % BATCH_ORDERS) {
        if (!FillPart(run, part_index, last.answers == NULL))
            return false;
        if (run->lane->inputs->parts[part_index].bytes == 0)
            return last.answers && FinishPart(run, &last);

        /* The calls are answered with all builds. The hosts always have an order to work on while
         * answers are compared. */
        for (size_t i = 0; i < run->work->build_count; i++) {
            Answers *answers = &run->answers[i];
            const Post before = last;
            last = (Post){part_index, run->orders++ % BATCH_ORDERS, answers};
            const uint32_t work = part_index | last.output << BATCH_OUTPUT_SHIFT |
                                  (i == 0 ? 0 : BATCH_AGAIN) |
                                  (uint32_t)answers->build << BATCH_BUILD_SHIFT;
            for (int side = 0; side < 2; side++) {
                Server *server = run->pair->servers[side];
                if (server && !Server_Post(server, work))
                    return false;
            }
            if (before.answers && !FinishPart(run, &before))
                return false;
        }
    }
}

static bool OpenRun(Run *run) {
    const LaneWork *work = run->work;
    ScenarioOptions calls = *work->calls;
    calls.slot_build = NULL;
    run->signatures = calloc(abi_function_count, sizeof *run->signatures);
    if (!run->signatures || Scenario_Open(work->scenario, &calls, &run->calls, &run->error))
        return false;
    for (size_t i = 0; i < work->build_count; i++) {
        const char *build = work->builds[i].slot_build;
        Answers *answers = &run->answers[i];
        answers->asked = &work->builds[i];
        answers->header = *TraceReader_Header(run->calls);
        if ((build && TraceHeader_Set(&answers->header, "slot-build", build, &run->error)) ||
            Provider_SlotBuild(&answers->header, &answers->build, &run->error))
            return false;
        for (int side = 0; side < 2; side++)
            if (!Server_Has(work->sides[side]) &&
                Answerer_Open(work->sides[side], &answers->header, run->calls, work->provider,
                              &answers->answerers[side], &run->error))
                return false;
    }

    /* Hosts are found for this work, or started in place of the hosts that have not been used for
     * the longest time. */
    Lane *lane = run->lane;
    const TraceHeader *header = TraceReader_Header(run->calls);
    Pair *oldest = &lane->pairs[0];
    if (!lane->inputs) {
        snprintf(lane->path, sizeof lane->path, "%.1300s/lane%u-calls", work->folder, lane->number);
        lane->inputs = Server_Share(lane->path, sizeof *lane->inputs);
    }
    if (!lane->inputs)
        return false;

    for (int i = 0; i < MOST_PAIRS && !run->pair; i++) {
        Pair *pair = &lane->pairs[i];
        if (Suits(pair, work, header))
            run->pair = pair;
        if (pair->used < oldest->used)
            oldest = pair;
    }
    lane->turns++;
    if (run->pair) {
        run->pair->used = lane->turns;
        return true;
    }

    run->pair = oldest;
    EndPair(oldest);
    oldest->header = *header;
    oldest->used = lane->turns;
    lane->options = *work->provider;
    lane->options.progress = NULL;
    lane->inputs->abi = Abi_Digest();
    lane->inputs->header = *header;
    for (int i = 0; i < 2; i++) {
        char beside[PATH_BYTES];
        oldest->sides[i] = work->sides[i];
        snprintf(beside, sizeof beside, "%.1300s/lane%u-%c", work->folder, lane->number, 'a' + i);
        if (Server_Has(work->sides[i]) && Server_Open(work->sides[i], &lane->options, lane->path,
                                                      beside, &oldest->servers[i], &run->error))
            return false;
    }
    return true;
}

bool Lane_Run(Lane *lane, const LaneWork *work) {
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return false;
    run->lane = lane;
    run->work = work;
    const bool done = OpenRun(run) && RunParts(run);
    if (!done && run->pair)
        EndPair(run->pair);
    for (size_t i = 0; i < work->build_count; i++) {
        Comparing_End(run->answers[i].comparing);
        Answerer_Close(run->answers[i].answerers[0]);
        Answerer_Close(run->answers[i].answerers[1]);
    }
    TraceReader_Close(run->calls);
    free(run->signatures);
    free(run->held);
    free(run);
    return done;
}
