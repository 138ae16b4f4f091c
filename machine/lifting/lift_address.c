/* Loads and stores at addresses that are expressions. */
#include "machine/lifting/lift_state.h"

/* Whether an address may be another place in another run: it depends on an input, or on where a
 * region is in another way than that it is in it. */
static bool MayDiffer(Lifter *lifter, const Expression *address) {
    if (address->operation == EXPRESSION_ADDRESS || Expression_IsConstant(address))
        return false;
    return !Expression_IsFixed(lifter->graph, address) ||
           (Expression_HasAddress(lifter->graph, address) &&
            !Lift_HasOnlyFixedAddresses(lifter, address));
}

bool Lift_PinAddress(Lifter *lifter, const Expression *address, uint32_t number) {
    const Expression *rest;
    const Expression *base = Expression_Base(lifter->graph, address, &rest);
    for (uint32_t i = 0; base && i < lifter->regions.count; i++)
        if (lifter->regions.at[i].region.name == base->region)
            return Lift_Pin(lifter, rest, number - lifter->regions.at[i].region.address);
    return Lift_Pin(lifter, address, number);
}

const Expression *Lift_LoadAt(Lifter *lifter, const Expression *address, uint32_t number,
                              uint32_t size) {
    ExpressionValue ignored;
    if (!Lift_Peek(lifter, number, size, &ignored))
        return NULL; /* the instruction faults */
    if (MayDiffer(lifter, address)) {
        const LiftPlacedRegion *placed = Lift_FindRegion(lifter, number);
        const Expression *rest;
        const Expression *base = Expression_Base(lifter->graph, address, &rest);
        /* The region's bytes must all be as before the call, and inputs. */
        if (placed && base && base->region == placed->region.name &&
            Expression_IsModelled(lifter->graph, address) && !placed->touched &&
            !placed->region.scratch &&
            number - placed->region.address + size <= placed->region.size) {
            Lift_NoteRead(lifter, number, size);
            return Expression_Load(lifter->graph, base->region, rest, 8 * size);
        }
        if (!Lift_PinAddress(lifter, address, number))
            return NULL;
    }
    return Lift_ReadBytes(lifter, number, size);
}

bool Lift_StoreAt(Lifter *lifter, const Expression *address, uint32_t number, uint32_t size,
                  const Expression *expression) {
    if (MayDiffer(lifter, address) && !Lift_PinAddress(lifter, address, number))
        return false;
    return Lift_WriteBytes(lifter, number, size, expression);
}
