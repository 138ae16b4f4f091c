/* Changes animations in time: another rate, backwards, one after another, a part of one. */
#include "formats/msh/make/track.h"
#include "formats/msh/read/node_names.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>

/* ---- retiming -------------------------------------------------------------------------------- */

static RpStatus Retime(RpMshAnimation *animation, double ratio, uint32_t *dropped, RpError *error) {
    Retrack retrack;
    uint32_t lost = 0;
    double last = round((double)(animation->frame_count - 1) * ratio);
    if (!(last < MAKE_MAX_FRAMES))
        return Make_Refuse(error, RP_INVALID, "too many frames", "timeline of",
                           animation->frame_count, "at most 16777216", "%g", last + 1);
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        const RpMshTrack *track = &animation->tracks[n];
        KeyList *list = &retrack.lists[n];
        double holder_error = 0;
        for (uint32_t k = 0; k < track->key_count && !list->failed; k++) {
            double exact = (double)track->keys[k].time * ratio, frame = round(exact);
            double own_error = fabs(exact - frame);
            bool taken = list->count > 0 && (double)list->keys[list->count - 1].time == frame;
            if (taken)
                lost++;

            /* Of two keys that fall on one frame the one that is moved less takes it. But the first
             * key of a track is never dropped, and the last one only for the first. */
            if (taken &&
                (list->count == 1 || !(k + 1 == track->key_count || own_error < holder_error)))
                continue;
            list->count -= taken;
            KeyList_Add(list, &track->keys[k], frame);
            holder_error = own_error;
        }
    }
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

RpStatus RpMshAnimation_Reverse(RpMshAnimation *animation, RpError *error) {
    MODES_OF_C();
    Retrack retrack;
    RpStatus status = Retrack_Begin(&retrack, animation, error);
    const double last_frame = animation->frame_count - 1;
    for (uint32_t n = 0; status == RP_OK && n < animation->node_count; n++) {
        const RpMshTrack *track = &animation->tracks[n];
        const RpMshKey *last = &track->keys[track->key_count - 1];
        KeyList *list = &retrack.lists[n];
        if (track->key_count == 1) {
            KeyList_Add(list, last, 0);
            continue;
        }
        if (last_frame - last->time > 0)
            KeyList_Add(list, last, 0);
        for (uint32_t k = track->key_count; k-- > 0;)
            KeyList_Add(list, &track->keys[k], last_frame - track->keys[k].time);
    }
    return Retrack_End(&retrack, animation->frame_count, status, error);
}

/* ---- one after another ----------------------------------------------------------------------- */

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
        const uint32_t node = nodes ? nodes[n] : n;
        const RpMshTrack *track = &animation->tracks[n],
                         *next = node == RP_MSH_NONE ? NULL : &other->tracks[node];
        KeyList *list = &retrack.lists[n];
        for (uint32_t k = 0; k < track->key_count; k++)
            KeyList_Add(list, &track->keys[k], track->keys[k].time);
        const RpMshKey *last = &track->keys[track->key_count - 1];
        bool same = next && Key_SamePose(last, &next->keys[0]);
        if (!next || (same && next->key_count == 1))
            continue; /* the last pose lasts until the end */
        if (!same && last->time < (float)(animation->frame_count - 1))
            KeyList_Add(list, last, animation->frame_count - 1);
        for (uint32_t k = 0; k < next->key_count; k++)
            KeyList_Add(list, &next->keys[k], (double)animation->frame_count + next->keys[k].time);
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

    /* Walk through both lists at once. If several nodes have the same name, the first ones are
     * paired, then the second ones, and so on. */
    *matched = 0;
    for (uint32_t i = 0, j = 0; i < count && j < count_b;) {
        const int order = MshName_Compare(&names[i], &names_b[j]);
        if (order == 0) {
            nodes[names[i].node] = names_b[j].node;
            ++*matched;
        }
        i += order <= 0;
        j += order >= 0;
    }
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
        const float from = (float)first, to = (float)last;
        const RpMshKey *end = &track->keys[track->key_count - 1];
        KeyList *list = &retrack.lists[n];
        if (end->time <= from) {
            KeyList_Add(list, end, 0);
            continue;
        }
        RpMshKey key = KeyAt(track, from);
        KeyList_Add(list, &key, 0);
        for (uint32_t k = 0; k < track->key_count; k++)
            if (track->keys[k].time > from && track->keys[k].time < to)
                KeyList_Add(list, &track->keys[k], (double)track->keys[k].time - from);
        if (to <= from || end->time < to)
            continue;
        key = KeyAt(track, to);
        KeyList_Add(list, &key, (double)to - from);
    }
    uint32_t frame_count = last - first + 1;
    if (status == RP_OK)
        Retrack_Settle(&retrack, &frame_count);
    return Retrack_End(&retrack, frame_count, status, error);
}
