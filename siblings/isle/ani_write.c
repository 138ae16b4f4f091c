/* The writer of .ani files. It writes the stored flags, never those that the game works out
 * (facts/lego-ani.md C). */
#include "siblings/isle/ani_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void WriteBits(RpBuffer *image, const void *four_bytes) {
    uint32_t bits;
    memcpy(&bits, four_bytes, sizeof bits);
    RpBuffer_AppendU32(image, bits);
}

static void WriteName(RpBuffer *image, const RpAniName *name) {
    RpBuffer_AppendU32(image, name->length);
    RpBuffer_Append(image, name->bytes, name->length);
}

static void WriteTrack(RpBuffer *image, RpAniTrackKind kind, const RpAniTrack *track) {
    RpBuffer_AppendU16(image, (uint16_t)track->count);
    for (uint32_t i = 0; i < track->count; i++) {
        const RpAniKey *key = &track->keys[i];
        RpBuffer_AppendU32(image, key->time | (uint32_t)key->flags << 24);
        if (kind == RP_ANI_MORPH)
            RpBuffer_Append(image, &key->visible, 1);
        for (uint32_t k = 0; k < RpAniTrackKind_Numbers(kind); k++)
            WriteBits(image, &key->value[k]);
    }
}

static bool HasCamera(const RpAni *ani) {
    return ani->has_header && ani->has_camera != 0;
}

RpStatus RpAni_Write(const RpAni *ani, RpBuffer *image, RpError *error) {
    if (ani->node_count == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "an animation needs a tree", "",
                           "a root node", "none");
    if (ani->has_header) {
        WriteBits(image, &ani->magic);
        WriteBits(image, &ani->radius);
        for (int i = 0; i < 3; i++)
            WriteBits(image, &ani->centre[i]);
        WriteBits(image, &ani->has_camera);
        WriteBits(image, &ani->unused);
    }

    RpBuffer_AppendU32(image, ani->actor_count);
    for (uint32_t i = 0; i < ani->actor_count; i++) {
        WriteName(image, &ani->actors[i].name);
        if (ani->actors[i].name.length > 0)
            RpBuffer_AppendU32(image, ani->actors[i].type);
    }

    WriteBits(image, &ani->duration);
    for (int i = 0; HasCamera(ani) && i < RP_ANI_CAMERA_TRACKS; i++)
        WriteTrack(image, (RpAniTrackKind)(RP_ANI_NODE_TRACKS + i), &ani->camera[i]);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &ani->nodes[i];
        WriteName(image, &node->name);
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            WriteTrack(image, (RpAniTrackKind)kind, &node->tracks[kind]);
        RpBuffer_AppendU32(image, node->children);
    }
    if (ani->trailing_size > 0)
        RpBuffer_Append(image, ani->trailing, ani->trailing_size);
    return image->failed ? RpMemory_Refused(error, "an animation") : RP_OK;
}

static uint64_t TrackBytes(RpAniTrackKind kind, const RpAniTrack *track) {
    return 2 + (uint64_t)track->count * RpAniTrackKind_Bytes(kind);
}

uint64_t RpAni_ParsedSize(const RpAni *ani) {
    uint64_t size = (ani->has_header ? RP_ANI_HEADER_BYTES : 0) + 8;
    for (uint32_t i = 0; i < ani->actor_count; i++)
        size += ani->actors[i].name.length ? 8 + (uint64_t)ani->actors[i].name.length : 4;
    for (int i = 0; HasCamera(ani) && i < RP_ANI_CAMERA_TRACKS; i++)
        size += TrackBytes((RpAniTrackKind)(RP_ANI_NODE_TRACKS + i), &ani->camera[i]);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        size += 8 + (uint64_t)ani->nodes[i].name.length;
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            size += TrackBytes((RpAniTrackKind)kind, &ani->nodes[i].tracks[kind]);
    }
    return size;
}
