/* Calls the functions that leave a number in ST0, and returns it as the ten bytes that `fstp`
 * stores. */
#include "ngi32/processor/soft_x87.h"
#include "retropose/fastproc.h"

#include <string.h>

static void Put(long double value, uint8_t st0[10]) {
    const SoftX87 number = SoftX87_FromLongDouble(value);
    memcpy(st0, &number.significand, 8);
    memcpy(st0 + 8, &number.head, 2);
}

void RpScalar_ReciprocalSquareRootSt0(const RpArithmetic *arithmetic, float x, uint8_t st0[10]) {
    Put(RpScalar_ReciprocalSquareRoot(arithmetic, x), st0);
}

void RpVector_NormaliseSt0(const RpArithmetic *arithmetic, float vector[3], uint8_t st0[10]) {
    Put(RpVector_Normalise(arithmetic, vector), st0);
}

void RpLight_DirectionalCosineSt0(const RpArithmetic *arithmetic, const float normal[3],
                                  const float travel[3], uint8_t st0[10]) {
    Put(RpLight_DirectionalCosine(arithmetic, normal, travel), st0);
}

void RpLight_HighlightSt0(const RpArithmetic *arithmetic, const float normal[3],
                          const float travel[3], float cosine, const float to_eye[3],
                          uint32_t power, uint8_t st0[10]) {
    Put(RpLight_Highlight(arithmetic, normal, travel, cosine, to_eye, power), st0);
}
