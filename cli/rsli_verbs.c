#include "rsli_verbs.h"

#include "formats/output.h"

#include <stdio.h>
#include <string.h>

uint32_t RsLiVerb_Flags(const Cli *cli) {
    return Cli_Has(cli, "no-trailer") ? 0 : 2;
}

bool RsLiVerb_Open(const Cli *cli, LibrarySource *source, const char *path) {
    RpError error;
    if (LibrarySource_Open(source, path, RsLiVerb_Flags(cli), &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    LibrarySource_Close(source);
    return false;
}

int RsLiVerb_Print(RpBuffer *text, RpStatus status, const RpError *error) {
    if (status == RP_OK && text->size)
        fwrite(text->bytes, 1, text->size, stdout);
    RpBuffer_Free(text);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(error);
}

int RsLiVerb_WriteImage(RpBuffer *image, RpStatus status, const char *path, RpError *error) {
    if (status == RP_OK)
        status = Output_WriteBytes(path, image->bytes, image->size, error);
    RpBuffer_Free(image);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(error);
}

bool RsLiVerb_Layout(const Cli *cli, RpRsLiLayout *layout) {
    const char *word = Cli_Value(cli, "layout", "preserving");
    bool canonical = strcmp(word, "canonical") == 0;
    *layout = canonical ? RP_RSLI_CANONICAL : RP_RSLI_PRESERVING;
    if (canonical || strcmp(word, "preserving") == 0)
        return true;
    Cli_Complain("--layout is canonical or preserving, not %s", word);
    return false;
}
