/* What building and editing models share: arrays, errors, and the writer of key tracks. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_MAKE_H
#define RETROPOSE_FORMATS_MSH_MAKE_MAKE_H

#include "retropose/msh_make.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* `count` zeroed elements; null for none, for too many, and when the allocator refuses. */
void *Make_Array(const RpAllocator *allocator, size_t count, size_t element_bytes);

/* "the thing is wrong, at NODE 3: expected ..., found ...": `found` is a printf format. */
RpStatus Make_Refuse(RpError *error, RpStatus status, const char *what, const char *thing,
                     uint64_t index, const char *expected, const char *found, ...)
#ifdef __GNUC__
#ifdef __MINGW32__
    __attribute__((format(gnu_printf, 7, 8)))
#else
    __attribute__((format(printf, 7, 8)))
#endif
#endif
    ;

/* isfinite, whose macro mingw's headers pass through float. */
static inline bool Make_IsFinite(double number) {
    return fabs(number) <= DBL_MAX;
}

static inline void Make_AppendFloat(RpBuffer *buffer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    RpBuffer_AppendU32(buffer, bits);
}

/* A record of Res10: the length, then the text and its NUL; only the length, 0, for none. */
void Make_AppendLabel(RpBuffer *buffer, const char *label);

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Frames past this have no float of their own. */
#define MAKE_MAX_FRAMES (UINT32_C(1) << 24)
#define MAKE_MAX_KEYS   UINT32_C(65535)

/* Res8 and Res19 as they grow, node by node (seed 000 section 8). */
typedef struct TrackWriter {
    RpBuffer keys, map;
    uint32_t key_count, frame_count;
} TrackWriter;

void TrackWriter_Init(TrackWriter *writer, uint32_t frame_count, const RpAllocator *allocator);
void TrackWriter_Free(TrackWriter *writer);
/* One key: static, without a map. More: animated, with the canonical map block of seed 000 section
 * 5.4. RP_INVALID for times that do not begin at 0 and ascend, and past the format's limits. */
RpStatus TrackWriter_Add(TrackWriter *writer, uint32_t node, const RpMshKey *keys,
                         uint32_t key_count, uint16_t *map_start, uint16_t *fallback,
                         RpError *error);
/* Frames that a track needs: 1 + its last time, rounded down. RP_INVALID past MAKE_MAX_FRAMES. */
RpStatus Track_Frames(uint32_t node, const RpMshKey *keys, uint32_t key_count, uint32_t *frames,
                      RpError *error);

/* ---- bounds ---------------------------------------------------------------------------------- */

typedef enum BoundsScope {
    BOUNDS_ALL,
    BOUNDS_SOME,  /* the slots whose byte in `slots` is not 0, one a slot, and the header */
    BOUNDS_HEADER /* no slot */
} BoundsScope;
RpStatus Bounds_Update(RpNResArchive *archive, const RpReadings *readings, BoundsScope scope,
                       const uint8_t *slots, RpError *error);

/* ---- topology -------------------------------------------------------------------------------- */

/* RpMsh_LinkTriangles for triangles of several groups: only faces of one group are neighbours.
 * `groups` may be null: all one. */
RpStatus Topology_Link(const float (*positions)[3], const uint32_t (*corners)[3],
                       const uint32_t *groups, uint32_t count, RpMshTriangle *triangles,
                       const RpAllocator *allocator, RpError *error);

#endif
