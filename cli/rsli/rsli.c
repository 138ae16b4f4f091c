#include "cli/rsli/rsli.h"

#include "core/files/output.h"
#include "formats/archive/rsli_list.h"

#include <string.h>

uint32_t RsLiVerb_Flags(const Cli *cli) {
    return Cli_Has(cli, "no-trailer") ? 0 : 2;
}

bool RsLiVerb_Open(const Cli *cli, RsLiSource *source, const char *path) {
    RpError error;
    if (RsLiSource_Open(source, path, RsLiVerb_Flags(cli), &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    RsLiSource_Close(source);
    return false;
}

static int SumUp(const Cli *cli, const RpBuffer *image, const char *path) {
    RsLiSource source;
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status =
        RsLiSource_Read(&source, path, image->bytes, image->size, RsLiVerb_Flags(cli), &error);
    if (status == RP_OK)
        status = RsLiInfo_Json(&source.rsli, path, &text, &error);
    const int code = CliFile_Print(&text, status, &error);
    RsLiSource_Close(&source);
    return code;
}

int RsLiVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                   RpError *error) {
    return RsLiVerb_WriteEdited(cli, image, status, path, NULL, error);
}

int RsLiVerb_WriteEdited(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                         const char *edited, RpError *error) {
    if (status == RP_OK)
        status = Output_WriteEdited(path, edited, image->bytes, image->size, error);
    int code = status == RP_OK ? CLI_EQUAL : Cli_Fail(error);
    if (code == CLI_EQUAL && Cli_Has(cli, "json") && strcmp(path, "-") != 0)
        code = SumUp(cli, image, path);
    RpBuffer_Free(image);
    return code;
}
