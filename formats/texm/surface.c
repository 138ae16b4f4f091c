/* What a batch shows: from its row to a texture, a lightmap and a colour (facts/formats.md E.6). */
#include "exports/reading_table.h"
#include "retropose/texm.h"

#include <string.h>

enum {
    FLAG_PORTAL = 0x8,        /* of a batch: fades, and is drawn with what is translucent */
    FLAG_SECOND_PASS = 0x100, /* the same */
    FLAG_LIGHTMAP = 0x2000,
    NO_LIGHTMAP = 0xFF
};

static RpWearName NameOf(const RpWearName *names, uint32_t count, uint32_t number) {
    return number < count ? names[number] : (RpWearName){"", 0};
}

/* Finds a member of a type by a name that has no NUL. */
static int32_t FindImage(const RpNResEntries *library, const char *name, size_t length) {
    char text[RP_NRES_NAME_BYTES + 1] = {0};
    if (!library || length == 0 || length >= sizeof text)
        return -1;
    memcpy(text, name, length);
    const int32_t found = library->image ? RpNRes_Find(library->image, text)
                                         : RpNResArchive_Find(library->archive, text);
    return found >= 0 && RpNResEntries_Get(library, (uint32_t)found).type == RP_TEXM_TYPE ? found
                                                                                          : -1;
}

RpStatus RpSurface_Find(const RpSurfaceSources *sources, const RpMshBatch *batch,
                        const RpReadings *readings, int32_t track, uint32_t milliseconds,
                        RpSurface *surface, RpError *error) {
    static const RpReadings defaults;
    const RpReadings *chosen = readings ? readings : &defaults;
    const uint32_t row = chosen->choice[READING_MATERIAL] ? batch->row : batch->material;
    const RpWear *wear = sources->wear;
    char name[RP_NRES_NAME_BYTES + 1] = {0};
    *surface = (RpSurface){
        .material = -1,
        .texture = -1,
        .lightmap = -1,
        .name = NameOf(wear ? wear->materials : NULL, wear ? wear->material_count : 0, row),
        .look = {.diffuse = {1.0f, 1.0f, 1.0f},
                 .opacity = 1.0f,
                 .power = 1,
                 .page = RP_MATERIAL_WHOLE},
        .blend = RpMaterial_Blend(0)};
    if (sources->materials && surface->name.length < sizeof name) {
        memcpy(name, surface->name.text, surface->name.length);
        surface->material = RpMaterial_Find(sources->materials, name, &surface->match);
    }
    if (surface->material >= 0) {
        const RpNResEntry entry =
            RpNResEntries_Get(sources->materials, (uint32_t)surface->material);
        RpMaterial material;
        if (!entry.data)
            return RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                               "the material's payload is outside the file", name, "", "");
        const RpStatus status =
            RpMaterial_Open(entry.data, entry.size, entry.attr2, &material, error);
        if (status != RP_OK)
            return status;
        surface->look = RpMaterial_Look(&material, track, milliseconds);
        surface->blend = RpMaterial_Blend(entry.attr1);
        surface->ignores_alpha = RpMaterial_IgnoresAlpha(entry.attr1);
    }
    surface->is_translucent =
        surface->look.opacity < 1.0f || (batch->flags & (FLAG_PORTAL | FLAG_SECOND_PASS)) != 0;
    surface->texture =
        FindImage(sources->textures, surface->look.texture, strlen(surface->look.texture));

    /* The lightmap takes the place of all lights: the diffuse colour becomes the self-light. */
    if ((batch->flags & FLAG_LIGHTMAP) != 0 && batch->lightmap != NO_LIGHTMAP) {
        surface->is_lightmapped = true;
        surface->lightmap_name =
            NameOf(wear ? wear->lightmaps : NULL, wear ? wear->lightmap_count : 0, batch->lightmap);
        surface->lightmap = FindImage(sources->lightmaps, surface->lightmap_name.text,
                                      surface->lightmap_name.length);
        memcpy(surface->look.self_light, surface->look.diffuse, sizeof surface->look.self_light);
        memset(surface->look.diffuse, 0, sizeof surface->look.diffuse);
        surface->look.power = 1;
        surface->blend = RpMaterial_Blend(0);
    }
    return RP_OK;
}

void RpSurface_Colour(const RpSurface *surface, const RpSurfaceLight *light, const float *texel,
                      const float *lightmap, float rgba[4]) {
    const RpMaterialLook *look = &surface->look;
    const bool has_alpha = texel && !surface->ignores_alpha && !surface->is_lightmapped;
    for (int i = 0; i < 3; i++) {
        float lit = light->scene[i] + look->self_light[i] + light->diffuse[i] * look->diffuse[i] +
                    light->specular[i] * look->specular[i];
        lit = lit < 0.0f ? 0.0f : lit > 1.0f ? 1.0f : lit;
        rgba[i] = lit * (texel ? texel[i] : 1.0f) *
                  (surface->is_lightmapped && lightmap ? lightmap[i] : 1.0f);
    }
    rgba[3] = look->opacity * (has_alpha ? texel[3] : 1.0f);
}
