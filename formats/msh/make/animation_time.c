/* Changes animations in time: another rate, backwards, one after another, a part of one. */
#include "formats/msh/make/track.h"
#include "formats/msh/read/node_names.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- retiming -------------------------------------------------------------------------------- */

/* Returns whether key `index` takes a frame from the key that already has it. Each of the two would
 * be moved by its error. */
static bool TakesFrame(uint32_t index, uint32_t key_count, bool holder_is_first, double own_error,
                       double holder_error) {
    if (holder_is_first)
        return false;
    return index + 1 == key_count || own_error < holder_error;
}

static uint32_t RetimeTrack(const RpMshTrack *track, double ratio, KeyList *list) {
    double holder_error = 0;
    uint32_t dropped = 0;
    for (uint32_t k = 0; k < track->key_count && !list->failed; k++) {
        double exact = (double)track->keys[k].time * ratio, frame = round(exact);
        double own_error = fabs(exact - frame);
        bool taken = list->count > 0 && (double)list->keys[list->count - 1].time == frame;
        if (taken)
            dropped++;
        if (taken && !TakesFrame(k, track->key_count, list->count == 1, own_error, holder_error))
            continue;
        list->count -= taken;
        KeyList_Add(list, &track->keys[k], frame);
        holder_error = own_error;
    }
    return dropped;
}

static RpStatus Retime(RpMshAnimation *animation, double ratio, uint32_t *dropped, RpError *error) {
    Retrack retrack;
    uint32_t lost = 0;
    double last = round((double)(animation->frame_count - 1) * ratio);
    if (!(last < MAKE_MAX_FRAMES))
        return Make_Refuse(error, RP_INVALID, "too many frames", "timeline of",
                           animation->frame_count, "at most 16777216", "%g", last + 1);
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++)
        lost += RetimeTrack(&animation->tracks[n], ratio, &retrack.lists[n]);
    status = Retrack_End(&retrack, (uint32_t)last + 1, status, error);
    if (dropped && status == RP_OK)
        *dropped = lost;
    return status;
}

RpStatus RpMshAnimation_Retime(RpMshAnimation *animation, double ratio, uint32_t *dropped,
                               RpError *error) {
    MODES_OF_C();
    if (!(ratio > 0) || !Make_IsFinite(ratio))
        return Make_Refuse(error, RP_INVALID, "bad ratio", "timeline of", animation->frame_count,
                           "a positive number", "%g", ratio);
    return Retime(animation, ratio, dropped, error);
}

RpStatus RpMshAnimation_RetimeTo(RpMshAnimation *animation, uint32_t frame_count, uint32_t *dropped,
                                 RpError *error) {
    MODES_OF_C();
    if (frame_count == 0 || (animation->frame_count == 1 && frame_count > 1))
        return Make_Refuse(error, RP_INVALID, "cannot retime", "timeline of",
                           animation->frame_count, "at least one frame, and two to stretch",
                           "%" PRIu32 " frames", frame_count);
    if (animation->frame_count == 1)
        return Retime(animation, 1, dropped, error);
    return Retime(animation, (double)(frame_count - 1) / (animation->frame_count - 1), dropped,
                  error);
}

/* ---- reversing ------------------------------------------------------------------------------- */

static void ReverseTrack(const RpMshTrack *track, double last_frame, KeyList *list) {
    const RpMshKey *last = &track->keys[track->key_count - 1];
    if (track->key_count == 1) {
        KeyList_Add(list, last, 0);
        return;
    }
    if (last_frame - last->time > 0)
        KeyList_Add(list, last, 0);
    for (uint32_t k = track->key_count; k-- > 0;)
        KeyList_Add(list, &track->keys[k], last_frame - track->keys[k].time);
}

RpStatus RpMshAnimation_Reverse(RpMshAnimation *animation, RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++)
        ReverseTrack(&animation->tracks[n], animation->frame_count - 1, &retrack.lists[n]);
    return Retrack_End(&retrack, animation->frame_count, status, error);
}

/* ---- one after another ----------------------------------------------------------------------- */

static void AppendTrack(const RpMshTrack *track, const RpMshTrack *other, uint32_t frame_count,
                        KeyList *list) {
    for (uint32_t k = 0; k < track->key_count; k++)
        KeyList_Add(list, &track->keys[k], track->keys[k].time);
    const RpMshKey *last = &track->keys[track->key_count - 1];
    bool same = other && Key_SamePose(last, &other->keys[0]);
    if (!other || (same && other->key_count == 1))
        return; /* the last pose lasts until the end */
    if (!same && last->time < (float)(frame_count - 1))
        KeyList_Add(list, last, frame_count - 1);
    for (uint32_t k = 0; k < other->key_count; k++)
        KeyList_Add(list, &other->keys[k], (double)frame_count + other->keys[k].time);
}

RpStatus RpMshAnimation_Append(RpMshAnimation *animation, const RpMshAnimation *other,
                               const uint32_t *nodes, RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    if (!nodes && other->node_count != animation->node_count)
        return Make_Refuse(error, RP_INVALID, "the animations are of different numbers of nodes",
                           "animation of", animation->node_count, "as many", "%" PRIu32,
                           other->node_count);
    for (uint32_t n = 0; nodes && n < animation->node_count; n++)
        if (nodes[n] != RP_MSH_NONE && nodes[n] >= other->node_count)
            return Make_Refuse(error, RP_INVALID, "there is no such node to go on as", "node", n,
                               "a node of the other animation", "%" PRIu32, nodes[n]);
    if (other->frame_count > MAKE_MAX_FRAMES - animation->frame_count)
        return Make_Refuse(error, RP_INVALID, "too many frames", "timeline of",
                           animation->frame_count, "at most 16777216", "%" PRIu32 " more",
                           other->frame_count);
    uint32_t frame_count = animation->frame_count + other->frame_count;
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        uint32_t node = nodes ? nodes[n] : n;
        AppendTrack(&animation->tracks[n], node == RP_MSH_NONE ? NULL : &other->tracks[node],
                    animation->frame_count, &retrack.lists[n]);
    }
    if (status == RP_OK)
        Retrack_Settle(&retrack, &frame_count);
    return Retrack_End(&retrack, frame_count, status, error);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Lists the nodes that have a name, sorted by it, and nodes of one name by number. Returns their
 * number. */
static uint32_t ListNames(const RpMsh *msh, MshName *names, MshName *room) {
    RpMshTexts texts = RpMsh_Texts(msh, RP_MSH_NAMES);
    const uint32_t nodes = RpMsh_Count(msh, RP_MSH_NODES);
    uint32_t count = 0;
    MshName name = {.node = 0};
    for (; name.node < nodes && RpMshTexts_Next(&texts, &name.text, &name.length); name.node++)
        if (name.text)
            names[count++] = name;
    MshName_Sort(names, room, count);
    return count;
}

/* Walks through both lists at once. If several nodes have the same name, the first ones are paired,
 * then the second ones, and so on. */
static uint32_t PairNames(const MshName *a, uint32_t of_a, const MshName *b, uint32_t of_b,
                          uint32_t *nodes) {
    uint32_t matched = 0;
    for (uint32_t i = 0, j = 0; i < of_a && j < of_b;) {
        const int order = MshName_Compare(&a[i], &b[j]);
        if (order == 0) {
            nodes[a[i].node] = b[j].node;
            matched++;
        }
        i += order <= 0;
        j += order >= 0;
    }
    return matched;
}

RpStatus RpMsh_MatchNodes(const RpMsh *msh, const RpMsh *other, const RpAllocator *allocator,
                          uint32_t *nodes, uint32_t *matched, RpError *error) {
    const uint32_t of_a = RpMsh_Count(msh, RP_MSH_NODES), of_b = RpMsh_Count(other, RP_MSH_NODES);
    const size_t room = of_a > of_b ? of_a : of_b;
    MshName *names = RpMemory_Resize(allocator, NULL, (of_a + of_b + room + 1) * sizeof *names);
    if (!names)
        return RpMemory_Refused(error, "matching nodes");
    MshName *names_b = names + of_a;
    const uint32_t count = ListNames(msh, names, names_b + of_b);
    const uint32_t count_b = ListNames(other, names_b, names_b + of_b);
    for (uint32_t n = 0; n < of_a; n++)
        nodes[n] = RP_MSH_NONE;
    *matched = PairNames(names, count, names_b, count_b, nodes);
    RpMemory_Free(allocator, names);
    return RP_OK;
}

/* ---- a range --------------------------------------------------------------------------------- */

/* Returns the key at that frame. If there is none, returns the game's pose at that frame as a
 * key. */
static RpMshKey KeyAt(const RpMshTrack *track, float frame) {
    for (uint32_t k = 0; k < track->key_count; k++)
        if (track->keys[k].time == frame)
            return track->keys[k];
    return Track_SampleKey(track, frame);
}

static void CutTrack(const RpMshTrack *track, float first, float last, KeyList *list) {
    const RpMshKey *end = &track->keys[track->key_count - 1];
    if (end->time <= first) {
        KeyList_Add(list, end, 0);
        return;
    }
    RpMshKey key = KeyAt(track, first);
    KeyList_Add(list, &key, 0);
    for (uint32_t k = 0; k < track->key_count; k++)
        if (track->keys[k].time > first && track->keys[k].time < last)
            KeyList_Add(list, &track->keys[k], (double)track->keys[k].time - first);
    if (last <= first || end->time < last)
        return;
    key = KeyAt(track, last);
    KeyList_Add(list, &key, (double)last - first);
}

RpStatus RpMshAnimation_Range(RpMshAnimation *animation, uint32_t first, uint32_t last,
                              RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    if (first > last || last >= animation->frame_count)
        return Make_Refuse(error, RP_INVALID, "bad range of frames", "timeline of",
                           animation->frame_count, "frames of the timeline, in order",
                           "%" PRIu32 " to %" PRIu32, first, last);
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        const RpMshTrack *track = &animation->tracks[n];
        status = Track_Check(track, error);
        if (status != RP_OK)
            break;
        CutTrack(track, (float)first, (float)last, &retrack.lists[n]);
    }
    uint32_t frame_count = last - first + 1;
    if (status == RP_OK)
        Retrack_Settle(&retrack, &frame_count);
    return Retrack_End(&retrack, frame_count, status, error);
}
