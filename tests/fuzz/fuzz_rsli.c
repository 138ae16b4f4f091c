/* Opens libraries of any bytes, and a good library with bytes changed under its table's cipher. The
 * result is an error, or entries that load, and an edited archive that is written and read back. */
#include "fuzz.h"
#include "retropose/rsli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, MOST_UNPACKED = 1 << 20, MOST_LOADED = 64 };

static uint8_t work[RP_RSLI_WORK_BYTES];

static void LoadAll(const RpRsLi *rsli) {
    for (uint32_t i = 0; i < rsli->count && i < MOST_LOADED; i++) {
        const RpRsLiRecord *record = &rsli->records[i];
        size_t packed_size;
        RpRsLiNotes notes;
        if (!RpRsLi_Packed(rsli, i, &packed_size) || record->unpacked_size > MOST_UNPACKED)
            continue;
        HEAP uint8_t *output = malloc(record->unpacked_size + 1U);
        Insist(output != NULL);
        if (RpRsLi_Load(rsli, i, output, work, &notes, NULL) == RP_OK)
            Insist(notes.consumed <= packed_size);
    }
}

static void FindAll(const RpRsLi *rsli) {
    for (uint32_t i = 0; i < rsli->count && i < MOST_LOADED; i++) {
        char name[RP_RSLI_NAME_BYTES + 1] = {0};
        memcpy(name, rsli->records[i].name, RP_RSLI_NAME_BYTES);
        int32_t found = RpRsLi_Find(rsli, name);
        Insist(found >= -1 && found < (int32_t)rsli->count);
    }
}

/* Opens strictly what was written: the writer makes no library with errors, unless a payload
 * could not be unpacked before. */
static void ReadBack(const RpBuffer *image, uint32_t count) {
    RpRsLi rsli;
    HEAP RpRsLiRecord *records = malloc((count + 1U) * sizeof *records);
    Insist(records != NULL);
    Insist(RpRsLi_Count(image->bytes, image->size) == count);
    Insist(RpRsLi_Open(image->bytes, image->size, 2, RP_TOLERANT, records, count, &rsli, NULL) ==
           RP_OK);
    LoadAll(&rsli);
}

static void Write(const RpRsLiArchive *archive, RpRsLiLayout layout) {
    OWNED(RpBuffer) image = {0};
    if (RpRsLiArchive_Write(archive, layout, &image, NULL) == RP_OK)
        ReadBack(&image, archive->count);
}

static void Edit(const RpRsLi *rsli) {
    RpRsLiArchive archive;
    RpBuffer image;
    RpRsLiArchive_Init(&archive, NULL);
    if (RpRsLiArchive_Read(&archive, rsli, NULL) || rsli->overlay > MOST_BYTES) {
        RpRsLiArchive_Free(&archive);
        return;
    }
    RpBuffer_Init(&image, NULL); /* an unchanged library gives the same bytes */
    Insist(RpRsLiArchive_Write(&archive, RP_RSLI_PRESERVING, &image, NULL) == RP_OK);
    Insist(image.size == rsli->size && memcmp(image.bytes, rsli->image, image.size) == 0);
    RpBuffer_Free(&image);
    if (archive.count > 1) {
        RpRsLiArchive_Move(&archive, 0, archive.count - 1, NULL);
        RpRsLiArchive_Rename(&archive, 0, "0first", NULL);
        RpRsLiArchive_Remove(&archive, archive.count / 2, NULL);
    }
    RpRsLiArchive_Add(&archive, archive.count / 2, "MIDDLE", RP_RSLI_XOR_LZSS, "middle", 6, NULL);
    Write(&archive, RP_RSLI_PRESERVING);
    Write(&archive, RP_RSLI_CANONICAL);
    RpRsLiArchive_Free(&archive);
}

/* Checking unpacks every entry, even when many of them share one payload. */
static bool IsQuick(const RpRsLi *rsli) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rsli->count; i++)
        sum += rsli->records[i].unpacked_size;
    return sum < 4 * MOST_UNPACKED;
}

static void OpenCopy(const uint8_t *bytes, size_t size, uint32_t flags) {
    RpRsLi rsli;
    HEAP uint8_t *copy = malloc(size + 1);
    uint32_t count = RpRsLi_Count(bytes, size);
    HEAP RpRsLiRecord *records = malloc((count + 1U) * sizeof *records);
    Insist(copy && records);
    memcpy(copy + 1, bytes, size);
    if (RpRsLi_Open(copy + 1, size, flags, RP_TOLERANT, records, count, &rsli, NULL) == RP_OK) {
        LoadAll(&rsli);
        FindAll(&rsli);
        Edit(&rsli);
        if (IsQuick(&rsli)) {
            RpStatus status = RpRsLi_Check(copy + 1, size, flags, NULL, NULL, NULL);
            if (RpRsLi_Open(copy + 1, size, flags, RP_STRICT, records, count, &rsli, NULL))
                Insist(status == RP_CORRUPT); /* strict reading refuses what checking finds */
        }
    }
}

/* Makes five entries of five methods. The seed is 0, so the table is not encrypted. */
static void MakeGood(RpBuffer *image) {
    static const uint32_t methods[] = {RP_RSLI_XOR_HUFFMAN, RP_RSLI_STORED, RP_RSLI_DEFLATE,
                                       RP_RSLI_LZSS, RP_RSLI_XOR};
    static const char *const names[] = {"MIKE", "ALFA", "ZULU", "ECHO", "LIMA"};
    static const char text[] = "a key, a slot, a batch, a key, a slot, a batch";
    OWNED(RpRsLiArchive) archive;
    RpRsLiArchive_Init(&archive, NULL);
    RpBuffer_Init(image, NULL);
    archive.has_trailer = true;
    for (uint32_t i = 0; i < 5; i++)
        RpRsLiArchive_Add(&archive, i, names[i], methods[i], text, sizeof text, NULL);
    RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, image, NULL);
}

/* Each change is two bytes for the place and one for the value. The first two bytes of the input
 * cut the image. */
static void ChangeAndOpen(const uint8_t *changes, size_t size) {
    OWNED(RpBuffer) image = {0};
    if (size < 2)
        return;
    MakeGood(&image);
    size_t cut = (size_t)(changes[0] | changes[1] << 8);
    for (size_t i = 2; i + 3 <= size; i += 3)
        image.bytes[(size_t)(changes[i] | changes[i + 1] << 8) % image.size] = changes[i + 2];
    OpenCopy(image.bytes, cut < image.size ? cut : image.size, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > MOST_BYTES)
        return 0;
    OpenCopy(bytes, size, 2);
    ChangeAndOpen(bytes, size < 64 ? size : 64);
    return 0;
}
