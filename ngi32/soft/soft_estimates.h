/* rcpss and rsqrtss in software, on the bits of binary32: the closed form of Intel's processors
 * (facts/anchors.md 3.5a). */
#ifndef RETROPOSE_NGI32_SOFT_SOFT_ESTIMATES_H
#define RETROPOSE_NGI32_SOFT_SOFT_ESTIMATES_H

#include <stdint.h>

uint32_t SoftEstimate_Reciprocal(uint32_t bits);
uint32_t SoftEstimate_ReciprocalSquareRoot(uint32_t bits);

#endif
