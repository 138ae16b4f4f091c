#include "cli/archive/archive_common.h"
#include "cli/msh/msh_common.h"
#include "core/files/output.h"
#include "core/text/view_text.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_manifest.h"
#include "formats/msh/text/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int ExtractStream(const Cli *cli, const ModelSource *source, const char *path) {
    const char *stream = Cli_Value(cli, "stream", "");
    RpError error;

    /* The first entry of the stream, which is given by its type or by its name. */
    int32_t index = -1;
    char *end = NULL;
    const unsigned long type = strtoul(stream, &end, 10);
    const bool by_type = end != stream && !*end && type <= UINT32_MAX;
    if (by_type)
        index = RpNRes_FindType(&source->archive, (uint32_t)type, 0);
    for (uint32_t known = 0; !by_type && index < 0 && known < RP_MSH_TYPE_LIMIT; known++)
        if (RpMsh_StreamName(known) && strcmp(RpMsh_StreamName(known), stream) == 0)
            index = RpNRes_FindType(&source->archive, known, 0);
    if (index < 0)
        return Cli_Complain("%s has no stream %s", source->name, stream);
    RpNResEntry entry = RpNRes_Entry(&source->archive, (uint32_t)index);
    if (!entry.data)
        return Cli_Complain("%s: the payload of stream %s lies outside the file", source->name,
                            stream);
    if (Output_WriteBytes(path, entry.data, entry.size, &error))
        return Cli_Fail(&error);
    if (!Cli_Has(cli, "json") || strcmp(path, "-") == 0)
        return CLI_EQUAL;

    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpBuffer_AppendText(&text, "{\"file\": ");
    ViewText_Json(&text, path);
    RpBuffer_Print(&text, ", \"index\": %" PRIu32 ", \"name\": ", entry.index);
    MshInfo_AppendJsonText(&text, entry.name, entry.name_length);
    RpBuffer_Print(&text, ", \"type\": %" PRIu32 ", \"size\": %" PRIu32 "}\n", entry.type,
                   entry.size);
    return CliFile_Print(&text, RP_OK, NULL);
}

static int Run(Cli *cli) {
    ModelSource source;
    const char *path;
    RpError error;
    int code;
    if (!CliFile_Output(cli, "a model", NULL, &path))
        return CLI_TROUBLE;
    if (Cli_Has(cli, "all") && Cli_Has(cli, "stream"))
        return Cli_Complain("--all and --stream exclude each other");
    if (!Cli_Has(cli, "all") && !CliMsh_MayWrite(path))
        return CLI_TROUBLE;
    if (ModelSource_OpenModel(&source, cli->arguments[0], &error)) {
        code = Cli_Fail(&error);
    } else if (Cli_Has(cli, "stream")) {
        code = ExtractStream(cli, &source, path);
    } else if (Cli_Has(cli, "all")) {
        RpBuffer text;
        RpStatus status = ArchiveManifest_Extract(&source.archive, path, &error);
        RpBuffer_Init(&text, NULL);
        if (status == RP_OK && Cli_Has(cli, "json"))
            status = ArchiveFiles_Json(&source.archive, &(MemberFilesGiven){.folder = path}, &text,
                                       &error);
        else if (status == RP_CORRUPT || status == RP_UNSUPPORTED)
            ModelSource_Locate(&source, &error);
        code = CliFile_Print(&text, status, &error);
    } else {
        RpBuffer image;
        RpBuffer_Init(&image, NULL);
        const RpStatus status = RpBuffer_Append(&image, source.bytes, source.size)
                                    ? RP_OK
                                    : RpMemory_Refused(&error, source.name);
        code = ArchiveVerb_Write(cli, &image, status, path, &error);
    }
    ModelSource_Close(&source);
    return code;
}

const CliVerb cli_msh_extract = {
    "msh extract",
    "take a model out of a library, or streams out of a model",
    "FILE[::MEMBER] [OUTPUT]",
    "retropose msh extract parts.rlb::R_H_02.msh hero.msh\n"
    "retropose msh extract hero.msh keys.bin --stream keys\n"
    "retropose msh extract hero.msh hero/ --all\n",
    {{"stream", "STREAM", "only this one's bytes, by name (keys) or type (8)", 0},
     {"all", NULL, "all streams and a manifest, into a folder that `msh pack` takes back", 'a'},
     CLI_OUTPUT,
     CLI_JSON_WRITTEN},
    Run};
