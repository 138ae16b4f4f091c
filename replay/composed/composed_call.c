#include "replay/composed/composed_call.h"

/* The readings under which calls are made: every order of a sum that the core serves, and every
 * step that it leaves to the x87. */
static const char *const readings[] = {"dot4=pairs",          "dot4=reverse",
                                       "dot4=w-last",         "dot4-sse=sequential",
                                       "dot4-sse=pairs",      "key-order=wxyz",
                                       "key-scale=f64",       "key-scale=divide",
                                       "key-lerp=weights",    "key-alpha=reciprocal",
                                       "key-alpha-bits=kept", "nan-equal=c3",
                                       "blend-lerp=delta",    "flip-sum=pairs",
                                       "flip-sum=reverse",    "flip-sum=w-last",
                                       "slerp-limit=f64",     "slerp-sine=quotient",
                                       "slerp-acos=half",     "slerp-theta=stored",
                                       "slerp-trig=stored",   "quat-diagonal=chain",
                                       "matrix-sum=pairs",    "matrix-sum-sse=reverse",
                                       "sse-slots=published", "quat-diagonal-sse=reverse"};

/* Draws how a caller rounds. Most callers are like the game. The others flush denormals, have flags
 * set, round in another direction, or have another control word. */
static Rounding DrawRounding(Random *random) {
    static const uint32_t modes[] = {0x9F80, 0x1FC0, 0x9FC0, 0x1FBF, 0x9FFF,
                                     0x3F80, 0x5F80, 0x7F80, 0xFFFF};
    static const uint16_t precisions[] = {0x0000, 0x0200, 0x0300};
    Rounding rounding = {COMPOSED_GAMES_WORD, COMPOSED_STANDARD};
    const uint32_t kind = Random_Below(random, 16);
    if (kind == 0)
        rounding.mxcsr = modes[Random_Below(random, sizeof modes / sizeof *modes)];
    if (kind == 1) {
        const uint32_t precision = precisions[Random_Below(random, 3)];
        rounding.control_word = (uint16_t)(0x007F | precision | Random_Below(random, 4) << 10);
    }
    return rounding;
}

ComposedCall ComposedCall_Draw(Random *random) {
    static const RpBuild builds[] = {RP_BUILD_GENERIC, RP_BUILD_GENERIC, RP_BUILD_FXCH,
                                     RP_BUILD_SSE};
    const RpBuild build = builds[Random_Below(random, 4)];
    const uint32_t reading = Random_Below(random, sizeof readings / sizeof *readings);
    const char *one = Random_OneIn(random, 8) ? readings[reading] : "";
    const bool by_value = Random_OneIn(random, 2), as_zero = Random_OneIn(random, 2);
    ComposedCall call;
    call.rounding = call.reference = DrawRounding(random);
    const uint16_t word = call.rounding.control_word;
    const bool games = word == COMPOSED_GAMES_WORD;
    RpReadings parsed;
    RpReadings_Parse(&parsed, RP_READS_RUNTIME, one, NULL);
    call.settings = call.reference_settings =
        (RpArithmetic){.build = build, .control_word = RP_THREADS_CONTROL_WORD, .readings = parsed};
    if (by_value) {
        call.settings.control_word = games && as_zero ? 0 : word;
        call.rounding = DrawRounding(random);
        call.reference.mxcsr = COMPOSED_STANDARD;
    }
    if (build != RP_BUILD_SSE)
        call.reference.mxcsr = COMPOSED_TOWARD_ZERO;
    else
        call.reference.mxcsr &= ~(uint32_t)COMPOSED_ZERO_DIVIDE_MASK;
    return call;
}
