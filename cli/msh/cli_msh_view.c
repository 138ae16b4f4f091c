#include "cli/cli_readings.h"
#include "cli/msh/msh_common.h"
#include "cli/viewer_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct View {
    Cli *cli;
    ModelSource source;
    RpMsh msh;
    CliPage page;
    char output_path[MODEL_SOURCE_NAME_BYTES + 8];
} View;

/* ---- options --------------------------------------------------------------------------------- */

/* Without --readings, the page itself chooses the readings by evidence. The library makes the same
 * choice here for the notes. */
static bool TakeReadings(View *view) {
    RpError error;
    RpReadings readings;
    char text[RP_READINGS_TEXT];
    if (CliMsh_ReadingsAreAuto(view->cli)) {
        if (!CliReadings_Choose(view->cli, view->source.name, RP_MSH_READINGS, &view->msh,
                                &readings, &error))
            return true;
        Cli_Fail(&error);
        return false;
    }
    if (!CliMsh_Readings(view->cli, &readings))
        return false;
    RpReadings_Format(&readings, RP_READS_FILES, text, sizeof text);
    CliPage_Say(&view->page, "readings", text);
    return true;
}

/* How fast the model moves, what is shown of it, and from where. */
static bool TakeScene(View *view) {
    const char *fps = Cli_Value(view->cli, "fps", NULL);
    double number;
    if (fps && (!CliMsh_Numbers(fps, ',', 1, 1, &number) || number <= 0.0))
        return CliMsh_Refuse("fps", "a number above 0", fps);
    if (fps)
        CliPage_Say(&view->page, "fps", fps);

    const char *frame = Cli_Value(view->cli, "frame", NULL);
    double last = view->msh.frame_count > 0 ? view->msh.frame_count - 1.0 : 0.0;
    if (frame && (!CliMsh_Numbers(frame, ',', 1, 1, &number) || number < 0.0 || number > last)) {
        char expected[64];
        snprintf(expected, sizeof expected, "a frame of this model, 0 to %.0f", last);
        return CliMsh_Refuse("frame", expected, frame);
    }
    if (frame)
        CliPage_AppendHash(&view->page, "frame", frame);

    const char *cell = Cli_Value(view->cli, "cell", NULL);
    if (cell && (strlen(cell) != 3 || cell[0] < '0' || cell[0] > '2' || cell[1] != ',' ||
                 cell[2] < '0' || cell[2] > '4'))
        return CliMsh_Refuse("cell", "0 to 2, a comma and 0 to 4", cell);
    if (cell)
        CliPage_AppendHash(&view->page, "cell", cell);

    const char *camera = Cli_Value(view->cli, "camera", NULL);
    double numbers[3];
    char value[96];
    if (!camera)
        return true;
    int count = CliMsh_Numbers(camera, ',', 2, 3, numbers);
    if (count == 0 || fabs(numbers[0]) > 36000.0 || fabs(numbers[1]) > 90.0 ||
        (count == 3 && (numbers[2] <= 0.0 || numbers[2] > 1e9)))
        return CliMsh_Refuse("camera", "YAW,PITCH or YAW,PITCH,DISTANCE, pitch within 90 degrees",
                             camera);
    int length = snprintf(value, sizeof value, "%.6g,%.6g", numbers[0], numbers[1]);
    if (count == 3)
        snprintf(value + length, sizeof value - (size_t)length, ",%.9g", numbers[2]);
    CliPage_AppendHash(&view->page, "camera", value);
    return true;
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool OpenModel(View *view) {
    RpError error;
    RpStatus status = ModelSource_OpenModel(&view->source, view->cli->arguments[0], &error);
    if (!status) {
        status = RpMsh_Open(RpNRes_Entries(&view->source.archive), RP_TOLERANT, &view->msh, &error);
        RpSkeleton skeleton;
        if (!status)
            status = RpMsh_Skeleton(&view->msh, &skeleton, &error);
        if (!status)
            return true;
        ModelSource_Locate(&view->source, &error);
    }
    Cli_Fail(&error);
    return false;
}

static int RunView(Cli *cli) {
    View view = {.cli = cli};
    int code = CLI_TROUBLE;
    if (cli->argument_count != 1)
        return Cli_Complain("msh view needs one model");
    CliPage_Init(&view.page, cli);
    if (OpenModel(&view) && TakeReadings(&view) && TakeScene(&view) &&
        CliPage_TakeOptions(&view.page)) {
        const char *name = CliPage_LastPart(view.source.name);
        if (!view.page.output && !view.page.png) {
            /* A member's name may be any text, so the file that is named after it goes into the
             * current folder. */
            const char *dot = strrchr(name, '.');
            int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
            snprintf(view.output_path, sizeof view.output_path, "%.*s.html", length, name);
            for (char *c = view.output_path; *c; c++)
                if ((unsigned char)*c < 0x20 || strchr("<>:\"|?*", *c))
                    *c = '_';
            if (view.output_path[0] == '-')
                view.output_path[0] = '_';
            view.page.output = view.output_path;
        }
        CliPage_Say(&view.page, "source", view.source.name);
        CliPage_AddFile(&view.page, name, view.source.bytes, view.source.size);
        code = CliPage_Write(&view.page, name, "model", view.source.name);
    }
    CliPage_Free(&view.page);
    ModelSource_Close(&view.source);
    return code;
}

const CliVerb cli_msh_view = {
    "msh view",
    "make a page that shows a model, or a picture of one",
    "FILE[::MEMBER]",
    "retropose msh view parts.rlb::R_H_02.msh -o hero.html\n"
    "retropose msh view hero.msh --png hero.png --frame 12 --camera 35,18 --size 1280x720\n",
    {{"output", "FILE", "the page (default: the model's name and .html; - is standard output)",
      'o'},
     {"png", "FILE", "a picture, by a headless browser; without --output no page is kept", 0},
     CLI_MSH_READINGS_AUTO,
     {"fps", "N", "frames a second; the file has no such number (default: 20)", 0},
     {"frame", "T", "frame to show, also between two", 0},
     {"cell", "I,J", "which of a node's 3 x 5 slots to show (default: the first in use)", 0},
     {"camera", "YAW,PITCH[,D]", "degrees from the model's front, and distance", 0},
     CLI_PAGE_OPTIONS,
     CLI_JSON_WRITTEN},
    RunView};
