/* Profiles say which processor the guest finds: what CPUID returns, as data. A profile also decides
 * which instructions exist (a Pentium MMX has no SSE), and whose estimates rcpss, rsqrtss and
 * 3DNow! give if they are not the host's own. */
#ifndef RETROPOSE_MACHINE_PROCESSOR_PROFILE_H
#define RETROPOSE_MACHINE_PROCESSOR_PROFILE_H

#include "retropose/arithmetic.h"

#include <stdbool.h>
#include <stdint.h>

/* Sets of instructions that not every profile has. */
#define MACHINE_HAS_MMX    0x01u
#define MACHINE_HAS_CMOV   0x02u
#define MACHINE_HAS_SSE    0x04u
#define MACHINE_HAS_SSE2   0x08u
#define MACHINE_HAS_3DNOW  0x10u
#define MACHINE_HAS_3DNOW2 0x20u /* AMD's extensions of 3DNow! and MMX of the Athlon */
#define MACHINE_HAS_SSE3   0x40u

typedef struct MachineLeaf {
    uint32_t leaf, eax, ebx, ecx, edx;
} MachineLeaf;

#define MACHINE_PROFILE_LEAVES 12

typedef struct MachineProfile {
    const char *name;        /* "pentium-mmx", "pentium2", ... (MACHINE_PROFILES) */
    const char *description; /* "Pentium MMX, family 5 model 4 stepping 3" */
    uint32_t features;       /* MACHINE_HAS_... */
    RpEstimates estimates;   /* RP_ESTIMATES_OF_THIS: the host's own instructions */
    uint32_t leaf_count;
    MachineLeaf leaves[MACHINE_PROFILE_LEAVES];
} MachineProfile;

#define MACHINE_PROFILES "pentium-mmx, pentium2, k6-2, pentium3, athlon, pentium4 or this"
/* Returns null for an unknown name. "this" describes the host's own processor, but only with
 * instructions that this machine has: up to SSE2. On a host that is no x86 it is the profile
 * pentium4. */
const MachineProfile *MachineProfile_Find(const char *name);
/* Returns the profiles in the order above, and null after the last one. */
const MachineProfile *MachineProfile_At(uint32_t index);
/* Gives the result of CPUID. A leaf that the profile does not have gives zeros. */
void MachineProfile_Cpuid(const MachineProfile *profile, uint32_t leaf, uint32_t answer[4]);

#endif
