#include "cli/ac/ac_common.h"

#include <string.h>

static int Dump(Cli *cli) {
    const char *output;
    uint32_t readings;
    AcResource resource;
    RpBuffer text;
    RpError error;
    if (!CliFile_Output(cli, "a resource", "-", &output) || !AcVerb_Readings(cli, &readings))
        return CLI_TROUBLE;
    const RpReadMode mode = Cli_Has(cli, "tolerant") ? RP_TOLERANT : RP_STRICT;
    if (!AcVerb_Open(cli->arguments[0], mode, &resource))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = resource.is_table
                                ? RpAcMotionTable_Dump(&resource.table, &text, &error)
                                : RpAcAnimation_Dump(&resource.animation, readings, &text, &error);
    AcVerb_Close(&resource);
    return CliFile_Write(&text, output, status, &error);
}

/* The text says which of the two resources it is. Where it says neither, the error of an
 * animation is shown. */
static RpStatus MakeImage(const char *text, size_t size, const char *folder, void *context,
                          RpBuffer *image, RpError *error) {
    static const char mark[] = "\"retropose ac motion table\"";
    RpAcMotionTable table;
    (void)folder, (void)context;
    bool is_table = false;
    for (size_t i = 0; !is_table && i + sizeof mark - 1 <= size && i < 200; i++)
        is_table = memcmp(text + i, mark, sizeof mark - 1) == 0;
    if (!is_table) {
        RpAcAnimation animation;
        RpStatus status = RpAcAnimation_Assemble(text, size, NULL, &animation, error);
        if (status == RP_OK)
            status = RpAcAnimation_Write(&animation, image, error);
        RpAcAnimation_Free(&animation);
        return status;
    }
    RpStatus status = RpAcMotionTable_Assemble(text, size, NULL, &table, error);
    if (status == RP_OK)
        status = RpAcMotionTable_Write(&table, image, error);
    RpAcMotionTable_Free(&table);
    return status;
}

static int Assemble(Cli *cli) {
    return CliFile_RunAssemble(cli, MakeImage);
}

const CliVerb cli_ac_dump = {
    "ac dump",
    "write a resource as JSON text that `ac assemble` takes back",
    "FILE [TEXT]",
    "retropose ac dump 03000003.bin walk.json\n",
    {CLI_OUTPUT_TEXT, AC_READINGS, {"tolerant", NULL, "what is whole of a damaged file", 0}},
    Dump};

const CliVerb cli_ac_assemble = {
    "ac assemble", "make the resource of a text of `ac dump`, byte for byte",
    "TEXT [FILE]", "retropose ac assemble walk.json walk.bin\n",
    {CLI_OUTPUT},  Assemble};
