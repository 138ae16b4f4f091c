#include "game/probe/probe.h"

#include "exports/ngi32.abi.h"
#include "game/probe/candidate.h"
#include "game/probe/probe_search.h"
#include "replay/provider/known_version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STORES 1024u
/* Of one call: a candidate may well hang. No function whose formula is known comes near it. */
#define MOST_INSTRUCTIONS 20000000u

/* ForceCpu of each class; the first is this processor's own. */
static const int classes[PROBE_CLASSES] = {-1, 2, 3, 4, 5, 6, 7};
#define CLASS_NO_EXTENSION 6 /* ForceCpu 7 has neither SSE nor 3DNow nor FXCH */

typedef struct Probe {
    const ProbeOptions *options;
    ProbeReport *report;
    PeFile files[ABI_MODULE_COUNT], own_files[ABI_MODULE_COUNT]; /* of the pair, and our DLLs */
    HostOptions pair, own; /* the same, for the machine; `own` is empty where there are none */
    ProbeSearch *searches[ABI_MODULE_COUNT]; /* made when they are first needed */
    Signature signature;                     /* signature of the current function */
    ProbeCases *cases;                       /* cases of the current function; may be null */
    Overlay base;
    RpError *error;
} Probe;

/* ---- the pair -------------------------------------------------------------------------------- */

/* Reads the two files of a folder. */
static RpStatus OpenFiles(const char *folder, PeFile files[ABI_MODULE_COUNT], HostOptions *pair,
                          RpError *error) {
    const RpStatus status = Provider_LoadFiles(folder, files, error);
    *pair = (HostOptions){.guest = {.takes_signals = true, .call_budget = MOST_INSTRUCTIONS}};
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        pair->files[i] = (PairFile){AbiModule_File((AbiModule)i), files[i].bytes, files[i].size};
    return status;
}

static RpStatus OpenPair(Probe *probe) {
    ProbeReport *report = probe->report;
    RpStatus status =
        OpenFiles(report->provider.directory, probe->files, &probe->pair, probe->error);
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        const PeFile *file = &probe->files[i];
        OverlayModule *line = &probe->base.modules[i];
        line->known = true;
        line->size = report->sizes[i] = (uint32_t)file->size;
        memcpy(line->sha256, report->provider.sha256[i], sizeof line->sha256);
        report->known_layout[i] = KnownVersion_Has(file, (AbiModule)i);
    }
    if (!status && probe->options->reference)
        status = OpenFiles(probe->options->reference, probe->own_files, &probe->own, probe->error);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static ProbeRoutine *FindRoutine(ProbeSlot *slot, AbiModule module, uint32_t rva) {
    for (uint32_t i = 0; i < slot->routine_count; i++)
        if (slot->routines[i].module == module && slot->routines[i].rva == rva)
            return &slot->routines[i];
    if (slot->routine_count == PROBE_MAX_ROUTINES)
        return NULL;
    ProbeRoutine *routine = &slot->routines[slot->routine_count++];
    routine->module = module;
    routine->rva = rva;
    return routine;
}

/* Loads the pair once for each class. If it cannot be loaded, this is a finding for its owner. It
 * is not an error of the probe. */
static RpStatus ReadTables(Probe *probe) {
    ProbeReport *report = probe->report;
    Host *host = calloc(1, sizeof *host);
    if (!host)
        return RpError_Set(probe->error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a pair", "", "",
                           "");
    RpError own = {0};
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < PROBE_CLASSES && !status; i++) {
        TraceHeader header;
        char class[16] = "";
        TraceHeader_Init(&header);
        if (classes[i] >= 0) {
            snprintf(class, sizeof class, "%d", classes[i]);
            status = TraceHeader_Set(&header, "force-cpu", class, &own);
        }
        if (!status)
            status = Host_Open(host, &header, &probe->pair, &own);
        if (!status && !Pe_FindExport(&probe->files[ABI_NGI32], "g_FastProc"))
            status =
                RpError_Set(&own, RP_UNSUPPORTED, RP_NOWHERE, "the pair has no table of functions",
                            AbiModule_File(ABI_NGI32), "an export g_FastProc", "");
        for (uint32_t k = 0; k < ABI_NGI32_FASTPROC_COUNT && !status; k++) {
            ProbeSlot *slot = &report->slots[k];
            uint32_t rva, module;
            Pair_Locate(&host->pair, Pair_Slot(&host->pair, k), &rva, &module);
            ProbeRoutine *routine =
                module < ABI_MODULE_COUNT ? FindRoutine(slot, (AbiModule)module, rva) : NULL;
            if (!routine)
                continue;
            routine->classes = (uint8_t)(routine->classes | 1u << i);
            if (i == 0)
                slot->live = (uint32_t)(routine - slot->routines);
        }
        Host_Close(host);
    }
    free(host);
    report->has_table = !status;
    if (status == RP_CRASHED || status == RP_UNSUPPORTED) {
        RpError_Format(&own, report->table_refusal, sizeof report->table_refusal);
        return RP_OK;
    }
    if (status && probe->error)
        *probe->error = own;
    return status;
}

/* Blocks of code in the published version (facts/ngi32.md B.2). */
static const char *Family(uint32_t rva) {
    static const struct {
        uint32_t first, last;
        const char *name;
    } families[] = {{0x14000, 0x14FFF, "0x14xxx, generic"},
                    {0x15D80, 0x15D80, "0x15D80 and 0x1Dxxx, SSE"},
                    {0x17000, 0x17FFF, "0x17xxx, second scalar"},
                    {0x1B000, 0x1CFFF, "0x1Bxxx to 0x1Cxxx, hand-written"},
                    {0x1D000, 0x1DFFF, "0x15D80 and 0x1Dxxx, SSE"},
                    {0x1F000, 0x20FFF, "0x1Fxxx to 0x20xxx, scalar"},
                    {0x24000, 0x24FFF, "0x24xxx, scalar"}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (rva >= families[i].first && rva <= families[i].last)
            return families[i].name;
    return "";
}

static OverlayBuild BuildOf(const Probe *probe, const ProbeSlot *slot,
                            const ProbeRoutine *routine) {
    if (routine->facts.xmm)
        return OVERLAY_BUILD_SSE;
    if (slot->function && probe->report->known_layout[ABI_NGI32] && routine->rva) {
        if (routine->rva == slot->function->rva)
            return OVERLAY_BUILD_GENERIC;
        if (routine->rva == slot->function->rva_fxch)
            return OVERLAY_BUILD_FXCH;
    }
    return routine->classes & 1u << CLASS_NO_EXTENSION ? OVERLAY_BUILD_GENERIC
                                                       : OVERLAY_BUILD_UNKNOWN;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns whether the function begins where the tables say, so that the host may call it. */
static bool IsEntry(const Probe *probe, const ProbeRow *row) {
    const AbiFunction *function = row->function;
    bool stands_in = probe->report->provider.files[function->module] == PROVIDER_STANDIN;
    return (stands_in || function->entry_evidence == ABI_READ) &&
           KnownVersion_IsFunctionStart(&probe->files[function->module], row->rva);
}

static RpStatus MakeRows(Probe *probe) {
    ProbeReport *report = probe->report;
    report->rows = calloc(abi_function_count, sizeof *report->rows);
    if (!report->rows)
        return RpError_Set(probe->error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a report", "", "",
                           "");
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        const bool listed = function->kind == ABI_SLOT || function->kind == ABI_INTERNAL ||
                            (function->kind == ABI_EXPORT && function->provider != ABI_DATA);
        if (!listed || !Selection_HasFunction(probe->options->functions, function))
            continue;

        /* Where it is: a slot's routine in the table, an export by its name, and any other function
         * at its published address. */
        ProbeRow *row = &report->rows[report->row_count++];
        const PeFile *file = &probe->files[function->module];
        row->function = function;
        if (function->kind == ABI_SLOT && report->slots[function->index].routine_count == 0) {
            row->missing = "nothing names a routine of it";
        } else if (function->kind == ABI_SLOT) {
            const ProbeSlot *slot = &report->slots[function->index];
            const ProbeRoutine *routine = &slot->routines[slot->live];
            row->rva = routine->rva;
            row->facts = routine->facts;
            row->has_facts = true;
            row->build = routine->build;
        } else if (function->kind == ABI_EXPORT) {
            const PeExport *found = Pe_FindExport(file, function->name);
            row->rva = found && !found->forwarder ? found->rva : 0;
            row->missing = !found ? "not exported by name" : found->forwarder ? "forwarded" : NULL;
        } else if (!report->known_layout[function->module]) {
            row->missing = "its address is published for another version only";
        } else {
            row->rva = function->rva;
        }

        /* What its code says. */
        if (row->rva && !row->has_facts)
            row->has_facts = ProbeStatic_Analyse(file, row->rva, &row->facts, NULL) == RP_OK;
        if (row->rva && !row->has_facts)
            row->missing = "no code is at its address";
    }
    return RP_OK;
}

/* ---- calling --------------------------------------------------------------------------------- */

static ProbeTrials Trials(const Probe *probe) {
    return (ProbeTrials){.pair = &probe->pair,
                         .reference = probe->options->reference ? &probe->own : NULL,
                         .force_cpu = -1,
                         .seed = probe->options->seed,
                         .base = &probe->base,
                         .cases = probe->cases};
}

static RpStatus FindInPlace(Probe *probe, ProbeRow *row, bool only_fitting) {
    ProbeTrials trials = Trials(probe);
    trials.only_fitting = only_fitting;
    return ProbeDynamic_Find(&trials, row->has_facts ? &row->facts : NULL, &row->finding,
                             probe->error);
}

/* Tries the published address; then other addresses; then the published one again, called in
 * ways that its code does not suggest. */
static RpStatus CallInternal(Probe *probe, ProbeRow *row) {
    ProbeRow before = *row;
    bool in_place = row->rva && row->has_facts && IsEntry(probe, row);
    RpStatus status = in_place ? FindInPlace(probe, row, true) : RP_OK;
    if (status || row->finding.verdict == PROBE_FOUND || row->finding.verdict == PROBE_BROKEN)
        return status;

    AbiModule module = row->function->module;
    ProbeTrials trials = Trials(probe);
    ProbeStatic facts;
    uint32_t rva = 0;
    if (!probe->searches[module])
        status = ProbeSearch_Open(&probe->files[module], &probe->searches[module], probe->error);
    if (!status)
        status = ProbeSearch_Find(probe->searches[module], &trials, row->function, &rva, &facts,
                                  &row->finding, probe->error);
    if (status || row->finding.verdict != PROBE_FOUND) {
        row->rva = 0;
        row->missing = "it is not where the tables have it";
    } else {
        row->rva = rva;
        row->facts = facts;
        row->has_facts = row->searched = true;
        row->missing = NULL;
    }

    if (status || row->finding.verdict == PROBE_FOUND || !in_place)
        return status;
    ProbeFinding search = row->finding;
    *row = before;
    status = FindInPlace(probe, row, false);
    if (!status && row->finding.verdict != PROBE_FOUND) {
        row->rva = 0;
        row->missing = "what is at its published address is not it";
        row->finding = search;
    }
    return status;
}

static RpStatus CallInPlace(Probe *probe, ProbeRow *row) {
    RpStatus status = FindInPlace(probe, row, false);
    if (row->function->kind != ABI_SLOT || row->finding.verdict != PROBE_FOUND)
        return status;

    /* The other builds of a slot should be called in the same way. */
    ProbeSlot *slot = &probe->report->slots[row->function->index];
    for (uint32_t i = 0; !status && i < slot->routine_count; i++) {
        ProbeRoutine *routine = &slot->routines[i];
        ProbeTrials trials = Trials(probe);
        uint32_t class = 1;
        while (class < PROBE_CLASSES && !(routine->classes & 1u << class))
            class ++;
        if (i == slot->live || class == PROBE_CLASSES)
            continue;
        trials.force_cpu = classes[class];
        status = ProbeDynamic_Check(&trials, &row->finding.call, &routine->check, probe->error);
    }
    return status;
}

/* Calls every function of which a formula is known. */
static RpStatus CallRows(Probe *probe) {
    ProbeReport *report = probe->report;
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < report->row_count; i++) {
        ProbeRow *row = &report->rows[i];
        if (probe->options->progress)
            probe->options->progress(probe->options->context, i, report->row_count);

        /* If a function changes an object, its inputs would be whole objects, and only scenarios
         * know which of them make sense. */
        Signature signature;
        if (Signature_Parse(row->function, &signature, NULL) == RP_OK &&
            Signature_StateParam(&signature) >= 0) {
            snprintf(row->finding.words, sizeof row->finding.words,
                     "not called: it changes an object in place");
            continue;
        }
        if (!ProbeCases_Known(row->function)) {
            snprintf(row->finding.words, sizeof row->finding.words, "no formula is known");
            continue;
        }

        /* Functions that are not exported are searched for. */
        const bool internal = row->function->kind == ABI_INTERNAL;
        if (!internal && (!row->rva || !row->has_facts))
            continue;
        RpError own = {0};
        ProbeTrials trials = Trials(probe);
        status = Signature_Parse(row->function, &probe->signature, &own);
        if (!status)
            status = ProbeCases_Make(&probe->signature, trials.seed, PROBE_CASES, trials.reference,
                                     &probe->cases, &own);
        if (status == RP_NOT_FOUND) {
            snprintf(row->finding.words, sizeof row->finding.words, "%s", own.what);
            status = RP_OK;
            continue;
        }
        if (!status)
            status = internal ? CallInternal(probe, row) : CallInPlace(probe, row);
        else if (probe->error)
            *probe->error = own;
        ProbeCases_Free(probe->cases);
        probe->cases = NULL;
    }
    return status;
}

/* ---- looking --------------------------------------------------------------------------------- */

/* Lifts every function that was found, called as it was found. A pair that cannot be lifted has
 * been called all the same, so only missing memory is an error. */
static RpStatus LookAtRows(Probe *probe) {
    ProbeReport *report = probe->report;
    LiftSetup setup = LiftSetup_Default();
    LiftPairs pairs = {.graph = NULL};
    LiftInputs *inputs = NULL;
    Overlay found;
    RpBuffer text;
    setup.processor = "this";
    setup.build = PROVIDER_SLOTS_BY_CLASS;
    Overlay_Init(&found, NULL);
    RpBuffer_Init(&text, NULL);
    RpStatus status = Probe_Merge(report, &found, probe->error);
    if (!status)
        status = Overlay_Format(&found, &text, probe->error);
    if (!status)
        status = LiftInputs_Open(&inputs, probe->error);
    LiftFiles files = {.overlay = (const char *)text.bytes, .overlay_size = text.size};
    memcpy(files.files, probe->pair.files, sizeof files.files);
    if (!status)
        status = LiftPairs_Open((const LiftFiles *const[LIFT_SIDES]){&files, NULL}, &setup, &pairs,
                                probe->error);
    for (size_t i = 0; i < report->row_count && !status; i++)
        if (report->rows[i].finding.verdict == PROBE_FOUND)
            status = ProbeSeen_Find(pairs.sides[LIFT_ORIGINAL], inputs, report->rows[i].function,
                                    &report->rows[i].seen, probe->error);
    LiftPairs_Close(&pairs);
    LiftInputs_Close(inputs);
    RpBuffer_Free(&text);
    Overlay_Free(&found);
    return status == RP_NO_MEMORY ? status : RP_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Only the function itself may be redirected, and not something else at its address. So the
 * formula must have confirmed it, or where there is none, the code at the published address must
 * be whole. */
static bool MayBeRedirected(const Probe *probe, const ProbeRow *row) {
    const AbiFunction *function = row->function;
    if (function->kind != ABI_INTERNAL || function->provider == ABI_ABSENT || !row->rva ||
        !row->has_facts)
        return false;
    if (row->finding.verdict == PROBE_FOUND)
        return true;
    bool judged = probe->report->has_table && ProbeCases_Known(function);
    return !judged && IsEntry(probe, row) && row->facts.returns;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static RpStatus RunProbe(Probe *probe, const char *directory) {
    ProbeReport *report = probe->report;

    Provider *provider = &probe->report->provider;
    RpStatus status = Provider_Open(directory, provider, probe->error);
    if (!status && (!provider->directory[0] || provider->files[ABI_NGI32] == PROVIDER_REPLACEMENT ||
                    provider->files[ABI_ANIMESH] == PROVIDER_REPLACEMENT))
        status = RpError_Set(probe->error, RP_UNSUPPORTED, RP_NOWHERE,
                             "how our own DLLs are called is known", directory,
                             "a pair of originals", "");
    if (!status) /* nothing that an older run found may decide */
        status = Provider_UseOverlay(provider, NULL, probe->error);
    if (!status)
        status = OpenPair(probe);
    if (status)
        return status;

    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++)
        for (size_t k = 0; !report->slots[i].function && k < abi_function_count; k++)
            if (abi_functions[k].kind == ABI_SLOT && abi_functions[k].index == (int)i)
                report->slots[i].function = &abi_functions[k];
    if (!probe->options->static_only)
        status = ReadTables(probe);

    const PeExport *table = Pe_FindExport(&probe->files[ABI_NGI32], "g_FastProc");
    ProbeStore *stores = calloc(MAX_STORES, sizeof *stores);
    if (!table || !stores) {
        free(stores);
    } else {
        uint32_t count = ProbeStatic_FindStores(&probe->files[ABI_NGI32], table->rva,
                                                ABI_NGI32_FASTPROC_COUNT, stores, MAX_STORES);
        for (uint32_t i = 0; i < count && i < MAX_STORES; i++) {
            ProbeRoutine *routine =
                FindRoutine(&probe->report->slots[stores[i].slot], ABI_NGI32, stores[i].code);
            if (routine && !routine->stored_at)
                routine->stored_at = stores[i].rva;
        }
        probe->report->stores = count;
        free(stores);
    }

    for (uint32_t i = 0; i < ABI_NGI32_FASTPROC_COUNT; i++) {
        ProbeSlot *slot = &probe->report->slots[i];
        for (uint32_t k = 0; k < slot->routine_count; k++) {
            ProbeRoutine *routine = &slot->routines[k];
            ProbeStatic_Analyse(&probe->files[routine->module], routine->rva, &routine->facts,
                                NULL);
            routine->build = BuildOf(probe, slot, routine);
            routine->family = probe->report->known_layout[ABI_NGI32] ? Family(routine->rva) : "";
        }
    }

    if (!status)
        status = MakeRows(probe);
    if (!status && report->has_table)
        status = CallRows(probe);
    if (!status && report->has_table)
        status = LookAtRows(probe);
    if (!status) {
        for (size_t i = 0; i < probe->report->row_count; i++) {
            ProbeRow *row = &probe->report->rows[i];
            if (MayBeRedirected(probe, row))
                row->has_entry = ProbeStatic_Entry(&probe->files[row->function->module], row->rva,
                                                   &row->entry, NULL) == RP_OK;
        }
    }

    return status;
}

RpStatus Probe_Run(const char *directory, const ProbeOptions *options, ProbeReport *report,
                   RpError *error) {
    Probe *probe = calloc(1, sizeof *probe);
    memset(report, 0, sizeof *report);
    if (!probe)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for probing", "", "", "");
    probe->options = options;
    probe->report = report;
    probe->error = error;
    Overlay_Init(&probe->base, NULL);
    RpStatus status = RunProbe(probe, directory);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        ProbeSearch_Close(probe->searches[i]);
    Provider_CloseFiles(probe->files);
    Provider_CloseFiles(probe->own_files);
    Overlay_Free(&probe->base);
    free(probe);
    if (status)
        Probe_Free(report);
    return status;
}

void Probe_Free(ProbeReport *report) {
    free(report->rows);
    report->rows = NULL;
    report->row_count = 0;
}

/* ---- overlay --------------------------------------------------------------------------------- */

RpStatus Probe_Merge(const ProbeReport *report, Overlay *overlay, RpError *error) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Overlay_SetModule(overlay, (AbiModule)i, report->sizes[i], report->provider.sha256[i]);
    for (size_t i = 0; i < report->row_count; i++) {
        const ProbeRow *row = &report->rows[i];
        OverlayCall call = row->finding.call;
        const bool found = row->finding.verdict == PROBE_FOUND;

        /* The machine code alone decides a call if there is one candidate, or one that only adds
         * arguments that nobody reads. Where there is a formula, it must agree as well. */
        Signature signature;
        OverlayCall usual;
        ProbeCandidates candidates;
        bool decided = false;
        if (!found && row->has_facts && row->facts.whole && row->facts.pops_known &&
            !ProbeCases_Known(row->function) && row->function->params_evidence != ABI_UNKNOWN &&
            !Signature_Parse(row->function, &signature, NULL) &&
            !Overlay_CallOf(NULL, row->function, &usual, NULL) &&
            !ProbeCandidates_Make(&signature, &usual, &row->facts, &candidates, NULL)) {
            bool reads = false;
            for (int place = 0; place < PROBE_PLACES; place++)
                reads |= row->facts.uses[place] != 0;
            decided = candidates.count == 1 || (candidates.count > 1 && !reads);
            if (decided)
                call = candidates.calls[0];
            ProbeCandidates_Free(&candidates);
        }
        if (!found && !decided && !row->has_entry && !(row->function->kind == ABI_SLOT && row->rva))
            continue;

        OverlayFunction *line = Overlay_Add(overlay, row->function);
        if (!line)
            return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for an overlay", "", "",
                               "");
        line->rva = row->rva;
        line->build = row->build;

        /* How it is called. */
        line->has_call = found || decided;
        line->evidence = 0;
        line->cases = found ? row->finding.cases : 0;
        if (line->has_call) {
            line->convention = call.convention;
            line->param_count = call.param_count;
            memcpy(line->order, call.order, sizeof line->order);
            line->evidence = (uint8_t)((found ? OVERLAY_DYNAMIC : 0) |
                                       (decided || row->facts.whole ? OVERLAY_STATIC : 0));
        }

        /* How its entry is recognised and redirected. */
        line->signature_bytes = row->has_entry ? row->entry.signature_bytes : 0;
        line->entry_bytes = row->has_entry ? row->entry.entry_bytes : 0;
        if (row->has_entry)
            memcpy(line->signature, row->entry.sha256, sizeof line->signature);
    }
    return RP_OK;
}
