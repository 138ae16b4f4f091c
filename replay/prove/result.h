/* The result of `retropose prove` on one processor, which is kept as a file, merged, and
 * reported. */
#ifndef RETROPOSE_REPLAY_PROVE_RESULT_H
#define RETROPOSE_REPLAY_PROVE_RESULT_H

#include "core/digest.h"
#include "core/text/shards.h"
#include "replay/prove/prove_sweep.h"

#define PROVE_FORMAT "retropose proof 1" /* the name of the file's format */

typedef struct ProveResult {
    const ProveKernel *kernel;
    /* a digest of what the core computes; results of different code do not merge */
    char core[DIGEST_HEX_BYTES];
    char processor[64]; /* maker, family, model and stepping, as in a trace's header */
    char name[49];      /* the processor's own name for itself; may be empty */
    Shards shards;      /* which arguments have been evaluated */
    ProveTally tally;
} ProveResult;

/* Both functions leave a result that has to be freed. */
/* Describes this processor and this program's core, with no shard done. */
void ProveResult_Init(ProveResult *result, const ProveKernel *kernel, uint32_t shards);
/* Reads a text that ProveResult_Json wrote. */
RpStatus ProveResult_Read(ProveResult *result, const char *text, size_t size, RpError *error);
void ProveResult_Free(ProveResult *result);

/* Returns whether both results are about the same kernel, core and processor. */
bool ProveResult_IsAlike(const ProveResult *a, const ProveResult *b);
/* Adds a result that is alike. Fails with RP_INVALID if its shards are cut in another way or if one
 * of them occurs twice. */
RpStatus ProveResult_Merge(ProveResult *result, const ProveResult *other, RpError *error);

/* Writes the file: JSON, with a line for each listed argument. */
RpStatus ProveResult_Json(const ProveResult *result, RpBuffer *json, RpError *error);
void ProveResult_Text(const ProveResult *result, RpBuffer *text);

/* An argument for which the x87s of two processors round a part in different ways. */
typedef struct ProveContrast {
    int part;
    uint32_t argument, x87[2];
} ProveContrast;
/* Appends all contrasts between two complete results of one kernel and one core. For every argument
 * that is in no list, both x87s gave what the core gives, so only the lists are compared. Returns
 * false where memory is short. */
bool ProveResult_Contrast(const ProveResult *a, const ProveResult *b, RpBuffer *contrasts);

#endif
