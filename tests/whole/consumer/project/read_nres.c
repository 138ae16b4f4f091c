/* Writes a small NRes archive, reads it again, and lists its entries. */
#include <retropose/nres.h>

#include <stdio.h>
#include <string.h>

static RpStatus WriteArchive(RpBuffer *image, RpError *error) {
    static const char *const texts[] = {"the first", "the second one"};
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpStatus status = RP_OK;
    for (uint32_t i = 0; status == RP_OK && i < sizeof texts / sizeof *texts; i++) {
        RpNResMember member = {
            .type = 18 + i, .data = (const uint8_t *)texts[i], .size = (uint32_t)strlen(texts[i])};
        snprintf(member.name, sizeof member.name, "TEXT%u", (unsigned)i);
        status = RpNResArchive_Add(&archive, i, &member, error);
    }
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

static RpStatus PrintArchive(const RpBuffer *image, RpError *error) {
    RpNRes archive;
    RpStatus status = RpNRes_Open(image->bytes, image->size, RP_STRICT, &archive, error);
    for (uint32_t i = 0; status == RP_OK && i < archive.count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        printf("type %u: %u bytes\n", (unsigned)entry.type, (unsigned)entry.size);
    }
    return status;
}

int main(void) {
    RpBuffer image;
    RpError error = {0};
    RpBuffer_Init(&image, NULL);
    RpStatus status = WriteArchive(&image, &error);
    if (status == RP_OK)
        status = PrintArchive(&image, &error);
    if (status != RP_OK)
        fprintf(stderr, "%s\n", error.what);
    RpBuffer_Free(&image);
    return status == RP_OK ? 0 : 1;
}
