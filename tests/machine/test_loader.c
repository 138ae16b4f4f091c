/* Tests of loading DLLs: what Windows does with unusual ones, and what no DLL may do to the
 * machine. */
#include "builder.h"
#include "tests/machine/fixture.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x10000000u

static Built built;

static void Prepare(void) {
    Built_Init(&built, BASE);
}

/* These tests run so little code of the guest that the interpreter is fast enough. */
const MachineFixture machine_fixture = {.options = {.engine = MACHINE_INTERPRETER,
                                                    .most_memory = 64u << 20,
                                                    .load_budget = 10000,
                                                    .force_cpu = -1},
                                        .prepare = Prepare};

static RpStatus LoadAs(const char *name, RpError *error) {
    uint32_t module;
    /* This is a block of exactly the file's size, so that a sanitizer notices a read past its
     * end. */
    uint8_t *bytes = malloc(sizeof built.bytes);
    memcpy(bytes, built.bytes, sizeof built.bytes);
    RpStatus status = Machine_Load(machine, name, bytes, sizeof built.bytes, &module, error);
    free(bytes);
    return status;
}

static void Loads(const char *name) {
    RpError error = {0};
    RpStatus status = LoadAs(name, &error);
    if (status)
        fail_msg("%s: %s, expected %s, found %s", name, error.what, error.expected, error.found);
}

static void Refuses(RpStatus expected, const char *what) {
    RpError error = {0};
    uint64_t mapped = Machine_Memory(machine)->mapped;
    assert_int_equal(LoadAs("bad.dll", &error), expected);
    if (!strstr(error.what, what))
        fail_msg("'%s' does not say '%s'", error.what, what);
    assert_string_equal(error.where, "bad.dll");
    assert_int_equal(Machine_Memory(machine)->mapped, mapped);
}

/* ---- what Windows does ----------------------------------------------------------------------- */

TEST(AModuleLiesAtItsBaseAndSaysWhatItExports) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Loads("One.dll");
    assert_int_equal(Machine_Module(machine, 0)->base, BASE);
    assert_int_equal(Machine_Module(machine, 0)->size, BUILT_IMAGE);
    assert_string_equal(Machine_Module(machine, 0)->name, "One.dll");
    assert_null(Machine_Module(machine, 1));
    assert_int_equal(Machine_Export(machine, 0, "Alpha"), BASE + 0x1010);
    assert_int_equal(Machine_Export(machine, 0, "alpha"), 0);
    assert_int_equal(Machine_Ordinal(machine, 0, 7), BASE + 0x1010);
    assert_int_equal(Machine_Ordinal(machine, 0, 8), 0);
    assert_int_equal(Machine_Export(machine, 1, "Alpha"), 0);
    RpError error;
    assert_int_equal(LoadAs("ONE", &error), RP_INVALID);
}

TEST(ATakenBaseMovesTheModuleByItsRelocations) {
    Loads("First.dll");
    /* The relocations are a dword across two pages, a high word, a low word, padding, and zeros at
     * the end. */
    Built_PutAt(&built, 0x2FFE, BASE + 0x1234);
    Built_Put16(&built, 0x1400 + 0x10, (BASE + 0x5678) >> 16);
    Built_Put16(&built, 0x1400 + 0x14, (BASE + 0x5678) & 0xFFFF);
    Built_Directory(&built, BUILT_RELOCATIONS, 0x3800, 24);
    Built_PutAt(&built, 0x3800, 0x2000);
    Built_PutAt(&built, 0x3804, 16);
    Built_PutAt(&built, 0x3808, 0x1010u << 16 | 0x3FFE);
    Built_PutAt(&built, 0x380C, 0x0000u << 16 | 0x2014);
    Loads("Second.dll");
    uint32_t base = Machine_Module(machine, 1)->base;
    assert_int_not_equal(base, BASE);
    assert_int_equal(base % 0x10000, 0);
    assert_int_equal(Get(base + 0x2FFE), base + 0x1234);
    assert_int_equal(Get(base + 0x2010) & 0xFFFF, (base + 0x5678) >> 16);
    assert_int_equal(Get(base + 0x2014) & 0xFFFF, (base + 0x5678) & 0xFFFF);
}

TEST(AModuleWithoutRelocationsMovesUnlessItSaysNo) {
    Loads("First.dll");
    Loads("Resources.dll");
    Built_Put16(&built, BUILT_PE + 22, 0x2103);
    Refuses(RP_UNSUPPORTED, "cannot be relocated");
}

TEST(ImportsComeFromModulesByNameAndOrdinal) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Loads("Exporter.dll");
    Built_Init(&built, 0x20000000);
    Built_Import(&built, "EXPORTER.DLL", "Alpha", 0);
    Loads("ByName.dll");
    assert_int_equal(Get(0x20002380), BASE + 0x1010);
    Built_Init(&built, 0x21000000);
    Built_Import(&built, "exporter", NULL, 7);
    Loads("ByOrdinal.dll");
    assert_int_equal(Get(0x21002380), BASE + 0x1010);
}

/* Old linkers leave the list of names out, and newer ones may have filled in the addresses. */
TEST(TheListOfNamesCountsUnlessItIsAbsent) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Loads("Exporter.dll");
    Built_Init(&built, 0x20000000);
    Built_Import(&built, "Exporter.dll", "Alpha", 0);
    Built_PutAt(&built, 0x2380, 0x77E41234);
    Loads("Bound.dll");
    assert_int_equal(Get(0x20002380), BASE + 0x1010);
    Built_Init(&built, 0x21000000);
    Built_Import(&built, "Exporter.dll", "Alpha", 0);
    Built_PutAt(&built, 0x2300, 0);
    Loads("Old.dll");
    assert_int_equal(Get(0x21002380), BASE + 0x1010);
}

TEST(ForwardersLeadToOtherModules) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Loads("Last.dll");
    Built_Init(&built, 0x20000000);
    Built_Export(&built, "Beta", 0, "LAST.Alpha");
    Loads("Middle.one.dll");
    Built_Init(&built, 0x21000000);
    Built_Export(&built, "Gamma", 0, "Middle.one.#7");
    Loads("Front.dll");
    assert_int_equal(Machine_Export(machine, 2, "Gamma"), BASE + 0x1010);
    Built_Init(&built, 0x22000000);
    Built_Export(&built, "Delta", 0, "Self.Delta");
    Loads("Self.dll");
    assert_int_equal(Machine_Export(machine, 3, "Delta"), 0);
    Built_Init(&built, 0x23000000);
    Built_Export(&built, "Tick", 0, "KERNEL32.GetTickCount");
    Loads("System.dll");
    assert_true(Machine_Export(machine, 4, "Tick") >= MACHINE_GATES);
}

TEST(AModuleCanImportFromItself) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Built_Import(&built, "Cycle.dll", "Alpha", 0);
    Loads("Cycle.dll");
    assert_int_equal(Get(BASE + 0x2380), BASE + 0x1010);
}

TEST(AnUnknownImportEndsTheCallThatReachesIt) {
    Built_Import(&built, "World3D.dll", "LoadMatManager", 0);
    Built_Code(&built, 0x1010, "FF 15 80 23 00 10 C3"); /* call [10002380h]; ret */
    Loads("One.dll");
    MachineResult result = CallAt(BASE + 0x1010, 1000);
    assert_int_equal(result.end, MACHINE_LACKS);
    assert_string_equal(result.reason, "World3D.LoadMatManager: not there");
    Built_Init(&built, 0x20000000);
    Built_Import(&built, "KERNEL32.dll", NULL, 17);
    Built_Code(&built, 0x1010, "FF 15 80 23 00 20 C3");
    Loads("Two.dll");
    assert_string_equal(CallAt(0x20001010, 1000).reason, "KERNEL32.#17: not there");
}

TEST(ASectionsSizesAndProtectionsAreThoseOfWindows) {
    MachineMemory *memory = Machine_Memory(machine);
    /* The section .text has no size in memory, and .data is smaller in memory than in the file. */
    Built_Put16(&built, BUILT_PE + 6, 4);
    Built_Section(&built, 0, 0x1000, 0, 0x400, 0x1000, 0x60000020);
    Built_Section(&built, 1, 0x2000, 0x10, 0x1400, 0x2000, 0xC0000040);
    /* begins within a sector of the file */
    Built_Section(&built, 2, 0x3000, 0x1800, 0x1410, 0x10, 0x40000040);
    Built_Section(&built, 3, 0x5000, 0x1000, 0, 0, 0);
    Built_PutAt(&built, 0x2000, 0x11111111);
    Built_PutAt(&built, 0x2100, 0x22222222); /* this part is still in the page */
    Built_PutAt(&built, 0x3004, 0x33333333); /* this part is behind it */
    Loads("One.dll");
    assert_int_equal(Get(BASE + 0x2100), 0x22222222);
    assert_int_equal(Get(BASE + 0x3000), 0x11111111);
    assert_int_equal(Get(BASE + 0x3004), 0);
    assert_int_equal(MachineMemory_Protection(memory, BASE), MACHINE_READ);
    assert_int_equal(MachineMemory_Protection(memory, BASE + 0x1FFF),
                     MACHINE_READ | MACHINE_EXECUTE);
    assert_int_equal(MachineMemory_Protection(memory, BASE + 0x2000), MACHINE_READ | MACHINE_WRITE);
    assert_int_equal(MachineMemory_Protection(memory, BASE + 0x4000), MACHINE_READ);
    assert_int_equal(MachineMemory_Protection(memory, BASE + 0x5000), 0);
}

TEST(TheNumberOfDirectoriesIsBounded) {
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Built_Put32(&built, BUILT_OPTIONAL + 92, 0xFFFFFFFF);
    Loads("Many.dll");
    assert_int_equal(Machine_Export(machine, 0, "Alpha"), BASE + 0x1010);
    Built_Put32(&built, BUILT_OPTIONAL + 28, 0x20000000);
    Built_Put32(&built, BUILT_OPTIONAL + 92, 0);
    Loads("None.dll");
    assert_int_equal(Machine_Export(machine, 1, "Alpha"), 0);
}

TEST(SectionsCloserThanPagesAreOnePiece) {
    Built_Put32(&built, BUILT_OPTIONAL + 32, 0x200);
    Built_Section(&built, 0, 0x1000, 0x200, 0x400, 0x200, 0x60000020);
    Built_Section(&built, 1, 0x1200, 0x200, 0x1400, 0x200, 0xC0000040);
    Built_PutAt(&built, 0x2000, 0x44444444);
    Loads("One.dll");
    assert_int_equal(Get(BASE + 0x1200), 0x44444444);
    assert_int_equal(MachineMemory_Protection(Machine_Memory(machine), BASE + 0x1200),
                     MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE);
}

/* The image is relocated, so that the addresses in the directory have to be relocated as well. */
TEST(TlsGetsAnIndexATemplateAndItsCallbacks) {
    Loads("First.dll");
    static const struct {
        uint32_t rva, value;
    } words[] = {
        {0x2800, BASE + 0x2900},
        {0x2804, BASE + 0x2908},
        {0x2808, BASE + 0x2910},
        {0x280C, BASE + 0x2920},
        {0x2810, 8},
        {0x2900, 0x55555555},
        {0x2904, 0x66666666},
        {0x2910, 0xFFFFFFFF},
        {0x2920, BASE + 0x1020},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        Built_PutAt(&built, words[i].rva, words[i].value);
    Built_Directory(&built, BUILT_TLS, 0x2800, 20); /* the last field is missing */
    /* entry point: mov eax,[2940h]; ret 12. callback: mov dword [2940h],1; ret 12 */
    Built_Code(&built, 0x1000, "A1 40 29 00 10 C2 0C 00");
    Built_Code(&built, 0x1020, "C7 05 40 29 00 10 01 00 00 00 C2 0C 00");
    Built_Directory(&built, BUILT_RELOCATIONS, 0x3800, 40);
    Built_PutAt(&built, 0x3800, 0x2000);
    Built_PutAt(&built, 0x3804, 24);
    Built_PutAt(&built, 0x3808, 0x3804u << 16 | 0x3800);
    Built_PutAt(&built, 0x380C, 0x380Cu << 16 | 0x3808);
    Built_PutAt(&built, 0x3810, 0x3920);
    Built_PutAt(&built, 0x3818, 0x1000);
    Built_PutAt(&built, 0x381C, 16);
    Built_PutAt(&built, 0x3820, 0x3022u << 16 | 0x3001);
    Loads("Second.dll");
    uint32_t base = Machine_Module(machine, 1)->base;
    assert_int_not_equal(base, BASE);
    assert_int_equal(Get(base + 0x2910), 0);
    uint32_t pointers = Get(Machine_Process(machine)->thread_block + 0x2C);
    uint32_t block = Get(pointers);
    assert_int_equal(Get(block), 0x55555555);
    assert_int_equal(Get(block + 4), 0x66666666);
    assert_int_equal(Get(block + 8), 0);
    assert_int_equal(Get(base + 0x2940), 1);
}

TEST(TheEntryPointDecides) {
    static const struct {
        const char *code, *found;
        RpStatus status;
    } rows[] = {
        {"31 C0 C2 0C 00", "FALSE", RP_CRASHED},
        {"A1 00 00 00 00", "exception 0xC0000005 at 0x10001000", RP_CRASHED},
        {"0F 0B", "exception 0xC000001D", RP_CRASHED},
        {"EB FE", "no end", RP_CRASHED},
        {"83 7C 24 08 01 75 F7 8B 44 24 04 2D FF FF FF 0F C2 0C 00", "", RP_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RpError error = {0};
        Built_Code(&built, BUILT_TEXT, rows[i].code);
        assert_int_equal(LoadAs("One.dll", &error), rows[i].status);
        assert_non_null(strstr(error.found, rows[i].found));
    }
    /* the last callback got its base and the reason 1 */
    assert_int_equal(Machine_Module(machine, 0)->base, BASE);
}

TEST(AnEntryPointThatEndsTheProcessIsNamed) {
    RpError error = {0};
    Built_Import(&built, "KERNEL32.dll", "ExitProcess", 0);
    Built_Code(&built, BUILT_TEXT, "6A 03 FF 15 80 23 00 10"); /* ExitProcess(3) */
    assert_int_equal(LoadAs("One.dll", &error), RP_CRASHED);
    assert_string_equal(error.found, "the end of the process with code 3");
    Built_Import(&built, "Nobody.dll", "Nothing", 0);
    assert_int_equal(LoadAs("One.dll", &error), RP_UNSUPPORTED);
    assert_string_equal(error.found, "Nobody.Nothing: not there");
}

/* ---- what no DLL may do ---------------------------------------------------------------------- */

TEST(SectionsThatMakeNoSenseAreRefused) {
    Built_Section(&built, 1, 0x1000, 0x1000, 0x1400, 0x1000, 0xC0000040);
    Refuses(RP_CORRUPT, "overlaps");
    Built_Section(&built, 1, 0x5000, 0x1001, 0x1400, 0x1000, 0xC0000040);
    Refuses(RP_CORRUPT, "leaves the image");
    Built_Section(&built, 1, 0xFFFFF000, 0x2000, 0x1400, 0x1000, 0xC0000040);
    Refuses(RP_CORRUPT, "leaves the image");
    Built_Section(&built, 1, 0x2100, 0x1000, 0x1400, 0x1000, 0xC0000040);
    Refuses(RP_CORRUPT, "section");
    Built_Section(&built, 1, 0x2000, 0x1000, 0xFFFFF000, 0x2000, 0xC0000040);
    Refuses(RP_TRUNCATED, "outside the file");
    Built_Section(&built, 1, 0x2000, 0x1000, 0x1400, 0x1000, 0xC0000040);
    Built_Put16(&built, BUILT_PE + 6, 65535);
    Refuses(RP_CORRUPT, "too many sections");
}

TEST(SizesThatMakeNoSenseAreRefused) {
    Built_Put32(&built, BUILT_OPTIONAL + 56, 0);
    Refuses(RP_CORRUPT, "size of the image");
    Built_Put32(&built, BUILT_OPTIONAL + 56, 0xFFFFFFFF);
    Refuses(RP_CORRUPT, "size of the image");
    Built_Put32(&built, BUILT_OPTIONAL + 56, 0x40000000);
    Refuses(RP_NO_MEMORY, "memory");
    Built_Put32(&built, BUILT_OPTIONAL + 56, BUILT_IMAGE);
    Built_Put32(&built, BUILT_OPTIONAL + 60, 0xFFFFFFFF);
    Refuses(RP_CORRUPT, "size of the image");
    Built_Put32(&built, BUILT_OPTIONAL + 60, 0x400);
    Built_Put32(&built, BUILT_OPTIONAL + 16, 0x6000);
    Refuses(RP_CORRUPT, "entry point");
    Built_Put32(&built, BUILT_OPTIONAL + 16, BUILT_TEXT);
    Built_Put16(&built, BUILT_PE + 22, 0x0102);
    Refuses(RP_UNSUPPORTED, "no DLL");
}

TEST(BadRelocationsAreRefused) {
    Loads("First.dll");
    Built_Directory(&built, BUILT_RELOCATIONS, 0x3800, 16);
    Built_PutAt(&built, 0x3800, 0x2000);
    static const uint32_t sizes[] = {0, 4, 7, 17, 0xFFFFFFFF, 0x80000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Built_PutAt(&built, 0x3804, sizes[i]);
        Refuses(RP_CORRUPT, "impossible size");
    }
    Built_PutAt(&built, 0x3804, 12);
    Built_PutAt(&built, 0x3808, 0x3FFD);
    Built_PutAt(&built, 0x3800, 0x5000);
    Refuses(RP_CORRUPT, "outside the image");
    Built_PutAt(&built, 0x3800, 0xFFFFFFFF);
    Refuses(RP_CORRUPT, "outside the image");
    Built_PutAt(&built, 0x3800, 0x2000);
    Built_PutAt(&built, 0x3808, 0x9000);
    Refuses(RP_UNSUPPORTED, "unknown kind");
    Built_Directory(&built, BUILT_RELOCATIONS, 0xFFFFFFF8, 0xFFFFFFFF);
    Refuses(RP_CORRUPT, "impossible size");
}

TEST(ExportsOutsideTheImageAreNone) {
    Built_Export(&built, "Alpha", 0x6000, NULL);
    Loads("One.dll");
    assert_int_equal(Machine_Export(machine, 0, "Alpha"), 0);
    assert_int_equal(Machine_Ordinal(machine, 0, 7), 0);
    Built_Init(&built, 0x20000000);
    Built_Export(&built, "Alpha", 0x1010, NULL);
    Built_PutAt(&built, 0x2114, 1000000);
    Refuses(RP_CORRUPT, "too many exports");
    Built_PutAt(&built, 0x2114, 1);
    Built_PutAt(&built, 0x2140, 5);
    Refuses(RP_CORRUPT, "ordinal is out of range");
}

TEST(ImportBombsEnd) {
    Built_Import(&built, "Nobody.dll", NULL, 1);
    /* Makes 60 descriptors that share a list of 450 imports, which are 27,000 imports that nobody
     * exports. */
    for (uint32_t i = 0; i < 60; i++) {
        Built_PutAt(&built, 0x2400 + 20 * i, 0x3000);
        Built_PutAt(&built, 0x2400 + 20 * i + 12, 0x23A0);
        Built_PutAt(&built, 0x2400 + 20 * i + 16, 0x3000);
    }
    for (uint32_t i = 0; i < 450; i++)
        Built_PutAt(&built, 0x3000 + 4 * i, 0x80000000 | i);
    Built_Directory(&built, BUILT_IMPORTS, 0x2400, 0);
    Refuses(RP_UNSUPPORTED, "too many imports");
    /* The gates that the refused DLL took are free again. */
    Built_Import(&built, "KERNEL32.dll", "GetTickCount", 0);
    Loads("One.dll");
    /* This address table is outside of the image. */
    Built_Init(&built, 0x20000000);
    Built_Import(&built, "KERNEL32.dll", "GetTickCount", 0);
    Built_PutAt(&built, 0x2310, 0xFFFFFFFE);
    Refuses(RP_CORRUPT, "import's place");
}

TEST(BadTlsIsRefused) {
    Built_Directory(&built, BUILT_TLS, 0x5FF0, 24);
    Refuses(RP_CORRUPT, "directory of thread-local storage");
    Built_Directory(&built, BUILT_TLS, 0x2800, 24);
    Built_PutAt(&built, 0x2808, BASE + 0x2910);
    Built_PutAt(&built, 0x2800, BASE + 0x5000);
    Built_PutAt(&built, 0x2804, BASE + 0x6001);
    Refuses(RP_CORRUPT, "template");
    Built_PutAt(&built, 0x2804, BASE + 0x4000);
    Refuses(RP_CORRUPT, "template");
    Built_PutAt(&built, 0x2804, BASE + 0x5000);
    Built_PutAt(&built, 0x2810, 0x7FFFFFFF);
    Refuses(RP_CORRUPT, "template");
    Built_PutAt(&built, 0x2810, 0);
    Built_PutAt(&built, 0x2808, BASE + 0x5FFD);
    Refuses(RP_CORRUPT, "index");
}

/* Whatever a changed file does, the machine stays as it was, or gets one more module. */
TEST(NoChangedFileBreaksTheMachine) {
    static const uint32_t extremes[] = {0,          1,          0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                        0xFFFFF000, 0x00001000, 0x00005FFC, 0x10002000};
    uint32_t random = 7, loaded = 0;
    Loads("First.dll"); /* takes the base, so that the other DLL has to be relocated */
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    uint64_t mapped = Machine_Memory(machine)->mapped;
    for (int round = 0; round < 2000; round++) {
        Built_Init(&built, BASE);
        Built_Export(&built, "Alpha", 0x1010, round & 1 ? "First.Alpha" : NULL);
        Built_Import(&built, round & 2 ? "KERNEL32.dll" : "First.dll", "GetTickCount", 0);
        Built_Directory(&built, BUILT_RELOCATIONS, 0x3800, 16);
        Built_PutAt(&built, 0x3800, 0x2000);
        Built_PutAt(&built, 0x3804, 16);
        Built_PutAt(&built, 0x3808, 0x3804u << 16 | 0x3800);
        Built_PutAt(&built, 0x380C, 0x3808);
        Built_Directory(&built, BUILT_TLS, 0x2800, 24);
        Built_PutAt(&built, 0x2800, BASE + 0x2900);
        Built_PutAt(&built, 0x2804, BASE + 0x2908);
        Built_PutAt(&built, 0x2808, BASE + 0x2910);
        for (int change = 0; change < 2; change++) {
            Random_Lcg32(&random);
            uint32_t place = random >> 10, what = random >> 4 & 15;
            uint32_t offset = place & 1024 ? BUILT_PE + place % 380 : 0x1400 + place % 0x1000;
            Random_Lcg32(&random);
            Built_Put32(&built, offset, what < 9 ? extremes[what] : random >> 8);
        }
        RpError error;
        loaded += LoadAs("changed.dll", &error) == RP_OK;
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
        assert_int_equal(Machine_Memory(machine)->mapped, mapped);
        assert_null(Machine_Module(machine, 1));
    }
    assert_in_range(loaded, 200, 1900);
}

AROUND_EACH(Fixture_Make, Fixture_Destroy)
