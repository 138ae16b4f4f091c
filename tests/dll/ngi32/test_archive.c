/* Tests of NRes archives through the built Ngi32.dll: INResFile objects byte by byte as documented
 * (facts/ngi32.md E.3 to E.8), over files that the library writes. */
#include "core/random.h"
#include "dll.h"
#include "exports/ngi32.abi.h"
#include "retropose/nres.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENTIAL = 1, READ_WRITE = 2, CACHEABLE = 4, RAW = 8, IDLE = 10000, FATAL_EXIT_CODE = 4 };

#define METHOD(object, slot)                                                                       \
    ((ABI_PROTO_ngi32_INResFile_##slot((*)))(*(const uintptr_t *const *)(object))[slot])
#define INTERNAL(name, address) ((ABI_PROTO_ngi32_##name((*)))CALL(RetroposeInternal)(address))

/* ---- objects, by their documented offsets ---------------------------------------------------- */

enum {
    AT_COUNT = 0x04,
    AT_BASE = 0x08,
    AT_DIRECTORY = 0x0C,
    AT_NAME = 0x10,
    AT_REFERENCES = 0x14,
    AT_RELEASED = 0x18,
    AT_RAW_ENTRY = 0x1C,
    AT_NEXT = 0x5C,
    AT_WRITABLE = 0x64,
    AT_CACHEABLE = 0x65
};

static uint8_t Byte(uintptr_t object, uint32_t offset) {
    return *(const uint8_t *)(object + offset);
}

static void SetReleased(uintptr_t object, uint32_t ago) {
    typedef DWORD(WINAPI * Clock)(void);
    Clock clock = (Clock)(uintptr_t)GetProcAddress(LoadLibraryA("winmm.dll"), "timeGetTime");
    *(uint32_t *)(object + AT_RELEASED) = clock() - ago;
}

static DWORD StateOf(uint32_t address) {
    MEMORY_BASIC_INFORMATION information;
    assert_true(VirtualQuery((const void *)(uintptr_t)address, &information, sizeof information));
    return information.State;
}

static DWORD ProtectionOf(uint32_t address) {
    MEMORY_BASIC_INFORMATION information;
    assert_true(VirtualQuery((const void *)(uintptr_t)address, &information, sizeof information));
    return information.Protect;
}

/* ---- files ----------------------------------------------------------------------------------- */

static size_t ReadBytes(const char *path, uint8_t *bytes, size_t capacity) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    return size;
}

static DWORD FileSize(const char *path) {
    WIN32_FILE_ATTRIBUTE_DATA data;
    assert_true(GetFileAttributesExA(path, GetFileExInfoStandard, &data));
    return data.nFileSizeLow;
}

/* The sample's members: a large one to touch, an empty one, and two of the same name. */
static const struct Sample {
    const char *name;
    uint32_t type, attr1, attr2, size;
} samples[] = {{"R_B_01.msh", 0x4853454D, 7, 1, 100000},
               {"Zulu.tex", 3, 2, 9, 17},
               {"alpha", 3, 1, 5, 0},
               {"MIKE.Tex", 2, 3, 1, 8},
               {"alpha", 1, 3, 1, 5}};
enum { SAMPLES = sizeof samples / sizeof *samples, IMAGE_BYTES = 1 << 17 };

static uint8_t Content(uint32_t member, uint32_t at) {
    return (uint8_t)(member * 31 + at * 7 + at / 251);
}

static RpBuffer SampleImage(void) {
    static uint8_t bytes[IMAGE_BYTES];
    RpNResArchive archive;
    RpBuffer image;
    RpError error = {0};
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        RpNResMember member = {.type = samples[i].type,
                               .attr1 = samples[i].attr1,
                               .attr2 = samples[i].attr2,
                               .attr3 = 1,
                               .data = bytes,
                               .size = samples[i].size};
        strcpy(member.name, samples[i].name);
        for (uint32_t k = 0; k < member.size; k++)
            bytes[k] = Content(i, k);
        assert_int_equal(RpNResArchive_Add(&archive, i, &member, &error), RP_OK);
    }
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, &error), RP_OK);
    RpNResArchive_Free(&archive);
    return image;
}

static const char *SampleFile(const char *name) {
    RpBuffer image = SampleImage();
    const char *path = Dll_Path(name);
    Dll_WriteFile(path, image.bytes, image.size);
    RpBuffer_Free(&image);
    return path;
}

static uintptr_t OpenSample(const char *name, uint32_t flags) {
    uintptr_t archive = CALL(niOpenResFileEx)(SampleFile(name), flags);
    assert_int_not_equal(archive, 0);
    return archive;
}

static void CheckMember(uintptr_t archive, int32_t index, uint32_t member) {
    const uint8_t *data = (const uint8_t *)METHOD(archive, 6)(archive, index, 1);
    assert_non_null(data);
    for (uint32_t i = 0; i < samples[member].size; i++)
        assert_int_equal(data[i], Content(member, i));
}

/* Drops every archive, as after each test. */
static int Forget(void **state) {
    (void)state;
    INTERNAL(DestroyArchives, 0x100119F0)();
    return 0;
}

/* ---- opening and asking ---------------------------------------------------------------------- */

TEST(AnOpenFileIsTheDocumentedObject) {
    const char *path = SampleFile("layout.lib");
    uintptr_t archive = CALL(niOpenResFile)(path);
    assert_int_not_equal(archive, 0);
    DWORD size = FileSize(path);
    assert_int_equal(Dword(archive, AT_COUNT), SAMPLES);
    assert_memory_equal(Dword(archive, AT_BASE), "NRes", 4);
    assert_int_equal(Dword(archive, AT_DIRECTORY), Dword(archive, AT_BASE) + size - 64 * SAMPLES);
    assert_string_equal(Dword(archive, AT_NAME), path);
    /* The object has a copy of the name. */
    assert_int_not_equal(Dword(archive, AT_NAME), (uint32_t)(uintptr_t)path);
    assert_int_equal(CALL(ngiGetMemSize)(Dword(archive, AT_NAME)), strlen(path) + 1);
    assert_int_equal(Dword(archive, AT_REFERENCES), 1);
    assert_int_equal(Dword(archive, AT_NEXT), 0);
    assert_int_equal(Byte(archive, AT_WRITABLE), 0);
    assert_int_equal(Byte(archive, AT_CACHEABLE), 0);
    assert_int_equal(ProtectionOf(Dword(archive, AT_BASE)), PAGE_READONLY);
    assert_true(CALL(ngiGetMemSize)(archive) >= 0x68);
    uintptr_t second = OpenSample("second.lib", CACHEABLE | SEQUENTIAL);
    assert_int_equal(Dword(second, AT_NEXT), archive); /* follows in the list */
    assert_int_equal(Byte(second, AT_CACHEABLE), 1);
}

TEST(EntriesAreFoundByNameAndByTypeAndHaveTheirData) {
    uintptr_t archive = OpenSample("find.lib", CACHEABLE);
    assert_int_equal(METHOD(archive, 3)(archive, "r_B_01.MSH"), 0);
    assert_int_equal(METHOD(archive, 3)(archive, "zulu.TEX"), 1);
    assert_int_equal(METHOD(archive, 3)(archive, "mike.tex"), 3);
    int32_t alpha = METHOD(archive, 3)(archive, "ALPHA"); /* either of the two may be found */
    assert_true(alpha == 2 || alpha == 4);
    assert_int_equal(METHOD(archive, 3)(archive, "alph"), -1);
    assert_int_equal(METHOD(archive, 3)(archive, ""), -1);
    assert_int_equal(METHOD(archive, 3)(archive, NULL), -1);
    assert_int_equal(METHOD(archive, 8)(archive, 3), 1); /* the first */
    assert_int_equal(METHOD(archive, 8)(archive, 0x4853454D), 0);
    assert_int_equal(METHOD(archive, 8)(archive, 4), -1);
    for (uint32_t i = 0; i < SAMPLES; i++)
        CheckMember(archive, (int32_t)i, i);
    assert_int_equal(METHOD(archive, 4)(archive), Dword(archive, AT_DIRECTORY));
    const uint8_t *record = (const uint8_t *)METHOD(archive, 4)(archive) + 64;
    assert_string_equal(record + 20, "Zulu.tex");
    uint32_t offset;
    memcpy(&offset, record + 56, sizeof offset);
    assert_int_equal(METHOD(archive, 6)(archive, 1, 0), Dword(archive, AT_BASE) + offset);
    assert_int_equal(METHOD(archive, 6)(archive, SAMPLES, 0), 0);
    assert_int_equal(METHOD(archive, 6)(archive, -1, 1), 0);
    assert_int_equal(METHOD(archive, 6)(archive, INT32_MAX, 1), 0);
    assert_int_equal(INTERNAL(FindArchiveEntry, 0x10011E60)(archive, "zulu.tex"), 1);
    INTERNAL(TouchPages, 0x100197D0)(Dword(archive, AT_BASE), FileSize(Dll_Path("find.lib")));
    INTERNAL(TouchPages, 0x100197D0)(1, 0x10000); /* a range of 64 kB at address 1 is not touched */
}

TEST(TheSameFileIsTheSameObject) {
    char dotted[MAX_PATH], capital[MAX_PATH];
    uintptr_t archive = OpenSample("same.lib", 0);
    snprintf(dotted, sizeof dotted, "%s.\\same.lib", dll_folder);
    snprintf(capital, sizeof capital, "%sSAME.LIB", dll_folder);
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("same.lib")), archive);
    assert_int_equal(CALL(niOpenResFile)(dotted), archive);
    assert_int_equal(CALL(niOpenResFileEx)(capital, SEQUENTIAL), archive);
    assert_int_equal(Dword(archive, AT_REFERENCES), 4);
    assert_int_equal(Byte(archive, AT_CACHEABLE), 0);
    assert_int_equal(CALL(niOpenResFileEx)(dotted, CACHEABLE), archive);
    assert_int_equal(Byte(archive, AT_CACHEABLE), 1);
    assert_int_not_equal(OpenSample("other.lib", 0), archive);
    assert_int_equal(METHOD(archive, 1)(archive), 4);
    assert_int_equal(METHOD(archive, 1)(archive), 3);
}

TEST(AnArchiveIsUnloadedOnceIdleForTenSeconds) {
    uintptr_t archive = OpenSample("idle.lib", 0), held = OpenSample("held.lib", 0);
    uint32_t base = Dword(archive, AT_BASE), held_base = Dword(held, AT_BASE);
    SetReleased(archive, 123456);
    assert_int_equal(METHOD(archive, 1)(archive), 0);
    assert_int_equal(Dword(archive, AT_REFERENCES), 0);
    uint32_t stamp = Dword(archive, AT_RELEASED);
    SetReleased(archive, 0);
    /* compared with timeGetTime at the release */
    assert_true(Dword(archive, AT_RELEASED) - stamp < 5000);
    /* the archive is still there */
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("idle.lib")), archive);
    METHOD(archive, 1)(archive);
    SetReleased(archive, IDLE - 2000);
    SetReleased(held, IDLE + 2000); /* the stamp means nothing while somebody holds the archive */
    OpenSample("third.lib", 0);
    assert_int_equal(StateOf(base), MEM_COMMIT);
    SetReleased(archive, IDLE);
    CALL(niOpenResFile)(Dll_Path("third.lib"));
    assert_int_equal(StateOf(base), MEM_FREE);
    /* the pointer is not an archive any more */
    assert_int_equal(METHOD(held, 3)(archive, "alpha"), -1);
    assert_int_equal(StateOf(held_base), MEM_COMMIT);
}

TEST(ACacheableArchiveIsNeverUnloaded) {
    uintptr_t archive = OpenSample("kept.lib", CACHEABLE);
    uint32_t base = Dword(archive, AT_BASE);
    METHOD(archive, 1)(archive);
    SetReleased(archive, 100 * IDLE);
    OpenSample("third.lib", 0);
    assert_int_equal(StateOf(base), MEM_COMMIT);
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("kept.lib")), archive);
    Forget(NULL);
    assert_int_equal(StateOf(base), MEM_FREE);
}

TEST(ReleasingUnloadsWhatIsIdleToo) {
    uintptr_t archive = OpenSample("idle.lib", 0), other = OpenSample("other.lib", 0);
    uint32_t base = Dword(archive, AT_BASE);
    METHOD(archive, 1)(archive);
    SetReleased(archive, IDLE + 1);
    METHOD(other, 1)(other);
    assert_int_equal(StateOf(base), MEM_FREE);
}

/* ---- modes ----------------------------------------------------------------------------------- */

TEST(ARawArchiveIsTheFileAsOneEntry) {
    static const char text[] = "no archive at all";
    Dll_WriteFile(Dll_Path("raw.txt"), text, sizeof text);
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("raw.txt")), 0);
    uintptr_t archive = CALL(niOpenResFileEx)(Dll_Path("raw.txt"), RAW);
    assert_int_not_equal(archive, 0);
    assert_int_equal(Dword(archive, AT_COUNT), 1);
    assert_int_equal(METHOD(archive, 4)(archive), archive + AT_RAW_ENTRY);
    assert_int_equal(Dword(archive, AT_RAW_ENTRY + 12), sizeof text);
    assert_int_equal(METHOD(archive, 6)(archive, 0, 1), Dword(archive, AT_BASE));
    assert_memory_equal(Dword(archive, AT_BASE), text, sizeof text);
    assert_int_equal(METHOD(archive, 6)(archive, 1, 1), 0);
    assert_int_equal(METHOD(archive, 3)(archive, "RAW.TXT"), 0);
    assert_int_equal(METHOD(archive, 3)(archive, "other"), -1);
    assert_int_equal(METHOD(archive, 8)(archive, 0), 0);
    uintptr_t structured = OpenSample("both.lib", 0);
    uintptr_t raw = CALL(niOpenResFileEx)(Dll_Path("both.lib"), RAW);
    assert_int_not_equal(raw, structured);
    assert_int_equal(CALL(niOpenResFileEx)(Dll_Path("both.lib"), RAW), raw);
    assert_int_equal(Dword(raw, AT_RAW_ENTRY + 12), FileSize(Dll_Path("both.lib")));
}

TEST(AReadWriteArchiveIsWrittenThroughItsPointers) {
    uint8_t bytes[64];
    uintptr_t archive = OpenSample("write.lib", READ_WRITE);
    assert_int_equal(Byte(archive, AT_WRITABLE), 1);
    assert_int_equal(ProtectionOf(Dword(archive, AT_BASE)), PAGE_READWRITE);
    uint8_t *data = (uint8_t *)METHOD(archive, 6)(archive, 0, 0);
    memcpy(data, "written", 7);
    Forget(NULL);
    ReadBytes(Dll_Path("write.lib"), bytes, sizeof bytes);
    assert_memory_equal(bytes + 16, "written", 7);
}

TEST(AViewForReadingDoesNotBecomeOneForWritingWhileItIsHeld) {
    uintptr_t archive = OpenSample("rights.lib", CACHEABLE);
    assert_int_equal(CALL(niOpenResFileEx)(Dll_Path("rights.lib"), READ_WRITE), 0);
    assert_int_equal(Dword(archive, AT_REFERENCES), 1);
    METHOD(archive, 1)(archive);
    archive = CALL(niOpenResFileEx)(Dll_Path("rights.lib"), READ_WRITE);
    assert_int_not_equal(archive, 0);
    assert_int_equal(Byte(archive, AT_WRITABLE), 1);
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("rights.lib")),
                     archive); /* the mode includes reading */
}

TEST(AnImageInMemoryIsAnArchiveUntilItsLastRelease) {
    RpBuffer image = SampleImage();
    uintptr_t archive = CALL(niOpenResInMem)((uintptr_t)image.bytes, (uint32_t)image.size);
    assert_int_not_equal(archive, 0);
    assert_int_equal(Dword(archive, AT_BASE), (uint32_t)(uintptr_t)image.bytes);
    assert_int_equal(Dword(archive, AT_NAME), 0);
    assert_int_equal(Dword(archive, AT_REFERENCES), 1);
    for (uint32_t i = 0; i < SAMPLES; i++)
        CheckMember(archive, (int32_t)i, i);
    assert_int_equal(METHOD(archive, 3)(archive, "mike.tex"), 3);
    uintptr_t second = CALL(niOpenResInMem)((uintptr_t)image.bytes, (uint32_t)image.size);
    assert_int_not_equal(second, archive);
    assert_int_equal(METHOD(second, 1)(archive), 0);
    assert_int_equal(METHOD(second, 8)(archive, 3), -1);
    assert_int_equal(METHOD(second, 8)(second, 3), 1);
    assert_int_equal(CALL(niOpenResInMem)((uintptr_t)image.bytes, (uint32_t)image.size - 1), 0);
    assert_int_equal(CALL(niOpenResInMem)(0, 0), 0);
    Forget(NULL);
    RpBuffer_Free(&image);
}

/* ---- creating -------------------------------------------------------------------------------- */

static void CheckIsArchive(const char *path, uint32_t count) {
    static uint8_t bytes[IMAGE_BYTES];
    size_t size = ReadBytes(path, bytes, sizeof bytes);
    RpNRes archive;
    RpError error = {0};
    char text[1024];
    if (RpNRes_Open(bytes, size, RP_STRICT, &archive, &error) != RP_OK) {
        RpError_Format(&error, text, sizeof text);
        fail_msg("%s: %s", path, text);
    }
    assert_int_equal(archive.count, count);
    assert_true(archive.sorted);
}

TEST(ACreatedArchiveBeginsEmpty) {
    uintptr_t archive = CALL(niCreateResFile)(Dll_Path("new.lib"));
    assert_int_not_equal(archive, 0);
    assert_int_equal(Dword(archive, AT_COUNT), 0);
    assert_int_equal(Byte(archive, AT_WRITABLE), 1);
    assert_int_equal(Byte(archive, AT_CACHEABLE), 0);
    assert_int_equal(METHOD(archive, 3)(archive, "x"), -1);
    /* The file is written at once, because the process may end before it is closed. */
    CheckIsArchive(Dll_Path("new.lib"), 0);
    assert_int_equal(METHOD(archive, 1)(archive), 0);
    CheckIsArchive(Dll_Path("new.lib"), 0);
    assert_int_equal(FileSize(Dll_Path("new.lib")), 16);
    Dll_WriteFile(Dll_Path("text.lib"), "NRes, but not really one of them", 32);
    archive = CALL(niCreateResFile)(Dll_Path("text.lib"));
    METHOD(archive, 1)(archive);
    assert_int_equal(FileSize(Dll_Path("text.lib")), 16);
    CheckIsArchive(Dll_Path("text.lib"), 0);
}

TEST(CreatingOverAnArchiveCutsItsDirectoryUntilItIsClosed) {
    static uint8_t bytes[IMAGE_BYTES];
    RpBuffer image = SampleImage();
    const char *path = SampleFile("again.lib");
    uintptr_t archive = CALL(niCreateResFile)(path);
    assert_int_not_equal(archive, 0);
    assert_int_equal(Dword(archive, AT_COUNT), SAMPLES);
    assert_int_equal(FileSize(path), image.size - 64 * SAMPLES);
    for (uint32_t i = 0; i < SAMPLES; i++)
        CheckMember(archive, (int32_t)i, i);
    assert_int_equal(METHOD(archive, 3)(archive, "mike.tex"), 3);
    assert_int_equal(CALL(niCreateResFile)(path), 0); /* refused, because the archive is held */
    assert_int_equal(CALL(niOpenResFile)(path), archive);
    assert_int_equal(METHOD(archive, 1)(archive), 1);
    assert_int_equal(METHOD(archive, 1)(archive), 0);
    assert_int_equal(ReadBytes(path, bytes, sizeof bytes), image.size);
    assert_memory_equal(bytes, image.bytes, image.size);
    RpBuffer_Free(&image);
}

TEST(TheDirectoryOfACreatedArchiveIsSortedInTwelveWays) {
    static uint8_t bytes[IMAGE_BYTES];
    for (uint32_t mode = 0; mode < RP_NRES_SORT_COUNT; mode++) {
        const char *path = SampleFile("sorted.lib");
        RpBuffer image = SampleImage();
        RpNRes source, result;
        RpNResArchive expected;
        RpError error = {0};
        assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &source, &error), RP_OK);
        RpNResArchive_Init(&expected, NULL);
        assert_int_equal(RpNResArchive_Read(&expected, &source, &error), RP_OK);
        assert_int_equal(RpNResArchive_Sort(&expected, (RpNResSort)mode, &error), RP_OK);
        uintptr_t archive = CALL(niCreateResFile)(path);
        INTERNAL(SortArchiveDirectory, 0x10012560)(archive, mode);
        INTERNAL(CloseWrittenArchive, 0x100122D0)(archive);
        METHOD(archive, 1)(archive); /* writes the same bytes again */
        CheckIsArchive(path, SAMPLES);
        size_t size = ReadBytes(path, bytes, sizeof bytes);
        assert_int_equal(RpNRes_Open(bytes, size, RP_STRICT, &result, &error), RP_OK);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            RpNResEntry entry = RpNRes_Entry(&result, i);
            const RpNResMember *member = &expected.members[i];
            assert_memory_equal(entry.name, member->name, RP_NRES_NAME_BYTES);
            assert_int_equal(entry.type, member->type);
            assert_int_equal(entry.size, member->size);
            assert_memory_equal(entry.data, member->data, member->size);
        }
        RpNResArchive_Free(&expected);
        RpBuffer_Free(&image);
    }
}

TEST(ABrokenSortMapCostsNoLookupAndIsMendedByCreating) {
    RpBuffer image = SampleImage();
    uint8_t *directory = image.bytes + image.size - 64 * SAMPLES;
    for (uint32_t i = 0; i < SAMPLES; i++)
        memset(directory + 64 * i + 60, i == 1 ? 0xFF : 0, 4); /* one leads out of the table */
    Dll_WriteFile(Dll_Path("broken.lib"), image.bytes, image.size);
    uintptr_t archive = CALL(niOpenResFile)(Dll_Path("broken.lib"));
    assert_int_not_equal(archive, 0);
    assert_int_equal(METHOD(archive, 3)(archive, "mike.tex"), 3);
    assert_int_equal(METHOD(archive, 3)(archive, "nobody"), -1);
    /* refused, because the archive is held */
    assert_int_equal(CALL(niCreateResFile)(Dll_Path("broken.lib")), 0);
    METHOD(archive, 1)(archive);
    archive = CALL(niCreateResFile)(Dll_Path("broken.lib"));
    assert_int_not_equal(archive, 0);
    INTERNAL(BuildSortMap, 0x10013260)(archive);
    assert_int_equal(METHOD(archive, 3)(archive, "mike.tex"), 3);
    METHOD(archive, 1)(archive);
    CheckIsArchive(Dll_Path("broken.lib"), SAMPLES);
    RpBuffer_Free(&image);
}

TEST(WhatIsNotWritableIsNotWritten) {
    static uint8_t before[IMAGE_BYTES], after[IMAGE_BYTES];
    uintptr_t archive = OpenSample("still.lib", 0);
    size_t size = ReadBytes(Dll_Path("still.lib"), before, sizeof before);
    INTERNAL(SortArchiveDirectory, 0x10012560)(archive, 8);
    INTERNAL(BuildSortMap, 0x10013260)(archive);
    INTERNAL(CloseWrittenArchive, 0x100122D0)(archive);
    INTERNAL(CloseWrittenArchive, 0x100122D0)(0);
    Forget(NULL);
    assert_int_equal(ReadBytes(Dll_Path("still.lib"), after, sizeof after), size);
    assert_memory_equal(before, after, size);
    archive = CALL(niCreateResFile)(Dll_Path("still.lib"));
    /* there is no such mode */
    INTERNAL(SortArchiveDirectory, 0x10012560)(archive, RP_NRES_SORT_COUNT);
    Forget(NULL); /* also closes what is being written */
    assert_int_equal(ReadBytes(Dll_Path("still.lib"), after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

/* ---- bad files and bad callers --------------------------------------------------------------- */

TEST(BadFilesGiveNullAndOneLine) {
    static const BadFile bad[] = {
        {"empty.lib", "", "the file is empty", 0},
        {"short.lib", "NRes", "N0", 4},
        {"magic.lib", "NReX\0\1\0\0\0\0\0\0\20\0\0\0", "N0", 16},
        {"version.lib", "NRes\1\1\0\0\0\0\0\0\20\0\0\0", "N0", 16},
        {"count.lib", "NRes\0\1\0\0\1\0\0\0\20\0\0\0", "N0", 16},
        {"negative.lib", "NRes\0\1\0\0\377\377\377\377\20\0\0\0", "N0", 16},
        {"total.lib", "NRes\0\1\0\0\0\0\0\0\21\0\0\0", "N0", 16},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        Dll_AssertBadFile("niOpenResFileEx", CACHEABLE, &bad[i]);
    assert_int_equal(CALL(niOpenResFile)(Dll_Path("nothing.lib")), 0);
    assert_int_equal(CALL(niOpenResFile)(NULL), 0);
    assert_int_equal(CALL(niOpenResFile)(""), 0);
    assert_int_equal(CALL(niOpenResFile)(dll_folder), 0);
    assert_int_equal(CALL(niCreateResFile)(NULL), 0);
    assert_int_equal(CALL(niCreateResFile)(Dll_Path("no\\such\\folder.lib")), 0);
    assert_int_equal(CALL(niOpenResFileEx)(Dll_Path("empty.lib"), RAW), 0);
}

/* Calls every method of an archive that opens although it is damaged. Each has to stay within
 * it. */
static void UseEverything(uintptr_t archive) {
    char name[RP_NRES_NAME_BYTES + 1] = "";
    uint32_t count = Dword(archive, AT_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(name, (const char *)METHOD(archive, 4)(archive) + 64 * i + 20, RP_NRES_NAME_BYTES);
        int32_t found = METHOD(archive, 3)(archive, name);
        assert_in_range(found + 1, 0, count);
        const uint8_t *data = (const uint8_t *)METHOD(archive, 6)(archive, (int32_t)i, 1);
        uint32_t size;
        memcpy(&size, (const char *)METHOD(archive, 4)(archive) + 64 * i + 12, sizeof size);
        if (data && size > 0)
            assert_int_equal(data[size - 1], *(volatile const uint8_t *)&data[size - 1]);
    }
    METHOD(archive, 8)(archive, 3);
    assert_int_equal(METHOD(archive, 6)(archive, (int32_t)count, 1), 0);
}

TEST(DamagedImagesAreRefusedOrUsedWithinTheirBounds) {
    RpBuffer image = SampleImage();
    /* Memory that nobody may touch begins exactly at the archive's end. */
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    size_t page = system.dwPageSize, room = (image.size + page - 1) / page * page;
    uint8_t *guarded = VirtualAlloc(NULL, room + page, MEM_RESERVE, PAGE_NOACCESS);
    assert_non_null(guarded);
    assert_non_null(VirtualAlloc(guarded, room, MEM_COMMIT, PAGE_READWRITE));
    uint8_t *at = guarded + room - image.size;
    uint32_t opened = 0, chance = 12345;
    for (int round = 0; round < 400; round++) {
        memcpy(at, image.bytes, image.size);
        for (int flip = 0; flip < 3; flip++) { /* changes a bit in the header or the directory */
            Random_Lcg32(&chance);
            size_t place = (chance >> 8) % (16 + 64 * SAMPLES);
            place += place < 16 ? 0 : image.size - 64 * SAMPLES - 16;
            at[place] = (uint8_t)(at[place] ^ (1u << (chance >> 28 & 7)));
        }
        uintptr_t archive = CALL(niOpenResInMem)((uintptr_t)at, (uint32_t)image.size);
        opened += archive != 0;
        if (archive) {
            UseEverything(archive);
            METHOD(archive, 1)(archive);
        }
    }
    assert_in_range(opened, 100, 399);
    for (uint32_t size = 0; size < image.size; size += size < 64 ? 1 : 997)
        assert_int_equal(CALL(niOpenResInMem)((uintptr_t)at, size), 0);
    VirtualFree(guarded, 0, MEM_RELEASE);
    RpBuffer_Free(&image);
}

TEST(WhatIsNoArchiveIsToldApart) {
    uintptr_t archive = OpenSample("told.lib", 0);
    uint32_t foreign[32] = {0};
    const uintptr_t wrong[] = {0, 1, (uintptr_t)foreign, archive + 4, 0xFFFFFFFC};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(METHOD(archive, 1)(wrong[i]), 0);
        assert_int_equal(METHOD(archive, 3)(wrong[i], "alpha"), -1);
        assert_int_equal(METHOD(archive, 4)(wrong[i]), 0);
        assert_int_equal(METHOD(archive, 6)(wrong[i], 0, 1), 0);
        assert_int_equal(METHOD(archive, 8)(wrong[i], 3), -1);
        assert_int_equal(INTERNAL(FindArchiveEntry, 0x10011E60)(wrong[i], "alpha"), -1);
    }
    METHOD(archive, 1)(archive);
    assert_int_equal(METHOD(archive, 1)(archive), 0); /* once too often */
    assert_int_equal(Dword(archive, AT_REFERENCES), 0);
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct Shared {
    char paths[2][MAX_PATH];
    volatile LONG wrong;
} Shared;

static DWORD WINAPI UseShared(void *context) {
    Shared *shared = context;
    for (int i = 0; i < 150; i++) {
        uintptr_t archive = CALL(niOpenResFile)(shared->paths[i % 3 == 0]);
        int32_t index = archive ? METHOD(archive, 3)(archive, "ZULU.TEX") : -1;
        const uint8_t *data =
            index == 1 ? (const uint8_t *)METHOD(archive, 6)(archive, index, 1) : NULL;
        if (!data || data[16] != Content(1, 16))
            InterlockedIncrement(&shared->wrong);
        if (archive)
            METHOD(archive, 1)(archive);
    }
    return 0;
}

TEST(AnyThreadMayOpenAskAndRelease) {
    Shared shared = {.wrong = 0};
    strcpy(shared.paths[0], SampleFile("shared.lib"));
    strcpy(shared.paths[1], SampleFile("shared2.lib"));
    uintptr_t archive = CALL(niOpenResFile)(shared.paths[0]);
    Dll_RunThreads(UseShared, &shared);
    assert_int_equal(shared.wrong, 0);
    assert_int_equal(Dword(archive, AT_REFERENCES), 1);
}

/* ---- how a process ends ---------------------------------------------------------------------- */

/* Runs in a child process, whose files are in the folder that the parent gave it. */
static void EndByUnknownSlot(void) {
    uintptr_t archive = CALL(niCreateResFile)(Dll_Path("slot.lib"));
    ((void (*)(void))(*(const uintptr_t *const *)archive)[5])();
}

static void EndByFatalError(void) {
    CALL(niCreateResFile)(Dll_Path("fatal.lib"));
    CALL(ngiProcessError)(77);
}

static void EndByExit(void) {
    CALL(niCreateResFile)(Dll_Path("exit.lib"));
    ExitProcess(5);
}

static void EndByUnloading(void) {
    CALL(niCreateResFile)(Dll_Path("unload.lib"));
    FreeLibrary(dll_module);
    ExitProcess(6);
}

static const struct Ending {
    const char *name, *file, *logged;
    void (*end)(void);
    DWORD code;
} endings[] = {
    {"slot", "slot.lib", "fatal error: INResFile method 5 was called.", EndByUnknownSlot, 4},
    {"fatal", "fatal.lib", "archives destroyed: 1\r\n", EndByFatalError, FATAL_EXIT_CODE},
    {"exit", "exit.lib", "Retropose", EndByExit, 5},
    {"unload", "unload.lib", "archives destroyed: 1\r\n", EndByUnloading, 6},
};

TEST(HoweverAProcessEndsACreatedArchiveIsComplete) {
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", "1");
    SetEnvironmentVariableA("RETROPOSE_TEST_FOLDER", dll_folder);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        SampleFile(endings[i].file);
        Dll_StartLog();
        DWORD code = Dll_ExitCodeOfChild(endings[i].name);
        Dll_EndLog();
        if (code != endings[i].code || Dll_CountInLog(endings[i].logged) < 1)
            fail_msg("%s: exit code %lu", endings[i].name, code);
        CheckIsArchive(Dll_Path(endings[i].file), SAMPLES);
    }
}

static int RunEnding(const char *name) {
    GetEnvironmentVariableA("RETROPOSE_TEST_FOLDER", dll_folder, sizeof dll_folder);
    dll_module = Dll_Load();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(endings[i].name, name) == 0)
            endings[i].end();
    return EXIT_FAILURE; /* reached only if the call came back */
}

AROUND_ALL(Dll_BeginTestsOfFiles, Dll_EndTestsOfFiles)
AROUND_EACH(NULL, Forget)

int main(int argc, char **argv) {
    if (argc == 2)
        return RunEnding(argv[1]);
    return Tests_Run();
}
