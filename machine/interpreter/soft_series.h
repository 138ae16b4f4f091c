/* The x87's functions that ngi32/processor does not have. A processor may err in the last bit of
 * these, and each does so in its own way. The functions here are nearly always correctly
 * rounded. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_SOFT_SERIES_H
#define RETROPOSE_MACHINE_INTERPRETER_SOFT_SERIES_H

#include "machine/interpreter/soft_float.h"

/* Computes 2^x - 1 for a finite x that is not 0 and whose magnitude is below 1. */
SoftFloat SoftSeries_PowerLessOne(SoftFloat x, SoftControl *control);
/* Computes y log2(x) or y log2(x + 1) for finite numbers that are not 0. The logarithm must exist,
 * and must not be 0. */
SoftFloat SoftSeries_Logarithm(SoftFloat x, bool plus_one, SoftFloat y, SoftControl *control);

#endif
