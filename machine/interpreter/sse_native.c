#include "machine/interpreter/sse_float.h"

#if SSE_IS_NATIVE

#include <emmintrin.h>
#include <string.h>

/* Executes one instruction under the guest's MXCSR, and goes back to the host's. All of it is one
 * statement, because the compiler could move an intrinsic out of it. */
#define RUN(instruction)                                                                           \
    __asm__ volatile("ldmxcsr %[guest]\n\t" instruction "\n\t"                                     \
                     "stmxcsr %[guest]\n\t"                                                        \
                     "ldmxcsr %[host]"                                                             \
                     : [a] "+x"(x), [guest] "+m"(guest)                                            \
                     : [b] "x"(y), [host] "m"(host))
#define RUN_TO_GENERAL(instruction)                                                                \
    __asm__ volatile("ldmxcsr %[guest]\n\t" instruction "\n\t"                                     \
                     "stmxcsr %[guest]\n\t"                                                        \
                     "ldmxcsr %[host]"                                                             \
                     : [to] "=r"(general), [guest] "+m"(guest)                                     \
                     : [b] "x"(y), [host] "m"(host))
#define RUN_FROM_GENERAL(instruction)                                                              \
    __asm__ volatile("ldmxcsr %[guest]\n\t" instruction "\n\t"                                     \
                     "stmxcsr %[guest]\n\t"                                                        \
                     "ldmxcsr %[host]"                                                             \
                     : [a] "+x"(x), [guest] "+m"(guest)                                            \
                     : [from] "r"(b->d[0]), [host] "m"(host))
#define RUN_TO_FLAGS(instruction)                                                                  \
    __asm__ volatile("ldmxcsr %[guest]\n\t" instruction "\n\t"                                     \
                     "stmxcsr %[guest]\n\t"                                                        \
                     "ldmxcsr %[host]"                                                             \
                     : [guest] "+m"(guest), "=@ccz"(zero), "=@ccp"(parity), "=@ccc"(carry)         \
                     : [a] "x"(x), [b] "x"(y), [host] "m"(host))
#define CASE(NAME, name)                                                                           \
    case ZYDIS_MNEMONIC_##NAME:                                                                    \
        RUN(name " %[b], %[a]");                                                                   \
        break
#define FOUR_CASES(NAME, name)                                                                     \
    CASE(NAME##PS, name "ps");                                                                     \
    CASE(NAME##SS, name "ss");                                                                     \
    CASE(NAME##PD, name "pd");                                                                     \
    CASE(NAME##SD, name "sd")
#define GENERAL_CASE(NAME, name)                                                                   \
    case ZYDIS_MNEMONIC_##NAME:                                                                    \
        RUN_TO_GENERAL(name " %[b], %[to]");                                                       \
        a->d[0] = general;                                                                         \
        *mxcsr = guest;                                                                            \
        return true
#define FLAGS_CASE(NAME, name)                                                                     \
    case ZYDIS_MNEMONIC_##NAME:                                                                    \
        RUN_TO_FLAGS(name " %[b], %[a]");                                                          \
        a->d[0] = (zero ? MACHINE_ZF : 0) | (parity ? MACHINE_PF : 0) | (carry ? MACHINE_CF : 0);  \
        *mxcsr = guest;                                                                            \
        return true

bool SseNative_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, uint32_t *mxcsr) {
    __m128i x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    uint32_t guest = *mxcsr, general;
    const uint32_t host = _mm_getcsr();
    bool zero, parity, carry;
    switch (mnemonic) {
        FOUR_CASES(ADD, "add");
        FOUR_CASES(SUB, "sub");
        FOUR_CASES(MUL, "mul");
        FOUR_CASES(DIV, "div");
        FOUR_CASES(SQRT, "sqrt");
        FOUR_CASES(MIN, "min");
        FOUR_CASES(MAX, "max");
        CASE(CVTDQ2PS, "cvtdq2ps");
        CASE(CVTDQ2PD, "cvtdq2pd");
        CASE(CVTPS2DQ, "cvtps2dq");
        CASE(CVTTPS2DQ, "cvttps2dq");
        CASE(CVTPD2DQ, "cvtpd2dq");
        CASE(CVTTPD2DQ, "cvttpd2dq");
        CASE(CVTPS2PD, "cvtps2pd");
        CASE(CVTPD2PS, "cvtpd2ps");
        CASE(CVTSS2SD, "cvtss2sd");
        CASE(CVTSD2SS, "cvtsd2ss");
        GENERAL_CASE(CVTSS2SI, "cvtss2si");
        GENERAL_CASE(CVTTSS2SI, "cvttss2si");
        GENERAL_CASE(CVTSD2SI, "cvtsd2si");
        GENERAL_CASE(CVTTSD2SI, "cvttsd2si");
        FLAGS_CASE(COMISS, "comiss");
        FLAGS_CASE(UCOMISS, "ucomiss");
        FLAGS_CASE(COMISD, "comisd");
        FLAGS_CASE(UCOMISD, "ucomisd");
    case ZYDIS_MNEMONIC_CVTSI2SS:
        RUN_FROM_GENERAL("cvtsi2ss %[from], %[a]");
        break;
    case ZYDIS_MNEMONIC_CVTSI2SD:
        RUN_FROM_GENERAL("cvtsi2sd %[from], %[a]");
        break;
    default:
        return false;
    }
    memcpy(a, &x, sizeof x);
    *mxcsr = guest;
    return true;
}

uint32_t SseNative_Reciprocal(uint32_t bits) {
    const __m128 estimate = _mm_rcp_ss(_mm_castsi128_ps(_mm_cvtsi32_si128((int)bits)));
    return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(estimate));
}

uint32_t SseNative_ReciprocalSquareRoot(uint32_t bits) {
    const __m128 estimate = _mm_rsqrt_ss(_mm_castsi128_ps(_mm_cvtsi32_si128((int)bits)));
    return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(estimate));
}

#endif
