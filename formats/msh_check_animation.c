/* M20 to M29: keys, tracks and the frame map (seed 000 sections 5 and 9). */
#include "formats/msh_checker.h"

#include "animesh/bytes.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

static MshPlace AtNode(const MshChecker *checker, int rule, RpSeverity severity, uint32_t node,
                       uint32_t field) {
    return MshPlace_Element(checker, rule, severity, RP_MSH_NODES, node, field);
}

enum { AT_MAP_START = 4, AT_FALLBACK = 6, AT_TIME = 12, AT_ROTATION = 16 };

/* Of a block of the frame map: what is inside the stream. */
static bool BlockExists(const RpMsh *msh, const RpMshNode *node) {
    return node->map_start != RP_MSH_NONE &&
           (uint64_t)node->map_start + msh->frame_count <= RpMsh_Count(msh, RP_MSH_FRAME_MAP);
}

static uint16_t MapWord(const RpMsh *msh, uint32_t index) {
    uint16_t word = 0;
    RpMsh_MapWord(msh, index, &word);
    return word;
}

static float TimeOf(const RpMsh *msh, uint32_t key) {
    uint32_t bits =
        Bytes_U32(msh->streams[RP_MSH_KEYS].data + (size_t)key * RP_MSH_KEY_BYTES + AT_TIME);
    float time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* ---- M20 to M22 ------------------------------------------------------------------------------ */

static void CheckFallback(MshChecker *checker, uint32_t index, const RpMshNode *node) {
    uint32_t keys = RpMsh_Count(checker->msh, RP_MSH_KEYS);
    if (node->fallback >= keys)
        MshChecker_Report(checker, AtNode(checker, 20, RP_SEVERITY_ERROR, index, AT_FALLBACK),
                          "the fallback key does not exist", "below %" PRIu32 "|%u", keys,
                          (unsigned)node->fallback);
}

static void CheckBlock(MshChecker *checker, uint32_t index, const RpMshNode *node) {
    uint32_t words = RpMsh_Count(checker->msh, RP_MSH_FRAME_MAP);
    if (node->map_start != RP_MSH_NONE && !BlockExists(checker->msh, node))
        MshChecker_Report(checker, AtNode(checker, 21, RP_SEVERITY_ERROR, index, AT_MAP_START),
                          "the node's block of the frame map does not exist",
                          "start + %" PRIu32 " frames at most %" PRIu32 "|%u + %" PRIu32,
                          checker->msh->frame_count, words, (unsigned)node->map_start,
                          checker->msh->frame_count);
}

/* A word below a fallback that exists always has a key after its own, so only nodes that M20 has
 * already found can break M22. */
static void CheckSuccessors(MshChecker *checker, uint32_t index, const RpMshNode *node) {
    uint32_t keys = RpMsh_Count(checker->msh, RP_MSH_KEYS);
    if (node->fallback < keys || !BlockExists(checker->msh, node) || checker->errors_only ||
        !MshChecker_Spend(checker, 22, checker->msh->frame_count))
        return;
    for (uint32_t f = 0; f < checker->msh->frame_count; f++) {
        uint16_t word = MapWord(checker->msh, node->map_start + f);
        if (word >= node->fallback || (uint32_t)word + 1 < keys)
            continue;
        MshPlace place = MshPlace_Element(checker, 22, RP_SEVERITY_ERROR, RP_MSH_FRAME_MAP,
                                          node->map_start + f, 0);
        place.node = (int32_t)index;
        MshChecker_Report(checker, place, "a map word has no key after its own",
                          "word + 1 below %" PRIu32 "|%u", keys, (unsigned)word);
    }
}

/* ---- M24, M25, M26: errors ------------------------------------------------------------------- */

static bool TimesIncrease(const RpMsh *msh, uint32_t first, uint32_t last) {
    float before = TimeOf(msh, first);
    bool fine = before >= -FLT_MAX;
    for (uint32_t key = first + 1; key <= last; key++) {
        float time = TimeOf(msh, key);
        fine &= time > before;
        before = time;
    }
    return fine && before <= FLT_MAX;
}

static void CheckTime(MshChecker *checker, uint32_t node, uint32_t key, bool is_first) {
    float time = TimeOf(checker->msh, key);
    MshPlace place = MshPlace_Element(checker, 24, RP_SEVERITY_ERROR, RP_MSH_KEYS, key, AT_TIME);
    place.node = (int32_t)node;
    if (!(time >= -FLT_MAX && time <= FLT_MAX))
        MshChecker_Report(checker, place, "a key time is not finite", "a number|%g", (double)time);
    else if (!is_first && !(time > TimeOf(checker->msh, key - 1)))
        MshChecker_Report(checker, place, "key times of a track do not increase",
                          "more than %.9g|%.9g", (double)TimeOf(checker->msh, key - 1),
                          (double)time);
}

static void CheckTrack(MshChecker *checker, uint32_t index, const RpMshNode *node) {
    uint32_t first, last;
    if (!RpMsh_Track(checker->msh, index, &first, &last))
        return;
    if (!TimesIncrease(checker->msh, first, last))
        for (uint32_t key = first; key <= last; key++)
            CheckTime(checker, index, key, key == first);
    if (node->map_start != RP_MSH_NONE && first == last)
        MshChecker_Report(checker, AtNode(checker, 25, RP_SEVERITY_ERROR, index, AT_FALLBACK),
                          "an animated node has a single key", "two keys or more|one");
}

static void CheckFrameCount(MshChecker *checker) {
    const RpMsh *msh = checker->msh;
    if (msh->streams[RP_MSH_FRAME_MAP].entry != RP_NO_INDEX && msh->frame_count == 0)
        MshChecker_Report(
            checker,
            MshPlace_Record(checker, 26, RP_SEVERITY_ERROR, RP_MSH_FRAME_MAP, MSH_AT_ATTR2),
            "the model has no frame", "1 or more|0");
}

void MshCheck_AnimationErrors(MshChecker *checker) {
    RpMshNode node;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Node(checker->msh, i, &node); i++) {
        CheckFallback(checker, i, &node);
        CheckBlock(checker, i, &node);
        CheckSuccessors(checker, i, &node);
        CheckTrack(checker, i, &node);
    }
    CheckFrameCount(checker);
}
