/* Lifts and executes one instruction. */
#include "machine/lifting/lift_state.h"

#include <stdio.h>
#include <string.h>

/* Fetches and decodes the instruction at EIP. Returns false if there is none; then the interpreter
 * faults. */
static bool Decode(Lifter *lifter) {
    const uint32_t eip = lifter->context.registers.eip;
    uint32_t size = ZYDIS_MAX_INSTRUCTION_LENGTH;
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH] = {0};
    while (size > 0 && !MachineMemory_Read(lifter->memory, eip, bytes, size, MACHINE_EXECUTE, NULL))
        size--;
    if (size == 0)
        return false;
    LiftDecoded *decoded = &lifter->decoded[eip * 0x9E3779B1u >> 20 & (LIFT_DECODED_SIZE - 1)];
    if (decoded->address != eip || memcmp(decoded->bytes, bytes, sizeof bytes) != 0) {
        decoded->address = 0;
        if (size == 0 ||
            !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&lifter->decoder, bytes, size,
                                                 &decoded->instruction, decoded->operands)))
            return false;
        memcpy(decoded->bytes, bytes, sizeof bytes);
        decoded->address = eip;
    }
    lifter->instruction = &decoded->instruction;
    lifter->operands = decoded->operands;
    lifter->bytes = decoded->bytes;
    return true;
}

bool Lift_One(Lifter *lifter) {
    static LiftResult (*const files[])(Lifter *) = {Lift_Integer, Lift_X87, Lift_Sse};
    MachineContext *context = &lifter->context;
    const uint32_t eip = context->registers.eip;
    lifter->constant_after = 0;
    if (Decode(lifter)) {
        if (!lifter->in_cut) {
            LiftStep step = {.address = eip,
                             .size = lifter->instruction->length,
                             .depth = (uint8_t)(lifter->depth < 255 ? lifter->depth : 255),
                             .first_made = lifter->made.count};
            memcpy(step.bytes, lifter->bytes, step.size);
            LIFT_ADD(lifter, lifter->steps, step);
        }
        if (lifter->failed)
            return false;

        /* First the expressions are made, by the file that knows the instruction. */
        LiftResult result = LIFT_UNKNOWN;
        for (uint32_t i = 0; result == LIFT_UNKNOWN && i < sizeof files / sizeof *files; i++)
            result = files[i](lifter);
        if (result == LIFT_UNKNOWN)
            return Lift_Refuse(lifter, "the instruction has no model");
        if (lifter->refused || lifter->failed)
            return false;

        /* Then the interpreter executes it, with all repetitions of a string instruction. What
         * could not be lifted because memory is not accessible faults. */
        bool is_executed;
        do {
            context->budget = UINT32_MAX;
            is_executed = Interpreter_Step(lifter->interpreter, context);
        } while (is_executed && context->registers.eip == eip &&
                 lifter->instruction->meta.category == ZYDIS_CATEGORY_STRINGOP);
        for (uint32_t i = 0; is_executed && i < 8; i++)
            if (lifter->constant_after >> i & 1)
                Lift_Split(lifter->general[i], 4,
                           Expression_Constant(lifter->graph, 32, context->registers.general[i]),
                           0);
        if (is_executed)
            return result == LIFT_DONE ||
                   Lift_Refuse(lifter, "the interpreter did what the lifter could not");
    } else if (Interpreter_Step(lifter->interpreter, context)) {
        return Lift_Refuse(lifter, "its instruction is not known");
    }
    snprintf(lifter->reason, sizeof lifter->reason, "exception 0x%08X at 0x%08X, address 0x%08X",
             context->fault.code, context->fault.address, context->fault.target);
    return false;
}
