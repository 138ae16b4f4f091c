/* Providers execute traces. The host process runs a pair of DLLs (the user's originals, the
 * stand-in, the replacements); `native` runs the library in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROVIDER_H
#define RETROPOSE_REPLAY_PROVIDER_PROVIDER_H

#include "core/pe/pe.h"
#include "replay/process/wine.h"
#include "retropose/arithmetic.h"
#include "tracefile/trace.h"

typedef enum ProviderKind {
    PROVIDER_ORIGINAL, /* a pair without our marks: the user's; see `known_build` */
    PROVIDER_STANDIN,  /* both files carry the stand-in's section */
    PROVIDER_REPLACEMENT,
    PROVIDER_NATIVE,
    PROVIDER_RECORDED, /* the outcomes that are in the trace already */
    PROVIDER_MIXED     /* one file of each kind, which is never presented as either */
} ProviderKind;

typedef struct Provider {
    ProviderKind kind;
    ProviderKind files[ABI_MODULE_COUNT]; /* of the pair's files, by AbiModule */
    char directory[1024]; /* of Ngi32.dll and AniMesh.dll; empty for native and recorded */
    char sha256[2][65];   /* by AbiModule */
    bool known_build;     /* Ngi32.dll has the published SHA-256 */
    bool
        modified_files[ABI_MODULE_COUNT]; /* this file is the stand-in's, changed since its build */
    bool modified;                        /* one of the files is */
    /* How the pair is called (docs/formats/overlay.md): the file retropose.overlay in its
     * folder, where that is for these files, or the file that Provider_UseOverlay names. Where
     * it is empty, the pair is called as the ABI tables say. */
    char overlay[1200];
} Provider;

#define PROVIDER_OVERLAY_NAME "retropose.overlay"

/* Returns "stand-in", "replacement", "original" or "native". */
const char *ProviderKind_Name(ProviderKind kind);
/* Return the same for a provider and for one file of its pair, but "modified stand-in" for a
 * stand-in that has changed since it was built. Traces and reports name a provider so. */
const char *Provider_Name(const Provider *provider);
const char *Provider_FileName(const Provider *provider, AbiModule module);
/* Writes one line for reports: "stand-in (plays the original; not the retail DLLs)", "a modified
 * stand-in ...", "original, published build bab9840d...", "original, unknown build 0123...". */
int Provider_Describe(const Provider *provider, char *buffer, size_t size);

/* Looks at DIR/Ngi32.dll and DIR/AniMesh.dll, whose names match in any case. The directory
 * "native" gives the native provider, "recorded" the recorded one. Else returns RP_NOT_FOUND or
 * RP_CORRUPT with the file and the reason. */
RpStatus Provider_Open(const char *directory, Provider *provider, RpError *error);
/* Finds the file of a module in a folder; its name matches in any case. */
RpStatus Provider_Path(const char *directory, AbiModule module, char *path, size_t size,
                       RpError *error);
/* Uses this file instead of the folder's own overlay; null: none at all. */
RpStatus Provider_UseOverlay(Provider *provider, const char *path, RpError *error);

/* Each such call costs the start of a host, and a time-out its seconds. */
#define PROVIDER_MOST_ENDINGS 16

/* What runs a pair of DLLs. */
typedef enum ProviderEngine {
    PROVIDER_ENGINE_AUTO,    /* Windows or Wine where 32-bit programs run and it is set up, else the
                                machine */
    PROVIDER_ENGINE_MACHINE, /* this project's own (machine/machine.h), in a process of any kind */
    PROVIDER_ENGINE_INTERPRETER, /* the same without its translator: slower, and the same results */
    PROVIDER_ENGINE_WINE,        /* Wine, for a host on another system than Windows */
    PROVIDER_ENGINE_WINDOWS      /* Windows itself */
} ProviderEngine;

/* Returns the engine that `asked` stands for on this system, which is never PROVIDER_ENGINE_AUTO.
 */
ProviderEngine ProviderEngine_Choose(ProviderEngine asked);
#define PROVIDER_ENGINES "auto, machine, interpreter, wine or windows"
/* Returns one of these words. */
const char *ProviderEngine_Name(ProviderEngine engine);
/* Reads one of these words. Behind `machine` or `interpreter` may stand a processor that the
 * machine shall be, such as "machine:k6-2" (machine/processor/profile.h); null where none does.
 * Returns false for any other word. */
bool ProviderEngine_Named(const char *word, ProviderEngine *engine, const char **processor);
/* Returns whether the engine is the machine, with or without its translator. */
bool ProviderEngine_IsMachine(ProviderEngine engine);
/* The name of the program that hosts a pair for an engine. */
const char *ProviderEngine_Host(ProviderEngine engine);

typedef struct ProviderOptions {
    ProviderEngine engine;
    const char *processor;      /* that the machine is (ProviderEngine_Named); null: this one */
    const char *host;           /* ProviderEngine_Host; null: beside this executable */
    const char *wine_prefix;    /* null: RETROPOSE_WINEPREFIX, else one of our own in the cache */
    WineProgress wine_progress; /* told while Wine's prefix is made; may be null */
    const char *overlay;        /* null: the provider's own */
    double timeout_seconds;     /* for each call; 0: 60 */
    /* Call also what is not called for a stranger's trace (Abi_WhyTrust), which else gets
     * TRACE_NOT_CALLED. */
    bool trust;
    /* Whose rcpss and rsqrtss the native provider gives: this processor's own, or a maker's by its
     * model. A pair of DLLs has the instructions of the processor that runs it. */
    RpEstimates estimates;
    /* Gives those that the input's outcomes have, in place of `estimates`. */
    bool recorded_estimates;
    /* After so many calls that end the process or time out, the others are not run and get
     * TRACE_NOT_CALLED; 0: PROVIDER_MOST_ENDINGS. */
    uint32_t most_endings;
    /* Called about four times a second with the number of finished calls; may be null. */
    void (*progress)(void *context, uint64_t calls);
    void *context;
} ProviderOptions;

/* Executes `input`, which must be a whole trace (else RP_TRUNCATED), and writes every call with
 * its outputs and outcome to `output`. A call that crashes, hangs or ends the process has that
 * as its outcome, and the run goes on after it. */
RpStatus Provider_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error);

/* Returns what kind one file is: the stand-in's, ours, or else an original. */
ProviderKind Provider_FileKind(const PeFile *file);
/* Returns whether a file of the stand-in has other bytes than were built. Its last line holds
 * their digest (tests/standin/seal.cmake). False for any other file. */
bool Provider_IsModified(const PeFile *file);

/* g_FastProc as a loaded pair has it. */
#define PROVIDER_TABLE_SLOTS 68
typedef struct ProviderSlot {
    bool inside; /* the entry points into one of the two modules */
    AbiModule module;
    uint32_t rva; /* the address, where the entry points elsewhere */
} ProviderSlot;
/* Reads the table of a pair of DLLs. `force_cpu` is -1 to let this processor decide. The run may
 * make a folder beside the name `work`. Of `options` only the host, the prefix and the time-out
 * count. Returns RP_CRASHED where loading the pair ends the process. */
RpStatus Provider_ReadTable(const Provider *provider, int force_cpu, const char *work,
                            const ProviderOptions *options,
                            ProviderSlot slots[PROVIDER_TABLE_SLOTS], RpError *error);

/* Sets kind and build from the two files. The provider's SHA-256 sums must be set already. */
void Provider_Identify(const PeFile files[ABI_MODULE_COUNT], Provider *provider);
/* Writes provider, sums, processor and `system` into the header of a trace that the provider
 * executed. */
RpStatus Provider_StateInHeader(const Provider *provider, const char *system, TraceHeader *header,
                                RpError *error);

/* The header's `slot-build`: builds for entries of g_FastProc, in place of those that the
 * processor's class chooses. */
typedef enum ProviderSlotBuild {
    PROVIDER_SLOTS_BY_CLASS, /* the header asks for none */
    PROVIDER_SLOTS_GENERIC,
    PROVIDER_SLOTS_FXCH,
    PROVIDER_SLOTS_SSE,
    PROVIDER_SLOTS_COUNT
} ProviderSlotBuild;

/* Returns RP_INVALID for a word other than generic, fxch and sse. */
RpStatus Provider_SlotBuild(const TraceHeader *header, ProviderSlotBuild *build, RpError *error);

/* Reads a word of the option --processor: intel, amd or this. Returns false for another one. */
bool Provider_EstimatesNamed(const char *word, RpEstimates *estimates);
/* Returns whose rcpss and rsqrtss a trace's outcomes have: its header's `estimates`, or the maker's
 * of its `processor`. Where that is this very processor, or unknown, it returns
 * RP_ESTIMATES_OF_THIS. */
RpEstimates Provider_EstimatesIn(const TraceHeader *header);
/* Returns whose estimates all outcomes with this header have, bit for bit: of its `estimates`, or
 * of a `processor` that was compared with its maker's model. Returns RP_ESTIMATES_OF_THIS where
 * this is not known. */
RpEstimates Provider_ProvenEstimates(const TraceHeader *header);
/* Returns the maker whose model a processor was compared with and had; RP_ESTIMATES_OF_THIS for one
 * that was not compared. */
RpEstimates Provider_Measured(const char *processor);
/* States in a header that outcomes have estimates of this kind. */
RpStatus Provider_StateEstimates(RpEstimates estimates, TraceHeader *header, RpError *error);

/* Returns whether two values of the key `processor` name different makers, families or models.
 * Steppings do not matter. An unknown processor differs from none, and software arithmetic from
 * none that is software, too: it has the same bits on every processor. */
bool Provider_OtherProcessor(const char *a, const char *b);
/* Writes the processor as a trace's header has it: "GenuineIntel family 6 model 167 stepping 1".
 * Where the x87 and SSE are computed in software (RpFpu_IsIdeal), this is said first, because then
 * the bits are the software's: "software arithmetic on aarch64 (implementer 0x41, part 0xd0c)".
 * `size` is at least 64. */
void Provider_Processor(char *buffer, size_t size);

#endif
