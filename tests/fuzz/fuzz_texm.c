/* Opens images, materials and .wea texts of any bytes. The result is an error, or something of
 * which everything can be read. A sound image is changed, too. */
#include "fuzz.h"
#include "retropose/texm.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14, MOST_LEVELS = 64 };

/* Decodes a level into memory of exactly its size. */
static uint64_t Decode(const RpTexm *texm, uint32_t level) {
    uint32_t width, height;
    RpTexm_LevelSize(texm, level, &width, &height);
    const uint64_t size = (uint64_t)4 * width * height;
    Insist(width > 0 && height > 0 && size <= 4 * (uint64_t)texm->size);
    HEAP uint8_t *rgba = malloc((size_t)size);
    Insist(rgba != NULL);
    Insist(RpTexm_Level(texm, level, rgba, (size_t)size, NULL) == RP_OK);
    Insist(RpTexm_Level(texm, level, rgba, (size_t)size - 1, NULL) == RP_NO_MEMORY);
    for (uint64_t i = 3; i < size; i += 4)
        Insist(RpTexmFormat_HasAlpha(texm->format) || rgba[i] == 255);
    return size;
}

static void UseImage(const uint8_t *bytes, size_t size) {
    RpTexm texm;
    RpError error = {.status = RP_OK};
    const RpStatus status = RpTexm_Open(bytes, size, &texm, &error);
    if (status) {
        Insist(error.status == status && error.what[0] && error.expected[0] && error.found[0]);
        return;
    }
    Insist(RpTexmFormat_Name(texm.format) && texm.level_count > 0);
    uint64_t decoded = 0;
    for (uint32_t level = 0; level < texm.level_count && level < MOST_LEVELS; level++)
        decoded += Decode(&texm, level);
    Insist(decoded <= 4 * (uint64_t)size);
    Decode(&texm, texm.level_count - 1);
    Insist(RpTexm_Level(&texm, texm.level_count, NULL, 0, NULL) == RP_INVALID);
    for (uint32_t page = 0; page < texm.page_count; page++)
        RpTexm_Page(&texm, page);
}

static void UseMaterial(const uint8_t *bytes, size_t size) {
    for (uint32_t version = 0; version < 7; version += 2) {
        RpMaterial material;
        RpError error = {.status = RP_OK};
        const RpStatus status = RpMaterial_Open(bytes, size, version, &material, &error);
        if (status)
            Insist(error.status == status && error.what[0] && error.expected[0] && error.found[0]);
        for (uint32_t i = 0; !status && i < material.phase_count; i++)
            Insist(strlen(RpMaterial_Phase(&material, i).texture) <= RP_MATERIAL_TEXTURE_BYTES);
        Insist(status || material.shown < material.phase_count || material.shown == 0);
    }
}

static void InsistWithin(const RpWearName *names, uint32_t count, const uint8_t *text,
                         size_t size) {
    const uintptr_t start = (uintptr_t)text;
    for (uint32_t i = 0; i < count; i++)
        Insist(names[i].length == 0 ||
               ((uintptr_t)names[i].text >= start &&
                (uintptr_t)names[i].text + names[i].length <= start + size));
}

static void UseWear(const uint8_t *text, size_t size) {
    OWNED(RpWear) wear;
    Insist(RpWear_Read(&wear, text, size, NULL, NULL) == RP_OK);
    Insist(wear.material_count < 65536 && wear.lightmap_count < 65536);
    InsistWithin(wear.materials, wear.material_count, text, size);
    InsistWithin(wear.lightmaps, wear.lightmap_count, text, size);
}

/* Looks up any name in a library of any bytes. */
static void Find(const uint8_t *bytes, size_t size) {
    RpNRes library;
    char name[16] = {0};
    if (RpNRes_Open(bytes, size, RP_TOLERANT, &library, NULL))
        return;
    memcpy(name, bytes, size < 15 ? size : 15);
    const RpNResEntries entries = RpNRes_Entries(&library);
    const int32_t found = RpMaterial_Find(&entries, name, NULL);
    Insist(found < 0 || RpNRes_Entry(&library, (uint32_t)found).type == RP_MATERIAL_TYPE);
}

static void UseCopy(const uint8_t *bytes, size_t size) {
    HEAP uint8_t *copy = Fuzz_Copy(bytes, size);
    UseImage(copy, size);
    UseMaterial(copy, size);
    UseWear(copy, size);
    Find(copy, size);
}

/* Uses a sound image of 3 x 2 pixels, two levels and a page, with changes. Each change is a byte
 * for the place and one for the value. The first byte cuts the image. */
static void ChangeAndUse(const uint8_t *changes, size_t size) {
    static const uint8_t sound[] = {
        'T', 'e', 'x', 'm', 3,   0,   0,   0,    2, 0, 0, 0, 2, 0, 0, 0, 32, 0, 0, 0, 0,
        0,   0,   0,   0,   0,   0,   0,   0x35, 2, 0, 0, 1, 2, 3, 4, 5, 6,  7, 8, 9, 10,
        11,  12,  13,  14,  'P', 'a', 'g', 'e',  1, 0, 0, 0, 0, 0, 3, 0, 0,  0, 2, 0};
    uint8_t image[sizeof sound];
    memcpy(image, sound, sizeof sound);
    for (size_t i = 1; i + 2 <= size && i < 32; i += 2)
        image[changes[i] % sizeof image] = changes[i + 1];
    UseCopy(image, size && changes[0] < sizeof image ? changes[0] : sizeof image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > MOST_BYTES)
        return 0;
    UseCopy(bytes, size);
    ChangeAndUse(bytes, size);
    return 0;
}
