/* Sums over one side's answers, for whoever compares with them without having that side. A digest
 * of the answers of an original (replay/session/answer_digest.h) says whether others answer the
 * same, and holds nothing of the original.
 *
 * The answer to a call is a number of 64 bits: FNV-1a over the call's sequence number (8 bytes),
 * its outcome, its violations (1 byte each), and
 *
 *   returned   the control word (2), MXCSR without its sticky flags (4), the outputs
 *   crashed    the exception's code (4)
 *   exited     the exit code (4)
 *   timed out  nothing more
 *
 * Everything is little-endian. The number is mixed once more by SplitMix64's last steps, because
 * the numbers of a function's calls are then added. A sum does not depend on the order of the
 * calls, so it is the same in whatever way, and in however many jobs and slices, they were
 * answered. */
#ifndef RETROPOSE_REPLAY_SESSION_ANSWERS_H
#define RETROPOSE_REPLAY_SESSION_ANSWERS_H

#include "tracefile/tracefile.h"

typedef struct AnswerSum {
    uint64_t sum;      /* modulo 2^64 */
    uint64_t answered; /* the number of calls in the sum */
    /* the number of calls that were refused, or of a function that the side lacks */
    uint64_t unanswered;
} AnswerSum;

/* The two kinds of calls of one function: those with results that processors of all makers agree
 * on, and those with results that depend on instructions in which they differ. These are the
 * estimates, and the transcendental instructions under another control word than the game's
 * precision of 24 bits and rounding to nearest. */
enum { ANSWERS_OF_ANY, ANSWERS_OF_PROCESSOR, ANSWERS_KINDS };

typedef enum AnswersHang {
    ANSWERS_HANG_ON_NOTHING,
    /* depends on the processor under other control words than the game's */
    ANSWERS_HANG_ON_ROUNDING,
    ANSWERS_HANG_ON_ESTIMATE /* always depends on the processor */
} AnswersHang;

typedef struct AnswerRow {
    AnswersHang hang;
    AnswerSum sums[ANSWERS_KINDS];
} AnswerRow;

typedef struct AnswerSums {
    AnswerRow *rows; /* indexed by the row of abi_functions; null if there are none */
} AnswerSums;

/* Begins with sums of no calls. Returns false where memory is short. */
bool AnswerSums_Init(AnswerSums *sums);
void AnswerSums_Free(AnswerSums *sums);
void AnswerSums_Call(AnswerSums *sums, const TraceCall *call);
/* Adds all calls of a trace. */
RpStatus AnswerSums_Trace(AnswerSums *sums, TraceReader *reader, RpError *error);
void AnswerSums_Merge(AnswerSums *sums, const AnswerSums *other);

#endif
