/* Functions that all steps of a calibration use. */
#include "game/calibrate/calibrate_run.h"

void Run_Progress(const Run *run, const char *stage, uint64_t done, uint64_t total) {
    if (run->options->progress)
        run->options->progress(run->options->progress_context, stage, done, total);
}
