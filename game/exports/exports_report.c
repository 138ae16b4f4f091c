#include "game/exports/exports_report.h"

#include "exports/ngi32.abi.h"
#include "exports/published.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sources: facts/ngi32.md A.1; facts/animesh.md A.1. */
#define PUBLISHED_STUBS          79
#define PUBLISHED_STUB_ADDRESSES 14
#define PUBLISHED_ANIMESH        2

static bool IsKnownExport(const AbiFunction *function, AbiModule module) {
    return function->module == module && function->kind == ABI_EXPORT;
}

static size_t KnownExports(AbiModule module) {
    size_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++)
        count += IsKnownExport(&abi_functions[i], module);
    return count;
}

ExportsPublished ExportsReport_Published(AbiModule module) {
    if (module == ABI_NGI32)
        return (ExportsPublished){ABI_NGI32_EXPORT_COUNT, PUBLISHED_STUBS, PUBLISHED_STUB_ADDRESSES,
                                  KnownExports(module)};
    return (ExportsPublished){PUBLISHED_ANIMESH, 0, 0, KnownExports(module)};
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Returns whether an earlier line of the module has the same ordinal or, for stubs, the same
 * address. */
static bool IsSeen(const Overlay *overlay, size_t index, bool address) {
    const OverlayExport *row = &overlay->exports[index];
    for (size_t i = 0; i < index; i++) {
        const OverlayExport *other = &overlay->exports[i];
        if (other->module != row->module)
            continue;
        if (address ? other->kind == OVERLAY_STUB && other->rva == row->rva
                    : other->ordinal == row->ordinal)
            return true;
    }
    return false;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static ExportsVerdict Verdict(bool published, bool same) {
    return !published ? EXPORTS_UNPUBLISHED : same ? EXPORTS_AGREES : EXPORTS_DIFFERS;
}

static bool Differs(const ExportsCheck *check) {
    return !check->found || check->ordinal == EXPORTS_DIFFERS || check->rva == EXPORTS_DIFFERS ||
           check->stub == EXPORTS_DIFFERS;
}

RpStatus ExportsReport_Make(const Overlay *overlay, AbiModule module, ProviderKind kind,
                            ExportsReport *report, RpError *error) {
    *report = (ExportsReport){.overlay = overlay, .module = module, .kind = kind};
    report->published = kind == PROVIDER_ORIGINAL && overlay->modules[module].known &&
                        Published_Is(module, overlay->modules[module].sha256);
    report->checks = calloc(KnownExports(module) + 1, sizeof *report->checks);
    if (!report->checks)
        return RpMemory_Refused(error, "a report of exports");

    for (size_t i = 0; i < report->overlay->export_count; i++) {
        const OverlayExport *row = &report->overlay->exports[i];
        if (row->module != report->module)
            continue;
        report->names += row->name[0] != 0;
        if (IsSeen(report->overlay, i, false))
            continue;
        report->exports++;
        report->nameless += !row->name[0];
        report->code += row->kind == OVERLAY_CODE;
        report->data += row->kind == OVERLAY_DATA;
        report->forwarders += row->kind == OVERLAY_FORWARDER;
        report->stubs += row->kind == OVERLAY_STUB;
        report->stub_addresses += row->kind == OVERLAY_STUB && !IsSeen(report->overlay, i, true);
    }

    for (size_t i = 0; i < abi_function_count; i++)
        if (IsKnownExport(&abi_functions[i], module)) {
            const AbiFunction *function = &abi_functions[i];
            ExportsCheck *check = &report->checks[report->check_count++];
            const OverlayExport *found = Overlay_FindExport(overlay, module, function->name);
            *check = (ExportsCheck){.function = function, .found = found};
            if (found) {
                check->ordinal = Verdict(function->index_evidence == ABI_READ,
                                         found->ordinal == (uint32_t)function->index);
                check->rva = Verdict(function->rva_evidence == ABI_READ && function->rva,
                                     found->rva == function->rva);
                check->stub = Verdict(function->provider == ABI_NOOP,
                                      found->kind == OVERLAY_STUB &&
                                          (function->params_evidence != ABI_READ ||
                                           found->pops == Abi_StackArgumentBytes(function)));
            }
            report->differences += Differs(check);
        }
    return RP_OK;
}

void ExportsReport_Free(ExportsReport *report) {
    free(report->checks);
    report->checks = NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *BuildWords(const ExportsReport *report) {
    if (report->kind == PROVIDER_STANDIN)
        return report->modified ? "a modified stand-in (plays the original; not the retail DLLs)"
                                : "stand-in (plays the original; not the retail DLLs)";
    if (report->published)
        return "the published version";
    return report->module == ABI_NGI32
               ? "an unknown version: what is published is of another"
               : "a build whose digest nobody has published: what is published may be of another";
}

static void PrintCount(RpBuffer *text, const char *name, size_t found, size_t published) {
    RpBuffer_Print(text, "  %-28s %6zu", name, found);
    if (published)
        RpBuffer_Print(text, " %10zu", published);
    RpBuffer_AppendText(text, "\n");
}

/* Returns how many ordinals have a stub at this address. */
static size_t CountAt(const ExportsReport *report, uint32_t rva) {
    size_t count = 0;
    for (size_t i = 0; i < report->overlay->export_count; i++) {
        const OverlayExport *row = &report->overlay->exports[i];
        count += row->module == report->module && row->kind == OVERLAY_STUB && row->rva == rva &&
                 !IsSeen(report->overlay, i, false);
    }
    return count;
}

/* Returns the stub with the lowest address that is not below `least`, or null. */
static const OverlayExport *NextStub(const ExportsReport *report, uint32_t least) {
    const OverlayExport *next = NULL;
    for (size_t i = 0; i < report->overlay->export_count; i++) {
        const OverlayExport *row = &report->overlay->exports[i];
        if (row->module == report->module && row->kind == OVERLAY_STUB && row->rva >= least &&
            (!next || row->rva < next->rva))
            next = row;
    }
    return next;
}

typedef struct Tally {
    size_t agree, differ;
} Tally;

static void AddVerdict(Tally *tally, ExportsVerdict verdict) {
    tally->agree += verdict == EXPORTS_AGREES;
    tally->differ += verdict == EXPORTS_DIFFERS;
}

static void PrintTally(RpBuffer *text, const char *name, Tally tally) {
    RpBuffer_Print(text, "  %-28s %6zu %10zu\n", name, tally.agree, tally.differ);
}

RpStatus ExportsReport_Text(const ExportsReport *report, RpBuffer *text, RpError *error) {
    const OverlayModule *file = &report->overlay->modules[report->module];
    RpBuffer_Print(text, "%s, %" PRIu32 " bytes, SHA-256 %s\n%s\n", AbiModule_File(report->module),
                   file->size, file->sha256, BuildWords(report));

    /* The table has what was counted beside what is published. */
    const ExportsPublished published = ExportsReport_Published(report->module);
    RpBuffer_Print(text, "\n  %-28s %6s %10s\n", "", "found", "published");
    PrintCount(text, "exports", report->exports, published.exports);
    PrintCount(text, "  code", report->code, 0);
    PrintCount(text, "  stubs", report->stubs, published.stubs);
    PrintCount(text, "    different addresses", report->stub_addresses, published.stub_addresses);
    PrintCount(text, "  data", report->data, 0);
    PrintCount(text, "  forwarders", report->forwarders, 0);
    PrintCount(text, "names", report->names, 0);
    PrintCount(text, "by ordinal only", report->nameless, 0);

    /* Stubs are at fourteen addresses, of which three are published. The user may want to know the
     * others, and what they pop. */
    const OverlayExport *stub = NextStub(report, 0);
    if (stub)
        RpBuffer_Print(text, "\n  %-28s %6s %10s\n", "stubs", "pop", "exports");
    for (; stub; stub = NextStub(report, stub->rva + 1))
        RpBuffer_Print(text, "  0x%05" PRIX32 " %-20s %6" PRIu32 " %10zu\n", stub->rva,
                       stub->clears ? "clears EAX" : "", stub->pops, CountAt(report, stub->rva));

    /* Each known export that differs is named. */
    Tally names = {0}, ordinals = {0}, addresses = {0}, stubs = {0};
    for (size_t i = 0; i < report->check_count; i++) {
        const ExportsCheck *check = &report->checks[i];
        AddVerdict(&names, check->found ? EXPORTS_AGREES : EXPORTS_DIFFERS);
        AddVerdict(&ordinals, check->ordinal);
        AddVerdict(&addresses, check->rva);
        AddVerdict(&stubs, check->stub);
    }
    RpBuffer_Print(text, "\n  %-28s %6s %10s\n", "known exports", "agree", "differ");
    PrintTally(text, "names", names);
    PrintTally(text, "ordinals", ordinals);
    PrintTally(text, "addresses", addresses);
    PrintTally(text, "stubs and their arguments", stubs);

    if (report->differences)
        RpBuffer_AppendText(text, "\ndifferences\n");
    for (size_t i = 0; i < report->check_count; i++)
        if (Differs(&report->checks[i])) {
            const ExportsCheck *check = &report->checks[i];
            const AbiFunction *function = check->function;
            const OverlayExport *found = check->found;
            RpBuffer_Print(text, "  %s:", function->key);
            if (!found)
                RpBuffer_AppendText(text, " no export of this name");
            if (check->ordinal == EXPORTS_DIFFERS)
                RpBuffer_Print(text, " ordinal %d published, %" PRIu32 " found;", function->index,
                               found->ordinal);
            if (check->rva == EXPORTS_DIFFERS)
                RpBuffer_Print(text, " address 0x%05" PRIX32 " published, 0x%05" PRIX32 " found;",
                               function->rva, found->rva);
            if (check->stub == EXPORTS_DIFFERS && found->kind == OVERLAY_STUB)
                RpBuffer_Print(text,
                               " a stub of %" PRIu32 " bytes published, of %" PRIu32 " found;",
                               Abi_StackArgumentBytes(function), found->pops);
            else if (check->stub == EXPORTS_DIFFERS)
                RpBuffer_Print(text, " a stub published, %s found;",
                               OverlayExportKind_Name(found->kind));
            if (text->size > 0 && !text->failed && text->bytes[text->size - 1] == ';')
                text->size--;
            RpBuffer_AppendText(text, "\n");
        }

    return text->failed ? RpMemory_Refused(error, "a report of exports") : RP_OK;
}
