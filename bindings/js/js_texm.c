/* Functions for images and for what batches of models show, on top of retropose/texm.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- images ---------------------------------------------------------------------------------- */

typedef struct JsTexm {
    JsImage *image;
    RpTexm texm;
} JsTexm;

JS_EXPORT(JsTexm_Close) void JsTexm_Close(JsTexm *texm) {
    JsImage_Release(texm->image);
    free(texm);
}

/* Opens an image. Takes over the caller's reference to its bytes, even after a failure. */
JS_EXPORT(JsTexm_Open) JsTexm *JsTexm_Open(JsImage *image) {
    JsTexm *texm = calloc(1, sizeof *texm);
    if (!texm) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "an image");
        return NULL;
    }
    texm->image = image;
    if (RpTexm_Open(image->bytes, image->size, &texm->texm, &js_error) == RP_OK)
        return texm;
    JsTexm_Close(texm);
    return NULL;
}

/* Writes the sides, the number of levels, the format, whether it has alpha, and the pages, each
 * with its cell. */
JS_EXPORT(JsTexm_Facts) RpStatus JsTexm_Facts(const JsTexm *handle) {
    const RpTexm *texm = &handle->texm;
    JsResult_Begin();
    JsResult_U32(texm->width);
    JsResult_U32(texm->height);
    JsResult_U32(texm->level_count);
    JsResult_Text(RpTexmFormat_Name(texm->format));
    JsResult_U32(RpTexmFormat_HasAlpha(texm->format));
    JsResult_U32(texm->page_count);
    for (uint32_t i = 0; i < texm->page_count; i++) {
        const RpTexmPage page = RpTexm_Page(texm, i);
        const RpTexmCell cell = RpTexm_Cell(texm, (int32_t)i);
        const float numbers[] = {cell.u0, cell.u_size, cell.v0, cell.v_size};
        JsResult_I32(page.x);
        JsResult_I32(page.y);
        JsResult_I32(page.width);
        JsResult_I32(page.height);
        JsResult_Floats(numbers, 4);
    }
    return JsResult_End();
}

/* Writes the width, the height and the pixels of a level. */
JS_EXPORT(JsTexm_Level) RpStatus JsTexm_Level(const JsTexm *handle, uint32_t level) {
    uint32_t width = 0, height = 0;
    JsResult_Begin();
    if (level < handle->texm.level_count)
        RpTexm_LevelSize(&handle->texm, level, &width, &height);
    JsResult_U32(width);
    JsResult_U32(height);
    const size_t size = 4 * (size_t)width * height;
    uint8_t *pixels = RpBuffer_Extend(&js_result, size);
    if (!pixels)
        return JsResult_End();
    const RpStatus status = RpTexm_Level(&handle->texm, level, pixels, size, &js_error);
    return status == RP_OK ? JsResult_End() : status;
}

/* ---- surfaces -------------------------------------------------------------------------------- */

typedef struct JsWear {
    JsImage *image;
    RpWear wear;
} JsWear;

JS_EXPORT(JsWear_Close) void JsWear_Close(JsWear *wear) {
    RpWear_Free(&wear->wear);
    JsImage_Release(wear->image);
    free(wear);
}

/* Reads a .wea text. Takes over the caller's reference to its bytes, even after a failure. */
JS_EXPORT(JsWear_Open) JsWear *JsWear_Open(JsImage *image) {
    JsWear *wear = calloc(1, sizeof *wear);
    if (!wear) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "names of materials");
        return NULL;
    }
    wear->image = image;
    if (RpWear_Read(&wear->wear, image->bytes, image->size, NULL, &js_error) == RP_OK)
        return wear;
    JsImage_Release(image);
    free(wear);
    return NULL;
}

static const RpNResEntries *EntriesOf(const JsArchive *archive, RpNResEntries *entries) {
    if (!archive)
        return NULL;
    *entries = RpNRes_Entries(&archive->nres);
    return entries;
}

static void PutName(const RpWearName *name) {
    JsResult_Bytes(name->text, name->length);
}

/* Writes what a batch shows. Each of the archives, which are NRes, may be null. */
JS_EXPORT(JsSurface_Find)
RpStatus JsSurface_Find(const JsWear *wear, const JsArchive *materials, const JsArchive *textures,
                        const JsArchive *lightmaps, const JsModel *model, uint32_t number,
                        int32_t track, uint32_t milliseconds) {
    RpNResEntries entries[3];
    const RpSurfaceSources sources = {wear ? &wear->wear : NULL, EntriesOf(materials, &entries[0]),
                                      EntriesOf(textures, &entries[1]),
                                      EntriesOf(lightmaps, &entries[2])};
    RpMshBatch batch;
    RpSurface surface;
    if (!RpMsh_Batch(&model->msh, number, &batch))
        return Js_Invalid("there is no such batch", "an index below the number of batches");
    const RpStatus status = RpSurface_Find(&sources, &batch, &model->arithmetic.readings, track,
                                           milliseconds, &surface, &js_error);
    if (status != RP_OK)
        return status;
    JsResult_Begin();
    PutName(&surface.name);
    JsResult_I32(surface.material);
    JsResult_U32((uint32_t)surface.match);
    JsResult_Floats(surface.look.self_light, 3);
    JsResult_Floats(surface.look.diffuse, 3);
    JsResult_Floats(surface.look.specular, 3);
    JsResult_Floats(&surface.look.opacity, 1);
    JsResult_U32(surface.look.power);
    JsResult_U32(surface.look.phase);
    JsResult_I32(surface.look.page);
    JsResult_Bytes(surface.look.texture, strlen(surface.look.texture));
    JsResult_Text(RpBlendMode_Name(surface.blend.mode));
    JsResult_U32((uint32_t)surface.blend.source);
    JsResult_U32((uint32_t)surface.blend.destination);
    JsResult_U32(surface.blend.tests_alpha);
    JsResult_U32(surface.ignores_alpha);
    JsResult_U32(surface.is_translucent);
    JsResult_I32(surface.texture);
    JsResult_U32(surface.is_lightmapped);
    PutName(&surface.lightmap_name);
    JsResult_I32(surface.lightmap);
    return JsResult_End();
}

enum { /* where the numbers of JsSurface_Colour begin in js_numbers */
       AT_SELF_LIGHT = 0,
       AT_DIFFUSE = 3,
       AT_SPECULAR = 6,
       AT_OPACITY = 9,
       AT_SCENE = 10,
       AT_LIGHT = 13,
       AT_HIGHLIGHT = 16,
       AT_TEXEL = 19,
       AT_LIGHTMAP = 23
};

/* Puts the colour of a point at the beginning of js_numbers. */
JS_EXPORT(JsSurface_Colour)
void JsSurface_Colour(bool ignores_alpha, bool is_lightmapped, bool has_texel, bool has_lightmap) {
    RpSurface surface = {.ignores_alpha = ignores_alpha, .is_lightmapped = is_lightmapped};
    RpSurfaceLight light;
    float texel[4], lightmap[3];
    memcpy(surface.look.self_light, js_numbers + AT_SELF_LIGHT, sizeof surface.look.self_light);
    memcpy(surface.look.diffuse, js_numbers + AT_DIFFUSE, sizeof surface.look.diffuse);
    memcpy(surface.look.specular, js_numbers + AT_SPECULAR, sizeof surface.look.specular);
    surface.look.opacity = js_numbers[AT_OPACITY];
    memcpy(light.scene, js_numbers + AT_SCENE, sizeof light.scene);
    memcpy(light.diffuse, js_numbers + AT_LIGHT, sizeof light.diffuse);
    memcpy(light.specular, js_numbers + AT_HIGHLIGHT, sizeof light.specular);
    memcpy(texel, js_numbers + AT_TEXEL, sizeof texel);
    memcpy(lightmap, js_numbers + AT_LIGHTMAP, sizeof lightmap);
    RpSurface_Colour(&surface, &light, has_texel ? texel : NULL, has_lightmap ? lightmap : NULL,
                     js_numbers);
}
