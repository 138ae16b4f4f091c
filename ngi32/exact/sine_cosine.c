#include "ngi32/exact/sine_cosine.h"

#include "ngi32/exact/arc.h"
#include "ngi32/exact/exact_range.h"

/* Spilled registers need an aligned stack, which callers of the 32-bit ABI do not provide. */
#ifdef __i386__
__attribute__((force_align_arg_pointer))
#endif
bool Exact_RoundedSineCosine(const float *angle, float *sine, float *cosine) {
    const uint32_t size = Exact_Bits(angle) & 0x7FFFFFFFu;
    float rounded[2];
    if (size < EXACT_BITS_2_M40 || size > EXACT_BITS_2_19)
        return false;
    const ExactSineCosine both = Exact_SineCosineOfAngle(*angle);
    if (!Exact_Round(both.sine, &rounded[0]) || !Exact_Round(both.cosine, &rounded[1]))
        return false;
    *sine = rounded[0];
    *cosine = rounded[1];
    return true;
}
