/* Declarations that making and editing models share: arrays, errors, and the writer of tracks of
 * keys. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_MAKE_H
#define RETROPOSE_FORMATS_MSH_MAKE_MAKE_H

#include "retropose/msh_make.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Returns `count` zeroed elements, or null if the count is 0 or too large, or if memory is
 * refused. */
void *Make_Array(const RpAllocator *allocator, size_t count, size_t element_bytes);

/* Reports "the thing is wrong, at NODE 3: expected ..., found ...". `found` is a format as
 * printf's. */
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

/* Works like isfinite, whose macro in mingw's headers converts to float. */
static inline bool Make_IsFinite(double number) {
    return fabs(number) <= DBL_MAX;
}

static inline void Make_AppendFloat(RpBuffer *buffer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    RpBuffer_AppendU32(buffer, bits);
}

/* Appends a record of Res10: the length, then the text with its NUL; for null only the length 0. */
void Make_AppendLabel(RpBuffer *buffer, const char *label);

/* ---- tracks ---------------------------------------------------------------------------------- */

/* From here on, not every frame has a float of its own. */
#define MAKE_MAX_FRAMES (UINT32_C(1) << 24)
#define MAKE_MAX_KEYS   UINT32_C(65535)

/* Res8 and Res19 while they grow, node by node (seed 000 section 8). */
typedef struct TrackWriter {
    RpBuffer keys, map;
    uint32_t key_count, frame_count;
} TrackWriter;

void TrackWriter_Init(TrackWriter *writer, uint32_t frame_count, const RpAllocator *allocator);
void TrackWriter_Free(TrackWriter *writer);
/* Adds a track. With one key the node is static and has no map. With more keys it is animated, with
 * the canonical map block of seed 000 section 5.4. Returns RP_INVALID for times that do not ascend
 * from 0, and beyond the format's limits. */
RpStatus TrackWriter_Add(TrackWriter *writer, uint32_t node, const RpMshKey *keys,
                         uint32_t key_count, uint16_t *map_start, uint16_t *fallback,
                         RpError *error);
/* Gives the number of frames that a track needs: 1 + its last time, rounded down. Returns
 * RP_INVALID beyond MAKE_MAX_FRAMES. */
RpStatus Track_Frames(uint32_t node, const RpMshKey *keys, uint32_t key_count, uint32_t *frames,
                      RpError *error);

/* ---- bounds ---------------------------------------------------------------------------------- */

typedef enum BoundsScope {
    BOUNDS_ALL,
    BOUNDS_SOME,  /* the header, and the slots whose byte in `slots` is not 0 */
    BOUNDS_HEADER /* no slot, only the header */
} BoundsScope;
RpStatus Bounds_Update(RpNResArchive *archive, const RpReadings *readings, BoundsScope scope,
                       const uint8_t *slots, RpError *error);

/* ---- topology -------------------------------------------------------------------------------- */

/* Does what RpMsh_LinkTriangles does, for triangles of several groups. Only faces of the same group
 * are neighbours. If `groups` is null, there is one group. */
RpStatus Topology_Link(const float (*positions)[3], const uint32_t (*corners)[3],
                       const uint32_t *groups, uint32_t count, RpMshTriangle *triangles,
                       const RpAllocator *allocator, RpError *error);

#endif
