#include "cli/files.h"
#include "cli/texm/members.h"
#include "core/text/view_text.h"
#include "retropose/texm.h"

#include <inttypes.h>

typedef struct List {
    bool json;
    RpBuffer text;
    uint32_t count;
} List;

static int ListImage(void *context, const Member *member) {
    List *list = context;
    RpTexm texm;
    RpError error;
    if (RpTexm_Open(member->data ? member->data : (const uint8_t *)"", member->size, &texm,
                    &error) != RP_OK) {
        CliFile_Locate(member->name, error.status, &error);
        return Cli_Fail(&error);
    }
    if (list->json) {
        RpBuffer_Print(&list->text, "%s\n  {\"image\": ", list->count ? "," : "");
        ViewText_Json(&list->text, member->name);
        RpBuffer_Print(&list->text,
                       ", \"width\": %" PRIu32 ", \"height\": %" PRIu32 ", \"levels\": %" PRIu32
                       ", \"format\": \"%s\", \"pages\": %" PRIu32 ", \"bytes\": %zu}",
                       texm.width, texm.height, texm.level_count, RpTexmFormat_Name(texm.format),
                       texm.page_count, member->size);
    } else {
        RpBuffer_Print(&list->text,
                       "%6" PRIu32 " %6" PRIu32 " %6" PRIu32 "  %-8s %5" PRIu32 " %9zu  %s\n",
                       texm.width, texm.height, texm.level_count, RpTexmFormat_Name(texm.format),
                       texm.page_count, member->size, member->name);
    }
    list->count++;
    return CLI_EQUAL;
}

static int Run(Cli *cli) {
    List list = {.json = Cli_Has(cli, "json")};
    RpBuffer_Init(&list.text, NULL);
    RpBuffer_AppendText(&list.text, list.json ? "{\"images\": ["
                                              : " width height levels  format   pages     bytes"
                                                "  image\n");
    const int code =
        CliMembers_Each(cli, RP_TEXM_TYPE, RP_TEXM_TYPE, "image (Texm)", ListImage, &list);
    if (list.json)
        RpBuffer_AppendText(&list.text, "]}\n");
    if (list.count > 0 || list.json)
        return CliFile_Print(&list.text, RP_OK, NULL) ? CLI_TROUBLE : code;
    RpBuffer_Free(&list.text);
    return code;
}

const CliVerb cli_texm_ls = {"texm ls",
                             "list the images of files and libraries",
                             "FILE[::MEMBER]...",
                             "retropose texm ls Textures.lib\n"
                             "retropose texm ls --json lightmap.lib\n",
                             {CLI_JSON},
                             Run};
