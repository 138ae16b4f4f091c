/* Counts the calls of a function by the values of its inputs, to show in which ranges of inputs the
 * differing calls lie.
 *
 * Only parameters count that hold numbers (f32, i32, u32) when the function is called: the first
 * TALLY_INPUTS of them in the order of its signature. Of several numbers, such as those of a
 * matrix, the greatest magnitude counts. */
#ifndef RETROPOSE_REPLAY_COMPARE_TALLY_INPUTS_H
#define RETROPOSE_REPLAY_COMPARE_TALLY_INPUTS_H

#include "replay/compare/tally.h"
#include "tracefile/signature.h"

/* Writes the indices of these parameters and returns their number. */
uint32_t TallyInputs_Params(const Signature *signature, int params[TALLY_INPUTS]);
/* Counts a call. Inputs that do not fit the signature are passed over. */
void TallyInputs_Add(TallyInputs *tally, const Signature *signature, const uint8_t *inputs,
                     uint32_t input_size);
/* Adds the calls of another tally of the same function. */
void TallyInputs_Merge(TallyInputs *tally, const TallyInputs *other);
/* Returns the range in which a number lies. Ranges are in the order of their numbers; the last one
 * is that of NaN. */
uint32_t TallyInputs_Range(float value);
/* Writes what a range is called, such as "0.1 to 0.5", "-0.5 to -0.1" or "1". The end that is
 * nearer to 0 belongs to the range, unless that number is a range of its own, as 1 and -1 are. */
void TallyInputs_Name(uint32_t range, char *text, size_t size);

#endif
