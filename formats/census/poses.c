/* Measures a model in the way in which the runtime poses and draws it. */
#include "exports/reading_table.h"
#include "formats/census/census_tally.h"
#include "retropose/mesh_object.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <string.h>

enum { FIRST_PERSON = 4, FLAG_COCKPIT = 0x20 };

/* ---- boxes ----------------------------------------------------------------------------------- */

void CensusBox_Extend(CensusBox *box, const double point[3]) {
    for (int i = 0; i < 3; i++) {
        box->low[i] = !box->any || point[i] < box->low[i] ? point[i] : box->low[i];
        box->high[i] = !box->any || point[i] > box->high[i] ? point[i] : box->high[i];
    }
    box->any = true;
}

void CensusBox_Join(CensusBox *box, const CensusBox *other) {
    if (!other->any)
        return;
    CensusBox_Extend(box, other->low);
    CensusBox_Extend(box, other->high);
}

bool CensusBox_OfHeader(const RpMsh *msh, CensusBox *box) {
    RpMshHeader header;
    *box = (CensusBox){.any = false};
    if (!RpMsh_Header(msh, &header))
        return false;
    for (int corner = 0; corner < 8; corner++) {
        const double p[3] = {header.corners[corner][0], header.corners[corner][1],
                             header.corners[corner][2]};
        CensusBox_Extend(box, p);
    }
    return true;
}

void CensusBox_Place(const double matrix[16], const float point[3], double placed[3]) {
    for (int i = 0; i < 3; i++)
        placed[i] = matrix[4 * i] * point[0] + matrix[4 * i + 1] * point[1] +
                    matrix[4 * i + 2] * point[2] + matrix[4 * i + 3];
}

static CensusFit Fit(const CensusBox *header, const CensusBox *posed) {
    CensusFit fit = {0, 0, 0};
    double square = 0;
    if (!posed->any)
        return (CensusFit){-1, -1, -1};
    for (int i = 0; i < 3; i++)
        square += (header->high[i] - header->low[i]) * (header->high[i] - header->low[i]);
    for (int i = 0; i < 3; i++) {
        const double below = (header->low[i] - posed->low[i]) / sqrt(square);
        const double above = (posed->high[i] - header->high[i]) / sqrt(square);
        fit.outside = fmax(fit.outside, fmax(below, above));
        fit.short_of = fmax(fit.short_of, fmax(-below, -above));
    }
    fit.gap = fmax(fit.outside, fit.short_of);
    return fit;
}

/* Those who published the numbers used this limit for all three distances. */
static bool IsWithin(double distance) {
    return distance >= 0 && distance <= RP_MSH_BOX_TOLERANCE;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* The boxes of what one level shows: posed by the runtime, posed with the plain sense of rotations,
 * and without a pose. */
typedef struct Drawing {
    const RpMsh *msh;
    const RpMeshObject *mesh;
    double (*plain)[16];     /* a matrix for each node */
    CensusBox posed, turned; /* without cockpits */
    CensusBox cockpit;       /* posed */
    CensusBox unposed;       /* with cockpits */
    uint64_t triangles, cockpit_triangles;
} Drawing;

static void PlaceVertex(Drawing *drawing, int32_t piece, bool cockpit, uint32_t vertex) {
    const float *model = RpMeshObject_Matrix(drawing->mesh, piece, RP_MESH_MODEL);
    float p[3];
    double m[16], placed[3];
    if (!model || !RpMsh_Position(drawing->msh, vertex, p))
        return;
    const double stored[3] = {p[0], p[1], p[2]};
    CensusBox_Extend(&drawing->unposed, stored);
    for (int i = 0; i < 16; i++)
        m[i] = model[i];
    CensusBox_Place(m, p, placed);
    CensusBox_Extend(cockpit ? &drawing->cockpit : &drawing->posed, placed);
    if (cockpit)
        return;
    CensusBox_Place(drawing->plain[piece], p, placed);
    CensusBox_Extend(&drawing->turned, placed);
}

static void DrawBatch(void *user, int32_t piece, uint32_t mode, const float world[16],
                      const RpDrawBatch *batch) {
    Drawing *drawing = user;
    (void)mode;
    (void)world;
    RpMshNode node;
    const bool cockpit =
        RpMsh_Node(drawing->msh, (uint32_t)piece, &node) && (node.flags & FLAG_COCKPIT);
    *(cockpit ? &drawing->cockpit_triangles : &drawing->triangles) += batch->index_count / 3;
    for (uint32_t i = 0; i < batch->index_count; i++) {
        uint16_t index;
        if (RpMsh_Index(drawing->msh, batch->first_index + i, &index))
            PlaceVertex(drawing, piece, cockpit, batch->base_vertex + index);
    }
}

static Drawing Draw(const RpMsh *msh, const RpMeshObject *mesh, double (*plain)[16],
                    int32_t level) {
    Drawing drawing = {.msh = msh, .mesh = mesh, .plain = plain};
    RpMeshObject_Draw(mesh, level, DrawBatch, &drawing);
    return drawing;
}

/* ---- a model --------------------------------------------------------------------------------- */

static bool AddError(CensusTally *tally, int which, double error) {
    return error < 0 || RpBuffer_Append(&tally->errors[which], &error, sizeof error);
}

static bool MeasureLevels(CensusTally *tally, const RpMsh *msh, const RpMeshObject *mesh,
                          double (*plain)[16], const CensusBox *header, bool animated) {
    Drawing levels[CENSUS_LEVELS];
    CensusBox all = {.any = false};
    for (int32_t level = 0; level < CENSUS_LEVELS; level++) {
        levels[level] = Draw(msh, mesh, plain, level);
        const Drawing *drawing = &levels[level];
        tally->cockpit_triangles += drawing->cockpit_triangles;
        if (drawing->triangles != 0) {
            tally->level_models[level]++;
            tally->level_triangles[level] += drawing->triangles;
            tally->level_inside[level] += IsWithin(Fit(header, &drawing->posed).outside);
        }
        CensusBox_Join(&all, &levels[level].posed);
        CensusBox_Join(&all, &levels[level].cockpit);
    }
    tally->exact_with_all += IsWithin(Fit(header, &all).gap);

    /* Level 0 alone, and with the cockpits, which have no other level than the one that is seen
     * from within. */
    const Drawing *first = &levels[0];
    const Drawing *within = &levels[FIRST_PERSON];
    CensusBox shown = first->posed;
    CensusBox_Join(&shown, &within->cockpit);
    const CensusFit with_cockpits = Fit(header, &shown);
    const CensusFit alone = Fit(header, &first->posed);
    tally->inside_with_cockpits += IsWithin(with_cockpits.outside);
    tally->animated_inside += animated && IsWithin(alone.outside);
    tally->animated_with_cockpits += animated && IsWithin(with_cockpits.outside);
    tally->exact_boxes += IsWithin(with_cockpits.gap);
    return AddError(tally, 0, alone.gap) && AddError(tally, 1, Fit(header, &first->turned).gap);
}

/* Measures whether everything that a model has, in all states and levels, reaches the faces of its
 * box. */
static void MeasureReach(CensusTally *tally, const RpMsh *msh, RpMeshObject *mesh,
                         double (*plain)[16], const CensusBox *header) {
    CensusBox posed = {.any = false}, unposed = {.any = false};
    for (int32_t state = 0; state < CENSUS_STATES; state++) {
        for (uint32_t piece = 0; piece < RpMeshObject_PieceCount(mesh); piece++)
            RpMeshObject_SetStage(mesh, (int32_t)piece, state);
        for (int32_t level = 0; level < CENSUS_LEVELS; level++) {
            const Drawing drawing = Draw(msh, mesh, plain, level);
            CensusBox_Join(&posed, &drawing.posed);
            CensusBox_Join(&posed, &drawing.cockpit);
            CensusBox_Join(&unposed, &drawing.unposed);
        }
    }
    tally->reached += IsWithin(Fit(header, &posed).short_of);
    tally->reached_unposed += IsWithin(Fit(header, &unposed).short_of);
}

/* Counts the nodes of level 0 for which the runtime has exactly the box of their vertices, bit for
 * bit. */
static void CountBounds(CensusTally *tally, const RpMsh *msh, const RpReadings *readings,
                        const RpMeshObject *mesh) {
    const uint32_t word = RpCorpus_SlotWord(readings, 0, 0);
    RpMshNode node;
    for (uint32_t n = 0; RpMsh_Node(msh, n, &node); n++) {
        RpMshSlot slot;
        float low[3], high[3], corners[8][3];
        if ((node.flags & FLAG_COCKPIT) || !RpMsh_Slot(msh, node.slots[word], &slot) ||
            !CensusSlot_Bound(msh, &slot, low, high))
            continue;
        RpMeshObject_Box(mesh, (int32_t)n, RP_MESH_LOCAL, false, corners);
        tally->bounded +=
            memcmp(corners[0], low, sizeof low) == 0 && memcmp(corners[7], high, sizeof high) == 0;
    }
}

static bool IsAnimated(const RpMsh *msh) {
    RpMshNode node;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++)
        if (node.map_start != RP_MSH_NONE)
            return true;
    return false;
}

RpStatus CensusTally_Poses(CensusTally *tally, const RpNRes *model, const RpMsh *msh,
                           const RpReadings *readings, RpError *error) {
    const RpArithmetic arithmetic = {.build = RP_BUILD_SSE, .readings = *readings};
    RpReadings plain_readings = *readings;
    RpModel *loaded = NULL;
    RpMeshObject *mesh = NULL;
    CensusBox header;
    RpError own;
    if (!CensusBox_OfHeader(msh, &header) || msh->node_stride != RP_MSH_NODE_BYTES)
        return RP_OK;
    const size_t nodes = RpMsh_Count(msh, RP_MSH_NODES);
    double(*plain)[16] = RpMemory_Resize(NULL, NULL, (nodes + 1) * sizeof *plain);
    if (!plain)
        return RpMemory_Refused(error, "a census");
    plain_readings.choice[READING_ROTATION] = 1;
    RpStatus status = RpMsh_PoseNodes(msh, &plain_readings, 0, true, plain, &own);
    if (status == RP_OK)
        status = RpModel_FromNRes(model->image, model->size, NULL, &loaded, &own);
    if (status == RP_OK)
        status = RpMeshObject_Create(loaded, &arithmetic, NULL, &mesh, &own);
    if (status == RP_OK) {
        tally->posed++;
        if (!MeasureLevels(tally, msh, mesh, plain, &header, IsAnimated(msh)))
            status = RP_NO_MEMORY;
        CountBounds(tally, msh, readings, mesh);
        MeasureReach(tally, msh, mesh, plain, &header);
    }
    RpMeshObject_Free(mesh);
    RpModel_Free(loaded);
    RpMemory_Free(NULL, plain);
    /* A model that the runtime refuses does not count as `posed`. This number is a row of its
     * own. */
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "a census") : RP_OK;
}
