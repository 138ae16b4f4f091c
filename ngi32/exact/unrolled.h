/* UNROLLED stands before a loop of three or four rounds over an array of vectors. The array stays
 * in registers only if the loop is unrolled, which GCC does not do by itself at -O2. ALL_UNROLLED
 * is for a loop over the lanes of a vector. */
#ifndef RETROPOSE_NGI32_EXACT_UNROLLED_H
#define RETROPOSE_NGI32_EXACT_UNROLLED_H

#ifdef __clang__
#define UNROLLED
#define ALL_UNROLLED
#else
#define UNROLLED     _Pragma("GCC unroll 4")
#define ALL_UNROLLED _Pragma("GCC unroll 16")
#endif

#endif
