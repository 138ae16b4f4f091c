#include "cli/nres/nres.h"

#include "core/files/output.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_names.h"

#include <string.h>

bool NResVerb_Open(ModelSource *source, const char *name) {
    RpError error;
    if (ModelSource_Open(source, name, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    ModelSource_Close(source);
    return false;
}

static int SumUp(const RpBuffer *image, const char *path) {
    RpNRes archive;
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status = RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, &error);
    if (status == RP_OK)
        status = ArchiveInfo_Json(&archive, path, &text, &error);
    return CliFile_Print(&text, status, &error);
}

int NResVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                   RpError *error) {
    return NResVerb_WriteEdited(cli, image, status, path, NULL, error);
}

int NResVerb_WriteEdited(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                         const char *edited, RpError *error) {
    if (status == RP_OK)
        status = Output_WriteEdited(path, edited, image->bytes, image->size, error);
    int code = status == RP_OK ? CLI_EQUAL : Cli_Fail(error);
    if (code == CLI_EQUAL && Cli_Has(cli, "json") && strcmp(path, "-") != 0)
        code = SumUp(image, path);
    RpBuffer_Free(image);
    return code;
}

int64_t NResVerb_FindMember(const RpNRes *archive, const char *name) {
    char field[RP_NRES_NAME_BYTES + 1] = {0};
    uint32_t index = 0;
    if (name[0] == '#' && ArchiveNumber_Parse(name + 1, &index) && index < archive->count)
        return index;
    const int32_t found = ArchiveName_FromUtf8(name, field) ? RpNRes_Find(archive, field) : -1;
    if (found < 0)
        Cli_Complain("there is no member %s; `retropose nres ls` names them", name);
    return found;
}
