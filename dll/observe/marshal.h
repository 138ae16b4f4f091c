/* Turns the arguments of a live call into the trace's layout (docs/formats/trace.md), and copies
 * what its pointers lead to. It never writes to the game's memory and trusts nothing: what
 * cannot be read makes the call "not recordable", with a reason. */
#ifndef RETROPOSE_DLL_OBSERVE_MARSHAL_H
#define RETROPOSE_DLL_OBSERVE_MARSHAL_H

#include "dll/observe/draft.h"
#include "dll/observe/invoke.h"

/* What outputs hold before a call, see docs/formats/trace.md. */
enum { MARSHAL_GUARD = 64, MARSHAL_UNSET = 0xA5 };

/* Why a call is not recorded. */
typedef enum MarshalFault {
    MARSHAL_FINE,
    MARSHAL_UNREADABLE, /* a pointer leads to memory that cannot be read */
    MARSHAL_LARGE,      /* buffers or data are larger than DRAFT_RAW_BYTES */
    MARSHAL_COUNT,      /* a count is out of its range */
    MARSHAL_FOREIGN,    /* a pointer does not lead into a known model */
    MARSHAL_ARCHIVE,    /* there is no NRes image behind an archive object */
    MARSHAL_MORE,       /* the result depends on more than the inputs */
    MARSHAL_BUSY,       /* too many threads and nested calls at once */
    MARSHAL_FAULTS
} MarshalFault;
/* "unreadable" and so on: the key in a trace's note */
const char *MarshalFault_Name(MarshalFault fault);

/* What can be known about a row of the tables before any call. */
typedef struct Marshal {
    Signature signature;
    bool can_record, can_shadow; /* dll/settings/decide.h; false where there is no signature */
    bool settles;      /* part of an output may stay unwritten while the rest is written */
    bool outputs_stay; /* it has outputs that may stay unwritten: any `out` */
} Marshal;
void Marshal_Open(void);
void Marshal_Describe(const AbiFunction *function, Marshal *marshal);

typedef struct MarshalBuffer { /* of one parameter that is a pointer to data */
    uint32_t address, bytes;
    uint32_t offset; /* where it is in `before` and `after` */
    uint32_t copy;   /* where it is in `copy` */
} MarshalBuffer;

/* All that one observed call needs. It is too large for a game's stack. */
typedef struct Marshalled {
    const Marshal *marshal;
    const uint32_t *arguments;
    uint32_t raw_bytes, copy_bytes;
    bool aliased; /* an output shares memory with another buffer */
    MarshalBuffer buffers[SIGNATURE_MAX_PARAMS];
    uint32_t copied[SIGNATURE_MAX_PARAMS]; /* the arguments for a run on copies */
    uint8_t before[DRAFT_RAW_BYTES], after[DRAFT_RAW_BYTES];
    /* the results of further runs, with the same layout */
    uint8_t again[DRAFT_RAW_BYTES], other[DRAFT_RAW_BYTES];
    /* `sealed` is a copy of `copy` from before the run */
    uint8_t copy[2 * DRAFT_RAW_BYTES], sealed[2 * DRAFT_RAW_BYTES];
    Draft draft;
} Marshalled;

/* Finds the buffers and copies what is in them before the call. */
MarshalFault Marshal_Before(const Marshal *marshal, const uint32_t *arguments, Marshalled *call);
/* Copies what is in the outputs after the call. */
MarshalFault Marshal_After(Marshalled *call);

/* Makes the draft's memories and inputs, before the call. */
MarshalFault Marshal_Inputs(Marshalled *call);
/* Makes the draft's outputs, from `after` or from something else of the same layout. */
MarshalFault Marshal_Outputs(Marshalled *call, const LiveResult *result, const uint8_t *after);

/* Makes copies for another run; returns false where there is no room for them. Otherwise each
 * buffer is separate and every output holds MARSHAL_UNSET, as when a trace is replayed. With
 * `together`, the buffers lie as in the game, overlapping where they do, with their old
 * contents. */
bool Marshal_Copy(Marshalled *call, bool together);
/* Returns whether nothing but outputs has changed among the copies. */
bool Marshal_CopyIsSound(const Marshalled *call);
/* Copies the contents of the copies into the layout of `after`. */
void Marshal_FromCopy(const Marshalled *call, uint8_t *after);

/* Returns whether some output is unchanged as a whole, so that it may not have been written.
 * Such a call has to be settled by another run on copies. */
bool Marshal_NeedsSettling(const Marshalled *call);
/* Compares the second run, whose outputs are in `again` in the layout of `after`, with the
 * first. Where it returns true, `again` is what the trace is to hold. */
bool Marshal_Settles(const Marshalled *call, const LiveResult *first, const LiveResult *second,
                     const uint8_t *again);

#endif
