/* Arguments of a live call <-> the trace's layout (docs/formats/trace.md), and copies of what its
 * pointers reach. Nothing of the game's is ever written here, and nothing is trusted: what cannot
 * be read makes the call "not recordable" with a reason. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_MARSHAL_H
#define RETROPOSE_LIVE_DLL_OBSERVE_MARSHAL_H

#include "live/dll/observe/draft.h"
#include "live/dll/observe/invoke.h"

/* What outputs hold before a call: docs/formats/trace.md. */
enum { MARSHAL_GUARD = 64, MARSHAL_UNSET = 0xA5 };

/* Why a call is not recorded. */
typedef enum MarshalFault {
    MARSHAL_FINE,
    MARSHAL_UNREADABLE, /* a pointer leads nowhere                                        */
    MARSHAL_LARGE,      /* buffers or data larger than DRAFT_RAW_BYTES                    */
    MARSHAL_COUNT,      /* a count out of range                                           */
    MARSHAL_FOREIGN,    /* a pointer into no model that is known                          */
    MARSHAL_ARCHIVE,    /* no NRes image behind an archive object                         */
    MARSHAL_MORE,       /* what it leaves depends on more than its inputs                 */
    MARSHAL_BUSY,       /* too many threads and nested calls at once                      */
    MARSHAL_FAULTS
} MarshalFault;
const char *MarshalFault_Name(MarshalFault fault); /* "unreadable": the key in a trace's note */

/* What can be known of a row of the tables beforehand. */
typedef struct Marshal {
    Signature signature;
    bool known;             /* the row has a signature */
    const char *unrecorded; /* why it cannot be recorded; null: it can */
    const char *unshadowed;
    bool settles;      /* some of an output may stay unwritten without the rest */
    bool outputs_stay; /* it has outputs that may stay unwritten: any `out` */
} Marshal;
void Marshal_Open(void);
void Marshal_Describe(const AbiFunction *function, Marshal *marshal);

typedef struct MarshalBuffer { /* of one parameter that is a pointer to data */
    uint32_t address, bytes;
    uint32_t offset; /* in `before`, `after` */
    uint32_t copy;   /* in `copy` */
} MarshalBuffer;

/* All that one observed call needs; too large for a game's stack. */
typedef struct Marshalled {
    const Marshal *marshal;
    const uint32_t *arguments;
    uint32_t raw_bytes, copy_bytes;
    bool aliased; /* an output shares memory with another buffer */
    MarshalBuffer buffers[SIGNATURE_MAX_PARAMS];
    uint32_t copied[SIGNATURE_MAX_PARAMS]; /* arguments of a run on copies */
    uint8_t before[DRAFT_RAW_BYTES], after[DRAFT_RAW_BYTES];
    uint8_t again[DRAFT_RAW_BYTES], other[DRAFT_RAW_BYTES]; /* of further runs, laid out alike */
    uint8_t copy[2 * DRAFT_RAW_BYTES], sealed[2 * DRAFT_RAW_BYTES]; /* as it was handed over */
    Draft draft;
} Marshalled;

/* Where the buffers are and what is in them before the call. */
MarshalFault Marshal_Before(const Marshal *marshal, const uint32_t *arguments, Marshalled *call);
/* What is in its outputs behind the call. */
MarshalFault Marshal_After(Marshalled *call);

/* The draft's memories and inputs; before the call. */
MarshalFault Marshal_Inputs(Marshalled *call);
/* The draft's outputs, from `after` or what else lies like it. */
MarshalFault Marshal_Outputs(Marshalled *call, const LiveResult *result, const uint8_t *after);

/* Copies for another run; false when there is no room for them. Each buffer apart and every output
 * MARSHAL_UNSET, as a trace is replayed; or, `together`, as they lie in the game, overlapping where
 * they do, with what was in them. */
bool Marshal_Copy(Marshalled *call, bool together);
/* Nothing but the outputs among the copies has changed. */
bool Marshal_CopyIsSound(const Marshalled *call);
/* The copies' content, laid out as `after` is. */
void Marshal_FromCopy(const Marshalled *call, uint8_t *after);

/* Whether an output looks as if it may not have been written (unchanged as a whole), so that the
 * call has to be settled: run again on copies. */
bool Marshal_NeedsSettling(const Marshalled *call);
/* Compares the second run (its outputs in `again`, laid out like `after`) with the first. On true
 * `again` is what the trace shall say. */
bool Marshal_Settles(const Marshalled *call, const LiveResult *first, const LiveResult *second,
                     const uint8_t *again);

#endif
