/* A call on its way into a trace: its data in the trace's layout, the memories that it needs,
 * and the places where ids of memories will be written, which are known only when it is
 * committed. */
#ifndef RETROPOSE_DLL_OBSERVE_DRAFT_H
#define RETROPOSE_DLL_OBSERVE_DRAFT_H

#include "dll/observe/hash.h"
#include "tracefile/signature.h"

enum {
    DRAFT_RAW_BYTES = 0x8000,   /* of all buffers of one call together */
    DRAFT_DATA_BYTES = 0x10000, /* of its inputs, and of its outputs */
    DRAFT_MEMORIES = 8,
    DRAFT_RELOCATIONS = 32,
    DRAFT_REFERENCES = 64,
    DRAFT_RECORD_BYTES = 512 /* of one record of the game: a piece, a reader */
};

typedef struct DraftRelocation {
    uint32_t offset;
    uint32_t target; /* an earlier one of the draft's memories */
    uint32_t target_offset;
} DraftRelocation;

typedef struct DraftMemory {
    uint32_t address, size; /* in the game's memory */
    Hash hash;              /* of the content and of all that it leads to */
    bool large;             /* a model's image, whose bytes are fetched only when they are needed */
    uint8_t *fetched; /* the bytes of a large one once they were fetched, from Platform_Allocate */
    uint32_t relocation_count;
    DraftRelocation relocations[DRAFT_RELOCATIONS];
    uint8_t content[DRAFT_RECORD_BYTES]; /* of a small one, with zeros for pointers */
} DraftMemory;

typedef struct DraftReference {
    bool in_outputs;
    uint32_t at; /* where the u32 id goes (and a u32 offset behind it, where `pair`) */
    bool pair;
    uint32_t memory, offset;
} DraftReference;

/* Who has served calls: bits, because a part of a recording may hold calls of several. */
enum {
    SERVED_BY_REPLACEMENT = 1,
    SERVED_BY_STANDIN = 2,
    SERVED_BY_ORIGINAL = 4,
    SERVED_BY_ANY = 7
};

typedef struct Draft {
    const Signature *signature;
    uint8_t server; /* one of the bits */
    uint16_t control_in, control_out;
    uint32_t mxcsr_in, mxcsr_out;
    uint32_t input_size, output_size;
    uint32_t memory_count, reference_count;
    DraftMemory memories[DRAFT_MEMORIES]; /* every target comes before what points to it */
    DraftReference references[DRAFT_REFERENCES];
    uint8_t inputs[DRAFT_DATA_BYTES], outputs[DRAFT_DATA_BYTES];
} Draft;

#endif
