/* Adds, finds and drops the lines of an overlay in memory. */
#include "exports/overlay/overlay.h"

#include "exports/overlay/overlay_rules.h"

#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

void Overlay_Init(Overlay *overlay, const RpAllocator *allocator) {
    *overlay = (Overlay){.allocator = allocator};
}

void Overlay_Free(Overlay *overlay) {
    RpMemory_Free(overlay->allocator, overlay->exports);
    RpMemory_Free(overlay->allocator, overlay->functions);
    Overlay_Init(overlay, overlay->allocator);
}

/* Makes room for one more row. Lists grow at each power of two. */
static void *Grow(const RpAllocator *allocator, void *rows, size_t count, size_t row_bytes) {
    if (count & (count - 1))
        return rows;
    return RpMemory_Resize(allocator, rows, (count ? count * 2 : 1) * row_bytes);
}

static OverlayFunction *AddFunction(Overlay *overlay, const AbiFunction *function) {
    if (overlay->function_count >= OVERLAY_MAX_FUNCTIONS)
        return NULL;
    OverlayFunction *rows = Grow(overlay->allocator, overlay->functions, overlay->function_count,
                                 sizeof *overlay->functions);
    if (!rows)
        return NULL;
    overlay->functions = rows;
    OverlayFunction *row = &rows[overlay->function_count++];
    memset(row, 0, sizeof *row);
    row->function = function;
    return row;
}

const OverlayFunction *Overlay_Find(const Overlay *overlay, const AbiFunction *function) {
    for (size_t i = 0; i < overlay->function_count; i++)
        if (overlay->functions[i].function == function && !overlay->functions[i].ranged)
            return &overlay->functions[i];
    return NULL;
}

const OverlayFunction *Overlay_FindFor(const Overlay *overlay, const AbiFunction *function,
                                       uint64_t sequence) {
    for (size_t i = 0; i < overlay->function_count; i++) {
        const OverlayFunction *row = &overlay->functions[i];
        if (row->function == function && row->ranged && sequence >= row->first &&
            sequence <= row->last)
            return row;
    }
    return Overlay_Find(overlay, function);
}

OverlayFunction *Overlay_Add(Overlay *overlay, const AbiFunction *function) {
    const OverlayFunction *found = Overlay_Find(overlay, function);
    return found ? &overlay->functions[found - overlay->functions] : AddFunction(overlay, function);
}

OverlayFunction *Overlay_AddRanged(Overlay *overlay, const AbiFunction *function, uint64_t first,
                                   uint64_t last) {
    OverlayFunction *row = AddFunction(overlay, function);
    if (row) {
        row->ranged = true;
        row->first = first;
        row->last = last;
    }
    return row;
}

bool Overlay_IsFor(const Overlay *overlay, AbiModule module, const char *sha256) {
    return overlay->modules[module].known && strcmp(overlay->modules[module].sha256, sha256) == 0;
}

void Overlay_SetModule(Overlay *overlay, AbiModule module, uint32_t size, const char *sha256) {
    OverlayModule *line = &overlay->modules[module];
    if (line->known && !Overlay_IsFor(overlay, module, sha256)) {
        Overlay_DropExports(overlay, module);

        size_t kept = 0;
        for (size_t i = 0; i < overlay->function_count; i++)
            if (overlay->functions[i].function->module != module)
                overlay->functions[kept++] = overlay->functions[i];
        overlay->function_count = kept;
    }
    *line = (OverlayModule){.known = true, .size = size};
    memcpy(line->sha256, sha256, sizeof line->sha256);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static RpStatus CallOfLine(const OverlayFunction *line, const AbiFunction *function,
                           OverlayCall *call, RpError *error) {
    if (!line || !line->has_call) {
        uint32_t count = Overlay_ParamCount(function);
        if (!Overlay_HasSignature(function) || count > OVERLAY_MAX_PARAMS)
            return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the function has no signature",
                               function->key, "", "");
        *call = (OverlayCall){.convention = function->convention, .param_count = (uint8_t)count};
        for (uint32_t i = 0; i < count; i++)
            call->order[i] = (uint8_t)i;
        return RP_OK;
    }
    *call = (OverlayCall){.convention = line->convention, .param_count = line->param_count};
    memcpy(call->order, line->order, sizeof call->order);
    return RP_OK;
}

RpStatus Overlay_CallOf(const Overlay *overlay, const AbiFunction *function, OverlayCall *call,
                        RpError *error) {
    return CallOfLine(overlay ? Overlay_Find(overlay, function) : NULL, function, call, error);
}

RpStatus Overlay_CallFor(const Overlay *overlay, const AbiFunction *function, uint64_t sequence,
                         OverlayCall *call, RpError *error) {
    return CallOfLine(overlay ? Overlay_FindFor(overlay, function, sequence) : NULL, function, call,
                      error);
}

/* ---- exports --------------------------------------------------------------------------------- */

RpStatus Overlay_AddExport(Overlay *overlay, const OverlayExport *row, RpError *error) {
    if (overlay->export_count >= OVERLAY_MAX_EXPORTS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many exports", "", "at most 4096",
                           "");
    OverlayExport *rows =
        Grow(overlay->allocator, overlay->exports, overlay->export_count, sizeof *rows);
    if (!rows)
        return RpMemory_Refused(error, "exports");
    overlay->exports = rows;
    rows[overlay->export_count] = *row;
    RpStatus status = Overlay_CheckExport(overlay, overlay->export_count, error);
    if (!status)
        overlay->export_count++;
    return status;
}

/* The block keeps its size. As the shorter list grows again, Grow resizes the block at the powers
 * of two that it reaches. */
void Overlay_DropExports(Overlay *overlay, AbiModule module) {
    size_t kept = 0;
    for (size_t i = 0; i < overlay->export_count; i++)
        if (overlay->exports[i].module != module)
            overlay->exports[kept++] = overlay->exports[i];
    overlay->export_count = kept;
}

const OverlayExport *Overlay_FindExport(const Overlay *overlay, AbiModule module,
                                        const char *name) {
    for (size_t i = 0; i < overlay->export_count; i++)
        if (overlay->exports[i].module == module && strcmp(overlay->exports[i].name, name) == 0)
            return &overlay->exports[i];
    return NULL;
}

const OverlayExport *Overlay_FindOrdinal(const Overlay *overlay, AbiModule module,
                                         uint32_t ordinal) {
    for (size_t i = 0; i < overlay->export_count; i++)
        if (overlay->exports[i].module == module && overlay->exports[i].ordinal == ordinal)
            return &overlay->exports[i];
    return NULL;
}
