/* The streams of made-up models. Whoever makes a model draws what is in its records, in an order of
 * its own, on which every later number depends. All else is here: how the streams grow, what the
 * entries of the directory say of them, and the image that is written.
 *
 * A model whose bounds, topology and frame map may follow from its geometry and its keys is
 * described to RpMsh_Make instead (retropose/msh_make.h). */
#ifndef RETROPOSE_FORMATS_SYNTHETIC_SYNTHETIC_STREAMS_H
#define RETROPOSE_FORMATS_SYNTHETIC_SYNTHETIC_STREAMS_H

#include "retropose/msh.h"
#include "retropose/nres.h"
#include "retropose/pose.h"

/* ---- all streams of a model ------------------------------------------------------------------ */

typedef struct SyntheticStreams {
    RpBuffer bytes[RP_MSH_TYPE_LIMIT]; /* by the type of the stream */
    uint32_t frame_count;
} SyntheticStreams;

/* Makes empty streams. */
void SyntheticStreams_Init(SyntheticStreams *streams, uint32_t frame_count);
void SyntheticStreams_Free(SyntheticStreams *streams);
/* Appends a record with the bytes that it has in the file (animesh/records.h). */
void SyntheticStreams_Add(SyntheticStreams *streams, uint32_t type, const void *record);
void SyntheticStreams_AddNode(SyntheticStreams *streams, const RpMshNode *node);
void SyntheticStreams_AddKey(SyntheticStreams *streams, const RpMshKey *key);
void SyntheticStreams_AddSlot(SyntheticStreams *streams, const RpMshSlot *slot);
void SyntheticStreams_AddBatch(SyntheticStreams *streams, const RpMshBatch *batch);
void SyntheticStreams_AddTriangle(SyntheticStreams *streams, const RpMshTriangle *triangle);
/* Returns how many records a stream has so far. The header in front of the slots is none. There are
 * as many labels as nodes. */
uint32_t SyntheticStreams_Count(const SyntheticStreams *streams, uint32_t type);
/* Writes a canonical image of these streams, in this order, whose entries all have the name. The
 * image is an empty buffer. Returns RP_NO_MEMORY also if memory was short for a stream. */
RpStatus SyntheticStreams_Write(const SyntheticStreams *streams,
                                const char name[RP_NRES_NAME_BYTES], const uint8_t *types,
                                uint32_t count, RpBuffer *image, RpError *error);

/* ---- what a pose reads ----------------------------------------------------------------------- */

/* These append to a skeleton whose streams lie in arrays of the caller, with room for what is
 * added. Each returns the index of what it added. AddNode leaves the words of the slots alone. */
uint32_t SyntheticSkeleton_AddNode(RpSkeleton *skeleton, uint32_t flags, uint32_t parent,
                                   uint32_t map_start, uint32_t fallback);
uint32_t SyntheticSkeleton_AddKey(RpSkeleton *skeleton, const RpMshKey *key);
uint32_t SyntheticSkeleton_AddWord(RpSkeleton *skeleton, uint32_t key);
/* Returns the key that the map of the game's files names for a frame: of the keys `first` to
 * `last`, the last one whose time, and that of all before it, is not later than the frame. */
uint32_t SyntheticSkeleton_KeyOfFrame(const RpSkeleton *skeleton, uint32_t first, uint32_t last,
                                      uint32_t frame);
/* Adds such a word for every frame, and returns the index of the first one. */
uint32_t SyntheticSkeleton_AddFrames(RpSkeleton *skeleton, uint32_t first, uint32_t last);

#endif
