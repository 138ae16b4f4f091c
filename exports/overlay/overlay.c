/* Overlays in memory: rows, look-ups and the rules that every row keeps (docs/formats/overlay.md).
 */
#include "exports/overlay/internal.h"

#include "core/hex.h"

#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

bool Word_Is(Word word, const char *text) {
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static bool SameText(const char *a, const char *b) {
    return Word_Is((Word){a, strlen(a)}, b);
}

bool Overlay_IsWord(const char *text, size_t size) {
    size_t length = 0;
    for (; length < size && text[length]; length++)
        if (text[length] <= ' ' || text[length] > '~')
            return false;
    return length > 0 && length < size && text[0] != '#' && !SameText(text, "-");
}

bool Overlay_IsSha256(const char *text) {
    return Hex_IsSha256(text);
}

const char *OverlayBuild_Name(OverlayBuild build) {
    static const char *const names[] = {"unknown", "generic", "fxch", "sse"};
    return names[build];
}

const char *OverlayExportKind_Name(OverlayExportKind kind) {
    static const char *const names[] = {"code", "stub", "data", "forwarder"};
    return names[kind];
}

/* ---- parameters of a row --------------------------------------------------------------------- */

/* The text of a parameter, "in f32[4] quaternion"; its length is 0 past the last one. */
static Word ParamText(const AbiFunction *function, uint32_t index) {
    const char *text = function->params;
    for (; index > 0; index--) {
        text += strcspn(text, ",");
        if (*text == 0)
            return (Word){text, 0};
        text++;
    }
    return (Word){text, strcspn(text, ",")};
}

uint32_t Overlay_ParamCount(const AbiFunction *function) {
    uint32_t count = 0;
    while (count <= OVERLAY_MAX_PARAMS && ParamText(function, count).length > 0)
        count++;
    return count;
}

Word Overlay_ParamName(const AbiFunction *function, uint32_t index) {
    Word word = ParamText(function, index);
    size_t start = word.length;
    while (start > 0 && word.text[start - 1] != ' ')
        start--;
    return (Word){word.text + start, word.length - start};
}

/* Where ours has no body yet, the tables may know the parameters all the same. */
static bool HasSignature(const AbiFunction *function) {
    return function->provider != ABI_DATA &&
           (function->provider != ABI_ABSENT || function->params_evidence != ABI_UNKNOWN);
}

/* ---- the rules of a row ---------------------------------------------------------------------- */

static RpStatus Refuse(RpError *error, const char *what, const char *expected, const char *found) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", expected, found);
}

RpStatus Overlay_CheckModule(const OverlayModule *module, RpError *error) {
    if (!Overlay_IsSha256(module->sha256))
        return Refuse(error, "malformed digest of a module", "64 digits 0-9 a-f", "");
    return RP_OK;
}

static RpStatus CheckExportAlone(const OverlayExport *row, RpError *error) {
    if ((unsigned)row->module >= ABI_MODULE_COUNT || (unsigned)row->kind > OVERLAY_FORWARDER)
        return Refuse(error, "an export of unknown module or kind", "", "");
    if (row->ordinal > UINT16_MAX)
        return Refuse(error, "an ordinal is too large", "at most 65535", "");
    if (row->name[0] && !Overlay_IsWord(row->name, sizeof row->name))
        return Refuse(error, "an export's name is no word",
                      "at most 95 characters of ASCII without blanks, not \"-\", not beginning "
                      "with #",
                      "");
    if (row->kind == OVERLAY_FORWARDER && !Overlay_IsWord(row->forwarder, sizeof row->forwarder))
        return Refuse(error, "a forwarder's target is no word",
                      "at most 95 characters of ASCII without blanks", "");
    if (row->pops > UINT16_MAX)
        return Refuse(error, "a stub pops too much", "at most 65535 bytes", "");
    return RP_OK;
}

/* An ordinal is one place in the module; a name has one ordinal. */
static RpStatus CheckExportPair(const OverlayExport *row, const OverlayExport *other,
                                RpError *error) {
    bool same_name = SameText(row->name, other->name);
    if (row->ordinal != other->ordinal)
        return same_name && row->name[0]
                   ? Refuse(error, "an export's name has two ordinals", "", row->name)
                   : RP_OK;
    if (same_name || !row->name[0] || !other->name[0])
        return Refuse(error, "an export is given twice", "one line for each name of an ordinal",
                      row->name[0] ? row->name : other->name);
    if (row->rva != other->rva || row->kind != other->kind || row->pops != other->pops ||
        row->clears != other->clears || !SameText(row->forwarder, other->forwarder))
        return Refuse(error, "two lines of one ordinal contradict each other",
                      "the same address and kind for each of its names", row->name);
    return RP_OK;
}

RpStatus Overlay_CheckExport(const Overlay *overlay, size_t index, RpError *error) {
    const OverlayExport *row = &overlay->exports[index];
    RpStatus status = CheckExportAlone(row, error);
    for (size_t i = 0; !status && i < index; i++)
        if (overlay->exports[i].module == row->module)
            status = CheckExportPair(row, &overlay->exports[i], error);
    return status;
}

static RpStatus CheckCall(const OverlayFunction *row, RpError *error) {
    uint32_t count = Overlay_ParamCount(row->function), seen = 0;
    if (!HasSignature(row->function) || count > OVERLAY_MAX_PARAMS)
        return Refuse(error, "a call of a function without a signature",
                      "a function whose parameters the tables name", row->function->key);
    if ((unsigned)row->convention > ABI_THISCALL)
        return Refuse(error, "unknown calling convention", "", "");
    for (uint32_t i = 0; i < row->param_count && i < OVERLAY_MAX_PARAMS; i++)
        if (row->order[i] < count)
            seen |= 1u << row->order[i];
    if (row->param_count != count || seen != (1u << count) - 1)
        return Refuse(error, "an order of arguments is no permutation",
                      "each parameter of the function once", row->function->params);
    return RP_OK;
}

static RpStatus CheckSignature(const OverlayFunction *row, RpError *error) {
    if (row->signature_bytes > OVERLAY_MAX_SIGNATURE)
        return Refuse(error, "a signature is too long", "at most 4096 bytes", "");
    if (row->signature_bytes > 0 && !Overlay_IsSha256(row->signature))
        return Refuse(error, "malformed digest of a signature", "64 digits 0-9 a-f", "");
    if (row->entry_bytes > row->signature_bytes)
        return Refuse(error, "the entry is longer than the signature", "a part of it", "");
    return RP_OK;
}

static RpStatus CheckRange(const Overlay *overlay, size_t index, RpError *error) {
    const OverlayFunction *row = &overlay->functions[index];
    if (row->ranged && row->first > row->last)
        return Refuse(error, "a range of calls ends before it begins", "FIRST-LAST", "");
    for (size_t i = 0; i < index; i++) {
        const OverlayFunction *other = &overlay->functions[i];
        if (other->function != row->function || other->ranged != row->ranged)
            continue;
        if (!row->ranged)
            return Refuse(error, "a function is given twice", "one line without a range of calls",
                          row->function->key);
        if (row->first <= other->last && other->first <= row->last)
            return Refuse(error, "two ranges of calls overlap",
                          "each call in one range of a function", row->function->key);
    }
    return RP_OK;
}

RpStatus Overlay_CheckFunction(const Overlay *overlay, size_t index, RpError *error) {
    const OverlayFunction *row = &overlay->functions[index];
    if ((unsigned)row->build > OVERLAY_BUILD_SSE)
        return Refuse(error, "unknown build", "", "");
    if (row->evidence & ~(OVERLAY_STATIC | OVERLAY_DYNAMIC | OVERLAY_BY_HAND))
        return Refuse(error, "unknown evidence", "", "");
    if (!row->has_call && (row->evidence || row->cases))
        return Refuse(error, "evidence without a call", "a call that it is evidence of", "");
    RpStatus status = row->has_call ? CheckCall(row, error) : RP_OK;
    if (!status)
        status = CheckSignature(row, error);
    return status ? status : CheckRange(overlay, index, error);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void Overlay_Init(Overlay *overlay, const RpAllocator *allocator) {
    *overlay = (Overlay){.allocator = allocator};
}

void Overlay_Free(Overlay *overlay) {
    RpMemory_Free(overlay->allocator, overlay->exports);
    RpMemory_Free(overlay->allocator, overlay->functions);
    Overlay_Init(overlay, overlay->allocator);
}

/* Room for one row more: lists grow at each power of two. */
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
    return overlay->modules[module].known && SameText(overlay->modules[module].sha256, sha256);
}

static void DropFunctions(Overlay *overlay, AbiModule module) {
    size_t kept = 0;
    for (size_t i = 0; i < overlay->function_count; i++)
        if (overlay->functions[i].function->module != module)
            overlay->functions[kept++] = overlay->functions[i];
    overlay->function_count = kept;
}

void Overlay_SetModule(Overlay *overlay, AbiModule module, uint32_t size, const char *sha256) {
    OverlayModule *line = &overlay->modules[module];
    if (line->known && !Overlay_IsFor(overlay, module, sha256)) {
        Overlay_DropExports(overlay, module);
        DropFunctions(overlay, module);
    }
    *line = (OverlayModule){.known = true, .size = size};
    memcpy(line->sha256, sha256, sizeof line->sha256);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static RpStatus CallOfRow(const AbiFunction *function, OverlayCall *call, RpError *error) {
    uint32_t count = Overlay_ParamCount(function);
    if (!HasSignature(function) || count > OVERLAY_MAX_PARAMS)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the function has no signature",
                           function->key, "", "");
    *call = (OverlayCall){.convention = function->convention, .param_count = (uint8_t)count};
    for (uint32_t i = 0; i < count; i++)
        call->order[i] = (uint8_t)i;
    return RP_OK;
}

static RpStatus CallOfLine(const OverlayFunction *line, const AbiFunction *function,
                           OverlayCall *call, RpError *error) {
    if (!line || !line->has_call)
        return CallOfRow(function, call, error);
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
        return Refuse(error, "too many exports", "at most 4096", "");
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

/* The block stays: Grow resizes it at the powers of two that the shorter list comes to. */
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
        if (overlay->exports[i].module == module && SameText(overlay->exports[i].name, name))
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
