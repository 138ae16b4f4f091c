/* A call on its way into a trace: its data in the trace's layout, the memories it needs, and the
 * places where ids of memories go, which are known only when it is committed. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_DRAFT_H
#define RETROPOSE_LIVE_DLL_OBSERVE_DRAFT_H

#include "live/dll/observe/hash.h"
#include "replay/trace/signature.h"

enum {
    DRAFT_RAW_BYTES = 0x8000,   /* of all buffers of one call */
    DRAFT_DATA_BYTES = 0x10000, /* of its inputs, of its outputs */
    DRAFT_MEMORIES = 8,
    DRAFT_RELOCATIONS = 32,
    DRAFT_REFERENCES = 64,
    DRAFT_RECORD_BYTES = 512 /* of a record of the game: a piece, a reader */
};

typedef struct DraftRelocation {
    uint32_t offset;
    uint32_t target; /* of the draft's memories, one before this */
    uint32_t target_offset;
} DraftRelocation;

typedef struct DraftMemory {
    uint32_t address, size; /* in the game */
    Hash hash;              /* of the content and all it leads to */
    bool large;             /* a model's image: its bytes are fetched only when they are needed */
    uint8_t *fetched;       /* of a large one, when they were: Platform_Allocate */
    uint32_t relocation_count;
    DraftRelocation relocations[DRAFT_RELOCATIONS];
    uint8_t content[DRAFT_RECORD_BYTES]; /* of a small one, pointers zero */
} DraftMemory;

typedef struct DraftReference {
    bool in_outputs;
    uint32_t at; /* u32 id (and u32 offset, when `pair`) go here */
    bool pair;
    uint32_t memory, offset;
} DraftReference;

typedef struct Draft {
    const Signature *signature;
    uint16_t control_in, control_out;
    uint32_t mxcsr_in, mxcsr_out;
    uint32_t input_size, output_size;
    uint32_t memory_count, reference_count;
    DraftMemory memories[DRAFT_MEMORIES]; /* a target before what points to it */
    DraftReference references[DRAFT_REFERENCES];
    uint8_t inputs[DRAFT_DATA_BYTES], outputs[DRAFT_DATA_BYTES];
} Draft;

#endif
