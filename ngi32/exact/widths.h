/* The widths of many.h, one a file. */
#ifndef RETROPOSE_NGI32_EXACT_WIDTHS_H
#define RETROPOSE_NGI32_EXACT_WIDTHS_H

#include "ngi32/exact/many.h"

extern const ExactWidth exact_sse2;
#ifdef __x86_64__
/* 32-bit programs do without AVX: some processors do not clear the upper halves of its registers in
 * 32-bit mode, and all SSE code after that is slow (facts/numerics.md). */
extern const ExactWidth exact_avx2, exact_avx512;
#endif

#endif
