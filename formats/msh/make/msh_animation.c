/* Reads and writes the animation in a model's streams (seed 000 sections 5, 7 and 8). */
#include "animesh/records.h"
#include "core/bytes.h"
#include "formats/msh/make/member.h"
#include "formats/msh/make/track.h"
#include "formats/msh/read/sharing.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

void RpMshAnimation_Init(RpMshAnimation *animation, const RpAllocator *allocator) {
    *animation = (RpMshAnimation){.frame_count = 1, .allocator = allocator};
}

void RpMshAnimation_Free(RpMshAnimation *animation) {
    for (uint32_t n = 0; n < animation->node_count; n++)
        RpMemory_Free(animation->allocator, animation->tracks[n].keys);
    RpMemory_Free(animation->allocator, animation->tracks);
    RpMshAnimation_Init(animation, animation->allocator);
}

static RpStatus MakeTracks(RpMshAnimation *animation, uint32_t node_count, RpError *error) {
    if (node_count == 0)
        return RP_OK;
    animation->tracks = Make_Array(animation->allocator, node_count, sizeof *animation->tracks);
    if (!animation->tracks)
        return RpMemory_Refused(error, "tracks");
    animation->node_count = node_count;
    return RP_OK;
}

/* ---- extract --------------------------------------------------------------------------------- */

typedef struct Extract {
    const RpMsh *msh;
    RpSkeleton model;
    RpMshExtract mode;
    uint32_t sampled; /* number of nodes that were sampled */
    uint64_t samples; /* number of samples of all these nodes */
    RpError *error;
} Extract;

/* This is a thousand times the number of samples of the game's largest animation. */
enum { MOST_SAMPLES = 1 << 21 };

/* Returns why a node with a map is not in canonical form, or null where it is. */
static const char *Oddity(const RpMsh *msh, uint32_t index, const RpMshNode *node, uint32_t *first,
                          uint32_t *last) {
    if (!RpMsh_Track(msh, index, first, last) || *first == *last)
        return "its keys are not a track of their own";
    RpMshKey key, before = {.time = -1};
    for (uint32_t k = *first; k <= *last; k++) {
        RpMsh_Key(msh, k, &key);
        if (!Make_IsFinite(key.time) || key.time <= before.time || (k == *first && key.time != 0))
            return "its key times do not ascend from 0";
        before = key;
    }
    if (before.time >= (float)msh->frame_count)
        return "its track outlasts the model's frames";
    uint32_t left = *first;
    for (uint32_t frame = 0; frame < msh->frame_count; frame++) {
        uint16_t word;
        while (left < *last && RpMsh_Key(msh, left + 1, &key) && key.time <= (float)frame)
            left++;
        if (!RpMsh_MapWord(msh, node->map_start + frame, &word) || word != left)
            return "its frame map is not the one that follows from its key times";
    }
    return NULL;
}

static RpStatus ExtractNode(Extract *extract, uint32_t index, KeyList *list) {
    const RpMsh *msh = extract->msh;
    RpMshNode node;
    RpMshKey key;
    uint32_t first, last;
    RpMsh_Node(msh, index, &node);
    if (!RpMsh_Key(msh, node.fallback, &key))
        return Make_Refuse(extract->error, RP_CORRUPT, "M20: a fallback key does not exist", "node",
                           index, "a key of Res8", "%u of %" PRIu32, node.fallback,
                           RpMsh_Count(msh, RP_MSH_KEYS));
    if (node.map_start == RP_MSH_NONE) {
        KeyList_Add(list, &key, 0);
        return RP_OK;
    }
    const char *oddity = Oddity(msh, index, &node, &first, &last);
    if (!oddity) {
        for (uint32_t k = first; k <= last; k++) {
            RpMshKey copied;
            RpMsh_Key(msh, k, &copied);
            KeyList_Add(list, &copied, copied.time);
        }
        return RP_OK;
    }
    if (extract->mode == RP_MSH_EXTRACT_EXACT)
        return Make_Refuse(extract->error, RP_UNSUPPORTED, "a node is not in canonical form",
                           "node", index, "a track as the game's own files have them", "%s",
                           oddity);
    extract->sampled++;
    if (msh->frame_count > MAKE_MAX_KEYS)
        return Make_Refuse(extract->error, RP_UNSUPPORTED, "a node has too many frames to sample",
                           "node", index, "at most 65535", "%" PRIu32, msh->frame_count);
    uint32_t frames = msh->frame_count > 0 ? msh->frame_count : 1;
    extract->samples += frames;
    if (extract->samples > MOST_SAMPLES)
        return Make_Refuse(extract->error, RP_UNSUPPORTED, "too many frames have to be sampled",
                           "node", index, "at most 2097152 of all nodes", "%" PRIu64 " up to here",
                           extract->samples);
    for (uint32_t frame = 0; frame < frames; frame++) {
        key = Skeleton_SampleKey(&extract->model, index, (float)frame);
        if (!Make_IsFinite(key.position[0]) || !Make_IsFinite(key.position[1]) ||
            !Make_IsFinite(key.position[2]))
            return Make_Refuse(extract->error, RP_CORRUPT, "a pose is not finite", "node", index,
                               "finite keys", "frame %" PRIu32, frame);
        KeyList_Add(list, &key, frame);
    }
    return RP_OK;
}

RpStatus RpMshAnimation_Extract(RpMshAnimation *animation, const RpMsh *msh, RpMshExtract mode,
                                uint32_t *sampled, RpError *error) {
    MODES_OF_C();
    Extract extract = {.msh = msh, .mode = mode, .error = error};
    Retrack retrack;
    RpStatus status = RpMsh_Skeleton(msh, &extract.model, error);
    if (status == RP_OK)
        status = Msh_CheckSharing(msh, error);
    if (status == RP_OK)
        status = MakeTracks(animation, RpMsh_Count(msh, RP_MSH_NODES), error);
    if (status != RP_OK)
        return status;
    status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++)
        status = ExtractNode(&extract, n, &retrack.lists[n]);
    status = Retrack_End(&retrack, msh->frame_count > 0 ? msh->frame_count : 1, status, error);
    if (status != RP_OK)
        RpMshAnimation_Free(animation);
    if (sampled)
        *sampled = extract.sampled;
    return status;
}

/* ---- install --------------------------------------------------------------------------------- */

typedef struct Install {
    RpNResArchive *model;
    RpMsh msh;
    TrackWriter tracks;
    uint8_t *nodes; /* a copy of Res1, which is being changed */
    RpError *error;
} Install;

static RpStatus Put(RpNResArchive *model, uint32_t type, uint32_t after, const RpBuffer *bytes,
                    const uint32_t attributes[3], RpError *error) {
    /* If the model does not have the stream, it is added behind the one of type `after`. */
    RpStatus status = RP_OK;
    int32_t index = RpNResArchive_FindType(model, type);
    if (index < 0) {
        int32_t place = RpNResArchive_FindType(model, after);
        index = place >= 0 ? place + 1 : (int32_t)model->count;
        RpNResMember member = {.type = type};
        memcpy(member.name, model->members[0].name, sizeof member.name);
        status = RpNResArchive_Add(model, (uint32_t)index, &member, error);
    }
    if (status == RP_OK)
        status = RpNResArchive_Replace(model, (uint32_t)index, bytes->bytes, bytes->size, error);
    if (status != RP_OK)
        return status;
    RpNResMember *member = &model->members[index];
    member->attr1 = attributes[0];
    member->attr2 = attributes[1];
    member->attr3 = attributes[2];
    return RP_OK;
}

static RpStatus Open(Install *install, const RpMshAnimation *animation) {
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(install->model), RP_TOLERANT, &install->msh,
                                 install->error);
    if (status != RP_OK)
        return status;
    uint32_t nodes = RpMsh_Count(&install->msh, RP_MSH_NODES);
    if (install->msh.node_stride != RP_MSH_NODE_BYTES)
        return RpError_Set(install->error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nodes of the legacy form have no tracks", "Res1", "stride 38", "");
    if (nodes == 0 || nodes != animation->node_count)
        return Make_Refuse(install->error, RP_INVALID,
                           "the animation is of another number of nodes", "model of", nodes,
                           "one track a node", "%" PRIu32 " tracks", animation->node_count);
    if (animation->frame_count == 0 || animation->frame_count > MAKE_MAX_FRAMES)
        return Make_Refuse(install->error, RP_INVALID, "bad frame count", "model of", nodes,
                           "1 to 16777216", "%" PRIu32, animation->frame_count);
    const RpMshStream *stream = &install->msh.streams[RP_MSH_NODES];
    install->nodes = Make_Array(install->model->allocator, stream->size, 1);
    if (!install->nodes)
        return RpMemory_Refused(install->error, "nodes");
    memcpy(install->nodes, stream->data, stream->size);
    return RP_OK;
}

RpStatus RpMshAnimation_Install(const RpMshAnimation *animation, RpNResArchive *model,
                                RpError *error) {
    MODES_OF_C();
    Install install = {.model = model, .error = error};
    RpStatus status = Open(&install, animation);
    TrackWriter_Init(&install.tracks, animation->frame_count, model->allocator);
    if (status == RP_OK) {
        for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
            uint16_t map_start, fallback;
            status = TrackWriter_Add(&install.tracks, n, animation->tracks[n].keys,
                                     animation->tracks[n].key_count, &map_start, &fallback,
                                     install.error);
            uint8_t *record = install.nodes + (size_t)n * RP_MSH_NODE_BYTES;
            if (status == RP_OK) {
                Bytes_PutU16(record + NODE_AT_map_start, map_start);
                Bytes_PutU16(record + NODE_AT_fallback, fallback);
            }
        }
    }
    if (status == RP_OK) {
        Draft draft;
        status = Draft_Begin(&draft, model, error);
        if (status == RP_OK) {
            const TrackWriter *tracks = &install.tracks;
            /* 4 is not the stride; see seed 000 section 2.1. */
            const uint32_t of_keys[3] = {tracks->key_count, 0, 4};
            const uint32_t of_map[3] = {(uint32_t)(tracks->map.size / 2), tracks->frame_count, 2};
            status = RpNResArchive_Replace(
                &draft.copy, (uint32_t)RpNResArchive_FindType(&draft.copy, RP_MSH_NODES),
                install.nodes, install.msh.streams[RP_MSH_NODES].size, error);
            if (status == RP_OK)
                status =
                    Put(&draft.copy, RP_MSH_KEYS, RP_MSH_TRIANGLES, &tracks->keys, of_keys, error);
            if (status == RP_OK)
                status =
                    Put(&draft.copy, RP_MSH_FRAME_MAP, RP_MSH_KEYS, &tracks->map, of_map, error);
            status = Draft_End(&draft, status);
        }
    }
    TrackWriter_Free(&install.tracks);
    RpMemory_Free(model->allocator, install.nodes);
    return status;
}

/* ---- copies and single tracks ---------------------------------------------------------------- */

static RpMshKey *CopyOfKeys(const RpAllocator *allocator, const RpMshKey *keys, uint32_t count) {
    RpMshKey *copy = Make_Array(allocator, count, sizeof *copy);
    if (copy)
        memcpy(copy, keys, count * sizeof *copy);
    return copy;
}

RpStatus RpMshAnimation_Copy(RpMshAnimation *copy, const RpMshAnimation *animation,
                             RpError *error) {
    RpStatus status = MakeTracks(copy, animation->node_count, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        const RpMshTrack *track = &animation->tracks[n];
        copy->tracks[n].keys = CopyOfKeys(copy->allocator, track->keys, track->key_count);
        copy->tracks[n].key_count = track->key_count;
        if (!copy->tracks[n].keys)
            status = RpMemory_Refused(error, "tracks");
    }
    copy->frame_count = animation->frame_count;
    if (status != RP_OK)
        RpMshAnimation_Free(copy);
    return status;
}

static RpStatus CheckNode(const RpMshAnimation *animation, uint32_t node, RpError *error) {
    if (node < animation->node_count)
        return RP_OK;
    return Make_Refuse(error, RP_INVALID, "there is no such node", "node", node,
                       "a node of the animation", "%" PRIu32 " nodes", animation->node_count);
}

RpStatus RpMshAnimation_SetTrack(RpMshAnimation *animation, uint32_t node, const RpMshKey *keys,
                                 uint32_t key_count, RpError *error) {
    MODES_OF_C();
    uint32_t frames;
    RpStatus status = CheckNode(animation, node, error);
    if (status == RP_OK)
        status = Track_Frames(node, keys, key_count, &frames, error);
    if (status != RP_OK)
        return status;
    RpMshKey *copy = CopyOfKeys(animation->allocator, keys, key_count);
    if (!copy)
        return RpMemory_Refused(error, "a track");
    RpMemory_Free(animation->allocator, animation->tracks[node].keys);
    animation->tracks[node] = (RpMshTrack){copy, key_count};
    if (frames > animation->frame_count)
        animation->frame_count = frames;
    return RP_OK;
}

RpStatus RpMshAnimation_Sample(const RpMshAnimation *animation, uint32_t node, float time,
                               float quaternion[4], float position[3], RpError *error) {
    MODES_OF_C();
    RpStatus status = CheckNode(animation, node, error);
    if (status == RP_OK)
        status = Track_Check(&animation->tracks[node], error);
    if (status == RP_OK)
        Track_Sample(&animation->tracks[node], time, quaternion, position);
    return status;
}

RpStatus RpMshAnimation_ClearTrack(RpMshAnimation *animation, uint32_t node, float time,
                                   RpError *error) {
    MODES_OF_C();
    RpStatus status = CheckNode(animation, node, error);
    if (status == RP_OK)
        status = Track_Check(&animation->tracks[node], error);
    if (status != RP_OK)
        return status;
    RpMshKey key = Track_SampleKey(&animation->tracks[node], time);
    key.time = 0;
    return RpMshAnimation_SetTrack(animation, node, &key, 1, error);
}

uint32_t RpMshAnimation_MakeStatic(RpMshAnimation *animation) {
    uint32_t made = 0;
    for (uint32_t n = 0; n < animation->node_count; n++) {
        RpMshTrack *track = &animation->tracks[n];
        uint32_t same = 1;
        while (same < track->key_count && Key_SamePose(&track->keys[same], &track->keys[0]))
            same++;
        if (track->key_count < 2 || same < track->key_count)
            continue;
        track->key_count = 1;
        made++;
    }
    return made;
}
