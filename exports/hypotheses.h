/* Hypotheses: what public sources leave open or disagree on, by name.
 *
 * HYPOTHESIS(symbol, "name", default, alternatives..., "what it decides", "evidence")
 * Row format: X(symbol, name, choices, where, evidence). `choices` is a '|' separated list; the
 * first is the default, which the stand-in follows too. The value of a hypothesis is the index of
 * the chosen name. docs/arithmetic.md gives the meaning of every choice in steps.
 */
#ifndef RETROPOSE_EXPORTS_HYPOTHESES_H
#define RETROPOSE_EXPORTS_HYPOTHESES_H

#define RETROPOSE_HYPOTHESES(X)                                                                    \
    X(KEY_ORDER, "key-order", "xyzw|wxyz", "AniMesh 0x10012880, components of a key in Res8",      \
      "seed 000 section 2.1 reads x,y,z,w; facts/animesh.md D.3 measures w,x,y,z")                 \
    X(KEY_SCALE, "key-scale", "f32|f64|divide", "AniMesh 0x10012880, s16 to float",                \
      "seed 000: times 1.0f/32767.0f; seed 003: divided by 32767; storage of the constant "        \
      "unknown")                                                                                   \
    X(KEY_LERP, "key-lerp", "delta|weights", "AniMesh 0x10012880, position between two keys",      \
      "published as linear only (facts/animesh.md F)")                                             \
    X(NAN_EQUAL, "nan-equal", "ieee|c3", "AniMesh 0x10012880, t == key time with a NaN",           \
      "exact x87 compare (facts/animesh.md E.4); whether unordered counts as equal is "            \
      "unpublished")                                                                               \
    X(DOT4, "dot4", "sequential|pairs", "x87 builds of slots 17, 22; AniMesh 0x10012560 flip",     \
      "order of the four products' sum is unpublished")                                            \
    X(DOT4_SSE, "dot4-sse", "halves|sequential", "SSE build of slots 17, 22",                      \
      "order of the four products' sum is unpublished")                                            \
    X(SLERP_SINE, "slerp-sine", "reciprocal|quotient", "slots 17, 22: sin(t*theta)/sin(theta)",    \
      "seed 000 section 4.4 multiplies by 1/sin; facts/ngi32.md B.4c divides")                     \
    X(SLERP_ACOS, "slerp-acos", "crt|plain", "slots 17, 22: argument of the arc cosine's root",    \
      "MSVC 6 _CIacos forms (1+c)(1-c) (facts/anchors.md 3.3); inlining unpublished")              \
    X(SLERP_TRIG_SSE, "slerp-trig-sse", "x87|stored", "SSE build of slots 17, 22: the weights",    \
      "how the SSE build gets acos and sine is unpublished (facts/anchors.md 3.5b)")               \
    X(PLANE_FAR, "plane-far", "strict|inclusive", "x87 builds of slot 45: far end on the plane",   \
      "facts/ngi32.md B.4d: two readings of the x87 builds differ from the SSE build's")           \
    X(PLANE_NEWTON, "plane-newton", "expanded|factored", "SSE build of slot 45: Newton step",      \
      "one step after rcpss is read, its form is not (facts/anchors.md 3.5a)")                     \
    X(ROTATE_VECTOR, "rotate-vector", "rotate|affine", "slot 7: is the translation applied?",      \
      "used row by row on a frame (facts/ngi32.md B.3), which suits a rotation")                   \
    X(RSQRT_SSE, "rsqrt-sse", "exact|newton", "SSE build of slot 11",                              \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(NORMALISE, "normalise", "reciprocal|quotient", "slot 38: times 1/length or divided by it",   \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(MIRROR_SHAPE, "mirror-shape", "4x4|3x3", "slot 15: which elements are written",              \
      "facts/ngi32.md B.4b: not stated")

enum {
#define RETROPOSE_HYPOTHESIS_INDEX(symbol, name, choices, where, evidence) HYPOTHESIS_##symbol,
    RETROPOSE_HYPOTHESES(RETROPOSE_HYPOTHESIS_INDEX)
#undef RETROPOSE_HYPOTHESIS_INDEX
        HYPOTHESIS_COUNT
};

#endif
