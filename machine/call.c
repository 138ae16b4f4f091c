/* Runs a function of the guest to its end, through gates and faults. */
#include "machine/exceptions.h"
#include "machine/machine_state.h"

#include <stdio.h>

/* Handles a gate that is not the return of this call. If code continues after it, sets EIP;
 * otherwise sets `is_ending` and how the call ends. */
static void PassGate(Machine *machine, uint32_t gate) {
    MachineContext *context = &machine->context;
    MachineRegisters *registers = &context->registers;
    bool goes_on = false;
    if (registers->eip % MACHINE_GATE_STEP) /* not the beginning of a gate */
        gate = MACHINE_MOST_GATES;
    if (gate == MACHINE_GATE_HANDLER) {
        goes_on = Exceptions_AfterHandler(machine);
    } else if (gate == MACHINE_GATE_UNWIND) {
        goes_on = Exceptions_AfterUnwound(machine);
    } else if (gate == MACHINE_GATE_VECTOR) {
        goes_on = Exceptions_AfterVectored(machine);
    } else if (gate >= MACHINE_FIRST_GATE && gate - MACHINE_FIRST_GATE < machine->gate_count) {
        const Gate row = machine->gates[gate - MACHINE_FIRST_GATE];
        uint32_t esp = registers->general[MACHINE_ESP];
        if (row.lacks) {
            Machine_Refuse(machine, row.lacks);
            return;
        }
        machine->service_moved = false;
        row.service(machine, row.context);
        if (machine->is_ending || machine->service_moved)
            return;
        context->fault =
            (MachineFault){MACHINE_ACCESS_VIOLATION, registers->eip, MACHINE_READ, esp};
        goes_on = Machine_Read32(machine, esp, &registers->eip);
        if (goes_on)
            registers->general[MACHINE_ESP] = esp + 4 + row.popped;
    } else {
        context->fault = (MachineFault){MACHINE_ACCESS_VIOLATION, registers->eip, MACHINE_EXECUTE,
                                        registers->eip};
    }
    if (!goes_on) {
        machine->is_ending = true;
        machine->end = MACHINE_FAULTED;
    }
}

/* An access below the stack is an overflow of the stack. As in Windows, the stack then has some
 * more room, in which a handler can run, until the outermost call has ended. */
static void NoteStackOverflow(Machine *machine) {
    MachineFault *fault = &machine->context.fault;
    if (fault->code != MACHINE_ACCESS_VIOLATION || fault->target < machine->stack_region ||
        fault->target >= machine->stack_top ||
        MachineMemory_Protection(machine->memory, fault->target) != 0)
        return;
    fault->code = MACHINE_STACK_OVERFLOW;
    machine->stack_is_open = true;
    MachineMemory_Protect(machine->memory, machine->stack_region,
                          machine->stack_top - machine->stack_region, MACHINE_READ | MACHINE_WRITE);
}

static void CloseStack(Machine *machine) {
    if (machine->stack_is_open)
        MachineMemory_Protect(machine->memory, machine->stack_region,
                              machine->stack_lowest - machine->stack_region, 0);
    machine->stack_is_open = false;
}

static void PassFault(Machine *machine) {
    const MachineFault *fault = &machine->context.fault;
    if (fault->code == MACHINE_UNKNOWN_INSTRUCTION) {
        char text[80], bytes[3 * 8 + 1] = "";
        uint8_t code;
        for (uint32_t i = 0; i < 8; i++)
            if (MachineMemory_Read(machine->memory, fault->address + i, &code, 1, MACHINE_EXECUTE,
                                   NULL))
                snprintf(bytes + 3 * i, sizeof bytes - 3 * i, " %02X", code);
            else
                break;
        snprintf(text, sizeof text, "instruction at 0x%08X:%s: not supported", fault->address,
                 bytes);
        Machine_Refuse(machine, text);
        return;
    }
    NoteStackOverflow(machine);
    MachineException exception = {.code = fault->code, .address = fault->address};
    if (fault->code == MACHINE_ACCESS_VIOLATION || fault->code == MACHINE_IN_PAGE_ERROR) {
        exception.count = 2;
        exception.parameters[0] = fault->access == MACHINE_WRITE     ? 1
                                  : fault->access == MACHINE_EXECUTE ? 8
                                                                     : 0;
        exception.parameters[1] = fault->target;
    } else if (fault->code == MACHINE_FLOAT_TRAPS)
        exception.count = 1; /* one parameter, which is 0 */
    if (!Exceptions_Dispatch(machine, &exception)) {
        machine->is_ending = true;
        machine->end = MACHINE_FAULTED;
    }
}

void Machine_Call(Machine *machine, uint32_t function, uint64_t budget, MachineResult *result) {
    MachineContext *context = &machine->context;
    MachineRegisters *registers = &context->registers;
    const uint32_t depth = machine->depth;
    const uint64_t outer = context->budget;
    *result = (MachineResult){.reason = ""};
    if (depth == MACHINE_MOST_CALLS) {
        result->end = MACHINE_LACKS;
        result->reason = "calls within calls: at most 64";
        return;
    }
    if (depth == 0)
        machine->is_ending = false;
    machine->depth++;
    const uint64_t given = depth > 0 && outer < budget ? outer : budget;
    context->budget = given;

    /* The frames of a call that does not return are gone, so its handlers must be taken out of the
     * chain. */
    uint32_t handlers;
    const bool has_handlers = Machine_Read32(machine, context->fs_base, &handlers);

    const uint32_t back = MACHINE_GATES + depth * MACHINE_GATE_STEP;
    const uint32_t esp = registers->general[MACHINE_ESP] - 4;
    registers->eip = function;
    if (Machine_Write32(machine, esp, back)) {
        registers->general[MACHINE_ESP] = esp;
    } else {
        context->fault = (MachineFault){MACHINE_ACCESS_VIOLATION, function, MACHINE_WRITE, esp};
        NoteStackOverflow(machine);
        machine->is_ending = true;
        machine->end = MACHINE_FAULTED;
    }
    /* Holding the thread saves the translator some system calls at each gate. */
    const bool is_held = machine->translator && depth == 0 && Translator_Hold();
    bool has_returned = false;
    while (!machine->is_ending && !has_returned) {
        MachineStop stop = machine->translator ? Translator_Run(machine->translator, context)
                                               : Interpreter_Run(machine->interpreter, context);
        /* A gate counts as an instruction. Otherwise code that only goes from one gate to the next
         * would never end. */
        if (stop == MACHINE_STOP_GATE && registers->eip == back &&
            registers->general[MACHINE_ESP] > esp) {
            has_returned = true;
        } else if (stop == MACHINE_STOP_BUDGET || context->budget == 0) {
            machine->is_ending = true;
            machine->end = MACHINE_TIMED_OUT;
        } else if (stop == MACHINE_STOP_FAULT) {
            Machine_Charge(machine, MACHINE_FAULT_COST);
            PassFault(machine);
        } else {
            context->budget--;
            PassGate(machine, (registers->eip - MACHINE_GATES) / MACHINE_GATE_STEP);
        }
    }

    if (is_held)
        Translator_Release();

    if (!has_returned) {
        if (has_handlers)
            Machine_Write32(machine, context->fs_base, handlers);
        result->end = machine->end;
        result->exit_code = machine->end == MACHINE_EXITED ? machine->exit_code : 0;
        result->reason = machine->end == MACHINE_LACKS ? machine->reason : "";
    }
    machine->depth--;
    if (depth == 0)
        CloseStack(machine);
    else /* the instructions of an inner call count for the outer one, too */
        context->budget = outer - (given - context->budget);
    /* When the process ends, or when the machine lacks something, all calls end. After any other
     * end of an inner call, the service that made it may continue. */
    if (has_returned || (machine->end != MACHINE_EXITED && machine->end != MACHINE_LACKS))
        machine->is_ending = false;
}
