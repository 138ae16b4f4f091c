/* The plan of the synthetic corpus: how many of everything each model has, so that the totals are
 * those of facts/formats.md C.14 exactly. Indices of nodes, slots and batches run through the whole
 * corpus here; only parents and portals count within their model. */
#ifndef RETROPOSE_FORMATS_CORPUS_PLAN_H
#define RETROPOSE_FORMATS_CORPUS_PLAN_H

#include "retropose/corpus.h"

enum {
    CORPUS_NODES = 1845, /* without the model with stride 24, whose only record is not a Node38 */
    CORPUS_SLOTS = 4237,
    CORPUS_BATCHES = 15153,
    CORPUS_LEVELS = 5,
    CORPUS_STATES = 3,
    CORPUS_NO_SLOT = 0xFFFF
};

typedef enum CorpusFamily {
    CORPUS_STATIC,
    CORPUS_FORTIF,
    CORPUS_TURRETS,
    CORPUS_BASES,
    CORPUS_GUNS,
    CORPUS_PARTS,
    CORPUS_WEAPON,
    CORPUS_ANIMALS,
    CORPUS_INTSYS,
    CORPUS_SYSTEM,
    CORPUS_FAMILY_COUNT
} CorpusFamily;

typedef enum CorpusForm { /* for models that have a form of their own */
                          CORPUS_ORDINARY,
                          CORPUS_LEGACY,     /* stride 24: 128 vertices, 252 indices, 15 batches */
                          CORPUS_SMALLEST,   /* 12 vertices */
                          CORPUS_LARGEST,    /* 38 nodes, 112 slots, 439 batches, 9686 vertices */
                          CORPUS_TURRET,     /* yaw of five frames, 90 degrees each */
                          CORPUS_TWO_FRAMES, /* two animated nodes */
                          CORPUS_NINE_FRAMES /* one animated node of six keys */
} CorpusForm;

typedef struct CorpusBatch {
    uint32_t triangles;
    uint16_t flags;
    uint16_t portal; /* node within the model, or RP_MSH_NONE */
    uint16_t marked; /* how many of the triangles, from the first on, have the mark `mark` */
    uint8_t mark;
} CorpusBatch;

typedef struct CorpusSlot {
    uint32_t triangles;
    uint32_t first_batch, batch_count;
    uint32_t model, node; /* node: number in the whole corpus */
    uint8_t state, level;
} CorpusSlot;

typedef enum CorpusNodeKind { CORPUS_VISIBLE, CORPUS_SOCKET, CORPUS_COCKPIT } CorpusNodeKind;

typedef struct CorpusNode {
    bool shown[CORPUS_STATES][CORPUS_LEVELS];
    uint16_t slots[CORPUS_STATES][CORPUS_LEVELS]; /* in the whole corpus, or CORPUS_NO_SLOT */
    uint16_t parent;                              /* within the model */
    uint32_t keys;
    CorpusNodeKind kind;
    bool interior;
} CorpusNode;

typedef struct PlannedModel {
    char name[RP_NRES_NAME_BYTES];
    CorpusFamily family;
    CorpusForm form;
    uint32_t number; /* within its family */
    uint32_t first_node, node_count;
    uint32_t visible, sockets, cockpits;
    uint32_t levels[CORPUS_LEVELS]; /* how many nodes show the level in state 0 */
    uint32_t states[CORPUS_STATES]; /* how many nodes have the state */
    uint32_t first_slot, slot_count;
    uint32_t first_batch, batch_count;
    uint32_t animated, frames;
    uint32_t triangles, keys;
    uint32_t odd_normals, odd_neighbours, zero_rotations, edge_tails;
    bool lit, paths;
    const char *expected;
} PlannedModel;

typedef struct CorpusPlan {
    uint64_t seed;
    PlannedModel models[RP_CORPUS_MODELS];
    CorpusNode nodes[CORPUS_NODES];
    CorpusSlot slots[CORPUS_SLOTS];
    CorpusBatch batches[CORPUS_BATCHES];
} CorpusPlan;

/* Makes the plan in zeroed memory. RP_INVALID means that a total cannot be shared out, which is a
 * fault of the tables. */
RpStatus CorpusPlan_Make(CorpusPlan *plan, uint64_t seed, const RpAllocator *allocator,
                         RpError *error);

/* Returns the index of the model of form CORPUS_LARGEST. */
uint32_t CorpusPlan_Largest(void);
/* Returns the name of a family's library, such as "static.rlb". */
const char *CorpusFamily_Library(CorpusFamily family);

#endif
