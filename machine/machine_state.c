#include "machine/machine_state.h"

#include "core/bytes.h"

MachineEngine Machine_Engine(const Machine *machine) {
    return machine->translator ? MACHINE_TRANSLATOR : MACHINE_INTERPRETER;
}

MachineMemory *Machine_Memory(Machine *machine) {
    return machine->memory;
}

MachineContext *Machine_Context(Machine *machine) {
    return &machine->context;
}

const MachineProcess *Machine_Process(const Machine *machine) {
    return &machine->process;
}

void Machine_Stack(const Machine *machine, uint32_t *lowest, uint32_t *top) {
    *lowest = machine->stack_lowest;
    *top = machine->stack_top;
}

const MachineModule *Machine_Module(const Machine *machine, uint32_t module) {
    return module < machine->module_count ? &machine->modules[module]->visible : NULL;
}

bool Machine_Read32(Machine *machine, uint32_t address, uint32_t *value) {
    uint8_t bytes[4];
    if (!MachineMemory_Read(machine->memory, address, bytes, 4, MACHINE_READ, NULL))
        return false;
    *value = Bytes_U32(bytes);
    return true;
}

bool Machine_Write32(Machine *machine, uint32_t address, uint32_t value) {
    uint8_t bytes[4];
    Bytes_PutU32(bytes, value);
    return MachineMemory_Write(machine->memory, address, bytes, 4, NULL);
}

/* Translated code is noted when it runs for the first time, so none may be there already. */
void Machine_NoteReached(Machine *machine, const MachineReached *reached) {
    machine->context.reached = reached;
    Machine_CodeChanged(machine, 0, UINT32_MAX);
}

void Machine_Charge(Machine *machine, uint32_t instructions) {
    uint64_t *budget = &machine->context.budget;
    *budget -= *budget < instructions ? *budget : instructions;
}

void Machine_CodeChanged(Machine *machine, uint32_t address, uint32_t size) {
    if (machine->depth > 0)
        Machine_Charge(machine, MACHINE_CODE_COST);
    Interpreter_Forget(machine->interpreter, address, size);
    if (machine->translator)
        Translator_Forget(machine->translator);
}
