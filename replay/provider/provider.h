/* Providers execute traces. The host process runs a pair of DLLs (the user's originals, the
 * stand-in, the replacements). The provider `native` runs the library in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROVIDER_H
#define RETROPOSE_REPLAY_PROVIDER_PROVIDER_H

#include "core/pe/pe.h"
#include "replay/process/wine.h"
#include "retropose/arithmetic.h"
#include "tracefile/tracefile.h"

typedef enum ProviderKind {
    PROVIDER_ORIGINAL, /* a pair without our marks, which is the user's; see `known_version` */
    PROVIDER_STANDIN,  /* both files carry the stand-in's section */
    PROVIDER_REPLACEMENT,
    PROVIDER_NATIVE,
    PROVIDER_RECORDED, /* the outcomes that are in the trace already */
    PROVIDER_MIXED     /* one file of each kind, which is never presented as either */
} ProviderKind;

typedef struct Provider {
    ProviderKind kind;
    ProviderKind files[ABI_MODULE_COUNT]; /* kinds of the pair's files, indexed by AbiModule */
    /* the folder of Ngi32.dll and AniMesh.dll; empty for native and recorded */
    char directory[1024];
    char sha256[2][65]; /* indexed by AbiModule */
    bool known_version; /* Ngi32.dll has the published SHA-256 */
    bool
        /* this file is the stand-in's, but has changed since its build */
        modified_files[ABI_MODULE_COUNT];
    bool modified; /* one of modified_files is set */
    /* How the pair is called (docs/formats/overlay.md): the file retropose.overlay in its folder,
     * if that was made for these files, or the file that Provider_UseOverlay names. If it is empty,
     * the pair is called as the ABI tables say. */
    char overlay[1200];
    /* Gets which code of the pair the calls reach, in a machine; null: nobody asks. */
    struct ReachedRecord *reached;
} Provider;

#define PROVIDER_OVERLAY_NAME "retropose.overlay"

/* Returns "stand-in", "replacement", "original" or "native". */
const char *ProviderKind_Name(ProviderKind kind);
/* These return the same for a provider and for one file of its pair, except that a stand-in that
 * has changed since it was built is a "modified stand-in". Traces and reports use these names. */
const char *Provider_Name(const Provider *provider);
const char *Provider_FileName(const Provider *provider, AbiModule module);
/* Writes one line for reports: "stand-in (plays the original; not the retail DLLs)", "a modified
 * stand-in ...", "original, published build bab9840d...", "original, unknown build 0123...". */
int Provider_Describe(const Provider *provider, char *buffer, size_t size);

/* Looks for DIR/Ngi32.dll and DIR/AniMesh.dll, whose names match in upper and lower case. The
 * directory "native" gives the native provider, "recorded" the recorded one. Otherwise returns
 * RP_NOT_FOUND or RP_CORRUPT with the file and the reason. */
RpStatus Provider_Open(const char *directory, Provider *provider, RpError *error);
/* Finds the file of a module in a folder; its name matches in upper and lower case. */
RpStatus Provider_Path(const char *directory, AbiModule module, char *path, size_t size,
                       RpError *error);
/* Reads both files of a folder. After an error none is open. */
RpStatus Provider_LoadFiles(const char *directory, PeFile files[ABI_MODULE_COUNT], RpError *error);
void Provider_CloseFiles(PeFile files[ABI_MODULE_COUNT]);
/* Uses this file instead of the folder's own overlay; null stands for no overlay at all. */
RpStatus Provider_UseOverlay(Provider *provider, const char *path, RpError *error);

/* The most calls of a run that may end the process or time out. Each of them costs the start of a
 * host, and a time-out also its seconds. */
#define PROVIDER_MOST_ENDINGS 16

/* What runs a pair of DLLs. */
typedef enum ProviderEngine {
    /* Windows, or Wine where 32-bit programs run and it is set up, and otherwise the machine */
    PROVIDER_ENGINE_AUTO,
    PROVIDER_ENGINE_MACHINE, /* this project's own (machine/x86_machine.h), in any process */
    /* the same without its translator, which is slower and gives the same results */
    PROVIDER_ENGINE_INTERPRETER,
    PROVIDER_ENGINE_WINE,   /* Wine, for a host on another system than Windows */
    PROVIDER_ENGINE_WINDOWS /* Windows itself */
} ProviderEngine;

/* Returns the engine that `asked` stands for on this system, which is never PROVIDER_ENGINE_AUTO.
 */
ProviderEngine ProviderEngine_Choose(ProviderEngine asked);
#define PROVIDER_ENGINES "auto, machine, interpreter, wine or windows"
/* Returns the word for an engine. */
const char *ProviderEngine_Name(ProviderEngine engine);
/* Reads such a word. After `machine` or `interpreter` may follow a processor that the machine is to
 * be, such as "machine:k6-2" (machine/processor/profile.h); *processor is null if none does.
 * Returns false for any other word. */
bool ProviderEngine_Named(const char *word, ProviderEngine *engine, const char **processor);
/* Returns whether the engine is the machine, with or without its translator. */
bool ProviderEngine_IsMachine(ProviderEngine engine);
/* Returns the name of the program that hosts a pair for an engine. */
const char *ProviderEngine_Host(ProviderEngine engine);

typedef struct ProviderOptions {
    ProviderEngine engine;
    /* the processor that the machine is (ProviderEngine_Named); null stands for this one */
    const char *processor;
    /* from ProviderEngine_Host; null stands for the program beside this executable */
    const char *host;
    /* null stands for RETROPOSE_WINEPREFIX, or else our own one in the cache */
    const char *wine_prefix;
    WineProgress wine_progress; /* is told while Wine's prefix is made; may be null */
    const char *overlay;        /* null stands for the provider's own */
    double timeout_seconds;     /* for each call; 0 stands for 60 */
    /* Also calls the functions that are not called for a stranger's trace (Abi_WhyTrust). Without
     * this, such a call gets TRACE_NOT_CALLED. */
    bool trust;
    /* Whose rcpss and rsqrtss the native provider uses: this processor's own, or a model of a
     * maker's. A pair of DLLs has the instructions of the processor that runs it. */
    RpEstimates estimates;
    /* Uses those of the input's outcomes, in place of `estimates`. */
    bool recorded_estimates;
    /* After this number of calls that end the process or time out, the others are not run and get
     * TRACE_NOT_CALLED; 0 stands for PROVIDER_MOST_ENDINGS. */
    uint32_t most_endings;
    /* Called about four times a second with the number of finished calls; may be null. */
    void (*progress)(void *context, uint64_t calls);
    void *context;
} ProviderOptions;

/* Executes `input`, which must be a whole trace (otherwise RP_TRUNCATED is returned), and writes
 * every call with its outputs and outcome to `output`. A call that crashes, hangs or ends the
 * process has that as its outcome, and the run goes on after it. */
RpStatus Provider_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error);

/* Returns what kind one file is: the stand-in's, ours, or otherwise an original. */
ProviderKind Provider_FileKind(const PeFile *file);
/* Returns whether a file of the stand-in has other bytes than when it was built. Its last line
 * holds their digest (tests/standin/seal.cmake). Returns false for any other file. */
bool Provider_IsModified(const PeFile *file);

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

/* Reads a word of the option --processor: intel, amd or this. Returns false for any other word. */
bool Provider_EstimatesNamed(const char *word, RpEstimates *estimates);
/* Returns whose rcpss and rsqrtss a trace's outcomes have: its header's `estimates`, or the maker's
 * of its `processor`. Where that is this very processor, or unknown, it returns
 * RP_ESTIMATES_OF_THIS. */
RpEstimates Provider_EstimatesIn(const TraceHeader *header);
/* Returns whose estimates all outcomes with this header have, bit for bit. They are those of its
 * `estimates`, or of a `processor` that was compared with its maker's model. Returns
 * RP_ESTIMATES_OF_THIS where this is not known. */
RpEstimates Provider_ProvenEstimates(const TraceHeader *header);
/* Returns the maker whose model agreed with a processor when they were compared, or
 * RP_ESTIMATES_OF_THIS for a processor that was not compared. */
RpEstimates Provider_Measured(const char *processor);
/* States in a header that outcomes have estimates of this kind. */
RpStatus Provider_StateEstimates(RpEstimates estimates, TraceHeader *header, RpError *error);

/* Returns whether two values of the key `processor` name different makers, families or models.
 * Steppings do not matter. An unknown processor differs from no other. Software arithmetic does not
 * differ from other software arithmetic, because it has the same bits on every processor. */
bool Provider_OtherProcessor(const char *a, const char *b);
/* Writes the processor as it stands in a trace's header: "GenuineIntel family 6 model 167 stepping
 * 1". If the x87 and SSE are computed in software (RpFpu_IsIdeal), this is said first, because then
 * the bits are the software's: "software arithmetic on aarch64 (implementer 0x41, part 0xd0c)".
 * `size` is at least 64. */
void Provider_Processor(char *buffer, size_t size);

#endif
