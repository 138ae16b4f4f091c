/* Writes libraries for a reader that shares no code with the writer (reference.py): of the shorter
 * inputs, added.rlb, as they were added, and edited.rlb, read from the first, with others removed
 * and moved; and each input as NAME.raw.
 *
 *   write_libraries DIRECTORY */
#include "inputs.h"
#include "retropose/rsli.h"

#include <stdio.h>
#include <stdlib.h>

static void WriteFile(const char *directory, const char *name, const char *end,
                      const uint8_t *bytes, size_t size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", directory, name, end);
    FILE *file = fopen(path, "wb");
    if (!file || (size > 0 && fwrite(bytes, 1, size, file) != size) || fclose(file)) {
        perror(path);
        exit(2);
    }
}

static void Insist(RpStatus status) {
    if (status)
        exit(2);
}

static void WriteLibrary(const char *directory, const char *name, const RpRsLiArchive *archive,
                         RpRsLiLayout layout, RpBuffer *image) {
    RpBuffer_Init(image, NULL);
    Insist(RpRsLiArchive_Write(archive, layout, image, NULL));
    WriteFile(directory, name, ".rlb", image->bytes, image->size);
}

int main(int count, char **words) {
    static const uint32_t methods[] = {RP_RSLI_STORED, RP_RSLI_XOR, RP_RSLI_DEFLATE};
    static RpRsLiRecord records[1024];
    RpRsLi rsli;
    RpRsLiArchive archive;
    RpBuffer added, edited;
    Input input;
    if (count != 2) {
        fputs("usage: write_libraries DIRECTORY\n", stderr);
        return 2;
    }
    RpRsLiArchive_Init(&archive, NULL);
    archive.header[20] = 0x21; /* seed of the table's cipher */
    archive.header[21] = 0x43;
    for (size_t i = 0; Input_Make(i, &input); i++) { /* the names are in no order */
        if (input.size <= 9000) {
            WriteFile(words[1], input.name, ".raw", input.bytes, input.size);
            Insist(RpRsLiArchive_Add(&archive, (uint32_t)(i * 7) % (archive.count + 1), input.name,
                                     methods[i % 3], input.bytes, (uint32_t)input.size, NULL));
        }
        Input_Free(&input);
    }
    WriteLibrary(words[1], "added", &archive, RP_RSLI_CANONICAL, &added);
    RpRsLiArchive_Free(&archive);
    Insist(RpRsLi_Open(added.bytes, added.size, 0, RP_STRICT, records, 1024, &rsli, NULL));
    Insist(RpRsLiArchive_Read(&archive, &rsli, NULL));
    for (uint32_t i = 0; i < 5; i++) {
        Insist(RpRsLiArchive_Remove(&archive, 3 + i, NULL));
        Insist(RpRsLiArchive_Move(&archive, i, archive.count - 1, NULL));
    }
    WriteLibrary(words[1], "edited", &archive, RP_RSLI_PRESERVING, &edited);
    RpRsLiArchive_Free(&archive);
    RpBuffer_Free(&added);
    RpBuffer_Free(&edited);
    return 0;
}
