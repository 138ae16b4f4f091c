/* What a function's machine code says of how it is called. The code is read, never run: which
 * registers it reads before it writes them, which dwords of the stack behind its return address,
 * what it does with each, what its returns pop, and whether it leaves a number on the x87 stack.
 *
 * It follows every branch once and holds, for each register and stack slot, whether it still is
 * what the caller put there. What it cannot follow (a computed jump, a call that may pop anything)
 * is said in the result; nothing is guessed silently.
 */
#ifndef RETROPOSE_LIVE_PROBE_STATIC_H
#define RETROPOSE_LIVE_PROBE_STATIC_H

#include "exports/abi.h"
#include "replay/provider/pe.h"

/* Where an argument can be: 0 ECX, 1 EDX, from 2 on the dwords behind the return address. */
enum { PROBE_ECX, PROBE_EDX, PROBE_STACK, PROBE_PLACES = 14 };

/* What is done with the argument in a place. */
enum {
    PROBE_POINTER_READ = 1,    /* memory that it points to is read */
    PROBE_POINTER_WRITTEN = 2, /* ... or written */
    PROBE_FLOAT = 4,           /* loaded into the x87 or an XMM register */
    PROBE_DWORD = 8,           /* counted or shifted with, an index */
    PROBE_PASSED = 16          /* copied, compared, handed to another function */
};

typedef enum ProbeFact {
    PROBE_FACT_USE,    /* `value`: the place, `use`: what for */
    PROBE_FACT_RETURN, /* `value`: bytes popped */
    PROBE_FACT_FLOAT,  /* returns with one number on the x87 stack */
    PROBE_FACT_XMM,
    PROBE_FACT_CALL,     /* `value`: RVA */
    PROBE_FACT_INDIRECT, /* a call through a register or memory: its target is not known */
    PROBE_FACT_LOST      /* here the code could not be followed further */
} ProbeFact;

typedef struct ProbeEvidence {
    ProbeFact fact;
    uint8_t use;
    uint32_t rva; /* of the deciding instruction: the first of its kind */
    uint32_t value;
} ProbeEvidence;

typedef enum ProbeAnswer { PROBE_UNKNOWN, PROBE_NO, PROBE_YES } ProbeAnswer;

#define PROBE_MAX_EVIDENCE 40

typedef struct ProbeStatic {
    uint32_t rva;
    uint32_t thunk_of; /* it is nothing but a jump to there; 0: it is more */
    bool whole;        /* all of it was followed, with the stack pointer known to the end */
    bool returns;      /* at least one return is reached */
    bool pops_known;   /* whole, and all returns pop the same */
    uint32_t pops;     /* then: bytes, without the return address */
    uint8_t uses[PROBE_PLACES];
    uint32_t stack_dwords; /* behind the return address, up to the last that is used */
    ProbeAnswer returns_float;
    bool xmm, x87, mmx, amd_3dnow;
    uint32_t instructions, calls, indirect_calls;
    bool calls_imports;  /* of the system, by itself or in what it calls */
    bool loads_control;  /* fldcw: the x87 control word is changed */
    uint8_t conventions; /* 1 << AbiConvention for each that the code does not rule out */
    ProbeEvidence evidence[PROBE_MAX_EVIDENCE];
    uint32_t evidence_count;
} ProbeStatic;

/* RP_NO_MEMORY, or RP_NOT_FOUND where no code is at the address. */
RpStatus ProbeStatic_Analyse(const PeFile *file, uint32_t rva, ProbeStatic *result, RpError *error);

/* "0x1234 ret 8", "0x1010 reads memory at ECX": one piece of evidence in words. */
int ProbeEvidence_Describe(const ProbeEvidence *evidence, char *buffer, size_t size);

/* ---- the dispatcher of g_FastProc -------------------------------------------------------------
 */

typedef struct ProbeStore {
    uint32_t rva;  /* of the instruction */
    uint32_t slot; /* whose entry it writes */
    uint32_t code; /* RVA of the function that it puts there */
} ProbeStore;

/* Every instruction that stores the address of code into an entry of the table at `table_rva`, in
 * the order of addresses. Returns how many there are; `stores` holds the first `room`. */
uint32_t ProbeStatic_FindStores(const PeFile *file, uint32_t table_rva, uint32_t slots,
                                ProbeStore *stores, uint32_t room);

/* Every place that looks like the beginning of a function: what calls name, and what stands behind
 * a return or a jump. In the order of addresses; returns how many there are. */
uint32_t ProbeStatic_FindStarts(const PeFile *file, uint32_t *starts, uint32_t room);

/* ---- entries ----------------------------------------------------------------------------------
 */

#define PROBE_SIGNATURE_LEAST 16 /* bytes */
#define PROBE_ENTRY_LEAST     5  /* a jump's */

typedef struct ProbeEntry {
    uint32_t signature_bytes; /* whole instructions, PROBE_SIGNATURE_LEAST or more */
    uint32_t entry_bytes;     /* whole instructions that may be moved; 0: they may not */
    char sha256[65];          /* of signature_bytes with what relocation changes as zero */
    const char *refusal;      /* why entry_bytes is 0 */
} ProbeEntry;

/* RP_CORRUPT where no run of instructions is at the address. */
RpStatus ProbeStatic_Entry(const PeFile *file, uint32_t rva, ProbeEntry *entry, RpError *error);

#endif
