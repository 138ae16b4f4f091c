/* Writes the walking table and its animations into a folder, for tests of the command. */
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>

static int WriteFile(const char *folder, uint32_t id, const RpBuffer *image) {
    char path[512];
    snprintf(path, sizeof path, "%s/%08" PRIX32 ".bin", folder, id);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    const size_t written = fwrite(image->bytes, 1, image->size, file);
    return fclose(file) || written != image->size;
}

int main(int count, char **words) {
    static Fixture fixture;
    RpAcMotionTable table;
    RpBuffer image;
    int failed = 0;
    if (count != 2)
        return 2;
    Fixture_Begin(&fixture);
    RpBuffer_Init(&image, NULL);
    Walk_Make(&fixture, &table, &image);
    failed += WriteFile(words[1], table.id, &image);
    for (uint32_t i = 0; i < fixture.count; i++) {
        RpBuffer_Free(&image);
        RpBuffer_Init(&image, NULL);
        failed += RpAcAnimation_Write(&fixture.animations[i], &image, NULL) != RP_OK;
        failed += WriteFile(words[1], fixture.animations[i].id, &image);
    }
    RpBuffer_Free(&image);
    RpAcMotionTable_Free(&table);
    Fixture_End(&fixture);
    return failed != 0;
}
