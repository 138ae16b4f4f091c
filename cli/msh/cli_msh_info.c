#include "formats/msh/text/info.h"

#include "cli/msh/msh_common.h"

typedef struct Info {
    bool json, automatic;
    RpReadings readings;
    RpBuffer text;
    uint32_t count;
    int code;
} Info;

static bool TakeModel(void *context, const ModelSource *model, const RpError *failed) {
    Info *info = context;
    MshInfo collected;
    RpError error;
    if (failed) {
        info->code = Cli_Fail(failed);
        return true;
    }
    if (model->is_land) {
        info->code = Cli_Complain("%s is a map's terrain, not a model", model->name);
        return true;
    }
    if (MshInfo_Collect(&model->archive, info->automatic ? NULL : &info->readings, &collected,
                        &error)) {
        ModelSource_Locate(model, &error);
        info->code = Cli_Fail(&error);
        return true;
    }

    RpBuffer_AppendText(&info->text, info->count == 0 ? "" : info->json ? ",\n" : "\n");
    info->count++;
    if (info->json)
        MshInfo_PrintJson(&collected, model->name, &info->text);
    else
        MshInfo_Print(&collected, model->name, &info->text);
    return true;
}

static int Run(Cli *cli) {
    Info info = {
        .json = Cli_Has(cli, "json"), .automatic = CliMsh_ReadingsAreAuto(cli), .code = CLI_EQUAL};
    if (!info.automatic && !CliMsh_Readings(cli, &info.readings))
        return CLI_TROUBLE;
    RpBuffer_Init(&info.text, NULL);
    if (info.json)
        RpBuffer_AppendText(&info.text, "{\"models\": [\n");
    int code = CliMsh_Each(cli, TakeModel, &info);
    if (info.json)
        RpBuffer_AppendText(&info.text, "]}\n");
    int printed = CliFile_Print(&info.text, RP_OK, NULL);
    if (printed)
        return printed;
    return code ? code : info.code;
}

const CliVerb cli_msh_info = {"msh info",
                              "streams, nodes, levels, and which readings a model supports",
                              "FILE[::MEMBER]...",
                              "retropose msh info parts.rlb::R_H_02.msh\n"
                              "retropose msh info --json hero.msh\n",
                              {CLI_JSON, CLI_MSH_READINGS_AUTO},
                              Run};
