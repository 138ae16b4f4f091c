/* Functions of the game for tests, written in C, and wrong versions of them. */
#ifndef RETROPOSE_TESTS_DLL_OBSERVE_FUNCTIONS_H
#define RETROPOSE_TESTS_DLL_OBSERVE_FUNCTIONS_H

#include "game.h"

void Sum(const uint32_t *arguments, LiveResult *result);      /* has slot 14's arguments */
void SumWrong(const uint32_t *arguments, LiveResult *result); /* element 9 is different */
void SumCrash(const uint32_t *arguments, LiveResult *result);
void SumSloppy(const uint32_t *arguments, LiveResult *result); /* writes behind its output */
/* Has slot 23's arguments, of which `out` may be an input. */
void Product(const uint32_t *arguments, LiveResult *result);
/* Works like Product, but is wrong if inputs and outputs share memory. */
void ProductInPlace(const uint32_t *arguments, LiveResult *result);
/* Has slot 45's arguments and writes only on a hit. */
void Hit(const uint32_t *arguments, LiveResult *result);
/* Has slot 38's arguments, works in place and returns in ST0. */
void Length(const uint32_t *arguments, LiveResult *result);
void LengthWrong(const uint32_t *arguments, LiveResult *result);
void FindSlot(const uint32_t *arguments, LiveResult *result);
/* Fills only the fields nodes, keys and frame_count of the reader. */
void LoadReader(const uint32_t *arguments, LiveResult *result);
/* Gives another result and other control words. */
void HitWrong(const uint32_t *arguments, LiveResult *result);
void SampleNode(const uint32_t *arguments, LiveResult *result);

#endif
