#include "game/calibrate/calibration.h"

#include <stdlib.h>
#include <string.h>

const char *CalibrateFit_Name(CalibrateFit fit) {
    static const char *const names[] = {"fits",    "contradicts", "fits none", "too many",
                                        "missing", "no evidence", "uncallable"};
    _Static_assert(sizeof names / sizeof *names == CALIBRATE_UNCALLABLE + 1, "a name for each");
    return names[fit];
}

const char *CalibrateVerdict_Name(CalibrateVerdict verdict) {
    static const char *const names[] = {"decided", "not told apart", "split", "nothing fits",
                                        "not asked"};
    _Static_assert(sizeof names / sizeof *names == CALIBRATE_NOT_ASKED + 1, "a name for each");
    return names[verdict];
}

bool CalibrateFunction_Reaches(const CalibrateFunction *function, int reading) {
    return function->reaches[reading / 32] >> reading % 32 & 1;
}

bool Calibration_IsClean(const Calibration *calibration) {
    for (size_t i = 0; i < calibration->function_count; i++) {
        CalibrateFit fit = calibration->functions[i].fit;
        if (fit == CALIBRATE_CONTRADICTS || fit == CALIBRATE_FITS_NONE ||
            fit == CALIBRATE_TOO_MANY || fit == CALIBRATE_UNCALLABLE)
            return false;
    }
    return true;
}

void Calibration_Free(Calibration *calibration) {
    free(calibration->functions);
    free(calibration->refutes);
    memset(calibration, 0, sizeof *calibration);
}
