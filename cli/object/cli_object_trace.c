#include "replay/provider/mesh_trace.h"

#include "cli/cli_readings.h"
#include "cli/object/object_common.h"

/* A trace contains calls. These use the default readings unless an original was calibrated. The
 * trace's header has the readings that were given. */
static int Run(Cli *cli) {
    char readings[READINGS_BYTES];
    RpReadings parsed;
    MeshScene scene;
    const char *path;
    uint64_t steps = 10;
    if (!CliFile_Output(cli, "a model", NULL, &path) ||
        !Cli_Number(cli, "steps", 0, 10000, &steps) || !Readings_Given(cli, readings))
        return CLI_TROUBLE;
    RpReadings_Parse(&parsed, RP_READS_RUNTIME, readings, NULL);
    if (!CliObject_OpenWith(cli, &parsed, &scene))
        return CLI_TROUBLE;
    const MeshTraceOptions options = {.steps = (uint32_t)steps, .readings = readings};
    MeshTraceModel models[MESH_SCENE_MOST_MODELS];
    uint64_t calls;
    RpError error;
    int code = CLI_EQUAL;
    for (uint32_t i = 0; i < scene.model_count; i++)
        models[i] = (MeshTraceModel){scene.models[i], scene.sources[i].archive.image,
                                     scene.sources[i].archive.size};
    if (MeshTrace_Write(scene.mesh, models, scene.model_count, &options, path, &calls, &error))
        code = Cli_Fail(&error);
    else
        Cli_Note(cli, "%s: %llu call%s", path, (unsigned long long)calls, Text_Plural(calls));
    MeshScene_Close(&scene);
    return code;
}

const CliVerb cli_object_trace = {
    "object trace",
    "write a trace of an object's pose, bounds and segments, for other engines to compare with",
    "FILE[::MEMBER] [OUTPUT]",
    "retropose object trace hero.msh hero.rptrace --frames 0,20 --steps 20\n"
    "retropose replay hero.rptrace --original recorded --replacement native\n",
    {CLI_OBJECT_STATE_WITH(CLI_READINGS_OF_ARITHMETIC),
     {"steps", "N", "phases 0, 1/N, ... 1 (default: 10; 0: the phase that is set)", 0},
     CLI_OUTPUT},
    Run};
