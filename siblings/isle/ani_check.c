/* Checks the rules A10 and up, whose violation does not keep a file from being read
 * (docs/formats/ani.md). ani_read.c checks those of severity error. */
#include "ngi32/processor/modes.h"
#include "siblings/isle/ani_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Checker {
    const RpAni *ani;
    const RpFindingSink *sink;
    uint64_t size;
} Checker;

static void Report(const Checker *checker, RpFinding *finding, const char *what,
                   const char *expected, const char *found) {
    snprintf(finding->what, sizeof finding->what, "%s", what);
    snprintf(finding->expected, sizeof finding->expected, "%s", expected);
    snprintf(finding->found, sizeof finding->found, "%s", found);
    RpFindingSink_Report(checker->sink, finding);
}

static RpFinding At(const char *rule, RpSeverity severity, uint64_t offset) {
    RpFinding finding = RpFinding_New(rule, severity);
    finding.offset = offset;
    return finding;
}

static RpFinding Warning(const char *rule, uint64_t offset) {
    return At(rule, RP_SEVERITY_WARNING, offset);
}

/* ---- keys ------------------------------------------------------------------------------------ */

typedef struct Place {
    RpAniTrackKind kind;
    const RpAniTrack *track;
    int32_t node;
} Place;

static void ReportKey(const Checker *checker, const Place *place, uint32_t index, const char *rule,
                      RpSeverity severity, const char *what, const char *expected,
                      const char *found) {
    const uint32_t bytes = RpAniTrackKind_Bytes(place->kind);
    RpFinding finding = At(rule, severity, place->track->offset + 2 + (uint64_t)index * bytes);
    char sentence[160];
    finding.node = place->node;
    finding.element = (int32_t)index;
    snprintf(sentence, sizeof sentence, "%s key: %s", RpAniTrackKind_Name(place->kind), what);
    Report(checker, &finding, sentence, expected, found);
}

static void WarnKey(const Checker *checker, const Place *place, uint32_t index, const char *rule,
                    const char *what, const char *expected, const char *found) {
    ReportKey(checker, place, index, rule, RP_SEVERITY_WARNING, what, expected, found);
}

static void CheckValue(const Checker *checker, const Place *place, uint32_t index) {
    const RpAniKey *key = &place->track->keys[index];
    char found[16];
    snprintf(found, sizeof found, "%u", key->visible);
    if (place->kind == RP_ANI_MORPH && key->visible > 1)
        WarnKey(checker, place, index, "A25", "an odd visibility", "0 or 1", found);
    for (uint32_t i = 0; i < RpAniTrackKind_Numbers(place->kind); i++)
        if (!isfinite(key->value[i])) {
            snprintf(found, sizeof found, "%g", (double)key->value[i]);
            WarnKey(checker, place, index, "A20", "not a finite number", "", found);
            return;
        }
    if (place->kind != RP_ANI_ROTATION)
        return;

    double square = 0;
    char length[40];
    for (int i = 0; i < 4; i++)
        square += (double)key->value[i] * key->value[i];
    snprintf(length, sizeof length, "length %.6g", sqrt(square));
    if (square == 0)
        WarnKey(checker, place, index, "A18", "a zero quaternion turns nothing", "length 1",
                length);
    else if (fabs(square - 1) > 1e-3)
        WarnKey(checker, place, index, "A19", "no unit quaternion", "length 1", length);

    /* Without the shortest path, a negative dot product turns the long way round
     * (facts/lego-ani.md B.4). */
    double dot = 0;
    char product[40];
    if (index == 0 || key->flags & (RP_ANI_NEGATE | RP_ANI_HOLD))
        return;
    for (int i = 0; i < 4; i++)
        dot += (double)key[-1].value[i] * key->value[i];
    snprintf(product, sizeof product, "dot product %.6g", dot);
    if (dot < 0)
        ReportKey(checker, place, index, "A27", RP_SEVERITY_INFO,
                  "turns the long way round from the key before it", "", product);
}

static void CheckTrack(const Checker *checker, RpAniTrackKind kind, const RpAniTrack *track,
                       int32_t node) {
    const Place place = {.kind = kind, .track = track, .node = node};
    for (uint32_t i = 0; i < track->count; i++) {
        const RpAniKey *key = &place.track->keys[i];
        const uint8_t pair_flags = key->flags & (RP_ANI_NEGATE | RP_ANI_HOLD);
        char found[16];
        snprintf(found, sizeof found, "0x%02X", key->flags);
        if (key->flags & 0xF8)
            WarnKey(checker, &place, i, "A11", "unknown flag bits", "0x01, 0x02 and 0x04 only",
                    found);
        if (pair_flags && place.kind != RP_ANI_ROTATION)
            WarnKey(checker, &place, i, "A12", "0x02 and 0x04 mean nothing but for rotations",
                    "0x00 or 0x01", found);
        else if (pair_flags && i == 0)
            WarnKey(checker, &place, i, "A13", "0x02 and 0x04 mean nothing on a first key",
                    "0x00 or 0x01", found);

        /* The game does not look at the active bit of morph and roll tracks. */
        if (place.kind != RP_ANI_MORPH && place.kind != RP_ANI_ROLL) {
            const bool stored = key->flags & RP_ANI_ACTIVE,
                       computed = Ani_HasEffect(place.kind, key);
            if (stored != computed)
                WarnKey(checker, &place, i, "A17",
                        "the stored active bit differs from the computed one", computed ? "1" : "0",
                        stored ? "1" : "0");
        }

        char expected[40], time[40];
        snprintf(time, sizeof time, "%" PRIu32 " ms", key->time);
        if (i > 0) {
            const uint32_t before = key[-1].time;
            snprintf(expected, sizeof expected, "over %" PRIu32 " ms", before);
            if (key->time < before)
                WarnKey(checker, &place, i, "A14",
                        "earlier than the key before it: results depend on what was sampled last",
                        expected, time);
            else if (key->time == before)
                WarnKey(checker, &place, i, "A15", "as late as the key before it", expected, time);
        }
        snprintf(expected, sizeof expected, "up to %" PRId32 " ms", checker->ani->duration);
        if ((int64_t)key->time > checker->ani->duration)
            WarnKey(checker, &place, i, "A16", "later than the animation's end", expected, time);

        CheckValue(checker, &place, i);
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void CheckHeader(const Checker *checker) {
    const RpAni *ani = checker->ani;
    const float numbers[4] = {ani->radius, ani->centre[0], ani->centre[1], ani->centre[2]};
    char found[40];
    snprintf(found, sizeof found, "%" PRId32, ani->has_camera);
    if (ani->has_camera != 0 && ani->has_camera != 1) {
        RpFinding finding = Warning("A21", 20);
        Report(checker, &finding, "an odd camera flag: it counts as set", "0 or 1", found);
    }
    for (uint32_t i = 0; i < 4; i++)
        if (!isfinite(numbers[i])) {
            RpFinding finding = Warning("A20", 4 + 4 * (uint64_t)i);
            snprintf(found, sizeof found, "%g", (double)numbers[i]);
            Report(checker, &finding, "bounding sphere: not a finite number", "", found);
        }
}

static bool HasNul(const RpAniName *name) {
    return memchr(name->bytes, 0, name->length) != NULL;
}

static void CheckAll(const Checker *checker) {
    const RpAni *ani = checker->ani;
    if (ani->has_header)
        CheckHeader(checker);

    for (uint32_t i = 0; i < checker->ani->actor_count; i++) {
        const RpAniActor *actor = &checker->ani->actors[i];
        RpFinding finding = Warning("A22", actor->offset);
        char found[16];
        finding.entry = (int32_t)i;
        snprintf(found, sizeof found, "%" PRIu32, actor->type);
        if (actor->name.length > 0 && (actor->type < 1 || actor->type > 6))
            Report(checker, &finding, "an actor type without a known meaning: looked up only",
                   "1 to 6", found);
        finding.rule = "A24";
        if (HasNul(&actor->name))
            Report(checker, &finding, "a NUL ends an actor's name early", "", "");
    }

    if (ani->damaged && ani->node_count == 0)
        return;
    uint64_t offset = (checker->ani->has_header ? RP_ANI_HEADER_BYTES : 0) + 4;
    char milliseconds[16];
    if (checker->ani->duration <= 0) {
        for (uint32_t i = 0; i < checker->ani->actor_count; i++) {
            const uint32_t length = checker->ani->actors[i].name.length;
            offset += length ? 8 + (uint64_t)length : 4;
        }
        RpFinding finding = Warning("A26", offset);
        snprintf(milliseconds, sizeof milliseconds, "%" PRId32 " ms", checker->ani->duration);
        Report(checker, &finding, "no duration: a looping presenter divides by zero", "over 0",
               milliseconds);
    }

    for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++)
        CheckTrack(checker, (RpAniTrackKind)(RP_ANI_NODE_TRACKS + i), &ani->camera[i], RP_NO_INDEX);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &checker->ani->nodes[i];
        RpFinding finding = Warning("A23", node->offset);
        finding.node = (int32_t)i;
        if (node->name.length == 0)
            Report(checker, &finding, "a node without a name: some of the game's code crashes", "",
                   "");
        finding.rule = "A24";
        if (HasNul(&node->name))
            Report(checker, &finding, "a NUL ends a node's name early", "", "");
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            CheckTrack(checker, (RpAniTrackKind)kind, &node->tracks[kind], (int32_t)i);
    }

    const uint64_t parsed = checker->size - ani->trailing_size;
    char found[40];
    snprintf(found, sizeof found, "%zu", ani->trailing_size);
    if (ani->trailing_size == 0)
        return;
    if (ani->trailing_size == 1 && ani->trailing[0] == 0) {
        RpFinding finding = At("A28", RP_SEVERITY_INFO, parsed);
        Report(checker, &finding, "a zero byte follows the tree: an SI chunk's padding", "", "");
    } else {
        RpFinding finding = Warning("A10", parsed);
        Report(checker, &finding, "bytes follow the tree", "none, or one zero byte of padding",
               found);
    }
}

RpStatus RpAni_Check(const uint8_t *image, size_t size, RpAniForm form,
                     const RpAllocator *allocator, const RpFindingSink *sink, RpError *error) {
    MODES_OF_C();
    RpFindingCounter counter = {.next = sink};
    const RpFindingSink counting = RpFindingCounter_Sink(&counter);
    RpAni ani;
    RpStatus status = Ani_Parse(image, size, form, allocator, &counting, &ani, error);
    if (status != RP_OK)
        return status;
    const Checker checker = {.ani = &ani, .sink = &counting, .size = size};
    CheckAll(&checker);
    RpAni_Free(&ani);
    return Ani_Verdict(&counter, error);
}
