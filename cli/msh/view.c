#include "cli/msh/msh.h"
#include "cli/readings.h"

#include "cli/browser.h"
#include "core/files/output.h"
#include "core/text/view_text.h"
#include "retropose/view.h"
#include "revision.h"
#include "viewer/viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct View {
    Cli *cli;
    ModelSource source;
    RpMsh msh;
    RpNResArchive archive;
    RpGltfExportOptions export;
    BrowserShot shot;
    char hash[1024];
    Mapping template;
    RpBuffer html;
    const char *output; /* null: the page is not kept */
    char output_path[MODEL_SOURCE_NAME_BYTES + 8];
} View;

/* ---- options --------------------------------------------------------------------------------- */

static bool TakeReadings(View *view) {
    RpError error;
    if (!CliMsh_ReadingsAreAuto(view->cli))
        return CliMsh_Readings(view->cli, &view->export.readings);
    if (!CliReadings_Choose(view->cli, view->source.name, RP_MSH_READINGS, &view->msh,
                            &view->export.readings, &error))
        return true;
    Cli_Fail(&error);
    return false;
}

static bool TakeExport(View *view) {
    const Cli *cli = view->cli;
    uint64_t samples = 1;
    const char *fps = Cli_Value(cli, "fps", NULL);
    view->export = RpGltfExportOptions_Default();
    view->export.restore = false; /* nobody imports what a page shows */
    if (!TakeReadings(view))
        return false;
    if (fps && (!CliMsh_Numbers(fps, ',', 1, 1, &view->export.frames_per_second) ||
                view->export.frames_per_second <= 0.0))
        return CliMsh_Refuse("fps", "a number above 0", fps);
    if (!Cli_Number(cli, "sub-frames", 1, RP_GLTF_MAX_SUBFRAME, &samples))
        return false;
    view->export.sub_frames = (uint32_t)samples;
    return CliMsh_RootMotion(cli, &view->export.root_motion);
}

static void AppendHash(View *view, const char *name, const char *value) {
    size_t length = strlen(view->hash);
    snprintf(view->hash + length, sizeof view->hash - length, "%s%s%s%s", length > 1 ? "&" : "",
             name, name[0] ? "=" : "", value);
}

static bool TakeFrame(View *view) {
    const char *text = Cli_Value(view->cli, "frame", NULL);
    double frame, last = view->msh.frame_count > 0 ? view->msh.frame_count - 1.0 : 0.0;
    if (!text)
        return true;
    if (!CliMsh_Numbers(text, ',', 1, 1, &frame) || frame < 0.0 || frame > last) {
        char expected[64];
        snprintf(expected, sizeof expected, "a frame of this model, 0 to %.0f", last);
        return CliMsh_Refuse("frame", expected, text);
    }
    AppendHash(view, "frame", text);
    return true;
}

static bool TakeCell(View *view) {
    const char *text = Cli_Value(view->cli, "cell", NULL);
    if (!text)
        return true;
    if (strlen(text) != 3 || text[0] < '0' || text[0] > '2' || text[1] != ',' || text[2] < '0' ||
        text[2] > '4')
        return CliMsh_Refuse("cell", "0 to 2, a comma and 0 to 4", text);
    AppendHash(view, "cell", text);
    return true;
}

static bool TakeCamera(View *view) {
    const char *text = Cli_Value(view->cli, "camera", NULL);
    double numbers[3];
    char value[96];
    if (!text)
        return true;
    int count = CliMsh_Numbers(text, ',', 2, 3, numbers);
    if (count == 0 || fabs(numbers[0]) > 36000.0 || fabs(numbers[1]) > 90.0 ||
        (count == 3 && (numbers[2] <= 0.0 || numbers[2] > 1e9)))
        return CliMsh_Refuse("camera", "YAW,PITCH or YAW,PITCH,DISTANCE, pitch within 90 degrees",
                             text);
    int length = snprintf(value, sizeof value, "%.6g,%.6g", numbers[0], numbers[1]);
    if (count == 3)
        snprintf(value + length, sizeof value - (size_t)length, ",%.9g", numbers[2]);
    AppendHash(view, "camera", value);
    return true;
}

static bool TakeWords(View *view) {
    const char *text = Cli_Value(view->cli, "view", NULL);
    if (!text)
        return true;
    text += *text == '#';
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789=&,.-") != strlen(text) ||
        strlen(text) > 600)
        return CliMsh_Refuse("view", "words=values with & between them", text);
    AppendHash(view, "", text);
    return true;
}

static bool TakeSize(View *view) {
    const char *text = Cli_Value(view->cli, "size", "1280x960");
    double numbers[2];
    uint64_t seconds = 60;
    if (CliMsh_Numbers(text, 'x', 2, 2, numbers) != 2 || numbers[0] < 16.0 || numbers[1] < 16.0 ||
        numbers[0] > 8192.0 || numbers[1] > 8192.0)
        return CliMsh_Refuse("size", "WIDTHxHEIGHT, 16 to 8192 each", text);
    view->shot.width = (unsigned)numbers[0];
    view->shot.height = (unsigned)numbers[1];
    if (!Cli_Number(view->cli, "timeout", 1, 3600, &seconds))
        return false;
    view->shot.seconds = (unsigned)seconds;
    view->shot.browser = Cli_Value(view->cli, "browser", NULL);
    return true;
}

/* Returns "b.msh" for "a.rlb::b.msh" and for "dir/b.msh". */
static const char *LastPart(const char *name) {
    const char *last = name;
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\' || (c[0] == ':' && c[1] == ':'))
            last = c[0] == ':' ? c + 2 : c + 1;
    return last;
}

/* A member's name may be any text. The file that is made of it is in the current folder. */
static void TakeOutput(View *view) {
    view->output = Cli_Value(view->cli, "output", NULL);
    if (view->output || Cli_Has(view->cli, "png"))
        return;
    const char *name = LastPart(view->source.name);
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(view->output_path, sizeof view->output_path, "%.*s.html", length, name);
    for (char *c = view->output_path; *c; c++)
        if ((unsigned char)*c < 0x20 || strchr("<>:\"|?*", *c))
            *c = '_';
    if (view->output_path[0] == '-')
        view->output_path[0] = '_';
    view->output = view->output_path;
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool OpenModel(View *view) {
    RpError error;
    RpNResArchive_Init(&view->archive, NULL);
    RpStatus status = ModelSource_OpenModel(&view->source, view->cli->arguments[0], &error);
    if (status) {
        Cli_Fail(&error);
        return false;
    }
    status = RpMsh_Open(RpNRes_Entries(&view->source.archive), RP_TOLERANT, &view->msh, &error);
    if (!status)
        status = RpNResArchive_Read(&view->archive, &view->source.archive, &error);
    if (!status)
        return true;
    ModelSource_Locate(&view->source, &error);
    Cli_Fail(&error);
    return false;
}

static bool OpenTemplate(View *view, RpViewPage *page) {
    RpError error;
    const char *path = Cli_Value(view->cli, "template", NULL);
    page->html = Viewer_Page(&page->html_size);
    if (!path && !page->html) {
        Cli_Complain("this build has no viewer: run scripts/setup where npm reaches its "
                     "registry and build again, or give --template a page that viewer/build made");
        return false;
    }
    if (!path)
        return true;
    if (Mapping_Open(path, &view->template, &error)) {
        Cli_Fail(&error);
        return false;
    }
    page->html = view->template.bytes;
    page->html_size = view->template.size;
    return true;
}

static void TakeNote(void *context, const RpFinding *finding) {
    const Cli *cli = context;
    if (cli->verbosity > 0 || finding->severity <= RP_SEVERITY_WARNING)
        Cli_Note(cli, "%s: %s", finding->rule, finding->what);
}

static RpStatus Assemble(View *view, RpViewPage *page, RpError *error) {
    RpBuffer glb, info;
    RpFindingSink notes = {TakeNote, view->cli};
    RpViewSubject subject = {.model = &view->source.archive,
                             .readings = view->export.readings,
                             .name = LastPart(view->source.name),
                             .source = view->source.name,
                             .producer = "retropose " RETROPOSE_VERSION " (" RETROPOSE_REVISION ")",
                             .frames_per_second = view->export.frames_per_second,
                             .sub_frames = view->export.sub_frames};
    RpBuffer_Init(&glb, NULL);
    RpBuffer_Init(&info, NULL);
    view->export.notes = &notes;
    RpStatus status = RpGltf_Export(&view->archive, &view->export, &glb, error);
    if (!status)
        status = RpView_Describe(&subject, &info, error);
    if (status)
        ModelSource_Locate(&view->source, error);
    page->title = subject.name;
    page->info = info.bytes;
    page->info_size = info.size;
    page->glb = glb.bytes;
    page->glb_size = glb.size;
    if (!status)
        status = RpView_Assemble(page, &view->html, error);
    RpBuffer_Free(&info);
    RpBuffer_Free(&glb);
    return status;
}

/* ---- what comes of it ------------------------------------------------------------------------ */

static RpStatus WritePicture(View *view, const char *path, RpError *error) {
    char hash[sizeof view->hash + 8];
    snprintf(hash, sizeof hash, "#ui=0%s%s", view->hash[1] ? "&" : "", view->hash + 1);
    view->shot.page = view->html.bytes;
    view->shot.page_size = view->html.size;
    view->shot.hash = hash;
    return Browser_Shoot(&view->shot, path, error);
}

static void ReportJson(const View *view, const char *png) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpBuffer_AppendText(&text, "{\"model\": ");
    ViewText_Json(&text, view->source.name);
    RpBuffer_AppendText(&text, ", \"page\": ");
    if (view->output)
        ViewText_Json(&text, view->output);
    else
        RpBuffer_AppendText(&text, "null");
    RpBuffer_Print(&text, ", \"page_bytes\": %zu, \"hash\": ", view->html.size);
    ViewText_Json(&text, view->hash[1] ? view->hash : "");
    RpBuffer_AppendText(&text, ", \"picture\": ");
    if (png)
        ViewText_Json(&text, png);
    else
        RpBuffer_AppendText(&text, "null");
    RpBuffer_Print(&text, ", \"width\": %u, \"height\": %u}\n", view->shot.width,
                   view->shot.height);
    CliFile_Print(&text, RP_OK, NULL);
}

static void Report(const View *view, const char *png) {
    if (Cli_Has(view->cli, "json")) {
        ReportJson(view, png);
        return;
    }
    if (view->output && strcmp(view->output, "-") != 0)
        Cli_Note(view->cli, "%s%s: %lu bytes", view->output, view->hash[1] ? view->hash : "",
                 (unsigned long)view->html.size);
    if (png && strcmp(png, "-") != 0)
        Cli_Note(view->cli, "%s: %u x %u", png, view->shot.width, view->shot.height);
}

static int Write(View *view) {
    RpError error;
    RpViewPage page = {0};
    const char *png = Cli_Value(view->cli, "png", NULL);
    if (!OpenTemplate(view, &page))
        return CLI_TROUBLE;
    RpStatus status = Assemble(view, &page, &error);
    if (!status && view->output)
        status = Output_WriteBytes(view->output, view->html.bytes, view->html.size, &error);
    if (!status && png)
        status = WritePicture(view, png, &error);
    if (status) {
        Cli_Fail(&error);
        return CLI_TROUBLE;
    }
    Report(view, png);
    return CLI_EQUAL;
}

static int RunView(Cli *cli) {
    View view = {.cli = cli, .hash = "#"};
    int code = CLI_TROUBLE;
    if (cli->argument_count != 1)
        return Cli_Complain("msh view needs one model");
    RpBuffer_Init(&view.html, NULL);
    if (OpenModel(&view) && TakeExport(&view) && TakeFrame(&view) && TakeCell(&view) &&
        TakeCamera(&view) && TakeWords(&view) && TakeSize(&view)) {
        TakeOutput(&view);
        if (CliFile_CanWriteAll((const char *const[]){view.output, Cli_Value(cli, "png", NULL)}, 2))
            code = Write(&view);
    }
    Mapping_Close(&view.template);
    RpBuffer_Free(&view.html);
    RpNResArchive_Free(&view.archive);
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
     {"sub-frames", "N", "poses that are sampled for each frame (default: 1)", 0},
     {"root-motion", "WHAT", "translation of node 0: keep, drop or separate (default: keep)", 0},
     {"frame", "T", "frame to show, also between two", 0},
     {"cell", "I,J", "which of a node's 3 x 5 slots to show (default: the first in use)", 0},
     {"camera", "YAW,PITCH[,D]", "degrees from the model's front, and distance", 0},
     {"view", "WORDS", "what to show, as behind the # of a page's link: bones=1&surface=rows", 0},
     {"size", "WxH", "of the picture (default: 1280x960)", 0},
     {"browser", "PATH", "Chromium, Chrome or Edge (default: the first on the search path)", 0},
     {"timeout", "SECONDS", "for the browser (default: 60)", 0},
     {"template", "FILE", "viewer.html of viewer/build (default: the one built in)", 0},
     CLI_JSON_WRITTEN},
    RunView};
