/* Gates are the addresses by which a guest calls the host. This file also has the functions by
 * which a service ends or refuses the call that it serves. */
#include "machine/machine_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t Machine_AddGate(Machine *machine, const Gate *gate, const char *lacks) {
    if (MACHINE_FIRST_GATE + machine->gate_count == MACHINE_MOST_GATES)
        return 0;
    if (machine->gate_count == machine->gate_capacity) {
        uint32_t capacity = machine->gate_capacity ? 2 * machine->gate_capacity : 256;
        Gate *grown = realloc(machine->gates, capacity * sizeof *grown);
        if (!grown)
            return 0;
        machine->gates = grown;
        machine->gate_capacity = capacity;
    }
    Gate *made = &machine->gates[machine->gate_count];
    *made = *gate;
    if (lacks) {
        size_t bytes = strlen(lacks) + 1;
        made->lacks = malloc(bytes);
        if (!made->lacks)
            return 0;
        memcpy(made->lacks, lacks, bytes);
    }
    return MACHINE_GATES + (MACHINE_FIRST_GATE + machine->gate_count++) * MACHINE_GATE_STEP;
}

void Machine_DropGates(Machine *machine, uint32_t count) {
    while (machine->gate_count > count)
        free(machine->gates[--machine->gate_count].lacks);
}

uint32_t Machine_RowAddress(Machine *machine, const MachineRow *row) {
    if (!row->service)
        return machine->system->place(machine->system_state, row);
    for (uint32_t i = 0; i < machine->gate_count; i++)
        if (machine->gates[i].row == row)
            return MACHINE_GATES + (MACHINE_FIRST_GATE + i) * MACHINE_GATE_STEP;
    const Gate gate = {row, row->service, machine->system_state, row->popped, NULL};
    return Machine_AddGate(machine, &gate, NULL);
}

uint32_t Machine_SystemAddress(Machine *machine, const char *module, const char *name) {
    const MachineRow *row = machine->system ? machine->system->find(module, name) : NULL;
    return row ? Machine_RowAddress(machine, row) : 0;
}

uint32_t Machine_AddService(Machine *machine, const char *name, uint32_t popped,
                            MachineService service, void *context) {
    (void)name; /* a guest needs only the address */
    const Gate gate = {NULL, service, context, popped, NULL};
    return Machine_AddGate(machine, &gate, NULL);
}

uint32_t Machine_Argument(Machine *machine, uint32_t n) {
    MachineContext *context = &machine->context;
    uint32_t address = context->registers.general[MACHINE_ESP] + 4 + 4 * n, value;
    if (Machine_Read32(machine, address, &value))
        return value;
    if (!machine->is_ending)
        context->fault =
            (MachineFault){MACHINE_ACCESS_VIOLATION, context->registers.eip, MACHINE_READ, address};
    machine->is_ending = true;
    machine->end = MACHINE_FAULTED;
    return 0;
}

void Machine_Exit(Machine *machine, uint32_t code) {
    machine->is_ending = true;
    machine->end = MACHINE_EXITED;
    machine->exit_code = code;
}

void Machine_Refuse(Machine *machine, const char *why) {
    machine->is_ending = true;
    machine->end = MACHINE_LACKS;
    snprintf(machine->reason, sizeof machine->reason, "%s", why);
}
