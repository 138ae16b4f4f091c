/* Packs the inputs by every method into a directory, for a decoder that shares no code with these
 * encoders (reference.py): NAME.raw, NAME.METHOD.packed, and index.txt with a line for each packed
 * file: name, method, key, packed size, raw size. Then libraries of the shorter inputs: added.rlb,
 * as they were added, and edited.rlb, read from the first, with others removed and moved.
 *
 *   pack_vectors DIRECTORY [LARGEST]
 *
 * Inputs of more than LARGEST bytes (65536) are passed over. */
#include "inputs.h"
#include "retropose/rsli.h"

#include <stdio.h>
#include <stdlib.h>

static const uint32_t methods[] = {RP_RSLI_STORED,   RP_RSLI_XOR,     RP_RSLI_LZSS,
                                   RP_RSLI_XOR_LZSS, RP_RSLI_HUFFMAN, RP_RSLI_XOR_HUFFMAN,
                                   RP_RSLI_DEFLATE};

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

static void PackAll(const char *directory, const Input *input, FILE *index) {
    WriteFile(directory, input->name, ".raw", input->bytes, input->size);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        uint32_t key =
            RpRsLiMethod_HasKey(methods[i]) ? (uint32_t)(input->size * 31 + i) & 0xFFFF : 0;
        char end[32];
        RpBuffer packed;
        RpBuffer_Init(&packed, NULL);
        if (RpRsLi_Pack(methods[i], key, input->bytes, input->size, &packed, NULL))
            exit(2);
        snprintf(end, sizeof end, ".0x%03X.packed", (unsigned)methods[i]);
        WriteFile(directory, input->name, end, packed.bytes, packed.size);
        fprintf(index, "%s 0x%03X %u %u %u\n", input->name, (unsigned)methods[i], (unsigned)key,
                (unsigned)packed.size, (unsigned)input->size);
        RpBuffer_Free(&packed);
    }
}

/* ---- libraries ------------------------------------------------------------------------------- */

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

/* Uses all methods in turn. The names are in no order. */
static void AddAll(RpRsLiArchive *archive, size_t largest) {
    Input input;
    for (size_t i = 0; Input_Make(i, &input); i++) {
        if (input.size <= largest && input.size <= 9000)
            Insist(RpRsLiArchive_Add(archive, (uint32_t)(i * 7) % (archive->count + 1), input.name,
                                     methods[i % 7], input.bytes, (uint32_t)input.size, NULL));
        Input_Free(&input);
    }
}

static void WriteLibraries(const char *directory, size_t largest) {
    static RpRsLiRecord records[1024];
    RpRsLi rsli;
    RpRsLiArchive archive;
    RpBuffer added, edited;
    RpRsLiArchive_Init(&archive, NULL);
    archive.header[20] = 0x21; /* seed of the table's cipher */
    archive.header[21] = 0x43;
    AddAll(&archive, largest);
    WriteLibrary(directory, "added", &archive, RP_RSLI_CANONICAL, &added);
    RpRsLiArchive_Free(&archive);
    Insist(RpRsLi_Open(added.bytes, added.size, 0, RP_STRICT, records, 1024, &rsli, NULL));
    Insist(RpRsLiArchive_Read(&archive, &rsli, NULL));
    for (uint32_t i = 0; i < 5 && archive.count > 10; i++) {
        Insist(RpRsLiArchive_Remove(&archive, 3 + i, NULL));
        Insist(RpRsLiArchive_Move(&archive, i, archive.count - 1, NULL));
    }
    WriteLibrary(directory, "edited", &archive, RP_RSLI_PRESERVING, &edited);
    RpRsLiArchive_Free(&archive);
    RpBuffer_Free(&added);
    RpBuffer_Free(&edited);
}

int main(int count, char **words) {
    char path[1024];
    Input input;
    if (count < 2 || count > 3) {
        fputs("usage: pack_vectors DIRECTORY [LARGEST]\n", stderr);
        return 2;
    }
    size_t largest = count > 2 ? (size_t)strtoul(words[2], NULL, 10) : 65536;
    snprintf(path, sizeof path, "%s/index.txt", words[1]);
    FILE *index = fopen(path, "wb");
    if (!index) {
        perror(path);
        return 2;
    }
    for (size_t i = 0; Input_Make(i, &input); i++) {
        if (input.size <= largest)
            PackAll(words[1], &input, index);
        Input_Free(&input);
    }
    WriteLibraries(words[1], largest);
    return fclose(index) ? 2 : 0;
}
