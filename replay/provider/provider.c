#include "replay/provider/provider.h"

#include "core/digest.h"
#include "exports/published.h"
#include "ngi32/processor/in_software.h"

#include <stdio.h>
#include <string.h>

#if MACHINE_HAS_X87
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

const char *ProviderKind_Name(ProviderKind kind) {
    static const char *const names[] = {"original", "stand-in", "replacement",
                                        "native",   "recorded", "mixed"};
    _Static_assert(sizeof names / sizeof *names == PROVIDER_MIXED + 1, "one name for each kind");
    return names[kind];
}

const char *Provider_FileName(const Provider *provider, AbiModule module) {
    return provider->modified_files[module] ? "modified stand-in"
                                            : ProviderKind_Name(provider->files[module]);
}

const char *Provider_Name(const Provider *provider) {
    return provider->kind == PROVIDER_STANDIN && provider->modified
               ? "modified stand-in"
               : ProviderKind_Name(provider->kind);
}

int Provider_Describe(const Provider *provider, char *buffer, size_t size) {
    char pair[256];
    switch (provider->kind) {
    case PROVIDER_STANDIN:
        snprintf(
            pair, sizeof pair, "%sstand-in (plays the original; not the retail DLLs)%s%.8s%s%.8s",
            provider->modified ? "a modified " : "", provider->modified ? " " : "",
            provider->modified ? provider->sha256[ABI_NGI32] : "", provider->modified ? " " : "",
            provider->modified ? provider->sha256[ABI_ANIMESH] : "");
        break;
    case PROVIDER_REPLACEMENT:
        snprintf(pair, sizeof pair, "replacement %.8s %.8s", provider->sha256[ABI_NGI32],
                 provider->sha256[ABI_ANIMESH]);
        break;
    case PROVIDER_NATIVE:
        snprintf(pair, sizeof pair, "native (the library in this process)");
        break;
    case PROVIDER_RECORDED:
        snprintf(pair, sizeof pair,
                 "recorded (the outcomes in the traces; their headers say whose)");
        break;
    case PROVIDER_MIXED:
        snprintf(pair, sizeof pair, "mixed: Ngi32.dll is %s%s %.8s, AniMesh.dll is %s%s %.8s",
                 provider->modified_files[ABI_NGI32] ? "a " : "",
                 Provider_FileName(provider, ABI_NGI32), provider->sha256[ABI_NGI32],
                 provider->modified_files[ABI_ANIMESH] ? "a " : "",
                 Provider_FileName(provider, ABI_ANIMESH), provider->sha256[ABI_ANIMESH]);
        break;
    default:
        snprintf(pair, sizeof pair, "original, %s build %.8s...",
                 provider->known_version ? "published" : "unknown", provider->sha256[ABI_NGI32]);
    }
    const char *slash = strrchr(provider->overlay, '/');
    return snprintf(buffer, size, "%s%s%s", pair, provider->overlay[0] ? "; called as in " : "",
                    slash ? slash + 1 : provider->overlay);
}

ProviderKind Provider_FileKind(const PeFile *file) {
    return Pe_FindSection(file, ".standin")           ? PROVIDER_STANDIN
           : Pe_FindExport(file, "RetroposeInternal") ? PROVIDER_REPLACEMENT
                                                      : PROVIDER_ORIGINAL;
}

#define SEAL "RETROPOSE-STANDIN "
#define SEAL_BYTES                                                                                 \
    (sizeof SEAL - 1 + DIGEST_HEX_BYTES) /* the digits, and a newline in place of their NUL */

bool Provider_IsModified(const PeFile *file) {
    char digest[DIGEST_HEX_BYTES];
    if (Provider_FileKind(file) != PROVIDER_STANDIN)
        return false;
    if (file->size < SEAL_BYTES)
        return true;
    const uint8_t *seal = file->bytes + file->size - SEAL_BYTES;
    Digest_OfBytes(file->bytes, file->size - SEAL_BYTES, digest);
    return memcmp(seal, SEAL, sizeof SEAL - 1) != 0 ||
           memcmp(seal + sizeof SEAL - 1, digest, sizeof digest - 1) != 0;
}

void Provider_Identify(const PeFile files[ABI_MODULE_COUNT], Provider *provider) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        provider->files[i] = Provider_FileKind(&files[i]);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        provider->modified |= provider->modified_files[i] = Provider_IsModified(&files[i]);
    bool same = provider->files[ABI_NGI32] == provider->files[ABI_ANIMESH];
    provider->kind = same ? provider->files[ABI_NGI32] : PROVIDER_MIXED;
    provider->known_version = Published_Is(ABI_NGI32, provider->sha256[ABI_NGI32]);
}

RpStatus Provider_StateInHeader(const Provider *provider, const char *system, TraceHeader *header,
                                RpError *error) {
    char processor[64];
    header->minor = TRACE_VERSION_MINOR_RUN;
    Provider_Processor(processor, sizeof processor);
    const char *const lines[][2] = {{"provider", Provider_Name(provider)},
                                    {"ngi32.sha256", provider->sha256[ABI_NGI32]},
                                    {"animesh.sha256", provider->sha256[ABI_ANIMESH]},
                                    {"processor", processor},
                                    {"system", system}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        RpStatus status = TraceHeader_Set(header, lines[i][0], lines[i][1], error);
        if (status)
            return status;
    }
    return Provider_StateEstimates(RP_ESTIMATES_OF_THIS, header, error);
}

/* ---- processors -------------------------------------------------------------------------------
 */

static const char *const estimate_words[] = {"this", "intel", "amd"};

bool Provider_EstimatesNamed(const char *word, RpEstimates *estimates) {
    for (unsigned i = 0; i < sizeof estimate_words / sizeof *estimate_words; i++)
        if (strcmp(word, estimate_words[i]) == 0) {
            *estimates = (RpEstimates)i;
            return true;
        }
    return false;
}

/* Writes the header's line about estimates. The processor's own estimates need no line, unless
 * there is a line already that says something else. */
RpStatus Provider_StateEstimates(RpEstimates estimates, TraceHeader *header, RpError *error) {
    char former[16];
    if (estimates == RP_ESTIMATES_OF_THIS &&
        !TraceHeader_Get(header, "estimates", former, sizeof former))
        return RP_OK;
    return TraceHeader_Set(header, "estimates", estimate_words[estimates], error);
}

/* Returns the length of the text without " stepping N", which ends it. */
static size_t ModelLength(const char *processor) {
    const char *stepping = strstr(processor, " stepping ");
    return stepping ? (size_t)(stepping - processor) : strlen(processor);
}

#define SOFTWARE "software arithmetic on "

static bool IsSoftware(const char *processor) {
    return strncmp(processor, SOFTWARE, sizeof SOFTWARE - 1) == 0;
}

bool Provider_OtherProcessor(const char *a, const char *b) {
    size_t length = ModelLength(a);
    if (IsSoftware(a) && IsSoftware(b))
        return false;
    return *a && *b && (length != ModelLength(b) || strncmp(a, b, length) != 0);
}

/* The first two rows were measured over all inputs by tests/ngi32/processor/measure_estimates and
 * in facts/anchors.md 3.5a. The others were measured over the calls of slot 45 that were recorded
 * on these processors, in traces/ and tests/golden/. */
RpEstimates Provider_Measured(const char *processor) {
    static const struct {
        const char *begins;
        RpEstimates maker;
    } measured[] = {{"AuthenticAMD family 25 model 17 ", RP_ESTIMATES_AMD},
                    {"AuthenticAMD family 26 model 2 ", RP_ESTIMATES_AMD},
                    {"GenuineIntel family 6 model 85 ", RP_ESTIMATES_INTEL},
                    {"GenuineIntel family 6 model 167 ", RP_ESTIMATES_INTEL},
                    {"GenuineIntel family 6 model 207 ", RP_ESTIMATES_INTEL},
                    {SOFTWARE, RP_ESTIMATES_INTEL}}; /* software estimates are a model themselves */
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (strncmp(processor, measured[i].begins, strlen(measured[i].begins)) == 0)
            return measured[i].maker;
    return RP_ESTIMATES_OF_THIS;
}

/* Returns what the line `estimates` says. */
static RpEstimates StatedEstimates(const TraceHeader *header) {
    char word[16];
    RpEstimates stated = RP_ESTIMATES_OF_THIS;
    TraceHeader_Get(header, "estimates", word, sizeof word);
    Provider_EstimatesNamed(word, &stated);
    return stated;
}

RpEstimates Provider_ProvenEstimates(const TraceHeader *header) {
    char text[128];
    RpEstimates stated = StatedEstimates(header);
    TraceHeader_Get(header, "processor", text, sizeof text);
    return stated == RP_ESTIMATES_OF_THIS ? Provider_Measured(text) : stated;
}

RpEstimates Provider_EstimatesIn(const TraceHeader *header) {
    char text[128], own[64];
    RpEstimates stated = StatedEstimates(header);
    if (stated != RP_ESTIMATES_OF_THIS)
        return stated;
    TraceHeader_Get(header, "processor", text, sizeof text);
    Provider_Processor(own, sizeof own);
    if (!Provider_OtherProcessor(text, own))
        return RP_ESTIMATES_OF_THIS;
    if (strncmp(text, "GenuineIntel ", 13) == 0 || IsSoftware(text))
        return RP_ESTIMATES_INTEL;
    return strncmp(text, "AuthenticAMD ", 13) == 0 ? RP_ESTIMATES_AMD : RP_ESTIMATES_OF_THIS;
}

#if MACHINE_HAS_X87
void Provider_Processor(char *buffer, size_t size) {
    unsigned eax = 0, words[4] = {0};
    __get_cpuid(0, &eax, &words[0], &words[2], &words[1]);
    __get_cpuid(1, &eax, &(unsigned){0}, &(unsigned){0}, &(unsigned){0});
    unsigned family = eax >> 8 & 15, model = eax >> 4 & 15;
    if (family == 6 || family == 15)
        model |= (eax >> 16 & 15) << 4;
    if (family == 15)
        family += eax >> 20 & 255;
    snprintf(buffer, size, "%.12s family %u model %u stepping %u", (const char *)words, family,
             model, eax & 15);
}
#else
/* Names the processor. In software the bits do not depend on it, but it is told to those who want
 * to know. Linux lets programs read the identification of an ARM processor if it has announced
 * this. */
void Provider_Processor(char *buffer, size_t size) {
#if defined(__aarch64__) && defined(__linux__)
    if (getauxval(AT_HWCAP) & HWCAP_CPUID) {
        uint64_t midr;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        snprintf(buffer, size, SOFTWARE "aarch64 (implementer 0x%02x, part 0x%03x)",
                 (unsigned)(midr >> 24 & 0xFF), (unsigned)(midr >> 4 & 0xFFF));
        return;
    }
#endif
#if defined(__aarch64__)
    static const char architecture[] = "aarch64";
#elif defined(__wasm__)
    static const char architecture[] = "WebAssembly";
#elif defined(__x86_64__) || defined(__i386__)
    static const char architecture[] = "x86";
#else
    static const char architecture[] = "another processor";
#endif
    snprintf(buffer, size, SOFTWARE "%s", architecture);
}
#endif

/* ---- builds ----------------------------------------------------------------------------------
 */

RpStatus Provider_SlotBuild(const TraceHeader *header, ProviderSlotBuild *build, RpError *error) {
    static const char *const words[] = {"", "generic", "fxch", "sse"};
    char text[64];
    TraceHeader_Get(header, "slot-build", text, sizeof text);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *build = (ProviderSlotBuild)i;
            return RP_OK;
        }
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown slot build", "the trace's header",
                       "generic, fxch or sse", text);
}
