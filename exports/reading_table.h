/* The table of readings: points that public sources leave open or on which they disagree, by name.
 *
 * The row format is X(symbol, name, choices, work, where, source). `choices` is a list separated by
 * '|', whose first element is the default; the stand-in follows the default, too. The value of a
 * reading is the index of the chosen name. `work` is what the exact core does under the default
 * alone, so that every other choice leaves it to the x87 (Reading_IsServed of ngi32/reading.h).
 * docs/reference/arithmetic.md gives the meaning of every choice of the runtime in steps,
 * docs/formats/msh.md that of the files'.
 */
#ifndef RETROPOSE_EXPORTS_READING_TABLE_H
#define RETROPOSE_EXPORTS_READING_TABLE_H

/* Kinds of work that the exact core does. Where the two builds of a slot have readings of their
 * own, each build is a kind of its own.
 *
 * A row has OF_NOTHING when the core takes every choice or computes nothing there, or when the
 * choice makes no difference under the control word that the core requires. Under that control
 * word, the fraction between two keys has 24 bits whether it is stored or not (key-alpha-bits), and
 * no number of 24 bits lies between the two limits of slerp-limit. Nodes with NaNs are posed one by
 * one (nan-equal). */
enum {
    OF_NOTHING = 0,
    OF_ARCS = 1 << 0, /* slots 17 and 22 */
    OF_ARCS_SSE = 1 << 1,
    OF_KEYS = 1 << 2,      /* the steps between two keys */
    OF_KEY_WORDS = 1 << 3, /* decoding the words of a key */
    OF_BLEND = 1 << 4,     /* blending two poses */
    OF_SKELETON = 1 << 5,  /* posing many nodes at once, with their matrices */
    OF_PRODUCTS = 1 << 6,  /* multiplying many matrices at once */
    OF_PRODUCTS_SSE = 1 << 7,
    OF_FACES = 1 << 8, /* choosing the faces that a segment may meet */
    OF_FACES_SSE = 1 << 9,
    OF_SEGMENT_SSE = 1 << 10, /* the path of slot 45 that is for the defaults alone */
    OF_WORLDS = 1 << 11       /* world matrices of the pieces of an object */
};

/* Readings of the arithmetic. The first row concerns files, too. */
#define RETROPOSE_RUNTIME_READINGS(X)                                                              \
    X(KEY_ORDER, "key-order", "xyzw|wxyz", OF_KEY_WORDS | OF_SKELETON,                             \
      "AniMesh 0x10012880, components of a key in Res8",                                           \
      "xyzw: seed 000 section 2.1, seed 003 section 1.1. wxyz: openparkan and ParkanPlayground, "  \
      "which draw the game's data; with it posed geometry fills the header box of 434 of 434 "     \
      "models (facts/animesh.md D.3, facts/formats.md C1, C1a)")                                   \
    X(KEY_SCALE, "key-scale", "f32|f64|divide", OF_KEYS | OF_SKELETON,                             \
      "AniMesh 0x10012880, s16 to float",                                                          \
      "seed 000: times 1.0f/32767.0f; seed 003: divided by 32767; storage of the constant "        \
      "unknown")                                                                                   \
    X(KEY_LERP, "key-lerp", "delta|weights", OF_SKELETON,                                          \
      "AniMesh 0x10012880, position between two keys",                                             \
      "published as linear only (facts/animesh.md F)")                                             \
    X(KEY_ALPHA, "key-alpha", "divide|reciprocal", OF_KEYS | OF_SKELETON,                          \
      "AniMesh 0x10012880, fraction between two key times",                                        \
      "published as a quotient (facts/animesh.md E.4); whether by FDIV or by a reciprocal "        \
      "is not")                                                                                    \
    X(KEY_ALPHA_BITS, "key-alpha-bits", "stored|kept", OF_NOTHING,                                 \
      "AniMesh 0x10012880, the fraction in the position's interpolation",                          \
      "slot 17 gets it as binary32; whether the position uses that or the x87 stack is "           \
      "unpublished")                                                                               \
    X(NAN_EQUAL, "nan-equal", "ieee|c3", OF_NOTHING,                                               \
      "AniMesh 0x10012880, t == key time with a NaN",                                              \
      "exact x87 compare (facts/animesh.md E.4); whether unordered counts as equal is "            \
      "unpublished")                                                                               \
    X(BLEND_LERP, "blend-lerp", "weights|delta", OF_BLEND | OF_SKELETON,                           \
      "AniMesh 0x10012560, position between two poses",                                            \
      "(1-w)*pA + w*pB (facts/animesh.md E.5) is the value read, not its steps")                   \
    X(FLIP_SUM, "flip-sum", "sequential|pairs|reverse|w-last", OF_BLEND | OF_SKELETON,             \
      "AniMesh 0x10012560, the two squared lengths",                                               \
      "order of the four squares' sum is unpublished")                                             \
    X(OPERANDS, "operands", "loaded|memory", OF_NOTHING,                                           \
      "x87 builds of slots 4, 7, 14, 15, 17, 22, 23, 28, 35: the second factor of a product",      \
      "whether an input is loaded first or is an operand in memory (fmul m32) is unpublished; "    \
      "the bits of signalling NaNs tell")                                                          \
    X(DOT4, "dot4", "sequential|pairs|reverse|w-last", OF_NOTHING, "x87 builds of slots 17, 22",   \
      "order of the four products' sum is unpublished")                                            \
    X(DOT4_SSE, "dot4-sse", "halves|sequential|pairs", OF_NOTHING, "SSE build of slots 17, 22",    \
      "order of the four products' sum is unpublished")                                            \
    X(SLERP_LIMIT, "slerp-limit", "f32|f64", OF_NOTHING, "x87 builds of slots 17, 22: 1e-5",       \
      "printed as 9.9999997e-6 (facts/ngi32.md B.4c), which is the binary32 number")               \
    X(SLERP_SINE, "slerp-sine", "reciprocal|quotient", OF_ARCS,                                    \
      "slots 17, 22: sin(t*theta)/sin(theta)",                                                     \
      "seed 000 section 4.4 multiplies by 1/sin; facts/ngi32.md B.4c divides")                     \
    X(SLERP_ACOS, "slerp-acos", "crt|plain|quotient|half|complement", OF_ARCS,                     \
      "slots 17, 22: the arc cosine by FPATAN",                                                    \
      "MSVC 6 _CIacos takes the root of (1+c)(1-c) (facts/anchors.md 3.3); inlining "              \
      "unpublished")                                                                               \
    X(SLERP_THETA, "slerp-theta", "kept|stored", OF_ARCS,                                          \
      "slots 17, 22: is theta stored as binary32?",                                                \
      "facts/anchors.md 3.5b shows that it matters; which is unpublished")                         \
    X(SLERP_TRIG, "slerp-trig", "kept|stored", OF_ARCS,                                            \
      "slots 17, 22: are the sines and the cosine stored?", "as slerp-theta")                      \
    X(SLERP_WEIGHTS, "slerp-weights", "kept|stored", OF_ARCS,                                      \
      "slots 17, 22: are w0 and w1 stored when computed?", "as slerp-theta")                       \
    X(SLERP_TRIG_SSE, "slerp-trig-sse", "x87|stored", OF_ARCS_SSE,                                 \
      "SSE build of slots 17, 22: the weights",                                                    \
      "how the SSE build gets acos and sine is unpublished (facts/anchors.md 3.5b)")               \
    X(QUAT_DIAGONAL, "quat-diagonal", "sum|chain|reverse", OF_SKELETON,                            \
      "x87 builds of slots 14, 15: the diagonal",                                                  \
      "1 - 2(yy + zz) (facts/ngi32.md B.4a) is the value read, not its steps")                     \
    X(QUAT_DIAGONAL_SSE, "quat-diagonal-sse", "sum|chain|reverse", OF_SKELETON,                    \
      "SSE build of slots 14, 15: the diagonal", "as quat-diagonal")                               \
    X(MIRROR_SIGN, "mirror-sign", "negate|swap", OF_NOTHING,                                       \
      "slot 15: 2(xz - wy) and 2(yz - wx), negated",                                               \
      "four addresses change a sign (facts/ngi32.md B.4b); a zero's sign depends on how")          \
    X(MIRROR_SHAPE, "mirror-shape", "4x4|3x3", OF_NOTHING, "slot 15: which elements are written",  \
      "facts/ngi32.md B.4b: not stated")                                                           \
    X(MATRIX_SUM, "matrix-sum", "sequential|pairs|reverse", OF_PRODUCTS,                           \
      "x87 builds of slots 23, 28", "order of the four products' sum is unpublished")              \
    X(MATRIX_SUM_SSE, "matrix-sum-sse", "sequential|pairs|reverse", OF_PRODUCTS_SSE,               \
      "SSE build of slots 23, 28", "sum over k (facts/ngi32.md B.3); its order is unpublished")    \
    X(MATRIX34_SUM, "matrix34-sum", "sequential|reverse|outer|translation-first", OF_NOTHING,      \
      "slot 4", "only the meaning is published (facts/ngi32.md B.3)")                              \
    X(ROTATE_VECTOR, "rotate-vector", "rotate|affine", OF_NOTHING,                                 \
      "slot 7: is the translation applied?",                                                       \
      "used row by row on a frame (facts/ngi32.md B.3), which suits a rotation")                   \
    X(ROTATE_SUM, "rotate-sum", "sequential|reverse|outer", OF_NOTHING, "slot 7",                  \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(TRANSPOSED_SUM, "transposed-sum", "sequential|reverse|outer", OF_NOTHING, "slot 35",         \
      "only the meaning is published (facts/animesh.md E.6)")                                      \
    X(FRAME_SUM, "frame-sum", "sequential|reverse|outer", OF_NOTHING,                              \
      "slot 26: a.(p - origin) and a.a", "formula only (facts/ngi32.md B.3)")                      \
    X(FRAME_DIVISION, "frame-division", "divide|reciprocal", OF_NOTHING,                           \
      "slot 26: divided by a.a, or times 1/(a.a)", "formula only (facts/ngi32.md B.3)")            \
    X(RSQRT, "rsqrt", "divide|root", OF_NOTHING, "x87 builds of slot 11: 1/sqrt(x) or sqrt(1/x)",  \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(RSQRT_SSE, "rsqrt-sse", "exact|newton", OF_NOTHING, "SSE build of slot 11",                  \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(NORMALISE, "normalise", "reciprocal|quotient", OF_NOTHING,                                   \
      "slot 38: times 1/length or divided by it",                                                  \
      "only the meaning is published (facts/ngi32.md B.3)")                                        \
    X(NORMALISE_SUM, "normalise-sum", "sequential|reverse|outer", OF_NOTHING,                      \
      "slot 38: the squared length", "only the meaning is published (facts/ngi32.md B.3)")         \
    X(PLANE_FAR, "plane-far", "strict|inclusive", OF_NOTHING,                                      \
      "x87 builds of slot 45: far end on the plane",                                               \
      "facts/ngi32.md B.4d: two readings of the x87 builds differ from the SSE build's")           \
    X(PLANE_SUM, "plane-sum", "sequential|reverse|outer|offset-first", OF_FACES,                   \
      "x87 builds of slot 45: the dot products", "formula only (facts/ngi32.md B.4d)")             \
    X(PLANE_SUM_SSE, "plane-sum-sse", "sequential|reverse|outer|offset-first",                     \
      OF_FACES_SSE | OF_SEGMENT_SSE, "SSE build of slot 45: the dot products",                     \
      "formula only (facts/ngi32.md B.4d)")                                                        \
    X(PLANE_DIVISION, "plane-division", "divide|reciprocal", OF_NOTHING,                           \
      "x87 builds of slot 45: d0/(-nv)", "formula only (facts/ngi32.md B.4d)")                     \
    X(PLANE_NEWTON, "plane-newton", "expanded|factored", OF_SEGMENT_SSE,                           \
      "SSE build of slot 45: Newton step",                                                         \
      "one step after rcpss is read, its form is not (facts/anchors.md 3.5a)")                     \
    X(SSE_SLOTS, "sse-slots", "all|published", OF_NOTHING,                                         \
      "slots 4, 7, 11, 15, 26, 28, 38 of the SSE class",                                           \
      "only slots 14, 17, 20, 22, 23, 35 and 45 have a published SSE build (facts/ngi32.md "       \
      "B.3)")                                                                                      \
    X(FRAME_LERP, "frame-lerp", "delta|weights", OF_NOTHING,                                       \
      "AniMesh 0x10008B30, time between two frames",                                               \
      "A0 + s(A1 - A0) (facts/animesh.md E.7) is the value read, not its steps")                   \
    X(POSE_CACHE, "pose-cache", "times|weight-clears|never", OF_NOTHING,                           \
      "AniMesh 0x10008B30, when a piece's local matrix is kept",                                   \
      "the two times are compared (facts/animesh.md E.7, inferred); what a changed weight "        \
      "does is unpublished")                                                                       \
    X(ROOT_TRANSLATION, "root-translation", "zeroed|kept", OF_NOTHING,                             \
      "AniMesh 0x10008D88, translation of piece 0",                                                \
      "zeroing is read (facts/animesh.md E.7) in one source only")                                 \
    X(WORLD_PRODUCT, "world-product", "placement|parent", OF_WORLDS,                               \
      "AniMesh 0x1000919A, world matrix of a piece with a parent",                                 \
      "placement x model, or the parent's world x local: sources differ (facts/animesh.md E.7)")   \
    X(TILT_ORDER, "tilt-order", "after|before", OF_NOTHING,                                        \
      "AniMesh 0x10008B30, ground tilt: tilt x world or world x tilt",                             \
      "multiplied onto the world matrix (facts/animesh.md E.7); on which side is unpublished")     \
    X(CENTRAL, "central", "contains|equals", OF_NOTHING,                                           \
      "AniMesh 0x1000A460, the socket's text that hides what is attached",                         \
      "two documents of one source differ (facts/animesh.md E.8)")                                 \
    X(PUSH_GATHER, "push-gather", "masks|all", OF_NOTHING,                                         \
      "AniMesh 0x1000D410, the first of the push-out's two filters",                               \
      "every gathered face is tested against the second (facts/animesh.md E.16); what the first "  \
      "selects is unpublished. masks: which faces are gathered; all: none of the mesh's own")      \
    X(OBJECT_SLOT_17, "object-slot-17", "chunks|owner", OF_NOTHING,                                \
      "AniMesh IGameObject methods 17 and 18 of the agent: what they are",                         \
      "chunks: 0x10001C20 and 0x10001D60 save and load. owner: slot 17 is the word of the owner "  \
      "that ILifeSystem method 11 answers; two pages of one source differ (facts/animesh.md C.3)")

/* Readings of the fields of a model file. */
#define RETROPOSE_FILE_READINGS(X)                                                                 \
    X(ROTATION, "rotation", "conjugate|plain", OF_NOTHING, "Res8",                                 \
      "conjugate: the matrix of seed 000 section 4.4, openparkan, ParkanPlayground. plain: "       \
      "fparkan (facts/formats.md C2)")                                                             \
    X(SLOT_WORDS, "slot-words", "lod-group|state-lod", OF_NOTHING, "Res1",                         \
      "lod-group: [3 levels][5 groups], seed 001 section 5.1. state-lod: [3 damage states][5 "     \
      "levels], openparkan, ParkanPlayground; triangle counts fall inside a block on 1157 of "     \
      "1161 chains (facts/formats.md C4)")                                                         \
    X(MATERIAL, "material", "word2|byte4", OF_NOTHING, "Res13",                                    \
      "word2: u16 at +2 of a batch, seed 001 section 5.8. byte4: u8 at +4, openparkan, "           \
      "ParkanPlayground; resolves 15138 of 15138 batches (facts/formats.md C3)")                   \
    X(NAMES, "names", "res9|res10", OF_NOTHING, "Res9 and Res10",                                  \
      "res10: the node strings of seed 001 section 5.9, which leaves Res9 open. res9: 32-byte "    \
      "node names, with Res10 the socket labels, openparkan (facts/formats.md C5)")                \
    X(UV, "uv", "signed|unsigned", OF_NOTHING, "Res5 and Res18",                                   \
      "signed: seed 001 section 5.5, ParkanPlayground. unsigned: openparkan. 64 whole tiles "      \
      "apart: the same texel under repeat (facts/formats.md C10)")                                 \
    X(REST_POSE, "rest-pose", "frame0|fallback", OF_NOTHING, "Res8 and Res19",                     \
      "frame0: the key of frame 0, openparkan; the bind pose. fallback: the fallback key, "        \
      "fparkan, ParkanPlayground; the last frame of an animated node (facts/formats.md C12)")

#define RETROPOSE_READINGS(X)                                                                      \
    RETROPOSE_RUNTIME_READINGS(X)                                                                  \
    RETROPOSE_FILE_READINGS(X)

enum {
#define RETROPOSE_READING_INDEX(symbol, name, choices, work, where, source) READING_##symbol,
    RETROPOSE_RUNTIME_READINGS(RETROPOSE_READING_INDEX) READING_RUNTIME_COUNT,
    READING_BEFORE_FILES = READING_RUNTIME_COUNT - 1, /* the files' rows follow without a gap */
    RETROPOSE_FILE_READINGS(RETROPOSE_READING_INDEX)
#undef RETROPOSE_READING_INDEX
        READING_COUNT
};

#endif
