/* Makes the slots of the synthetic corpus. Each slot consists of a body and of things on and around
 * it. Each of these has a shape of exactly the triangles that the plan gives its batches. */
#include "exports/reading_table.h"
#include "formats/corpus/corpus_model.h"
#include "formats/corpus/integer.h"

#include <string.h>

enum { FLAG_TWO_SIDED = 0x2, FLAG_LIT = 0x2000, MATERIAL_WORD2 = 0 };

typedef struct Part { /* the batches of a slot that share a shape */
    uint32_t first, count, triangles;
    uint32_t number; /* within the slot; 0 is the body */
} Part;

static uint32_t Draw(const CorpusMaking *making, const CorpusSlot *slot, uint32_t purpose,
                     uint32_t index) {
    return Corpus_Draw(making->plan->seed, slot->node, purpose, index);
}

/* ---- sizes and places ------------------------------------------------------------------------ */

/* Returns how large a ball must be so that the corners of its rings are apart, however many there
 * are. */
static int32_t Roomy(int32_t half, uint32_t triangles) {
    const int32_t least = 64 + (int32_t)triangles / 4;
    return half < least ? least : half;
}

/* Returns how high the middle of a body is above the node's place. */
static int32_t Lift(const CorpusMaking *making, uint32_t node, const int32_t half[3]) {
    switch (CorpusLayout_Role(making, node)) {
    case CORPUS_LIMB:
        return -half[2];
    case CORPUS_BARREL:
        return 0;
    default:
        return half[2];
    }
}

static void PlaceBody(const CorpusMaking *making, const CorpusSlot *slot, const Part *part,
                      CorpusShapeRequest *request) {
    const uint32_t node = slot->node - making->model->first_node;
    const bool barrel = CorpusLayout_Role(making, node) == CORPUS_BARREL;
    CorpusLayout_Size(making, node, request->half);
    request->half[2] = request->half[2] * (10 - 3 * slot->state) / 10; /* what a ruin has left */
    for (int i = 0; i < 3; i++)
        request->half[i] = Roomy(request->half[i], part->triangles);
    request->centre[1] = barrel ? request->half[1] : 0;
    request->centre[2] = Lift(making, node, request->half);
    request->axis = barrel ? 2 : 0;
}

/* The things on a body lie on its sides, and are a seventh to a third as large. They are in the
 * same place in all levels and states. */
static void PlaceDetail(const CorpusMaking *making, const CorpusSlot *slot, const Part *part,
                        CorpusShapeRequest *request) {
    int32_t body[3], cosine, sine;
    const uint32_t node = slot->node - making->model->first_node;
    const uint32_t where = Draw(making, slot, CORPUS_DRAW_CENTRE, part->number);
    const int32_t scale = 14 + (int32_t)(Draw(making, slot, CORPUS_DRAW_HALF, part->number) % 20);
    CorpusLayout_Size(making, node, body);
    Corpus_Circle(where, &cosine, &sine);
    const int32_t away = 75 + (int32_t)(where >> 16) % 30; /* per cent */
    for (int i = 0; i < 3; i++)
        request->half[i] =
            Roomy(body[i] * scale / 100, part->triangles) + (int32_t)(where >> (7 * i)) % 61;
    request->centre[0] = (int32_t)Corpus_Scale(cosine, (int64_t)body[0] * away, 1638400);
    request->centre[1] = (int32_t)Corpus_Scale(sine, (int64_t)body[1] * away, 1638400);
    request->centre[2] = Lift(making, node, body) - body[2] * 8 / 10 +
                         (int32_t)(where >> 18) % (body[2] * 16 / 10 + 1) + (int32_t)(where % 97);
    if (CorpusLayout_Role(making, node) == CORPUS_BARREL)
        request->centre[1] += body[1];
    request->axis = request->draw / 16 % 4 ? 0 : request->draw / 64 % 2 + 1;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool StandsAlone(const CorpusBatch *batch) {
    return batch->portal != RP_MSH_NONE || (batch->flags & FLAG_TWO_SIDED) != 0;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static void AppendVertex(CorpusMaking *making, uint32_t vertex, int32_t tile) {
    const CorpusVertex *from = &CorpusShape_Vertices(&making->shape)[vertex];
    const uint32_t number = (uint32_t)(making->places.size / sizeof(int32_t[3]));
    const uint32_t noise =
        Corpus_Draw(making->plan->seed, making->index, CORPUS_DRAW_BYTES, number);
    float position[3];
    int8_t normal[4];
    for (int i = 0; i < 3; i++) /* the number is below 2^24, so it is exact */
        position[i] = (float)from->at[i] / (float)CORPUS_UNIT;
    CorpusShape_Normal(&making->shape, vertex, normal);
    normal[3] = (int8_t)(noise % 128);
    const uint16_t uv0[2] = {(uint16_t)(from->uv[0] + tile), (uint16_t)from->uv[1]};
    const uint16_t uv1[2] = {(uint16_t)(from->uv[0] / 4 + (int32_t)(noise >> 8 & 3) * 256),
                             (uint16_t)(from->uv[1] / 4 + (int32_t)(noise >> 10 & 3) * 256)};
    const uint8_t res15[8] = {(uint8_t)noise, (uint8_t)(noise >> 8), (uint8_t)(noise >> 16), 0,
                              (uint8_t)(noise >> 24)};
    RpBuffer_Append(&making->places, from->at, sizeof from->at);
    RpBuffer_Append(&making->positions, position, sizeof position);
    RpBuffer_Append(&making->normals, normal, sizeof normal);
    RpBuffer_Append(&making->uv0, uv0, sizeof uv0);
    if (making->model->lit)
        RpBuffer_Append(&making->uv1, uv1, sizeof uv1);
    RpBuffer_Append(&making->res15, res15, sizeof res15);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void AppendBatch(CorpusMaking *making, const Part *part, uint32_t number, uint32_t base,
                        uint32_t first_triangle) {
    const CorpusBatch *plan = &making->plan->batches[part->first + number];
    const uint32_t rows = 1 + making->model->batch_count / 6;
    const uint32_t draw =
        Corpus_Draw(making->plan->seed, part->first + number, CORPUS_DRAW_MATERIAL, 0);
    const uint8_t row = (uint8_t)(draw % (rows < 12 ? rows : 12));
    const RpMshBatchDescription batch = {
        .flags = plan->flags,
        /* With reading word2 this word is the material. With byte4 it is the end of the flags,
         * which is zero. */
        .material = making->readings.choice[READING_MATERIAL] == MATERIAL_WORD2 ? row : 0,
        .row = row,
        .lightmap = plan->flags & FLAG_LIT ? 0x00 : 0xFF,
        .portal = plan->portal,
        .base_vertex = base,
        .index_count = plan->triangles * 3};
    RpBuffer_Append(&making->batches, &batch, sizeof batch);
    for (uint32_t t = 0; t < plan->triangles; t++) {
        const uint32_t *corners = CorpusShape_Triangles(&making->shape)[first_triangle + t];
        const uint16_t mark = t < plan->marked ? plan->mark : 0;
        RpBuffer_Append(&making->marks, &mark, sizeof mark);
        for (int i = 0; i < 3; i++) {
            const uint16_t index = (uint16_t)corners[i];
            RpBuffer_Append(&making->indices, &index, sizeof index);
        }
    }
}

static bool AppendPart(CorpusMaking *making, const CorpusSlot *slot, const Part *part,
                       CorpusBounds *bounds) {
    const uint32_t base = (uint32_t)(making->places.size / sizeof(int32_t[3]));

    /* The shape that the part wants. */
    const CorpusBatch *batch = &making->plan->batches[part->first];
    CorpusShapeRequest request = {.kind = CORPUS_SOLID,
                                  .triangles = part->triangles,
                                  .draw = Draw(making, slot, CORPUS_DRAW_SHAPE, part->number),
                                  .smooth = making->model->form == CORPUS_LARGEST ||
                                            making->model->form == CORPUS_LEGACY};
    if (batch->portal != RP_MSH_NONE)
        request.kind = CORPUS_WINDOW;
    else if (batch->flags & FLAG_TWO_SIDED)
        request.kind = CORPUS_PANEL;
    if (part->number == 0)
        PlaceBody(making, slot, part, &request);
    else
        PlaceDetail(making, slot, part, &request);
    /* tiles left of the origin: the sign of texture coordinates is one of the readings */
    const int32_t tile = request.draw & 8 ? -2048 : 0;
    const bool made = making->model->form == CORPUS_SMALLEST
                          ? CorpusShape_MakePoint(&making->shape)
                          : CorpusShape_Make(&making->shape, &request);
    if (!made)
        return false;

    /* Corners that share a vertex get a vertex of their own, until there are as many vertices as
     * wanted. */
    CorpusShape *shape = &making->shape;
    const uint32_t count = CorpusShape_VertexCount(shape);
    RpBuffer taken;
    RpBuffer_Init(&taken, making->allocator);
    RpBuffer_Extend(&taken, count);
    for (uint32_t i = 0; !taken.failed && i < CorpusShape_TriangleCount(shape) * 3; i++) {
        uint32_t *corner = &CorpusShape_Triangles(shape)[i / 3][i % 3];
        if (taken.bytes[*corner]++ == 0)
            continue;
        if (making->split == 0)
            break;
        taken.bytes[*corner]--;
        const CorpusVertex vertex = CorpusShape_Vertices(shape)[*corner];
        *corner = CorpusShape_VertexCount(shape);
        if (!RpBuffer_Append(&shape->vertices, &vertex, sizeof vertex) ||
            !RpBuffer_Extend(&taken, 1))
            break;
        taken.bytes[*corner] = 1;
        making->split--;
    }
    const bool done = !taken.failed && !shape->vertices.failed;
    RpBuffer_Free(&taken);
    if (!done)
        return false;

    for (uint32_t v = 0; v < CorpusShape_VertexCount(&making->shape); v++) {
        AppendVertex(making, v, tile);
        const int32_t *at = CorpusShape_Vertices(&making->shape)[v].at;
        for (int i = 0; i < 3; i++) {
            bounds->low[i] = at[i] < bounds->low[i] ? at[i] : bounds->low[i];
            bounds->high[i] = at[i] > bounds->high[i] ? at[i] : bounds->high[i];
        }
    }
    for (uint32_t b = 0, triangle = 0; b < part->count; b++) {
        AppendBatch(making, part, b, base, triangle);
        triangle += making->plan->batches[part->first + b].triangles;
    }
    return true;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static bool AppendSlots(CorpusMaking *making) {
    for (uint32_t index = 0; index < making->model->slot_count; index++) {
        const CorpusSlot *plan = &making->plan->slots[making->model->first_slot + index];
        const uint32_t end = plan->first_batch + plan->batch_count;
        CorpusBounds bounds = {.low = {INT32_MAX, INT32_MAX, INT32_MAX},
                               .high = {INT32_MIN, INT32_MIN, INT32_MIN}};
        RpMshSlotDescription slot = {.first_batch = plan->first_batch - making->model->first_batch,
                                     .batch_count = plan->batch_count};
        for (uint32_t first = plan->first_batch, number = 0; first < end; number++) {
            /* A window or a panel is a batch of its own; one to three batches share a solid. */
            const uint32_t most = making->model->form == CORPUS_LEGACY
                                      ? plan->batch_count
                                      : 1 + Draw(making, plan, CORPUS_DRAW_GROUP, number) % 3;
            Part part = {.first = first, .number = number};
            while (part.first + part.count < end && part.count < most) {
                const CorpusBatch *batch = &making->plan->batches[part.first + part.count];
                if (part.count > 0 && StandsAlone(batch))
                    break;
                part.triangles += batch->triangles;
                part.count++;
                if (StandsAlone(batch))
                    break;
            }
            if (!AppendPart(making, plan, &part, &bounds))
                return false;
            first += part.count;
        }

        /* The sphere is put around the box, and its radius is rounded up to a unit, because it is
         * not known how the game's own tools took roots. */
        uint64_t square = 0;
        int64_t size[3];
        for (int i = 0; i < 3; i++) {
            size[i] = (int64_t)bounds.high[i] - bounds.low[i];
            square += (uint64_t)(size[i] * size[i]);
            slot.sphere[i] = (float)(bounds.low[i] + bounds.high[i]) / (2.0F * CORPUS_UNIT);
        }
        const uint32_t radius = Corpus_Root(square) / 2 + 1;
        slot.sphere[3] = (float)radius / (float)CORPUS_UNIT;
        slot.has_sphere = slot.has_measures = true;
        slot.area = (float)(size[0] * size[1]) / 0x1p20F;
        slot.volume = (float)(size[0] * size[1] * size[2]) / 0x1p30F;

        /* The meaning of these words is unknown; some are not zero in the game's files. */
        for (uint32_t i = 0; i < 3; i++)
            slot.opaque[i] = i == index % 3 ? Draw(making, plan, CORPUS_DRAW_OPAQUE, index) % 4 : 0;
        RpBuffer_Append(&making->slots, &slot, sizeof slot);
        RpBuffer_Append(&making->bounds, &bounds, sizeof bounds);
        if (making->slots.failed || making->bounds.failed)
            return false;
    }
    return true;
}

bool CorpusMaking_Geometry(CorpusMaking *making) {
    /* The number of vertices is known of two models. These are made twice: the second time with as
     * many hard corners as vertices were missing. */
    const CorpusForm form = making->model->form;
    const uint32_t known = form == CORPUS_LARGEST ? 9686 : form == CORPUS_LEGACY ? 128 : 0;
    making->split = 0;
    if (known > 0) {
        if (!AppendSlots(making))
            return false;
        const uint32_t count = (uint32_t)(making->places.size / sizeof(int32_t[3]));
        making->split = count < known ? known - count : 0;
        RpBuffer *const arrays[] = {&making->places,  &making->positions, &making->normals,
                                    &making->uv0,     &making->uv1,       &making->res15,
                                    &making->indices, &making->marks,     &making->batches,
                                    &making->slots,   &making->bounds};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            arrays[i]->size = 0;
    }
    return AppendSlots(making) && !making->indices.failed && !making->marks.failed &&
           !making->batches.failed && !making->positions.failed && !making->normals.failed &&
           !making->uv0.failed && !making->uv1.failed && !making->res15.failed;
}
