/* Writes the results of a run as text. */
#include "core/text.h"

#include "exports/reading_table.h"
#include "game/calibrate/calibrate.h"
#include "game/calibrate/calibrate_words.h"
#include "game/calibrate/workbench.h"

#include <inttypes.h>

/* ---- names ----------------------------------------------------------------------------------- */

static void PutAlternative(RpBuffer *text, int reading, int alternative) {
    char name[64];
    Choices_Name(reading, alternative, name, sizeof name);
    RpBuffer_AppendText(text, name);
}

static void PutPossible(RpBuffer *text, int reading, uint32_t possible, const char *between) {
    bool any = false;
    for (int a = 0; a < Choices_Alternatives(reading); a++) {
        if (!(possible >> a & 1))
            continue;
        RpBuffer_AppendText(text, any ? between : "");
        PutAlternative(text, reading, a);
        any = true;
    }
}

void CalibrateWords_Function(RpBuffer *text, const CalibrateFunction *function) {
    RpBuffer_AppendText(text, function->function->key);
    if (!function->every_build)
        RpBuffer_Print(text, "@%s", RpBuild_Name(function->build));
}

/* ---- readings -------------------------------------------------------------------------------- */

void CalibrateWords_Reason(RpBuffer *text, const Calibration *calibration, int reading) {
    const CalibrateReading *found = &calibration->readings[reading];
    switch (found->verdict) {
    case CALIBRATE_NOT_TOLD_APART:
        RpBuffer_Print(text, "cannot be told apart: %" PRIu64 " inputs compared here, none differ",
                       found->tried);
        break;
    case CALIBRATE_SPLIT:
        RpBuffer_AppendText(text, "functions contradict each other");
        break;
    case CALIBRATE_NOTHING_FITS:
        RpBuffer_AppendText(text, "no alternative fits: see the functions below");
        return;
    case CALIBRATE_NOT_ASKED:
        RpBuffer_AppendText(text, "no function that it changes could be asked");
        return;
    default:
        break;
    }
    if (found->verdict != CALIBRATE_DECIDED && (found->possible & (found->possible + 1)))
        RpBuffer_AppendText(text, "; ");

    bool any = false;
    for (int a = 0; a < Choices_Alternatives(reading); a++) {
        if (found->refuted[a] == 0 || found->possible >> a & 1)
            continue;
        RpBuffer_Print(text, "%s%" PRIu64 " cases refute ", any ? ", " : "", found->refuted[a]);
        PutAlternative(text, reading, a);
        if (found->game_word[a] == 0)
            RpBuffer_AppendText(text, " (none under the game's control word)");
        any = true;
    }

    /* As in "ngi32.slot17@generic+fxch": the builds of one function stand one after the other. */
    const AbiFunction *last = NULL;
    const char *before = "; by ";
    for (size_t i = 0; i < calibration->function_count; i++) {
        const CalibrateFunction *function = &calibration->functions[i];
        /* Cases of the function must refute an alternative that does not fit. */
        bool decides = false;
        for (int a = 0; function->fit == CALIBRATE_FITS && a < CALIBRATE_MAX_ALTERNATIVES; a++)
            decides |= calibration->refutes[i][reading][a] > 0 && !(found->possible >> a & 1);
        if (!decides)
            continue;
        if (function->function == last) {
            RpBuffer_Print(text, "+%s", RpBuild_Name(function->build));
            continue;
        }
        RpBuffer_AppendText(text, before);
        CalibrateWords_Function(text, function);
        last = function->function;
        before = ", ";
    }
}

void CalibrateWords_Choice(RpBuffer *text, const Calibration *calibration, int reading) {
    const CalibrateReading *found = &calibration->readings[reading];
    if (found->verdict == CALIBRATE_DECIDED)
        PutAlternative(text, reading, found->choice);
    else if (found->verdict == CALIBRATE_NOT_TOLD_APART)
        PutPossible(text, reading, found->possible, " or ");
    else
        RpBuffer_AppendText(text, "?");
}

/* ---- functions ------------------------------------------------------------------------------- */

void CalibrateWords_Choices(RpBuffer *text, const CalibrateFunction *function) {
    const char *before = "";
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        if (!CalibrateFunction_Reaches(function, h))
            continue;
        RpBuffer_Print(text, "%s%s=", before, RpReadings_Name(h));
        PutAlternative(text, h, function->nearest.choice[h]);
        before = ",";
    }
    if (!*before)
        RpBuffer_AppendText(text, "no reading reaches it");
}

static void PutTrouble(RpBuffer *text, const CalibrateFunction *function) {
    RpBuffer_AppendText(text, "  ");
    CalibrateWords_Function(text, function);
    switch (function->fit) {
    case CALIBRATE_FITS_NONE:
        RpBuffer_Print(text, ": none of %" PRIu64 " combinations fits", function->combinations);
        break;
    case CALIBRATE_CONTRADICTS:
        RpBuffer_AppendText(text, ": fits by itself, against what the others decided");
        break;
    default:
        RpBuffer_Print(text, ": %" PRIu64 " combinations are more than are tried",
                       function->combinations);
        break;
    }
    RpBuffer_Print(text,
                   "\n    nearest: %" PRIu64 " of %" PRIu64 " cases (%" PRIu64 " of %" PRIu64
                   " with ordinary numbers under the game's control word) with ",
                   function->matched, function->asked, function->ordinary_matched,
                   function->ordinary);
    CalibrateWords_Choices(text, function);
    RpBuffer_AppendText(text, "\n");

    if (function->difference.found) {
        RpBuffer_Print(
            text, "    first: %s call %" PRIu64 " of %s, control word %04x, MXCSR %04x\n",
            function->difference.trace ? "recorded" : "generated", function->difference.sequence,
            function->difference.trace ? function->difference.trace : "its stream",
            function->difference.control, (unsigned)function->difference.mxcsr);
        RpBuffer_Print(text, "    %s: original %s, nearest %s\n    inputs %s\n",
                       function->difference.path, function->difference.original,
                       function->difference.ours, function->difference.inputs);
    }

    if (function->ended)
        RpBuffer_Print(text, "    %" PRIu64 " cases crashed, hung or ended the process\n",
                       function->ended);
    if (function->violations)
        RpBuffer_Print(text,
                       "    %" PRIu64 " cases left the stack or registers wrong: the call may be "
                       "(retropose probe)\n",
                       function->violations);
}

static bool IsTrouble(const CalibrateFunction *function) {
    return function->fit == CALIBRATE_FITS_NONE || function->fit == CALIBRATE_CONTRADICTS ||
           function->fit == CALIBRATE_TOO_MANY;
}

size_t CalibrateWords_Count(const Calibration *calibration, CalibrateFit fit) {
    size_t count = 0;
    for (size_t i = 0; i < calibration->function_count; i++)
        count += calibration->functions[i].fit == fit;
    return count;
}

static void PutList(RpBuffer *text, const Calibration *calibration, CalibrateFit fit,
                    const char *title) {
    const char *before = title;
    for (size_t i = 0; i < calibration->function_count; i++)
        if (calibration->functions[i].fit == fit) {
            RpBuffer_AppendText(text, before);
            CalibrateWords_Function(text, &calibration->functions[i]);
            before = ", ";
        }
    RpBuffer_AppendText(text, before == title ? "" : "\n");
}

void Calibrate_Text(const Calibration *calibration, const CalibrateSource *source, bool verbose,
                    RpBuffer *text) {
    char description[256];
    Provider_Describe(source->provider, description, sizeof description);
    RpBuffer_Print(text, "original: %s\n\n", description);
    for (int h = 0; h < calibration->reading_count; h++) {
        size_t start = text->size;
        RpBuffer_Print(text, "%-16s ", RpReadings_Name(h));
        CalibrateWords_Choice(text, calibration, h);
        while (!text->failed && text->size < start + 34)
            RpBuffer_AppendText(text, " ");
        RpBuffer_AppendText(text, " ");
        CalibrateWords_Reason(text, calibration, h);
        RpBuffer_AppendText(text, "\n");
        if (calibration->readings[h].instruction[0])
            RpBuffer_Print(text, "%35sat %s\n", "", calibration->readings[h].instruction);
    }

    if (verbose) {
        RpBuffer_AppendText(text, "\n");
        for (size_t i = 0; i < calibration->function_count; i++) {
            const CalibrateFunction *function = &calibration->functions[i];
            size_t start = text->size;
            CalibrateWords_Function(text, function);
            while (!text->failed && text->size < start + 30)
                RpBuffer_AppendText(text, " ");
            RpBuffer_Print(text,
                           " %-11s %4" PRIu64 " cases, %" PRIu64 " of %" PRIu64 " combinations, ",
                           CalibrateFit_Name(function->fit), function->asked, function->remaining,
                           function->combinations);
            RpBuffer_Print(text, "%" PRIu64 " inputs", function->generated);
            RpBuffer_AppendText(text, "\n");
        }
    }

    size_t troubles = 0;
    for (size_t i = 0; i < calibration->function_count; i++)
        troubles += IsTrouble(&calibration->functions[i]);
    RpBuffer_Print(text, "\n%zu of %zu function%s fit%s\n",
                   CalibrateWords_Count(calibration, CALIBRATE_FITS), calibration->function_count,
                   Text_Plural(calibration->function_count), troubles > 0 ? "; these do not:" : "");
    for (size_t i = 0; i < calibration->function_count; i++)
        if (IsTrouble(&calibration->functions[i]))
            PutTrouble(text, &calibration->functions[i]);
    PutList(text, calibration, CALIBRATE_MISSING, "not in this original: ");
    PutList(text, calibration, CALIBRATE_NO_EVIDENCE, "no evidence: ");
    PutList(
        text, calibration, CALIBRATE_UNCALLABLE,
        "crashed, hung, ended the process or left the stack or registers wrong in every case, so "
        "called in another way (a line of the overlay says how): ");
    RpBuffer_Print(text,
                   "%" PRIu64 " case%s asked in %u run%s, %" PRIu64 " recorded call%s, %" PRIu64
                   " input%s generated, %" PRIu64 " evaluation%s\n",
                   calibration->asked, Text_Plural(calibration->asked), calibration->runs,
                   Text_Plural(calibration->runs), calibration->recorded,
                   Text_Plural(calibration->recorded), calibration->generated,
                   Text_Plural(calibration->generated), calibration->evaluations,
                   Text_Plural(calibration->evaluations));
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* A reading that was not decided needs a line only if the choice is not the replacement's
 * default. */
static bool NeedsLine(const CalibrateReading *found) {
    return found->verdict == CALIBRATE_DECIDED ||
           (found->verdict != CALIBRATE_NOTHING_FITS && found->choice != 0);
}

void Calibrate_Profile(const Calibration *calibration, const CalibrateSource *source,
                       RpBuffer *text) {
    RpBuffer_AppendText(text,
                        "# Retropose profile: readings of the arithmetic that fit an original "
                        "(docs/use/calibrate.md)\n");

    char description[256];
    const Provider *provider = source->provider;
    Provider_Describe(provider, description, sizeof description);
    RpBuffer_Print(text, "# original: %s\n", description);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (provider->sha256[i][0])
            RpBuffer_Print(text, "# %s.sha256: %s\n", AbiModule_Name((AbiModule)i),
                           provider->sha256[i]);
    RpBuffer_Print(text, "# processor: %s\n", source->processor);
    RpBuffer_Print(text, "# overlay: %s\n",
                   source->overlay_sha256[0] ? source->overlay_sha256 : "none");
    RpBuffer_Print(text, "# version: %s\n", source->version);
    for (size_t i = 0; i < source->trace_count; i++) {
        /* Who answered the calls of a recording. */
        static const char *const keys[] = {"provider",  "ngi32.sha256", "animesh.sha256",
                                           "processor", "force-cpu",    "slot-build"};
        TraceReader *reader;
        if (!TraceReader_Open(source->traces[i], &reader, NULL)) {
            RpBuffer_AppendText(text, "# trace:");
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
                char value[160];
                if (TraceHeader_Get(TraceReader_Header(reader), keys[k], value, sizeof value))
                    RpBuffer_Print(text, " %s=%s", keys[k], value);
            }
            RpBuffer_AppendText(text, "\n");
            TraceReader_Close(reader);
        }
    }

    RpBuffer_Print(text,
                   "# cases: %" PRIu64 " asked, %" PRIu64 " recorded calls; budget %" PRIu64
                   ", seed %" PRIu64 "\n",
                   calibration->asked, calibration->recorded, calibration->budget,
                   calibration->seed);
    for (size_t i = 0; i < calibration->function_count; i++) {
        const CalibrateFunction *function = &calibration->functions[i];
        if (!IsTrouble(function))
            continue;
        RpBuffer_AppendText(text, "# ");
        CalibrateWords_Function(text, function);
        RpBuffer_Print(text,
                       ": %s, %" PRIu64 " of %" PRIu64 " cases (ordinary: %" PRIu64 " of %" PRIu64
                       ") with ",
                       CalibrateFit_Name(function->fit), function->matched, function->asked,
                       function->ordinary_matched, function->ordinary);
        CalibrateWords_Choices(text, function);
        RpBuffer_AppendText(text, "\n");
    }
    PutList(text, calibration, CALIBRATE_MISSING, "# not in this original: ");
    PutList(text, calibration, CALIBRATE_UNCALLABLE, "# never came back from a call: ");
    RpBuffer_AppendText(text, "\n");
    for (int h = 0; h < calibration->reading_count; h++) {
        const CalibrateReading *found = &calibration->readings[h];
        size_t start = text->size;
        RpBuffer_Print(text, "%s%s = ", NeedsLine(found) ? "" : "# ", RpReadings_Name(h));
        if (found->verdict == CALIBRATE_NOT_TOLD_APART && !NeedsLine(found))
            PutPossible(text, h, found->possible, " or ");
        else
            PutAlternative(text, h, found->choice);
        while (!text->failed && text->size < start + 34)
            RpBuffer_AppendText(text, " ");
        RpBuffer_AppendText(text, " # ");
        CalibrateWords_Reason(text, calibration, h);
        RpBuffer_AppendText(text, "\n");
    }
}
