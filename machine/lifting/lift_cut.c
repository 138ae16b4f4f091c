/* Functions that are not lifted but called by their names. */
#include "machine/lifting/lift_state.h"

#include <stdlib.h>
#include <string.h>

enum { STATUS_TOP = 11, MXCSR_FLAGS = 0x3F, OUTPUT_EAX = 0, OUTPUT_EDX, OUTPUT_ST0, OUTPUT_MEMORY };

RpStatus Lifter_AddCut(Lifter *lifter, const LiftCut *cut, RpError *error) {
    LiftKeptCut kept = {*cut, ExpressionGraph_Name(lifter->graph, cut->name)};
    LiftCutRange *ranges = NULL;
    if (cut->range_count > 0) {
        ranges = malloc(cut->range_count * sizeof *ranges);
        if (!ranges)
            return RpMemory_Refused(error, "cut");
        memcpy(ranges, cut->ranges, cut->range_count * sizeof *ranges);
    }
    kept.cut.ranges = ranges;
    kept.cut.name = NULL;
    LIFT_ADD(lifter, lifter->cuts, kept);
    if (!lifter->failed)
        return RP_OK;
    free(ranges);
    lifter->failed = false;
    return RpMemory_Refused(error, "cut");
}

const LiftKeptCut *Lift_FindCut(const Lifter *lifter, uint32_t address) {
    for (uint32_t i = 0; i < lifter->cuts.count; i++)
        if (lifter->cuts.at[i].cut.address == address)
            return &lifter->cuts.at[i];
    return NULL;
}

/* The pointer of a range: its number, and its expression. */
static bool Pointer(Lifter *lifter, const LiftCutRange *range, uint32_t esp, uint32_t *number,
                    const Expression **expression) {
    if (range->pointer >= LIFT_CUT_ECX) {
        const uint32_t which = range->pointer == LIFT_CUT_ECX ? MACHINE_ECX : MACHINE_EDX;
        *number = lifter->context.registers.general[which];
        *expression = Lift_Join(lifter, lifter->general[which], 4);
        return true;
    }
    const uint32_t at = esp + 4 + 4 * range->pointer;
    ExpressionValue value;
    if (!Lift_Peek(lifter, at, 4, &value))
        return false;
    *number = (uint32_t)value.low;
    *expression = Lift_ReadBytes(lifter, at, 4);
    return true;
}

static bool IsPointer(const LiftCut *cut, uint32_t pointer) {
    for (uint32_t i = 0; i < cut->range_count; i++)
        if (cut->ranges[i].pointer == pointer)
            return true;
    return false;
}

/* Returns whether a range that is read (or written) contains an address. `pointers` are those of
 * the ranges. */
static bool IsDeclared(const LiftCut *cut, const uint32_t *pointers, uint32_t address,
                       bool written) {
    for (uint32_t i = 0; i < cut->range_count; i++)
        if ((written ? cut->ranges[i].written : cut->ranges[i].read) &&
            address - (pointers[i] + cut->ranges[i].offset) < cut->ranges[i].size)
            return true;
    return false;
}

/* Whether a byte of memory is a constant: not of a parameter, and written by nobody. */
static bool IsConstant(Lifter *lifter, uint32_t address) {
    const LiftWord *word = Lift_FindWord(lifter, address, false);
    const LiftPlacedRegion *placed = Lift_FindRegion(lifter, address);
    return (!placed || placed->region.scratch) && !(word && word->set >> address % 4 & 1);
}

/* What a call leaves as it is, or changes in a way that nobody may rely on. */
typedef struct CutState {
    LiftByte general[8][4], xmm[8][16];
    const Expression *x87[8];
    uint32_t x87_count; /* registers in use */
    uint32_t control, mxcsr, direction;
} CutState;

static CutState StateOf(const Lifter *lifter) {
    const MachineRegisters *registers = &lifter->context.registers;
    CutState state = {.x87_count = (uint32_t)__builtin_popcount(registers->vectors.tags),
                      .control = registers->vectors.control,
                      .mxcsr = registers->vectors.mxcsr & ~(uint32_t)MXCSR_FLAGS,
                      .direction = registers->eflags & MACHINE_DF};
    memcpy(state.general, lifter->general, sizeof state.general);
    memcpy(state.xmm, lifter->xmm, sizeof state.xmm);
    memcpy((void *)state.x87, (const void *)lifter->x87, sizeof state.x87);
    return state;
}

/* Refuses what a call by its name cannot say. */
static bool KeepsState(Lifter *lifter, const LiftKeptCut *kept, const CutState *before) {
    const CutState after = StateOf(lifter);
    const char *name = ExpressionGraph_NameOf(lifter->graph, kept->name);
    if (after.x87_count != before->x87_count + kept->cut.returns_float)
        return Lift_Refuse(lifter,
                           "%s leaves %u x87 registers in use of %u, which its cut does "
                           "not say",
                           name, after.x87_count, before->x87_count);
    if (after.control != before->control || after.mxcsr != before->mxcsr ||
        after.direction != before->direction)
        return Lift_Refuse(
            lifter, "%s changes the x87's control word, MXCSR or the direction of strings", name);
    return true;
}

static void ForgetChangedBytes(LiftByte *bytes, const LiftByte *before, uint32_t count,
                               const Expression *none) {
    for (uint32_t i = 0; i < count; i++)
        if (bytes[i].of != before[i].of || bytes[i].number != before[i].number)
            bytes[i] = (LiftByte){none, i % 4};
}

/* Registers that the call has changed have expressions that hold for this run only, because nothing
 * of what it decided is a condition. */
static void ForgetChanged(Lifter *lifter, const CutState *before) {
    const Expression *none = Expression_Unmodelled(lifter->graph, "a register after a call", 32);
    const Expression *none80 = Expression_Unmodelled(lifter->graph, "a register after a call", 80);
    for (uint32_t i = 0; i < 8; i++) {
        if (i != MACHINE_ESP)
            ForgetChangedBytes(lifter->general[i], before->general[i], 4, none);
        ForgetChangedBytes(lifter->xmm[i], before->xmm[i], 16, none);
        if (lifter->x87[i] && lifter->x87[i] != before->x87[i])
            lifter->x87[i] = none80;
    }
}

bool Lift_RunCut(Lifter *lifter, const LiftKeptCut *kept, uint64_t *budget) {
    ExpressionGraph *graph = lifter->graph;
    const LiftCut *cut = &kept->cut;
    MachineRegisters *registers = &lifter->context.registers;
    const uint32_t esp = registers->general[MACHINE_ESP];
    const uint32_t outer_steps = lifter->depth - 1;
    ExpressionValue back;
    LIFT_LIST(const Expression *) inputs = {0};
    uint32_t *pointers = calloc(cut->range_count + 1u, sizeof *pointers);
    bool fine = pointers != NULL && Lift_Peek(lifter, esp, 4, &back);
    if (!pointers)
        lifter->failed = true;

    /* The inputs, in the order that lifter.h gives. */
    if (cut->takes_ecx)
        LIFT_ADD(lifter, inputs, Lift_Join(lifter, lifter->general[MACHINE_ECX], 4));
    if (cut->takes_edx)
        LIFT_ADD(lifter, inputs, Lift_Join(lifter, lifter->general[MACHINE_EDX], 4));
    for (uint32_t i = 0; i < cut->stack_words; i++)
        if (!IsPointer(cut, i))
            LIFT_ADD(lifter, inputs, Lift_ReadBytes(lifter, esp + 4 + 4 * i, 4));
    for (uint32_t i = 0; fine && i < cut->range_count; i++) {
        const LiftCutRange *range = &cut->ranges[i];
        const Expression *pointer;
        fine = Pointer(lifter, range, esp, &pointers[i], &pointer);
        if (fine && range->written && !Expression_IsFixed(graph, pointer))
            fine = Lift_PinAddress(lifter, pointer, pointers[i]);
        for (uint32_t at = 0; fine && range->read && at < range->size; at += 4) {
            const Expression *offset = Expression_Constant(graph, 32, range->offset + at);
            const Expression *read =
                Lift_LoadAt(lifter, Expression_Make(graph, EXPRESSION_ADD, 0, 0, pointer, offset),
                            pointers[i] + range->offset + at, 4);
            fine = read != NULL;
            if (fine)
                LIFT_ADD(lifter, inputs, read);
        }
    }
    if (!fine || lifter->failed) {
        free(pointers);
        free((void *)inputs.at);
        return !lifter->failed && !lifter->refused
                   ? Lift_Refuse(lifter, "the inputs of %s cannot be read",
                                 ExpressionGraph_NameOf(graph, kept->name))
                   : false;
    }
    const CutState before = StateOf(lifter);
    const Expression *call = Expression_Call(graph, kept->name, inputs.at, inputs.count);
    free((void *)inputs.at);
    Lift_Note(lifter, call);

    /* The function runs as it is. What its own stack has is between its ESP and the return
     * address. */
    const Expression *left = Expression_Unmodelled(graph, "the stack after a call", 32);
    lifter->in_cut = true;
    lifter->cut_lowest = esp;
    lifter->cut_accesses.count = 0;
    while (fine &&
           !(registers->eip == (uint32_t)back.low && registers->general[MACHINE_ESP] > esp)) {
        if (registers->general[MACHINE_ESP] < lifter->cut_lowest)
            lifter->cut_lowest = registers->general[MACHINE_ESP];
        if (registers->eip >= MACHINE_GATES && registers->eip < MACHINE_GATES_END)
            fine = Lift_Refuse(lifter, "%s calls the system",
                               ExpressionGraph_NameOf(graph, kept->name));
        else if ((*budget)-- == 0)
            fine = Lift_Refuse(lifter, "%s does not return",
                               ExpressionGraph_NameOf(graph, kept->name));
        else
            fine = Lift_One(lifter);
    }
    lifter->in_cut = false;
    fine = fine && KeepsState(lifter, kept, &before);
    for (uint32_t i = 0; fine && i < lifter->cut_accesses.count; i++) {
        const LiftAccess *access = &lifter->cut_accesses.at[i];
        for (uint32_t at = access->address; fine && at - access->address < access->size; at++) {
            const bool own = (at >= lifter->cut_lowest && at < esp + 4 + 4 * cut->stack_words) ||
                             (!access->written && IsConstant(lifter, at));
            if (!own && !IsDeclared(cut, pointers, at, access->written) &&
                /* What it has written itself, it may read. */
                (access->written || !IsDeclared(cut, pointers, at, true)))
                fine = Lift_Refuse(lifter, "%s %s 0x%08X, which its cut does not say",
                                   ExpressionGraph_NameOf(graph, kept->name),
                                   access->written ? "writes" : "reads", at);
            if (fine && access->written && !IsDeclared(cut, pointers, at, true))
                Lift_FindWord(lifter, at, false)->bytes[at % 4] = (LiftByte){left, at % 4};
        }
    }

    /* What it leaves are outputs of the call. */
    if (fine) {
        lifter->depth = outer_steps;
        const Expression *none = Expression_Unmodelled(graph, "a register after a call", 32);
        ForgetChanged(lifter, &before);
        for (uint32_t i = 0; i < 3; i++) {
            static const uint32_t lost[3] = {MACHINE_EAX, MACHINE_EDX, MACHINE_ECX};
            Lift_Split(lifter->general[lost[i]], 4, none, 0);
        }
        if (cut->returns_eax)
            Lift_Split(lifter->general[MACHINE_EAX], 4,
                       Expression_Output(graph, call, OUTPUT_EAX, 32), 0);
        if (cut->returns_edx)
            Lift_Split(lifter->general[MACHINE_EDX], 4,
                       Expression_Output(graph, call, OUTPUT_EDX, 32), 0);
        if (cut->returns_float)
            lifter->x87[registers->vectors.status >> STATUS_TOP & 7] =
                Expression_Output(graph, call, OUTPUT_ST0, 80);
        uint32_t number = OUTPUT_MEMORY;
        for (uint32_t i = 0; i < cut->range_count; i++)
            for (uint32_t at = 0; cut->ranges[i].written && at < cut->ranges[i].size; at += 4) {
                const Expression *output = Expression_Output(graph, call, number++, 32);
                Lift_Note(lifter, output);
                fine = fine &&
                       Lift_WriteBytes(lifter, pointers[i] + cut->ranges[i].offset + at, 4, output);
            }
        lifter->flags = lifter->carry = (LiftFlags){.kind = FLAGS_NOT_MODELLED};
        lifter->status = NULL;
    }
    free(pointers);
    return fine;
}
