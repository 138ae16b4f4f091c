/* A machine that runs 32-bit DLLs for Windows: loads them into an address space of their own and
 * calls their functions, in a process of any kind, without Wine and without a kernel that runs
 * 32-bit programs. Whatever the guest does ends as the outcome of its call. */
#ifndef RETROPOSE_MACHINE_MACHINE_H
#define RETROPOSE_MACHINE_MACHINE_H

#include "machine/processor/context.h"

typedef struct Machine Machine;

typedef enum MachineEngine {
    MACHINE_TRANSLATOR, /* where the host has it, else the interpreter */
    MACHINE_INTERPRETER
} MachineEngine;

/* A file that the guest finds under its name, in any case of letters. Its bytes have to outlive the
 * machine. */
typedef struct MachineFile {
    const char *name; /* without a folder */
    const uint8_t *bytes;
    size_t size;
} MachineFile;

typedef struct MachineVariable {
    const char *name, *value;
} MachineVariable;

typedef struct MachineOptions MachineOptions;

/* Code of the host that the guest can call. It reads its arguments with Machine_Argument and
 * leaves its result in EAX of the context. */
typedef void (*MachineService)(Machine *machine, void *context);

/* One function that the system around the DLLs offers, or data, which has a place in the guest's
 * memory and no service. */
typedef struct MachineRow {
    const char *module; /* "KERNEL32.dll" */
    const char *name;
    uint32_t popped;        /* bytes of arguments, which the function takes off the stack */
    MachineService service; /* null: data */
} MachineRow;

/* The system around the DLLs, as little of it as is needed. machine/services/services.h has that of
 * Windows. `state` is what create gave, and the context of its services. */
typedef struct MachineSystem {
    RpStatus (*create)(Machine *machine, const MachineOptions *options, void **state,
                       RpError *error);
    void (*destroy)(void *state);
    /* Null where there is no such function. Modules match in any case, with or without ".dll". */
    const MachineRow *(*find)(const char *module, const char *name);
    /* The address of a row without a service; 0 without memory. */
    uint32_t (*place)(void *state, const MachineRow *row);
    /* Remember the state and bring it back, with the guest's memory (Machine_Save). */
    RpStatus (*save)(void *state, RpError *error);
    void (*restore)(void *state);
} MachineSystem;

struct MachineOptions {
    MachineEngine engine;
    const MachineSystem *system; /* null: there is none, and every import becomes a stub */
    /* Holds the signals of the thread that creates the machine for as long as it lives, for a
     * thread that does nothing else: Translator_Hold. */
    bool holds_signals;
    const MachineProfile *profile; /* null: "this" */
    uint64_t most_memory;          /* of the guest, bytes; 0: 512 MiB */
    uint32_t stack_bytes;          /* 0: 1 MiB */
    uint64_t load_budget;          /* instructions for entry points of one DLL; 0: 1,000 million */
    int force_cpu; /* ForceCpu in the registry (docs/facts/ngi32.md D.5); -1: there is none */
    const MachineVariable *variables; /* of the environment */
    uint32_t variable_count;
    const MachineFile *files;
    uint32_t file_count;
};

RpStatus Machine_Create(const MachineOptions *options, Machine **machine, RpError *error);
void Machine_Destroy(Machine *machine);

/* Loads a DLL under a name such as "Ngi32.dll", binds its imports to DLLs that are there already
 * and to the services (machine/services), and runs its TLS callbacks and its entry point. An import
 * of what nobody has becomes a stub that ends the call that reaches it. `bytes` may go afterwards.
 * Returns RP_CORRUPT or RP_UNSUPPORTED for what cannot be mapped, and RP_CRASHED where the entry
 * point faults, ends the process or answers FALSE. */
RpStatus Machine_Load(Machine *machine, const char *name, const uint8_t *bytes, size_t size,
                      uint32_t *module, RpError *error);

typedef struct MachineModule {
    char name[64];
    uint32_t base, size;
} MachineModule;

/* `module` counts from 0 in the order of loading; null behind the last. */
const MachineModule *Machine_Module(const Machine *machine, uint32_t module);
/* The address of an export by name, or 0. Machine_Ordinal: by ordinal. Forwarders are followed; one
 * that leads to the system gives the address of a service. */
uint32_t Machine_Export(Machine *machine, uint32_t module, const char *name);
uint32_t Machine_Ordinal(Machine *machine, uint32_t module, uint32_t ordinal);

/* Returns the one that runs: the translator only where the host has it. */
MachineEngine Machine_Engine(const Machine *machine);
MachineMemory *Machine_Memory(Machine *machine);
MachineContext *Machine_Context(Machine *machine);

/* Offers one more function of the host to the guest; `popped` bytes of arguments are taken off the
 * stack when it returns. Returns the address that calls it, or 0 without memory. */
uint32_t Machine_AddService(Machine *machine, const char *name, uint32_t popped,
                            MachineService service, void *context);
/* The address that calls a row of the system's table, always the same one; 0 without memory. */
uint32_t Machine_RowAddress(Machine *machine, const MachineRow *row);
/* The same by the row's names; 0 also where the system has no such row, or there is no system. */
uint32_t Machine_SystemAddress(Machine *machine, const char *module, const char *name);
/* The nth dword above the return address of the service that is running. 0 where the stack cannot
 * be read, and then the call ends with that fault. */
uint32_t Machine_Argument(Machine *machine, uint32_t n);
/* To be called within a service: the call ends as if the guest had ended the process. */
void Machine_Exit(Machine *machine, uint32_t code);
/* The same, for a service that the guest asked for in a way that is not supported. */
void Machine_Refuse(Machine *machine, const char *why);

/* To be called where something else than guest code, which is noticed, has changed code: a service
 * that maps, unmaps or protects memory, or that writes past MachineMemory_Write. */
void Machine_CodeChanged(Machine *machine, uint32_t address, uint32_t size);

typedef enum MachineEnd {
    MACHINE_RETURNED,
    MACHINE_FAULTED,   /* Machine_Context()->fault says with what */
    MACHINE_EXITED,    /* the guest ended the process; `exit_code` */
    MACHINE_TIMED_OUT, /* the budget is used up */
    MACHINE_LACKS      /* a service, an import or an instruction that the machine has not */
} MachineEnd;

typedef struct MachineResult {
    MachineEnd end;
    uint32_t exit_code;
    const char *reason; /* "KERNEL32.CreateThread: not supported"; else "" */
} MachineResult;

/* Runs a function to its end. Registers, flags, x87 and MXCSR are what Machine_Context has, except
 * for EIP, which becomes `function`; the return address is pushed below ESP, where the caller has
 * put the arguments. Afterwards the context has what the function left, ESP as it returned. */
void Machine_Call(Machine *machine, uint32_t function, uint64_t budget, MachineResult *result);

/* The addresses of the thread's block (FS:0), the process's block and the image of the program,
 * which is a header only, so that GetModuleHandle(NULL) has an answer. */
typedef struct MachineProcess {
    uint32_t thread_block, process_block, program;
} MachineProcess;
const MachineProcess *Machine_Process(const Machine *machine);

/* The stack of the guest's thread: from the lowest address up to the one where it begins. */
void Machine_Stack(const Machine *machine, uint32_t *lowest, uint32_t *top);

/* Remembers the machine as it is now, for example just after loading, and brings it back. */
RpStatus Machine_Save(Machine *machine, RpError *error);
RpStatus Machine_Restore(Machine *machine, RpError *error);

#endif
