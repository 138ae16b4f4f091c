/* The errors of the functions in arc.h, as proven by ngi32/exact/proofs for every argument, in
 * units of the last place of binary64; those of cosines and of w0 in 2^-53. The tests of rounding
 * (EXACT_WINDOW, EXACT_COSINE_ERROR) allow several times as much. The tests proof_exact_... prove
 * these numbers, and the sweep of replay/prove demands that no argument exceeds them. */
#ifndef RETROPOSE_NGI32_EXACT_ARC_ERRORS_H
#define RETROPOSE_NGI32_EXACT_ARC_ERRORS_H

#define EXACT_ARC_TANGENT_BOUND  1.875
#define EXACT_TANGENT_BOUND      3.0625 /* the tangent whose arc tangent is computed */
#define EXACT_THETA_BOUND        5.0
#define EXACT_INVERSE_SINE_BOUND 3.5625
#define EXACT_SINE_BOUND         4.125
#define EXACT_COSINE_BOUND       4.25
/* For angles up to pi/4. Reducing any angle leaves such a rest. */
#define EXACT_REST_SINE_BOUND   2.0
#define EXACT_REST_COSINE_BOUND 2.0
/* For any angle. */
#define EXACT_ANY_SINE_BOUND   3.0625
#define EXACT_ANY_COSINE_BOUND 4.0
/* The numbers that an interpolation rounds to 24 bits. Each is the result of one operation on one
 * of the numbers above. */
#define EXACT_PHI_BOUND 6.0625
#define EXACT_W1_BOUND  5.25
#define EXACT_W0_BOUND  6.3125

/* The room that the tests that leave out faces need, in parts of 2^-24. It is proven in
 * docs/reference/exact.md, "Queries". faces.h has the room that they are given. */
#define EXACT_EDGE_BOUND 21.0
#define EXACT_BOX_BOUND  8.1
#define EXACT_FACE_BOUND 24.0
#define EXACT_GAP_BOUND  4.0

#endif
