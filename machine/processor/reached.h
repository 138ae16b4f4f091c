/* Which code of a guest has run. Whoever wants to know gives the context of a machine a record with
 * a byte for each address of some stretches of the guest's memory, such as its modules. Both
 * engines then leave marks in it. */
#ifndef RETROPOSE_MACHINE_PROCESSOR_REACHED_H
#define RETROPOSE_MACHINE_PROCESSOR_REACHED_H

#include <stdint.h>

/* Marks of the address at which an instruction begins. The last two tell the sides of a conditional
 * branch apart; at other instructions they may be there or not, and mean nothing. */
#define MACHINE_RAN     1u /* the instruction was executed, or has faulted */
#define MACHINE_WENT_ON 2u /* the instruction behind it was the next one */
#define MACHINE_JUMPED  4u /* another one was */

#define MACHINE_REACHED_RANGES 2

typedef struct MachineReached {
    struct {
        uint32_t base, size;
        uint8_t *marks; /* `size` of them */
    } ranges[MACHINE_REACHED_RANGES];
} MachineReached;

static inline void MachineReached_Note(const MachineReached *reached, uint32_t address,
                                       unsigned marks) {
    for (int i = 0; i < MACHINE_REACHED_RANGES; i++) {
        const uint32_t offset = address - reached->ranges[i].base;
        if (offset < reached->ranges[i].size)
            reached->ranges[i].marks[offset] |= (uint8_t)marks;
    }
}

#endif
