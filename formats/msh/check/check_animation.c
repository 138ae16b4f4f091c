/* M20 to M29: keys, tracks and the frame map (seed 000 sections 5 and 9). */
#include "formats/msh/check/checker.h"

#include "core/bytes.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static MshPlace AtNode(const MshChecker *checker, int rule, RpSeverity severity, uint32_t node,
                       uint32_t field) {
    return MshPlace_Element(checker, rule, severity, RP_MSH_NODES, node, field);
}

/* Returns whether a node's block of the frame map lies inside of the stream. */
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
        Bytes_U32(msh->streams[RP_MSH_KEYS].data + (size_t)key * KEY_BYTES + KEY_AT_time);
    float time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* ---- M20 to M22, M24 to M26: errors ---------------------------------------------------------- */

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

void MshCheck_AnimationErrors(MshChecker *checker) {
    RpMshNode node;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Node(checker->msh, i, &node); i++) {
        uint32_t keys = RpMsh_Count(checker->msh, RP_MSH_KEYS);
        if (node.fallback >= keys)
            MshChecker_Report(checker, AtNode(checker, 20, RP_SEVERITY_ERROR, i, NODE_AT_fallback),
                              "the fallback key does not exist", "below %" PRIu32 "|%u", keys,
                              (unsigned)node.fallback);
        uint32_t words = RpMsh_Count(checker->msh, RP_MSH_FRAME_MAP);
        if (node.map_start != RP_MSH_NONE && !BlockExists(checker->msh, &node))
            MshChecker_Report(checker, AtNode(checker, 21, RP_SEVERITY_ERROR, i, NODE_AT_map_start),
                              "the node's block of the frame map does not exist",
                              "start + %" PRIu32 " frames at most %" PRIu32 "|%u + %" PRIu32,
                              checker->msh->frame_count, words, (unsigned)node.map_start,
                              checker->msh->frame_count);

        /* If the fallback exists, a word below it has a key after its own. So only nodes that M20
         * reports can break M22. */
        const bool follows = node.fallback >= keys && BlockExists(checker->msh, &node) &&
                             !checker->errors_only &&
                             MshChecker_Spend(checker, 22, checker->msh->frame_count);
        for (uint32_t f = 0; follows && f < checker->msh->frame_count; f++) {
            uint16_t word = MapWord(checker->msh, node.map_start + f);
            if (word >= node.fallback || (uint32_t)word + 1 < keys)
                continue;
            MshPlace place = MshPlace_Element(checker, 22, RP_SEVERITY_ERROR, RP_MSH_FRAME_MAP,
                                              node.map_start + f, 0);
            place.node = (int32_t)i;
            MshChecker_Report(checker, place, "a map word has no key after its own",
                              "word + 1 below %" PRIu32 "|%u", keys, (unsigned)word);
        }

        uint32_t first, last;
        if (!RpMsh_Track(checker->msh, i, &first, &last))
            continue;
        const bool increase = TimesIncrease(checker->msh, first, last);
        for (uint32_t key = first; !increase && key <= last; key++) {
            float time = TimeOf(checker->msh, key);
            MshPlace place =
                MshPlace_Element(checker, 24, RP_SEVERITY_ERROR, RP_MSH_KEYS, key, KEY_AT_time);
            place.node = (int32_t)i;
            if (!(time >= -FLT_MAX && time <= FLT_MAX))
                MshChecker_Report(checker, place, "a key time is not finite", "a number|%g",
                                  (double)time);
            else if (key != first && !(time > TimeOf(checker->msh, key - 1)))
                MshChecker_Report(checker, place, "key times of a track do not increase",
                                  "more than %.9g|%.9g", (double)TimeOf(checker->msh, key - 1),
                                  (double)time);
        }
        if (node.map_start != RP_MSH_NONE && first == last)
            MshChecker_Report(checker, AtNode(checker, 25, RP_SEVERITY_ERROR, i, NODE_AT_fallback),
                              "an animated node has a single key", "two keys or more|one");
    }
    const RpMsh *msh = checker->msh;
    if (msh->streams[RP_MSH_FRAME_MAP].entry != RP_NO_INDEX && msh->frame_count == 0)
        MshChecker_Report(
            checker,
            MshPlace_Record(checker, 26, RP_SEVERITY_ERROR, RP_MSH_FRAME_MAP, NRES_AT_ATTR2),
            "the model has no frame", "1 or more|0");
}

/* ---- M24, M25: canonical form ---------------------------------------------------------------- */

static void CheckTrackForm(MshChecker *checker, uint32_t index, const RpMshNode *node) {
    uint32_t first, last;
    RpMshNode before = {.fallback = 0};
    if (!RpMsh_Track(checker->msh, index, &first, &last)) {
        if (node->fallback >= RpMsh_Count(checker->msh, RP_MSH_KEYS) || index == 0)
            return; /* this is reported as an error already */
        RpMsh_Node(checker->msh, index - 1, &before);
        MshChecker_Report(checker,
                          AtNode(checker, 25, RP_SEVERITY_CANONICAL, index, NODE_AT_fallback),
                          "the node's track is empty: its keys do not follow the node's before",
                          "more than %u|%u", (unsigned)before.fallback, (unsigned)node->fallback);
        return;
    }
    for (uint32_t key = first; key <= last; key++) {
        float time = TimeOf(checker->msh, key);
        bool whole = time >= 0 && time <= FLT_MAX && floorf(time) == time;
        if (whole && (key != first || time == 0))
            continue;
        MshPlace place =
            MshPlace_Element(checker, 24, RP_SEVERITY_CANONICAL, RP_MSH_KEYS, key, KEY_AT_time);
        place.node = (int32_t)index;
        MshChecker_Report(checker, place,
                          whole ? "a track does not begin at frame 0"
                                : "a key time is not a whole frame",
                          "%s|%.9g", whole ? "0" : "0, 1, 2, ...", (double)time);
    }
    if (node->map_start == RP_MSH_NONE && first != last)
        MshChecker_Report(
            checker, AtNode(checker, 25, RP_SEVERITY_CANONICAL, index, NODE_AT_fallback),
            "a static node has more than one key", "one key|%" PRIu32, last - first + 1);
}

/* ---- M26 ------------------------------------------------------------------------------------- */

static void CheckFrameCountForm(MshChecker *checker) {
    /* 1 + the last key time of all tracks is expected, or 0 where no track is sound. */
    const RpMsh *msh = checker->msh;
    double end = -1;
    uint32_t first, last;
    for (uint32_t i = 0; i < RpMsh_Count(msh, RP_MSH_NODES); i++)
        if (RpMsh_Track(msh, i, &first, &last) && (double)TimeOf(msh, last) > end)
            end = (double)TimeOf(msh, last);
    double expected = end + 1;
    if (msh->streams[RP_MSH_FRAME_MAP].entry == RP_NO_INDEX || msh->frame_count == 0 ||
        expected <= 0 || expected == msh->frame_count)
        return;
    MshChecker_Report(
        checker,
        MshPlace_Record(checker, 26, RP_SEVERITY_CANONICAL, RP_MSH_FRAME_MAP, NRES_AT_ATTR2),
        "the frame count is not the last key time + 1", "%.9g|%" PRIu32, expected,
        msh->frame_count);
}

/* ---- M27 ------------------------------------------------------------------------------------- */

static void CheckBlocks(MshChecker *checker) {
    const RpMsh *msh = checker->msh;
    uint32_t words = RpMsh_Count(msh, RP_MSH_FRAME_MAP);
    uint64_t end = 0;
    RpMshNode node;
    if (msh->node_stride != RP_MSH_NODE_BYTES)
        return;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++) {
        if (node.map_start == RP_MSH_NONE)
            continue;
        if (node.map_start != end)
            MshChecker_Report(checker,
                              AtNode(checker, 27, RP_SEVERITY_CANONICAL, i, NODE_AT_map_start),
                              "the block does not begin where the one before ends",
                              "%" PRIu64 "|%u", end, (unsigned)node.map_start);
        end = (uint64_t)node.map_start + msh->frame_count;
    }
    if (end != words)
        MshChecker_Report(
            checker,
            MshPlace_Record(checker, 27, RP_SEVERITY_CANONICAL, RP_MSH_FRAME_MAP, NRES_AT_ATTR1),
            "the last block does not end where the frame map does", "%" PRIu64 " words|%" PRIu32,
            end, words);
}

/* ---- M23, M28 -------------------------------------------------------------------------------- */

typedef struct Block {
    uint32_t node, start, first, last; /* start: in the map; first, last: keys of the track */
} Block;

static void ReportWord(MshChecker *checker, int rule, const Block *block, uint32_t frame,
                       const char *what, uint32_t expected, uint16_t found) {
    MshPlace place = MshPlace_Element(checker, rule, RP_SEVERITY_CANONICAL, RP_MSH_FRAME_MAP,
                                      block->start + frame, 0);
    place.node = (int32_t)block->node;
    if (rule == 23)
        MshChecker_Report(checker, place, what, "key %" PRIu32 " to %" PRIu32 "|%u", block->first,
                          block->last, (unsigned)found);
    else
        MshChecker_Report(checker, place, what, "key %" PRIu32 " at frame %" PRIu32 "|%u", expected,
                          frame, (unsigned)found);
}

/* ---- all ------------------------------------------------------------------------------------- */

void MshCheck_Animation(MshChecker *checker) {
    RpMshNode node;
    for (uint32_t i = 0; RpMsh_Node(checker->msh, i, &node); i++) {
        CheckTrackForm(checker, i, &node);
        Block block = {.node = i, .start = node.map_start};
        if ((!MshChecker_Wants(checker, 23) && !MshChecker_Wants(checker, 28)) ||
            !BlockExists(checker->msh, &node) ||
            !RpMsh_Track(checker->msh, i, &block.first, &block.last) ||
            !TimesIncrease(checker->msh, block.first, block.last))
            continue;
        if (MshChecker_Spend(checker, MshChecker_Wants(checker, 23) ? 23 : 28,
                             checker->msh->frame_count)) {
            /* Compare the block frame by frame with the map of seed 000 section 5.4. `left` is the
             * key to the left of the frame. */
            const RpMsh *msh = checker->msh;
            uint32_t left = block.first;
            for (uint32_t f = 0; f < msh->frame_count; f++) {
                uint16_t word = MapWord(msh, block.start + f);
                while (left < block.last && (double)TimeOf(msh, left + 1) <= f)
                    left++;
                uint32_t expected = (double)TimeOf(msh, block.first) > f ? block.last : left;
                if (word > block.last)
                    ReportWord(checker, 23, &block, f, "a map word exceeds its node's fallback", 0,
                               word);
                else if (word < block.first)
                    ReportWord(checker, 23, &block, f, "a map word names another node's key", 0,
                               word);
                else if (word != expected)
                    ReportWord(checker, 28, &block, f, "a map word is not what the key times give",
                               expected, word);
            }
        }
    }
    if (checker->msh->node_stride == RP_MSH_NODE_BYTES) {
        /* Keys behind those of the last track belong to no node. */
        uint32_t keys = RpMsh_Count(checker->msh, RP_MSH_KEYS);
        uint32_t nodes = RpMsh_Count(checker->msh, RP_MSH_NODES);
        RpMshNode last;
        if (nodes != 0 && RpMsh_Node(checker->msh, nodes - 1, &last) &&
            (uint32_t)last.fallback + 1 < keys)
            MshChecker_Report(checker,
                              MshPlace_Element(checker, 25, RP_SEVERITY_CANONICAL, RP_MSH_KEYS,
                                               (uint32_t)last.fallback + 1, 0),
                              "there are keys after the last node's track", "%u keys|%" PRIu32,
                              (unsigned)last.fallback + 1, keys);
        CheckFrameCountForm(checker);
        CheckBlocks(checker);
    }

    /* M29 */
    static const double tolerance = 0.001;
    RpMshKey key;
    for (uint32_t k = 0; RpMsh_Key(checker->msh, k, &key); k++) {
        double square = 0;
        for (int i = 0; i < 4; i++)
            square += (key.rotation[i] / 32767.0) * (key.rotation[i] / 32767.0);
        double norm = sqrt(square);
        if (norm == 0)
            MshChecker_Report(
                checker,
                MshPlace_Element(checker, 29, RP_SEVERITY_INFO, RP_MSH_KEYS, k, KEY_AT_rotation),
                "an all-zero rotation, taken as the identity", "length 1|0");
        else if (fabs(norm - 1) > tolerance)
            MshChecker_Report(
                checker,
                MshPlace_Element(checker, 29, RP_SEVERITY_WARNING, RP_MSH_KEYS, k, KEY_AT_rotation),
                "a rotation is not of unit length", "1 to 0.1 %%|%.6g", norm);
    }
}
