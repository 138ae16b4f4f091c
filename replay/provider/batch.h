/* Batches of calls: many calls at a time in memory that this process shares with one host or two,
 * and what the hosts made of them. A process uses them to talk to hosts that it started itself.
 * They are never stored, and both sides are of the same build, which BatchInputs.abi makes sure of.
 * A host takes none of the lengths in a batch on trust, because any file can be given to it.
 *
 * The calls are in one file, which the hosts read. Each host has a file of its own for the
 * outcomes. A file has SLOTS parts, so that a batch can be made while another one is run. The
 * process sends an order through the host's standard input, and the host sends it back through its
 * standard output when it has run the batch. The same batch can be run with several builds of the
 * slots, one after the other. */
#ifndef RETROPOSE_REPLAY_PROVIDER_BATCH_H
#define RETROPOSE_REPLAY_PROVIDER_BATCH_H

#include "tracefile/tracefile.h"

#define BATCH_ORDERS 2u
#define BATCH_RECORD_BYTES                                                                         \
    0x80000u /* bytes of the records of one batch; they fit into a processor's cache */

/* An order is sent and answered in one piece. The answer is the order itself, so that nothing else
 * that comes through the pipe is taken for the end of a batch. */
typedef struct BatchOrder {
    uint32_t number; /* the number of the order to this host, beginning with 1 */
    uint32_t work;   /* the parts of the calls and of the outcomes, and a ProviderSlotBuild */
} BatchOrder;
_Static_assert(sizeof(BatchOrder) == 8, "read by another compiler's program");

/* The bits of BatchOrder.work. */
#define BATCH_INPUT_MASK   0x01u
#define BATCH_OUTPUT_SHIFT 1
#define BATCH_OUTPUT_MASK  0x02u
/* the host has these memories already, because it has run this batch before */
#define BATCH_AGAIN       0x04u
#define BATCH_BUILD_SHIFT 3

typedef enum BatchKind { BATCH_CALL = 1, BATCH_MEMORY = 2 } BatchKind;

/* Stands before the inputs of a call, or before the bytes and the relocations of a memory. */
typedef struct BatchRecord {
    uint32_t kind;
    uint32_t bytes; /* bytes of this record with all that belongs to it; a multiple of 8 */
    uint32_t row;   /* the row of abi_functions */
    uint32_t mxcsr; /* the MXCSR before the call */
    uint16_t control;
    uint16_t unused;
    uint32_t size;   /* the size of the inputs, or of the memory */
    uint32_t result; /* the size of the outputs if the call returns, or the number of relocations */
    uint32_t id;     /* the id of a memory */
    uint64_t sequence;
} BatchRecord;
_Static_assert(sizeof(BatchRecord) == 40, "read by another compiler's program");

/* Stands before the outputs of a call. */
typedef struct BatchOutcome {
    uint32_t bytes; /* bytes of this record with the outputs; a multiple of 8 */
    uint32_t size;  /* the size of the outputs */
    uint32_t mxcsr; /* the MXCSR after the call; the next member is the control word after it */
    uint16_t control;
    uint8_t outcome, violations;
} BatchOutcome;
_Static_assert(sizeof(BatchOutcome) == 16, "read by another compiler's program");

/* A crash has 12 bytes of outputs, whatever the function returns. */
#define BATCH_LEAST_OUTPUTS 12u

typedef struct BatchPart {
    uint32_t bytes; /* the size of the records */
    uint32_t fresh; /* the host has to forget the memories of earlier batches first */
    uint8_t records[BATCH_RECORD_BYTES];
} BatchPart;

/* The layout of the file of the calls. */
typedef struct BatchInputs {
    uint64_t abi;       /* from Abi_Digest */
    TraceHeader header; /* the header of the trace to which these calls belong */
    uint32_t unused;
    BatchPart parts[BATCH_ORDERS];
} BatchInputs;

/* The layout of the file of the outcomes. `fresh` has no meaning here. */
typedef struct BatchOutputs {
    TraceHeader header; /* the header of the trace that a run to a file would have written */
    uint32_t unused;
    BatchPart parts[BATCH_ORDERS];
} BatchOutputs;

_Static_assert(sizeof(TraceHeader) == 8196, "read by another compiler's program");

static inline uint32_t Batch_PadTo8(uint32_t bytes) {
    return (bytes + 7) & ~7u;
}

/* Returns the most bytes that the outcome of a call takes which has this many bytes of outputs. */
static inline uint64_t Batch_OutcomeBytes(uint32_t outputs) {
    const uint64_t least = outputs > BATCH_LEAST_OUTPUTS ? outputs : BATCH_LEAST_OUTPUTS;
    return (sizeof(BatchOutcome) + least + 7) / 8 * 8;
}

/* Checks that the records of a batch are inside of it, and that the outcomes of its calls fit into
 * a part. An error says at which offset of the records it is. */
RpStatus Batch_Check(const BatchPart *part, RpError *error);

#endif
