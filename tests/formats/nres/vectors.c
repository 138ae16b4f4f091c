/* The C program behind reference.py, which compares every file and line that this program writes.
 *
 *   nres_vectors pack DESCRIPTION FILE   a canonical archive of the members that DESCRIPTION lists:
 *                                        lines of `type attr1 attr2 attr3 NAME-FIELD DATA`, numbers
 *                                        in decimal, bytes in hexadecimal, no bytes as `-`
 *   nres_vectors sort MODE IN OUT        IN with its directory in another order, canonically
 *   nres_vectors keep IN OUT             IN read and written, preserving
 *   nres_vectors list FILE [NAME...]     its entries, then where each name is found
 *   nres_vectors judge FILE [NAME...]    of each image of FILE, which are lines of hexadecimal
 *                                        digits: whether it opens strictly; whether the rules
 *                                        up to warnings hold, and those of the canonical form,
 *                                        too, checked without and with memory; where each name
 *                                        is found, by directory and as the game does; the image
 *                                        written canonically, or `-` */
#include "core/files/output.h"
#include "retropose/file.h"
#include "retropose/nres.h"
#include "tests/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 20, MOST_MEMBERS = 64 };

static int Fail(const RpError *error) {
    char text[1024];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

static int WriteArchive(const RpNResArchive *archive, RpNResLayout layout, const char *path) {
    OWNED(RpBuffer) image = {0};
    RpError error = {0};
    RpStatus status = RpNResArchive_Write(archive, layout, &image, &error);
    if (status == RP_OK)
        status = Output_WriteBytes(path, image.bytes, image.size, &error);
    return status == RP_OK ? 0 : Fail(&error);
}

static int Nibble(char digit) {
    static const char digits[] = "0123456789abcdef";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int)(at - digits) : -1;
}

static size_t ParseHex(const char *text, uint8_t *bytes, size_t capacity) {
    size_t size = 0;
    for (; size < capacity && Nibble(text[0]) >= 0 && Nibble(text[1]) >= 0; text += 2)
        bytes[size++] = (uint8_t)(Nibble(text[0]) << 4 | Nibble(text[1]));
    return size;
}

static RpStatus AddLine(RpNResArchive *archive, const char *line, RpError *error) {
    static uint8_t payload[LINE_BYTES];
    RpNResMember member = {.data = payload};
    uint32_t *const numbers[4] = {&member.type, &member.attr1, &member.attr2, &member.attr3};
    char *at = (char *)(uintptr_t)line;
    for (int i = 0; i < 4; i++)
        *numbers[i] = (uint32_t)strtoul(at, &at, 10);
    const char *name = *at ? at + 1 : at;
    const char *data = name + strcspn(name, " ");
    ParseHex(name, (uint8_t *)member.name, sizeof member.name);
    member.size = *data ? (uint32_t)ParseHex(data + 1, payload, sizeof payload) : 0;
    return RpNResArchive_Add(archive, archive->count, &member, error);
}

static int Pack(const char *description, const char *path) {
    static char line[LINE_BYTES];
    OWNED(RpNResArchive) archive = {0};
    RpError error = {0};
    RpStatus status = RP_OK;
    FILE *file = fopen(description, "r");
    if (!file)
        return 2;
    RpNResArchive_Init(&archive, NULL);
    while (status == RP_OK && fgets(line, sizeof line, file))
        status = AddLine(&archive, line, &error);
    fclose(file);
    return status == RP_OK ? WriteArchive(&archive, RP_NRES_CANONICAL, path) : Fail(&error);
}

static int Rewrite(const char *in, RpNResSort sort, RpNResLayout layout, const char *out) {
    OWNED(RpBuffer) bytes = {0};
    OWNED(RpNResArchive) archive = {0};
    RpNRes image;
    RpError error = {0};
    if (RpFile_Read(in, &bytes, &error) ||
        RpNRes_Open(bytes.bytes, bytes.size, RP_TOLERANT, &image, &error) ||
        RpNResArchive_Read(&archive, &image, &error) || RpNResArchive_Sort(&archive, sort, &error))
        return Fail(&error);
    return WriteArchive(&archive, layout, out);
}

static void PrintEntry(const RpNResEntry *entry) {
    printf("%u %u %u %u ", entry->type, entry->attr1, entry->attr2, entry->attr3);
    for (int i = 0; i < RP_NRES_NAME_BYTES; i++)
        printf("%02x", (unsigned)(uint8_t)entry->name[i]);
    printf(" %u %u %u\n", entry->size, entry->data_offset, entry->sort_index);
}

static int List(const char *path, char **names, int name_count) {
    OWNED(RpBuffer) bytes = {0};
    RpNRes archive;
    RpError error = {0};
    if (RpFile_Read(path, &bytes, &error) ||
        RpNRes_Open(bytes.bytes, bytes.size, RP_STRICT, &archive, &error))
        return Fail(&error);
    for (uint32_t i = 0; i < archive.count; i++) {
        RpNResEntry entry = RpNRes_Entry(&archive, i);
        PrintEntry(&entry);
    }
    for (int i = 0; i < name_count; i++)
        printf("%d %d\n", RpNRes_Find(&archive, names[i]), RpNRes_FindAsGame(&archive, names[i]));
    return 0;
}

static void PrintVerdict(const uint8_t *image, size_t size, uint32_t *work) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpNRes_Check(image, size, work, &sink, NULL);
    const uint64_t bad = counter.count[RP_SEVERITY_ERROR] + counter.count[RP_SEVERITY_WARNING];
    printf(" %d,%d", bad == 0, bad + counter.count[RP_SEVERITY_CANONICAL] == 0);
}

static void PrintCanonical(const RpNRes *image) {
    OWNED(RpNResArchive) archive = {0};
    OWNED(RpBuffer) canonical = {0};
    if (RpNResArchive_Read(&archive, image, NULL) == RP_OK &&
        RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &canonical, NULL) == RP_OK) {
        putchar(' ');
        for (size_t i = 0; i < canonical.size; i++)
            printf("%02x", canonical.bytes[i]);
        putchar('\n');
    } else {
        puts(" -");
    }
}

static int Judge(const char *path, char **names, int name_count) {
    static char line[LINE_BYTES];
    static uint8_t image[LINE_BYTES];
    static uint32_t work[2 * MOST_MEMBERS];
    FILE *file = fopen(path, "r");
    RpError error = {0};
    RpStatus status = RP_OK;
    if (!file)
        return 2;
    while (status == RP_OK && fgets(line, sizeof line, file)) {
        RpNRes archive;
        const size_t size = ParseHex(line, image, sizeof image);
        printf("%d", RpNRes_Open(image, size, RP_STRICT, &archive, NULL) == RP_OK);
        status = RpNRes_Open(image, size, RP_TOLERANT, &archive, &error);
        if (status || archive.count > MOST_MEMBERS)
            break;
        PrintVerdict(image, size, NULL);
        PrintVerdict(image, size, work);
        for (int i = 0; i < name_count; i++)
            printf(" %d:%d", RpNRes_Find(&archive, names[i]),
                   RpNRes_FindAsGame(&archive, names[i]));
        PrintCanonical(&archive);
    }
    fclose(file);
    return status == RP_OK ? 0 : Fail(&error);
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "pack") == 0 && argc == 4)
        return Pack(argv[2], argv[3]);
    if (strcmp(command, "sort") == 0 && argc == 5)
        return Rewrite(argv[3], (RpNResSort)strtoul(argv[2], NULL, 10), RP_NRES_CANONICAL, argv[4]);
    if (strcmp(command, "keep") == 0 && argc == 4)
        return Rewrite(argv[2], RP_NRES_SORT_NONE, RP_NRES_PRESERVING, argv[3]);
    if (strcmp(command, "list") == 0 && argc >= 3)
        return List(argv[2], argv + 3, argc - 3);
    if (strcmp(command, "judge") == 0 && argc >= 3)
        return Judge(argv[2], argv + 3, argc - 3);
    fputs("usage: nres_vectors pack|sort|keep|list|judge ... (see the head of vectors.c)\n",
          stderr);
    return 2;
}
