/* One call: what it begins with, how it runs, and the path that is made of it. */
#include "machine/lifting/lift_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    X87_MASKS = 0x3F,
    MXCSR_MASKS = 0x1F80,
    MXCSR_FLAGS = 0x3F,
    STATUS_TOP = 11,
    RETURN_GATE = 0 /* number of the gate to which the function returns */
};

RpStatus Lifter_Create(Machine *machine, ExpressionGraph *graph, Lifter **lifter, RpError *error) {
    const uintptr_t alignment = _Alignof(Lifter);
    void *block = calloc(1, sizeof(Lifter) + alignment - 1);
    if (!block)
        return RpMemory_Refused(error, "lifter");
    Lifter *made = (Lifter *)(((uintptr_t)block + alignment - 1) & ~(alignment - 1));
    made->block = block;
    made->machine = machine;
    made->memory = Machine_Memory(machine);
    made->graph = graph;
    made->evaluator = ExpressionEvaluator_Create(graph);
    made->decoded = calloc(LIFT_DECODED_SIZE, sizeof *made->decoded);
    RpStatus status = Interpreter_Create(made->memory, &made->interpreter, error);
    if (!status && (!made->evaluator || !made->decoded))
        status = RpMemory_Refused(error, "lifter");
    if (status) {
        Lifter_Destroy(made);
        return status;
    }
    ZydisDecoderInit(&made->decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    *lifter = made;
    Lifter_Begin(made);
    return RP_OK;
}

/* Gives the guest's memory the bytes that it had at Begin. */
static void TakeBack(Lifter *lifter) {
    for (uint32_t i = lifter->undo.count; i-- > 0;) {
        const LiftUndo *undo = &lifter->undo.at[i];
        MachineMemory_Write(lifter->memory, undo->address, undo->bytes, undo->size, NULL);
    }
    lifter->undo.count = 0;
}

void Lifter_Destroy(Lifter *lifter) {
    if (!lifter)
        return;
    TakeBack(lifter);
    for (uint32_t i = 0; i < lifter->cuts.count; i++)
        free((void *)(uintptr_t)lifter->cuts.at[i].cut.ranges);
    free(lifter->cuts.at);
    free(lifter->decoded);
    free(lifter->words);
    free(lifter->used.at);
    free(lifter->regions.at);
    free(lifter->undo.at);
    free(lifter->compared.at);
    free(lifter->cut_accesses.at);
    free(lifter->conditions.at);
    free(lifter->steps.at);
    free((void *)lifter->made.at);
    ExpressionEvaluator_Destroy(lifter->evaluator);
    Interpreter_Destroy(lifter->interpreter);
    free(lifter->block);
}

/* ---- before the call ------------------------------------------------------------------------- */

void Lifter_Begin(Lifter *lifter) {
    ExpressionGraph *graph = lifter->graph;
    TakeBack(lifter);
    lifter->context = *Machine_Context(lifter->machine);
    MachineRegisters_Init(&lifter->context.registers);
    for (uint32_t i = 0; i < 8; i++) {
        Lift_Split(lifter->general[i], 4, Expression_Constant(graph, 32, 0), 0);
        Lift_Split(lifter->xmm[i], 4, Expression_Constant(graph, 32, 0), 0);
        for (uint32_t lane = 1; lane < 4; lane++)
            memcpy(&lifter->xmm[i][4 * lane], lifter->xmm[i], 4 * sizeof *lifter->xmm[i]);
        lifter->x87[i] = NULL; /* empty */
    }
    lifter->flags = lifter->carry = (LiftFlags){.kind = FLAGS_CONSTANT};
    lifter->status = NULL;
    lifter->used.count = 0;
    if (++lifter->generation == 0) { /* old words would be in use again */
        memset(lifter->words, 0, lifter->word_size * sizeof *lifter->words);
        lifter->generation = 1;
    }
    lifter->regions.count = lifter->compared.count = 0;
    lifter->conditions.count = lifter->steps.count = lifter->made.count = 0;
    lifter->depth = 0;
    lifter->in_cut = lifter->refused = false;
    lifter->reason[0] = 0;
}

RpStatus Lifter_AddRegion(Lifter *lifter, const LiftRegion *region, RpError *error) {
    const char *name = ExpressionGraph_NameOf(lifter->graph, region->name);
    const char *problem = NULL;
    for (uint32_t i = 0; i < lifter->regions.count; i++) {
        const LiftRegion *other = &lifter->regions.at[i].region;
        if (region->address < other->address + other->size &&
            other->address < region->address + region->size)
            problem = "overlaps another region";
    }
    for (uint32_t at = region->address; at - region->address < region->size;
         at += MACHINE_PAGE - at % MACHINE_PAGE)
        if (!MachineMemory_At(lifter->memory, at))
            problem = "is not mapped";
    if (problem) {
        char where[80];
        snprintf(where, sizeof where, "%s at 0x%08X", name, region->address);
        RpError_Set(error, RP_INVALID, region->address, "region", where, "memory of its own",
                    problem);
        return RP_INVALID;
    }
    const LiftPlacedRegion placed = {*region, false};
    LIFT_ADD(lifter, lifter->regions, placed);
    return lifter->failed ? RpMemory_Refused(error, "lifter") : RP_OK;
}

/* Writes bytes of the guest, and what they are: bytes of `expression`, or if that is null, inputs
 * of their region or constants. */
static bool Write(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size,
                  const Expression *expression, bool unknown) {
    const uint8_t *from = bytes;
    if (!Lift_Remember(lifter, address, size) ||
        !MachineMemory_Write(lifter->memory, address, bytes, size, NULL))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        LiftPlacedRegion *placed = Lift_FindRegion(lifter, address + i);
        if (unknown && !placed)
            return false;
        LiftWord *word = Lift_FindWord(lifter, address + i, true);
        if (!word)
            return false;
        const uint32_t at = (address + i) % 4;
        /* Bytes of a region are inputs of themselves without being set. */
        if (unknown && !placed->region.scratch) {
            word->set &= (uint8_t) ~(1u << at);
            continue;
        }
        word->set |= (uint8_t)(1u << at);
        if (placed)
            placed->touched = true;
        if (expression)
            word->bytes[at] = (LiftByte){expression, i};
        else if (unknown)
            word->bytes[at] = (LiftByte){Expression_Input(lifter->graph, placed->region.name,
                                                          address + i - placed->region.address, 8),
                                         0};
        else
            word->bytes[at] = (LiftByte){Expression_Constant(lifter->graph, 8, from[i]), 0};
    }
    return !lifter->failed;
}

bool Lifter_WriteUnknown(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size) {
    return Write(lifter, address, bytes, size, NULL, true);
}

bool Lifter_WriteKnown(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size) {
    return Write(lifter, address, bytes, size, NULL, false);
}

bool Lifter_WritePointer(Lifter *lifter, uint32_t address, uint32_t target) {
    const LiftPlacedRegion *placed = Lift_FindRegion(lifter, target);
    uint8_t bytes[4];
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(target >> 8 * i);
    return placed && Write(lifter, address, bytes, sizeof bytes,
                           Expression_Address(lifter->graph, placed->region.name,
                                              target - placed->region.address),
                           false);
}

bool Lifter_WriteAs(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size,
                    const Expression *expression) {
    return Write(lifter, address, bytes, size, expression, false);
}

void Lifter_SetRegister(Lifter *lifter, uint32_t number, uint32_t value,
                        const Expression *expression) {
    lifter->context.registers.general[number] = value;
    Lift_Split(lifter->general[number], 4,
               expression ? expression : Expression_Constant(lifter->graph, 32, value), 0);
}

void Lifter_SetControl(Lifter *lifter, uint16_t control, uint32_t mxcsr) {
    lifter->context.registers.vectors.control = control;
    lifter->context.registers.vectors.mxcsr = mxcsr;
}

/* ---- the path -------------------------------------------------------------------------------- */

static int CompareWords(const void *a, const void *b) {
    const LiftWord *const *x = a, *const *y = b;
    return ((*x)->address > (*y)->address) - ((*x)->address < (*y)->address);
}

static int CompareOutputs(const void *a, const void *b) {
    const LiftOutput *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int CompareRanges(const void *a, const void *b) {
    const LiftRange *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Everything that a path consists of while it is made; its lists become the path's. */
typedef struct Making {
    LIFT_LIST(LiftOutput) outputs;
    LIFT_LIST(LiftRange) reads;
    LIFT_LIST(LiftRange) writes;
} Making;

/* Adds one byte to the last range, or begins a new one. */
#define ADD_BYTE(lifter, list, name, where)                                                        \
    do {                                                                                           \
        LiftRange *last = (list).count > 0 ? &(list).at[(list).count - 1] : NULL;                  \
        if (last && last->region == (name) && last->offset + last->size == (where)) {              \
            last->size++;                                                                          \
        } else {                                                                                   \
            const LiftRange range = {(name), (where), 1};                                          \
            LIFT_ADD(lifter, list, range);                                                         \
        }                                                                                          \
    } while (0)

static void CollectMemory(Lifter *lifter, Making *making) {
    const LiftWord **words = malloc((lifter->used.count + 1) * sizeof *words);
    if (!words) {
        lifter->failed = true;
        return;
    }
    const uint32_t count = lifter->used.count;
    for (uint32_t i = 0; i < count; i++)
        words[i] = Lift_FindWord(lifter, lifter->used.at[i], false);
    qsort(words, count, sizeof *words, CompareWords);

    /* Outputs are whole dwords of a region, counted from its beginning, wherever that is. */
    for (uint32_t i = 0; i < count; i++) {
        const LiftWord *word = words[i];
        for (uint32_t byte = 0; byte < 4; byte++) {
            const uint32_t address = word->address + byte;
            const LiftPlacedRegion *placed = Lift_FindRegion(lifter, address);
            if (!placed)
                continue;
            const uint32_t offset = address - placed->region.address;
            const uint32_t name = placed->region.name;
            if (word->read >> byte & 1)
                ADD_BYTE(lifter, making->reads, name, offset);
            if (!(word->stored >> byte & 1))
                continue;
            ADD_BYTE(lifter, making->writes, name, offset);
            if (placed->region.scratch)
                continue;
            LiftOutput *last =
                making->outputs.count > 0 ? &making->outputs.at[making->outputs.count - 1] : NULL;
            if (!last || last->region != name || last->offset != (offset & ~3u)) {
                const LiftOutput output = {
                    .place = LIFT_MEMORY, .region = name, .offset = offset & ~3u};
                LIFT_ADD(lifter, making->outputs, output);
                if (lifter->failed)
                    break;
                last = &making->outputs.at[making->outputs.count - 1];
            }
            last->stored |= (uint8_t)(1u << offset % 4);
            if (word->step > last->step)
                last->step = word->step;
        }
    }
    free((void *)words);
    if (making->outputs.count > 0)
        qsort(making->outputs.at, making->outputs.count, sizeof *making->outputs.at,
              CompareOutputs);
    if (making->reads.count > 0)
        qsort(making->reads.at, making->reads.count, sizeof *making->reads.at, CompareRanges);
    if (making->writes.count > 0)
        qsort(making->writes.at, making->writes.count, sizeof *making->writes.at, CompareRanges);
    for (uint32_t i = 0; i < making->outputs.count; i++) {
        LiftOutput *output = &making->outputs.at[i];
        for (uint32_t k = 0; k < lifter->regions.count; k++)
            if (lifter->regions.at[k].region.name == output->region) {
                const uint32_t address = lifter->regions.at[k].region.address + output->offset;
                output->number = (ExpressionValue){0, 0};
                (void)Lift_Peek(lifter, address, 4, &output->number);
                output->value = Lift_ReadBytes(lifter, address, 4);
            }
    }
}

static int32_t Depth(const MachineRegisters *registers) {
    return __builtin_popcount(registers->vectors.tags);
}

/* Makes the path of the run that has ended, and gives it the lifter's lists. */
static LiftPath *Collect(Lifter *lifter, LiftEnd end, const MachineRegisters *before) {
    const MachineRegisters *after = &lifter->context.registers;
    LiftPath *path = calloc(1, sizeof *path);
    Making making = {0};
    if (!path) {
        lifter->failed = true;
        return NULL;
    }
    path->end = end;
    snprintf(path->reason, sizeof path->reason, "%s", lifter->reason);
    path->x87_depth = Depth(after) - Depth(before);
    path->popped = after->general[MACHINE_ESP] - before->general[MACHINE_ESP];
    path->preserves = after->general[MACHINE_EBX] == before->general[MACHINE_EBX] &&
                      after->general[MACHINE_ESI] == before->general[MACHINE_ESI] &&
                      after->general[MACHINE_EDI] == before->general[MACHINE_EDI] &&
                      after->general[MACHINE_EBP] == before->general[MACHINE_EBP] &&
                      !((after->eflags ^ before->eflags) & MACHINE_DF);
    path->control = after->vectors.control;
    path->mxcsr = (uint16_t)(after->vectors.mxcsr & ~(uint32_t)MXCSR_FLAGS);
    CollectMemory(lifter, &making);
    if (end == LIFT_RETURNED) {
        const uint32_t last = lifter->steps.count - 1;
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t number = i == 0 ? MACHINE_EAX : MACHINE_EDX;
            const LiftOutput output = {.place = i == 0 ? LIFT_EAX : LIFT_EDX,
                                       .step = last,
                                       .value = Lift_Join(lifter, lifter->general[number], 4),
                                       .number = {after->general[number], 0}};
            LIFT_ADD(lifter, making.outputs, output);
        }
        if (path->x87_depth > 0) {
            LiftOutput output = {.place = LIFT_ST0,
                                 .step = last,
                                 .value = lifter->x87[after->vectors.status >> STATUS_TOP & 7]};
            memcpy(&output.number.low, after->vectors.st[0], 8);
            memcpy(&output.number.head, after->vectors.st[0] + 8, 2);
            LIFT_ADD(lifter, making.outputs, output);
        }
    }
    /* EAX, EDX and ST0 may be anything, because the caller may not look at them. */
    for (uint32_t i = 0; i < making.outputs.count && path->end == LIFT_RETURNED; i++) {
        const LiftOutput *output = &making.outputs.at[i];
        if (output->place == LIFT_MEMORY && output->value &&
            !Expression_IsModelled(lifter->graph, output->value)) {
            path->end = LIFT_REFUSED;
            Lift_Refuse(lifter, "what it leaves in %s[%u] is not modelled",
                        ExpressionGraph_NameOf(lifter->graph, output->region), output->offset);
            snprintf(path->reason, sizeof path->reason, "%s", lifter->reason);
        }
    }

    path->conditions = lifter->conditions.at;
    path->condition_count = lifter->conditions.count;
    path->steps = lifter->steps.at;
    path->step_count = lifter->steps.count;
    path->made = lifter->made.at;
    path->outputs = making.outputs.at;
    path->output_count = making.outputs.count;
    path->reads = making.reads.at;
    path->read_count = making.reads.count;
    path->writes = making.writes.at;
    path->write_count = making.writes.count;
    memset(&lifter->conditions, 0, sizeof lifter->conditions);
    memset(&lifter->steps, 0, sizeof lifter->steps);
    memset(&lifter->made, 0, sizeof lifter->made);
    return path;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Runs instructions until the function returns to the gate or the run ends otherwise. */
static LiftEnd Run(Lifter *lifter, uint64_t budget) {
    MachineContext *context = &lifter->context;
    const uint32_t gate = MACHINE_GATES + RETURN_GATE;
    for (;;) {
        const uint32_t eip = context->registers.eip;
        if (eip == gate)
            return LIFT_RETURNED;
        if (eip >= MACHINE_GATES && eip < MACHINE_GATES_END) {
            Lift_Refuse(lifter, "it calls the system");
            return LIFT_REFUSED;
        }
        if (budget-- == 0) {
            snprintf(lifter->reason, sizeof lifter->reason,
                     "it executed all instructions that it may");
            return LIFT_TIMED_OUT;
        }
        const LiftKeptCut *cut = lifter->depth > 0 ? Lift_FindCut(lifter, eip) : NULL;
        if (cut) {
            if (!Lift_RunCut(lifter, cut, &budget))
                return LIFT_REFUSED;
            continue;
        }
        if (!Lift_One(lifter))
            return lifter->refused ? LIFT_REFUSED : LIFT_FAULTED;
        if (lifter->failed || ExpressionGraph_HasFailed(lifter->graph))
            return LIFT_REFUSED;
    }
}

RpStatus Lifter_Run(Lifter *lifter, uint32_t function, uint64_t budget, LiftPath **path,
                    RpError *error) {
    MachineRegisters *registers = &lifter->context.registers;
    const MachineRegisters before = *registers;
    const uint32_t back = MACHINE_GATES + RETURN_GATE, esp = registers->general[MACHINE_ESP] - 4;
    uint8_t bytes[4];
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(back >> 8 * i);
    registers->eip = function;
    LiftEnd end = LIFT_REFUSED;
    if ((registers->vectors.control & X87_MASKS) != X87_MASKS ||
        (registers->vectors.mxcsr & MXCSR_MASKS) != MXCSR_MASKS) {
        Lift_Refuse(lifter, "exceptions that are not masked have no model");
    } else if (!Write(lifter, esp, bytes, 4, NULL, false)) {
        Lift_Refuse(lifter, "the stack at 0x%08X cannot be written", esp);
    } else {
        registers->general[MACHINE_ESP] = esp;
        Lift_Split(lifter->general[MACHINE_ESP], 4,
                   Expression_Subtract(lifter->graph,
                                       Lift_Join(lifter, lifter->general[MACHINE_ESP], 4),
                                       Expression_Constant(lifter->graph, 32, 4)),
                   0);
        end = Run(lifter, budget);
    }
    *path = Collect(lifter, end, &before);
    if (!lifter->failed && !ExpressionGraph_HasFailed(lifter->graph))
        return RP_OK;
    LiftPath_Free(*path);
    *path = NULL;
    lifter->failed = false;
    return RpMemory_Refused(error, "lifter");
}
