#include "cli/files.h"
#include "cli/texm/members.h"
#include "core/text/view_text.h"
#include "retropose/texm.h"

#include <inttypes.h>

typedef struct Info {
    bool json;
    RpBuffer text;
    uint32_t count;
} Info;

static void PrintText(RpBuffer *text, const Member *member, const RpTexm *texm) {
    RpBuffer_Print(text, "%s: %" PRIu32 " x %" PRIu32 ", %s%s, %zu bytes\n", member->name,
                   texm->width, texm->height, RpTexmFormat_Name(texm->format),
                   RpTexmFormat_HasAlpha(texm->format) ? " with alpha" : "", member->size);
    RpBuffer_Print(text, "  levels  %" PRIu32 ":", texm->level_count);
    for (uint32_t i = 0; i < texm->level_count && i < 12; i++) {
        uint32_t width, height;
        RpTexm_LevelSize(texm, i, &width, &height);
        RpBuffer_Print(text, " %" PRIu32 "x%" PRIu32, width, height);
    }
    RpBuffer_AppendText(text, texm->level_count > 12 ? " ...\n" : "\n");
    RpBuffer_Print(text,
                   "  flags   mip 0x%" PRIX32 ", exporter 0x%" PRIX32 ", colour 0x%08" PRIX32 "\n",
                   texm->mip_flags, texm->exporter_flags, texm->colour);
    for (uint32_t i = 0; i < texm->page_count; i++) {
        const RpTexmPage page = RpTexm_Page(texm, i);
        RpBuffer_Print(text, "  page    %" PRIu32 ": %d x %d at %d, %d\n", i, page.width,
                       page.height, page.x, page.y);
    }
}

static void PrintJson(RpBuffer *text, const Member *member, const RpTexm *texm) {
    RpBuffer_AppendText(text, "{\"image\": ");
    ViewText_Json(text, member->name);
    RpBuffer_Print(text,
                   ", \"width\": %" PRIu32 ", \"height\": %" PRIu32
                   ", \"format\": \"%s\", \"alpha\": %s, \"bytes\": %zu, \"levels\": %" PRIu32
                   ",\n \"mip_flags\": %" PRIu32 ", \"exporter_flags\": %" PRIu32
                   ", \"colour\": %" PRIu32 ", \"pages\": [",
                   texm->width, texm->height, RpTexmFormat_Name(texm->format),
                   RpTexmFormat_HasAlpha(texm->format) ? "true" : "false", member->size,
                   texm->level_count, texm->mip_flags, texm->exporter_flags, texm->colour);
    for (uint32_t i = 0; i < texm->page_count; i++) {
        const RpTexmPage page = RpTexm_Page(texm, i);
        RpBuffer_Print(text, "%s{\"x\": %d, \"y\": %d, \"width\": %d, \"height\": %d}",
                       i ? ", " : "", page.x, page.y, page.width, page.height);
    }
    RpBuffer_AppendText(text, "]}");
}

static int TakeImage(void *context, const Member *member) {
    Info *info = context;
    RpTexm texm;
    RpError error;
    if (RpTexm_Open(member->data ? member->data : (const uint8_t *)"", member->size, &texm,
                    &error) != RP_OK) {
        CliFile_Locate(member->name, error.status, &error);
        return Cli_Fail(&error);
    }
    RpBuffer_AppendText(&info->text, info->count == 0 ? "" : info->json ? ",\n" : "\n");
    info->count++;
    (info->json ? PrintJson : PrintText)(&info->text, member, &texm);
    return CLI_EQUAL;
}

static int Run(Cli *cli) {
    Info info = {.json = Cli_Has(cli, "json")};
    RpBuffer_Init(&info.text, NULL);
    if (info.json)
        RpBuffer_AppendText(&info.text, "{\"images\": [\n");
    const int code =
        CliMembers_Each(cli, RP_TEXM_TYPE, RP_TEXM_TYPE, "image (Texm)", TakeImage, &info);
    if (info.json)
        RpBuffer_AppendText(&info.text, "]}\n");
    return CliFile_Print(&info.text, RP_OK, NULL) ? CLI_TROUBLE : code;
}

const CliVerb cli_texm_info = {"texm info",
                               "levels, flags and pages of images",
                               "FILE[::MEMBER]...",
                               "retropose texm info Textures.lib::SUN4.0\n"
                               "retropose texm info --json Textures.lib\n",
                               {CLI_JSON},
                               Run};
