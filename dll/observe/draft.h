/* A call that is being prepared for a trace: its data in the trace's layout, the memories that it
 * needs, and the places for the ids of memories. These ids are written there when the call is
 * committed, because they are not known before. */
#ifndef RETROPOSE_DLL_OBSERVE_DRAFT_H
#define RETROPOSE_DLL_OBSERVE_DRAFT_H

#include "dll/observe/fingerprint.h"
#include "tracefile/signature.h"

enum {
    DRAFT_RAW_BYTES = 0x8000,   /* all buffers of one call together */
    DRAFT_DATA_BYTES = 0x10000, /* the inputs of a call, and its outputs */
    DRAFT_MEMORIES = 8,
    DRAFT_RELOCATIONS = 32,
    DRAFT_REFERENCES = 64,
    DRAFT_RECORD_BYTES = 512 /* one record of the game: a piece, a reader */
};

typedef struct DraftRelocation {
    uint32_t offset;
    uint32_t target; /* index of an earlier memory of the draft */
    uint32_t target_offset;
} DraftRelocation;

typedef struct DraftMemory {
    uint32_t address, size; /* place and size in the game's memory */
    Fingerprint hash;       /* hash of the content and of everything that it points to */
    bool large;             /* a model's image; its bytes are fetched only when they are needed */
    uint8_t *fetched;       /* the bytes of a large memory, once fetched; from Platform_Allocate */
    uint32_t relocation_count;
    DraftRelocation relocations[DRAFT_RELOCATIONS];
    uint8_t content[DRAFT_RECORD_BYTES]; /* the bytes of a small memory, with zeros for pointers */
} DraftMemory;

typedef struct DraftReference {
    bool in_outputs;
    uint32_t at; /* place of the u32 id and, if `pair`, of the u32 offset after it */
    bool pair;
    uint32_t memory, offset;
} DraftReference;

/* Who has served calls. These are bits, because several may have served the calls of a part. */
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
    DraftMemory memories[DRAFT_MEMORIES]; /* every memory comes before those that point to it */
    DraftReference references[DRAFT_REFERENCES];
    uint8_t inputs[DRAFT_DATA_BYTES], outputs[DRAFT_DATA_BYTES];
} Draft;

#endif
