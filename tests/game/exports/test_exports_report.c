/* Tests of an export list beside what is published. */
#include "game/exports/exports_report.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define PUBLISHED "bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5"

static const char list[] =
    "retropose-overlay 1\n"
    "module ngi32 size 253952 sha256 " PUBLISHED "\n"
    "module animesh size 9 sha256 " PUBLISHED "\n"
    "export animesh 1 LoadAgent 0x16A00 stub 4\n"
    "export ngi32 31 ngiProcessError 0x04340 code\n"
    "export ngi32 54 ngiAlloc 0x19E51 code\n"
    "export ngi32 55 ngiGetPalette 0x02A00 stub 0 clears\n"
    "export ngi32 144 ngiIsBackSurface 0x02A00 stub 0 clears\n"
    "export ngi32 160 n3dEndScene 0x025A0 stub 8\n" /* argument bytes unpublished */
    "export ngi32 161 vrtPutDib 0x025A0 stub 8\n"
    "export ngi32 161 vrtPutDibOld 0x025A0 stub 8\n"
    "export ngi32 162 rsLoadBitmap 0x025B0 stub 8\n"
    "export ngi32 163 - 0x3A058 data\n";

static Overlay overlay;
static ExportsReport report;
static RpBuffer text;

TEST_AROUND(FreeReport) {
    RpBuffer_Free(&text);
    ExportsReport_Free(&report);
    Overlay_Free(&overlay);
    return 0;
}

static void MakeReport(AbiModule module, ProviderKind kind) {
    assert_int_equal(Overlay_Parse(list, strlen(list), NULL, &overlay, NULL), RP_OK);
    assert_int_equal(ExportsReport_Make(&overlay, module, kind, &report, NULL), RP_OK);
    RpBuffer_Init(&text, NULL);
}

static const ExportsCheck *CheckOf(const char *key) {
    for (size_t i = 0; i < report.check_count; i++)
        if (strcmp(report.checks[i].function->key, key) == 0)
            return &report.checks[i];
    fail_msg("no check of %s", key);
    return NULL;
}

TEST(OrdinalsAreCountedOnce) {
    MakeReport(ABI_NGI32, PROVIDER_ORIGINAL);
    assert_int_equal(report.exports, 8);
    assert_int_equal(report.names, 8);
    assert_int_equal(report.nameless, 1);
    assert_int_equal(report.code, 2);
    assert_int_equal(report.stubs, 5);
    assert_int_equal(report.stub_addresses, 3);
    assert_int_equal(report.data, 1);
    assert_int_equal(report.forwarders, 0);
}

TEST(OnlyWhatWasReadIsCompared) {
    MakeReport(ABI_NGI32, PROVIDER_ORIGINAL);
    const ExportsCheck *check = CheckOf("ngi32.ngiProcessError");
    assert_int_equal(check->ordinal, EXPORTS_AGREES);
    assert_int_equal(check->rva, EXPORTS_AGREES);
    assert_int_equal(check->stub, EXPORTS_UNPUBLISHED);
    assert_int_equal(CheckOf("ngi32.ngiAlloc")->rva, EXPORTS_DIFFERS);
    assert_int_equal(CheckOf("ngi32.vrtPutDib")->ordinal, EXPORTS_UNPUBLISHED);
    assert_int_equal(CheckOf("ngi32.vrtPutDib")->stub, EXPORTS_AGREES);
    assert_int_equal(CheckOf("ngi32.n3dEndScene")->stub, EXPORTS_AGREES);
    assert_int_equal(CheckOf("ngi32.rsLoadBitmap")->stub, EXPORTS_DIFFERS);
    assert_null(CheckOf("ngi32.rsFind")->found);
    /* Two names differ, and all others are missing, except for seven known ones. */
    assert_int_equal(report.differences, 2 + report.check_count - 7);
}

static void BuildIs(AbiModule module, ProviderKind kind, bool published, const char *words) {
    MakeReport(module, kind);
    assert_int_equal(report.published, published);
    assert_int_equal(ExportsReport_Text(&report, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_non_null(strstr((const char *)text.bytes, words));
    FreeReport(NULL);
}

TEST(AStandInIsNeverPresentedAsTheOriginal) {
    BuildIs(ABI_NGI32, PROVIDER_ORIGINAL, true, "\nthe published version\n");
    BuildIs(ABI_NGI32, PROVIDER_STANDIN, false, "not the retail DLLs");
    BuildIs(ABI_ANIMESH, PROVIDER_ORIGINAL, false, "whose digest nobody has published");
}

TEST(JsonHoldsEveryExportOfTheModule) {
    MakeReport(ABI_NGI32, PROVIDER_ORIGINAL);
    assert_int_equal(ExportsReport_Json(&report, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    size_t rows = 0;
    for (const char *at = (const char *)text.bytes; (at = strstr(at, "\"rva\"")) != NULL; at++)
        rows++;
    assert_int_equal(rows, 9);
    assert_non_null(strstr((const char *)text.bytes, "\"build\":\t\"published\""));
}

AROUND_EACH(NULL, FreeReport)
