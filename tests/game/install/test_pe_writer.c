/* Tests of DLLs whose export table was completed: what each export leads to, and what is refused.
 * check_completed.c asks whether Windows agrees. */
#include "tests/game/dll_image.h"

#include "core/digest.h"
#include "exports/section.h"
#include "game/install/pe_writer.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { GATES = 8 };

typedef struct Fixture {
    uint8_t ours[DLL_MAX_BYTES], original[DLL_MAX_BYTES];
    size_t size;
    RpBuffer out;
    PeFile completed; /* opened from the bytes of `out` */
} Fixture;

static Fixture fixture;

static const DllExport our_exports[] = {
    {54, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
    {31, "ngiProcessError", DLL_CODE, 4, NULL, NULL},
    {1003, "g_FastProc", DLL_DATA, 0, NULL, NULL},
    {1010, "rsLibNum", DLL_CODE, 4, NULL, NULL},
    {1011, "rsFind", DLL_DATA, 0, NULL, NULL}, /* it is data, while the original has code there */
    {2000, "RetroposeInternal", DLL_CODE, 4, NULL, NULL},
};
static const DllSpec our_spec = {"Ngi32.dll", our_exports, COUNT(our_exports), GATES, 2001};

static const DllExport original_exports[] = {
    {54, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
    /* its address differs from that of ngiProcessError in the known version */
    {31, NULL, DLL_CODE, 4, NULL, NULL},
    {60, "g_FastProc", DLL_DATA, 0, NULL, NULL},
    {61, "g_Other", DLL_DATA, 0, NULL, NULL},
    {62, NULL, DLL_DATA, 0, NULL, NULL},
    {7, "rsFind", DLL_CODE, 8, NULL, NULL},
    {70, "Elsewhere", DLL_FORWARDER, 0, NULL, "KERNEL32.Sleep"},
    {80, "vrtPutDib", DLL_BODY, 0, "C20800", NULL},
    {81, "n3dClear", DLL_BODY, 0, "33C0C21000", NULL},
    {90, "Zulu", DLL_CODE, 0, NULL, NULL},
    {90, "Alias", DLL_CODE, 0, NULL, NULL},
};
static const DllSpec original_spec = {"Ngi32.dll", original_exports, COUNT(original_exports), 0, 0};

static RpStatus CompleteFiles(const uint8_t *ours, size_t ours_size, const uint8_t *original,
                              size_t original_size, RpError *error) {
    PeFile pe, original_pe;
    RpStatus status = Pe_Open(ours, ours_size, "ours", &pe, error);
    if (status)
        return status;
    status = Pe_Open(original, original_size, "original", &original_pe, error);
    if (!status) {
        status = PeWriter_Complete(&pe, &original_pe, ABI_NGI32, &fixture.out, error);
        Pe_Close(&original_pe);
    }
    Pe_Close(&pe);
    return status;
}

TEST_AROUND(BuildBoth) {
    fixture.size = DllImage_Make(&our_spec, fixture.ours);
    DllImage_Make(&original_spec, fixture.original);
    RpBuffer_Init(&fixture.out, NULL);
    return 0;
}

TEST_AROUND(Free) {
    RpBuffer_Free(&fixture.out);
    Pe_Close(&fixture.completed);
    return 0;
}

static RpStatus Try(RpError *error) {
    return CompleteFiles(fixture.ours, fixture.size, fixture.original, fixture.size, error);
}

static void Complete(void) {
    RpError error = {0};
    if (Try(&error))
        fail_msg("%s, %s: %s", error.what, error.where, error.found);
    if (Pe_Open(fixture.out.bytes, fixture.out.size, "completed", &fixture.completed, &error))
        fail_msg("%s: %s", error.what, error.found);
}

static void Refuses(RpStatus status, const char *what) {
    RpError error = {0};
    assert_int_equal(Try(&error), status);
    assert_string_equal(error.what, what);
    assert_int_equal(error.status, status);
    assert_int_equal(fixture.out.size, 0);
}

static const PeExport *ByOrdinal(const PeFile *pe, uint32_t ordinal) {
    for (size_t i = 0; i < pe->export_count; i++)
        if (pe->exports[i].ordinal == ordinal)
            return &pe->exports[i];
    return NULL;
}

static uint32_t OurRva(const char *name) {
    for (uint32_t i = 0; i < COUNT(our_exports); i++)
        if (strcmp(our_exports[i].name, name) == 0)
            return our_exports[i].kind == DLL_DATA ? DLL_DATA_RVA + 4 * i : DLL_TEXT + 16 * i;
    fail_msg("%s is none of ours", name);
    return 0;
}

static void LeadsTo(const char *name, uint32_t ordinal, uint32_t rva) {
    const PeExport *row =
        name ? Pe_FindExport(&fixture.completed, name) : ByOrdinal(&fixture.completed, ordinal);
    assert_non_null(row);
    assert_int_equal(row->ordinal, ordinal);
    assert_null(row->forwarder);
    assert_int_equal(row->rva, rva);
}

static void IsForwarded(const char *name, uint32_t ordinal, const char *forwarder) {
    const PeExport *row = ByOrdinal(&fixture.completed, ordinal);
    assert_non_null(row);
    if (name)
        assert_string_equal(row->name, name);
    else
        assert_null(row->name);
    assert_non_null(row->forwarder);
    assert_string_equal(row->forwarder, forwarder);
}

/* ---- where exports lead ---------------------------------------------------------------------- */

TEST(EveryExportOfTheOriginalIsThere) {
    Complete();
    LeadsTo("ngiAlloc", 54, OurRva("ngiAlloc"));
    LeadsTo("g_FastProc", 60, OurRva("g_FastProc"));
    IsForwarded("g_Other", 61, "Ngi32.retail.dll.g_Other");
    IsForwarded(NULL, 62, "Ngi32.retail.dll.#62");
    IsForwarded("Elsewhere", 70, "KERNEL32.Sleep");
    /* Gates are in the order of ordinals. */
    LeadsTo("rsFind", 7, DLL_POOL);
    LeadsTo(NULL, 31, DLL_POOL + 8);
    LeadsTo("vrtPutDib", 80, DLL_POOL + 16);
    LeadsTo("n3dClear", 81, DLL_POOL + 24);
    LeadsTo("Zulu", 90, DLL_POOL + 32);
    LeadsTo("Alias", 90, DLL_POOL + 32);
    /* There are 11 exports of the original and two of our own. */
    assert_int_equal(fixture.completed.export_count, COUNT(original_exports) + 2);
    assert_string_equal(fixture.completed.export_name, "Ngi32.dll");
}

TEST(WhatTheOriginalDoesNotExportIsGone) {
    Complete();
    assert_null(Pe_FindExport(&fixture.completed, "rsLibNum"));
    assert_null(ByOrdinal(&fixture.completed, 1010));
    assert_null(Pe_FindExport(&fixture.completed, "ngiProcessError"));
    LeadsTo("RetroposeInternal", 2000, OurRva("RetroposeInternal"));
    LeadsTo("RetroposeGates", 2001, DLL_GATES);
}

TEST(OurOwnExportsMakeRoomForTheOriginals) {
    static const DllExport exports[] = {{2000, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
                                        {2001, NULL, DLL_CODE, 0, NULL, NULL},
                                        {2003, NULL, DLL_CODE, 0, NULL, NULL}};
    const DllSpec spec = {"Ngi32.dll", exports, COUNT(exports), 0, 0};
    DllImage_Make(&spec, fixture.original);
    Complete();
    LeadsTo("ngiAlloc", 2000, OurRva("ngiAlloc"));
    LeadsTo("RetroposeInternal", 2004, OurRva("RetroposeInternal"));
    LeadsTo("RetroposeGates", 2002, DLL_GATES);
}

/* An export without a name is known if its ordinal and its address are those of the known version.
 */
TEST(ANamelessExportIsKnownByOrdinalAndAddress) {
    static const DllExport row = {31, NULL, DLL_CODE, 4, NULL, NULL};
    const DllSpec spec = {"Ngi32.dll", &row, 1, 0, 0};
    DllImage_Make(&spec, fixture.original);
    DllImage_Put32(fixture.original, DllImage_Offset(DLL_NAMES + 40),
                   Abi_Find("ngi32.ngiProcessError")->rva);
    Complete();
    LeadsTo(NULL, 31, OurRva("ngiProcessError"));
}

TEST(NamesAreInTheOrderThatLoadersSearch) {
    Complete();
    const uint8_t *file = fixture.out.bytes;
    uint32_t directory = DllImage_Get32(file, DLL_PE + 24 + 96);
    const uint8_t *head = Pe_At(&fixture.completed, directory, 40);
    uint32_t count = DllImage_Get32(head, 24), names = DllImage_Get32(head, 32);
    assert_int_equal(count, 11);
    const char *last = "";
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rva = DllImage_Get32(Pe_At(&fixture.completed, names + 4 * i, 4), 0);
        const char *name = (const char *)Pe_At(&fixture.completed, rva, 1);
        assert_true(strcmp(last, name) < 0);
        last = name;
    }
}

/* ---- the section ----------------------------------------------------------------------------- */

TEST(TheSectionSaysWhichGateIsWhat) {
    static const struct {
        uint32_t ordinal, original_rva, flags, pops;
        const char *name;
    } expected[] = {
        {7, DLL_TEXT + 16 * 5, 0, 0, "rsFind"},
        {31, DLL_TEXT + 16 * 1, 0, 0, NULL},
        {80, DLL_TEXT + 16 * 7, EXPORTS_GATE_STUB, 8, "vrtPutDib"},
        {81, DLL_TEXT + 16 * 8, EXPORTS_GATE_STUB | EXPORTS_GATE_CLEARS, 16, "n3dClear"},
        {90, DLL_TEXT + 16 * 10, 0, 0, "Alias"}};
    Complete();
    const PeSection *section = Pe_FindSection(&fixture.completed, EXPORTS_SECTION_NAME);
    assert_non_null(section);
    const ExportsSection *head =
        (const ExportsSection *)Pe_At(&fixture.completed, section->rva, sizeof *head);
    assert_int_equal(head->magic, EXPORTS_SECTION_MAGIC);
    assert_int_equal(head->version, EXPORTS_SECTION_VERSION);
    assert_int_equal(head->module, ABI_NGI32);
    assert_int_equal(head->size, section->virtual_size);
    assert_int_equal(head->original_size, fixture.size);
    assert_int_equal(head->built_directory_rva, DLL_NAMES);
    assert_int_equal(head->built_directory_size, DllImage_Get32(fixture.ours, DLL_PE + 24 + 100));
    assert_int_equal(head->directory_rva, DllImage_Get32(fixture.out.bytes, DLL_PE + 24 + 96));
    assert_int_equal(head->directory_size, DllImage_Get32(fixture.out.bytes, DLL_PE + 24 + 100));
    assert_int_equal(head->directory_rva + head->directory_size, section->rva + head->size);
    assert_int_equal(head->gate_count, COUNT(expected));
    for (uint32_t i = 0; i < COUNT(expected); i++) {
        const ExportsSectionGate *gate = (const ExportsSectionGate *)Pe_At(
            &fixture.completed, head->gates_rva + 16 * i, sizeof *gate);
        assert_int_equal(gate->ordinal, expected[i].ordinal);
        assert_int_equal(gate->original_rva, expected[i].original_rva);
        assert_int_equal(gate->flags, expected[i].flags);
        assert_int_equal(gate->pops, expected[i].pops);
        if (expected[i].name)
            assert_string_equal((const char *)Pe_At(&fixture.completed, gate->name_rva, 1),
                                expected[i].name);
        else
            assert_int_equal(gate->name_rva, 0);
    }
    assert_int_equal(DllImage_Get32(fixture.out.bytes, DllImage_Offset(DLL_GATES) + 20),
                     section->rva);
}

TEST(TheSectionTellsOfItsOriginal) {
    PeCompletion completion;
    PeFile ours;
    char digest[DIGEST_HEX_BYTES];
    RpError error;
    Complete();
    Digest_OfBytes(fixture.original, fixture.size, digest);
    assert_int_equal(PeWriter_Inspect(&fixture.completed, &completion, NULL), RP_OK);
    assert_string_equal(completion.original_sha256, digest);
    assert_int_equal(completion.original_size, fixture.size);
    assert_int_equal(completion.gate_count, 5);
    assert_int_equal(completion.module, ABI_NGI32);
    assert_int_equal(Pe_Open(fixture.ours, fixture.size, "ours", &ours, NULL), RP_OK);
    assert_int_equal(PeWriter_Inspect(&ours, &completion, &error), RP_NOT_FOUND);
    Pe_Close(&ours);
    const PeSection *section = Pe_FindSection(&fixture.completed, EXPORTS_SECTION_NAME);
    fixture.out.bytes[section->file_offset + 4]++;
    assert_int_equal(PeWriter_Inspect(&fixture.completed, &completion, &error), RP_CORRUPT);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Computes the checksum by its definition: a sum of words with a carry at each of them. */
static uint32_t SlowChecksum(const uint8_t *bytes, size_t size, size_t field) {
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        if (i < field || i >= field + 4)
            sum += (uint64_t)bytes[i] << (i % 2 ? 8 : 0);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint32_t)sum + (uint32_t)size;
}

TEST(TheHeadersAreThoseOfALargerFile) {
    Complete();
    const uint8_t *file = fixture.out.bytes, *pe = file + DLL_PE;
    const PeSection *section = Pe_FindSection(&fixture.completed, EXPORTS_SECTION_NAME);
    assert_int_equal(pe[6], 4);
    assert_int_equal(section->rva, DLL_END);
    assert_int_equal(section->file_offset, fixture.size);
    assert_int_equal(section->file_size % 0x200, 0);
    assert_in_range(section->virtual_size, section->file_size - 0x1FF, section->file_size);
    assert_int_equal(section->characteristics, 0x40000040);
    assert_int_equal(fixture.out.size, fixture.size + section->file_size);
    assert_int_equal(fixture.completed.image_size, DLL_END + 0x3000); /* 2001 ordinals of 4 bytes */
    assert_int_equal(DllImage_Get32(pe, 32), section->file_size);
    assert_int_equal(DllImage_Get32(pe, 88),
                     SlowChecksum(file, fixture.out.size, DLL_PE + 24 + 64));
}

/* Everything stays except for the headers and the pointer to the section. */
TEST(TheRestOfTheFileStays) {
    Complete();
    size_t gates = DllImage_Offset(DLL_GATES) + 20;
    assert_memory_equal(fixture.out.bytes + DLL_HEADERS, fixture.ours + DLL_HEADERS,
                        gates - DLL_HEADERS);
    assert_memory_equal(fixture.out.bytes + gates + 4, fixture.ours + gates + 4,
                        fixture.size - gates - 4);
}

TEST(TheSameFilesGiveTheSameBytes) {
    RpError error;
    assert_int_equal(Try(&error), RP_OK);
    RpBuffer first = fixture.out;
    RpBuffer_Init(&fixture.out, NULL);
    assert_int_equal(Try(&error), RP_OK);
    assert_int_equal(first.size, fixture.out.size);
    assert_memory_equal(first.bytes, fixture.out.bytes, first.size);
    RpBuffer_Free(&first);
}

TEST(AFileThatDoesNotEndAtItsAlignmentIsPadded) {
    RpError error;
    uint8_t *longer = calloc(1, fixture.size + 5);
    memcpy(longer, fixture.ours, fixture.size);
    memcpy(longer + fixture.size, "extra", 5); /* as symbols behind the sections */
    assert_int_equal(
        CompleteFiles(longer, fixture.size + 5, fixture.original, fixture.size, &error), RP_OK);
    assert_memory_equal(fixture.out.bytes + fixture.size, "extra\0\0", 7);
    assert_int_equal(Pe_Open(fixture.out.bytes, fixture.out.size, "", &fixture.completed, NULL),
                     RP_OK);
    assert_int_equal(Pe_FindSection(&fixture.completed, EXPORTS_SECTION_NAME)->file_offset,
                     fixture.size + 0x200);
    LeadsTo("ngiAlloc", 54, OurRva("ngiAlloc"));
    free(longer);
}

/* ---- as many as the original has ------------------------------------------------------------- */

TEST(All145ExportsKeepTheirOrdinals) {
    static char names[145][24];
    static DllExport exports[145];
    DllSpec ours = our_spec;
    ours.gates = EXPORT_GATE_COUNT;
    for (uint32_t i = 0; i < 145; i++) {
        snprintf(names[i], sizeof names[i], "%s%u", i % 3 ? "vrt" : "Mrn", i * 7919 % 1000);
        exports[i] = (DllExport){
            1 + 2 * i, i % 5 ? names[i] : NULL, DLL_CODE, (uint8_t)(4 * (i % 6)), NULL, NULL};
    }
    const DllSpec spec = {"Ngi32.dll", exports, 145, 0, 0};
    DllImage_Make(&ours, fixture.ours);
    DllImage_Make(&spec, fixture.original);
    Complete();
    for (uint32_t i = 0; i < 145; i++) {
        LeadsTo(exports[i].name, exports[i].ordinal, DLL_POOL + 8 * i);
        assert_null(ByOrdinal(&fixture.completed, exports[i].ordinal + 1));
    }
}

TEST(MoreCodeThanGatesIsRefused) {
    static DllExport exports[GATES + 1];
    DllSpec spec = {"Ngi32.dll", exports, GATES, 0, 0};
    for (uint32_t i = 0; i < COUNT(exports); i++)
        exports[i] = (DllExport){1 + i, NULL, DLL_CODE, 0, NULL, NULL};
    DllImage_Make(&spec, fixture.original);
    Complete();
    LeadsTo(NULL, GATES, DLL_POOL + 8 * (GATES - 1));
    RpBuffer_Free(&fixture.out);
    spec.count++;
    DllImage_Make(&spec, fixture.original);
    Refuses(RP_UNSUPPORTED, "the original exports more code than we have gates");
}

TEST(AnOriginalWithoutExportsLeavesOurOwn) {
    const DllSpec spec = {"Ngi32.dll", NULL, 0, 0, 0};
    DllImage_Make(&spec, fixture.original);
    Complete();
    assert_int_equal(fixture.completed.export_count, 2);
    LeadsTo("RetroposeInternal", 2000, OurRva("RetroposeInternal"));
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(ACompletedDllIsNotCompletedAgain) {
    RpError error;
    Complete();
    uint8_t *completed = malloc(fixture.out.size);
    size_t size = fixture.out.size;
    memcpy(completed, fixture.out.bytes, size);
    RpBuffer_Free(&fixture.out);
    assert_int_equal(CompleteFiles(completed, size, fixture.original, fixture.size, &error),
                     RP_INVALID);
    assert_string_equal(error.what, "this DLL has been completed already");
    assert_int_equal(CompleteFiles(fixture.ours, fixture.size, completed, size, &error),
                     RP_INVALID);
    assert_string_equal(error.what, "the original is a DLL of Retropose");
    free(completed);
    DllImage_Put32(fixture.ours, DllImage_Offset(DLL_GATES) + 20, 0x20000);
    Refuses(RP_INVALID, "this DLL has been completed already");
}

TEST(TheOtherModuleIsRefused) {
    DllSpec spec = original_spec;
    spec.name = "AniMesh.dll";
    DllImage_Make(&spec, fixture.original);
    Refuses(RP_INVALID, "the original is another DLL");
    spec.name = "renamed.dll"; /* its exports tell which module it is */
    DllImage_Make(&spec, fixture.original);
    Complete();
    RpBuffer_Free(&fixture.out);
    spec = our_spec;
    spec.name = "AniMesh.dll";
    DllImage_Make(&spec, fixture.ours);
    Refuses(RP_INVALID, "this is another DLL");
}

TEST(ADllWithoutGatesIsRefused) {
    DllSpec spec = our_spec;
    spec.gates = 0;
    spec.gates_ordinal = 0;
    DllImage_Make(&spec, fixture.ours);
    Refuses(RP_UNSUPPORTED, "this DLL has no gates for exports");
}

#define GATES_FIELD(at)   (DLL_HEADERS + DLL_GATES - DLL_TEXT + (at))
#define OUR_EXPORT(place) (DLL_HEADERS + DLL_NAMES - DLL_TEXT + 40 + 4 * ((place)-31))
#define OPTIONAL(at)      (DLL_PE + 24 + (at))
#define NEXT_SECTION      (DLL_SECTIONS + 3 * 40)

static const char other_gates[] = "the DLL's gates are of another version",
                  no_pool[] = "the DLL's gates are not in its code",
                  no_room[] = "the DLL has no room for a section header",
                  alignments[] = "the DLL's alignments contradict the format",
                  outside[] = "an export of ours is in none of the DLL's sections",
                  overlap[] = "the completed DLL does not read back: tables of it overlap";

TEST(ContradictingDllsAreRefused) {
    static const struct {
        uint32_t changes[3][2]; /* offsets and their new dwords; an offset of 0 is none */
        RpStatus status;
        const char *what;
    } cases[] = {
        {{{GATES_FIELD(4), 2}}, RP_UNSUPPORTED, other_gates},
        {{{GATES_FIELD(0), 0}}, RP_UNSUPPORTED, other_gates},
        {{{GATES_FIELD(8), 0xFFFFFFFF}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(8), 5000}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(12), 5}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(12), 0}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(12), 0x10000}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(16), DLL_DATA_RVA}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(16), 0}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(16), 0x7FFFFFFF}}, RP_CORRUPT, no_pool},
        {{{GATES_FIELD(16), DLL_DATA_RVA - 8}}, RP_CORRUPT, no_pool},
        {{{NEXT_SECTION + 36, 0x01000000}}, RP_UNSUPPORTED, no_room},
        {{{OPTIONAL(60), NEXT_SECTION + 39}}, RP_UNSUPPORTED, no_room}, /* end of the headers */
        {{{OPTIONAL(60), NEXT_SECTION + 40}}, RP_OK, NULL},
        {{{OPTIONAL(32), 0x1001}}, RP_CORRUPT, alignments},
        {{{OPTIONAL(32), 0x100}}, RP_CORRUPT, alignments},
        {{{OPTIONAL(32), 0x80000000}}, RP_CORRUPT, alignments},
        {{{OPTIONAL(36), 0}}, RP_CORRUPT, alignments},
        {{{OPTIONAL(96 + 8 * 4), 0x1F400}}, RP_UNSUPPORTED, "the DLL is signed"},
        {{{DLL_SECTIONS + 80 + 8, 0x50000000}}, RP_CORRUPT, "a section of the DLL is too large"},
        {{{DLL_SECTIONS + 80 + 12, 0x90000000}}, RP_UNSUPPORTED, NULL}, /* takes the exports away */
        {{{OPTIONAL(60), 0xFFFFFFF0}}, RP_CORRUPT, "the DLL's headers are too large"},
        {{{OUR_EXPORT(2000), DLL_END + 0x100}}, RP_CORRUPT, outside},
        /* The list of imports ends in the zeros in which the new section's header would be. */
        {{{OPTIONAL(96 + 8), DLL_SECTIONS + 3 * 40 - 12}}, RP_CORRUPT, overlap},
        /* The pointer that is written lies on the end of the list of imports, and the number of
         * gates lies where the imports of that module begin. Without the second change the list
         * would end there. */
        {{{GATES_FIELD(8), DLL_TEXT},
          {GATES_FIELD(8 + 16), DLL_TEXT},
          {OPTIONAL(96 + 8), DLL_GATES + 8}},
         RP_CORRUPT,
         overlap},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t was[3];
        RpError error = {0};
        for (size_t k = 0; k < 3; k++) {
            was[k] = DllImage_Get32(fixture.ours, cases[i].changes[k][0]);
            if (cases[i].changes[k][0])
                DllImage_Put32(fixture.ours, cases[i].changes[k][0], cases[i].changes[k][1]);
        }
        const RpStatus status = Try(&error);
        if (!cases[i].what)
            assert_int_equal(status == RP_OK, cases[i].status == RP_OK);
        else if (status != cases[i].status || strcmp(error.what, cases[i].what) != 0)
            fail_msg("%zu: %s", i, error.what);
        assert_int_equal(error.status, status);
        assert_int_equal(fixture.out.size > 0, status == RP_OK);
        RpBuffer_Free(&fixture.out);
        for (size_t k = 0; k < 3; k++)
            if (cases[i].changes[k][0])
                DllImage_Put32(fixture.ours, cases[i].changes[k][0], was[k]);
    }
    Complete();
}

TEST(OtherMachinesAreRefused) {
    RpError error;
    fixture.original[DLL_PE + 4] = 0x64;
    fixture.original[DLL_PE + 5] = 0x86;
    assert_int_equal(Try(&error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "not a file for i386");
    assert_string_equal(error.where, "original");
}

TEST(WhatNoOverlayCanSayIsRefused) {
    static const DllExport row = {5, "two words", DLL_CODE, 0, NULL, NULL};
    const DllSpec spec = {"Ngi32.dll", &row, 1, 0, 0};
    DllImage_Make(&spec, fixture.original);
    Refuses(RP_UNSUPPORTED, "an export's name is no word");
}

TEST(GatesInTheHeadersAreRefused) {
    uint32_t place = DLL_HEADERS - 24;
    memcpy(fixture.ours + place, fixture.ours + DllImage_Offset(DLL_GATES), 24);
    DllImage_Put32(fixture.ours, OUR_EXPORT(our_spec.gates_ordinal), place);
    Refuses(RP_CORRUPT, outside);
}

TEST(EveryNameOfOursGetsAnOrdinalOfItsOwn) {
    enum { NAMES = 1000 };
    static DllExport exports[NAMES];
    static char names[NAMES][24];
    const DllSpec spec = {"Ngi32.dll", exports, NAMES, GATES, 2001};
    bool taken[NAMES + 1] = {false};
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "Retropose%u", i);
        exports[i] = (DllExport){2000, names[i], DLL_DATA, 0, NULL, NULL};
    }
    DllImage_Make(&spec, fixture.ours);
    const DllSpec none = {"Ngi32.dll", NULL, 0, 0, 0};
    DllImage_Make(&none, fixture.original);
    Complete();
    assert_int_equal(fixture.completed.export_count, NAMES + 1);
    for (size_t i = 0; i <= NAMES; i++) {
        uint32_t place = fixture.completed.exports[i].ordinal - 2000;
        assert_in_range(place, 0, NAMES);
        assert_false(taken[place]);
        taken[place] = true;
    }
}

TEST(EveryTruncationIsRefused) {
    RpError error;
    for (size_t size = 0; size < fixture.size; size += size < 0x600 ? 1 : 61) {
        uint8_t *cut = malloc(size ? size : 1); /* so that a sanitizer sees a read past its end */
        memcpy(cut, fixture.original, size);
        assert_int_not_equal(CompleteFiles(fixture.ours, fixture.size, cut, size, &error), RP_OK);
        memcpy(cut, fixture.ours, size);
        assert_int_not_equal(CompleteFiles(cut, size, fixture.original, fixture.size, &error),
                             RP_OK);
        free(cut);
    }
    assert_int_equal(fixture.out.size, 0);
}

static unsigned CompleteChanged(void) {
    RpError error;
    PeFile pe;
    if (Try(&error) != RP_OK) {
        assert_int_equal(fixture.out.size, 0);
        return 0;
    }
    /* The result is a PE file again. */
    assert_int_equal(Pe_Open(fixture.out.bytes, fixture.out.size, "", &pe, &error), RP_OK);
    Pe_Close(&pe);
    RpBuffer_Free(&fixture.out);
    return 1;
}

TEST(NoChangedByteBreaksTheWriter) {
    static const uint8_t changes[] = {0x00, 0x7F, 0xFF};
    uint8_t *files[] = {fixture.ours, fixture.original};
    size_t names = DllImage_Offset(DLL_NAMES), gates = DllImage_Offset(DLL_GATES);
    const size_t ranges[][2] = {
        {DLL_PE, DLL_SECTIONS + 120}, {names, names + 40}, {gates, gates + 24}};
    unsigned done = 0, tried = 0;
    for (size_t file = 0; file < 2; file++)
        for (size_t range = 0; range < COUNT(ranges); range++)
            for (size_t i = ranges[range][0]; i < ranges[range][1]; i++) {
                uint8_t was = files[file][i];
                for (size_t k = 0; k < COUNT(changes); k++, tried++) {
                    files[file][i] = changes[k];
                    done += CompleteChanged();
                }
                files[file][i] = was;
            }
    assert_in_range(done, tried / 4, tried - tried / 20);
}

AROUND_EACH(BuildBoth, Free)
