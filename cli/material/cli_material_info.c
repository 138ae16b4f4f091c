#include "cli/files.h"
#include "cli/texm/members.h"
#include "core/text/encoding.h"
#include "core/text/view_text.h"
#include "retropose/texm.h"

#include <inttypes.h>
#include <string.h>

typedef struct Info {
    bool json;
    RpBuffer text;
    uint32_t count;
} Info;

static const char *const modes[] = {"loop", "ping-pong", "once", "random"};
static const char *const colours[] = {"self-light", "diffuse", "specular", "emissive", "opacity"};

static const char *ModeName(uint32_t mode) {
    return mode < sizeof modes / sizeof *modes ? modes[mode] : "unknown";
}

/* ---- text ------------------------------------------------------------------------------------ */

static void PrintColour(RpBuffer *text, const char *name, const uint8_t colour[4]) {
    RpBuffer_Print(text, "  %s #%02x%02x%02x", name, colour[0], colour[1], colour[2]);
}

static void PrintText(RpBuffer *text, const Member *member, const RpMaterial *material) {
    const RpBlend blend = RpMaterial_Blend(member->attr1);
    RpBuffer_Print(text, "%s: blend %s%s, version %" PRIu32 "\n", member->name,
                   RpBlendMode_Name(blend.mode),
                   RpMaterial_IgnoresAlpha(member->attr1) ? ", the texture's alpha is ignored" : "",
                   material->version);
    for (uint32_t i = 0; i < material->phase_count; i++) {
        const RpMaterialPhase phase = RpMaterial_Phase(material, i);
        char texture[4 * RP_MATERIAL_TEXTURE_BYTES + 1];
        Text1251_Show(phase.texture, strlen(phase.texture), texture, sizeof texture);
        RpBuffer_Print(text, "  phase %" PRIu32 "  %s", i, texture[0] ? texture : "no texture");
        if (phase.page != RP_MATERIAL_WHOLE)
            RpBuffer_Print(text, " page %d", phase.page);
        PrintColour(text, "diffuse", phase.diffuse);
        PrintColour(text, "self-light", phase.ambient);
        PrintColour(text, "specular", phase.specular);
        RpBuffer_Print(text, " power %u  opacity %u %%\n", 1u << (phase.power & 31),
                       phase.ambient[3]);
    }
    for (uint32_t i = 0; i < material->track_count; i++) {
        const RpMaterialTrack track = RpMaterial_Track(material, (int32_t)i);
        const char *comma = " glide: ";
        RpBuffer_Print(text, "  track %" PRIu32 "  %s, %" PRIu32 " ms,", i, ModeName(track.mode),
                       track.period);
        for (uint32_t bit = 0; bit < 5; bit++)
            if (track.glides >> bit & 1) {
                RpBuffer_Print(text, "%s%s", comma, colours[bit]);
                comma = " ";
            }
        RpBuffer_AppendText(text, " keys:");
        for (uint32_t k = 0; k < track.key_count; k++) {
            const RpMaterialKey key = RpMaterial_Key(material, &track, k);
            RpBuffer_Print(text, " %" PRIu32 "<%" PRIu32, key.phase, key.end);
        }
        RpBuffer_AppendText(text, "\n");
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void JsonColour(RpBuffer *text, const char *name, const uint8_t colour[4]) {
    RpBuffer_Print(text, ", \"%s\": [%u, %u, %u]", name, colour[0], colour[1], colour[2]);
}

static void PrintJson(RpBuffer *text, const Member *member, const RpMaterial *material) {
    RpBuffer_AppendText(text, "{\"material\": ");
    ViewText_Json(text, member->name);
    RpBuffer_Print(text,
                   ", \"version\": %" PRIu32 ", \"blend\": \"%s\", \"ignores_alpha\": %s"
                   ",\n \"phases\": [",
                   material->version, RpBlendMode_Name(RpMaterial_Blend(member->attr1).mode),
                   RpMaterial_IgnoresAlpha(member->attr1) ? "true" : "false");
    for (uint32_t i = 0; i < material->phase_count; i++) {
        const RpMaterialPhase phase = RpMaterial_Phase(material, i);
        char texture[3 * RP_MATERIAL_TEXTURE_BYTES + 1];
        Text1251_ToUtf8(phase.texture, strlen(phase.texture), texture);
        RpBuffer_Print(text, "%s{\"texture\": ", i ? ",\n  " : "\n  ");
        ViewText_Json(text, texture);
        RpBuffer_Print(text, ", \"page\": %d", phase.page);
        JsonColour(text, "diffuse", phase.diffuse);
        JsonColour(text, "self_light", phase.ambient);
        JsonColour(text, "specular", phase.specular);
        RpBuffer_Print(text, ", \"power\": %u, \"opacity\": %u}", 1u << (phase.power & 31),
                       phase.ambient[3]);
    }
    RpBuffer_AppendText(text, "],\n \"tracks\": [");
    for (uint32_t i = 0; i < material->track_count; i++) {
        const RpMaterialTrack track = RpMaterial_Track(material, (int32_t)i);
        RpBuffer_Print(text, "%s{\"mode\": \"%s\", \"period\": %" PRIu32 ", \"glide\": [",
                       i ? ",\n  " : "\n  ", ModeName(track.mode), track.period);
        const char *comma = "";
        for (uint32_t bit = 0; bit < 5; bit++)
            if (track.glides >> bit & 1) {
                RpBuffer_Print(text, "%s\"%s\"", comma, colours[bit]);
                comma = ", ";
            }
        RpBuffer_AppendText(text, "], \"keys\": [");
        for (uint32_t k = 0; k < track.key_count; k++) {
            const RpMaterialKey key = RpMaterial_Key(material, &track, k);
            RpBuffer_Print(text, "%s{\"phase\": %" PRIu32 ", \"end\": %" PRIu32 "}", k ? ", " : "",
                           key.phase, key.end);
        }
        RpBuffer_AppendText(text, "]}");
    }
    RpBuffer_AppendText(text, "]}");
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int TakeMaterial(void *context, const Member *member) {
    Info *info = context;
    RpMaterial material;
    RpError error;
    if (RpMaterial_Open(member->data ? member->data : (const uint8_t *)"", member->size,
                        member->attr2, &material, &error) != RP_OK) {
        CliFile_Locate(member->name, error.status, &error);
        return Cli_Fail(&error);
    }
    RpBuffer_AppendText(&info->text, info->count == 0 ? "" : info->json ? ",\n" : "\n");
    info->count++;
    (info->json ? PrintJson : PrintText)(&info->text, member, &material);
    return CLI_EQUAL;
}

static int Run(Cli *cli) {
    Info info = {.json = Cli_Has(cli, "json")};
    RpBuffer_Init(&info.text, NULL);
    if (info.json)
        RpBuffer_AppendText(&info.text, "{\"materials\": [\n");
    const int code =
        CliMembers_Each(cli, RP_MATERIAL_TYPE, 0, "material (MAT0)", TakeMaterial, &info);
    if (info.json)
        RpBuffer_AppendText(&info.text, "]}\n");
    return CliFile_Print(&info.text, RP_OK, NULL) ? CLI_TROUBLE : code;
}

const CliVerb cli_material_info = {"material info",
                                   "colours, textures, tracks and blending of materials",
                                   "FILE[::MEMBER]...",
                                   "retropose material info Material.lib::STEEL3\n"
                                   "retropose material info --json Material.lib\n",
                                   {CLI_JSON},
                                   Run};
