/* Calibration finds out which readings of the arithmetic (exports/reading_table.h) an original
 * follows, by asking it inputs on which the readings differ (docs/use/calibrate.md).
 *
 * Which results a reading influences is not written down anywhere. It is measured by running the
 * library of this process under two choices on the same inputs. Only the answers come from the
 * original, in few runs of the host. */
#ifndef RETROPOSE_GAME_CALIBRATE_CALIBRATE_H
#define RETROPOSE_GAME_CALIBRATE_CALIBRATE_H

#include "game/calibrate/calibration.h"
#include "replay/provider/provider.h"
#include "retropose/memory.h"

/* Calibrates one original. `survey` may be null, and then one is made; otherwise its seed and
 * work folder must be those of the options. */
RpStatus Calibrate_Run(CalibrateSurvey *survey, const CalibrateOptions *options,
                       Calibration *calibration, RpError *error);

/* ---- reports --------------------------------------------------------------------------------- */

typedef struct CalibrateSource {
    const Provider *provider;  /* the pair that answered */
    char overlay_sha256[65];   /* empty where there was none */
    const char *const *traces; /* the recorded traces that were used */
    size_t trace_count;
    char version[64];
    char processor[128];
    const char *command; /* the command that repeats the run; may be null */
} CalibrateSource;

void Calibrate_Text(const Calibration *calibration, const CalibrateSource *source, bool verbose,
                    RpBuffer *text);
RpStatus Calibrate_Json(const Calibration *calibration, const CalibrateSource *source,
                        RpBuffer *json, RpError *error);
/* Appends a page for a browser: one file without scripts that asks for no other one. */
RpStatus Calibrate_Html(const Calibration *calibration, const CalibrateSource *source,
                        RpBuffer *html, RpError *error);
/* Writes a profile that Profile_Parse reads: the choices, with their evidence as comments. */
void Calibrate_Profile(const Calibration *calibration, const CalibrateSource *source,
                       RpBuffer *text);

#endif
