#include "cli/object/object_common.h"

#include "cli/cli_readings.h"
#include "retropose/readings.h"

#include <string.h>

/* ---- the object ------------------------------------------------------------------------------ */

static const struct {
    const char *option;
    MeshSetting setting;
} settings[] = {
    {"frames", MESH_SET_FRAMES},       {"phase", MESH_SET_PHASE}, {"own", MESH_SET_OWN},
    {"stage", MESH_SET_STAGE},         {"flags", MESH_SET_FLAGS}, {"scale", MESH_SET_SCALE},
    {"placement", MESH_SET_PLACEMENT}, {"tilt", MESH_SET_TILT}};

/* Of the readings that a model shows, the runtime uses only those of rotations. */
enum { RUNTIME_READINGS = RP_MSH_READS_ROTATION + 1 };

static bool HasModel(const Cli *cli) {
    if (cli->argument_count == 0)
        Cli_Complain("%s needs a model", cli->verb->name);
    return cli->argument_count > 0;
}

bool CliObject_OpenWith(const Cli *cli, const RpReadings *readings, MeshScene *scene) {
    const RpArithmetic pose = {.build = RP_BUILD_SSE, .readings = *readings};
    RpError error;
    if (!HasModel(cli))
        return false;

    /* The parts are taken first, so that the order of the options does not matter. */
    RpStatus status = MeshScene_Open(scene, cli->arguments[0], &pose, &error);
    for (size_t i = 0; !status && i < cli->given_count; i++)
        if (strcmp(cli->given[i].option->name, "attach") == 0)
            status = MeshScene_Attach(scene, cli->given[i].value, &error);
    for (size_t i = 0; !status && i < cli->given_count; i++)
        for (size_t s = 0; !status && s < sizeof settings / sizeof *settings; s++)
            if (strcmp(cli->given[i].option->name, settings[s].option) == 0)
                status = MeshScene_Set(scene, settings[s].setting, cli->given[i].value, &error);
    if (status) {
        Cli_Fail(&error);
        MeshScene_Close(scene);
        return false;
    }
    MeshScene_Pose(scene);
    return true;
}

bool CliObject_Open(const Cli *cli, MeshScene *scene) {
    RpReadings readings;
    if (!HasModel(cli))
        return false;

    /* The readings are those that are given. Without any, the model's own numbers choose them. */
    if (strcmp(Cli_Value(cli, "readings", "auto"), "auto") != 0) {
        if (!CliReadings_Read(cli, RP_READS_RUNTIME, "", &readings))
            return false;
    } else {
        ModelSource source;
        RpMsh msh;
        RpError error;
        RpStatus status = ModelSource_OpenModel(&source, cli->arguments[0], &error);
        if (status == RP_OK)
            status = RpMsh_Open(RpNRes_Entries(&source.archive), RP_TOLERANT, &msh, &error);
        if (status == RP_OK)
            status =
                CliReadings_Choose(cli, source.name, RUNTIME_READINGS, &msh, &readings, &error);
        ModelSource_Close(&source);
        if (status != RP_OK) {
            Cli_Fail(&error);
            return false;
        }
    }
    return CliObject_OpenWith(cli, &readings, scene);
}

/* ---- what is told ---------------------------------------------------------------------------- */

bool CliObject_Report(const Cli *cli, const MeshScene *scene, MeshReport *report) {
    static const char *const spaces[] = {"local", "model", "world"};
    const char *name = Cli_Value(cli, "space", "world");
    int space = 0;
    uint64_t piece = 0;
    *report = (MeshReport){.scene = scene, .piece = -1};
    report->json = Cli_Has(cli, "json");
    report->subtree = Cli_Has(cli, "subtree");
    while (space < 3 && strcmp(name, spaces[space]) != 0)
        space++;
    if (space == 3) {
        Cli_Complain("--space is local, model or world, not %s", name);
        return false;
    }
    report->space = (RpMeshSpace)space;
    if (!Cli_Number(cli, "piece", 0, RpMeshObject_PieceCount(scene->mesh) - 1, &piece))
        return false;
    if (Cli_Has(cli, "piece"))
        report->piece = (int32_t)piece;
    return true;
}

int CliObject_Draw(const Cli *cli, const MeshDrawing *drawing) {
    const char *path = Cli_Value(cli, "svg", NULL);
    RpBuffer svg;
    if (!path)
        return CLI_EQUAL;
    RpBuffer_Init(&svg, NULL);
    MeshReport_Draw(drawing, &svg);
    return CliFile_Write(&svg, path, RP_OK, NULL);
}

int CliObject_Tell(Cli *cli, void (*put)(const MeshReport *report, RpBuffer *text)) {
    MeshScene scene;
    MeshReport report;
    RpBuffer text;
    if (!CliObject_Open(cli, &scene))
        return CLI_TROUBLE;
    int code = CliObject_Report(cli, &scene, &report) ? CLI_EQUAL : CLI_TROUBLE;
    if (code == CLI_EQUAL)
        code = CliObject_Draw(cli, &(MeshDrawing){.report = &report});
    if (code == CLI_EQUAL) {
        RpBuffer_Init(&text, NULL);
        put(&report, &text);
        code = CliFile_Print(&text, RP_OK, NULL);
    }
    MeshScene_Close(&scene);
    return code;
}
