/* Writes a small RsLi library, reads it again, and prints what each entry unpacks to. */
#include <retropose/rsli.h>

#include <stdio.h>
#include <string.h>

static RpStatus WriteLibrary(RpBuffer *image, RpError *error) {
    static const struct {
        const char *name, *text;
        uint32_t method;
    } entries[] = {{"STORED", "as it is", RP_RSLI_STORED},
                   {"LZSS", "again and again and again", RP_RSLI_LZSS},
                   {"DEFLATE", "by zlib, by zlib, by zlib", RP_RSLI_DEFLATE}};
    RpRsLiArchive archive;
    RpRsLiArchive_Init(&archive, NULL);
    RpStatus status = RP_OK;
    for (uint32_t i = 0; status == RP_OK && i < sizeof entries / sizeof *entries; i++)
        status = RpRsLiArchive_Add(&archive, i, entries[i].name, entries[i].method, entries[i].text,
                                   (uint32_t)strlen(entries[i].text), error);
    if (status == RP_OK)
        status = RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, image, error);
    RpRsLiArchive_Free(&archive);
    return status;
}

static RpStatus PrintLibrary(const RpBuffer *image, RpError *error) {
    static _Alignas(16) uint8_t work[RP_RSLI_WORK_BYTES];
    RpRsLiRecord records[8];
    RpRsLi rsli;
    RpStatus status =
        RpRsLi_Open(image->bytes, image->size, 0, RP_STRICT, records, 8, &rsli, error);
    for (uint32_t i = 0; status == RP_OK && i < rsli.count; i++) {
        char text[64] = {0};
        if (records[i].unpacked_size >= sizeof text)
            return RP_CORRUPT;
        status = RpRsLi_Load(&rsli, i, text, work, NULL, error);
        printf("%.12s: %s\n", (const char *)records[i].name, text);
    }
    return status;
}

int main(void) {
    RpBuffer image;
    RpError error = {0};
    RpBuffer_Init(&image, NULL);
    RpStatus status = WriteLibrary(&image, &error);
    if (status == RP_OK)
        status = PrintLibrary(&image, &error);
    if (status != RP_OK)
        fprintf(stderr, "%s\n", error.what);
    RpBuffer_Free(&image);
    return status == RP_OK ? 0 : 1;
}
