/* What two traces of the same calls say in their headers that decides what the calls give: the
 * readings of the arithmetic, the class of processor, and the processor itself. */
#ifndef RETROPOSE_REPLAY_COMPARE_CONDITION_H
#define RETROPOSE_REPLAY_COMPARE_CONDITION_H

#include "replay/trace/trace.h"

/* What calls were made under, by the traces' headers. */
typedef struct CompareCondition {
    char *readings; /* "default", "key-order=wxyz"; of both sides if unlike */
    char processor_a[128], processor_b[128]; /* empty: unknown */
    bool other_processor;                    /* of another maker, family or model */
    uint64_t calls;                          /* selected */
} CompareCondition;

/* Fills a condition without calls, whose `readings` the caller frees. RP_INVALID when the headers'
 * hypotheses, force-cpu or slot-build are unlike and `allow_unlike` is not set. */
RpStatus Condition_Read(const TraceHeader *a, const TraceHeader *b, bool allow_unlike,
                        const char *name, CompareCondition *condition, RpError *error);
/* But for the number of calls. */
bool Condition_Same(const CompareCondition *a, const CompareCondition *b);

/* Whether two values of the key `processor` name another maker, family or model. Steppings do not
 * count, and of an unknown processor nothing is known. */
bool Condition_OtherProcessor(const char *a, const char *b);

#endif
