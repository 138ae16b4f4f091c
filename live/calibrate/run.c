/* What every step of a calibration uses. */
#include "live/calibrate/run.h"

#include <stdlib.h>
#include <string.h>

void Calibration_Free(Calibration *calibration) {
    free(calibration->functions);
    free(calibration->refutes);
    memset(calibration, 0, sizeof *calibration);
}

void Run_Progress(const Run *run, const char *stage, uint64_t done, uint64_t total) {
    if (run->options->progress)
        run->options->progress(run->options->progress_context, stage, done, total);
}
