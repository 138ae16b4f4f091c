#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* for lstat */
#endif

#include "cli/files.h"

#include "core/files/output.h"
#include "formats/archive/member_names.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Writes a text with control characters made visible. JSON of core/json/json_text.h has none and
 * stays as it is. */
RpStatus CliFile_PrintPart(const RpBuffer *text, RpError *error) {
    RpBuffer shown;
    RpBuffer_Init(&shown, NULL);
    Visible_AppendLines(&shown, (const char *)text->bytes, text->size);
    const RpStatus status = shown.failed ? RpMemory_Refused(error, "what was to be printed")
                                         : Output_WriteBytes("-", shown.bytes, shown.size, error);
    RpBuffer_Free(&shown);
    return status;
}

static RpBuffer *collected; /* null: texts are printed */

void CliFile_Collect(RpBuffer *text) {
    collected = text;
}

int CliFile_Print(RpBuffer *text, RpStatus status, const RpError *error) {
    RpError own;
    if (status == RP_OK && text->failed)
        status = RpMemory_Refused(&own, "what was to be printed");
    else if (status == RP_OK)
        status = !collected ? CliFile_PrintPart(text, &own)
                 : RpBuffer_Append(collected, text->bytes, text->size)
                     ? RP_OK
                     : RpMemory_Refused(&own, "what was to be printed");
    else
        own = *error;
    RpBuffer_Free(text);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&own);
}

int CliFile_Write(RpBuffer *bytes, const char *path, RpStatus status, const RpError *error) {
    RpError own;
    if (status != RP_OK)
        own = *error;
    else
        status = bytes->failed ? RpMemory_Refused(&own, "what was to be written")
                               : Output_WriteBytes(path, bytes->bytes, bytes->size, &own);
    RpBuffer_Free(bytes);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&own);
}

bool CliFile_Output(const Cli *cli, const char *input, const char *fallback, const char **output) {
    const char *option = Cli_Value(cli, "output", NULL);
    const char *name = cli->verb->name;
    const size_t count = cli->argument_count;
    *output = count > 1 ? cli->arguments[1] : option ? option : fallback;
    if (count == 0)
        Cli_Complain("%s needs %s", name, input);
    else if (count > 2)
        Cli_Complain("%s takes %s and one file to write, not also %s", name, input,
                     cli->arguments[2]);
    else if (count > 1 && option)
        Cli_Complain("%s writes one file: either %s or --output %s", name, *output, option);
    else if (!*output)
        Cli_Complain("%s needs a file to write: as the last word, or by --output", name);
    else
        return true;
    return false;
}

static RpStatus TryOutput(const char *path, const char *edited, RpError *error) {
    OutputFile *file;
    struct stat facts;
    if (strcmp(path, "-") == 0 ||
        (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)))
        return RP_OK;
    const RpStatus status = Output_OpenEdited(path, edited, &file, error);
    if (status == RP_OK)
        Output_Abandon(file);
    return status;
}

bool CliFile_CanWrite(const char *path) {
    RpError error;
    const bool can = !path || TryOutput(path, NULL, &error) == RP_OK;
    if (!can)
        Cli_Fail(&error);
    return can;
}

bool CliFile_CanWriteAll(const char *const paths[], size_t count) {
    RpError error;
    if (Output_CheckApart(paths, count, &error)) {
        Cli_Fail(&error);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!CliFile_CanWrite(paths[i]))
            return false;
    return true;
}

RpStatus CliFile_Locate(const char *path, RpStatus status, RpError *error) {
    if (status == RP_OK || status == RP_IO)
        return status;
    const RpError own = *error;
    snprintf(error->where, sizeof error->where, "%.80s%s%.70s", path, own.where[0] ? ", " : "",
             own.where);
    return status;
}

static bool IsFile(const char *path) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, NULL) != RP_OK)
        return false;
    Mapping_Close(&mapping);
    return true;
}

RpStatus CliFile_BackUp(const char *path, const Mapping *mapping, const char *output,
                        RpError *error) {
    char backup[CLI_PATH_BYTES];
    if (strcmp(path, "-") == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the standard input has no backup", "",
                           "a file", "");
    if ((size_t)snprintf(backup, sizeof backup, "%s.bak", path) >= sizeof backup)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", path, "", "");

    /* Anything may have the name, even a link that leads nowhere. A backup may be the only copy of
     * what was before all edits. */
    struct stat facts;
#ifdef _WIN32
    const bool taken = stat(backup, &facts) == 0;
#else
    const bool taken = lstat(backup, &facts) == 0;
#endif
    if (taken)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is a backup already", backup,
                           "no such file", "");
    const RpStatus status = TryOutput(output, path, error);
    if (status != RP_OK)
        return status;
    return Output_WriteBytes(backup, mapping->bytes, mapping->size, error);
}

bool CliFile_Layout(const Cli *cli, bool *canonical, bool *given) {
    const char *word = Cli_Value(cli, "layout", NULL);
    *given = word != NULL;
    *canonical = word && strcmp(word, "canonical") == 0;
    if (!word || *canonical || strcmp(word, "preserving") == 0)
        return true;
    Cli_Complain("--layout is preserving or canonical, not %s", word);
    return false;
}

/* ---- manifests ------------------------------------------------------------------------------- */

bool CliFile_FindManifest(const char *source, const char *without, char path[CLI_PATH_BYTES]) {
    const bool is_file = IsFile(source);
    if ((size_t)snprintf(path, CLI_PATH_BYTES, "%s%s", source,
                         is_file ? "" : "/" MEMBER_MANIFEST_FILE) >= CLI_PATH_BYTES)
        Cli_Complain("the path is too long: %s", source);
    else if (is_file || IsFile(path))
        return true;
    else if (without)
        Cli_Complain("there is no manifest in %s; --%s packs files without one", source, without);
    else
        Cli_Complain("there is no manifest in %s", source);
    return false;
}

RpStatus CliFile_Assemble(const char *manifest, CliAssembler *make, void *context, RpBuffer *image,
                          RpError *error) {
    char folder[CLI_PATH_BYTES];
    Mapping text;
    size_t length = strlen(manifest);
    while (length > 0 && manifest[length - 1] != '/' && manifest[length - 1] != '\\')
        length--;
    /* The folder of a name without one is ".". */
    if ((size_t)snprintf(folder, sizeof folder, "%.*s.", (int)length, manifest) >= sizeof folder)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", manifest, "", "");
    RpStatus status = Mapping_Open(manifest, &text, error);
    if (status != RP_OK)
        return status;
    status =
        make(text.bytes ? (const char *)text.bytes : "", text.size, folder, context, image, error);
    Mapping_Close(&text);
    return CliFile_Locate(manifest, status, error);
}

int CliFile_RunAssemble(const Cli *cli, CliAssembler *make) {
    const char *output;
    RpBuffer image;
    RpError error;
    if (!CliFile_Output(cli, "a text", NULL, &output))
        return CLI_TROUBLE;
    RpBuffer_Init(&image, NULL);
    const RpStatus status = CliFile_Assemble(cli->arguments[0], make, NULL, &image, &error);
    return CliFile_Write(&image, output, status, &error);
}
