/* Tests of the export list of an original: what is recognised, what is kept, and what is
 * refused. */
#include "tests/game/dll_image.h"

#include "game/exports/exports_import.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint8_t image[DLL_MAX_BYTES];
static PeFile pe; /* of `image` */
static Overlay overlay;
static RpError error;

TEST_AROUND(Close) {
    Overlay_Free(&overlay);
    Pe_Close(&pe);
    Overlay_Init(&overlay, NULL);
    return 0;
}

/* Makes a DLL and opens it, beside an empty overlay. */
static void Build(const char *name, const DllExport *exports, size_t count) {
    const DllSpec spec = {.name = name, .exports = exports, .count = count};
    Close(NULL);
    if (Pe_Open(image, DllImage_Make(&spec, image), "made", &pe, &error))
        fail_msg("%s: %s", error.what, error.found);
}

static void Import(AbiModule module, Overlay *into) {
    if (ExportsImport_Read(&pe, module, into, &error))
        fail_msg("%s: %s", error.what, error.found);
}

/* ---- what is at an address ------------------------------------------------------------------- */

static const struct {
    const char *body;
    OverlayExportKind kind;
    uint32_t pops;
    bool clears;
} bodies[] = {
    {"C20C00", OVERLAY_STUB, 12, false},
    {"C20001", OVERLAY_STUB, 256, false},
    {"C3", OVERLAY_STUB, 0, false},
    {"33C0C21000", OVERLAY_STUB, 16, true},
    {"31C0C3", OVERLAY_STUB, 0, true},
    {"2BC0C20400", OVERLAY_STUB, 4, true},
    {"29C0C3", OVERLAY_STUB, 0, true},
    {"33DBC3", OVERLAY_CODE, 0, false},     /* clears another register */
    {"33C033C0C3", OVERLAY_CODE, 0, false}, /* more than one instruction */
    {"90C3", OVERLAY_CODE, 0, false},
    {"33C0", OVERLAY_CODE, 0, false},
    {"B801000000C3", OVERLAY_CODE, 0, false}, /* returns 1 */
    {"CB", OVERLAY_CODE, 0, false},           /* far return */
    {"E94B000000", OVERLAY_STUB, 20, false},  /* row 13, to row 18 + 0 */
    {"EB5E", OVERLAY_STUB, 20, true},         /* row 14, behind the last row */
    {"EBEE", OVERLAY_CODE, 0, false},         /* row 15, to row 14: two jumps */
    {"E900000070", OVERLAY_CODE, 0, false},   /* leads out of the file */
    {"FF2500000110", OVERLAY_CODE, 0, false}, /* leads through a table, as an import does */
    {"C21400", OVERLAY_STUB, 20, false},
};

TEST(StubsAreToldFromCode) {
    DllExport exports[COUNT(bodies)];
    for (size_t i = 0; i < COUNT(bodies); i++)
        exports[i] = (DllExport){(uint32_t)i + 1, NULL, DLL_BODY, 0, bodies[i].body, NULL};
    Build("Ngi32.dll", exports, COUNT(bodies));
    /* The short jump of row 14 leads to sub eax,eax; ret 0x14. */
    memcpy(image + DllImage_Offset(DLL_TEXT + 16 * 14 + 2 + 0x5E), "\x2B\xC0\xC2\x14", 5);
    Import(ABI_NGI32, &overlay);
    assert_int_equal(overlay.export_count, COUNT(bodies));
    for (size_t i = 0; i < COUNT(bodies); i++) {
        const OverlayExport *row = &overlay.exports[i];
        if (row->kind != bodies[i].kind || row->pops != bodies[i].pops ||
            row->clears != bodies[i].clears)
            fail_msg("%s: %s %u %d", bodies[i].body, OverlayExportKind_Name(row->kind), row->pops,
                     row->clears);
        assert_int_equal(row->rva, DLL_TEXT + 16 * i);
    }
}

/* The code ends before the bytes that would have to be read. */
TEST(StubsEndInsideTheCode) {
    static const struct {
        const char *bytes;
        size_t count;
        OverlayExportKind kind;
    } ends[] = {{"\xC3", 1, OVERLAY_STUB},        {"\xC2", 1, OVERLAY_CODE},
                {"\xC2\x04", 2, OVERLAY_CODE},    {"\xC2\x04\x00", 3, OVERLAY_STUB},
                {"\x33", 1, OVERLAY_CODE},        {"\x33\xC0", 2, OVERLAY_CODE},
                {"\xE9\x00\x00", 3, OVERLAY_CODE}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        const DllExport row = {1, "A", DLL_CODE, 0, NULL, NULL};
        Build("Ngi32.dll", &row, 1);
        uint32_t start = DLL_DATA_RVA - (uint32_t)ends[i].count;
        memcpy(image + DllImage_Offset(start), ends[i].bytes, ends[i].count);
        pe.exports[0].rva = start;
        Import(ABI_NGI32, &overlay);
        assert_int_equal(overlay.exports[0].kind, ends[i].kind);
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

TEST(TheListIsInTheOrderOfOrdinalsAndNames) {
    static const DllExport exports[] = {
        {9, "Zeta", DLL_CODE, 0, NULL, NULL},         {2, "Alpha", DLL_DATA, 0, NULL, NULL},
        {5, NULL, DLL_BODY, 0, "C20800", NULL},       {9, "Eta", DLL_CODE, 0, NULL, NULL},
        {7, "There", DLL_FORWARDER, 0, NULL, "X.#3"}, {300, "Last", DLL_BODY, 0, "90C3", NULL},
    };
    static const char expected[] = "export animesh 2 Alpha 0x10004 data\n"
                                   "export animesh 5 - 0x01020 stub 8\n"
                                   "export animesh 7 There 0x1450A forwarder X.#3\n"
                                   "export animesh 9 Eta 0x01030 code\n"
                                   "export animesh 9 Zeta 0x01030 code\n"
                                   "export animesh 300 Last 0x01050 code\n";
    RpBuffer text;
    Build("AniMesh.dll", exports, COUNT(exports));
    Import(ABI_ANIMESH, &overlay);
    RpBuffer_Init(&text, NULL);
    assert_int_equal(Overlay_Format(&overlay, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    const char *list = strstr((const char *)text.bytes, "export");
    assert_string_equal(list, expected);
    assert_int_equal(overlay.modules[ABI_ANIMESH].size, pe.size);
    assert_false(overlay.modules[ABI_NGI32].known);
    RpBuffer_Free(&text);
}

TEST(AFileWithoutExportsIsAnEmptyList) {
    Build("Ngi32.dll", NULL, 0);
    Import(ABI_NGI32, &overlay);
    assert_int_equal(overlay.export_count, 0);
    assert_true(overlay.modules[ABI_NGI32].known);
}

TEST(WhatNoOverlayCanSayIsRefused) {
    char too_long[OVERLAY_NAME_BYTES + 1];
    memset(too_long, 'n', OVERLAY_NAME_BYTES);
    too_long[OVERLAY_NAME_BYTES] = 0;
    const DllExport rows[] = {
        {12, too_long, DLL_CODE, 0, NULL, NULL},
        {12, "two words", DLL_CODE, 0, NULL, NULL},
        {12, "caf\xE9", DLL_CODE, 0, NULL, NULL},
        {12, "-", DLL_CODE, 0, NULL, NULL},
        {12, "", DLL_CODE, 0, NULL, NULL},
        {12, "A", DLL_FORWARDER, 0, NULL, too_long},
        {12, "A", DLL_FORWARDER, 0, NULL, "OTHER. x"},
        {12, "A", DLL_FORWARDER, 0, NULL, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        Build("Ngi32.dll", &rows[i], 1);
        RpStatus status = ExportsImport_Read(&pe, ABI_NGI32, &overlay, &error);
        if (rows[i].name[0] == 0) { /* a name without characters, which is read as none */
            assert_int_equal(status, RP_OK);
        } else {
            assert_int_equal(status, RP_UNSUPPORTED);
            assert_string_equal(error.where, "export 12");
        }
    }
}

TEST(OrdinalsAbove65535AreRefused) {
    static const DllExport row = {65535, "A", DLL_CODE, 0, NULL, NULL};
    Build("Ngi32.dll", &row, 1);
    Import(ABI_NGI32, &overlay);
    pe.exports[0].ordinal++;
    assert_int_equal(ExportsImport_Read(&pe, ABI_NGI32, &overlay, &error), RP_UNSUPPORTED);
    assert_string_equal(error.what, "an ordinal is too large");
}

/* ---- what is known already ------------------------------------------------------------------- */

static size_t FactsAfterImport(const char *facts, AbiModule module) {
    Overlay known;
    assert_int_equal(Overlay_Parse(facts, strlen(facts), NULL, &known, NULL), RP_OK);
    Import(module, &known);
    size_t count = known.function_count;
    assert_int_equal(known.export_count, 2); /* one export of each module */
    assert_non_null(Overlay_FindExport(&known, module, "Fresh"));
    Overlay_Free(&known);
    return count;
}

TEST(FactsOfThisFileStayAndThoseOfAnotherGo) {
    static const DllExport row = {5, "Fresh", DLL_CODE, 0, NULL, NULL};
    static const char other_digest[] =
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    static const char form[] = "retropose-overlay 1\n%s%s\n"
                               "export ngi32 4 Stale 0x10 code\nexport animesh 1 Kept 0x10 code\n"
                               "function ngi32.slot14 at 1\nfunction animesh.SampleNode at 2\n"
                               "function ngi32.slot15 calls 1-2\n";
    char text[1024];
    Build("Ngi32.dll", &row, 1);
    Import(ABI_NGI32, &overlay);
    snprintf(text, sizeof text, form, "module ngi32 size 9 sha256 ",
             overlay.modules[ABI_NGI32].sha256);
    assert_int_equal(FactsAfterImport(text, ABI_NGI32), 3);
    snprintf(text, sizeof text, form, "module ngi32 size 9 sha256 ", other_digest);
    assert_int_equal(FactsAfterImport(text, ABI_NGI32), 1);
    snprintf(text, sizeof text, form, "module animesh size 9 sha256 ", other_digest);
    assert_int_equal(FactsAfterImport(text, ABI_NGI32), 3);
}

/* ---- which module ---------------------------------------------------------------------------- */

static RpStatus Identify(const char *name, const char *export_name, AbiModule *module) {
    const DllExport row = {5, export_name, DLL_CODE, 0, NULL, NULL};
    Build(name, &row, 1);
    return ExportsImport_Identify(&pe, module, &error);
}

TEST(TheModuleIsKnownByItsNameOrItsExports) {
    AbiModule module = ABI_MODULE_COUNT;
    assert_int_equal(Identify("NGI32.DLL", "x", &module), RP_OK);
    assert_int_equal(module, ABI_NGI32);
    assert_int_equal(Identify("animesh.dll", "x", &module), RP_OK);
    assert_int_equal(module, ABI_ANIMESH);
    assert_int_equal(Identify("other.dll", "rsOpenLib", &module), RP_OK);
    assert_int_equal(module, ABI_NGI32);
    assert_int_equal(Identify("other.dll", "LoadAgent", &module), RP_OK);
    assert_int_equal(module, ABI_ANIMESH);
    assert_int_equal(Identify("other.dll", "x", &module), RP_UNSUPPORTED);
    assert_string_equal(error.found, "other.dll");
    assert_int_equal(Identify("Ngi32.dll", "RetroposeInternal", &module), RP_UNSUPPORTED);
    assert_string_equal(error.what, "this DLL is Retropose's own");
}

/* ---- hostile files --------------------------------------------------------------------------- */

static unsigned ImportChanged(size_t size) {
    AbiModule module;
    Close(NULL);
    if (Pe_Open(image, size, "changed", &pe, NULL))
        return 0;
    ExportsImport_Identify(&pe, &module, NULL);
    return ExportsImport_Read(&pe, ABI_NGI32, &overlay, NULL) == RP_OK;
}

TEST(NoChangedByteOfTheTablesIsFollowedOutOfTheFile) {
    static const DllExport exports[] = {
        {9, "Zeta", DLL_CODE, 0, NULL, NULL},
        {5, NULL, DLL_BODY, 0, "E9FEFFFF7F", NULL},
        {7, "There", DLL_FORWARDER, 0, NULL, "X.#3"},
    };
    const DllSpec spec = {.name = "Ngi32.dll", .exports = exports, .count = COUNT(exports)};
    size_t size = DllImage_Make(&spec, image), names = DllImage_Offset(DLL_NAMES);
    unsigned read = 0, tried = 0;
    for (size_t i = 0; i < 0x200 + 0x90; i++) {
        size_t at = i < 0x200 ? i : names + i - 0x200;
        uint8_t was = image[at];
        static const uint8_t changes[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
        for (size_t k = 0; k < COUNT(changes); k++, tried++) {
            image[at] = changes[k];
            read += ImportChanged(size);
        }
        image[at] = was;
    }
    /* some changes are harmless, but not all */
    assert_in_range(read, tried / 4, tried - tried / 20);
}

AROUND_EACH(Close, Close)
