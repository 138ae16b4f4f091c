/* Turns the arguments of a live call into the trace's layout (docs/formats/trace.md), and copies
 * what its pointers lead to. It never writes to the game's memory, and relies on nothing: if
 * something cannot be read, the call is "not recordable", with a reason. */
#ifndef RETROPOSE_DLL_OBSERVE_MARSHAL_H
#define RETROPOSE_DLL_OBSERVE_MARSHAL_H

#include "dll/observe/draft.h"
#include "dll/observe/invoke.h"

/* What outputs contain before a call (docs/formats/trace.md). */
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

/* What is known about a row of the tables before any call. */
typedef struct Marshal {
    Signature signature;
    bool can_record, can_shadow; /* see dll/settings/decide.h; false without a signature */
    bool settles;      /* a part of an output may stay unwritten while the rest is written */
    bool outputs_stay; /* it has outputs that may stay unwritten, which is so for any `out` */
} Marshal;
void Marshal_Open(void);
void Marshal_Describe(const AbiFunction *function, Marshal *marshal);

typedef struct MarshalBuffer { /* the data that one pointer parameter leads to */
    uint32_t address, bytes;
    uint32_t offset; /* place in `before` and `after` */
    uint32_t copy;   /* place in `copy` */
} MarshalBuffer;

/* Everything that one observed call needs. It is too large for the stack of a game's thread. */
typedef struct Marshalled {
    const Marshal *marshal;
    const uint32_t *arguments;
    uint32_t raw_bytes, copy_bytes;
    bool aliased; /* an output shares memory with another buffer */
    MarshalBuffer buffers[SIGNATURE_MAX_PARAMS];
    uint32_t copied[SIGNATURE_MAX_PARAMS]; /* the arguments for a run on copies */
    uint8_t before[DRAFT_RAW_BYTES], after[DRAFT_RAW_BYTES];
    /* the results of further runs, in the same layout */
    uint8_t again[DRAFT_RAW_BYTES], other[DRAFT_RAW_BYTES];
    /* `sealed` is a copy of `copy` from before the run */
    uint8_t copy[2 * DRAFT_RAW_BYTES], sealed[2 * DRAFT_RAW_BYTES];
    Draft draft;
} Marshalled;

/* Finds the buffers, and copies their contents before the call. */
MarshalFault Marshal_Before(const Marshal *marshal, const uint32_t *arguments, Marshalled *call);
/* Copies the contents of the outputs after the call. */
MarshalFault Marshal_After(Marshalled *call);

/* Makes the draft's memories and inputs, before the call. */
MarshalFault Marshal_Inputs(Marshalled *call);
/* Makes the draft's outputs, from `after` or from other data of the same layout. */
MarshalFault Marshal_Outputs(Marshalled *call, const LiveResult *result, const uint8_t *after);

/* Makes copies for another run. Returns false when there is no room for them. Without `together`,
 * each buffer is separate and every output holds MARSHAL_UNSET, as when a trace is replayed. With
 * `together`, the buffers have their old contents, and overlap where they do in the game. */
bool Marshal_Copy(Marshalled *call, bool together);
/* Returns whether, of all the copies, only outputs have changed. */
bool Marshal_CopyIsSound(const Marshalled *call);
/* Copies the contents of the copies into the layout of `after`. */
void Marshal_FromCopy(const Marshalled *call, uint8_t *after);

/* Returns whether it is unknown what the call wrote, for example because some output is unchanged
 * as a whole. Such a call has to be settled by another run on copies. */
bool Marshal_NeedsSettling(const Marshalled *call);
/* Compares the second run, whose outputs are in `again` in the layout of `after`, with the first.
 * If it returns true, the trace has to hold `again`. */
bool Marshal_Settles(const Marshalled *call, const LiveResult *first, const LiveResult *second,
                     const uint8_t *again);

#endif
