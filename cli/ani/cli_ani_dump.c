#include "cli/ani/ani_common.h"

static int Dump(Cli *cli) {
    const char *output;
    RpAni ani;
    RpBuffer text;
    RpError error;
    if (!CliFile_Output(cli, "an animation", "-", &output))
        return CLI_TROUBLE;
    const RpReadMode mode = Cli_Has(cli, "tolerant") ? RP_TOLERANT : RP_STRICT;
    if (!AniVerb_Open(cli, cli->arguments[0], mode, &ani))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = RpAni_Dump(&ani, &text, &error);
    RpAni_Free(&ani);
    return CliFile_Write(&text, output, status, &error);
}

static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    RpAni ani;
    (void)folder;
    (void)context;
    RpStatus status = RpAni_Assemble(text, size, NULL, &ani, error);
    if (status != RP_OK)
        return status;
    status = RpAni_Write(&ani, image, error);
    RpAni_Free(&ani);
    return status;
}

static int Assemble(Cli *cli) {
    return CliFile_RunAssemble(cli, MakeImage);
}

const CliVerb cli_ani_dump = {
    "ani dump",
    "write an animation as JSON text that `ani assemble` takes back",
    "FILE [TEXT]",
    "retropose ani dump pns065rd.ani pns065rd.json\n",
    {CLI_OUTPUT_TEXT, ANI_BODY, {"tolerant", NULL, "what is whole of a damaged file", 0}},
    Dump};

const CliVerb cli_ani_assemble = {
    "ani assemble", "make the animation of a text of `ani dump`, byte for byte",
    "TEXT [FILE]",  "retropose ani assemble pns065rd.json new.ani\n",
    {CLI_OUTPUT},   Assemble};
