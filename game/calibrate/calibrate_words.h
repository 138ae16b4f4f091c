/* Words about a calibration that its reports share. All but the last append to a text. */
#ifndef RETROPOSE_GAME_CALIBRATE_CALIBRATE_WORDS_H
#define RETROPOSE_GAME_CALIBRATE_CALIBRATE_WORDS_H

#include "game/calibrate/calibrate.h"

/* Writes "ngi32.slot17@generic", or the name without a build if all builds give the same
 * results. */
void CalibrateWords_Function(RpBuffer *text, const CalibrateFunction *function);
/* The alternative that was found, those that are left, or "?". */
void CalibrateWords_Choice(RpBuffer *text, const Calibration *calibration, int reading);
/* Writes why it is this alternative. */
void CalibrateWords_Reason(RpBuffer *text, const Calibration *calibration, int reading);
/* Writes "dot4=pairs,slerp-limit=f64": the nearest combination, of the readings that reach the
 * function. */
void CalibrateWords_Choices(RpBuffer *text, const CalibrateFunction *function);
size_t CalibrateWords_Count(const Calibration *calibration, CalibrateFit fit);

#endif
