/* The rules that every line of an overlay keeps (docs/formats/overlay.md). */
#include "exports/overlay/overlay_rules.h"

#include "core/hex.h"

#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns whether the array is terminated and its text is a word that a line can hold: ASCII
 * without blanks, not empty, not "-", and not beginning with '#'. */
static bool IsWord(const char *text, size_t size) {
    size_t length = 0;
    for (; length < size && text[length]; length++)
        if (text[length] <= ' ' || text[length] > '~')
            return false;
    return length > 0 && length < size && text[0] != '#' && strcmp(text, "-") != 0;
}

const char *OverlayBuild_Name(OverlayBuild build) {
    static const char *const names[] = {"unknown", "generic", "fxch", "sse"};
    return names[build];
}

const char *OverlayExportKind_Name(OverlayExportKind kind) {
    static const char *const names[] = {"code", "stub", "data", "forwarder"};
    return names[kind];
}

const char *OverlayEvidence_Name(unsigned kind) {
    static const char *const names[OVERLAY_EVIDENCE_KINDS] = {"static", "dynamic", "by-hand"};
    return names[kind];
}

/* ---- parameters of a row --------------------------------------------------------------------- */

/* Returns the text of a parameter, "in f32[4] quaternion". Its length is 0 when there is no such
 * parameter. */
static Span ParamText(const AbiFunction *function, uint32_t index) {
    const char *text = function->params;
    for (; index > 0; index--) {
        text += strcspn(text, ",");
        if (*text == 0)
            return (Span){text, 0};
        text++;
    }
    return (Span){text, strcspn(text, ",")};
}

uint32_t Overlay_ParamCount(const AbiFunction *function) {
    uint32_t count = 0;
    while (count <= OVERLAY_MAX_PARAMS && ParamText(function, count).length > 0)
        count++;
    return count;
}

Span Overlay_ParamName(const AbiFunction *function, uint32_t index) {
    Span word = ParamText(function, index);
    size_t start = word.length;
    while (start > 0 && word.start[start - 1] != ' ')
        start--;
    return (Span){word.start + start, word.length - start};
}

bool Overlay_HasSignature(const AbiFunction *function) {
    return function->provider != ABI_DATA &&
           (function->provider != ABI_ABSENT || function->params_evidence != ABI_UNKNOWN);
}

/* ---- the rules of a row ---------------------------------------------------------------------- */

static RpStatus Refuse(RpError *error, const char *what, const char *expected, const char *found) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", expected, found);
}

RpStatus Overlay_CheckModule(const OverlayModule *module, RpError *error) {
    if (!Hex_IsSha256(module->sha256))
        return Refuse(error, "malformed digest of a module", "64 digits 0-9 a-f", "");
    return RP_OK;
}

RpStatus Overlay_CheckExport(const Overlay *overlay, size_t index, RpError *error) {
    const OverlayExport *row = &overlay->exports[index];
    if ((unsigned)row->module >= ABI_MODULE_COUNT || (unsigned)row->kind > OVERLAY_FORWARDER)
        return Refuse(error, "an export of unknown module or kind", "", "");
    if (row->ordinal > UINT16_MAX)
        return Refuse(error, "an ordinal is too large", "at most 65535", "");
    if (row->name[0] && !IsWord(row->name, sizeof row->name))
        return Refuse(error, "an export's name is no word",
                      "at most 95 characters of ASCII without blanks, not \"-\", not beginning "
                      "with #",
                      "");
    if (row->kind == OVERLAY_FORWARDER && !IsWord(row->forwarder, sizeof row->forwarder))
        return Refuse(error, "a forwarder's target is no word",
                      "at most 95 characters of ASCII without blanks", "");
    if (row->pops > UINT16_MAX)
        return Refuse(error, "a stub pops too much", "at most 65535 bytes", "");

    /* All lines of an ordinal say the same about its place in the module, and a name has only one
     * ordinal. */
    for (size_t i = 0; i < index; i++) {
        const OverlayExport *other = &overlay->exports[i];
        const bool same_name = strcmp(row->name, other->name) == 0;
        if (other->module != row->module)
            continue;
        if (row->ordinal != other->ordinal) {
            if (same_name && row->name[0])
                return Refuse(error, "an export's name has two ordinals", "", row->name);
            continue;
        }
        if (same_name || !row->name[0] || !other->name[0])
            return Refuse(error, "an export is given twice", "one line for each name of an ordinal",
                          row->name[0] ? row->name : other->name);
        if (row->rva != other->rva || row->kind != other->kind || row->pops != other->pops ||
            row->clears != other->clears || strcmp(row->forwarder, other->forwarder) != 0)
            return Refuse(error, "two lines of one ordinal contradict each other",
                          "the same address and kind for each of its names", row->name);
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
    if (row->has_call) {
        uint32_t count = Overlay_ParamCount(row->function), seen = 0;
        if (!Overlay_HasSignature(row->function) || count > OVERLAY_MAX_PARAMS)
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
    }

    if (row->signature_bytes > OVERLAY_MAX_SIGNATURE)
        return Refuse(error, "a signature is too long", "at most 4096 bytes", "");
    if (row->signature_bytes > 0 && !Hex_IsSha256(row->signature))
        return Refuse(error, "malformed digest of a signature", "64 digits 0-9 a-f", "");
    if (row->entry_bytes > row->signature_bytes)
        return Refuse(error, "the entry is longer than the signature", "a part of it", "");

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
