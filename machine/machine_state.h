/* What the files of this folder share: everything that a machine consists of. */
#ifndef RETROPOSE_MACHINE_MACHINE_STATE_H
#define RETROPOSE_MACHINE_MACHINE_STATE_H

#include "core/pe/pe.h"
#include "machine/interpreter/interpreter.h"
#include "machine/translator/translator.h"
#include "machine/x86_machine.h"

/* The first gates are return addresses, one for each depth of nesting. This way it is noticed when
 * an inner call returns into an outer one. The next gates are the return addresses of handlers. */
#define MACHINE_MOST_CALLS   64u
#define MACHINE_GATE_HANDLER (MACHINE_MOST_CALLS + 0u)
#define MACHINE_GATE_UNWIND  (MACHINE_MOST_CALLS + 1u)
#define MACHINE_GATE_VECTOR  (MACHINE_MOST_CALLS + 2u)
#define MACHINE_FIRST_GATE   (MACHINE_MOST_CALLS + 3u)
#define MACHINE_MOST_GATES   ((MACHINE_GATES_END - MACHINE_GATES) / MACHINE_GATE_STEP)

/* The cost, in instructions, of a fault: of a signal of the host and the block for handlers, and of
 * code that has to be decoded or translated again. With it, a budget also limits the time of code
 * that causes nothing but faults. */
#define MACHINE_FAULT_COST 2048u
#define MACHINE_CODE_COST  4096u

#define MACHINE_MOST_MODULES  256u
#define MACHINE_MOST_VECTORED 16u

typedef struct Gate {
    const MachineRow *row; /* null: not a row of the system's table */
    MachineService service;
    void *context;
    uint32_t popped;
    char *lacks; /* a call to this gate ends with this text; null: there is a service */
} Gate;

typedef struct Module {
    MachineModule visible;
    PeFile pe; /* parsed from the module's own copy of the file */
    const PeExport **by_name, **by_ordinal;
    size_t name_count;
    uint32_t tls_block; /* 0: none */
} Module;

/* What Machine_Restore restores in addition to memory and the system's state. */
typedef struct MachineRevertible {
    MachineRegisters registers;
    uint32_t fs_base;
    uint64_t clock;
    uint32_t module_count, gate_count, tls_count;
    uint32_t vectored[MACHINE_MOST_VECTORED], vectored_count;
    bool stack_is_open;
} MachineRevertible;

struct Machine {
    MachineContext context;
    void *block; /* the allocated block that contains this machine, which must be aligned to 16 */
    MachineMemory *memory;
    Interpreter *interpreter;
    Translator *translator; /* null: the interpreter executes everything */
    bool holds_signals;
    const MachineSystem *system;
    void *system_state;
    uint64_t load_budget;

    Module *modules[MACHINE_MOST_MODULES];
    uint32_t module_count;
    Gate *gates; /* numbered from MACHINE_FIRST_GATE on */
    uint32_t gate_count, gate_capacity;

    MachineProcess process;
    uint32_t stack_region, stack_lowest, stack_top;
    bool stack_is_open; /* the spare pages below the stack can be used now */
    uint32_t tls_pointers, tls_count;

    uint32_t vectored[MACHINE_MOST_VECTORED], vectored_count;
    /* The service has set all registers itself, so no arguments are popped. */
    bool service_moved;
    uint32_t depth;
    bool is_ending; /* a service ends the call as the following fields say */
    MachineEnd end;
    uint32_t exit_code;
    char reason[256];

    bool is_saved;
    MachineRevertible saved;
};

/* This is in guest_process.c. It maps the blocks, the stack and the program's header. */
RpStatus Process_Create(Machine *machine, const MachineOptions *options, RpError *error);

/* This is in loader.c. */
void Loader_Free(Module *module);

/* Makes one more gate. Returns 0 if none is left. `lacks` is copied. */
uint32_t Machine_AddGate(Machine *machine, const Gate *gate, const char *lacks);
void Machine_DropGates(Machine *machine, uint32_t count);

/* Takes instructions off the budget of the current call. */
void Machine_Charge(Machine *machine, uint32_t instructions);

bool Machine_Read32(Machine *machine, uint32_t address, uint32_t *value);
bool Machine_Write32(Machine *machine, uint32_t address, uint32_t value);

#endif
