/* Makes machines, saves and restores them, and ends them. */
#include "machine/machine_state.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY      (512ull << 20)
#define DEFAULT_LOAD_BUDGET 1000000000ull

RpStatus Machine_Create(const MachineOptions *options, Machine **machine, RpError *error) {
    /* The heaps of some hosts do not align to 16. */
    uint8_t *block = calloc(1, sizeof(Machine) + 16);
    if (!block)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a machine", "", "", "");
    Machine *made = (Machine *)(void *)(block + (16 - (uintptr_t)block % 16));
    made->block = block;
    made->system = options->system;
    made->load_budget = options->load_budget ? options->load_budget : DEFAULT_LOAD_BUDGET;
    made->context.profile = options->profile ? options->profile : MachineProfile_Find("this");
    MachineRegisters_Init(&made->context.registers);

    RpStatus status = MachineMemory_Create(
        options->most_memory ? options->most_memory : DEFAULT_MEMORY, &made->memory, error);
    made->context.memory = made->memory;
    if (!status)
        status = Interpreter_Create(made->memory, &made->interpreter, error);
    if (!status && options->engine == MACHINE_TRANSLATOR && made->memory->window) {
        status = Translator_Create(made->memory, made->interpreter, &made->translator, error);
        if (status == RP_UNSUPPORTED)
            status = RP_OK;
        made->holds_signals = made->translator && options->holds_signals && Translator_Hold();
    }
    if (!status)
        status = Process_Create(made, options, error);
    if (!status && made->system)
        status = made->system->create(made, options, &made->system_state, error);
    if (status) {
        Machine_Destroy(made);
        return status;
    }
    *machine = made;
    return RP_OK;
}

void Machine_Destroy(Machine *machine) {
    if (!machine)
        return;
    if (machine->system_state)
        machine->system->destroy(machine->system_state);
    if (machine->holds_signals)
        Translator_Release();
    if (machine->translator)
        Translator_Destroy(machine->translator);
    if (machine->interpreter)
        Interpreter_Destroy(machine->interpreter);
    for (uint32_t i = 0; i < machine->module_count; i++)
        Loader_Free(machine->modules[i]);
    Machine_DropGates(machine, 0);
    free(machine->gates);
    MachineMemory_Destroy(machine->memory);
    free(machine->block);
}

RpStatus Machine_Save(Machine *machine, RpError *error) {
    RpStatus status = MachineMemory_Save(machine->memory, error);
    if (!status && machine->system && machine->system->save)
        status = machine->system->save(machine->system_state, error);
    if (status)
        return status;
    MachineRevertible *saved = &machine->saved;
    saved->registers = machine->context.registers;
    saved->fs_base = machine->context.fs_base;
    saved->clock = machine->context.clock;
    saved->module_count = machine->module_count;
    saved->gate_count = machine->gate_count;
    saved->tls_count = machine->tls_count;
    memcpy(saved->vectored, machine->vectored, sizeof saved->vectored);
    saved->vectored_count = machine->vectored_count;
    saved->stack_is_open = machine->stack_is_open;
    machine->is_saved = true;
    return RP_OK;
}

RpStatus Machine_Restore(Machine *machine, RpError *error) {
    const MachineRevertible *saved = &machine->saved;
    if (!machine->is_saved || machine->depth > 0)
        return RpError_Set(
            error, RP_INVALID, RP_NOWHERE,
            "a machine can be brought back only between calls, to where it was saved", "", "", "");
    RpStatus status = MachineMemory_Restore(machine->memory, error);
    if (status)
        return status;
    if (machine->memory->code_changed)
        Machine_CodeChanged(machine, 0, UINT32_MAX);
    if (machine->system && machine->system->restore)
        machine->system->restore(machine->system_state);
    machine->context.registers = saved->registers;
    machine->context.fs_base = saved->fs_base;
    machine->context.clock = saved->clock;
    while (machine->module_count > saved->module_count)
        Loader_Free(machine->modules[--machine->module_count]);
    Machine_DropGates(machine, saved->gate_count);
    machine->tls_count = saved->tls_count;
    memcpy(machine->vectored, saved->vectored, sizeof saved->vectored);
    machine->vectored_count = saved->vectored_count;
    machine->stack_is_open = saved->stack_is_open;
    return RP_OK;
}
