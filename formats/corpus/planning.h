/* The steps of planning the corpus. Each step divides things of one kind among those that the step
 * before has made. */
#ifndef RETROPOSE_FORMATS_CORPUS_PLANNING_H
#define RETROPOSE_FORMATS_CORPUS_PLANNING_H

#include "formats/corpus/integer.h"
#include "formats/corpus/plan.h"
#include "formats/corpus/share.h"

/* Published numbers (facts/formats.md C.14) that several steps need. */
enum { COCKPITS = 28, LARGEST_NODES = 38, LARGEST_BATCHES = 439, LEGACY_TRIANGLES = 84 };

/* Models that have a form of their own, by family and number. A number of 0 stands for a share of
 * the total. */
typedef struct Special {
    CorpusFamily family;
    uint32_t number;
    const char *name;
    CorpusForm form;
    uint32_t nodes, sockets, animated, frames;
} Special;

/* Returns null if there is nothing special about the model. */
const Special *Planning_Special(const PlannedModel *model);
bool Planning_IsAnimated(const PlannedModel *model);
/* Returns the weight of the triangles of a family's nodes. */
uint32_t Planning_Detail(CorpusFamily family);
/* Reports RP_INVALID, because the tables contradict themselves. */
RpStatus Planning_Refuse(const char *what, RpError *error);

/* Values of the argument `purpose` of Corpus_Draw. Those of making models begin at 32. */
enum {
    DRAW_NODES,
    DRAW_RANK,
    DRAW_STATES,
    DRAW_TRIANGLES,
    DRAW_SPLIT,
    DRAW_WORDS,
    DRAW_FRAMES,
    DRAW_KEYS,
    DRAW_PORTAL
};

typedef struct Rank { /* a thing's place in an order: the highest score first */
    uint32_t index, score;
} Rank;
/* Compares for qsort. No two ranks are equal. */
int Rank_Compare(const void *left, const void *right);

typedef struct Sharing { /* of a total among slots */
    CorpusShare shares[CORPUS_SLOTS];
    uint32_t slots[CORPUS_SLOTS];
    uint32_t count;
} Sharing;
void Sharing_Add(Sharing *sharing, uint32_t slot, uint32_t weight, uint32_t low, uint32_t high);

typedef struct PlanningWork {
    Sharing sharing;
    Rank ranks[CORPUS_BATCHES];
} PlanningWork;

/* Makes names, families and oddities of the models, and their nodes. */
RpStatus Planning_Models(CorpusPlan *plan, RpError *error);
/* Makes levels and states of visible nodes, and the slots that show them. */
RpStatus Planning_Slots(CorpusPlan *plan, RpError *error);
/* Makes triangles of slots, and their batches. */
RpStatus Planning_Batches(CorpusPlan *plan, PlanningWork *work, RpError *error);
/* Makes flag words of batches, portals, marks of triangles and tails of edge words. */
RpStatus Planning_Words(CorpusPlan *plan, PlanningWork *work, RpError *error);
/* Makes frames, animated nodes and keys. */
RpStatus Planning_Motion(CorpusPlan *plan, RpError *error);

#endif
