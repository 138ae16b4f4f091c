#include "replay/session/answers.h"

#include "core/bytes.h"
#include "core/hash.h"
#include "core/random.h"
#include "replay/compare/compare.h"
#include "replay/compare/processor_freedom.h"

#include <stdlib.h>

bool AnswerSums_Init(AnswerSums *sums) {
    sums->rows = calloc(abi_function_count, sizeof *sums->rows);
    for (size_t row = 0; sums->rows && row < abi_function_count; row++)
        sums->rows[row].hang = !Processor_Cause(&abi_functions[row]) ? ANSWERS_HANG_ON_NOTHING
                               : Processor_Estimates(&abi_functions[row])
                                   ? ANSWERS_HANG_ON_ESTIMATE
                                   : ANSWERS_HANG_ON_ROUNDING;
    return sums->rows != NULL;
}

void AnswerSums_Free(AnswerSums *sums) {
    free(sums->rows);
    sums->rows = NULL;
}

void AnswerSums_Call(AnswerSums *sums, const TraceCall *call) {
    enum { PRECISION_AND_ROUNDING = 0x0F00 }; /* these bits are 0 in the game's control word */
    AnswerRow *row = &sums->rows[call->function - abi_functions];
    const bool of_processor =
        row->hang == ANSWERS_HANG_ON_ESTIMATE ||
        (row->hang == ANSWERS_HANG_ON_ROUNDING && (call->control_in & PRECISION_AND_ROUNDING));
    AnswerSum *sum = &row->sums[of_processor ? ANSWERS_OF_PROCESSOR : ANSWERS_OF_ANY];
    if (call->outcome == TRACE_NOT_CALLED || call->outcome == TRACE_UNSUPPORTED) {
        sum->unanswered++;
        return;
    }
    sum->answered++;
    uint8_t head[16];
    Bytes_PutU64(head, call->sequence);
    head[8] = call->outcome;
    head[9] = call->violations;
    Bytes_PutU16(head + 10, call->control_out);
    Bytes_PutU32(head + 12, call->mxcsr_out & ~COMPARE_MXCSR_STICKY);
    uint64_t hash = Hash_Fnv64(HASH_FNV64_BEGIN, head, 10);
    if (call->outcome == TRACE_RETURNED) {
        hash = Hash_Fnv64(hash, head + 10, 6);
        hash = Hash_Fnv64(hash, call->outputs, call->output_size);
    } else if (call->outcome == TRACE_CRASHED || call->outcome == TRACE_EXITED) {
        hash = Hash_Fnv64(hash, call->outputs, 4); /* the code alone, without an address */
    }
    /* Sums of FNV-1a alone would not notice that two calls changed places. */
    sum->sum += Random_Mix(hash);
}

RpStatus AnswerSums_Trace(AnswerSums *sums, TraceReader *reader, RpError *error) {
    for (;;) {
        TraceCall call;
        bool found;
        RpStatus status = TraceReader_Next(reader, &call, &found, error);
        if (status || !found)
            return status;
        AnswerSums_Call(sums, &call);
    }
}

void AnswerSums_Merge(AnswerSums *sums, const AnswerSums *other) {
    for (size_t row = 0; row < abi_function_count; row++)
        for (int kind = 0; kind < ANSWERS_KINDS; kind++) {
            AnswerSum *sum = &sums->rows[row].sums[kind];
            const AnswerSum *more = &other->rows[row].sums[kind];
            sum->sum += more->sum;
            sum->answered += more->answered;
            sum->unanswered += more->unanswered;
        }
}
