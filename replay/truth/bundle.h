/* A bundle: what `retropose try` found out about an owner's files, in one file that can be handed
 * on. It is a JSON object (docs/proof/send.md), made of members of the reports that are named one
 * by one, so that nothing gets in that nobody has looked at: no byte of the files, and no folder's
 * name. Its last member is a SHA-256 of all before it. */
#ifndef RETROPOSE_REPLAY_TRUTH_BUNDLE_H
#define RETROPOSE_REPLAY_TRUTH_BUNDLE_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

#define BUNDLE_FORMAT "retropose bundle 1"

/* The results of the stages of `try`, as the verbs write them with --json; null: there is none. */
typedef struct BundleSources {
    const char *version; /* of this program */
    const char *system;
    const char *exports[2]; /* by AbiModule */
    const char *probe, *calibrate, *replay, *census;
    const char *digest; /* the text that replay --digest writes */
} BundleSources;

/* Makes the object. Returns RP_CORRUPT for a source that is no JSON. cJSON_Delete frees it. */
RpStatus Bundle_Make(const BundleSources *sources, struct cJSON **bundle, RpError *error);
/* Adds the trace of a differing call, as small as it can be. */
bool Bundle_AddCall(struct cJSON *bundle, const char *function, const uint8_t *trace, size_t size);
/* Returns whether a name or a text of the bundle spells this folder, or a call's trace does, packed
 * as it may be: with either slash, and in letters of either case. Null, a word without a slash, and
 * what is no longer than three bytes are in no bundle, because they may mean anything. */
bool Bundle_NamesFolder(const struct cJSON *bundle, const char *folder);
/* Writes the text, with its sum. */
RpStatus Bundle_Text(const struct cJSON *bundle, RpBuffer *text, RpError *error);
/* Reads a text. Returns RP_CORRUPT where it is no bundle, or was changed, and RP_UNSUPPORTED for
 * another version. */
RpStatus Bundle_Read(const char *text, size_t size, struct cJSON **bundle, RpError *error);
/* Returns the bytes of a call's trace, which the caller frees; null: it has none. */
uint8_t *Bundle_Call(const struct cJSON *call, size_t *size);

/* What became of one function. */
typedef enum BundleStanding {
    BUNDLE_DIFFERENT,
    BUNDLE_NOT_CALLABLE, /* the original could not be called, or nobody knows how */
    BUNDLE_PARTLY,       /* the same, but not all of its calls were compared */
    BUNDLE_NOT_COMPARED,
    BUNDLE_AS_PROCESSORS_MAY,
    BUNDLE_SAME,
    BUNDLE_STANDINGS
} BundleStanding;
BundleStanding Bundle_StandingOf(const struct cJSON *function);

/* Writes the verdict of one screen. */
void Bundle_Verdict(const struct cJSON *bundle, RpBuffer *text);
/* Returns how many functions stand so. */
size_t Bundle_Count(const struct cJSON *bundle, BundleStanding standing);

#endif
