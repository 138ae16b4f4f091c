/* Providers: who executes a trace. The host process runs a pair of DLLs (the user's original, the
 * stand-in, the replacement); `native` runs the library in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_PROVIDER_H
#define RETROPOSE_REPLAY_PROVIDER_PROVIDER_H

#include "replay/provider/pe.h"
#include "replay/trace/trace.h"

typedef enum ProviderKind {
    PROVIDER_ORIGINAL, /* a pair without our marks: the user's; `known_build` tells more */
    PROVIDER_STANDIN,  /* both files carry the stand-in's section */
    PROVIDER_REPLACEMENT,
    PROVIDER_NATIVE,
    PROVIDER_RECORDED, /* the outcomes that the trace holds already */
    PROVIDER_MIXED     /* files of two kinds: never presented as one of them */
} ProviderKind;

typedef struct Provider {
    ProviderKind kind;
    ProviderKind files[ABI_MODULE_COUNT]; /* of a pair, by AbiModule */
    char directory[1024]; /* of Ngi32.dll and AniMesh.dll; empty for native, recorded */
    char sha256[2][65];   /* by AbiModule */
    bool known_build;     /* Ngi32.dll has the published SHA-256 */
    bool modified;        /* a file of a stand-in is not as it was built */
    /* How the pair is called (docs/formats/overlay.md): retropose.overlay in its folder, when that
     * is of these files, or what Provider_UseOverlay names. Empty: as the ABI tables say. */
    char overlay[1200];
} Provider;

#define PROVIDER_OVERLAY_NAME "retropose.overlay"

/* "stand-in", "replacement", "original", "native". */
const char *ProviderKind_Name(ProviderKind kind);
/* One line for reports: "stand-in (plays the original; not the retail DLLs)", or "modified
 * stand-in", "original, published build bab9840d...", "original, unknown build 0123...". */
int Provider_Describe(const Provider *provider, char *buffer, size_t size);

/* Looks at DIR/Ngi32.dll and DIR/AniMesh.dll (names matched without case). "native" as directory
 * gives the native provider, "recorded" the recorded one. RP_NOT_FOUND or RP_CORRUPT with the file
 * and the reason otherwise. */
RpStatus Provider_Open(const char *directory, Provider *provider, RpError *error);
/* The file of a module in a folder, its name matched without case. */
RpStatus Provider_Path(const char *directory, AbiModule module, char *path, size_t size,
                       RpError *error);
/* A file of the user's choice instead of the folder's own; null: none at all. */
RpStatus Provider_UseOverlay(Provider *provider, const char *path, RpError *error);

/* Each costs the start of a host, and a time-out its seconds. */
#define PROVIDER_MOST_ENDINGS 16

typedef struct ProviderOptions {
    const char *host;        /* retropose-host.exe; null: beside this executable */
    const char *wine_prefix; /* null: RETROPOSE_WINEPREFIX, else a private one in the cache */
    const char *overlay;     /* null: the provider's own */
    double timeout_seconds;  /* for one call; 0: 60 */
    /* Also what is not called for a stranger's trace (Abi_WhyTrust); else TRACE_NOT_CALLED. */
    bool trust;
    /* Behind so many calls that end the process, or time out, the others are not run but get
     * TRACE_NOT_CALLED; 0: PROVIDER_MOST_ENDINGS. */
    uint32_t most_endings;
    /* Called about four times a second with the number of calls finished; may be null. */
    void (*progress)(void *context, uint64_t calls);
    void *context;
} ProviderOptions;

/* Executes `input` (a whole trace: RP_TRUNCATED otherwise) and writes every call with its outputs
 * and outcome to `output`. A call that crashes, hangs or ends the process is that call's outcome;
 * the run goes on behind it. */
RpStatus Provider_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error);

/* One file: of the stand-in, of ours, or else an original. */
ProviderKind Provider_FileKind(const PeFile *file);
/* Of a file of the stand-in: whether its bytes are others than those that were built. Its last line
 * says their digest (tests/standin/seal.cmake). False for any other file. */
bool Provider_IsModified(const PeFile *file);
/* Whether the digest is that of a build whose digest is published: one of Ngi32.dll is, none of
 * AniMesh.dll (facts/ngi32.md 0.3, facts/animesh.md A.3). */
bool Provider_IsPublished(AbiModule module, const char *sha256);

/* g_FastProc as a loaded pair has it. */
#define PROVIDER_TABLE_SLOTS 68
typedef struct ProviderSlot {
    bool inside; /* the entry points into one of the two modules */
    AbiModule module;
    uint32_t rva; /* or an address elsewhere */
} ProviderSlot;
/* `force_cpu` -1: as this processor decides. `work`: a name beside which the run may put a folder
 * of its own. Of `options` the host, the prefix and the time-out
 * count. RP_CRASHED when loading the pair takes the process with it; needs a pair of DLLs. */
RpStatus Provider_ReadTable(const Provider *provider, int force_cpu, const char *work,
                            const ProviderOptions *options,
                            ProviderSlot slots[PROVIDER_TABLE_SLOTS], RpError *error);

/* Kind and build by the two files; the provider's SHA-256 sums must be there already. */
void Provider_Identify(const PeFile files[ABI_MODULE_COUNT], Provider *provider);
/* Writes provider, sums, processor and `system` into the header of a trace that it executed. */
RpStatus Provider_StateInHeader(const Provider *provider, const char *system, TraceHeader *header,
                                RpError *error);

/* The header's `slot-build`: the builds of g_FastProc entries that a run uses instead of those that
 * the processor's class chooses. */
typedef enum ProviderSlotBuild {
    PROVIDER_SLOTS_BY_CLASS, /* none asked for */
    PROVIDER_SLOTS_GENERIC,
    PROVIDER_SLOTS_FXCH,
    PROVIDER_SLOTS_SSE
} ProviderSlotBuild;

/* RP_INVALID for a word that is none of generic, fxch and sse. */
RpStatus Provider_SlotBuild(const TraceHeader *header, ProviderSlotBuild *build, RpError *error);

/* The processor as a trace header states it: "GenuineIntel family 6 model 167 stepping 1". */
void Provider_Processor(char *buffer, size_t size);

#endif
