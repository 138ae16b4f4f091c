/* Runs pairs of DLLs for other programs: the first part of retropose/machine.h. */
#include "machine/translator/translator.h"
#include "replay/coverage/reached_blocks.h"
#include "replay/host/host_runner.h"
#include "retropose/fastproc.h"
#include "retropose/machine.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INSTRUCTIONS 4000000000u
#define MOST_MEMORY       0x20000000u
#define MEMORY_LIMIT      0xC0000000u
#define STACK_BYTES       0x100000u
#define LEAST_STACK       0x10000u
#define MOST_STACK        0x10000000u
#define POOL_ALLOCATION   0x1000u /* larger allocations get pages of their own */
#define MXCSR_RESERVED    0xFFFF0000u
#define PROGRESS_CALLS    64u

static_assert((int)RP_MODULE_COUNT == ABI_MODULE_COUNT && (int)RP_MODULE_NGI32 == ABI_NGI32,
              "the modules are those of the tables");

struct RpPair {
    Guest guest;
    Pair pair;
    HostOptions options;
    bool trust;
    int force_cpu;
    bool has_ended; /* a call exited or timed out */
    char description[256];
    /* indexed by the row of abi_functions; null while there are none */
    char (*reasons)[sizeof((InvokeFrame *)0)->reason];
    ReachedFile *reached; /* null without the option `coverage` */
    size_t reached_size;
    Coverage coverage; /* has no side until somebody asks what the runs have reached */
};

RpPairOptions RpPairOptions_Default(void) {
    return (RpPairOptions){.engine = RP_PAIR_INTERPRETER,
                           .force_cpu = -1,
                           .most_instructions = MOST_INSTRUCTIONS,
                           .most_memory = MOST_MEMORY,
                           .stack_bytes = STACK_BYTES};
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Makes room for the marks of both images. */
static RpStatus AddMarks(RpPair *pair, RpError *error) {
    size_t size = sizeof *pair->reached;
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        const uint32_t bytes = pair->pair.files[module].image_size;
        if (bytes > COVERAGE_MOST_BYTES)
            return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                               "the image is too large for coverage",
                               AbiModule_File((AbiModule)module), "at most 256 MiB", "");
        size += bytes;
    }
    pair->reached = calloc(1, size);
    if (!pair->reached)
        return RpMemory_Refused(error, "no memory for the coverage");
    pair->reached_size = size;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        pair->reached->bytes[module] = pair->pair.files[module].image_size;
    return RP_OK;
}

RpStatus RpPair_Open(const void *ngi32, size_t ngi32_size, const void *animesh, size_t animesh_size,
                     const RpPairOptions *options, RpPair **result, RpError *error) {
    *result = NULL;
    RpPair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return RpMemory_Refused(error, "no memory for a pair");
    pair->options.files[ABI_NGI32] = (PairFile){"Ngi32.dll", ngi32, ngi32_size};
    pair->options.files[ABI_ANIMESH] = (PairFile){"AniMesh.dll", animesh, animesh_size};

    const RpPairOptions defaults = RpPairOptions_Default();
    const RpPairOptions *asked = options ? options : &defaults;
    GuestOptions *guest = &pair->options.guest;
    const char *what = NULL;
    if (asked->processor && strcmp(asked->processor, "this") != 0) {
        guest->profile = MachineProfile_Find(asked->processor);
        if (!guest->profile)
            what = "there is no such processor";
    }
    if (asked->engine != RP_PAIR_INTERPRETER && asked->engine != RP_PAIR_TRANSLATOR)
        what = "there is no such engine";
    else if (asked->most_instructions == 0)
        what = "a call may execute no instruction";
    else if (asked->most_memory == 0 || asked->most_memory > MEMORY_LIMIT)
        what = "the memory of a pair is none, or above 3 GiB";
    else if (asked->stack_bytes < LEAST_STACK || asked->stack_bytes > MOST_STACK)
        what = "the stack of a pair is below 64 KiB or above 256 MiB";
    else if (asked->force_cpu < -1)
        what = "ForceCpu is below -1";
    RpStatus status = RP_OK;
    if (what)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, what,
                             asked->processor ? asked->processor : "", "", "");
    guest->interpreter = asked->engine == RP_PAIR_INTERPRETER;
    guest->takes_signals = true;
    guest->call_budget = asked->most_instructions;
    guest->most_memory = asked->most_memory;
    guest->stack_bytes = asked->stack_bytes;
    pair->trust = asked->trust;
    pair->force_cpu = asked->force_cpu;

    TraceHeader header;
    char force_cpu[16];
    TraceHeader_Init(&header);
    snprintf(force_cpu, sizeof force_cpu, "%d", pair->force_cpu);
    if (!status && pair->force_cpu >= 0)
        status = TraceHeader_Set(&header, "force-cpu", force_cpu, error);
    if (!status)
        status = Guest_Open(&pair->guest, &header, &pair->options.guest, error);
    if (!status)
        status = Pair_Load(&pair->pair, &pair->guest, pair->options.files, error);
    if (!status)
        status = Machine_Save(pair->guest.machine, error);
    if (!status && options && options->coverage)
        status = AddMarks(pair, error);
    if (status) {
        RpPair_Close(pair);
        return status;
    }
    Provider_Describe(&pair->pair.provider, pair->description, sizeof pair->description);
    *result = pair;
    return RP_OK;
}

void RpPair_Close(RpPair *pair) {
    if (!pair)
        return;
    Pair_Free(&pair->pair);
    Guest_Close(&pair->guest);
    free(pair->reasons);
    free(pair->reached);
    Coverage_Free(&pair->coverage);
    free(pair);
}

void RpPair_Facts(const RpPair *pair, RpPairFacts *facts) {
    const Provider *provider = &pair->pair.provider;
    const bool translates = Machine_Engine(pair->guest.machine) == MACHINE_TRANSLATOR;
    *facts = (RpPairFacts){.kind = Provider_Name(provider),
                           .description = pair->description,
                           .ngi32_sha256 = provider->sha256[ABI_NGI32],
                           .animesh_sha256 = provider->sha256[ABI_ANIMESH],
                           .is_published = provider->known_version,
                           .engine = translates ? "machine" : "interpreter",
                           .processor = pair->guest.profile->name,
                           .is_software = RpFpu_IsIdeal()};
}

/* ---- calling ----------------------------------------------------------------------------------
 */

uint32_t RpPair_Export(const RpPair *pair, RpModule module, const char *name) {
    if ((unsigned)module >= RP_MODULE_COUNT)
        return 0;
    return Guest_Export(&pair->guest, pair->pair.modules[module], name);
}

uint32_t RpPair_Slot(const RpPair *pair, uint32_t slot) {
    return Pair_Slot(&pair->pair, slot);
}

uint32_t RpPair_Allocate(RpPair *pair, uint32_t size) {
    if (size <= POOL_ALLOCATION)
        return Guest_Allocate(&pair->guest, size);
    return MachineMemory_Map(pair->guest.memory, 0, size, MACHINE_READ | MACHINE_WRITE);
}

static RpStatus CannotAccess(const char *what, uint32_t fault, RpError *error) {
    char where[32];
    snprintf(where, sizeof where, "address 0x%08X", (unsigned)fault);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, where, "", "");
}

RpStatus RpPair_Read(const RpPair *pair, uint32_t address, void *bytes, size_t size,
                     RpError *error) {
    uint32_t fault = address;
    if (size <= UINT32_MAX && MachineMemory_Read(pair->guest.memory, address, bytes, (uint32_t)size,
                                                 MACHINE_READ, &fault))
        return RP_OK;
    return CannotAccess("the pair cannot read this memory", fault, error);
}

RpStatus RpPair_Write(RpPair *pair, uint32_t address, const void *bytes, size_t size,
                      RpError *error) {
    uint32_t fault = address;
    if (size <= UINT32_MAX &&
        MachineMemory_Write(pair->guest.memory, address, bytes, (uint32_t)size, &fault))
        return RP_OK;
    return CannotAccess("the pair cannot write this memory", fault, error);
}

RpStatus RpPair_Call(RpPair *pair, RpPairCall *call, RpError *error) {
    InvokeFrame *frame = pair->guest.frame;
    if (call->argument_count > RP_PAIR_MOST_ARGUMENTS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a call has too many arguments", "",
                           "at most 64", "");
    if (pair->has_ended)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "an earlier call has exited or timed out",
                           "", "RpPair_Restore in between", "");
    *frame = (InvokeFrame){.function = call->function,
                           .stack = call->arguments,
                           .stack_count = call->argument_count,
                           .in_ecx = call->ecx,
                           .in_edx = call->edx,
                           .control_in = call->control_word,
                           .mxcsr_in = call->mxcsr & ~MXCSR_RESERVED,
                           .returns_float = 1};
    Invoke_Guarded(&pair->guest);

    call->outcome = (RpTraceOutcome)frame->outcome;
    call->eax = frame->eax;
    call->edx_after = Machine_Context(pair->guest.machine)->registers.general[MACHINE_EDX];
    memcpy(call->st0, frame->st0, sizeof call->st0);
    call->returned_float = frame->x87_clean;
    call->control_word_after = (uint16_t)frame->control_out;
    call->mxcsr_after = frame->mxcsr_out;
    call->popped = frame->esp_after - frame->esp_before;
    call->exit_code = frame->exit_code;
    call->reason = frame->reason;
    call->exception = call->offset = 0;
    call->module = RP_MODULE_COUNT;
    if (frame->outcome == TRACE_CRASHED) {
        uint32_t module;
        call->exception = frame->fault_code;
        Pair_Locate(&pair->pair, frame->fault_address, &call->offset, &module);
        call->module = (RpModule)module;
        if (module == ABI_MODULE_COUNT)
            call->offset = frame->fault_address;
    }
    pair->has_ended = frame->outcome == TRACE_EXITED || frame->outcome == TRACE_TIMED_OUT;
    return RP_OK;
}

RpStatus RpPair_Restore(RpPair *pair, RpError *error) {
    RpStatus status = Machine_Restore(pair->guest.machine, error);
    if (status)
        return status;
    Guest_DropAllocations(&pair->guest);
    pair->has_ended = false;
    return RP_OK;
}

/* ---- the calls of a trace ---------------------------------------------------------------------
 */

RpStatus RpPair_Run(RpPair *pair, const void *trace, size_t size,
                    bool (*progress)(void *context, uint64_t done, uint64_t total), void *context,
                    RpBuffer *executed, RpError *error) {
    HostRunner *runner = calloc(1, sizeof *runner);
    if (!pair->reasons)
        pair->reasons = calloc(abi_function_count, sizeof *pair->reasons);
    if (!runner || !pair->reasons) {
        free(runner);
        return RpMemory_Refused(error, "no memory for a run");
    }
    for (size_t i = 0; i < abi_function_count; i++)
        pair->reasons[i][0] = 0;
    Coverage_Free(&pair->coverage);
    *runner = (HostRunner){.options = &pair->options,
                           .reached = pair->reached,
                           .reached_size = pair->reached_size,
                           .trust = pair->trust,
                           .most_endings = PROVIDER_MOST_ENDINGS};
    TraceReader **reader = &runner->calls.reader;
    RpStatus status = TraceReader_OpenBuffer(trace, size, "the trace", reader, error);
    if (status) {
        free(runner);
        return status;
    }

    /* This holds the translator with one system call for the whole run instead of some for each
     * call. Where the host refuses, each call does it by itself. */
    const bool holds = !pair->options.guest.interpreter && Translator_Hold();
    TraceHeader header = *TraceReader_Header(*reader);
    status = HostRunner_Open(runner, error);
    if (!status)
        status = Host_StatePair(&runner->host, &header, error);
    if (!status)
        status = TraceWriter_CreateBuffer(executed, &header, &runner->calls.writer, error);

    /* Each call is written with its outcome. */
    const uint64_t total = TraceReader_CallCount(*reader);
    bool found = true;
    for (uint64_t done = 0; !status && found; done++) {
        TraceCall call;
        if (progress && done % PROGRESS_CALLS == 0 && !progress(context, done, total)) {
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the run was stopped", "", "", "");
            break;
        }
        status = HostRunner_Next(runner, &call, &found, error);
        if (status || !found)
            break;
        char *reason = pair->reasons[call.function - abi_functions];
        if (!reason[0]) /* the first one is kept */
            memcpy(reason, runner->reason, sizeof runner->reason);
        status = TraceWriter_Call(runner->calls.writer, &call, error);
    }
    if (status)
        TraceWriter_Abandon(runner->calls.writer);
    else
        status = TraceWriter_Close(runner->calls.writer, error);
    HostRunner_Close(runner);
    if (holds)
        Translator_Release();
    TraceReader_Close(*reader);
    free(runner);
    return status;
}

const char *RpPair_Reason(const RpPair *pair, const char *function) {
    const AbiFunction *row = Abi_Find(function);
    return row && pair->reasons ? pair->reasons[row - abi_functions] : "";
}

/* ---- coverage -------------------------------------------------------------------------------- */

RpStatus RpPair_Coverage(RpPair *pair, const char *function, RpPairCoverage *counts,
                         RpError *error) {
    *counts = (RpPairCoverage){.blocks = 0};
    if (!pair->reached)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the pair notes no coverage", "",
                           "a pair that was opened with the option `coverage`", "");
    if (pair->coverage.side_count == 0) {
        bool is_ours[ABI_MODULE_COUNT];
        for (int i = 0; i < ABI_MODULE_COUNT; i++) {
            const ProviderKind kind = pair->pair.provider.files[i];
            is_ours[i] = kind == PROVIDER_STANDIN || kind == PROVIDER_REPLACEMENT;
        }
        const RpStatus status =
            ReachedBlocks_Add(&pair->coverage, "", pair->reached, pair->pair.files, is_ours, error);
        if (status) {
            Coverage_Free(&pair->coverage);
            return status;
        }
    }
    const CoverageSide *side = &pair->coverage.sides[0];
    CoverageCounts found = {.blocks = 0};
    if (!function)
        found = Coverage_CountAll(side);
    for (size_t i = 0; function && i < side->function_count; i++)
        if (strcmp(side->functions[i].function->key, function) == 0)
            found = Coverage_Count(side, &side->functions[i]);
    *counts =
        (RpPairCoverage){found.blocks, found.blocks_reached, found.sides, found.sides_reached};
    return RP_OK;
}
