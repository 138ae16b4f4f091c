#include "cli/msh/msh_common.h"

#include "core/text/view_text.h"
#include "formats/msh/text/info.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct List {
    bool json;
    RpBuffer text;
    uint32_t count;
} List;

static bool ListModel(void *context, const ModelSource *model, const RpError *failed) {
    List *list = context;
    RpMsh msh;
    if (failed && !list->json) {
        RpBuffer_Print(&list->text, "%52s  %s  (%s)\n", "broken", model->name, failed->what);
    } else if (failed) {
        RpBuffer_Print(&list->text, "%s\n  {\"model\": ", list->count ? "," : "");
        ViewText_Json(&list->text, model->name);
        RpBuffer_AppendText(&list->text, ", \"broken\": ");
        ViewText_Json(&list->text, failed->what);
        RpBuffer_AppendText(&list->text, "}");
    } else {
        RpMsh_Open(RpNRes_Entries(&model->archive), RP_TOLERANT, &msh, NULL);
        if (list->json) {
            RpBuffer_Print(&list->text, "%s\n  {\"model\": ", list->count ? "," : "");
            ViewText_Json(&list->text, model->name);
            RpBuffer_Print(&list->text,
                           ", \"offset\": %" PRIu64
                           ", \"size\": %zu, \"terrain\": %s, \"nodes\": %" PRIu32
                           ", \"slots\": %" PRIu32 ", \"vertices\": %" PRIu32
                           ", \"triangles\": %" PRIu32 ", \"frames\": %" PRIu32 "}",
                           model->offset, model->size, model->is_land ? "true" : "false",
                           RpMsh_Count(&msh, RP_MSH_NODES), RpMsh_Count(&msh, RP_MSH_SLOTS),
                           RpMsh_Count(&msh, RP_MSH_POSITIONS), RpMsh_Count(&msh, RP_MSH_TRIANGLES),
                           msh.frame_count);
        } else {
            RpBuffer_Print(&list->text,
                           "%6" PRIu32 " %6" PRIu32 " %8" PRIu32 " %9" PRIu32 " %7" PRIu32
                           " %9zu  %s%s\n",
                           RpMsh_Count(&msh, RP_MSH_NODES), RpMsh_Count(&msh, RP_MSH_SLOTS),
                           RpMsh_Count(&msh, RP_MSH_POSITIONS), RpMsh_Count(&msh, RP_MSH_TRIANGLES),
                           msh.frame_count, model->size, model->name,
                           model->is_land ? "  (terrain, not a model)" : "");
        }
    }
    list->count++;
    return true;
}

static int Run(Cli *cli) {
    List list = {.json = Cli_Has(cli, "json")};
    RpBuffer_Init(&list.text, NULL);
    RpBuffer_AppendText(&list.text,
                        list.json ? "{\"models\": ["
                                  : " nodes  slots vertices triangles  frames     bytes  model\n");
    int code = CliMsh_Each(cli, ListModel, &list);
    if (list.json)
        RpBuffer_AppendText(&list.text, "]}\n");
    if (list.count > 0 || list.json)
        return CliFile_Print(&list.text, RP_OK, NULL) ? CLI_TROUBLE : code;
    RpBuffer_Free(&list.text);
    return code;
}

const CliVerb cli_msh_ls = {"msh ls",
                            "list the models of files and libraries",
                            "FILE[::MEMBER]...",
                            "retropose msh ls static.rlb\n"
                            "retropose msh ls --json *.rlb\n",
                            {CLI_JSON},
                            Run};
