/* Code that the trace reader and writer share: visiting references, and the table of ids. */
#include "tracefile/format.h"

#include <stdlib.h>
#include <string.h>

const char trace_chunk_names[TRACE_CHUNK_OTHER][5] = {"FUNC", "MEM ", "CALL", "END "};

uint32_t Trace_OutputBytes(uint8_t outcome, const Signature *signature, const uint8_t *inputs,
                           uint32_t input_size) {
    switch (outcome) {
    case TRACE_RETURNED:
        return Signature_OutputBytes(signature, inputs, input_size);
    case TRACE_CRASHED:
        return 12;
    case TRACE_EXITED:
        return 4;
    default:
        return 0;
    }
}

/* ---- references ------------------------------------------------------------------------------ */

typedef struct Visitor {
    TraceVisit visit;
    void *context;
    RpError *error;
} Visitor;

static RpStatus VisitReferences(const Visitor *visitor, const uint8_t *data, uint32_t count) {
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < count && !status; i++, data += 8)
        status =
            visitor->visit(visitor->context, Bytes_U32(data), Bytes_U32(data + 4), visitor->error);
    return status;
}

static RpStatus VisitParam(const Visitor *visitor, const SignatureParam *param, bool outputs,
                           const uint8_t *data, uint32_t bytes) {
    if (bytes == 0)
        return RP_OK;
    switch (param->type) {
    case SIGNATURE_REF:
        return VisitReferences(visitor, data, bytes / 8);
    case SIGNATURE_NRES:
        return visitor->visit(visitor->context, Bytes_U32(data), 0, visitor->error);
    case SIGNATURE_STATE: /* the memory and offset come first, as in a reference */
        return outputs ? RP_OK : VisitReferences(visitor, data, 1);
    case SIGNATURE_STRUCT: {
        RpStatus status = RP_OK;
        for (const uint8_t *end = data + bytes; data < end && !status;)
            for (size_t i = 0; i < param->layout->field_count && !status; i++) {
                const AbiField *field = &param->layout->fields[i];
                if (strcmp(field->type, "ref") == 0)
                    status = VisitReferences(visitor, data, field->count);
                data += Signature_FieldBytes(field);
            }
        return status;
    }
    default:
        return RP_OK;
    }
}

RpStatus Trace_VisitReferences(const TraceCall *call, bool outputs, TraceVisit visit, void *context,
                               RpError *error) {
    const Signature *signature = call->signature;
    const Visitor visitor = {visit, context, error};
    SignatureMap map;
    const bool any = signature->refers || (outputs && signature->returns == SIGNATURE_REF);
    if (!any || !Signature_Map(signature, call->inputs, call->input_size, &map))
        return RP_OK;
    RpStatus status = RP_OK;
    if (outputs && signature->returns == SIGNATURE_REF)
        status = VisitReferences(&visitor, call->outputs, 1);
    for (int i = 0; i < signature->param_count && !status; i++) {
        const uint8_t *data =
            outputs ? call->outputs + map.output_offset[i] : call->inputs + map.input_offset[i];
        status = VisitParam(&visitor, &signature->params[i], outputs, data,
                            outputs ? map.output_bytes[i] : map.input_bytes[i]);
    }
    return status;
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* Returns 0 when memory is short. */
static uint32_t NewNode(TraceIds *ids) {
    if (ids->node_count >= ids->capacity) {
        uint32_t capacity = ids->capacity * 2 + 16;
        uint32_t(*nodes)[16] = realloc(ids->nodes, capacity * sizeof *nodes);
        if (!nodes)
            return 0;
        ids->nodes = nodes;
        ids->capacity = capacity;
    }
    ids->node_count += ids->node_count == 0;
    memset(ids->nodes[ids->node_count], 0, sizeof *ids->nodes);
    return ids->node_count++;
}

static bool FitsLevels(const TraceIds *ids, uint64_t id) {
    return ids->levels == 16 || id >> 4 * ids->levels == 0;
}

static RpStatus AddLevel(TraceIds *ids) {
    uint32_t root = NewNode(ids);
    if (root == 0)
        return RP_NO_MEMORY;
    ids->nodes[root][0] = ids->root;
    ids->root = root;
    ids->levels++;
    return RP_OK;
}

RpStatus TraceIds_Add(TraceIds *ids, uint64_t id, uint32_t index) {
    while (ids->levels == 0 || !FitsLevels(ids, id))
        if (AddLevel(ids))
            return RP_NO_MEMORY;
    uint32_t node = ids->root;
    for (uint32_t level = ids->levels - 1; level > 0; level--) {
        uint32_t child = ids->nodes[node][id >> 4 * level & 15];
        if (child == 0 && (child = NewNode(ids)) == 0)
            return RP_NO_MEMORY;
        ids->nodes[node][id >> 4 * level & 15] = child;
        node = child;
    }
    if (ids->nodes[node][id & 15] != 0)
        return RP_INVALID;
    ids->nodes[node][id & 15] = index + 1;
    ids->count++;
    return RP_OK;
}

bool TraceIds_Find(const TraceIds *ids, uint64_t id, uint32_t *index) {
    if (ids->levels == 0 || !FitsLevels(ids, id))
        return false;
    uint32_t node = ids->root;
    for (uint32_t level = ids->levels - 1; level > 0 && node != 0; level--)
        node = ids->nodes[node][id >> 4 * level & 15];
    uint32_t found = node != 0 ? ids->nodes[node][id & 15] : 0;
    *index = found - 1;
    return found != 0;
}

void TraceIds_Free(TraceIds *ids) {
    free(ids->nodes);
    *ids = (TraceIds){0};
}
