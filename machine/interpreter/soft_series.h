/* The functions of the x87 that ngi32/processor lacks. A processor may err in their last bit and
 * each does so in its own way; these are one processor more, nearly always correctly rounded. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_SOFT_SERIES_H
#define RETROPOSE_MACHINE_INTERPRETER_SOFT_SERIES_H

#include "machine/interpreter/soft_float.h"

/* 2^x - 1 for a finite x that is not 0, below 1 in magnitude. */
SoftFloat SoftSeries_PowerLessOne(SoftFloat x, SoftControl *control);
/* y log2(x) or y log2(x + 1), for finite numbers that are not 0; the logarithm exists and is not 0
 * either. */
SoftFloat SoftSeries_Logarithm(SoftFloat x, bool plus_one, SoftFloat y, SoftControl *control);

#endif
