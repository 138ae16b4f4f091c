/* Compares the models of rcpss and rsqrtss (ngi32/processor/estimates.h) with the instructions of
 * this processor, over all 2^32 inputs of each, or makes AMD's tables on a processor of AMD's.
 *
 *   measure_estimates            prints how many inputs differ from each maker's model
 *   measure_estimates --tables   prints ngi32/processor/estimates_amd.h, as this processor has it
 *
 * The exit code is 1 where a processor that has been measured before differs from its maker's
 * model, or where --tables finds no tables of this form. On any other processor the comparison
 * only reports. */
#include "ngi32/processor/estimates.h"
#include "replay/provider/provider.h"

#include <emmintrin.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK      2048u       /* inputs that differ only in bits that neither model uses */
#define BLOCKS     (1u << 21)  /* the number of blocks among all 2^32 inputs */
#define ONE        0x3F800000u /* the bits of 1 */
#define N_POSITION 11          /* see ngi32/processor/estimates.c */
#define LEADING    4096u

typedef uint32_t (*Model)(RpEstimates maker, uint32_t bits);
typedef __m128 (*Instruction)(__m128 x);

typedef struct Estimate {
    const char *name;
    Model model;
    Instruction instruction;
} Estimate;

__attribute__((target("sse2"))) static __m128 Reciprocals(__m128 x) {
    return _mm_rcp_ps(x);
}

__attribute__((target("sse2"))) static __m128 ReciprocalRoots(__m128 x) {
    return _mm_rsqrt_ps(x);
}

static const Estimate estimates[] = {
    {"rcpss", Estimates_Reciprocal, Reciprocals},
    {"rsqrtss", Estimates_ReciprocalSquareRoot, ReciprocalRoots},
};

static const char *const makers[] = {"", "Intel's closed form", "AMD's tables"};

/* ---- the instructions ------------------------------------------------------------------------ */

/* Computes the estimates of a whole block, which begins with `first`. Returns whether all of them
 * are the same. */
__attribute__((target("sse2"))) static bool MeasureBlock(Instruction instruction, uint32_t first,
                                                         uint32_t results[BLOCK]) {
    const __m128i four = _mm_set1_epi32(4);
    const __m128i start =
        _mm_castps_si128(instruction(_mm_castsi128_ps(_mm_set1_epi32((int)first))));
    __m128i x = _mm_add_epi32(_mm_set1_epi32((int)first), _mm_setr_epi32(0, 1, 2, 3));
    __m128i different = _mm_setzero_si128();
    for (uint32_t i = 0; i < BLOCK; i += 4) {
        __m128i result = _mm_castps_si128(instruction(_mm_castsi128_ps(x)));
        different = _mm_or_si128(different, _mm_xor_si128(result, start));
        _mm_storeu_si128((__m128i *)(void *)&results[i], result);
        x = _mm_add_epi32(x, four);
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi32(different, _mm_setzero_si128())) == 0xFFFF;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static uint64_t Differences(const Estimate *estimate, RpEstimates maker, uint32_t first,
                            const uint32_t results[BLOCK], bool same) {
    uint32_t differ = 0, exponent = first >> 23 & 0xFF;
    if (exponent == 0 || exponent == 0xFF || !same) {
        for (uint32_t i = 0; i < BLOCK; i++)
            differ += results[i] != estimate->model(maker, first + i);
        return differ;
    }
    uint32_t expected = estimate->model(maker, first);
    if (results[0] != expected)
        return BLOCK;
    /* The model does not use the lower bits, either. */
    uint32_t inside = first + (first >> N_POSITION) * 2654435761u % BLOCK;
    return (uint64_t)(estimate->model(maker, inside) != expected) +
           (estimate->model(maker, first + BLOCK - 1) != expected);
}

static bool Compare(const Estimate *estimate, RpEstimates expected) {
    static uint32_t results[BLOCK];
    uint64_t differ[3] = {0};
    for (uint32_t block = 0; block < BLOCKS; block++) {
        bool same = MeasureBlock(estimate->instruction, block << N_POSITION, results);
        for (RpEstimates maker = RP_ESTIMATES_INTEL; maker <= RP_ESTIMATES_AMD; maker++)
            differ[maker] += Differences(estimate, maker, block << N_POSITION, results, same);
    }
    printf("%-8s 4294967296 inputs, %" PRIu64 " differ from %s, %" PRIu64 " from %s\n",
           estimate->name, differ[RP_ESTIMATES_INTEL], makers[RP_ESTIMATES_INTEL],
           differ[RP_ESTIMATES_AMD], makers[RP_ESTIMATES_AMD]);
    return expected == RP_ESTIMATES_OF_THIS || differ[expected] == 0;
}

static int CompareAll(const char *processor) {
    RpEstimates expected = Provider_Measured(processor);
    bool same = true;
    printf("processor: %s%s%s\n", processor,
           expected ? ", must have " : ", not measured before: this is a report", makers[expected]);
    for (size_t i = 0; i < sizeof estimates / sizeof *estimates; i++)
        same &= Compare(&estimates[i], expected);
    return same ? 0 : 1;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct Table {
    uint32_t start[16][16], fall[16][16];
} Table;

/* Returns n of the block that begins with `first`, or 0 if the block has more than one. */
static uint32_t MeasureN(const Estimate *estimate, uint32_t first) {
    static uint32_t results[BLOCK];
    if (!MeasureBlock(estimate->instruction, first, results))
        return 0;
    return (results[0] >> N_POSITION & (LEADING - 1)) | LEADING;
}

/* Measures the table for the arguments from `first` to twice `first`. */
static bool Measure(const Estimate *estimate, uint32_t first, Table *table) {
    for (uint32_t i = 0; i < LEADING; i++) {
        uint32_t n = MeasureN(estimate, first + (i << N_POSITION));
        uint32_t a = i >> 8, b = i >> 4 & 15, c = i & 15;
        if (c == 0)
            table->start[a][b] = n;
        if (b == 0)
            table->fall[a][c] = table->start[a][0] - n;
        if (n == 0 || table->start[a][b] - table->fall[a][c] != n || table->fall[a][c] > UINT8_MAX)
            return false;
    }
    return true;
}

static void PrintRows(const char *name, const uint32_t rows[16][16], const char *indent) {
    printf("%s.%s = {", indent, name);
    for (int i = 0; i < 16; i++) {
        printf("%s{", i ? "," : "");
        for (int j = 0; j < 16; j++)
            printf("%s%" PRIu32, j ? "," : "", rows[i][j]);
        printf("}");
    }
    printf("},\n");
}

static void PrintTable(const Table *table, const char *indent) {
    PrintRows("start", table->start, indent);
    PrintRows("fall", table->fall, indent);
}

static int PrintTables(const char *processor) {
    static Table reciprocal, roots[2];
    if (!Measure(&estimates[0], ONE, &reciprocal) || !Measure(&estimates[1], ONE, &roots[0]) ||
        !Measure(&estimates[1], ONE + 0x800000, &roots[1])) {
        fprintf(stderr,
                "measure_estimates: the estimates of %s are no differences of two entries\n",
                processor);
        return 1;
    }
    printf("/* Made by `measure_estimates --tables | clang-format-14` on %s. */\n", processor);
    printf(
        "#ifndef RETROPOSE_NGI32_ESTIMATES_AMD_H\n#define RETROPOSE_NGI32_ESTIMATES_AMD_H\n\n"
        "#include <stdint.h>\n\n"
        "typedef struct AmdTable {\nuint16_t start[16][16];\nuint8_t fall[16][16];\n} AmdTable;\n\n"
        "static const AmdTable amd_reciprocal = {\n");
    PrintTable(&reciprocal, "");
    printf("};\n\n/* For even and for odd exponents. */\n"
           "static const AmdTable amd_reciprocal_root[2] = {\n");
    for (int odd = 0; odd < 2; odd++) {
        printf("{\n");
        PrintTable(&roots[odd], "");
        printf("},\n");
    }
    printf("};\n\n#endif\n");
    return 0;
}

int main(int argc, char **argv) {
    char processor[64];
    Provider_Processor(processor, sizeof processor);
    if (argc == 2 && strcmp(argv[1], "--tables") == 0)
        return PrintTables(processor);
    if (argc != 1) {
        fprintf(stderr, "usage: measure_estimates [--tables]\n");
        return 2;
    }
    return CompareAll(processor);
}
