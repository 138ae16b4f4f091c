/* What is measured of a model as the runtime poses and draws it. */
#include "exports/readings.h"
#include "formats/census/tally.h"
#include "retropose/mesh_object.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <string.h>

enum { FIRST_PERSON = 4, COCKPIT_MODE = 2 };

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef struct Box {
    double low[3], high[3];
    bool any;
} Box;

static void Extend(Box *box, const double p[3]) {
    for (int i = 0; i < 3; i++) {
        box->low[i] = !box->any || p[i] < box->low[i] ? p[i] : box->low[i];
        box->high[i] = !box->any || p[i] > box->high[i] ? p[i] : box->high[i];
    }
    box->any = true;
}

static void Join(Box *box, const Box *other) {
    if (!other->any)
        return;
    Extend(box, other->low);
    Extend(box, other->high);
}

static bool HeaderBox(const RpMsh *msh, Box *box) {
    RpMshHeader header;
    *box = (Box){.any = false};
    if (!RpMsh_Header(msh, &header))
        return false;
    for (int corner = 0; corner < 8; corner++) {
        const double p[3] = {header.corners[corner][0], header.corners[corner][1],
                             header.corners[corner][2]};
        Extend(box, p);
    }
    return true;
}

static CensusFit Fit(const Box *header, const Box *posed) {
    CensusFit fit = {0, 0};
    double square = 0;
    if (!posed->any)
        return (CensusFit){-1, -1};
    for (int i = 0; i < 3; i++)
        square += (header->high[i] - header->low[i]) * (header->high[i] - header->low[i]);
    for (int i = 0; i < 3; i++) {
        const double below = (header->low[i] - posed->low[i]) / sqrt(square);
        const double above = (posed->high[i] - header->high[i]) / sqrt(square);
        fit.outside = fmax(fit.outside, fmax(below, above));
        fit.gap = fmax(fit.gap, fmax(fabs(below), fabs(above)));
    }
    return fit;
}

static bool IsInside(CensusFit fit) {
    return fit.outside >= 0 && fit.outside <= RP_MSH_BOX_TOLERANCE;
}

/* Faces of both boxes at the same place, within what 32 bits of arithmetic leave. */
static bool IsExact(CensusFit fit) {
    return fit.gap >= 0 && fit.gap <= 1e-4;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* What one level shows: posed by the runtime, posed as if rotations were plain, and not posed. */
typedef struct Drawing {
    const RpMsh *msh;
    const RpMeshObject *mesh;
    double (*plain)[16]; /* of each node */
    Box posed, turned, unposed, cockpit;
    uint64_t triangles;
} Drawing;

static void Place(const double m[16], const float p[3], double placed[3]) {
    for (int i = 0; i < 3; i++)
        placed[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

static void PlaceVertex(Drawing *drawing, int32_t piece, bool cockpit, uint32_t vertex) {
    const float *model = RpMeshObject_Matrix(drawing->mesh, piece, RP_MESH_MODEL);
    float p[3];
    double m[16], placed[3];
    if (!model || !RpMsh_Position(drawing->msh, vertex, p))
        return;
    for (int i = 0; i < 16; i++)
        m[i] = model[i];
    Place(m, p, placed);
    Extend(cockpit ? &drawing->cockpit : &drawing->posed, placed);
    Place(drawing->plain[piece], p, placed);
    Extend(&drawing->turned, placed);
    const double stored[3] = {p[0], p[1], p[2]};
    Extend(&drawing->unposed, stored);
}

static void DrawBatch(void *user, int32_t piece, uint32_t mode, const float world[16],
                      const RpDrawBatch *batch) {
    Drawing *drawing = user;
    (void)world;
    drawing->triangles += batch->index_count / 3;
    for (uint32_t i = 0; i < batch->index_count; i++) {
        uint16_t index;
        if (RpMsh_Index(drawing->msh, batch->first_index + i, &index))
            PlaceVertex(drawing, piece, mode == COCKPIT_MODE, batch->base_vertex + index);
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

static bool Measure(CensusTally *tally, const RpMsh *msh, const RpMeshObject *mesh,
                    double (*plain)[16], const Box *header, bool animated) {
    Box all = {.any = false};
    CensusFit first = {-1, -1};
    bool good = true;
    for (int32_t level = 0; level < CENSUS_LEVELS; level++) {
        const Drawing drawing = Draw(msh, mesh, plain, level);
        Box shown = drawing.posed;
        Join(&shown, &drawing.cockpit); /* level 4 is what is seen from within */
        const CensusFit fit = Fit(header, level == FIRST_PERSON ? &shown : &drawing.posed);
        Join(&all, &drawing.posed);
        if (drawing.triangles > 0) {
            tally->level_models[level]++;
            tally->level_triangles[level] += drawing.triangles;
            tally->level_inside[level] += IsInside(fit);
        }
        if (level == 0) {
            const Drawing within = Draw(msh, mesh, plain, FIRST_PERSON);
            Join(&shown, &within.cockpit);
            first = fit;
            tally->inside_with_cockpits += IsInside(Fit(header, &shown));
            tally->inside_unposed += IsInside(Fit(header, &drawing.unposed));
            tally->animated_inside += animated && IsInside(fit);
            good =
                AddError(tally, 0, fit.gap) && AddError(tally, 1, Fit(header, &drawing.turned).gap);
        }
    }
    tally->exact_boxes += IsExact(first);
    tally->exact_with_all += IsExact(Fit(header, &all));
    return good;
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
    Box header;
    RpError own;
    if (!HeaderBox(msh, &header) || msh->node_stride != RP_MSH_NODE_BYTES)
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
        if (!Measure(tally, msh, mesh, plain, &header, IsAnimated(msh)))
            status = RP_NO_MEMORY;
    }
    RpMeshObject_Free(mesh);
    RpModel_Free(loaded);
    RpMemory_Free(NULL, plain);
    /* What the runtime refuses is missing in `posed`, which is a row. */
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "a census") : RP_OK;
}
