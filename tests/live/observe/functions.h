/* Functions of the game for tests, in C, and wrong ones. */
#ifndef RETROPOSE_TESTS_LIVE_OBSERVE_FUNCTIONS_H
#define RETROPOSE_TESTS_LIVE_OBSERVE_FUNCTIONS_H

#include "game.h"

void Sum(const uint32_t *arguments, LiveResult *result);      /* slot 14's arguments */
void SumWrong(const uint32_t *arguments, LiveResult *result); /* element 9 differs */
void SumCrash(const uint32_t *arguments, LiveResult *result);
void SumSloppy(const uint32_t *arguments, LiveResult *result); /* writes behind its output */
void Product(const uint32_t *arguments, LiveResult *result);   /* slot 23's: out may be an input */
void ProductInPlace(const uint32_t *arguments, LiveResult *result); /* minds shared memory */
void Hit(const uint32_t *arguments, LiveResult *result);    /* slot 45's: writes only on a hit */
void Length(const uint32_t *arguments, LiveResult *result); /* slot 38's: in place, ST0 */
void LengthWrong(const uint32_t *arguments, LiveResult *result);
void FindSlot(const uint32_t *arguments, LiveResult *result);
void LoadReader(const uint32_t *arguments, LiveResult *result); /* nodes, keys, frame_count only */
void HitWrong(const uint32_t *arguments, LiveResult *result);   /* another result, control words */
void SampleNode(const uint32_t *arguments, LiveResult *result);

#endif
