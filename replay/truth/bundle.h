/* A bundle: what `retropose try` found out about an owner's files, in one file that can be handed
 * on. It is a JSON object (docs/proof/send.md). Its members are copied from the reports, and each
 * of them is named in the source, so that nothing gets in that nobody has looked at: no byte of the
 * files, and no folder's name. Its last member is a SHA-256 of everything before it. */
#ifndef RETROPOSE_REPLAY_TRUTH_BUNDLE_H
#define RETROPOSE_REPLAY_TRUTH_BUNDLE_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

#define BUNDLE_FORMAT "retropose bundle 1"

/* The results of the stages of `try`, as the verbs write them with --json, and a census
 * (bindings/python/retropose/census.py); null where there is none. */
typedef struct BundleSources {
    const char *version; /* the version of this program */
    const char *system;
    const char *exports[2]; /* indexed by AbiModule */
    const char *probe, *calibrate, *replay, *census, *same;
    const char *coverage; /* of replay --coverage */
    const char *digest;   /* the text that replay --digest writes */
} BundleSources;

/* Makes the object, which cJSON_Delete frees. Returns RP_CORRUPT for a source that is not JSON. */
RpStatus Bundle_Make(const BundleSources *sources, struct cJSON **bundle, RpError *error);
/* Adds the trace of a differing call, as small as it can be. */
bool Bundle_AddCall(struct cJSON *bundle, const char *function, const uint8_t *trace, size_t size);
/* Returns whether a name or a text of the bundle spells this folder, or whether a call's trace
 * does, also if it is packed. Either slash and letters of either case count as the same. The answer
 * is false for null, for a word without a slash, and for at most three bytes, because such texts
 * may mean anything. */
bool Bundle_NamesFolder(const struct cJSON *bundle, const char *folder);
/* Writes the text, with its sum. */
RpStatus Bundle_Text(const struct cJSON *bundle, RpBuffer *text, RpError *error);
/* Reads a text. Returns RP_CORRUPT if it is not a bundle, or was changed, and RP_UNSUPPORTED for
 * another version. */
RpStatus Bundle_Read(const char *text, size_t size, struct cJSON **bundle, RpError *error);
/* Returns the bytes of a call's trace, which the caller frees, or null if it has none. */
uint8_t *Bundle_Call(const struct cJSON *call, size_t *size);

/* The result for one function. */
typedef enum BundleStanding {
    BUNDLE_DIFFERENT,
    BUNDLE_NOT_CALLABLE, /* the original could not be called, or nobody knows how */
    BUNDLE_PARTLY,       /* the same answers, but not all of its calls were compared */
    BUNDLE_NOT_COMPARED,
    BUNDLE_AS_PROCESSORS_MAY,
    BUNDLE_SAME,
    BUNDLE_STANDINGS
} BundleStanding;
BundleStanding Bundle_StandingOf(const struct cJSON *function);

/* Writes what the calls have reached of the code of both sides, or nothing if the bundle is of a
 * run without --coverage. */
void Bundle_Coverage(const struct cJSON *bundle, RpBuffer *text);
/* Writes the verdict, which fits on one screen. */
void Bundle_Verdict(const struct cJSON *bundle, RpBuffer *text);
/* Returns how many functions have this standing. */
size_t Bundle_Count(const struct cJSON *bundle, BundleStanding standing);

#endif
