/* Writes Res8 and Res19 track by track (seed 000 sections 5 and 8). */
#include "core/bytes.h"
#include "formats/msh/make/make.h"

#include <inttypes.h>
#include <math.h>

void TrackWriter_Init(TrackWriter *writer, uint32_t frame_count, const RpAllocator *allocator) {
    *writer = (TrackWriter){.frame_count = frame_count};
    RpBuffer_Init(&writer->keys, allocator);
    RpBuffer_Init(&writer->map, allocator);
}

void TrackWriter_Free(TrackWriter *writer) {
    RpBuffer_Free(&writer->keys);
    RpBuffer_Free(&writer->map);
}

RpStatus Track_Frames(uint32_t node, const RpMshKey *keys, uint32_t key_count, uint32_t *frames,
                      RpError *error) {
    if (key_count == 0 || !keys)
        return Make_Refuse(error, RP_INVALID, "a track has no key", "node", node, "at least one",
                           "none");
    if (keys[0].time != 0)
        return Make_Refuse(error, RP_INVALID, "a track does not begin at frame 0", "node", node,
                           "time 0", "%g", (double)keys[0].time);
    for (uint32_t k = 0; k < key_count; k++) {
        const float *position = keys[k].position;
        if (!Make_IsFinite(position[0]) || !Make_IsFinite(position[1]) ||
            !Make_IsFinite(position[2]) || !Make_IsFinite(keys[k].time))
            return Make_Refuse(error, RP_INVALID, "a key is not finite", "node", node,
                               "finite numbers", "key %" PRIu32, k);
        if (k > 0 && keys[k].time <= keys[k - 1].time)
            return Make_Refuse(error, RP_INVALID, "key times do not ascend", "node", node,
                               "later than the key before", "key %" PRIu32 ": %g after %g", k,
                               (double)keys[k].time, (double)keys[k - 1].time);
    }

    float last = keys[key_count - 1].time;
    if (last >= (float)MAKE_MAX_FRAMES)
        return Make_Refuse(error, RP_INVALID, "a key's time has no frame of its own", "node", node,
                           "less than 16777216", "%g", (double)last);
    *frames = (uint32_t)last + 1;
    return RP_OK;
}

RpStatus TrackWriter_Add(TrackWriter *writer, uint32_t node, const RpMshKey *keys,
                         uint32_t key_count, uint16_t *map_start, uint16_t *fallback,
                         RpError *error) {
    uint32_t frames = 0;
    RpStatus status = Track_Frames(node, keys, key_count, &frames, error);
    if (status == RP_OK) {
        if (key_count > MAKE_MAX_KEYS - writer->key_count)
            status = Make_Refuse(error, RP_INVALID, "the key pool is full", "node", node,
                                 "at most 65535 keys in a model", "%" PRIu64,
                                 (uint64_t)writer->key_count + key_count);
        else if (key_count > 1 && writer->map.size / 2 >= RP_MSH_NONE)
            status = Make_Refuse(error, RP_INVALID, "the frame map is full", "node", node,
                                 "a block that begins before word 65535", "word %zu",
                                 writer->map.size / 2);
    }
    if (status != RP_OK)
        return status;
    if (frames > writer->frame_count)
        return Make_Refuse(error, RP_INVALID, "a track outlasts the model's frames", "node", node,
                           "times before the frame count", "time %g of %" PRIu32 " frames",
                           (double)keys[key_count - 1].time, writer->frame_count);
    *map_start = RP_MSH_NONE;
    if (key_count > 1) {
        *map_start = (uint16_t)(writer->map.size / 2);

        /* By seed 000 section 5.4, the map has for each frame the left key of the segment to which
         * the frame belongs, and from the last key on the last one. */
        uint8_t *words = RpBuffer_Extend(&writer->map, (size_t)writer->frame_count * 2);
        uint32_t key = 0;
        for (uint32_t frame = 0; words && frame < writer->frame_count; frame++) {
            while (key + 1 < key_count && keys[key + 1].time <= (float)frame)
                key++;
            Bytes_PutU16(words + (size_t)frame * 2, (uint16_t)(writer->key_count + key));
        }
    }
    uint8_t *bytes = RpBuffer_Extend(&writer->keys, (size_t)key_count * RP_MSH_KEY_BYTES);
    for (uint32_t k = 0; bytes && k < key_count; k++)
        RpMshKey_Write(&keys[k], bytes + (size_t)k * RP_MSH_KEY_BYTES);
    writer->key_count += key_count;
    *fallback = (uint16_t)(writer->key_count - 1);
    if (writer->keys.failed || writer->map.failed)
        return RpMemory_Refused(error, "tracks");
    return RP_OK;
}
