/* Registers and operands of the instruction that is being lifted. */
#include "machine/lifting/lift_state.h"

/* Gives the number of a general register, and the first byte and the number of bytes that a name of
 * it or of a part of it stands for. */
static uint32_t NumberOf(ZydisRegister which, uint32_t *shift, uint32_t *size) {
    *shift = 0;
    if (which >= ZYDIS_REGISTER_EAX && which <= ZYDIS_REGISTER_EDI) {
        *size = 4;
        return (uint32_t)(which - ZYDIS_REGISTER_EAX);
    }
    if (which >= ZYDIS_REGISTER_AX && which <= ZYDIS_REGISTER_DI) {
        *size = 2;
        return (uint32_t)(which - ZYDIS_REGISTER_AX);
    }
    *size = 1;
    if (which >= ZYDIS_REGISTER_AH && which <= ZYDIS_REGISTER_BH) {
        *shift = 1;
        return (uint32_t)(which - ZYDIS_REGISTER_AH);
    }
    return (uint32_t)(which - ZYDIS_REGISTER_AL);
}

const Expression *Lift_GetRegister(Lifter *lifter, ZydisRegister which, uint64_t *number) {
    uint32_t shift, size;
    const uint32_t at = NumberOf(which, &shift, &size);
    if (number)
        *number = lifter->context.registers.general[at] >> 8 * shift & Lift_Mask(8 * size);
    return Lift_Join(lifter, &lifter->general[at][shift], size);
}

void Lift_PutRegister(Lifter *lifter, ZydisRegister which, const Expression *expression) {
    uint32_t shift, size;
    const uint32_t at = NumberOf(which, &shift, &size);
    Lift_Split(&lifter->general[at][shift], size, expression, 0);
}

const Expression *Lift_Address(Lifter *lifter, const ZydisDecodedOperand *operand,
                               uint32_t *number) {
    ExpressionGraph *graph = lifter->graph;
    const ZydisDecodedOperandMem *memory = &operand->mem;
    const uint32_t displacement = memory->disp.has_displacement ? (uint32_t)memory->disp.value : 0;
    const Expression *address = Expression_Constant(graph, 32, displacement);
    uint64_t value;
    *number = displacement;
    if (memory->base != ZYDIS_REGISTER_NONE) {
        const Expression *base = Lift_GetRegister(lifter, memory->base, &value);
        *number += (uint32_t)value;

        /* What is computed from fixed addresses by anything but a sum is the number that it is. The
         * numbers that it can depend on are the same in each run. */
        if (base->operation != EXPRESSION_ADDRESS && base->bits == 32 &&
            Expression_IsFixed(graph, base) && Expression_HasAddress(graph, base) &&
            Lift_HasOnlyFixedAddresses(lifter, base)) {
            const LiftPlacedRegion *placed = Lift_FindRegion(lifter, (uint32_t)value);
            if (placed && placed->region.fixed)
                base = Expression_Address(graph, placed->region.name,
                                          (uint32_t)value - placed->region.address);
        }
        address = Expression_Make(graph, EXPRESSION_ADD, 0, 0, base, address);
    }
    if (memory->index != ZYDIS_REGISTER_NONE) {
        const Expression *index = Lift_GetRegister(lifter, memory->index, &value);
        *number += (uint32_t)value * memory->scale;
        address = Expression_Make(graph, EXPRESSION_ADD, 0, 0, address,
                                  Expression_Make(graph, EXPRESSION_MUL, 0, 0, index,
                                                  Expression_Constant(graph, 32, memory->scale)));
    }
    return address;
}

/* Gives the address of an operand in memory at which it accesses, which includes the segment's. */
static const Expression *Effective(Lifter *lifter, const ZydisDecodedOperand *operand,
                                   uint32_t from, uint32_t *number) {
    if (lifter->instruction->address_width != 32) {
        Lift_Refuse(lifter, "addresses of 16 bits");
        return NULL;
    }
    const Expression *address = Lift_Address(lifter, operand, number);
    uint32_t more = from;
    if (operand->mem.segment == ZYDIS_REGISTER_FS)
        more += lifter->context.fs_base;
    *number += more;
    if (lifter->steps.count > 0 && from == 0)
        lifter->steps.at[lifter->steps.count - 1].memory = *number;
    return more ? Expression_Make(lifter->graph, EXPRESSION_ADD, 0, 0, address,
                                  Expression_Constant(lifter->graph, 32, more))
                : address;
}

const Expression *Lift_LoadOperand(Lifter *lifter, const ZydisDecodedOperand *operand,
                                   uint32_t from, uint32_t size, ExpressionValue *number) {
    uint32_t at;
    const Expression *address = Effective(lifter, operand, from, &at);
    if (!address || (number && !Lift_Peek(lifter, at, size, number)))
        return NULL;
    const Expression *loaded = Lift_LoadAt(lifter, address, at, size);
    if (loaded)
        Lift_Note(lifter, loaded);
    return loaded;
}

bool Lift_StoreOperand(Lifter *lifter, const ZydisDecodedOperand *operand, uint32_t from,
                       uint32_t size, const Expression *expression) {
    uint32_t at;
    const Expression *address = Effective(lifter, operand, from, &at);
    return address && Lift_StoreAt(lifter, address, at, size, expression);
}
