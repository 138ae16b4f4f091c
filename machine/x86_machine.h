/* A machine that runs 32-bit DLLs for Windows. It loads them into an address space of their own and
 * calls their functions, in a process of any kind, without Wine and without a kernel that runs
 * 32-bit programs. Whatever the guest does, its call ends with an outcome. */
#ifndef RETROPOSE_MACHINE_X86_MACHINE_H
#define RETROPOSE_MACHINE_X86_MACHINE_H

#include "machine/processor/context.h"

typedef struct Machine Machine;

typedef enum MachineEngine {
    MACHINE_TRANSLATOR, /* if the host has it; otherwise the interpreter */
    MACHINE_INTERPRETER
} MachineEngine;

/* A file that the guest can open by its name, ignoring case. Its bytes must outlive the machine. */
typedef struct MachineFile {
    const char *name; /* without a folder */
    const uint8_t *bytes;
    size_t size;
} MachineFile;

typedef struct MachineVariable {
    const char *name, *value;
} MachineVariable;

typedef struct MachineOptions MachineOptions;

/* Code of the host that the guest can call. It reads its arguments with Machine_Argument, and
 * leaves its result in EAX of the context. */
typedef void (*MachineService)(Machine *machine, void *context);

/* A function that the system around the DLLs offers; or data, which has a place in the guest's
 * memory and no service. */
typedef struct MachineRow {
    const char *module; /* "KERNEL32.dll" */
    const char *name;
    uint32_t popped;        /* bytes of arguments that the function pops */
    MachineService service; /* null: data */
} MachineRow;

/* The system around the DLLs, with no more than they need. machine/services/services.h has one for
 * Windows. `state` is what `create` has returned; it is also the context of the services. */
typedef struct MachineSystem {
    RpStatus (*create)(Machine *machine, const MachineOptions *options, void **state,
                       RpError *error);
    void (*destroy)(void *state);
    /* Returns null when there is no such function. A module matches in any case, with or without
     * ".dll". */
    const MachineRow *(*find)(const char *module, const char *name);
    /* Returns the address of a row without a service, or 0 when memory is short. */
    uint32_t (*place)(void *state, const MachineRow *row);
    /* These save the state and restore it, together with the guest's memory (Machine_Save). */
    RpStatus (*save)(void *state, RpError *error);
    void (*restore)(void *state);
} MachineSystem;

struct MachineOptions {
    MachineEngine engine;
    const MachineSystem *system; /* null: there is no system, and every import becomes a stub */
    /* Holds back the signals of the creating thread for the lifetime of the machine
     * (Translator_Hold). It is for a thread that does nothing else. */
    bool holds_signals;
    const MachineProfile *profile; /* null: the profile "this" */
    uint64_t most_memory;          /* limit for the guest's memory, in bytes; 0: 512 MiB */
    uint32_t stack_bytes;          /* 0: 1 MiB */
    uint64_t load_budget;          /* instructions for entry points of one DLL; 0: 1,000 million */
    int force_cpu; /* ForceCpu in the registry (docs/facts/ngi32.md D.5); -1: there is none */
    const MachineVariable *variables; /* the environment variables */
    uint32_t variable_count;
    const MachineFile *files;
    uint32_t file_count;
};

RpStatus Machine_Create(const MachineOptions *options, Machine **machine, RpError *error);
void Machine_Destroy(Machine *machine);

/* Loads a DLL under a name such as "Ngi32.dll", binds its imports to DLLs that are already loaded
 * and to the services (machine/services), and runs its TLS callbacks and its entry point. An import
 * that does not exist becomes a stub, and a call that reaches the stub ends. `bytes` is not needed
 * afterwards. Returns RP_CORRUPT or RP_UNSUPPORTED for a file that cannot be mapped, and RP_CRASHED
 * if the entry point faults, ends the process or returns FALSE. */
RpStatus Machine_Load(Machine *machine, const char *name, const uint8_t *bytes, size_t size,
                      uint32_t *module, RpError *error);

typedef struct MachineModule {
    char name[64];
    uint32_t base, size;
} MachineModule;

/* Returns a module. They are numbered from 0 in the order of loading; after the last one, the
 * result is null. */
const MachineModule *Machine_Module(const Machine *machine, uint32_t module);
/* These return the address of an export by its name or by its ordinal, or 0. Forwarders are
 * followed; one that leads to the system gives the address of a service. */
uint32_t Machine_Export(Machine *machine, uint32_t module, const char *name);
uint32_t Machine_Ordinal(Machine *machine, uint32_t module, uint32_t ordinal);

/* Returns the engine in use. It is the translator only if the host has it. */
MachineEngine Machine_Engine(const Machine *machine);
MachineMemory *Machine_Memory(Machine *machine);
MachineContext *Machine_Context(Machine *machine);

/* Offers one more function of the host to the guest. When it returns, `popped` bytes of arguments
 * are taken off the stack. Returns the address by which to call it, or 0 when memory is short. */
uint32_t Machine_AddService(Machine *machine, const char *name, uint32_t popped,
                            MachineService service, void *context);
/* Returns the address by which to call a row of the system's table. It is always the same one, or 0
 * when memory is short. */
uint32_t Machine_RowAddress(Machine *machine, const MachineRow *row);
/* Does the same by the row's names. The result is also 0 when the system has no such row, or when
 * there is no system. */
uint32_t Machine_SystemAddress(Machine *machine, const char *module, const char *name);
/* Returns the nth dword above the return address of the service that is running. If the stack
 * cannot be read, the result is 0, and the call ends with that fault. */
uint32_t Machine_Argument(Machine *machine, uint32_t n);
/* Ends the call as if the guest had ended the process. It may be called within a service only. */
void Machine_Exit(Machine *machine, uint32_t code);
/* Ends the call because the guest has asked a service for something that is not supported. */
void Machine_Refuse(Machine *machine, const char *why);

/* Call it when code was changed by something other than guest code, whose writes are noticed: by a
 * service that maps, unmaps or protects memory, or that writes without MachineMemory_Write. */
void Machine_CodeChanged(Machine *machine, uint32_t address, uint32_t size);

/* Has the machine note which code runs from now on; null ends that. Code outside of the record's
 * ranges is not noted. The record has to be there for as long as the machine notes. */
void Machine_NoteReached(Machine *machine, const MachineReached *reached);

typedef enum MachineEnd {
    MACHINE_RETURNED,
    MACHINE_FAULTED,   /* with the fault in Machine_Context()->fault */
    MACHINE_EXITED,    /* the guest ended the process with `exit_code` */
    MACHINE_TIMED_OUT, /* the budget is used up */
    MACHINE_LACKS      /* the machine does not have a service, an import or an instruction */
} MachineEnd;

typedef struct MachineResult {
    MachineEnd end;
    uint32_t exit_code;
    const char *reason; /* such as "KERNEL32.CreateThread: not supported"; else "" */
} MachineResult;

/* Runs a function until it ends. It begins with the registers, flags, x87 and MXCSR of
 * Machine_Context, except for EIP, which becomes `function`. The return address is pushed below
 * ESP, where the caller has put the arguments. Afterwards the context has what the function left,
 * with ESP as it is after the return. */
void Machine_Call(Machine *machine, uint32_t function, uint64_t budget, MachineResult *result);

/* The addresses of the thread's block (FS:0), of the process's block, and of the program's image.
 * This is only a header, so that GetModuleHandle(NULL) has a result. */
typedef struct MachineProcess {
    uint32_t thread_block, process_block, program;
} MachineProcess;
const MachineProcess *Machine_Process(const Machine *machine);

/* Gives the stack of the guest's thread: its lowest address, and the one where it begins. */
void Machine_Stack(const Machine *machine, uint32_t *lowest, uint32_t *top);

/* These save the machine as it is now, for example just after loading, and restore it. */
RpStatus Machine_Save(Machine *machine, RpError *error);
RpStatus Machine_Restore(Machine *machine, RpError *error);

#endif
