#include "cli/msh/edited_model.h"

#include "cli/msh/msh_common.h"
#include "core/files/output.h"
#include "core/text/encoding.h"
#include "formats/msh/file/model_target.h"
#include "retropose/msh_edit.h"

#include <stdio.h>
#include <string.h>

bool MshFile_Open(MshFile *file, const Cli *cli) {
    RpError error;
    memset(file, 0, sizeof *file);
    RpNResArchive_Init(&file->archive, NULL);
    if (cli->argument_count != 1) {
        Cli_Complain("%s takes one model: FILE, or FILE::MEMBER", cli->verb->name);
        return false;
    }
    if (!CliMsh_Readings(cli, &file->readings))
        return false;
    RpStatus status = ModelSource_OpenModel(&file->source, cli->arguments[0], &error);
    if (status == RP_OK)
        status = RpNResArchive_Read(&file->archive, &file->source.archive, &error);
    if (status != RP_OK)
        Cli_Fail(&error);
    return status == RP_OK;
}

void MshFile_Close(MshFile *file) {
    RpNResArchive_Free(&file->archive);
    ModelSource_Close(&file->source);
}

bool MshFile_Output(const MshFile *file, const Cli *cli, char *path, size_t size) {
    const char *output = Cli_Value(cli, "output", NULL);
    if (!output ? ModelTarget_Path(&file->source, path, size)
                : (size_t)snprintf(path, size, "%s", output) < size)
        return true;
    Cli_Complain("the name of the output is too long");
    return false;
}

int MshFile_Finish(MshFile *file, const Cli *cli, EditReport *report) {
    RpError error;
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    report->file = file->source.name;
    report->before = &file->source.archive;
    report->after = &file->archive;
    bool json = Cli_Has(cli, "json");
    RpStatus status =
        json ? EditReport_Json(report, &text, &error) : EditReport_Text(report, &text, &error);
    if (status == RP_OK && report->output) {
        char edited[MODEL_SOURCE_NAME_BYTES];
        RpBuffer image;
        RpBuffer_Init(&image, NULL);
        const bool known = ModelTarget_Path(&file->source, edited, sizeof edited);
        status = ModelTarget_Pack(&file->source, &file->archive, &image, &error);
        if (status == RP_OK && Cli_Has(cli, "backup") && known)
            status = CliFile_BackUp(edited, &file->source.mapping, report->output, &error);
        MshFile_Close(file); /* not every system can replace a mapped file */
        if (status == RP_OK)
            status = Output_WriteEdited(report->output, known ? edited : NULL, image.bytes,
                                        image.size, &error);
        RpBuffer_Free(&image);
    }
    /* When the file goes to standard output, no messages may be printed there. */
    bool spoken = report->output && strcmp(report->output, "-") == 0;
    if (status == RP_OK && !spoken && (json || cli->verbosity >= 0))
        return CliFile_Print(&text, RP_OK, NULL);
    RpBuffer_Free(&text);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

RpStatus MshFile_BadValue(RpError *error, const char *option, const char *expected,
                          const char *text) {
    char what[64];
    snprintf(what, sizeof what, "bad value of --%s", option);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", expected, text);
}

RpStatus MshFile_Text(const char *option, const char *text, char bytes[MSH_FILE_TEXT_BYTES],
                      RpError *error) {
    bool exact = false;
    const size_t used = Text1251_FromUtf8(text, bytes, MSH_FILE_TEXT_BYTES - 1, &exact);
    bytes[used] = 0;
    return exact ? RP_OK
                 : MshFile_BadValue(error, option, "a text of characters of Windows-1251", text);
}

RpStatus MshFile_FindNode(const MshFile *file, const char *option, const char *name, uint32_t *node,
                          RpError *error) {
    char bytes[MSH_FILE_TEXT_BYTES], found[sizeof error->found];
    RpStatus status = MshFile_Text(option, name, bytes, error);
    if (status != RP_OK)
        return status;
    status = RpMshEdit_FindNode(&file->archive, &file->readings, bytes, node, error);
    if (status != RP_OK) { /* the message repeats the name as it is in the file */
        Text1251_Show(error->found, strlen(error->found), found, sizeof found);
        snprintf(error->found, sizeof error->found, "%s", found);
    }
    return status;
}

bool MshFile_Numbers(const char *text, int count, double *numbers) {
    return CliMsh_Numbers(text, ',', count, count, numbers) == count;
}
