#include "ani.h"
#include "formats/mapping.h"
#include "formats/output.h"

#include <stdio.h>

static int Dump(Cli *cli) {
    RpAni ani;
    RpBuffer text;
    RpError error;
    if (cli->argument_count < 1 || cli->argument_count > 2)
        return Cli_Complain("ani dump needs an animation, and may have a file to write");
    const RpReadMode mode = Cli_Has(cli, "tolerant") ? RP_TOLERANT : RP_STRICT;
    if (!AniVerb_Open(cli, cli->arguments[0], mode, &ani))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    RpStatus status = RpAni_Dump(&ani, &text, &error);
    if (status == RP_OK)
        status = Output_WriteBytes(cli->argument_count > 1 ? cli->arguments[1] : "-", text.bytes,
                                   text.size, &error);
    RpBuffer_Free(&text);
    RpAni_Free(&ani);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

/* What is wrong with the text, with its file. */
static int Fail(const char *path, const RpError *error) {
    RpError located = *error;
    snprintf(located.where, sizeof located.where, "%.80s, %.70s", path, error->where);
    return Cli_Fail(&located);
}

static int Write(const RpAni *ani, const char *path) {
    RpBuffer image;
    RpError error;
    RpBuffer_Init(&image, NULL);
    RpStatus status = RpAni_Write(ani, &image, &error);
    if (status == RP_OK)
        status = Output_WriteBytes(path, image.bytes, image.size, &error);
    RpBuffer_Free(&image);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int Assemble(Cli *cli) {
    Mapping text;
    RpAni ani;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("ani assemble needs a text and a file to write");
    if (Mapping_Open(cli->arguments[0], &text, &error))
        return Cli_Fail(&error);
    const char *bytes = text.bytes ? (const char *)text.bytes : "";
    const RpStatus status = RpAni_Assemble(bytes, text.size, NULL, &ani, &error);
    Mapping_Close(&text);
    if (status != RP_OK)
        return Fail(cli->arguments[0], &error);
    const int code = Write(&ani, cli->arguments[1]);
    RpAni_Free(&ani);
    return code;
}

const CliVerb cli_ani_dump = {"ani dump",
                              "write an animation as text that `ani assemble` takes back",
                              "FILE [TEXT]",
                              "retropose ani dump pns065rd.ani pns065rd.json\n",
                              {ANI_BODY, {"tolerant", NULL, "what is whole of a damaged file", 0}},
                              Dump};

const CliVerb cli_ani_assemble = {"ani assemble",
                                  "make an animation of a text of `ani dump`",
                                  "TEXT FILE",
                                  "retropose ani assemble pns065rd.json new.ani\n",
                                  {{NULL, NULL, NULL, 0}},
                                  Assemble};
