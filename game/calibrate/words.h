/* Words about a calibration that its reports share. All but the last append to a text. */
#ifndef RETROPOSE_GAME_CALIBRATE_WORDS_H
#define RETROPOSE_GAME_CALIBRATE_WORDS_H

#include "game/calibrate/calibrate.h"

/* "ngi32.slot17@generic", or without a build where all give the same. */
void CalibrateWords_Function(RpBuffer *text, const CalibrateFunction *function);
/* The alternative that was found, those that are left, or "?". */
void CalibrateWords_Choice(RpBuffer *text, const Calibration *calibration, int hypothesis);
/* Why it is that one. */
void CalibrateWords_Reason(RpBuffer *text, const Calibration *calibration, int hypothesis);
/* "dot4=pairs,slerp-limit=f64": the nearest combination of what reaches the function. */
void CalibrateWords_Choices(RpBuffer *text, const CalibrateFunction *function);
size_t CalibrateWords_Count(const Calibration *calibration, CalibrateFit fit);

#endif
