/* Models as text: a complete dump that assembles to the same bytes, and the differences of two
 * models.
 *
 * A dump is JSON with one record a line. It holds every byte of the image: the streams with typed
 * fields, fields of unknown meaning in hexadecimal, incomplete records at the end of a stream, and
 * the layout of the file where it is not the canonical one. Counts, strides, offsets and everything
 * else that follows from the rest are left out, so that a record can be added with a text editor.
 * docs/formats/msh.md describes the members.
 */
#ifndef RETROPOSE_MSH_TEXT_H
#define RETROPOSE_MSH_TEXT_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* Appends the dump of any archive that opens tolerantly, whether or not it is a model.
 * RP_UNSUPPORTED stands for payloads that share so many bytes that all of them together are more
 * than four times the image. */
RpStatus RpMsh_Dump(const RpNRes *archive, RpBuffer *text, RpError *error);
/* Appends the image that a dump describes. RP_CORRUPT names the member of the text, such as
 * "streams[3].keys[17].time", or the line. The parser allocates with the C library. */
RpStatus RpMsh_Assemble(const char *text, size_t size, RpBuffer *image, RpError *error);

/* ---- differences ----------------------------------------------------------------------------- */

typedef enum RpMshDifferenceKind {
    /* only one of the models has the stream; the other's text, `a` or `b`, is empty */
    RP_MSH_STREAM_MISSING,
    RP_MSH_NODE_MISSING, /* only one of the models has a node of this name */
    RP_MSH_COUNT,        /* the numbers of a stream's elements differ */
    RP_MSH_ATTRIBUTE,    /* a stream's directory records differ */
    /* a field of an element differs, or only one of the models has this key or vertex; the other's
     * text is empty */
    RP_MSH_FIELD,
    RP_MSH_BYTES, /* bytes differ in a stream without known elements, or after its last element */
    RP_MSH_POSE,  /* a node's poses differ, taken over all frames */
    RP_MSH_REST   /* a stream has more differences than were asked for; `a` holds how many */
} RpMshDifferenceKind;

typedef struct RpMshDifference {
    RpMshDifferenceKind kind;
    int32_t stream, node, element; /* indices in the first model if it has them, or RP_NO_INDEX */
    /* Texts are UTF-8; of names, a byte without a letter in Windows-1251 is \xNN. */
    char place[96];    /* such as "Res8 keys[17].time" or "node gun"; long names are cut */
    char a[96], b[96]; /* the values in either model */
} RpMshDifference;

typedef struct RpMshDiffOptions {
    uint32_t most;   /* how many differences of one stream are reported; 0 means 10 */
    bool bytes_only; /* whether poses are not compared */
    /* the distance from which poses count as different; 0 reports any difference */
    double position;
    double angle; /* the angle, in degrees, from which poses count as different */
    RpReadings readings;
    const RpAllocator *allocator;
} RpMshDiffOptions;

/* Returns 10 differences of a stream, poses compared, each difference of a pose reported however
 * small, the default readings, and the C library's heap. */
RpMshDiffOptions RpMshDiffOptions_Default(void);

typedef struct RpMshDiffResult {
    uint64_t count;         /* number of all differences, reported or not */
    bool posed;             /* whether both models could be posed */
    double position, angle; /* the largest over all frames and all nodes that both have */
    int32_t node;           /* the node of the first model with the largest difference */
    uint32_t frame;
} RpMshDiffResult;

/* Receives the differences one after another. Keys and vertices are aligned: where some were put in
 * or taken out, what follows them is compared with what it was, each of them is one difference, and
 * numbers that name keys or vertices differ only if they name others. Nodes are matched by name
 * (reading names) where all names within each model differ, else by number. Poses are the game's
 * own (RpPose_Sample), of each frame and each node that both models have. */
typedef void (*RpMshDiffTake)(void *context, const RpMshDifference *difference);
/* Compares two models and hands each difference to `take`, which may be null, with `context`. Null
 * options mean RpMshDiffOptions_Default. Returns RP_OK, also for models that differ; the error is
 * RP_NO_MEMORY. */
RpStatus RpMsh_Diff(const RpNRes *a, const RpNRes *b, const RpMshDiffOptions *options,
                    RpMshDiffTake take, void *context, RpMshDiffResult *result, RpError *error);

RP_API_END

#endif
