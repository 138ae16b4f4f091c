/* The machine: runs a pair of 32-bit DLLs, Ngi32.dll and AniMesh.dll, in a process of any kind.
 *
 * A pair lives in an address space of its own, in which it finds its code, its memory and as much
 * of Windows as it needs, and nothing of the process that opened it. Whatever it does ends as the
 * outcome of a call. docs/use/machine.md tells how it works and what is not as under Windows.
 *
 * There are three ways to use a pair. RpPair_Call calls a function with arguments of the caller's
 * own. RpPair_Run executes all calls of a trace, and gives a trace with their results. RpComparison
 * compares two such traces bit for bit, as `retropose replay` does.
 *
 * Nothing is shared between two pairs. Several may be open at once, and several threads may use one
 * each; one pair must not be used by two threads at once.
 */
#ifndef RETROPOSE_MACHINE_H
#define RETROPOSE_MACHINE_H

#include "api.h"
#include "error.h"
#include "memory.h"
#include "trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

/* ---- opening a pair -------------------------------------------------------------------------- */

typedef struct RpPair RpPair;

typedef enum RpModule { RP_MODULE_NGI32, RP_MODULE_ANIMESH, RP_MODULE_COUNT } RpModule;

/* What executes the DLLs' instructions. Both give the same results. */
typedef enum RpPairEngine {
    /* Portable code, instruction by instruction. It does nothing to the process but take memory. */
    RP_PAIR_INTERPRETER,
    /* The processor itself, forty times as fast. It needs Linux on x86-64; RpPair_Open takes the
     * interpreter elsewhere. The first pair with it installs handlers for SIGSEGV, SIGBUS, SIGFPE
     * and SIGILL, which stay installed and hand on every signal that no guest has caused to the
     * handlers that were there before. The thread that makes a call holds its other signals back
     * until the call, or the run of a trace, is over. On it the base of GS may have changed
     * afterwards. A child of fork() cannot use the pairs of its parent. */
    RP_PAIR_TRANSLATOR
} RpPairEngine;

/* How a pair is opened. Begin with RpPairOptions_Default, since later versions may add fields. */
typedef struct RpPairOptions {
    RpPairEngine engine; /* default: RP_PAIR_INTERPRETER */
    /* Which processor the pair finds: "pentium-mmx", "pentium2", "k6-2", "pentium3", "athlon",
     * "pentium4", or "this" for the one that runs the program, which null stands for. */
    const char *processor; /* default: null */
    /* The value ForceCpu in the registry, which makes Ngi32.dll choose its code for a class of
     * processors; -1: there is none. RpPair_Run takes that of the trace's header instead. */
    int force_cpu;              /* default: -1 */
    uint64_t most_instructions; /* for one call; default: 4,000,000,000 */
    uint64_t most_memory;       /* for the pair, in bytes, at most 3 GiB; default: 512 MiB */
    uint32_t stack_bytes;       /* for the pair; default: 1 MiB */
    /* RpPair_Run calls also those functions that it does not call for a stranger's trace, because
     * with made-up arguments they could write anywhere in the pair's memory. */
    bool trust; /* default: false */
    /* RpPair_Run notes which code its calls reach, for RpPair_Coverage. That takes as much memory
     * as the images of the two DLLs. */
    bool coverage; /* default: false */
} RpPairOptions;

/* Returns the values that stand beside the fields. */
RpPairOptions RpPairOptions_Default(void);

/* Loads a pair of DLLs out of the bytes of the two files, which must outlive it, and runs their
 * entry points. Null options are the defaults. Returns RP_OK, and a pair that RpPair_Close closes;
 * RP_TRUNCATED, RP_CORRUPT and RP_UNSUPPORTED, with the byte offset, for a file that is no DLL for
 * 32-bit Windows; RP_INVALID for a processor or a number outside of its range; RP_CRASHED where an
 * entry point crashes or refuses. `where` of the error has the name of the DLL. */
RpStatus RpPair_Open(const void *ngi32, size_t ngi32_size, const void *animesh, size_t animesh_size,
                     const RpPairOptions *options, RpPair **pair, RpError *error);
/* Closes a pair, which may be null. */
void RpPair_Close(RpPair *pair);

/* What is known of a pair. */
typedef struct RpPairFacts {
    /* "original", "stand-in", "modified stand-in", "replacement", or "mixed" for files of two
     * kinds */
    const char *kind;
    const char *description;                   /* one line, as reports have it */
    const char *ngi32_sha256, *animesh_sha256; /* of the two files, 64 digits each */
    bool is_published;     /* Ngi32.dll is the build whose SHA-256 is published */
    const char *engine;    /* "machine" for the translator, or "interpreter" */
    const char *processor; /* as RpPairOptions has it */
    /* x87 and SSE are computed in software, so that fsin, fcos, fptan, fpatan, f2xm1, fyl2x and
     * fyl2xp1 may differ from a processor's in the last bits */
    bool is_software;
} RpPairFacts;

/* Fills in what is known of a pair. The texts belong to it. */
void RpPair_Facts(const RpPair *pair, RpPairFacts *facts);

/* ---- calling --------------------------------------------------------------------------------- */

/* Returns the address of an export by name, or 0. */
uint32_t RpPair_Export(const RpPair *pair, RpModule module, const char *name);
/* Returns the address that an entry of g_FastProc holds, 0 to 67 (docs/reference/abi.md), or 0. */
uint32_t RpPair_Slot(const RpPair *pair, uint32_t slot);

/* Gives memory of the pair's, zeroed, at a multiple of 16, which stays until RpPair_Restore or
 * RpPair_Close. Returns its address, or 0 where there is none left. */
uint32_t RpPair_Allocate(RpPair *pair, uint32_t size);
/* Copies bytes out of the pair's memory. Returns RP_INVALID where the pair itself could not read
 * all of them. */
RpStatus RpPair_Read(const RpPair *pair, uint32_t address, void *bytes, size_t size,
                     RpError *error);
/* Copies bytes into the pair's memory. Returns RP_INVALID, and copies nothing, where the pair
 * itself could not write all of them. */
RpStatus RpPair_Write(RpPair *pair, uint32_t address, const void *bytes, size_t size,
                      RpError *error);

#define RP_PAIR_MOST_ARGUMENTS 64

/* One call. The first fields say what is called, the others what came out. */
typedef struct RpPairCall {
    uint32_t function; /* its address */
    /* Dwords for the stack, the first argument first; the bits of floats. At most
     * RP_PAIR_MOST_ARGUMENTS. */
    const uint32_t *arguments;
    uint32_t argument_count;
    uint32_t ecx, edx; /* where fastcall and thiscall pass their first arguments */
    /* The x87 control word and MXCSR to call with. The game's threads have 0x007F (24 bits) and
     * 0x1F80. */
    uint16_t control_word;
    uint32_t mxcsr;

    RpTraceOutcome outcome; /* RP_TRACE_RETURNED, _CRASHED, _EXITED, _TIMED_OUT or _UNSUPPORTED */
    uint32_t eax, edx_after;
    uint8_t st0[10]; /* the bits of ST0, the lowest byte first */
    /* Whether ST0 holds a value and the other registers of the x87 none: so a function that gives a
     * float returns. */
    bool returned_float;
    uint16_t control_word_after;
    uint32_t mxcsr_after;
    uint32_t popped; /* bytes of arguments that the function took off the stack */
    /* After a crash: the code of the exception (0xC0000005 is an access violation), and where it
     * was raised. This is an offset in one of the DLLs or, if `module` is RP_MODULE_COUNT, an
     * address elsewhere. */
    uint32_t exception, offset;
    RpModule module;
    uint32_t exit_code; /* the exit code of a call that ended the process */
    /* Why a call was unsupported or had no end, such as "KERNEL32.CreateThread: not supported";
     * else empty. It holds until the next call. */
    const char *reason;
} RpPairCall;

/* Calls a function. What it changes in the pair's memory stays. Returns RP_OK whatever the function
 * did, and RP_INVALID for too many arguments or a pair in which an earlier call exited or timed out
 * (RpPair_Restore). */
RpStatus RpPair_Call(RpPair *pair, RpPairCall *call, RpError *error);
/* Brings the pair back to just after its loading. Returns RP_NO_MEMORY, after which the pair can
 * only be closed. */
RpStatus RpPair_Restore(RpPair *pair, RpError *error);

/* ---- the calls of a trace -------------------------------------------------------------------- */

/* Executes the calls of a trace, and appends a trace with their results to `executed`. A call that
 * exits or times out has that as its outcome, and the run goes on after it; after 16 of these the
 * other calls get RP_TRACE_NOT_CALLED. The pair is loaded anew for it, with what the trace's header
 * asks for, so that the result depends on the files and the trace alone, and RpPair_Call finds
 * nothing of it. `progress` is called from time to time with the number of calls so far, and of
 * all, which is 0 where the trace does not say; false ends the run. It may be null. Returns what
 * RpTrace_Next returns for a trace that cannot be read; RP_INVALID, without a whole trace, where
 * `progress` ended the run. */
RpStatus RpPair_Run(RpPair *pair, const void *trace, size_t size,
                    bool (*progress)(void *context, uint64_t done, uint64_t total), void *context,
                    RpBuffer *executed, RpError *error);
/* Returns why a call of the function with this key, such as "ngi32.slot17", was unsupported in the
 * last RpPair_Run, or timed out: the reason of its first such call. Empty where none is known, as
 * for a function that the pair does not have. */
const char *RpPair_Reason(const RpPair *pair, const char *function);

/* How much of the code of a function was reached. Code of the replacement and of the stand-in that
 * no call is meant to reach does not count (docs/use/coverage.md). */
typedef struct RpPairCoverage {
    uint64_t blocks, blocks_reached; /* runs of instructions that are entered at their beginning */
    uint64_t sides, sides_reached;   /* of conditional branches, which have two each */
} RpPairCoverage;

/* Counts what all calls of RpPair_Run since the pair was opened have reached of the function with
 * this key and of what it calls; null stands for all functions that were called, together. A
 * function that was not called has zeros. Returns RP_INVALID for a pair that was opened without
 * `coverage`, and RP_NO_MEMORY. */
RpStatus RpPair_Coverage(RpPair *pair, const char *function, RpPairCoverage *counts,
                         RpError *error);

/* ---- comparing ------------------------------------------------------------------------------- */

/* Collects what any number of pairs of traces have in common. */
typedef struct RpComparison RpComparison;

/* How many calls came out how. Every call is counted once as compared, or once as one of the five
 * kinds that are not. */
typedef struct RpComparisonCounts {
    uint64_t compared;
    uint64_t different; /* of these, calls with a difference that nothing excuses */
    uint64_t processor; /* of these, calls whose difference two makers' processors may have */
    uint64_t crashed;   /* of the different ones, those where a side crashed, exited or hung */
    /* Not compared: */
    uint64_t failed_alike;   /* both crashed, exited or hung in the same way */
    uint64_t wrote_outside;  /* both wrote outside of their outputs, nobody knows what */
    uint64_t not_comparable; /* nothing that they gave can be compared */
    uint64_t not_called;     /* a side refused to call it; see RpPairOptions.trust */
    uint64_t unsupported;    /* a side does not have the function */
} RpComparisonCounts;

/* A function in a comparison. The texts belong to the library. */
typedef struct RpComparisonFunction {
    const char *key;  /* "ngi32.slot17" */
    const char *name; /* "Matrix_FromQuaternion" */
    const char
        *standing; /* in one word or a few: "equal", "DIFFERENT", "CRASHED", "not compared" */
    RpComparisonCounts counts;
} RpComparisonFunction;

/* A difference of one call. The texts hold until the next one is asked for. */
typedef struct RpComparisonDifference {
    const char *function; /* its key */
    const char *trace;    /* the name that RpComparison_Add was given */
    uint64_t sequence;    /* the number of the call */
    const char *field;    /* "matrix[2][1]", "outcome", "control word" and so on */
    /* Both values as they are in the traces, the lowest byte first. */
    uint8_t a[12], b[12];
    uint32_t size; /* size of each value in bytes */
    /* Both as texts: the digits of the bits with the number, or words such as "timed out". */
    const char *text_a, *text_b;
} RpComparisonDifference;

/* Makes an empty comparison, or returns null where memory is short. It keeps the first difference
 * of each function, and `most_differences` others in detail; 0: 20. */
RpComparison *RpComparison_Create(uint32_t most_differences);
/* Frees a comparison, which may be null. */
void RpComparison_Destroy(RpComparison *comparison);

/* Compares two executed traces of the same calls, of which `a` is the original's. `name` is what
 * the report calls them. Returns RP_CORRUPT where they are not of the same calls; RP_INVALID where
 * one was not executed, or where their headers ask for different things; and what RpTrace_Next
 * returns. What was compared before an error counts. */
RpStatus RpComparison_Add(RpComparison *comparison, const void *a, size_t a_size, const void *b,
                          size_t b_size, const char *name, RpError *error);

/* Fills in the sums over all functions. */
void RpComparison_Totals(const RpComparison *comparison, RpComparisonCounts *totals);
/* Returns how many functions had calls. */
size_t RpComparison_FunctionCount(const RpComparison *comparison);
/* Fills in a function, in the order of docs/reference/abi.md. Returns false, and zeros, behind the
 * last one. */
bool RpComparison_FunctionAt(const RpComparison *comparison, size_t index,
                             RpComparisonFunction *function);
/* Fills in the first difference in the function with this key. Returns false, and zeros, where
 * there is none. */
bool RpComparison_FirstDifference(RpComparison *comparison, const char *function,
                                  RpComparisonDifference *difference);
/* Appends the report that `retropose replay --json` writes (docs/use/replay.md). It says of the two
 * sides what the traces that were added last say. Returns RP_NO_MEMORY. */
RpStatus RpComparison_Json(const RpComparison *comparison, RpBuffer *text, RpError *error);

RP_API_END

#endif
