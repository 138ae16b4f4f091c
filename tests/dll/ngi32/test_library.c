/* Tests of RsLi libraries through the built Ngi32.dll: handles byte by byte as documented
 * (facts/ngi32.md E.7), over files that this program puts together. */
#include "core/bytes.h"
#include "core/random.h"
#include "dll.h"
#include "exports/ngi32.abi.h"
#include "retropose/rsli.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAILER = 0x02, FLAG_7 = 0x80, HEADER_BYTES = 32, RECORD_BYTES = 32 };

/* ---- handles, by their documented offsets ---------------------------------------------------- */

enum {
    AT_COUNT = 0x04,
    AT_MEDIA_OFFSET = 0x08,
    AT_FLAG_7 = 0x28,
    AT_FILE = 0x2C,
    AT_MAPPING = 0x30,
    AT_VIEW = 0x34,
    AT_ENTRIES = 0x38,
    ENTRY_BYTES = 0x40,
    ENTRY_FLAGS = 0x10,
    ENTRY_SORT = 0x14,
    ENTRY_UNPACKED_SIZE = 0x18,
    ENTRY_PACKED = 0x1C,
    ENTRY_PACKED_SIZE = 0x20,
    ENTRY_DECODED = 0x30
};

static uintptr_t Entry(uintptr_t handle, uint32_t index) {
    return handle + AT_ENTRIES + ENTRY_BYTES * index;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The names are in no order, and one of them fills its field. */
static const struct Sample {
    const char *name;
    uint32_t method, size;
} samples[] = {{"STORED.DAT", 0x000, 3000},    {"XORED.DAT", 0x020, 2000},
               {"LZSS.TEX", 0x040, 9000},      {"KEYED.TEX", 0x060, 5000},
               {"HUFFMAN.TEX", 0x080, 8000},   {"TWELVE_CHARS", 0x0A0, 7000},
               {"DEFLATED.TEX", 0x100, 10000}, {"EMPTY", 0x000, 0}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static uint8_t Content(uint32_t member, uint32_t at) {
    return (uint8_t)((at * at / 50 + at % 13 + member) & 0x1F);
}

typedef enum Form { PRESORTED, UNSORTED, OVERLAID } Form;

static void SortMap(uint16_t map[SAMPLES]) {
    for (uint16_t i = 0; i < SAMPLES; i++) {
        int place = i;
        for (; place > 0 && strcmp(samples[map[place - 1]].name, samples[i].name) > 0; place--)
            map[place] = map[place - 1];
        map[place] = i;
    }
}

/* Appends packed payload `index` to the image and writes its record. */
static void AddMember(RpBuffer *image, uint32_t index, uint16_t key, uint32_t stored_sort,
                      uint32_t overlay, uint8_t record[RECORD_BYTES]) {
    static uint8_t content[16384];
    const struct Sample *sample = &samples[index];
    RpError error = {0};
    for (uint32_t i = 0; i < sample->size; i++)
        content[i] = Content(index, i);
    size_t offset = image->size;
    assert_int_equal(RpRsLi_Pack(sample->method, key, content, sample->size, image, &error), RP_OK);
    memset(record, 0, RECORD_BYTES);
    memcpy(record, sample->name, strlen(sample->name));
    Bytes_PutU32(record + 12, 0xAAAAAAAA); /* the game reads zero here */
    Bytes_PutU16(record + 16, sample->method);
    Bytes_PutU16(record + 18, stored_sort);
    Bytes_PutU32(record + 20, sample->size);
    Bytes_PutU32(record + 24, (uint32_t)offset - overlay);
    Bytes_PutU32(record + 28, (uint32_t)(image->size - offset));
}

static RpBuffer SampleImage(Form form) {
    uint8_t header[HEADER_BYTES] = {'N', 'L', 0, 1}, table[RECORD_BYTES * SAMPLES];
    uint16_t map[SAMPLES];
    uint32_t overlay = form == OVERLAID ? 100 : 0, total = 0;
    RpBuffer image;
    RpBuffer_Init(&image, NULL);
    SortMap(map);
    RpBuffer_Extend(&image, HEADER_BYTES + sizeof table + overlay);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t stored = form == UNSORTED ? 0x6000 + i : map[i];
        AddMember(&image, i, map[i], stored, overlay, table + RECORD_BYTES * i);
        total += samples[i].size;
    }
    if (form == OVERLAID) {
        RpBuffer_AppendText(&image, "AO");
        RpBuffer_AppendU32(&image, overlay);
    }
    assert_false(image.failed);
    Bytes_PutU16(header + 4, SAMPLES);
    Bytes_PutU16(header + 6, SAMPLES);
    Bytes_PutU16(header + 14, form == UNSORTED ? 0 : RP_RSLI_SORTED);
    Bytes_PutU32(header + 16, total);
    Bytes_PutU32(header + 20, 0x1234BEEF);
    memcpy(image.bytes, header, sizeof header);
    RpRsLiCipher cipher = RpRsLiCipher_Start(0xBEEF);
    RpRsLiCipher_Apply(&cipher, table, sizeof table, image.bytes + HEADER_BYTES);
    return image;
}

static uintptr_t OpenSample(const char *name, Form form, uint32_t flags) {
    RpBuffer image = SampleImage(form);
    Dll_WriteFile(Dll_Path(name), image.bytes, image.size);
    RpBuffer_Free(&image);
    uintptr_t library = CALL(rsOpenLib)(Dll_Path(name), flags);
    assert_int_not_equal(library, 0);
    return library;
}

static void CheckContent(uintptr_t data, uint32_t member) {
    assert_int_not_equal(data, 0);
    for (uint32_t i = 0; i < samples[member].size; i++)
        assert_int_equal(((const uint8_t *)data)[i], Content(member, i));
}

/* ---- handles --------------------------------------------------------------------------------- */

TEST(AHandleIsTheDocumentedHeaderAndEntries) {
    uint16_t map[SAMPLES];
    uint8_t name[16];
    SortMap(map);
    uintptr_t library = OpenSample("layout.lib", PRESORTED, 0);
    assert_memory_equal(library, "RsLi", 4);
    assert_int_equal(Dword(library, AT_COUNT), SAMPLES);
    assert_int_equal(Dword(library, AT_MEDIA_OFFSET), 0);
    assert_int_equal(Dword(library, AT_FLAG_7), 0);
    assert_int_equal(GetFileType((HANDLE)Dword(library, AT_FILE)), FILE_TYPE_DISK);
    assert_int_not_equal(Dword(library, AT_MAPPING), 0);
    assert_memory_equal(Dword(library, AT_VIEW), "NL\0\1", 4);
    assert_int_equal(CALL(ngiGetMemSize)(library), AT_ENTRIES + ENTRY_BYTES * SAMPLES);
    uint32_t packed = HEADER_BYTES + RECORD_BYTES * SAMPLES;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uintptr_t entry = Entry(library, i);
        memset(name, 0, sizeof name);
        memcpy(name, samples[i].name, strlen(samples[i].name));
        assert_memory_equal(entry, name, sizeof name); /* the service bytes are zero */
        assert_int_equal(Dword(entry, ENTRY_FLAGS), samples[i].method);
        assert_int_equal(Dword(entry, ENTRY_SORT), map[i]);
        assert_int_equal(Dword(entry, ENTRY_UNPACKED_SIZE), samples[i].size);
        assert_int_equal(Dword(entry, ENTRY_PACKED), Dword(library, AT_VIEW) + packed);
        assert_int_equal(Dword(entry, ENTRY_DECODED), 0);
        packed += Dword(entry, ENTRY_PACKED_SIZE);
    }
    assert_int_equal(CALL(rsLibNum)(library), SAMPLES);
    assert_int_equal(CALL(rsCloseLib)(library), 1);
    library = CALL(rsOpenLib)(Dll_Path("layout.lib"), FLAG_7 | 1);
    assert_int_equal(Dword(library, AT_FLAG_7), FLAG_7);
    CALL(rsCloseLib)(library);
}

TEST(EveryMethodIsDecodedOnceIntoTheDllsOwnHeap) {
    static const Form forms[] = {PRESORTED, UNSORTED, OVERLAID};
    for (size_t k = 0; k < 3; k++) {
        uintptr_t library = OpenSample("load.lib", forms[k], forms[k] == OVERLAID ? TRAILER : 0);
        assert_int_equal(Dword(library, AT_MEDIA_OFFSET), forms[k] == OVERLAID ? 100 : 0);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            uintptr_t data = CALL(rsLoad)(library, (int32_t)i);
            CheckContent(data, i);
            assert_int_equal(Dword(Entry(library, i), ENTRY_DECODED), data);
            assert_int_equal(CALL(rsLoad)(library, (int32_t)i), data);
            /* LZSS entries give back the slack of their block. */
            assert_int_equal(CALL(ngiGetMemSize)(data), samples[i].size);
        }
        CALL(rsCloseLib)(library);
    }
}

TEST(TheTrailerCountsOnlyWhenItIsAskedFor) {
    uintptr_t library = OpenSample("overlay.lib", OVERLAID, 0);
    assert_int_equal(Dword(library, AT_MEDIA_OFFSET), 0);
    uint32_t without = Dword(Entry(library, 0), ENTRY_PACKED) - Dword(library, AT_VIEW);
    CALL(rsCloseLib)(library);
    library = CALL(rsOpenLib)(Dll_Path("overlay.lib"), TRAILER);
    uint32_t with = Dword(Entry(library, 0), ENTRY_PACKED) - Dword(library, AT_VIEW);
    assert_int_equal(with, without + 100);
    CALL(rsCloseLib)(library);
}

TEST(UnsortedLibrariesGetTheMapThatKeysAreMadeOf) {
    uint16_t map[SAMPLES];
    SortMap(map);
    uintptr_t library = OpenSample("unsorted.lib", UNSORTED, 0);
    for (uint32_t i = 0; i < SAMPLES; i++)
        assert_int_equal(Dword(Entry(library, i), ENTRY_SORT), map[i]);
    CALL(rsCloseLib)(library);
}

TEST(NamesAreFoundInAnyCaseAndCutToFifteenCharacters) {
    for (int form = PRESORTED; form <= UNSORTED; form++) {
        uintptr_t library = OpenSample("find.lib", (Form)form, 0);
        for (uint32_t i = 0; i < SAMPLES; i++)
            assert_int_equal(CALL(rsFind)(library, samples[i].name), i);
        assert_int_equal(CALL(rsFind)(library, "lzss.Tex"), 2);
        assert_int_equal(CALL(rsFind)(library, "twelve_chars"), 5);
        assert_int_equal(CALL(rsFind)(library, "twelve_char"), -1);
        assert_int_equal(CALL(rsFind)(library, "twelve_charsX"), -1);
        assert_int_equal(CALL(rsFind)(library, ""), -1);
        assert_int_equal(CALL(rsFind)(library, NULL), -1);
        CheckContent(CALL(rsLoadByName)(library, "huffman.tex"), 4);
        assert_int_equal(CALL(rsLoadByName)(library, "HUFFMAN.TEX"), CALL(rsLoad)(library, 4));
        assert_int_equal(CALL(rsLoadByName)(library, "NOBODY"), 0);
        CALL(rsCloseLib)(library);
    }
}

TEST(FastLoadingIsInPlaceWhereNothingIsPacked) {
    uintptr_t library = OpenSample("fast.lib", PRESORTED, 0);
    uintptr_t data = CALL(rsLoadFast)(library, 0, 0x4000000);
    assert_int_equal(data, Dword(Entry(library, 0), ENTRY_PACKED));
    CheckContent(data, 0);
    assert_int_equal(Dword(Entry(library, 0), ENTRY_DECODED), 0);
    assert_int_not_equal(CALL(rsLoad)(library, 0), data); /* a copy */
    for (uint32_t i = 1; i < SAMPLES - 1; i++) {
        data = CALL(rsLoadFast)(library, (int32_t)i, 0);
        CheckContent(data, i);
        assert_int_equal(CALL(rsLoad)(library, (int32_t)i), data);
    }
    CALL(rsCloseLib)(library);
}

TEST(AskingTellsNameSizeAndMethodWithoutItsXor) {
    struct {
        char name[16];
        uint32_t size, behind;
    } info;
    uintptr_t library = OpenSample("info.lib", PRESORTED, 0);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        memset(&info, 0x5A, sizeof info);
        assert_int_equal(CALL(rsGetInfo)(library, (int32_t)i, (uintptr_t)&info), 1);
        assert_string_equal(info.name, samples[i].name);
        assert_int_equal(info.size, samples[i].size);
        assert_int_equal(info.behind, 0x5A5A5A5A);
        assert_int_equal(CALL(rsGetPackMethod)(library, (int32_t)i), samples[i].method & 0x1C0);
    }
    assert_int_equal(CALL(rsGetInfo)(library, SAMPLES, (uintptr_t)&info), 0);
    assert_int_equal(CALL(rsGetInfo)(library, 0, 0), 0);
    assert_int_equal(CALL(rsGetInfo)(library, 0, 1), 0);
    assert_int_equal(CALL(rsGetPackMethod)(library, -1), 0);
    CALL(rsCloseLib)(library);
}

TEST(EachOpeningIsAHandleOfItsOwn) {
    uintptr_t first = OpenSample("twice.lib", PRESORTED, 0);
    uintptr_t second = CALL(rsOpenLib)(Dll_Path("twice.lib"), 0);
    assert_int_not_equal(second, 0);
    assert_int_not_equal(second, first);
    uintptr_t data = CALL(rsLoad)(second, 2);
    assert_int_equal(CALL(rsCloseLib)(first), 1);
    assert_int_equal(CALL(rsLoad)(first, 2), 0);
    CheckContent(data, 2);
    assert_int_equal(CALL(rsCloseLib)(first), 0);
    assert_int_equal(CALL(rsCloseLib)(second), 1);
    assert_true(DeleteFileA(Dll_Path("twice.lib"))); /* nothing holds it */
}

/* ---- bad files and bad callers --------------------------------------------------------------- */

TEST(BadFilesGiveNullAndOneLine) {
    static const BadFile bad[] = {
        {"empty.lib", "", "the file is empty", 0},
        {"short.lib", "NL\0\1", "R01", 4},
        {"magic.lib", "NL\0\2____________________________", "R02", 32},
        {"negative.lib", "NL\0\1\377\377__________________________", "R03", 32},
        {"count.lib", "NL\0\1\1\0__________________________", "R04", 32},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        Dll_AssertBadFile("rsOpenLib", TRAILER, &bad[i]);
    assert_int_equal(CALL(rsOpenLib)(Dll_Path("nothing.lib"), 0), 0);
    assert_int_equal(CALL(rsOpenLib)(NULL, 0), 0);
    assert_int_equal(CALL(rsOpenLib)(dll_folder, 0), 0);
}

TEST(ALibraryWithoutEntriesIsOne) {
    static const uint8_t empty[HEADER_BYTES] = {'N', 'L', 0, 1, [14] = 0xBA, [15] = 0xAB};
    Dll_WriteFile(Dll_Path("none.lib"), empty, sizeof empty);
    uintptr_t library = CALL(rsOpenLib)(Dll_Path("none.lib"), TRAILER);
    assert_int_not_equal(library, 0);
    assert_int_equal(CALL(rsLibNum)(library), 0);
    assert_int_equal(CALL(rsFind)(library, "X"), -1);
    assert_int_equal(CALL(rsLoad)(library, 0), 0);
    CALL(rsCloseLib)(library);
}

TEST(DamagedLibrariesAreRefusedOrUsedWithinTheirBounds) {
    RpBuffer image = SampleImage(PRESORTED);
    uint8_t *damaged = malloc(image.size);
    uint32_t chance = 54321, opened = 0, loaded = 0, refused = 0;
    assert_non_null(damaged);
    for (int round = 0; round < 150; round++) {
        memcpy(damaged, image.bytes, image.size);
        for (int flip = 0; flip < 4; flip++) {
            Random_Lcg32(&chance);
            size_t room = flip & 1 ? image.size : HEADER_BYTES + RECORD_BYTES * SAMPLES;
            size_t place = (chance >> 8) % room;
            damaged[place] = (uint8_t)(damaged[place] ^ (1u << (chance >> 28 & 7)));
        }
        Dll_WriteFile(Dll_Path("damaged.lib"), damaged, image.size - (size_t)(round % 5) * 37);
        uintptr_t library = CALL(rsOpenLib)(Dll_Path("damaged.lib"), TRAILER);
        opened += library != 0;
        for (int32_t i = 0; library && i < (int32_t)CALL(rsLibNum)(library); i++) {
            uintptr_t data = CALL(rsLoadFast)(library, i, 0);
            *(data ? &loaded : &refused) += 1;
            CALL(rsFind)(library, samples[i % SAMPLES].name);
        }
        if (library)
            assert_int_equal(CALL(rsCloseLib)(library), 1);
    }
    assert_in_range(opened, 50, 149);
    assert_true(loaded > 100 && refused > 100);
    free(damaged);
    RpBuffer_Free(&image);
}

/* Changes a dword of the encrypted record of entry `index`. */
static void PatchRecord(RpBuffer *image, uint32_t index, uint32_t offset, uint32_t value) {
    uint8_t *table = image->bytes + HEADER_BYTES, plain[RECORD_BYTES * SAMPLES];
    RpRsLiCipher cipher = RpRsLiCipher_Start(0xBEEF);
    RpRsLiCipher_Apply(&cipher, table, sizeof plain, plain);
    Bytes_PutU32(plain + RECORD_BYTES * index + offset, value);
    cipher = RpRsLiCipher_Start(0xBEEF);
    RpRsLiCipher_Apply(&cipher, plain, sizeof plain, table);
}

/* The game's own `sprites.lib::INTERF8.TEX` is such an entry (facts/formats.md B.7). */
TEST(ADeflatedEntryMayDeclareOneByteMoreThanTheFileHas) {
    RpBuffer image = SampleImage(PRESORTED); /* the last payload is that of the deflated entry */
    uintptr_t library = OpenSample("past.lib", PRESORTED, 0);
    uint32_t packed_size = Dword(Entry(library, 6), ENTRY_PACKED_SIZE);
    CALL(rsCloseLib)(library);
    PatchRecord(&image, 6, 28, packed_size + 1);
    Dll_WriteFile(Dll_Path("past.lib"), image.bytes, image.size);
    library = CALL(rsOpenLib)(Dll_Path("past.lib"), 0);
    assert_int_equal(Dword(Entry(library, 6), ENTRY_PACKED_SIZE), packed_size + 1);
    CheckContent(CALL(rsLoad)(library, 6), 6);
    CALL(rsCloseLib)(library);
    RpBuffer_Free(&image);
}

/* A size that no packed data can unpack to is refused before memory is asked for it. */
TEST(ImpossibleSizesAreRefused) {
    RpBuffer image = SampleImage(PRESORTED);
    for (uint32_t i = 0; i < SAMPLES; i++)
        PatchRecord(&image, i, 20, 0x40000000);
    Dll_WriteFile(Dll_Path("huge.lib"), image.bytes, image.size);
    RpBuffer_Free(&image);
    Dll_ReloadWithLog();
    uintptr_t library = CALL(rsOpenLib)(Dll_Path("huge.lib"), 0);
    for (int32_t i = 0; i < SAMPLES; i++)
        assert_int_equal(CALL(rsLoadFast)(library, i, 0), 0);
    Dll_ReloadWithoutLog();
    assert_int_equal(Dll_CountInLog("rsLoadFast fails: the declared size cannot be"), SAMPLES);
}

TEST(WhatIsNoLibraryIsToldApart) {
    uint32_t foreign[32] = {0x694C7352, 8}, info[8];
    uintptr_t library = OpenSample("told.lib", PRESORTED, 0);
    const uintptr_t wrong[] = {0, 1, (uintptr_t)foreign, library + 4, 0xFFFFFFFC};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(CALL(rsLibNum)(wrong[i]), 0);
        assert_int_equal(CALL(rsFind)(wrong[i], "STORED.DAT"), -1);
        assert_int_equal(CALL(rsLoad)(wrong[i], 0), 0);
        assert_int_equal(CALL(rsLoadFast)(wrong[i], 0, 0), 0);
        assert_int_equal(CALL(rsLoadByName)(wrong[i], "STORED.DAT"), 0);
        assert_int_equal(CALL(rsGetInfo)(wrong[i], 0, (uintptr_t)info), 0);
        assert_int_equal(CALL(rsGetPackMethod)(wrong[i], 2), 0);
        assert_int_equal(CALL(rsCloseLib)(wrong[i]), 0);
    }
    assert_int_equal(CALL(rsLoad)(library, SAMPLES), 0);
    assert_int_equal(CALL(rsLoad)(library, -1), 0);
    assert_int_equal(CALL(rsLoadFast)(library, INT32_MIN, 0), 0);
    CALL(rsCloseLib)(library);
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct Shared {
    const char *path;
    uintptr_t library;
    uintptr_t seen[DLL_THREADS][SAMPLES];
    volatile LONG threads, wrong;
} Shared;

static DWORD WINAPI UseShared(void *context) {
    Shared *shared = context;
    LONG thread = InterlockedIncrement(&shared->threads) - 1;
    for (int32_t i = 0; i < SAMPLES; i++)
        shared->seen[thread][i] = CALL(rsLoad)(shared->library, i);
    for (int i = 0; i < 20; i++) {
        uintptr_t own = CALL(rsOpenLib)(shared->path, 0);
        uintptr_t data = own ? CALL(rsLoadByName)(own, "KEYED.TEX") : 0;
        if (!data || ((const uint8_t *)data)[4999] != Content(3, 4999))
            InterlockedIncrement(&shared->wrong);
        CALL(rsCloseLib)(own);
    }
    return 0;
}

TEST(AnyThreadMayLoadAndAllGetTheSame) {
    Shared shared = {.library = OpenSample("threads.lib", UNSORTED, 0)};
    shared.path = Dll_Path("threads.lib");
    Dll_RunThreads(UseShared, &shared);
    for (int i = 0; i < DLL_THREADS; i++)
        assert_memory_equal(shared.seen[i], shared.seen[0], sizeof shared.seen[0]);
    assert_int_equal(shared.wrong, 0);
    for (uint32_t i = 0; i < SAMPLES; i++)
        CheckContent(shared.seen[0][i], i);
    CALL(rsCloseLib)(shared.library);
}

AROUND_ALL(Dll_BeginTestsOfFiles, Dll_EndTestsOfFiles)
