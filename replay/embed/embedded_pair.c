/* Runs pairs of DLLs for other programs: the first part of retropose/machine.h. */
#include "core/bytes.h"
#include "machine/translator/translator.h"
#include "replay/host/host.h"
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

/* One run of a trace. */
typedef struct Run {
    RpPair *pair;
    Host host;
    HostRun calls;
    TraceHeader header; /* the header of the input */
    uint64_t done;
    uint32_t endings;
} Run;

static RpStatus RunCall(Run *run, TraceCall *call, RpError *error) {
    Guest *guest = &run->host.guest;
    uint8_t exit_code[4];
    if (run->endings == PROVIDER_MOST_ENDINGS) {
        TraceCall_EndWithout(call, TRACE_NOT_CALLED, NULL, 0);
        return TraceWriter_Call(run->calls.writer, call, error);
    }
    RpStatus status = Execute_Call(&run->host.executor, call, run->pair->trust, NULL, 0, error);
    if (status)
        return status;
    char *reason = run->pair->reasons[call->function - abi_functions];
    if (guest->frame->reason[0] && !reason[0]) /* the first one is kept */
        memcpy(reason, guest->frame->reason, sizeof run->pair->reasons[0]);
    if (call->outcome != TRACE_EXITED && call->outcome != TRACE_TIMED_OUT)
        return TraceWriter_Call(run->calls.writer, call, error);

    /* Nobody knows what the pair was doing when the call ended, so the other calls get a fresh
     * pair. */
    Bytes_PutU32(exit_code, guest->frame->exit_code);
    TraceCall_EndWithout(call, (TraceOutcome)call->outcome, exit_code,
                         call->outcome == TRACE_EXITED ? sizeof exit_code : 0);
    status = TraceWriter_Call(run->calls.writer, call, error);
    run->endings++;
    Host_Close(&run->host);
    RpStatus opened = Host_Open(&run->host, &run->header, &run->pair->options, error);
    return status ? status : opened;
}

RpStatus RpPair_Run(RpPair *pair, const void *trace, size_t size,
                    bool (*progress)(void *context, uint64_t done, uint64_t total), void *context,
                    RpBuffer *executed, RpError *error) {
    Run *run = calloc(1, sizeof *run);
    if (!pair->reasons)
        pair->reasons = calloc(abi_function_count, sizeof *pair->reasons);
    if (!run || !pair->reasons) {
        free(run);
        return RpMemory_Refused(error, "no memory for a run");
    }
    for (size_t i = 0; i < abi_function_count; i++)
        pair->reasons[i][0] = 0;
    run->pair = pair;
    run->calls.last = UINT64_MAX;
    RpStatus status = TraceReader_OpenBuffer(trace, size, "the trace", &run->calls.reader, error);
    if (!status) {
        run->header = *TraceReader_Header(run->calls.reader);
        /* This holds the translator with one system call for the whole run instead of some for each
         * call. Where the host refuses, each call does it by itself. */
        const bool holds = !pair->options.guest.interpreter && Translator_Hold();
        TraceHeader header = run->header;
        status = Host_Open(&run->host, &run->header, &pair->options, error);
        if (!status)
            status = Host_StatePair(&run->host, &header, error);
        if (!status)
            status = TraceWriter_CreateBuffer(executed, &header, &run->calls.writer, error);
        const uint64_t total = TraceReader_CallCount(run->calls.reader);
        for (bool next = true; !status && next;) {
            TraceCall call;
            if (progress && run->done % PROGRESS_CALLS == 0 &&
                !progress(context, run->done, total)) {
                status =
                    RpError_Set(error, RP_INVALID, RP_NOWHERE, "the run was stopped", "", "", "");
                break;
            }
            status = HostRun_Next(&run->calls, &run->host, &call, &next, error);
            if (!status && next)
                status = RunCall(run, &call, error);
            run->done += !status && next;
        }
        if (status)
            TraceWriter_Abandon(run->calls.writer);
        else
            status = TraceWriter_Close(run->calls.writer, error);
        Host_Close(&run->host);
        if (holds)
            Translator_Release();
        TraceReader_Close(run->calls.reader);
    }
    free(run);
    return status;
}

const char *RpPair_Reason(const RpPair *pair, const char *function) {
    const AbiFunction *row = Abi_Find(function);
    return row && pair->reasons ? pair->reasons[row - abi_functions] : "";
}
