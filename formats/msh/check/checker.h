/* Declarations that the rules of the model checker share: one run over a model, and its reports. */
#ifndef RETROPOSE_FORMATS_MSH_CHECK_CHECKER_H
#define RETROPOSE_FORMATS_MSH_CHECK_CHECKER_H

#include "animesh/records.h"
#include "formats/msh/read/find_streams.h"
#include "formats/nres/record.h"
#include "retropose/msh_check.h"

typedef struct MshChecker {
    const RpMsh *msh;
    const RpNResEntries *entries; /* null for RpMsh_Validate */
    const RpFindingSink *sink;
    const RpAllocator *allocator;
    uint64_t rules;
    uint32_t repeats;
    bool errors_only, stopped; /* for RpMsh_Validate, which stops at the first error */
    bool no_memory;
    uint32_t counts[RP_MSH_RULE_COUNT + 1][RP_SEVERITY_COUNT];
    uint64_t work; /* remaining steps of work that could be quadratic in a broken model */
} MshChecker;

/* The place of a finding. It is made by the functions below. Everything but rule, severity and
 * stream is optional. */
typedef struct MshPlace {
    int rule;
    RpSeverity severity;
    int32_t stream, entry, node, element;
    uint64_t offset;
} MshPlace;

/* Returns the place of a whole stream. The offset is that of a field in its directory record. */
MshPlace MshPlace_Record(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                         uint32_t field);
/* Returns the place of an element. The offset is that of one of its bytes. */
MshPlace MshPlace_Element(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                          uint32_t element, uint32_t field);
/* The place of a byte of a stream. */
MshPlace MshPlace_Byte(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                       uint32_t at);

/* Returns whether a report is wanted: the rule is selected, and the run has not stopped. */
bool MshChecker_Wants(const MshChecker *checker, int rule);
/* `format` gives "expected|found". */
void MshChecker_Report(MshChecker *checker, MshPlace place, const char *what, const char *format,
                       ...)
#ifdef __GNUC__
#ifdef __MINGW32__
    __attribute__((format(gnu_printf, 4, 5)))
#else
    __attribute__((format(printf, 4, 5)))
#endif
#endif
    ;
/* Takes `steps` from the run's budget. Where that has no more, reports that the rule was given
 * up and returns false. Sound models stay far below the budget. */
bool MshChecker_Spend(MshChecker *checker, int rule, uint64_t steps);
/* Returns `count` zeroed elements, or null if `count` is 0 or memory is refused, which the run
 * remembers. */
void *MshChecker_Allocate(MshChecker *checker, size_t count, size_t size);

/* ---- rules, by subject; each of severity error first ----------------------------------------- */

void MshCheck_StreamErrors(MshChecker *checker);    /* M01 to M07, M18 */
void MshCheck_NodeErrors(MshChecker *checker);      /* M08, M19 */
void MshCheck_GeometryErrors(MshChecker *checker);  /* M09 to M11, M16 */
void MshCheck_AnimationErrors(MshChecker *checker); /* M20 to M22, M24 to M26 */

void MshCheck_Streams(MshChecker *checker);   /* M01, M02, M04 to M06, M18, M34 */
void MshCheck_Faces(MshChecker *checker);     /* M12 to M17 */
void MshCheck_Animation(MshChecker *checker); /* M23 to M29 */
void MshCheck_Bounds(MshChecker *checker);    /* M30 to M33 */

/* ---- shared readings ------------------------------------------------------------------------- */

/* Returns the largest of `count` indices from `first` on; this range must lie inside of the
 * stream. */
uint16_t Msh_LargestIndex(const RpMsh *msh, uint32_t first, uint32_t count);
/* Return whether the slot's batches, and a batch's indices and vertices, all exist. */
bool Msh_SlotRangesExist(const RpMsh *msh, const RpMshSlot *slot);
bool Msh_BatchRangeExists(const RpMsh *msh, const RpMshBatch *batch);

#endif
