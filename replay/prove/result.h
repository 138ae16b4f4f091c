/* What a run of `retropose prove` found on one processor: kept as a file, merged, and reported. */
#ifndef RETROPOSE_REPLAY_PROVE_RESULT_H
#define RETROPOSE_REPLAY_PROVE_RESULT_H

#include "core/digest.h"
#include "core/text/shards.h"
#include "replay/prove/sweep.h"

#define PROVE_FORMAT "retropose proof 1" /* of the file */

typedef struct ProveResult {
    const ProveKernel *kernel;
    char core[DIGEST_HEX_BYTES]; /* of what the core computes: results of other code do not merge */
    char processor[64];          /* maker, family, model and stepping, as a trace's header has it */
    char name[49];               /* what the processor calls itself; may be empty */
    Shards shards;               /* of the arguments */
    ProveTally tally;
} ProveResult;

/* Both leave a result that has to be freed. */
/* Describes this processor and this program's core, with no shard done. */
void ProveResult_Init(ProveResult *result, const ProveKernel *kernel, uint32_t shards);
/* Reads what ProveResult_Json wrote. */
RpStatus ProveResult_Read(ProveResult *result, const char *text, size_t size, RpError *error);
void ProveResult_Free(ProveResult *result);

/* Returns whether both are of one kernel, one core and one processor. */
bool ProveResult_IsAlike(const ProveResult *a, const ProveResult *b);
/* Adds a result that is alike. Fails with RP_INVALID where the shards are cut otherwise or one
 * occurs twice. */
RpStatus ProveResult_Merge(ProveResult *result, const ProveResult *other, RpError *error);

/* The file: JSON, with one listed argument in a line. */
RpStatus ProveResult_Json(const ProveResult *result, RpBuffer *json, RpError *error);
void ProveResult_Text(const ProveResult *result, RpBuffer *text);

/* An argument for which the x87s of two processors round a part otherwise. */
typedef struct ProveContrast {
    int part;
    uint32_t argument, x87[2];
} ProveContrast;
/* Appends all of them for two complete results of one kernel and one core. For every argument that
 * is in no list both x87s gave what the core gives, so the lists are all that is compared. Returns
 * false where memory is refused. */
bool ProveResult_Contrast(const ProveResult *a, const ProveResult *b, RpBuffer *contrasts);

#endif
