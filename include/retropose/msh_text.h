/* Models as text: a complete dump that assembles to the same bytes, and differences of two models.
 *
 * A dump is JSON with one record a line. It holds every byte of the image: streams with typed
 * fields, unknown ones in hexadecimal, parts of records as tails, and the layout of the file where
 * that is not the canonical one. What follows from the rest is left out (counts, strides, offsets),
 * so that a record can be added with a text editor. docs/formats/msh.md describes the members.
 */
#ifndef RETROPOSE_MSH_TEXT_H
#define RETROPOSE_MSH_TEXT_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* Appends the dump of any archive that opens tolerantly, model or not. */
RpStatus RpMsh_Dump(const RpNRes *archive, RpBuffer *text, RpError *error);
/* Appends the image. RP_CORRUPT names the member of the text ("streams[3].keys[17].time") or the
 * line; the parser allocates with the C library. */
RpStatus RpMsh_Assemble(const char *text, size_t size, RpBuffer *image, RpError *error);

/* ---- differences ----------------------------------------------------------------------------- */

typedef enum RpMshDifferenceKind {
    RP_MSH_STREAM_MISSING, /* only one of the two has the stream: in `a` or `b`, else empty       */
    RP_MSH_NODE_MISSING, /* the same of a node, by name                                          */
    RP_MSH_COUNT,        /* of a stream's elements                                               */
    RP_MSH_ATTRIBUTE,    /* of a stream's directory record                                       */
    RP_MSH_FIELD,        /* of an element                                                        */
    RP_MSH_BYTES,        /* of a stream without known elements, or after its last                */
    RP_MSH_POSE,         /* of a node, over all frames                                           */
    RP_MSH_REST          /* more differences of one stream than asked for: `a` holds how many    */
} RpMshDifferenceKind;

typedef struct RpMshDifference {
    RpMshDifferenceKind kind;
    int32_t stream, node, element; /* of the first model, where it has them; or RP_NO_INDEX */
    char place[96];                /* "Res8 keys[17].time", "node gun" */
    char a[96], b[96];             /* the values */
} RpMshDifference;

typedef struct RpMshDiffOptions {
    uint32_t most;   /* differences of one stream that are told; 0: 10 */
    bool bytes_only; /* no poses */
    double position; /* poses differ from this distance on: 0 means any difference    */
    double angle;    /* ..., in degrees */
    RpMshReadings readings;
    const RpAllocator *allocator;
} RpMshDiffOptions;

typedef struct RpMshDiffResult {
    uint64_t count;         /* of all differences, told or not */
    bool posed;             /* both models could be */
    double position, angle; /* largest over all nodes of both and all frames */
    int32_t node;           /* of the first model, where the largest of them is */
    uint32_t frame;
} RpMshDiffResult;

/* Nodes are matched by name (readings.names) where both models name them all differently, else by
 * index; poses are the game's own (RpPose_Sample), per node and frame, of nodes that both have. */
typedef void (*RpMshDiffTake)(void *context, const RpMshDifference *difference);
RpStatus RpMsh_Diff(const RpNRes *a, const RpNRes *b, const RpMshDiffOptions *options,
                    RpMshDiffTake take, void *context, RpMshDiffResult *result, RpError *error);

RP_API_END

#endif
