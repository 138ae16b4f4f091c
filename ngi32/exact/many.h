/* Computes many poses at once without the x87. The steps are those of keys.h and slerp.h, side by
 * side in the lanes of vector registers (docs/reference/exact.md, "Many at once").
 *
 * There is a set of functions for each width of registers. Each computes the same bits as the
 * function for one pose, or refuses: it returns a set of nodes, one bit each, whose results are not
 * valid and have to be computed one by one. The functions do not check whether a number leaves the
 * range of binary32, because that sets a flag of the processor. On machines without flags they look
 * for numbers with which it might happen. In both cases Exact_LeaveGuarded returns false, and none
 * of the results is valid. So a caller does
 *
 *     uint32_t before = Exact_Enter();
 *     refused = width->sample(...);
 *     if (!Exact_LeaveGuarded(before)) refused = all of them;
 */
#ifndef RETROPOSE_NGI32_EXACT_MANY_H
#define RETROPOSE_NGI32_EXACT_MANY_H

#include "ngi32/exact/keys.h"
#include "ngi32/exact/slerp.h"
#include "ngi32/processor/in_software.h"

#include <stdbool.h>
#include <stdint.h>

/* The most lanes of any width. */
enum { EXACT_MANY = 64, EXACT_MOST_LANES = 16 };

/* Stands before arrays of lanes, so that no vector of 32 bytes crosses a line of the cache. It is
 * needed because the stack of a 32-bit program need not be aligned. */
#define EXACT_LANES _Alignas(32)

/* The two keys of Res8 around a time, for each node. Where `held` is -1, the pose of the first key
 * is taken and the second key does not matter, but it must be readable. Elsewhere `held` is 0. */
typedef struct ExactSegments {
    EXACT_LANES const uint8_t *first[EXACT_MANY];
    const uint8_t *second[EXACT_MANY];
    int32_t held[EXACT_MANY];
    float time[EXACT_MANY];
} ExactSegments;

/* The same for nodes of one skeleton, as numbers of its keys: `key`, and `fallback`. Where `key` is
 * not below `fallback`, the pose of `fallback` is taken and held. Where a key does not exist,
 * another one may be read in its place, and the node is refused. */
typedef struct ExactTracks {
    const uint8_t *keys; /* at least one key, whatever key_count is */
    int32_t key_count;
    const ExactPair *pairs; /* one for each key, for `sample_prepared` only */
    EXACT_LANES int32_t key[EXACT_MANY];
    int32_t fallback[EXACT_MANY];
    float time[EXACT_MANY];
} ExactTracks;

/* The numbers w of all rotations, then all numbers x, y and z. */
typedef struct ExactRotations {
    EXACT_LANES float number[4][EXACT_MANY];
} ExactRotations;

typedef struct ExactPoses {
    ExactRotations rotations;
    float position[3][EXACT_MANY];
} ExactPoses;

/* The matrices of a piece of an object, in the order of the piece's record. */
typedef struct ExactPiece {
    float world[16], model[16], local[16];
} ExactPiece;

/* The functions for one set of instructions. `count` is from 1 to EXACT_MANY. A function may read
 * and write a few elements behind the count, up to a multiple of its lanes. What it reads there may
 * be anything that sets no flag. Exact_Pad fills it by repeating the last element. */
typedef struct ExactWidth {
    const char *name;
    /* Interpolates rotations (slots 17 and 22). The result may be one of the inputs. */
    uint64_t (*interpolate)(const ExactRotations *q0, const ExactRotations *q1, const float *t,
                            int count, ExactSum order, ExactRotations *result);
    uint64_t (*sample)(const ExactSegments *segments, int count, ExactSum order, ExactPoses *poses);
    uint64_t (*sample_tracks)(const ExactTracks *tracks, int count, ExactSum order,
                              ExactPoses *poses);
    /* Does the same with prepared pairs of keys, in the order of the dot product that they were
     * prepared for. */
    uint64_t (*sample_prepared)(const ExactTracks *tracks, int count, ExactPoses *poses);
    /* Blends the poses a and b: turns b's rotation to the nearer side, interpolates the rotations
     * (slot 22), and computes (1 - weight) * a + weight * b of the positions. The result may be a
     * or b. */
    uint64_t (*blend)(const ExactPoses *a, const ExactPoses *b, int count, const float *weight,
                      ExactSum order, ExactPoses *poses);
    /* Makes the matrices of poses (slot 14). */
    void (*to_matrices)(const ExactPoses *poses, int count, float (*matrices)[16]);
    /* Makes the local matrices of pieces of poses in the same way. */
    void (*to_pieces)(const ExactPoses *poses, int count, ExactPiece *const *pieces);
    /* For each node in turn: model[first + i] = model[parents[i]] x local[i] (slot 28), or local[i]
     * where the parent is negative. All last rows are 0, 0, 0, 1.
     *
     * Returns false if a product, or a matrix that it was made of, is not finite. The results are
     * then not valid, because the bits of a NaN depend on which operand of an operation comes
     * first; and no flag tells of a quiet NaN. To find this out, numbers of all products are added
     * up. That sum may overflow although all products are finite; then, too, the function may
     * return false and set a flag, and not all widths do so for the same products. The products
     * themselves do not depend on the width. */
    bool (*products)(const float (*local)[16], const int32_t *parents, int count,
                     float (*model)[16], uint32_t first);
    /* Places pieces of an object, each in turn: model = the parent's model x local, or local where
     * the parent is null, and world = placement x model (slot 28). It takes any matrices. Returns
     * false where `products` does, and if a last row is not 0, 0, 0, 1. */
    bool (*place)(const float placement[16], const ExactPiece *const *parents,
                  ExactPiece *const *pieces, int count);
} ExactWidth;

/* Four lanes, which every machine has (ngi32/processor/sse2.h). */
extern const ExactWidth exact_sse2;
#if MACHINE_HAS_X87 && defined(__x86_64__)
/* 32-bit programs do not use AVX. Some processors do not clear the upper halves of its registers in
 * 32-bit mode, and all SSE code that follows is then slow. */
extern const ExactWidth exact_avx2, exact_avx512;
#endif

/* Returns the widest functions that this processor has. Call it only where Exact_IsInForce returns
 * true. */
const ExactWidth *Exact_Width(void);
/* Returns the widths that this processor has, narrowest first, for tests and benchmarks. Null ends
 * the list. */
const ExactWidth *const *Exact_Widths(void);

/* Sets the processor's modes to the standard ones and clears its flags; returns the modes. */
uint32_t Exact_Enter(void);
/* Puts the modes back. Returns false if an operation since Exact_Enter was invalid, divided by
 * zero, over- or underflowed, or (on an x86) had an operand too small for binary32's normal
 * numbers. On a machine without flags, it always returns false. */
bool Exact_Leave(uint32_t before);
/* Does the same after functions that, on a machine without flags, look for numbers out of range
 * themselves. Those of this header do. */
bool Exact_LeaveGuarded(uint32_t before);

#if !MACHINE_HAS_FLAGS
/* Takes the place of flags: whether a function, since Exact_Enter, met a number with which a step
 * might leave the range of binary32. */
extern _Thread_local bool exact_left_range;
#endif

/* These repeat the last segment or track up to a multiple of all widths' lanes. */
void Exact_Pad(ExactSegments *segments, int count);
void Exact_PadTracks(ExactTracks *tracks, int count);

#endif
