/* M30 to M33: compares boxes with the geometry, asks who uses a vertex, and what the header's
 * box says about the readings of keys (facts/formats.md C1a, C.5). */
#include "exports/reading_table.h"
#include "formats/msh/check/checker.h"
#include "formats/msh/read/sharing.h"

#include "ngi32/processor/modes.h"
#include "retropose/msh_make.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- vertices of slots ----------------------------------------------------------------------- */

/* Calls `visit` for every vertex that a slot's indices name, as often as they name it. Returns
 * false where a range is broken or the budget is spent. */
typedef void (*VisitVertex)(void *context, uint32_t vertex);

static bool VisitSlot(MshChecker *checker, int rule, const RpMshSlot *slot, VisitVertex visit,
                      void *context) {
    const uint32_t vertices = RpMsh_Count(checker->msh, RP_MSH_POSITIONS);
    RpMshBatch batch;
    if (!Msh_SlotRangesExist(checker->msh, slot) ||
        !MshChecker_Spend(checker, rule, slot->batch_count))
        return false;
    for (uint32_t b = 0; b < slot->batch_count; b++) {
        if (!RpMsh_Batch(checker->msh, slot->first_batch + b, &batch) ||
            !Msh_BatchRangeExists(checker->msh, &batch) ||
            !MshChecker_Spend(checker, rule, batch.index_count))
            return false;
        for (uint32_t i = 0; i < batch.index_count; i++) {
            uint16_t index = 0;
            RpMsh_Index(checker->msh, batch.first_index + i, &index);
            uint64_t vertex = (uint64_t)batch.base_vertex + index;
            if (vertex >= vertices)
                return false;
            visit(context, (uint32_t)vertex);
        }
    }
    return true;
}

/* ---- M30 ------------------------------------------------------------------------------------- */

typedef struct Box {
    const RpMsh *msh;
    float low[3], high[3];
    bool empty;
} Box;

static void GrowBox(void *context, uint32_t vertex) {
    Box *box = context;
    float position[3];
    RpMsh_Position(box->msh, vertex, position);
    for (int i = 0; i < 3; i++) {
        if (box->empty || position[i] < box->low[i])
            box->low[i] = position[i];
        if (box->empty || position[i] > box->high[i])
            box->high[i] = position[i];
    }
    box->empty = false;
}

static void CheckBoxFace(MshChecker *checker, uint32_t slot, uint32_t field, float stored,
                         float geometry) {
    if (stored != geometry)
        MshChecker_Report(
            checker,
            MshPlace_Element(checker, 30, RP_SEVERITY_CANONICAL, RP_MSH_SLOTS, slot, field),
            "the slot's box is not that of its vertices", "%.9g|%.9g", (double)geometry,
            (double)stored);
}

/* ---- M32 ------------------------------------------------------------------------------------- */

typedef struct Owners {
    MshChecker *checker;
    uint32_t *owner; /* for each vertex: 1 + the node that uses it */
    uint32_t node;
} Owners;

static void Own(void *context, uint32_t vertex) {
    Owners *owners = context;
    uint32_t before = owners->owner[vertex];
    owners->owner[vertex] = owners->node + 1;
    if (before == 0 || before == owners->node + 1)
        return;
    MshPlace place =
        MshPlace_Element(owners->checker, 32, RP_SEVERITY_CANONICAL, RP_MSH_POSITIONS, vertex, 0);
    place.node = (int32_t)owners->node;
    MshChecker_Report(owners->checker, place, "two nodes use the same vertex",
                      "one node|%" PRIu32 " and %" PRIu32, before - 1, owners->node);
}

/* Returns whether all nodes could be examined. */
static bool OwnAll(Owners *owners) {
    const RpMsh *msh = owners->checker->msh;
    RpMshNode node;
    RpMshSlot slot;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++) {
        owners->node = i;
        for (int word = 0; word < RP_MSH_SLOT_WORDS; word++)
            if (node.slots[word] != RP_MSH_NONE &&
                (!RpMsh_Slot(msh, node.slots[word], &slot) ||
                 !VisitSlot(owners->checker, 32, &slot, Own, owners)))
                return false;
    }
    return true;
}

/* ---- M33 ------------------------------------------------------------------------------------- */

static bool IsFinite(float value) {
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static void CheckHeaderFloats(MshChecker *checker) {
    static const struct {
        const char *what;
        uint32_t first, end; /* counted in floats */
    } parts[] = {{"the header's box is not finite", HEADER_AT_corners / 4, HEADER_AT_sphere / 4},
                 {"the header's sphere is not finite, or its radius negative", HEADER_AT_sphere / 4,
                  HEADER_AT_axis_low / 4},
                 {"the header's capsule is not finite, or its radius negative",
                  HEADER_AT_axis_low / 4, HEADER_BYTES_OF_RES2 / 4}};
    RpMshHeader header;
    float values[RP_MSH_HEADER_BYTES / 4];
    if (!RpMsh_Header(checker->msh, &header))
        return;
    memcpy(values, &header, sizeof values);
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t i = parts[p].first; i < parts[p].end; i++) {
            bool radius = p > 0 && i + 1 == parts[p].end;
            if (!IsFinite(values[i]) || (radius && values[i] < 0))
                MshChecker_Report(
                    checker, MshPlace_Byte(checker, 33, RP_SEVERITY_WARNING, RP_MSH_SLOTS, 4 * i),
                    parts[p].what, "%s|%g", radius ? "0 or more" : "a number", (double)values[i]);
        }
}

/* ---- evidence -------------------------------------------------------------------------------- */

enum { COCKPIT = 0x20, VARIANTS = 8 }; /* [key_order][rotation][zero_root] */

typedef struct Posed {
    const RpMsh *msh;
    double (*matrices)[16]; /* [variant][node] */
    uint32_t nodes, node;
    uint32_t *seen; /* for each vertex: node + 1 for which it was posed last */
    double box[VARIANTS][2][3];
    uint32_t node_count, vertex_count;
} Posed;

static void PoseVertex(void *context, uint32_t vertex) {
    Posed *posed = context;
    float p[3];
    if (posed->seen[vertex] == posed->node + 1)
        return;
    posed->seen[vertex] = posed->node + 1;
    posed->vertex_count++;
    RpMsh_Position(posed->msh, vertex, p);
    for (uint32_t v = 0; v < VARIANTS; v++) {
        const double *m = posed->matrices[v * posed->nodes + posed->node];
        for (int i = 0; i < 3; i++) {
            double x = m[4 * i] * (double)p[0] + m[4 * i + 1] * (double)p[1] +
                       m[4 * i + 2] * (double)p[2] + m[4 * i + 3];
            /* Compares in this way so that a NaN stays. */
            if (!(x >= posed->box[v][0][i]))
                posed->box[v][0][i] = x;
            if (!(x <= posed->box[v][1][i]))
                posed->box[v][1][i] = x;
        }
    }
}

static RpMshFit Fit(const double header[2][3], const double posed[2][3], double diagonal) {
    RpMshFit fit = {0, 0};
    for (int i = 0; i < 3; i++) {
        double below = (header[0][i] - posed[0][i]) / diagonal;
        double above = (posed[1][i] - header[1][i]) / diagonal;
        if (!isfinite(below) || !isfinite(above))
            return (RpMshFit){INFINITY, INFINITY};
        fit.outside = fmax(fit.outside, fmax(below, above));
        fit.gap = fmax(fit.gap, fmax(fabs(below), fabs(above)));
    }
    return fit;
}

static void ChooseReading(RpMshBoxEvidence *evidence) {
    double best = INFINITY, second = INFINITY;
    for (int reading = 0; reading < 4; reading++) {
        const RpMshFit *fits = evidence->fits[reading / 2][reading % 2];
        double gap = fmin(fits[0].outside <= RP_MSH_BOX_TOLERANCE ? fits[0].gap : INFINITY,
                          fits[1].outside <= RP_MSH_BOX_TOLERANCE ? fits[1].gap : INFINITY);
        evidence->supported[reading / 2][reading % 2] = isfinite(gap);
        evidence->supported_count += isfinite(gap) ? 1u : 0u;
        if (gap < best) {
            second = best;
            best = gap;
            evidence->key_order = reading / 2;
            evidence->rotation = reading % 2;
        } else {
            second = fmin(second, gap);
        }
    }
    evidence->telling = evidence->supported_count > 0 && evidence->supported_count < 4;
    if (!(best < second / 2) && !(best < second && isinf(second)))
        evidence->key_order = evidence->rotation = -1;
}

static RpStatus NotUsable(RpMshBoxEvidence *evidence, const char *why) {
    snprintf(evidence->why, sizeof evidence->why, "%s", why);
    return RP_OK;
}

static RpStatus Gather(MshChecker *checker, Posed *posed, RpMshBoxEvidence *evidence) {
    const RpMsh *msh = checker->msh;
    RpMshHeader header;
    if (!RpMsh_Header(msh, &header))
        return NotUsable(evidence, "the header's box is not finite");
    for (int i = 0; i < 3; i++) {
        evidence->box[0][i] = evidence->box[1][i] = (double)header.corners[0][i];
        for (int corner = 0; corner < 8; corner++) {
            if (!IsFinite(header.corners[corner][i]))
                return NotUsable(evidence, "the header's box is not finite");
            evidence->box[0][i] = fmin(evidence->box[0][i], (double)header.corners[corner][i]);
            evidence->box[1][i] = fmax(evidence->box[1][i], (double)header.corners[corner][i]);
        }
    }
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += (evidence->box[1][i] - evidence->box[0][i]) *
                  (evidence->box[1][i] - evidence->box[0][i]);
    evidence->diagonal = sqrt(square);
    if (!(evidence->diagonal > 0))
        return NotUsable(evidence, "the header's box is empty");
    posed->matrices =
        MshChecker_Allocate(checker, (size_t)posed->nodes * VARIANTS, sizeof *posed->matrices);
    posed->seen =
        MshChecker_Allocate(checker, RpMsh_Count(msh, RP_MSH_POSITIONS), sizeof *posed->seen);
    if (!posed->matrices || !posed->seen)
        return checker->no_memory ? RP_NO_MEMORY : NotUsable(evidence, "there are no vertices");
    for (uint32_t v = 0; v < VARIANTS; v++) {
        const RpReadings readings = {
            .choice = {[READING_KEY_ORDER] = v >> 2 & 1, [READING_ROTATION] = v >> 1 & 1}};
        if (RpMsh_PoseNodes(msh, &readings, -1, v & 1, posed->matrices + v * posed->nodes, NULL))
            return NotUsable(evidence, "the nodes cannot be posed");
        for (int i = 0; i < 3; i++) {
            posed->box[v][0][i] = INFINITY;
            posed->box[v][1][i] = -INFINITY;
        }
    }

    /* In both readings, level 0 is word 0. */
    RpMshNode node;
    RpMshSlot slot;
    for (uint32_t i = 0; RpMsh_Node(checker->msh, i, &node); i++) {
        if (node.flags & COCKPIT || !RpMsh_Slot(checker->msh, node.slots[0], &slot))
            continue;
        posed->node = i;
        posed->node_count++;
        if (!VisitSlot(checker, 31, &slot, PoseVertex, posed))
            return NotUsable(evidence, "slots or batches of level 0 are broken");
    }
    if (posed->vertex_count == 0)
        return NotUsable(evidence, "no node has level-0 geometry");
    for (uint32_t v = 0; v < VARIANTS; v++)
        evidence->fits[v >> 2 & 1][v >> 1 & 1][v & 1] =
            Fit((const double(*)[3])evidence->box, (const double(*)[3])posed->box[v],
                evidence->diagonal);
    evidence->nodes = posed->node_count;
    evidence->vertices = posed->vertex_count;
    evidence->usable = true;
    ChooseReading(evidence);
    return RP_OK;
}

static RpStatus BoxEvidence(MshChecker *checker, RpMshBoxEvidence *evidence) {
    const RpMsh *msh = checker->msh;
    Posed posed = {.msh = msh, .nodes = RpMsh_Count(msh, RP_MSH_NODES)};
    *evidence = (RpMshBoxEvidence){.key_order = -1, .rotation = -1};
    if (msh->node_stride != RP_MSH_NODE_BYTES)
        return NotUsable(evidence, "nodes of the legacy stride 24 cannot be posed");
    if (posed.nodes == 0 || RpMsh_Count(msh, RP_MSH_KEYS) == 0)
        return NotUsable(evidence, "there are no nodes or no keys");
    RpStatus status = Gather(checker, &posed, evidence);
    RpMemory_Free(checker->allocator, posed.matrices);
    RpMemory_Free(checker->allocator, posed.seen);
    return status;
}

RpStatus RpMsh_BoxEvidence(const RpMsh *msh, const RpAllocator *allocator,
                           RpMshBoxEvidence *evidence, RpError *error) {
    MODES_OF_C();
    MshChecker checker = {.msh = msh, .allocator = allocator, .work = Msh_SharingBudget(msh)};
    RpStatus status = BoxEvidence(&checker, evidence);
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "posing a model") : status;
}

void RpMsh_IdentityKeys(const RpMsh *msh, uint32_t *xyzw, uint32_t *wxyz) {
    static const int16_t w_last[4] = {0, 0, 0, 32767}, w_first[4] = {32767, 0, 0, 0};
    RpMshKey key;
    *xyzw = *wxyz = 0;
    for (uint32_t k = 0; RpMsh_Key(msh, k, &key); k++) {
        *xyzw += memcmp(key.rotation, w_last, sizeof w_last) == 0;
        *wxyz += memcmp(key.rotation, w_first, sizeof w_first) == 0;
    }
}

/* ---- M31 ------------------------------------------------------------------------------------- */

static const char *const orders[2] = {"xyzw", "wxyz"}, *const rotations[2] = {"conjugate", "plain"};

/* ---- all ------------------------------------------------------------------------------------- */

void MshCheck_Bounds(MshChecker *checker) {
    RpMshSlot slot;
    if (MshChecker_Wants(checker, 30)) {
        for (uint32_t s = 0; RpMsh_Slot(checker->msh, s, &slot); s++) {
            Box box = {.msh = checker->msh, .empty = true};
            if (!VisitSlot(checker, 30, &slot, GrowBox, &box) || box.empty)
                continue;
            for (uint32_t i = 0; i < 3; i++) {
                CheckBoxFace(checker, s, SLOT_AT_low + 4 * i, slot.low[i], box.low[i]);
                CheckBoxFace(checker, s, SLOT_AT_high + 4 * i, slot.high[i], box.high[i]);
            }
        }
    }
    RpMshBoxEvidence evidence;
    char list[96];
    if (MshChecker_Wants(checker, 31) && BoxEvidence(checker, &evidence) == RP_OK) {
        MshPlace place = MshPlace_Byte(checker, 31, RP_SEVERITY_INFO, RP_MSH_SLOTS, 0);
        const size_t size = sizeof list;
        int used = 0;
        list[0] = 0;
        for (int reading = 0; reading < 4; reading++) {
            int order = reading / 2, rotation = reading % 2;
            if (evidence.supported[order][rotation] && used >= 0 && (size_t)used < size)
                used += snprintf(list + used, size - (size_t)used, "%s%s %s", used ? ", " : "",
                                 orders[order], rotations[rotation]);
        }
        if (!evidence.usable)
            MshChecker_Report(checker, place,
                              "the header's box cannot tell how keys are to be read",
                              "posed geometry in a box|%s", evidence.why);
        else if (evidence.supported_count == 0) {
            double least = INFINITY;
            for (int v = 0; v < VARIANTS; v++)
                least = fmin(least, evidence.fits[v >> 2][v >> 1 & 1][v & 1].outside);
            MshChecker_Report(checker, place, "posed level-0 geometry leaves the header's box",
                              "at most 0.5 %% of the diagonal outside|%.3g %% in the best reading",
                              100 * least);
        } else
            MshChecker_Report(checker, place,
                              evidence.telling ? "the header's box tells how keys are to be read"
                                               : "the header's box fits every reading of keys",
                              "posed geometry inside|%s", list);
    }

    uint32_t count = RpMsh_Count(checker->msh, RP_MSH_POSITIONS);
    Owners owners = {.checker = checker};
    if (MshChecker_Wants(checker, 32) && checker->msh->node_stride == RP_MSH_NODE_BYTES) {
        owners.owner = MshChecker_Allocate(checker, count, sizeof *owners.owner);
        if (owners.owner && OwnAll(&owners))
            for (uint32_t v = 0; v < count; v++)
                if (owners.owner[v] == 0)
                    MshChecker_Report(checker,
                                      MshPlace_Element(checker, 32, RP_SEVERITY_CANONICAL,
                                                       RP_MSH_POSITIONS, v, 0),
                                      "no node uses the vertex", "one node|none");
        RpMemory_Free(checker->allocator, owners.owner);
    }

    CheckHeaderFloats(checker);
}
