/* Writes an overlay as text (docs/formats/overlay.md). This is for programs with a C library. */
#include "exports/overlay/overlay_rules.h"

#include "core/text.h"

#include <inttypes.h>

/* ---- lines ----------------------------------------------------------------------------------- */

/* Addresses have five digits at least, as in docs/reference/abi.md. */
#define ADDRESS "0x%05" PRIX32

static RpStatus Named(RpStatus status, RpError *error, const char *name) {
    if (status && error) {
        Text where = Text_Begin(error->where, sizeof error->where);
        Text_Append(&where, name);
    }
    return status;
}

RpStatus Overlay_Format(const Overlay *overlay, RpBuffer *text, RpError *error) {
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

    if (status)
        return status;
    RpBuffer_Print(text, OVERLAY_FIRST_WORD " %d\n", OVERLAY_VERSION);
    RpBuffer_AppendText(text, "# What is known of one pair of originals: docs/formats/overlay.md. "
                              "It holds no byte of a game file.\n");
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (overlay->modules[i].known) {
            const AbiModule module = (AbiModule)i;
            RpBuffer_Print(text, "module %s size %" PRIu32 " sha256 %s\n", AbiModule_Name(module),
                           overlay->modules[i].size, overlay->modules[i].sha256);
        }
    for (size_t i = 0; i < overlay->export_count; i++) {
        const OverlayExport *row = &overlay->exports[i];
        RpBuffer_Print(text, "export %s %" PRIu32 " %s " ADDRESS " %s", AbiModule_Name(row->module),
                       row->ordinal, row->name[0] ? row->name : "-", row->rva,
                       OverlayExportKind_Name(row->kind));
        if (row->kind == OVERLAY_STUB)
            RpBuffer_Print(text, " %" PRIu32 "%s", row->pops, row->clears ? " clears" : "");
        if (row->kind == OVERLAY_FORWARDER)
            RpBuffer_Print(text, " %s", row->forwarder);
        RpBuffer_AppendText(text, "\n");
    }
    for (size_t i = 0; i < overlay->function_count; i++) {
        const OverlayFunction *row = &overlay->functions[i];
        RpBuffer_Print(text, "function %s", row->function->key);
        if (row->ranged)
            RpBuffer_Print(text, " calls %" PRIu64 "-%" PRIu64, row->first, row->last);
        if (row->rva)
            RpBuffer_Print(text, " at " ADDRESS, row->rva);
        if (row->build)
            RpBuffer_Print(text, " build %s", OverlayBuild_Name(row->build));
        if (row->has_call) {
            RpBuffer_Print(text, " call %s(", AbiConvention_Name(row->convention));
            for (uint32_t k = 0; k < row->param_count; k++) {
                const Span name = Overlay_ParamName(row->function, row->order[k]);
                RpBuffer_AppendText(text, k ? "," : "");
                RpBuffer_Append(text, name.start, name.length);
            }
            RpBuffer_AppendText(text, ")");
            const char *before = " evidence ";
            for (unsigned kind = 0; kind < OVERLAY_EVIDENCE_KINDS; kind++)
                if (row->evidence & 1u << kind) {
                    RpBuffer_Print(text, "%s%s", before, OverlayEvidence_Name(kind));
                    before = "+";
                }
            if (row->cases)
                RpBuffer_Print(text, " cases %" PRIu32, row->cases);
        }
        if (row->signature_bytes)
            RpBuffer_Print(text, " signature %" PRIu32 " %s", row->signature_bytes, row->signature);
        if (row->entry_bytes)
            RpBuffer_Print(text, " entry %" PRIu32, row->entry_bytes);
        RpBuffer_AppendText(text, "\n");
    }
    return text->failed ? RpMemory_Refused(error, "the text of an overlay") : RP_OK;
}
