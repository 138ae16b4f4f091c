/* Measures what was published about single models of the game, on models that have the same
 * name. */
#include "exports/reading_table.h"
#include "formats/census/census_tally.h"
#include "retropose/mesh_object.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Subject {
    const RpMsh *msh;
    RpMeshObject *mesh; /* posed at frame 0 */
    CensusBox shown;    /* level 0, posed */
} Subject;

typedef void Measure(const Subject *subject, char text[CENSUS_TEXT]);

__attribute__((format(printf, 2, 3))) static void Write(char text[CENSUS_TEXT], const char *format,
                                                        ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, CENSUS_TEXT, format, arguments);
    va_end(arguments);
}

/* ---- the cylinder (T9) ----------------------------------------------------------------------- */

/* Returns how far a point is from the line through two others. */
static double Distance(const float point[3], const float low[3], const float high[3]) {
    double along = 0, length = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        const double axis = (double)high[i] - low[i];
        along += axis * ((double)point[i] - low[i]);
        length += axis * axis;
    }
    for (int i = 0; i < 3; i++) {
        const double nearest =
            low[i] + (length > 0 ? along / length * ((double)high[i] - low[i]) : 0);
        square += (point[i] - nearest) * (point[i] - nearest);
    }
    return sqrt(square);
}

/* Measures the radius that the runtime states, and the distance of the box's corners from the axis
 * in units of this radius. Published radii are the hypotenuse of two half extents. */
static void MeasureCylinder(const Subject *subject, int digits, char text[CENSUS_TEXT]) {
    RpMeshBounds bounds;
    double farthest = 0;
    RpMeshObject_Bounds(subject->mesh, &bounds);
    for (int corner = 0; corner < 8; corner++)
        farthest =
            fmax(farthest, Distance(bounds.corners[corner], bounds.capsule, bounds.capsule + 3));
    Write(text, "%.*f / %.3f", digits, (double)bounds.capsule[6], farthest / bounds.capsule[6]);
}

static void Cylinder(const Subject *subject, char text[CENSUS_TEXT]) {
    MeasureCylinder(subject, 4, text);
}

static void LargeCylinder(const Subject *subject, char text[CENSUS_TEXT]) {
    MeasureCylinder(subject, 3, text);
}

/* ---- places (T10, T16) ----------------------------------------------------------------------- */

static bool Place(const RpMeshObject *mesh, uint32_t piece, double at[3]) {
    const float *matrix = RpMeshObject_Matrix(mesh, (int32_t)piece, RP_MESH_MODEL);
    for (int i = 0; matrix && i < 3; i++)
        at[i] = matrix[4 * i + 3];
    return matrix != NULL;
}

/* Counts in how many of the four quadrants a node stands at (20.74, 20.74, 22.58), whatever the
 * signs of x and y. */
static void Pylons(const Subject *subject, char text[CENSUS_TEXT]) {
    static const double published[3] = {20.74, 20.74, 22.58};
    bool found[4] = {false};
    double at[3];
    for (uint32_t n = 0; Place(subject->mesh, n, at); n++) {
        const double off[3] = {fabs(at[0]), fabs(at[1]), at[2]};
        bool near = true;
        for (int i = 0; i < 3; i++)
            near = near && fabs(off[i] - published[i]) <= 0.00501;
        if (near)
            found[(at[0] > 0) + 2 * (at[1] > 0)] = true;
    }
    Write(text, "%d", found[0] + found[1] + found[2] + found[3]);
}

static bool IsNamed(const RpMsh *msh, uint32_t node, const char *name, bool start) {
    uint32_t length;
    const char *text = RpMsh_Text(msh, RP_MSH_NAMES, node, &length);
    const size_t wanted = strlen(name);
    return text && (start ? length >= wanted : length == wanted) && memcmp(text, name, wanted) == 0;
}

static int32_t FindNode(const RpMsh *msh, const char *name, bool start) {
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++)
        if (IsNamed(msh, n, name, start))
            return (int32_t)n;
    return -1;
}

static void MeasureSocket(const Subject *subject, double face, char text[CENSUS_TEXT]) {
    const int32_t node = FindNode(subject->msh, "Base_T", true);
    double at[3];
    if (node < 0 || !Place(subject->mesh, (uint32_t)node, at))
        Write(text, "no socket");
    else
        Write(text, "%.2f / %.2f", at[2], face);
}

static void SocketAndBelly(const Subject *subject, char text[CENSUS_TEXT]) {
    MeasureSocket(subject, subject->shown.low[2], text);
}

static void SocketAndRoof(const Subject *subject, char text[CENSUS_TEXT]) {
    MeasureSocket(subject, subject->shown.high[2], text);
}

/* Measures the height of the node whose height is nearest to the published one. Which node stands
 * for the turret was not published. */
static void BunkerTurret(const Subject *subject, char text[CENSUS_TEXT]) {
    const double published = 16.49;
    double at[3], nearest = INFINITY;
    for (uint32_t n = 0; Place(subject->mesh, n, at); n++)
        if (fabs(at[2] - published) < fabs(nearest - published))
            nearest = at[2];
    Write(text, "%.2f", nearest);
}

/* ---- sizes and motion (T12, T15) ------------------------------------------------------------- */

static double Extent(const Subject *subject, int axis) {
    return subject->shown.high[axis] - subject->shown.low[axis];
}

static void Size(const Subject *subject, char text[CENSUS_TEXT]) {
    Write(text, "%.1f / %.1f / %.1f", Extent(subject, 0), Extent(subject, 1), Extent(subject, 2));
}

static void Height(const Subject *subject, char text[CENSUS_TEXT]) {
    Write(text, "%.1f", Extent(subject, 2));
}

static void PoseAt(RpMeshObject *mesh, uint32_t frame) {
    RpMeshObject_SetFrames(mesh, (int32_t)frame, (int32_t)frame, -1, -1);
    RpMeshObject_SetPhase(mesh, 0, 0);
    RpMeshObject_Pose(mesh);
}

/* The published model has 124 frames and 10 nodes. Of a larger model of that name, only this many
 * are posed. */
enum { MOST_FRAMES = 1024, MOST_NODES = 64 };

static uint32_t FramesOf(const Subject *subject) {
    return subject->msh->frame_count < MOST_FRAMES ? subject->msh->frame_count : MOST_FRAMES;
}

/* Counts the nodes whose place in their parent's space is not the same in all frames. */
static void Travellers(const Subject *subject, char text[CENSUS_TEXT]) {
    const uint32_t nodes = RpMsh_Count(subject->msh, RP_MSH_NODES);
    const uint32_t looked_at = nodes < MOST_NODES ? nodes : MOST_NODES;
    float start[MOST_NODES][3], at[3];
    bool travels[MOST_NODES] = {false};
    uint32_t travel = 0;
    for (uint32_t frame = 0; frame < FramesOf(subject); frame++) {
        PoseAt(subject->mesh, frame);
        for (uint32_t n = 0; n < looked_at; n++) {
            const float *local = RpMeshObject_Matrix(subject->mesh, (int32_t)n, RP_MESH_LOCAL);
            for (int i = 0; i < 3; i++)
                memcpy(frame ? &at[i] : &start[n][i], &local[4 * i + 3], sizeof at[i]);
            travels[n] = travels[n] || (frame && memcmp(at, start[n], sizeof at) != 0);
        }
    }
    for (uint32_t n = 0; n < looked_at; n++)
        travel += travels[n];
    PoseAt(subject->mesh, 0);
    Write(text, "%u / %u / %u", (unsigned)nodes, (unsigned)subject->msh->frame_count,
          (unsigned)travel);
}

/* How far node 0 goes along any axis, and how far it is from its start at the end. */
static void Lunge(const Subject *subject, char text[CENSUS_TEXT]) {
    double start[3] = {0}, at[3] = {0}, farthest = 0, end = 0;
    Place(subject->mesh, 0, start);
    for (uint32_t frame = 0; frame < FramesOf(subject); frame++) {
        PoseAt(subject->mesh, frame);
        Place(subject->mesh, 0, at);
        end = 0;
        for (int i = 0; i < 3; i++)
            end = fmax(end, fabs(at[i] - start[i]));
        farthest = fmax(farthest, end);
    }
    PoseAt(subject->mesh, 0);
    Write(text, "%.1f / %.1f", farthest, end);
}

/* Returns how far above the horizon a node looks, in radians: where its y axis points. */
static double Pitch(const RpMeshObject *mesh, int32_t node) {
    const float *m = RpMeshObject_Matrix(mesh, node, RP_MESH_MODEL);
    return m ? atan2((double)m[9], hypot((double)m[1], (double)m[5])) : 0;
}

static void Pitches(const Subject *subject, char text[CENSUS_TEXT]) {
    const int32_t node = FindNode(subject->msh, "GP_m1o1", false);
    const double degrees = 180 / 3.14159265358979323846;
    double pitch[3];
    for (uint32_t i = 0; i < 3; i++) {
        PoseAt(subject->mesh, 55 + i);
        pitch[i] = Pitch(subject->mesh, node);
    }
    PoseAt(subject->mesh, 0);
    if (node < 0)
        Write(text, "no such node");
    else
        Write(text, "%.1f / %.1f / %.1f / %.3f", pitch[0] * degrees, pitch[1] * degrees,
              pitch[2] * degrees, pitch[2] - pitch[0]);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define OP "openparkan docs/07"

static const struct {
    CensusNamed row;
    Measure *measure;
} rows[CENSUS_NAMED] = {
    {{"r_b_02", "T9", "cylinder of R_B_02, and its box's corners in radii", OP, "11.6771 / 1.000"},
     Cylinder},
    {{"fr_b_brige", "T9", "the same of fr_b_brige", OP, "28.3412 / 1.000"}, Cylinder},
    {{"fr_b_bunker", "T9", "the same of fr_b_bunker", OP, "66.927 / 1.000"}, LargeCylinder},
    {{"fr_l_gener", "T10", "pylons of fr_l_gener at (+-20.74, +-20.74, 22.58)", OP, "4"}, Pylons},
    {{"r_h_02", "T12", "nodes of R_H_02, frames, nodes that travel", OP, "10 / 124 / 1"},
     Travellers},
    {{"r_h_02", "T12", "how far its node 0 goes, and where it ends", OP, "5.7 / 0.0"}, Lunge},
    {{"r_h_02", "T12", "its height, posed", OP, "1.5"}, Height},
    {{"r_b_02", "T12", "size of R_B_02, posed", OP, "17.6 / 15.4 / 3.9"}, Size},
    {{"r_b_08", "T12", "height of R_B_08, posed", OP, "29.7"}, Height},
    {{"o_tur_ha_02", "T15", "pitch of GP_m1o1 of o_tur_ha_02 at frames 55 to 57, and its sweep",
      "openparkan docs/30", "-30.5 / 24.4 / 79.4 / 1.919"},
     Pitches},
    {{"r_l_02", "T16", "turret socket of R_L_02, and the belly", OP, "-0.43 / -0.53"},
     SocketAndBelly},
    {{"r_b_02", "T16", "turret socket of R_B_02, and the belly", OP, "-2.00 / -2.08"},
     SocketAndBelly},
    {{"r_l_01", "T16", "turret socket of R_L_01, and the roof", OP, "0.12 / 0.20"}, SocketAndRoof},
    {{"fr_b_bunker", "T16", "turret of fr_b_bunker", OP, "16.49"}, BunkerTurret},
    {{"r_b_01", "T16", "turret socket of R_B_01, and the roof", OP, "1.28 / 1.48"}, SocketAndRoof},
};

const CensusNamed *CensusNamed_Row(size_t index) {
    return &rows[index].row;
}

/* ---- a model --------------------------------------------------------------------------------- */

/* Returns whether a member has the name of a row, in any case of letters, and ends in .msh. */
static bool IsModel(const char *name, const char *wanted) {
    static const char ending[] = ".msh";
    const size_t length = strlen(wanted);
    for (size_t i = 0; i < length + sizeof ending; i++) {
        const char expected = i < length ? wanted[i] : ending[i - length];
        if (tolower((unsigned char)name[i]) != expected)
            return false;
    }
    return true;
}

static bool IsAnyRow(const char *name) {
    for (size_t i = 0; i < CENSUS_NAMED; i++)
        if (IsModel(name, rows[i].row.model))
            return true;
    return false;
}

static void Show(void *user, int32_t piece, uint32_t mode, const float world[16],
                 const RpDrawBatch *batch) {
    Subject *subject = user;
    const float *model = RpMeshObject_Matrix(subject->mesh, piece, RP_MESH_MODEL);
    double matrix[16], placed[3];
    (void)mode;
    (void)world;
    for (int i = 0; model && i < 16; i++)
        matrix[i] = model[i];
    for (uint32_t i = 0; model && i < batch->index_count; i++) {
        uint16_t index;
        float p[3];
        if (!RpMsh_Index(subject->msh, batch->first_index + i, &index) ||
            !RpMsh_Position(subject->msh, batch->base_vertex + index, p))
            continue;
        CensusBox_Place(matrix, p, placed);
        CensusBox_Extend(&subject->shown, placed);
    }
}

RpStatus CensusTally_Named(CensusTally *tally, const char *name, const RpNRes *model,
                           const RpMsh *msh, const RpReadings *readings, RpError *error) {
    RpArithmetic arithmetic = {.build = RP_BUILD_SSE, .readings = *readings};
    Subject subject = {.msh = msh};
    RpModel *loaded = NULL;
    RpError own;
    if (!IsAnyRow(name))
        return RP_OK;
    /* Unlike the game, those who published these numbers kept the translation of node 0. */
    arithmetic.readings.choice[READING_ROOT_TRANSLATION] = 1;
    RpStatus status = RpModel_FromNRes(model->image, model->size, NULL, &loaded, &own);
    if (status == RP_OK)
        status = RpMeshObject_Create(loaded, &arithmetic, NULL, &subject.mesh, &own);
    if (status == RP_OK) {
        RpMeshObject_Draw(subject.mesh, 0, Show, &subject);
        for (size_t i = 0; i < CENSUS_NAMED; i++)
            if (IsModel(name, rows[i].row.model) && !tally->named[i][0])
                rows[i].measure(&subject, tally->named[i]);
    }
    RpMeshObject_Free(subject.mesh);
    RpModel_Free(loaded);
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "a census") : RP_OK;
}
