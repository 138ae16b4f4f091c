#include "replay/lift/lift_function.h"

#include "core/bytes.h"
#include "exports/call_graph.h"
#include "retropose/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_BYTES   0x40000u /* of the machine: entry points of DLLs run on it, too */
#define STACK_LIFTED  0x8000u  /* of it, what a lifted call may use */
#define STACK_SCRATCH 256u     /* bytes above the arguments, which a callee may read or write */
/* Of one call that is not lifted: a function may hang on some input. */
#define MOST_INSTRUCTIONS 20000000u

struct LiftPair {
    Guest guest;
    Pair pair;
    LiftSetup setup;
    ExpressionGraph *graph;
    Lifter *lifter;
    uint32_t stack_top;
    bool has_cuts;
};

LiftSetup LiftSetup_Default(void) {
    return (LiftSetup){.processor = "pentium2",
                       .build = PROVIDER_SLOTS_GENERIC,
                       .readings = "",
                       .force_cpu = "",
                       .control = RP_GAMES_CONTROL_WORD,
                       .mxcsr = TRACE_GAMES_MXCSR};
}

const char *LiftSetup_BuildName(const LiftSetup *setup) {
    static const char *const names[PROVIDER_SLOTS_COUNT] = {"class", "generic", "fxch", "sse"};
    return names[setup->build];
}

/* ---- the pair -------------------------------------------------------------------------------- */

RpStatus LiftPair_Open(const LiftFiles *files, const LiftSetup *setup, ExpressionGraph *graph,
                       LiftPair **result, RpError *error) {
    *result = NULL;
    LiftPair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a pair", "", "", "");
    pair->setup = *setup;
    pair->graph = graph;

    const GuestOptions options = {.interpreter = true,
                                  .takes_signals = true,
                                  .profile = MachineProfile_Find(setup->processor),
                                  .call_budget = MOST_INSTRUCTIONS,
                                  .stack_bytes = STACK_BYTES};
    TraceHeader header;
    TraceHeader_Init(&header);
    RpStatus status = RP_OK;
    if (!options.profile)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such processor",
                             setup->processor, MACHINE_PROFILES, "");
    if (!status && setup->readings[0])
        status = TraceHeader_Set(&header, "hypotheses", setup->readings, error);
    if (!status && setup->force_cpu[0])
        status = TraceHeader_Set(&header, "force-cpu", setup->force_cpu, error);
    if (!status)
        status = Guest_Open(&pair->guest, &header, &options, error);
    if (!status)
        status = Pair_Load(&pair->pair, &pair->guest, files->files, error);
    if (!status && files->overlay)
        status = Pair_LoadOverlay(&pair->pair, files->overlay, files->overlay_size, error);
    if (!status)
        status = Pair_UseBuilds(&pair->pair, setup->build, error);
    if (!status && MachineMemory_Map(pair->guest.memory, LIFT_AREA, LIFT_AREA_BYTES,
                                     MACHINE_READ | MACHINE_WRITE) != LIFT_AREA)
        status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no room for a function's parameters",
                             "", "free addresses from 0x3E800000 on", "");
    if (!status)
        status = Lifter_Create(pair->guest.machine, graph, &pair->lifter, error);
    if (status) {
        LiftPair_Close(pair);
        return status;
    }
    uint32_t lowest;
    Machine_Stack(pair->guest.machine, &lowest, &pair->stack_top);
    *result = pair;
    return RP_OK;
}

void LiftPair_Close(LiftPair *pair) {
    if (!pair)
        return;
    Lifter_Destroy(pair->lifter);
    Pair_Free(&pair->pair);
    if (pair->guest.machine)
        Guest_Close(&pair->guest);
    free(pair);
}

const Provider *LiftPair_Provider(const LiftPair *pair) {
    return &pair->pair.provider;
}

bool LiftPair_HasBuilds(const LiftPair *pair) {
    return !pair->pair.build->unsupported;
}

const LiftSetup *LiftPair_Setup(const LiftPair *pair) {
    return &pair->setup;
}

ExpressionGraph *LiftPair_Graph(const LiftPair *pair) {
    return pair->graph;
}

uint32_t LiftPair_Address(LiftPair *pair, const AbiFunction *function) {
    return Pair_Function(&pair->pair, function, 0)->target;
}

AbiConvention LiftPair_Convention(LiftPair *pair, const AbiFunction *function) {
    return Pair_Function(&pair->pair, function, 0)->call.convention;
}

void LiftPair_Locate(const LiftPair *pair, uint32_t address, char *text, size_t size) {
    uint32_t offset, module;
    Pair_Locate(&pair->pair, address, &offset, &module);
    if (module < ABI_MODULE_COUNT)
        snprintf(text, size, "%s+%05" PRIX32, AbiModule_File((AbiModule)module), offset);
    else
        snprintf(text, size, "%08" PRIX32, address);
}

RpStatus LiftPairs_Open(const LiftFiles *const files[LIFT_SIDES], const LiftSetup *setup,
                        LiftPairs *pairs, RpError *error) {
    *pairs = (LiftPairs){.graph = ExpressionGraph_Create()};
    RpStatus status = pairs->graph ? RP_OK : RpMemory_Refused(error, "no memory for formulas");
    for (int side = 0; !status && side < LIFT_SIDES; side++)
        if (files[side])
            status = LiftPair_Open(files[side], setup, pairs->graph, &pairs->sides[side], error);
    if (status)
        LiftPairs_Close(pairs);
    return status;
}

void LiftPairs_Close(LiftPairs *pairs) {
    for (int side = 0; side < LIFT_SIDES; side++)
        LiftPair_Close(pairs->sides[side]);
    if (pairs->graph)
        ExpressionGraph_Destroy(pairs->graph);
    *pairs = (LiftPairs){.graph = NULL};
}

bool LiftPairs_HaveBuilds(const LiftPairs *pairs) {
    bool have = true;
    for (int side = 0; side < LIFT_SIDES; side++)
        have &= !pairs->sides[side] || LiftPair_HasBuilds(pairs->sides[side]);
    return have;
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* Returns whether a function calls another one that calls slots. Whole, it would have as many paths
 * as the numbers of paths of all that it calls, multiplied. */
static bool HasDeepCalls(const AbiFunction *function) {
    for (size_t i = 0; i < abi_call_count; i++)
        if (strcmp(abi_calls[i].caller, function->key) == 0)
            for (size_t k = 0; k < abi_call_count; k++)
                if (strcmp(abi_calls[k].caller, abi_calls[i].callee) == 0 &&
                    Abi_Find(abi_calls[k].callee)->kind == ABI_SLOT)
                    return true;
    return false;
}

/* Describes how a slot is called, for the lifter. Returns false for a slot whose parameters are not
 * all numbers. */
static bool DescribeCut(const Signature *signature, const OverlayCall *call, LiftCut *cut,
                        LiftCutRange ranges[SIGNATURE_MAX_PARAMS]) {
    const uint32_t registers = call->convention == ABI_FASTCALL   ? 2
                               : call->convention == ABI_THISCALL ? 1
                                                                  : 0;
    uint32_t used = 0;
    for (int i = 0; i < call->param_count; i++) {
        const SignatureParam *param = &signature->params[call->order[i]];
        const bool is_value = param->direction == SIGNATURE_VALUE;
        if (param->count_param >= 0 ||
            (param->type != SIGNATURE_F32 && param->type != SIGNATURE_I32 &&
             param->type != SIGNATURE_U32))
            return false;
        uint32_t place = cut->stack_words;
        if (used < registers && !(is_value && param->type == SIGNATURE_F32))
            place = used++ == 0 ? LIFT_CUT_ECX : LIFT_CUT_EDX;
        else
            cut->stack_words++;
        cut->takes_ecx |= is_value && place == LIFT_CUT_ECX;
        cut->takes_edx |= is_value && place == LIFT_CUT_EDX;
        if (!is_value)
            ranges[cut->range_count++] =
                (LiftCutRange){.pointer = place,
                               .size = param->count * param->element_bytes,
                               .read = param->direction != SIGNATURE_OUT,
                               .written = param->direction != SIGNATURE_IN};
    }
    cut->returns_float = signature->returns == SIGNATURE_F32;
    cut->returns_eax = signature->returns == SIGNATURE_U32 || signature->returns == SIGNATURE_I32 ||
                       signature->returns == SIGNATURE_REF;
    return true;
}

RpStatus LiftPair_CutCallees(LiftPair *pair, const AbiFunction *function, RpError *error) {
    const bool is_deep = HasDeepCalls(function);
    if (!is_deep && !pair->has_cuts)
        return RP_OK;
    Lifter_Destroy(pair->lifter);
    pair->lifter = NULL; /* also if no other one can be made */
    pair->has_cuts = is_deep;
    RpStatus status = Lifter_Create(pair->guest.machine, pair->graph, &pair->lifter, error);
    for (size_t i = 0; !status && is_deep && i < abi_function_count; i++) {
        const AbiFunction *slot = &abi_functions[i];
        const PairFunction *row =
            slot->kind == ABI_SLOT ? Pair_Function(&pair->pair, slot, 0) : NULL;
        Signature signature;
        LiftCutRange ranges[SIGNATURE_MAX_PARAMS];
        /* Slots that are one routine have one name, which is that of the body. */
        LiftCut cut = {.name = slot->body, .ranges = ranges};
        if (!row || !row->target || !Abi_Reaches(function, slot) ||
            !Signature_IsKnown(slot, &signature) ||
            !DescribeCut(&signature, &row->call, &cut, ranges))
            continue;
        cut.address = row->target;
        status = Lifter_AddCut(pair->lifter, &cut, error);
    }
    return status;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool IsMapped(const LiftInput *input) {
    for (uint32_t i = 0; i < input->part_count; i++) {
        const LiftPart *part = &input->parts[i];
        if (part->address != 0 && (part->address < LIFT_AREA ||
                                   part->size > LIFT_AREA_BYTES - (part->address - LIFT_AREA)))
            return false;
    }
    return true;
}

/* Where a call has an argument. */
typedef struct LiftArgument {
    const LiftPart *part;
    uint32_t word;
    int in_register; /* MACHINE_ECX, MACHINE_EDX, or -1: the next one on the stack */
} LiftArgument;

/* Finds out where the arguments go, as replay/host does. Returns how many there are. */
static int PlaceArguments(const LiftInput *input, const OverlayCall *call,
                          LiftArgument arguments[SIGNATURE_MAX_PARAMS]) {
    const int registers = call->convention == ABI_FASTCALL   ? 2
                          : call->convention == ABI_THISCALL ? 1
                                                             : 0;
    int used = 0;
    for (int i = 0; i < call->param_count; i++) {
        const SignatureParam *param = &input->signature->params[call->order[i]];
        const LiftPart *part = &input->parts[input->arguments[call->order[i]]];
        const bool is_value = part->address == 0;
        const bool is_in_register = used < registers && !(is_value && param->type == SIGNATURE_F32);
        arguments[i] =
            (LiftArgument){part, is_value ? Bytes_U32(input->bytes + part->first) : part->address,
                           !is_in_register ? -1
                           : used == 0     ? MACHINE_ECX
                                           : MACHINE_EDX};
        used += is_in_register;
    }
    return call->param_count;
}

/* Gives the function its arguments, in registers and on the stack. All other registers have values
 * that nobody may rely on. */
static RpStatus PutArguments(LiftPair *pair, const LiftInput *input, const OverlayCall *call,
                             RpError *error) {
    Lifter *lifter = pair->lifter;
    ExpressionGraph *graph = pair->graph;
    const LiftRegion stack = {.name = ExpressionGraph_Name(graph, "stack"),
                              .address = pair->stack_top - STACK_LIFTED,
                              .size = STACK_LIFTED,
                              .scratch = true,
                              .fixed = true};
    const uint32_t esp =
        ((pair->stack_top - STACK_SCRATCH - 4 * SIGNATURE_MAX_PARAMS) & ~15u) + 4 - 16;
    LiftArgument arguments[SIGNATURE_MAX_PARAMS];
    const int count = PlaceArguments(input, call, arguments);
    uint32_t at = esp;
    RpStatus status = Lifter_AddRegion(lifter, &stack, error);
    if (status)
        return status;
    Lifter_SetRegister(lifter, MACHINE_EAX, INVOKE_SENTINEL_EAX, NULL);
    Lifter_SetRegister(lifter, MACHINE_ECX, INVOKE_SENTINEL_EAX, NULL);
    Lifter_SetRegister(lifter, MACHINE_EDX, INVOKE_SENTINEL_EAX, NULL);
    Lifter_SetRegister(lifter, MACHINE_EBX, INVOKE_SENTINEL_EBX, NULL);
    Lifter_SetRegister(lifter, MACHINE_ESI, INVOKE_SENTINEL_ESI, NULL);
    Lifter_SetRegister(lifter, MACHINE_EDI, INVOKE_SENTINEL_EDI, NULL);
    Lifter_SetRegister(lifter, MACHINE_EBP, INVOKE_SENTINEL_EBP, NULL);
    Lifter_SetRegister(lifter, MACHINE_ESP, esp,
                       Expression_Address(graph, stack.name, esp - stack.address));
    for (int i = 0; i < count; i++) {
        const LiftPart *part = arguments[i].part;
        const uint32_t name = ExpressionGraph_Name(graph, part->name);
        const Expression *expression = part->address == 0 ? Expression_Input(graph, name, 0, 32)
                                                          : Expression_Address(graph, name, 0);
        if (arguments[i].in_register >= 0) {
            Lifter_SetRegister(lifter, (uint32_t)arguments[i].in_register, arguments[i].word,
                               expression);
            continue;
        }
        uint8_t stored[4];
        Bytes_PutU32(stored, arguments[i].word);
        if (!Lifter_WriteAs(lifter, at, stored, sizeof stored, expression))
            return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for an argument",
                               part->name, "", "");
        at += 4;
    }
    Lifter_SetControl(lifter, pair->setup.control, pair->setup.mxcsr);
    return RP_OK;
}

void LiftPair_Call(LiftPair *pair, const LiftInput *input) {
    const PairFunction *row = Pair_Function(&pair->pair, input->function, 0);
    LiftArgument arguments[SIGNATURE_MAX_PARAMS];
    uint32_t stack[SIGNATURE_MAX_PARAMS];
    InvokeFrame *frame = pair->guest.frame;
    if (!row->target || !IsMapped(input))
        return;
    Lifter_Begin(pair->lifter);
    *frame = (InvokeFrame){.function = row->target,
                           .stack = stack,
                           .in_ecx = INVOKE_SENTINEL_EAX,
                           .in_edx = INVOKE_SENTINEL_EAX,
                           .control_in = pair->setup.control,
                           .mxcsr_in = pair->setup.mxcsr};
    const int count = PlaceArguments(input, &row->call, arguments);
    for (int i = 0; i < count; i++)
        if (arguments[i].in_register == MACHINE_ECX)
            frame->in_ecx = arguments[i].word;
        else if (arguments[i].in_register == MACHINE_EDX)
            frame->in_edx = arguments[i].word;
        else
            stack[frame->stack_count++] = arguments[i].word;
    for (uint32_t i = 0; i < input->part_count; i++)
        if (input->parts[i].address != 0)
            MachineMemory_Write(pair->guest.memory, input->parts[i].address,
                                input->bytes + input->parts[i].first, input->parts[i].size, NULL);
    Invoke_Guarded(&pair->guest);
}

RpStatus LiftPair_Run(LiftPair *pair, const LiftInput *input, uint64_t instructions,
                      LiftPath **path, RpError *error) {
    const PairFunction *row = Pair_Function(&pair->pair, input->function, 0);
    *path = NULL;
    if (!row->target)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "a pair does not have a function",
                           input->function->key, "", Provider_Name(&pair->pair.provider));
    Lifter_Begin(pair->lifter);
    if (!IsMapped(input))
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "a call's inputs do not fit into the lifter's area",
                           input->function->key, "", "");

    /* The regions of the input: the memory of each part, with its bytes as unknown inputs, and with
     * pointers where it has links. */
    RpStatus status = RP_OK;
    for (uint32_t i = 0; !status && i < input->part_count; i++) {
        const LiftPart *part = &input->parts[i];
        if (part->address == 0 || part->size == 0)
            continue;
        const LiftRegion region = {.name = ExpressionGraph_Name(pair->graph, part->name),
                                   .address = part->address,
                                   .size = part->size};
        status = Lifter_AddRegion(pair->lifter, &region, error);
        if (!status && !Lifter_WriteUnknown(pair->lifter, part->address, input->bytes + part->first,
                                            part->size))
            status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a parameter",
                                 part->name, "", "");
    }
    for (uint32_t i = 0; !status && i < input->link_count; i++) {
        const LiftLink *link = &input->links[i];
        const uint32_t address = input->parts[link->part].address + link->offset;
        const uint32_t null = 0;
        const bool is_written =
            link->target < input->part_count
                ? Lifter_WritePointer(pair->lifter, address,
                                      input->parts[link->target].address + link->target_offset)
                : Lifter_WriteKnown(pair->lifter, address, &null, sizeof null);
        if (!is_written)
            status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a pointer",
                                 input->parts[link->part].name, "", "");
    }

    /* The replacement counts in its .bss, for its log, what it finds wrong in a call. That is no
     * output of a function, and what the counters are before a call is part of the state of the
     * DLL. Of the data of any other DLL nobody knows this, so a path that writes to it is
     * refused. */
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++) {
        const PeSection *data = Pe_FindSection(&pair->pair.files[module], ".bss");
        if (!data || pair->pair.provider.files[module] != PROVIDER_REPLACEMENT)
            continue;
        char name[32];
        snprintf(name, sizeof name, "%s %s", AbiModule_File((AbiModule)module), data->name);
        const LiftRegion region = {.name = ExpressionGraph_Name(pair->graph, name),
                                   .address = pair->pair.modules[module] + data->rva,
                                   .size = data->virtual_size,
                                   .scratch = true,
                                   .fixed = true,
                                   .counters = true};
        status = Lifter_AddRegion(pair->lifter, &region, error);
    }

    if (!status)
        status = PutArguments(pair, input, &row->call, error);
    if (!status)
        status = Lifter_Run(pair->lifter, row->target, instructions, path, error);
    return status;
}

bool LiftOutput_IsSeen(const Signature *signature, const LiftOutput *output) {
    switch (output->place) {
    case LIFT_EAX:
        return signature->returns == SIGNATURE_I32 || signature->returns == SIGNATURE_U32 ||
               signature->returns == SIGNATURE_REF;
    case LIFT_EDX:
        return false;
    case LIFT_ST0:
        return signature->returns == SIGNATURE_F32;
    default:
        return true;
    }
}
