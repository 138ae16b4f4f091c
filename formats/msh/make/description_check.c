/* Checks whether a description fits into the format (facts/formats.md C.10, C.12). */
#include "formats/msh/make/description_check.h"

#include <inttypes.h>
#include <math.h>

typedef struct Check {
    const RpMshDescription *model;
    RpError *error;
    uint64_t index_count; /* sum over all batches */
} Check;

/* an index is a u16, of which 0xFFFF means none */
enum { MAX_TRIANGLES = 65535, MAX_COUNT = 65535 };

static bool AreFinite(const float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!Make_IsFinite(numbers[i]))
            return false;
    return true;
}

static RpStatus CheckCount(const Check *check, const char *what, uint32_t count, uint32_t least,
                           const void *array) {
    if (count >= least && count <= MAX_COUNT && (count == 0 || array))
        return RP_OK;
    return Make_Refuse(check->error, RP_INVALID, what, "description of", count,
                       "a count that 16 bits hold, and the elements", "%" PRIu32 "%s", count,
                       array || count == 0 ? "" : " without elements");
}

static RpStatus CheckCounts(const Check *check) {
    const RpMshDescription *model = check->model;
    RpStatus status = CheckCount(check, "bad number of nodes", model->node_count, 1, model->nodes);
    if (status == RP_OK)
        status = CheckCount(check, "bad number of slots", model->slot_count, 0, model->slots);
    if (status == RP_OK)
        status = CheckCount(check, "bad number of batches", model->batch_count, 0, model->batches);
    if (status != RP_OK)
        return status;
    if (model->name[0] == 0 || !memchr(model->name, 0, sizeof model->name))
        return RpError_Set(check->error, RP_INVALID, RP_NOWHERE, "bad name of the streams", "",
                           "1 to 35 characters", "");
    if (model->vertex_count > 0 && (!model->positions || !model->normals || !model->uv0))
        return RpError_Set(check->error, RP_INVALID, RP_NOWHERE, "vertices lack a stream", "",
                           "positions, normals and uv0", "");
    if (model->probe_count > 0 && !model->probes)
        return RpError_Set(check->error, RP_INVALID, RP_NOWHERE, "probes are missing", "", "", "");
    if ((model->path_vertices > 0 || model->path_links > 0) && !model->paths)
        return RpError_Set(check->error, RP_INVALID, RP_NOWHERE, "paths are missing", "", "", "");
    return RP_OK;
}

static RpStatus CheckBatch(Check *check, uint32_t index) {
    const RpMshBatchDescription *batch = &check->model->batches[index];
    if (batch->index_count % 3 != 0 || batch->index_count > 65535 ||
        (batch->index_count > 0 && !batch->indices))
        return Make_Refuse(check->error, RP_INVALID, "M12: bad number of indices", "batch", index,
                           "a multiple of 3, at most 65535", "%" PRIu32, batch->index_count);

    /* 1 + the largest relative index, or 0 if there are no indices. */
    uint32_t reach = 0;
    for (uint32_t i = 0; i < batch->index_count; i++)
        if (batch->indices[i] >= reach)
            reach = (uint32_t)batch->indices[i] + 1;
    if (reach > 65535)
        return Make_Refuse(check->error, RP_INVALID, "a batch reaches too far", "batch", index,
                           "relative indices up to 65534", "65535");
    if ((uint64_t)batch->base_vertex + reach > check->model->vertex_count)
        return Make_Refuse(check->error, RP_INVALID, "M11: a batch reaches past the vertices",
                           "batch", index, "vertices that exist", "vertex %" PRIu64 " of %" PRIu32,
                           (uint64_t)batch->base_vertex + reach - 1, check->model->vertex_count);
    if (batch->portal != RP_MSH_NONE && batch->portal >= check->model->node_count)
        return Make_Refuse(check->error, RP_INVALID, "a portal leads to no node", "batch", index,
                           "a node, or 65535", "%u", batch->portal);
    check->index_count += batch->index_count;
    return RP_OK;
}

/* Boxes are differences of these numbers. They stay finite if the numbers use no more than half of
 * a float's range. */
#define FARTHEST 1e18F

RpStatus Description_Check(const RpMshDescription *model, RpError *error) {
    Check check = {.model = model, .error = error};
    RpStatus status = CheckCounts(&check);
    for (uint32_t n = 0; status == RP_OK && n < model->node_count; n++) {
        const RpMshNodeDescription *node = &model->nodes[n];
        if (node->parent != RP_MSH_NONE && node->parent >= n)
            return Make_Refuse(error, RP_INVALID, "M19: a parent does not precede its child",
                               "node", n, "a smaller number than the node's own", "%u",
                               node->parent);
        if (node->label && strlen(node->label) > RP_MSH_LABEL_MAX)
            return Make_Refuse(error, RP_INVALID, "a label is too long", "node", n,
                               "at most 255 characters", "%zu", strlen(node->label));
        for (int w = 0; w < RP_MSH_SLOT_WORDS; w++)
            if (node->slots[w] != RP_MSH_NONE && node->slots[w] >= model->slot_count)
                return Make_Refuse(error, RP_INVALID, "M08: a slot word names no slot", "node", n,
                                   "a slot, or 65535", "%u in word %d", node->slots[w], w);
        /* The keys are checked when they are written. */
    }
    for (uint32_t b = 0; status == RP_OK && b < model->batch_count; b++)
        status = CheckBatch(&check, b);
    for (uint32_t s = 0; status == RP_OK && s < model->slot_count; s++) {
        const RpMshSlotDescription *slot = &check.model->slots[s];
        if (slot->batch_count > check.model->batch_count ||
            slot->first_batch > check.model->batch_count - slot->batch_count)
            status =
                Make_Refuse(check.error, RP_INVALID, "M09: a slot names batches that are not there",
                            "slot", s, "a range of the batches", "%" PRIu32 " from %" PRIu32 " on",
                            slot->batch_count, slot->first_batch);
        else if (slot->has_sphere && (!AreFinite(slot->sphere, 4) || slot->sphere[3] < 0))
            status = Make_Refuse(check.error, RP_INVALID, "M10: bad sphere", "slot", s,
                                 "finite numbers, a radius from 0 up", "radius %g",
                                 (double)slot->sphere[3]);
        else if (slot->has_measures && (!Make_IsFinite(slot->area) || !Make_IsFinite(slot->volume)))
            status =
                Make_Refuse(check.error, RP_INVALID, "M10: bad measures", "slot", s,
                            "finite numbers", "%g, %g", (double)slot->area, (double)slot->volume);
    }
    for (uint32_t v = 0; status == RP_OK && v < model->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            if (!(fabsf(model->positions[v][i]) <= FARTHEST))
                return Make_Refuse(error, RP_INVALID, "bad position", "vertex", v,
                                   "numbers within 1e18", "%g", (double)model->positions[v][i]);
    if (status == RP_OK) {
        const RpMshHeader *header = &check.model->header;
        if (check.model->has_header &&
            !(AreFinite(&header->corners[0][0], 24) && AreFinite(header->sphere, 4) &&
              AreFinite(header->axis_low, 3) && AreFinite(header->axis_high, 3) &&
              Make_IsFinite(header->axis_radius)))
            status = RpError_Set(check.error, RP_INVALID, RP_NOWHERE, "M33: bad header", "",
                                 "finite numbers", "");
    }

    if (status == RP_OK && check.index_count / 3 > MAX_TRIANGLES)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many triangles", "",
                             "at most 65535 in a model", "");
    return status;
}
