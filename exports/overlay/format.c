/* An overlay as text (docs/formats/overlay.md). */
#include "exports/overlay/rules.h"

#include "core/text.h"

#include <string.h>

static void Decimal(RpBuffer *out, const char *before, uint64_t number) {
    char digits[24];
    Text text = Text_Begin(digits, sizeof digits);
    Text_AppendDecimal(&text, number);
    RpBuffer_AppendText(out, before);
    RpBuffer_AppendText(out, digits);
}

static void Address(RpBuffer *out, const char *before, uint32_t rva) {
    char digits[16];
    Text text = Text_Begin(digits, sizeof digits);
    /* Five digits at least, which is what docs/reference/abi.md prints. */
    int count = 5;
    while (count < 8 && rva >> 4 * count)
        count++;
    Text_Append(&text, "0x");
    Text_AppendHex(&text, rva, count);
    RpBuffer_AppendText(out, before);
    RpBuffer_AppendText(out, digits);
}

static void Pair(RpBuffer *out, const char *before, const char *text) {
    RpBuffer_AppendText(out, before);
    RpBuffer_AppendText(out, text);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void WriteModule(RpBuffer *out, AbiModule module, const OverlayModule *row) {
    Pair(out, "module ", AbiModule_Name(module));
    Decimal(out, " size ", row->size);
    Pair(out, " sha256 ", row->sha256);
    RpBuffer_AppendText(out, "\n");
}

static void WriteExport(RpBuffer *out, const OverlayExport *row) {
    Pair(out, "export ", AbiModule_Name(row->module));
    Decimal(out, " ", row->ordinal);
    Pair(out, " ", row->name[0] ? row->name : "-");
    Address(out, " ", row->rva);
    Pair(out, " ", OverlayExportKind_Name(row->kind));
    if (row->kind == OVERLAY_STUB)
        Decimal(out, " ", row->pops);
    if (row->kind == OVERLAY_STUB && row->clears)
        RpBuffer_AppendText(out, " clears");
    if (row->kind == OVERLAY_FORWARDER)
        Pair(out, " ", row->forwarder);
    RpBuffer_AppendText(out, "\n");
}

static void WriteEvidence(RpBuffer *out, uint8_t evidence) {
    static const char *const names[] = {"static", "dynamic", "by-hand"};
    const char *before = " evidence ";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (evidence & 1u << i) {
            Pair(out, before, names[i]);
            before = "+";
        }
}

static void WriteCall(RpBuffer *out, const OverlayFunction *row) {
    Pair(out, " call ", AbiConvention_Name(row->convention));
    RpBuffer_AppendText(out, "(");
    for (uint32_t i = 0; i < row->param_count; i++) {
        Span name = Overlay_ParamName(row->function, row->order[i]);
        RpBuffer_AppendText(out, i ? "," : "");
        RpBuffer_Append(out, name.start, name.length);
    }
    RpBuffer_AppendText(out, ")");
    WriteEvidence(out, row->evidence);
    if (row->cases)
        Decimal(out, " cases ", row->cases);
}

static void WriteFunction(RpBuffer *out, const OverlayFunction *row) {
    Pair(out, "function ", row->function->key);
    if (row->ranged) {
        Decimal(out, " calls ", row->first);
        Decimal(out, "-", row->last);
    }
    if (row->rva)
        Address(out, " at ", row->rva);
    if (row->build)
        Pair(out, " build ", OverlayBuild_Name(row->build));
    if (row->has_call)
        WriteCall(out, row);
    if (row->signature_bytes) {
        Decimal(out, " signature ", row->signature_bytes);
        Pair(out, " ", row->signature);
    }
    if (row->entry_bytes)
        Decimal(out, " entry ", row->entry_bytes);
    RpBuffer_AppendText(out, "\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static RpStatus Named(RpStatus status, RpError *error, const char *name) {
    if (status && error) {
        Text where = Text_Begin(error->where, sizeof error->where);
        Text_Append(&where, name);
    }
    return status;
}

static RpStatus Check(const Overlay *overlay, RpError *error) {
    RpStatus status = RP_OK;
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        if (overlay->modules[i].known)
            status = Named(Overlay_CheckModule(&overlay->modules[i], error), error,
                           AbiModule_File((AbiModule)i));
    for (size_t i = 0; !status && i < overlay->export_count; i++)
        status = Named(Overlay_CheckExport(overlay, i, error), error, overlay->exports[i].name);
    for (size_t i = 0; !status && i < overlay->function_count; i++)
        status = Named(Overlay_CheckFunction(overlay, i, error), error,
                       overlay->functions[i].function->key);
    return status;
}

RpStatus Overlay_Format(const Overlay *overlay, RpBuffer *text, RpError *error) {
    RpStatus status = Check(overlay, error);
    if (status)
        return status;
    Decimal(text, OVERLAY_FIRST_WORD " ", OVERLAY_VERSION);
    RpBuffer_AppendText(text,
                        "\n# What is known of one pair of originals: docs/formats/overlay.md. "
                        "It holds no byte of a game file.\n");
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (overlay->modules[i].known)
            WriteModule(text, (AbiModule)i, &overlay->modules[i]);
    for (size_t i = 0; i < overlay->export_count; i++)
        WriteExport(text, &overlay->exports[i]);
    for (size_t i = 0; i < overlay->function_count; i++)
        WriteFunction(text, &overlay->functions[i]);
    return text->failed ? RpMemory_Refused(error, "the text of an overlay") : RP_OK;
}
