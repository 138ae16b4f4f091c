/* The answers are those published in collections of CPUID dumps and in the makers' data sheets:
 * AMD's publication 20734 (processor recognition) for K6-2 and Athlon, Intel's application note 485
 * for the others. Features, names, and AMD's cache descriptions were compared with the processors
 * of the emulator Bochs (its cpudb), whose K6-2 and Pentium III have other steppings. What depends
 * on the board (serial number, number of the local APIC) is left out. */
#include "machine/processor/profile.h"

#include <stdatomic.h>
#include <string.h>

#define MAX_BASIC_LEAF    0x00000000u
#define SIGNATURE_LEAF    0x00000001u
#define CACHES_LEAF       0x00000002u
#define MAX_EXTENDED_LEAF 0x80000000u
#define EXTENDED_LEAF     0x80000001u
#define BRAND_LEAF        0x80000002u /* and the two leaves after it: 48 characters */

#define INTEL(most)                                                                                \
    { MAX_BASIC_LEAF, most, 0x756E6547, 0x6C65746E, 0x49656E69 } /* "GenuineIntel" */
#define AMD(most)                                                                                  \
    { MAX_BASIC_LEAF, most, 0x68747541, 0x444D4163, 0x69746E65 } /* "AuthenticAMD" */

static const MachineProfile pentium_mmx = {
    .name = "pentium-mmx",
    .description = "Pentium MMX, family 5 model 4 stepping 3",
    .features = MACHINE_HAS_MMX,
    .estimates = RP_ESTIMATES_INTEL,
    .leaf_count = 2,
    .leaves = {INTEL(1), {SIGNATURE_LEAF, 0x00000543, 0, 0, 0x008001BF}},
};

/* A processor that has CMOV, which a compiler for the P6 family emits, and no SSE. */
static const MachineProfile pentium2 = {
    .name = "pentium2",
    .description = "Pentium II, family 6 model 5 stepping 2",
    .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV,
    .estimates = RP_ESTIMATES_INTEL,
    .leaf_count = 3,
    .leaves =
        {
            INTEL(2),
            {SIGNATURE_LEAF, 0x00000652, 0, 0, 0x0183FBFF},
            {CACHES_LEAF, 0x03020101, 0, 0, 0x0C040843},
        },
};

static const MachineProfile k6_2 = {
    .name = "k6-2",
    .description = "AMD K6-2, family 5 model 8 stepping 12",
    .features = MACHINE_HAS_MMX | MACHINE_HAS_3DNOW,
    .estimates = RP_ESTIMATES_AMD,
    .leaf_count = 8,
    .leaves =
        {
            AMD(1),
            {SIGNATURE_LEAF, 0x0000058C, 0, 0, 0x008021BF},
            {MAX_EXTENDED_LEAF, 0x80000005, 0, 0, 0},
            {EXTENDED_LEAF, 0x0000068C, 0, 0, 0x808029BF},
            /* "AMD-K6(tm) 3D processor" */
            {BRAND_LEAF, 0x2D444D41, 0x7428364B, 0x3320296D, 0x72702044},
            {BRAND_LEAF + 1, 0x7365636F, 0x00726F73, 0, 0},
            {BRAND_LEAF + 2, 0, 0, 0, 0},
            {0x80000005, 0, 0x02800140, 0x20020220, 0x20020220},
        },
};

static const MachineProfile pentium3 = {
    .name = "pentium3",
    .description = "Pentium III, family 6 model 8 stepping 6",
    .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV | MACHINE_HAS_SSE,
    .estimates = RP_ESTIMATES_INTEL,
    .leaf_count = 3,
    .leaves =
        {
            INTEL(2),
            {SIGNATURE_LEAF, 0x00000686, 0x00000002, 0, 0x0383FBFF},
            {CACHES_LEAF, 0x03020101, 0, 0, 0x0C040882},
        },
};

/* The Athlon XP of October 2001, the first with SSE. */
static const MachineProfile athlon = {
    .name = "athlon",
    .description = "Athlon XP, family 6 model 6 stepping 2",
    .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV | MACHINE_HAS_SSE | MACHINE_HAS_3DNOW |
                MACHINE_HAS_3DNOW2,
    .estimates = RP_ESTIMATES_AMD,
    .leaf_count = 11,
    .leaves =
        {
            AMD(1),
            {SIGNATURE_LEAF, 0x00000662, 0, 0, 0x0383FBFF},
            {MAX_EXTENDED_LEAF, 0x80000008, 0x68747541, 0x444D4163, 0x69746E65},
            {EXTENDED_LEAF, 0x00000762, 0, 0, 0xC1C3FBFF},
            /* "AMD Athlon(tm) XP 1500+" */
            {BRAND_LEAF, 0x20444D41, 0x6C687441, 0x74286E6F, 0x5820296D},
            {BRAND_LEAF + 1, 0x35312050, 0x002B3030, 0, 0},
            {BRAND_LEAF + 2, 0, 0, 0, 0},
            {0x80000005, 0x0408FF08, 0xFF20FF10, 0x40020140, 0x40020140},
            {0x80000006, 0, 0x41004100, 0x01008140, 0},
            {0x80000007, 0, 0, 0, 0x00000001},
            {0x80000008, 0x00002022, 0, 0, 0},
        },
};

static const MachineProfile pentium4 = {
    .name = "pentium4",
    .description = "Pentium 4, family 15 model 1 stepping 2",
    .features = MACHINE_HAS_MMX | MACHINE_HAS_CMOV | MACHINE_HAS_SSE | MACHINE_HAS_SSE2,
    .estimates = RP_ESTIMATES_INTEL,
    .leaf_count = 8,
    .leaves =
        {
            INTEL(2),
            {SIGNATURE_LEAF, 0x00000F12, 0x00010808, 0, 0x3FEBFBFF},
            {CACHES_LEAF, 0x665B5001, 0, 0, 0x007A7040},
            {MAX_EXTENDED_LEAF, 0x80000004, 0, 0, 0},
            {EXTENDED_LEAF, 0, 0, 0, 0},
            /* "              Intel(R) Pentium(R) 4 CPU 1500MHz" */
            {BRAND_LEAF, 0x20202020, 0x20202020, 0x20202020, 0x6E492020},
            {BRAND_LEAF + 1, 0x286C6574, 0x50202952, 0x69746E65, 0x52286D75},
            {BRAND_LEAF + 2, 0x20342029, 0x20555043, 0x30303531, 0x007A484D},
        },
};

/* Makes the profile "this". Any thread may do so when it is first asked for, because the result is
 * always the same. */
static const MachineProfile *Keep(const MachineProfile *profile) {
    static MachineProfile kept;
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&busy))
        continue;
    if (!kept.name)
        kept = *profile;
    atomic_flag_clear(&busy);
    return &kept;
}

#if (defined(__x86_64__) || defined(__i386__)) && !defined(RETROPOSE_SOFT_X87)

#include <cpuid.h>

/* Bits of EDX of leaf 1: all that a processor of 2001 has, except for power, heat, SSE3 and
 * later. */
#define KNOWN_FEATURES 0x078BFBFFu
#define HAS_CMOV       (1u << 15)
#define HAS_MMX        (1u << 23)
#define HAS_SSE        (1u << 25)
#define HAS_SSE2       (1u << 26)
/* Bits of EDX of leaf 0x80000001. AMD repeats those of leaf 1 there. Bit 22 stands for its
 * extensions of MMX, which SSE contains. 3DNow! is not passed on, because no processor of today has
 * it. */
#define KNOWN_EXTENDED_FEATURES 0x01C3FBFFu

static void AddLeaf(MachineProfile *profile, uint32_t leaf, const uint32_t answer[4]) {
    MachineLeaf *row = &profile->leaves[profile->leaf_count++];
    *row = (MachineLeaf){leaf, answer[0], answer[1], answer[2], answer[3]};
}

static const MachineProfile *This(void) {
    MachineProfile profile = {.name = "this",
                              .description = "the processor that runs this, up to SSE2",
                              .estimates = RP_ESTIMATES_OF_THIS};
    uint32_t answer[4], most;
    __cpuid(0, most, answer[1], answer[2], answer[3]);
    bool is_amd = answer[1] == 0x68747541;
    answer[0] = 1;
    AddLeaf(&profile, MAX_BASIC_LEAF, answer);

    __cpuid(1, answer[0], answer[1], answer[2], answer[3]);
    answer[1] &= 0x0000FFFF; /* removes the number of processors, and of this one among them */
    answer[2] = 0;
    answer[3] &= KNOWN_FEATURES;
    profile.features = (answer[3] & HAS_MMX ? MACHINE_HAS_MMX : 0) |
                       (answer[3] & HAS_CMOV ? MACHINE_HAS_CMOV : 0) |
                       (answer[3] & HAS_SSE ? MACHINE_HAS_SSE : 0) |
                       (answer[3] & HAS_SSE2 ? MACHINE_HAS_SSE2 : 0);
    AddLeaf(&profile, SIGNATURE_LEAF, answer);

    __cpuid(0x80000000, most, answer[1], answer[2], answer[3]);
    if (most >= 0x80000004 && most < 0x80010000) {
        answer[0] = 0x80000004;
        AddLeaf(&profile, MAX_EXTENDED_LEAF, answer);
        __cpuid(0x80000001, answer[0], answer[1], answer[2], answer[3]);
        answer[1] = answer[2] = 0;
        answer[3] &= is_amd ? KNOWN_EXTENDED_FEATURES : 0;
        AddLeaf(&profile, EXTENDED_LEAF, answer);
        for (uint32_t leaf = BRAND_LEAF; leaf < BRAND_LEAF + 3; leaf++) {
            __cpuid(leaf, answer[0], answer[1], answer[2], answer[3]);
            AddLeaf(&profile, leaf, answer);
        }
    }
    return Keep(&profile);
}

#else

static const MachineProfile *This(void) {
    MachineProfile profile = pentium4;
    profile.name = "this";
    return Keep(&profile);
}

#endif

const MachineProfile *MachineProfile_At(uint32_t index) {
    static const MachineProfile *const named[] = {&pentium_mmx, &pentium2, &k6_2,
                                                  &pentium3,    &athlon,   &pentium4};
    enum { NAMED = sizeof named / sizeof *named };
    if (index < NAMED)
        return named[index];
    return index == NAMED ? This() : NULL;
}

const MachineProfile *MachineProfile_Find(const char *name) {
    const MachineProfile *profile;
    for (uint32_t i = 0; (profile = MachineProfile_At(i)) != NULL; i++)
        if (strcmp(profile->name, name) == 0)
            return profile;
    return NULL;
}

void MachineProfile_Cpuid(const MachineProfile *profile, uint32_t leaf, uint32_t answer[4]) {
    memset(answer, 0, 4 * sizeof *answer);
    for (uint32_t i = 0; i < profile->leaf_count; i++) {
        const MachineLeaf *row = &profile->leaves[i];
        if (row->leaf != leaf)
            continue;
        answer[0] = row->eax;
        answer[1] = row->ebx;
        answer[2] = row->ecx;
        answer[3] = row->edx;
    }
}
