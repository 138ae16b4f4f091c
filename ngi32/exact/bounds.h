/* The errors of the functions in arc.h, as proven by ngi32/exact/proofs for every argument, in
 * units of the last place of binary64; those of cosines and of w0 in 2^-53. The tests of rounding
 * (EXACT_WINDOW, EXACT_COSINE_ERROR) allow several times as much. The tests proof_exact_... prove
 * these numbers, and the sweep of replay/prove demands that no argument exceeds them. */
#ifndef RETROPOSE_NGI32_EXACT_BOUNDS_H
#define RETROPOSE_NGI32_EXACT_BOUNDS_H

#define EXACT_ARC_TANGENT_BOUND  1.875
#define EXACT_TANGENT_BOUND      3.0625 /* of the tangent that the arc tangent is taken of */
#define EXACT_THETA_BOUND        5.0
#define EXACT_INVERSE_SINE_BOUND 3.5625
#define EXACT_SINE_BOUND         4.125
#define EXACT_COSINE_BOUND       4.25
/* Of angles up to pi/4, which are what is left of any angle. */
#define EXACT_REST_SINE_BOUND   2.0
#define EXACT_REST_COSINE_BOUND 2.0
/* Of any angle. */
#define EXACT_ANY_SINE_BOUND   3.0625
#define EXACT_ANY_COSINE_BOUND 4.0
/* What is rounded to 24 bits in an interpolation, each of one of the above and an operation. */
#define EXACT_PHI_BOUND 6.0625
#define EXACT_W1_BOUND  5.25
#define EXACT_W0_BOUND  6.3125

/* What the tests that leave out faces must leave room for, in parts of 2^-24:
 * docs/reference/exact.md proves these, under "Queries". faces.h has the room that is left. */
#define EXACT_EDGE_BOUND 21.0
#define EXACT_BOX_BOUND  8.1
#define EXACT_FACE_BOUND 24.0
#define EXACT_GAP_BOUND  4.0

#endif
