/* Computes boxes and spheres of slots and of the whole model (facts/formats.md C.5). */
#include "exports/reading_table.h"
#include "formats/msh/make/make.h"
#include "formats/msh/read/sharing.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- what is bounded ------------------------------------------------------------------------- */

typedef struct Bounds {
    RpMsh msh;
    const RpReadings *readings;
    uint8_t *bytes; /* a copy of Res2, which is being changed */
    double (*matrices)[16];
    float (*points)[3]; /* for temporary use: of one slot, and then of the whole model */
    uint32_t point_count, point_capacity;
    const RpAllocator *allocator;
    RpError *error;
} Bounds;

static RpStatus AddSlot(Bounds *bounds, const RpMshSlot *slot, const double *matrix) {
    for (uint32_t b = slot->first_batch; b < (uint32_t)slot->first_batch + slot->batch_count; b++) {
        RpMshBatch batch;
        if (!RpMsh_Batch(&bounds->msh, b, &batch))
            return Make_Refuse(bounds->error, RP_CORRUPT, "a slot names a batch that is not there",
                               "batch", b, "a batch of Res13", "%" PRIu32 " batches",
                               RpMsh_Count(&bounds->msh, RP_MSH_BATCHES));
        uint64_t needed = (uint64_t)bounds->point_count + batch.index_count;
        if (needed > bounds->point_capacity) {
            uint64_t capacity = needed + needed / 2;
            if (capacity > UINT32_MAX / sizeof *bounds->points)
                return RpMemory_Refused(bounds->error, "bounds");
            void *grown = RpMemory_Resize(bounds->allocator, bounds->points,
                                          (size_t)capacity * sizeof *bounds->points);
            if (!grown)
                return RpMemory_Refused(bounds->error, "bounds");
            bounds->points = grown;
            bounds->point_capacity = (uint32_t)capacity;
        }
        for (uint32_t i = 0; i < batch.index_count; i++) {
            uint16_t relative;
            float *point = bounds->points[bounds->point_count];
            uint64_t at = (uint64_t)batch.first_index + i, vertex = 0;
            bool found = at <= UINT32_MAX && RpMsh_Index(&bounds->msh, (uint32_t)at, &relative);
            if (found)
                vertex = (uint64_t)batch.base_vertex + relative;
            if (!found || vertex > UINT32_MAX ||
                !RpMsh_Position(&bounds->msh, (uint32_t)vertex, point))
                return Make_Refuse(bounds->error, RP_CORRUPT, "a batch reaches past its streams",
                                   "batch", b, "indices and vertices that exist",
                                   "index %" PRIu32 ", vertex %" PRIu64, i, vertex);
            if (matrix) {
                /* Points are column vectors; the translation is in elements 3, 7 and 11. */
                const double *m = matrix, x = point[0], y = point[1], z = point[2];
                for (int row = 0; row < 3; row++)
                    point[row] = (float)(m[row * 4] * x + m[row * 4 + 1] * y + m[row * 4 + 2] * z +
                                         m[row * 4 + 3]);
            }
            bounds->point_count++;
        }
    }
    return RP_OK;
}

/* Writes the least and the greatest numbers with their own bits, or zeros if there are no
 * points. */
static void Box(const Bounds *bounds, float low[3], float high[3]) {
    memset(low, 0, 3 * sizeof *low);
    memset(high, 0, 3 * sizeof *high);
    for (uint32_t p = 0; p < bounds->point_count; p++)
        for (int i = 0; i < 3; i++) {
            float value = bounds->points[p][i];
            if (p == 0 || value < low[i])
                low[i] = value;
            if (p == 0 || value > high[i])
                high[i] = value;
        }
}

static void Sphere(const Bounds *bounds, float sphere[4]) {
    RpMsh_Sphere((const float(*)[3])bounds->points, bounds->point_count, sphere);
}

/* ---- the model ------------------------------------------------------------------------------- */

enum { SLOT_WORDS_LOD_GROUP, SLOT_WORDS_STATE_LOD };
enum { NODE_COCKPIT = 0x20, ALL_WORDS = (1 << RP_MSH_SLOT_WORDS) - 1 };

/* Adds the slots that the bits of `words` name, or if it is 0 those of each node's finest level. */
static RpStatus AddNodes(Bounds *bounds, unsigned words) {
    bounds->point_count = 0;
    for (uint32_t n = 0; n < RpMsh_Count(&bounds->msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        RpMsh_Node(&bounds->msh, n, &node);

        /* The finest level is all five groups of level 0, or level 0 of the three states. Cockpits
         * are not part of what the header bounds (facts/formats.md C1a). */
        unsigned chosen = words;
        if (words == 0 && !(node.flags & NODE_COCKPIT))
            chosen = bounds->readings->choice[READING_SLOT_WORDS] == SLOT_WORDS_STATE_LOD
                         ? 1U << 0 | 1U << 5 | 1U << 10
                         : 0x1F;
        for (uint32_t w = 0; w < RP_MSH_SLOT_WORDS; w++) {
            RpMshSlot slot;
            if (!(chosen >> w & 1U) || node.slots[w] == RP_MSH_NONE)
                continue;
            if (!RpMsh_Slot(&bounds->msh, node.slots[w], &slot))
                return Make_Refuse(bounds->error, RP_CORRUPT,
                                   "a node names a slot that is not there", "node", n,
                                   "a slot of Res2", "slot %u", node.slots[w]);
            RpStatus status = AddSlot(bounds, &slot, bounds->matrices[n]);
            if (status != RP_OK)
                return status;
        }
    }
    return RP_OK;
}

static RpStatus UpdateHeader(Bounds *bounds) {
    RpStatus status =
        RpMsh_PoseNodes(&bounds->msh, bounds->readings, 0, false, bounds->matrices, bounds->error);
    if (status == RP_OK)
        status = AddNodes(bounds, 0);
    if (status == RP_OK && bounds->point_count == 0) /* if there is none, everything counts */
        status = AddNodes(bounds, ALL_WORDS);
    if (status != RP_OK)
        return status;
    RpMshHeader header;
    float low[3], high[3];
    Box(bounds, low, high);
    /* The bottom comes first, then the top, each front left, front right, back right, back left.
     * Forward is +y, right is +x (facts/formats.md C.5, C.8). */
    static const uint8_t right[4] = {0, 1, 1, 0}, front[4] = {1, 1, 0, 0};
    for (int i = 0; i < 8; i++) {
        header.corners[i][0] = right[i % 4] ? high[0] : low[0];
        header.corners[i][1] = front[i % 4] ? high[1] : low[1];
        header.corners[i][2] = i < 4 ? low[2] : high[2];
    }
    Sphere(bounds, header.sphere);
    const double half_x = ((double)high[0] - low[0]) / 2, half_y = ((double)high[1] - low[1]) / 2;
    for (int i = 0; i < 2; i++) {
        float middle = (float)(((double)low[i] + high[i]) / 2);
        header.axis_low[i] = header.axis_high[i] = middle;
    }
    header.axis_low[2] = low[2];
    header.axis_high[2] = high[2];
    header.axis_radius = (float)sqrt(half_x * half_x + half_y * half_y);
    RpMshHeader_Write(&header, bounds->bytes);
    return RP_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static RpStatus Open(Bounds *bounds, const RpNResArchive *archive) {
    RpStatus status =
        RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &bounds->msh, bounds->error);
    if (status == RP_OK)
        status = Msh_CheckSharing(&bounds->msh, bounds->error);
    if (status != RP_OK)
        return status;
    const RpMshStream *stream = &bounds->msh.streams[RP_MSH_SLOTS];
    uint32_t nodes = RpMsh_Count(&bounds->msh, RP_MSH_NODES);
    if (!stream->data || stream->size < RP_MSH_HEADER_BYTES)
        return RpError_Set(bounds->error, RP_NOT_FOUND, RP_NOWHERE, "the model has no bounds",
                           "Res2", "a header of 140 bytes", "");
    bounds->bytes = Make_Array(bounds->allocator, stream->size, 1);
    bounds->matrices = Make_Array(bounds->allocator, (size_t)nodes + 1, sizeof *bounds->matrices);
    if (!bounds->bytes || !bounds->matrices)
        return RpMemory_Refused(bounds->error, "bounds");
    memcpy(bounds->bytes, stream->data, stream->size);
    return RP_OK;
}

RpStatus Bounds_Update(RpNResArchive *archive, const RpReadings *readings, BoundsScope scope,
                       const uint8_t *slots, RpError *error) {
    MODES_OF_C();
    static const RpReadings defaults;
    Bounds bounds = {.readings = readings ? readings : &defaults,
                     .allocator = archive->allocator,
                     .error = error};
    RpStatus status = Open(&bounds, archive);
    for (uint32_t s = 0; status == RP_OK && s < RpMsh_Count(&bounds.msh, RP_MSH_SLOTS); s++) {
        if (scope != BOUNDS_ALL && !(scope == BOUNDS_SOME && slots[s]))
            continue;
        RpMshSlot slot;
        float low[3], high[3];
        RpMsh_Slot(&bounds.msh, s, &slot);
        bounds.point_count = 0;
        status = AddSlot(&bounds, &slot, NULL);
        if (status != RP_OK)
            break;
        Box(&bounds, low, high);

        /* The area is that of the box's base: ParkanPlayground reads "BaseXyArea", openparkan has
         * the game multiply it by two of the three scales (facts/formats.md C8). Where the box
         * stands, the file's own numbers stand, too: nobody has shown how the game's tools rounded
         * them. */
        if (memcmp(slot.low, low, sizeof slot.low) != 0 ||
            memcmp(slot.high, high, sizeof slot.high) != 0) {
            const double x = (double)high[0] - low[0], y = (double)high[1] - low[1],
                         z = (double)high[2] - low[2];
            slot.area = (float)(x * y);
            slot.volume = (float)(x * y * z);
            memcpy(slot.low, low, sizeof slot.low);
            memcpy(slot.high, high, sizeof slot.high);
        }
        Sphere(&bounds, slot.sphere);
        RpMshSlot_Write(&slot, bounds.bytes + RP_MSH_HEADER_BYTES + (size_t)s * RP_MSH_SLOT_BYTES);
    }
    if (status == RP_OK)
        status = UpdateHeader(&bounds);
    if (status == RP_OK)
        status =
            RpNResArchive_Replace(archive, (uint32_t)RpNResArchive_FindType(archive, RP_MSH_SLOTS),
                                  bounds.bytes, bounds.msh.streams[RP_MSH_SLOTS].size, error);
    RpMemory_Free(archive->allocator, bounds.bytes);
    RpMemory_Free(archive->allocator, bounds.matrices);
    RpMemory_Free(archive->allocator, bounds.points);
    return status;
}

RpStatus RpMsh_UpdateBounds(RpNResArchive *archive, const RpReadings *readings, RpError *error) {
    return Bounds_Update(archive, readings, BOUNDS_ALL, NULL, error);
}

RpStatus RpMsh_UpdateHeader(RpNResArchive *archive, const RpReadings *readings, RpError *error) {
    return Bounds_Update(archive, readings, BOUNDS_HEADER, NULL, error);
}
