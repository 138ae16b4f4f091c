/* Functions for mesh objects, on top of retropose/mesh_object.h. Vectors and matrices are passed in
 * js_numbers. */
#include "bindings/js/binding.h"

#include <stdlib.h>
#include <string.h>

typedef struct JsObject {
    RpMeshObject *mesh;
    JsModel *
        *models; /* each model that was ever used, once; it is held until the object is closed */
    uint32_t model_count;
} JsObject;

RpStatus JsModel_Prepare(JsModel *model) {
    if (model->model)
        return RP_OK;
    RpStatus status = RpModel_FromNRes(model->image->bytes + model->offset, model->size, NULL,
                                       &model->model, &js_error);
    if (!status)
        status = RpModel_PrepareQueries(model->model, &js_error);
    return status;
}

static RpStatus Keep(JsObject *object, JsModel *model) {
    for (uint32_t i = 0; i < object->model_count; i++)
        if (object->models[i] == model)
            return RP_OK;
    JsModel **more = realloc(object->models, (object->model_count + 1) * sizeof *object->models);
    if (!more)
        return RpMemory_Refused(&js_error, "an object");
    object->models = more;
    object->models[object->model_count++] = JsModel_Take(model);
    return RP_OK;
}

JS_EXPORT(JsObject_Close) void JsObject_Close(JsObject *object) {
    RpMeshObject_Free(object->mesh);
    for (uint32_t i = 0; i < object->model_count; i++)
        JsModel_Release(object->models[i]);
    free(object->models);
    free(object);
}

JS_EXPORT(JsObject_New) JsObject *JsObject_New(JsModel *model) {
    JsObject *object = calloc(1, sizeof *object);
    RpStatus status = object ? Keep(object, model) : RpMemory_Refused(&js_error, "an object");
    if (!status)
        status = JsModel_Prepare(model);
    if (!status)
        status =
            RpMeshObject_Create(model->model, &model->arithmetic, NULL, &object->mesh, &js_error);
    if (!status)
        return object;
    if (object)
        JsObject_Close(object);
    return NULL;
}

JS_EXPORT(JsObject_Attach)
RpStatus JsObject_Attach(JsObject *object, JsModel *model, uint32_t part, int32_t piece,
                         uint32_t material) {
    RpStatus status = JsModel_Prepare(model);
    if (!status)
        status = Keep(object, model);
    if (!status)
        status = RpMeshObject_Attach(object->mesh, model->model, part, piece, material, &js_error);
    return status;
}

JS_EXPORT(JsObject_Detach) RpStatus JsObject_Detach(JsObject *object, uint32_t part) {
    return RpMeshObject_Detach(object->mesh, part, &js_error);
}

JS_EXPORT(JsObject_PieceCount) uint32_t JsObject_PieceCount(const JsObject *object) {
    return RpMeshObject_PieceCount(object->mesh);
}

JS_EXPORT(JsObject_FirstPiece) int32_t JsObject_FirstPiece(const JsObject *object, uint32_t part) {
    return RpMeshObject_FirstPieceOfPart(object->mesh, part);
}

/* Writes part, node, parent, flags, material, stage, and the pointer to the JsModel. */
JS_EXPORT(JsObject_Piece) RpStatus JsObject_Piece(const JsObject *object, int32_t piece) {
    RpMeshPiece description;
    const JsModel *model = NULL;
    if (!RpMeshObject_Piece(object->mesh, piece, &description))
        return Js_Invalid("there is no such piece", "an index below the number of pieces");
    for (uint32_t i = 0; i < object->model_count; i++)
        if (object->models[i]->model == description.model)
            model = object->models[i];
    JsResult_Begin();
    JsResult_U32(description.part);
    JsResult_U32(description.node);
    JsResult_I32(description.parent);
    JsResult_U32(description.flags);
    JsResult_U32(description.material);
    JsResult_I32(description.stage);
    JsResult_U32((uint32_t)(uintptr_t)model);
    return JsResult_End();
}

/* ---- state ----------------------------------------------------------------------------------- */

JS_EXPORT(JsObject_SetFrames)
void JsObject_SetFrames(JsObject *object, int32_t piece, int32_t a_first, int32_t a_last,
                        int32_t b_first, int32_t b_last) {
    if (piece < 0)
        RpMeshObject_SetFrames(object->mesh, a_first, a_last, b_first, b_last);
    else
        RpMeshObject_SetPieceFrames(object->mesh, piece, a_first, a_last, b_first, b_last);
}

JS_EXPORT(JsObject_SetPhase)
void JsObject_SetPhase(JsObject *object, int32_t piece, float phase, float weight) {
    if (piece < 0)
        RpMeshObject_SetPhase(object->mesh, phase, weight);
    else
        RpMeshObject_SetPiecePhase(object->mesh, piece, phase, weight);
}

JS_EXPORT(JsObject_SetFlags)
void JsObject_SetFlags(JsObject *object, int32_t piece, uint32_t flags, bool set, bool subtree) {
    RpMeshObject_ChangeFlags(object->mesh, piece, flags, set, subtree);
}

JS_EXPORT(JsObject_SetStage)
void JsObject_SetStage(JsObject *object, int32_t piece, int32_t stage) {
    RpMeshObject_SetStage(object->mesh, piece, stage);
}

JS_EXPORT(JsObject_SetPlacement) void JsObject_SetPlacement(JsObject *object) {
    RpMeshObject_SetPlacement(object->mesh, js_numbers);
}

JS_EXPORT(JsObject_SetScale) void JsObject_SetScale(JsObject *object) {
    RpMeshObject_SetScale(object->mesh, js_numbers);
}

JS_EXPORT(JsObject_SetMatrix) void JsObject_SetMatrix(JsObject *object, int32_t piece) {
    RpMeshObject_SetPieceMatrix(object->mesh, piece, js_numbers);
}

JS_EXPORT(JsObject_Tilt) void JsObject_Tilt(JsObject *object, int32_t piece, bool turned) {
    RpMeshObject_Tilt(object->mesh, piece, turned ? js_numbers : NULL,
                      turned ? js_numbers + 3 : NULL);
}

JS_EXPORT(JsObject_Pose) void JsObject_Pose(JsObject *object) {
    RpMeshObject_Pose(object->mesh);
}

/* ---- the pose and its bounds ----------------------------------------------------------------- */

/* Copies the matrices of `count` pieces, beginning with `first`. All these pieces must exist. */
JS_EXPORT(JsObject_Matrices)
void JsObject_Matrices(const JsObject *object, int32_t first, int32_t count, uint32_t space,
                       float (*matrices)[16]) {
    for (int32_t i = 0; i < count; i++)
        memcpy(matrices[i], RpMeshObject_Matrix(object->mesh, first + i, (RpMeshSpace)space),
               sizeof matrices[i]);
}

/* Writes the 24 numbers of a box to js_numbers. */
JS_EXPORT(JsObject_Box)
void JsObject_Box(const JsObject *object, int32_t piece, uint32_t space, bool subtree) {
    RpMeshObject_Box(object->mesh, piece, (RpMeshSpace)space, subtree,
                     (float(*)[3])(void *)js_numbers);
}

/* Writes the 4 numbers of a sphere to js_numbers. */
JS_EXPORT(JsObject_Sphere)
void JsObject_Sphere(const JsObject *object, int32_t piece, uint32_t space, bool subtree) {
    RpMeshObject_Sphere(object->mesh, piece, (RpMeshSpace)space, subtree, js_numbers);
}

/* Writes the 7 numbers of a capsule to js_numbers. */
JS_EXPORT(JsObject_Capsule)
void JsObject_Capsule(const JsObject *object, int32_t piece, uint32_t space, bool subtree) {
    RpMeshObject_NodeCapsule(object->mesh, piece, (RpMeshSpace)space, subtree, js_numbers);
}

JS_EXPORT(JsObject_UpdateBounds) void JsObject_UpdateBounds(JsObject *object) {
    RpMeshObject_UpdateBounds(object->mesh);
}

/* Writes to js_numbers 24 numbers for the corners, 4 for each of two spheres, and 7 for a capsule.
 */
JS_EXPORT(JsObject_Bounds) void JsObject_Bounds(const JsObject *object) {
    RpMeshBounds bounds;
    RpMeshObject_Bounds(object->mesh, &bounds);
    memcpy(js_numbers, bounds.corners, sizeof bounds.corners);
    memcpy(js_numbers + 24, bounds.agent_sphere, sizeof bounds.agent_sphere);
    memcpy(js_numbers + 28, bounds.node_sphere, sizeof bounds.node_sphere);
    memcpy(js_numbers + 32, bounds.capsule, sizeof bounds.capsule);
}

/* ---- queries --------------------------------------------------------------------------------- */

static bool Tell(bool found, const RpMeshHit *hit) {
    JsResult_Begin();
    JsResult_U32(found);
    JsResult_I32(hit->piece);
    JsResult_U32(hit->batch);
    JsResult_U32(hit->batch_triangle);
    JsResult_U32(hit->triangle);
    JsResult_Floats(hit->point, 3);
    JsResult_Floats(&hit->distance, 1);
    return found;
}

static RpMeshFilter Filter(uint32_t required_batch, uint32_t excluded_batch,
                           uint32_t required_triangle, uint32_t excluded_triangle) {
    return (RpMeshFilter){required_batch, excluded_batch, required_triangle, excluded_triangle};
}

/* js_numbers holds the segment's start and end. */
JS_EXPORT(JsObject_Segment)
bool JsObject_Segment(const JsObject *object, int32_t piece, uint32_t rb, uint32_t eb, uint32_t rt,
                      uint32_t et) {
    const RpMeshFilter filter = Filter(rb, eb, rt, et);
    RpMeshHit hit;
    memset(&hit, 0, sizeof hit);
    return Tell(
        RpMeshObject_Segment(object->mesh, piece, js_numbers, js_numbers + 3, &filter, &hit), &hit);
}

JS_EXPORT(JsObject_WalkFace)
bool JsObject_WalkFace(const JsObject *object, uint32_t rb, uint32_t eb, uint32_t rt, uint32_t et) {
    const RpMeshFilter filter = Filter(rb, eb, rt, et);
    RpMeshHit hit;
    memset(&hit, 0, sizeof hit);
    return Tell(RpMeshObject_WalkFace(object->mesh, js_numbers, &filter, &hit), &hit);
}

JS_EXPORT(JsObject_IsInside)
bool JsObject_IsInside(const JsObject *object, int32_t piece, uint32_t rb, uint32_t eb, uint32_t rt,
                       uint32_t et) {
    const RpMeshFilter filter = Filter(rb, eb, rt, et);
    return RpMeshObject_IsInside(object->mesh, piece, js_numbers, &filter);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void Draw(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                 const RpDrawBatch *batch) {
    (void)user;
    (void)world;
    JsResult_U32(1);
    JsResult_I32(piece);
    JsResult_U32(draw_mode);
    JsResult_U32(batch->flags);
    JsResult_U32(batch->material);
    JsResult_U32(batch->lightmap);
    JsResult_I32(batch->portal);
    JsResult_U32(batch->first_index);
    JsResult_U32(batch->index_count);
    JsResult_U32(batch->base_vertex);
    JsResult_U32(batch->vertex_count);
}

/* Writes the batches to js_result. Each of them follows a 1; a 0 ends the list. */
JS_EXPORT(JsObject_Draw) RpStatus JsObject_Draw(const JsObject *object, int32_t level) {
    JsResult_Begin();
    RpMeshObject_Draw(object->mesh, level, Draw, NULL);
    JsResult_U32(0);
    return JsResult_End();
}

JS_EXPORT(JsObject_Counters) RpStatus JsObject_Counters(const JsObject *object) {
    RpPoseCounters counters;
    RpMeshObject_Counters(object->mesh, &counters);
    JsResult_Begin();
    JsResult_F64((double)counters.out_of_bounds);
    JsResult_F64((double)counters.undefined);
    JsResult_F64((double)counters.by_core);
    JsResult_F64((double)counters.by_x87);
    JsResult_F64((double)counters.refused);
    return JsResult_End();
}
