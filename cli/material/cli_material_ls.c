#include "cli/files.h"
#include "cli/texm/members.h"
#include "core/text/encoding.h"
#include "core/text/view_text.h"
#include "retropose/texm.h"

#include <inttypes.h>
#include <string.h>

typedef struct List {
    bool json;
    RpBuffer text;
    uint32_t count;
} List;

static int ListMaterial(void *context, const Member *member) {
    List *list = context;
    char texture[4 * RP_MATERIAL_TEXTURE_BYTES + 1];
    RpMaterial material;
    RpError error;
    if (RpMaterial_Open(member->data ? member->data : (const uint8_t *)"", member->size,
                        member->attr2, &material, &error) != RP_OK) {
        CliFile_Locate(member->name, error.status, &error);
        return Cli_Fail(&error);
    }
    const RpMaterialLook look = RpMaterial_Look(&material, 0, 0);
    const RpMaterialTrack track = RpMaterial_Track(&material, 0);
    const char *blend = RpBlendMode_Name(RpMaterial_Blend(member->attr1).mode);
    if (list->json)
        Text1251_ToUtf8(look.texture, strlen(look.texture), texture);
    else
        Text1251_Show(look.texture, strlen(look.texture), texture, sizeof texture);
    if (list->json) {
        RpBuffer_Print(&list->text, "%s\n  {\"material\": ", list->count ? "," : "");
        ViewText_Json(&list->text, member->name);
        RpBuffer_Print(&list->text,
                       ", \"phases\": %" PRIu32 ", \"tracks\": %" PRIu32 ", \"period\": %" PRIu32
                       ", \"blend\": \"%s\", \"texture\": ",
                       material.phase_count, material.track_count, track.period, blend);
        ViewText_Json(&list->text, texture);
        RpBuffer_AppendText(&list->text, "}");
    } else {
        RpBuffer_Print(&list->text, "%6" PRIu32 " %6" PRIu32 " %6" PRIu32 "  %-14s %-16s  %s\n",
                       material.phase_count, material.track_count, track.period, blend,
                       texture[0] ? texture : "-", member->name);
    }
    list->count++;
    return CLI_EQUAL;
}

static int Run(Cli *cli) {
    List list = {.json = Cli_Has(cli, "json")};
    RpBuffer_Init(&list.text, NULL);
    RpBuffer_AppendText(&list.text, list.json ? "{\"materials\": ["
                                              : "phases tracks period  blend          texture"
                                                "           material\n");
    const int code =
        CliMembers_Each(cli, RP_MATERIAL_TYPE, 0, "material (MAT0)", ListMaterial, &list);
    if (list.json)
        RpBuffer_AppendText(&list.text, "]}\n");
    if (list.count > 0 || list.json)
        return CliFile_Print(&list.text, RP_OK, NULL) ? CLI_TROUBLE : code;
    RpBuffer_Free(&list.text);
    return code;
}

const CliVerb cli_material_ls = {"material ls",
                                 "list the materials of libraries",
                                 "FILE[::MEMBER]...",
                                 "retropose material ls Material.lib\n"
                                 "retropose material ls --json Material.lib\n",
                                 {CLI_JSON},
                                 Run};
