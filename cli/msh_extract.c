#include "formats/archive_manifest.h"
#include "formats/output.h"
#include "msh.h"

#include <stdlib.h>
#include <string.h>

/* The first entry of a stream, by name or type; -1 without it. */
static int32_t FindStream(const RpNRes *archive, const char *text) {
    char *end = NULL;
    unsigned long type = strtoul(text, &end, 10);
    if (end != text && !*end && type <= UINT32_MAX)
        return RpNRes_FindType(archive, (uint32_t)type, 0);
    for (uint32_t known = 0; known < RP_MSH_TYPE_LIMIT; known++)
        if (RpMsh_StreamName(known) && strcmp(RpMsh_StreamName(known), text) == 0)
            return RpNRes_FindType(archive, known, 0);
    return -1;
}

static int ExtractStream(const ModelSource *source, const char *stream, const char *path) {
    RpError error;
    int32_t index = FindStream(&source->archive, stream);
    if (index < 0)
        return Cli_Complain("%s has no stream %s", source->name, stream);
    RpNResEntry entry = RpNRes_Entry(&source->archive, (uint32_t)index);
    if (!entry.data)
        return Cli_Complain("%s: the payload of stream %s lies outside the file", source->name,
                            stream);
    return Output_WriteBytes(path, entry.data, entry.size, &error) ? Cli_Fail(&error) : CLI_EQUAL;
}

static int Extract(const Cli *cli, const ModelSource *source) {
    RpError error;
    RpStatus status;
    const char *path = cli->arguments[1];
    if (Cli_Has(cli, "stream"))
        return ExtractStream(source, Cli_Value(cli, "stream", ""), path);
    if (Cli_Has(cli, "all"))
        status = ArchiveManifest_Extract(&source->archive, path, &error);
    else
        status = Output_WriteBytes(path, source->bytes, source->size, &error);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int Run(Cli *cli) {
    ModelSource source;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("msh extract needs a model and where to write");
    if (Cli_Has(cli, "all") && Cli_Has(cli, "stream"))
        return Cli_Complain("--all and --stream exclude each other");
    int code = ModelSource_OpenModel(&source, cli->arguments[0], &error) ? Cli_Fail(&error)
                                                                         : Extract(cli, &source);
    ModelSource_Close(&source);
    return code;
}

const CliVerb cli_msh_extract = {
    "msh extract",
    "take a model out of a library, or streams out of a model",
    "FILE[::MEMBER] OUTPUT",
    "retropose msh extract static.rlb::s_house.msh house.msh\n"
    "retropose msh extract house.msh keys.bin --stream keys\n"
    "retropose msh extract house.msh house/ --all\n",
    {{"stream", "STREAM", "only this one's bytes, by name (keys) or type (8)", 0},
     {"all", NULL, "all streams and a manifest, into a folder that `msh pack` takes back", 0}},
    Run};
