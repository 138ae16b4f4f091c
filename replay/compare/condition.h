/* What the headers of two traces of the same calls say about the conditions of a run: the
 * readings of the arithmetic, the class of the processor, and the processor itself. */
#ifndef RETROPOSE_REPLAY_COMPARE_CONDITION_H
#define RETROPOSE_REPLAY_COMPARE_CONDITION_H

#include "tracefile/tracefile.h"

/* The conditions under which calls were made, as the traces' headers state them. */
typedef struct CompareCondition {
    char *readings; /* such as "default" or "key-order=wxyz"; names both sides where they differ */
    char processor_a[128], processor_b[128]; /* empty where the processor is unknown */
    bool other_processor; /* the sides had different makers, families, models or estimates */
    bool same_estimates;  /* it is known that rcpss and rsqrtss were the same on both sides */
    uint64_t calls;       /* the number of selected calls */
} CompareCondition;

/* Fills a condition that has no calls yet; the caller frees `readings`. Returns RP_INVALID where
 * the headers differ in readings, force-cpu or slot-build, unless `allow_unlike` is set. */
RpStatus Condition_Read(const TraceHeader *a, const TraceHeader *b, bool allow_unlike,
                        const char *name, CompareCondition *condition, RpError *error);
/* Returns whether two conditions are the same, whatever their numbers of calls. */
bool Condition_Same(const CompareCondition *a, const CompareCondition *b);

#endif
