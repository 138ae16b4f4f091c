/* Finds out from a function's machine code how it is called. The code is never run. The analysis
 * finds which registers are read before they are written, which dwords of the stack behind the
 * return address are used, what is done with each, how much the returns pop, and whether a number
 * is left on the x87 stack.
 *
 * Every branch is followed once. For each register and each dword of the stack, the analysis tracks
 * whether it still holds what the caller put there. If the code cannot be followed (a computed
 * jump, a call that may pop anything), the result says so. Nothing is guessed silently. */
#ifndef RETROPOSE_GAME_PROBE_STATIC_H
#define RETROPOSE_GAME_PROBE_STATIC_H

#include "core/pe/pe.h"
#include "exports/abi.h"

/* The places of arguments: 0 is ECX, 1 is EDX, and from 2 on the dwords behind the return
 * address. */
enum { PROBE_ECX, PROBE_EDX, PROBE_STACK, PROBE_PLACES = 14 };

/* What the code does with the argument in a place. */
enum {
    PROBE_POINTER_READ = 1,    /* the memory that it points to is read */
    PROBE_POINTER_WRITTEN = 2, /* the memory that it points to is written */
    PROBE_FLOAT = 4,           /* it is loaded into the x87 or an XMM register */
    PROBE_DWORD = 8,           /* it is used for counting, shifting, or as an index */
    PROBE_PASSED = 16          /* it is copied, compared, or passed to another function */
};

typedef enum ProbeFact {
    PROBE_FACT_USE,    /* `value` is the place, `use` says what for */
    PROBE_FACT_RETURN, /* `value` is the number of popped bytes */
    PROBE_FACT_FLOAT,  /* it returns with one number on the x87 stack */
    PROBE_FACT_XMM,
    PROBE_FACT_CALL,     /* `value` is the RVA of the called function */
    PROBE_FACT_INDIRECT, /* a call through a register or memory, whose target is not known */
    PROBE_FACT_LOST      /* here the code could not be followed further */
} ProbeFact;

typedef struct ProbeEvidence {
    ProbeFact fact;
    uint8_t use;
    uint32_t rva; /* address of the first instruction that shows it */
    uint32_t value;
} ProbeEvidence;

typedef enum ProbeAnswer { PROBE_UNKNOWN, PROBE_NO, PROBE_YES } ProbeAnswer;

#define PROBE_MAX_EVIDENCE 40

typedef struct ProbeStatic {
    uint32_t rva;
    uint32_t thunk_of; /* RVA to which the function only jumps; 0 if it does more */
    bool whole;        /* all of it was followed, and the stack pointer was always known */
    bool returns;      /* at least one return is reached */
    bool pops_known;   /* it is whole, and all returns pop the same */
    uint32_t pops;     /* this number, without the return address */
    uint8_t uses[PROBE_PLACES];
    uint32_t stack_dwords; /* dwords behind the return address, up to the last used one */
    ProbeAnswer returns_float;
    bool xmm, x87, mmx, amd_3dnow;
    uint32_t instructions, calls, indirect_calls;
    bool calls_imports;  /* it or a function that it calls calls the system */
    bool loads_control;  /* it changes the x87 control word, by fldcw */
    uint8_t conventions; /* 1 << AbiConvention for each convention that the code allows */
    ProbeEvidence evidence[PROBE_MAX_EVIDENCE];
    uint32_t evidence_count;
} ProbeStatic;

/* Returns RP_NO_MEMORY, or RP_NOT_FOUND where no code is at the address. */
RpStatus ProbeStatic_Analyse(const PeFile *file, uint32_t rva, ProbeStatic *result, RpError *error);

/* Writes one piece of evidence in words: "0x1234 ret 8", "0x1010 reads memory at ECX". */
int ProbeEvidence_Describe(const ProbeEvidence *evidence, char *buffer, size_t size);

/* ---- the dispatcher of g_FastProc ------------------------------------------------------------ */

typedef struct ProbeStore {
    uint32_t rva;  /* RVA of the instruction */
    uint32_t slot; /* the entry that it writes */
    uint32_t code; /* the RVA of the function that it stores */
} ProbeStore;

/* Finds every instruction that stores the address of code into an entry of the table at
 * `table_rva`, in the order of addresses. Returns how many there are; `stores` gets the first
 * `room` of them. */
uint32_t ProbeStatic_FindStores(const PeFile *file, uint32_t table_rva, uint32_t slots,
                                ProbeStore *stores, uint32_t room);

/* Finds every place where a function seems to begin, in the order of addresses: targets of
 * calls, and code behind a return or a jump. Returns their number. `starts` gets the first
 * `room` of them. */
uint32_t ProbeStatic_FindStarts(const PeFile *file, uint32_t *starts, uint32_t room);

/* ---- entries --------------------------------------------------------------------------------- */

#define PROBE_SIGNATURE_LEAST 16 /* in bytes */
#define PROBE_ENTRY_LEAST     5  /* the size of a jump */

typedef struct ProbeEntry {
    uint32_t signature_bytes; /* a whole number of instructions, PROBE_SIGNATURE_LEAST or more */
    uint32_t entry_bytes;     /* in whole instructions that may be moved; 0: they may not */
    char sha256[65];          /* of the signature, with zeros where relocation changes bytes */
    const char *refusal;      /* why entry_bytes is 0 */
} ProbeEntry;

/* Returns RP_CORRUPT if the bytes at the address are not a series of instructions. */
RpStatus ProbeStatic_Entry(const PeFile *file, uint32_t rva, ProbeEntry *entry, RpError *error);

#endif
