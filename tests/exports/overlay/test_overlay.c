/* Tests of overlays: text in both directions, look-ups, and every way in which a line can be
 * wrong. */
#include "exports/overlay/overlay.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define DIGEST_B "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"
#define HEAD     "retropose-overlay 1\n"

static const char whole[] =
    HEAD "# What is known of one pair of originals: docs/formats/overlay.md. It holds no byte of a "
         "game file.\n"
         "module ngi32 size 253952 sha256 " DIGEST_A "\n"
         "module animesh size 147456 sha256 " DIGEST_B "\n"
         "export ngi32 31 ngiProcessError 0x04340 code\n"
         "export ngi32 47 ngiFixedMemMaxBlock 0x02A00 stub 0 clears\n"
         "export ngi32 55 ngiGetPalette 0x02A00 stub 0 clears\n"
         "export ngi32 55 ngiOldPalette 0x02A00 stub 0 clears\n"
         "export ngi32 60 - 0x025A0 stub 8\n"
         "export ngi32 61 g_FastProc 0x3A058 data\n"
         "export ngi32 62 Elsewhere 0x12345678 forwarder OTHER.#12\n"
         "export animesh 1 LoadAgent 0x16A00 code\n"
         "function ngi32.slot17 at 0x14630 build generic call stdcall(q1,q0,result,t) evidence "
         "static+dynamic cases 64\n"
         "function ngi32.slot38 call cdecl(vector) evidence by-hand\n"
         "function ngi32.ngiGetClocks call stdcall()\n"
         "function ngi32.slot14 calls 0-99 call cdecl(quaternion,matrix)\n"
         "function ngi32.slot14 calls 100-18446744073709551615 call cdecl(matrix,quaternion)\n"
         "function animesh.SampleNode at 0x12880 build sse signature 64 " DIGEST_B " entry 6\n"
         "function ngi32.slot23\n";

static Overlay overlay; /* of the present test */
static RpError error;

TEST_AROUND(FreeOverlay) {
    Overlay_Free(&overlay);
    Overlay_Init(&overlay, NULL);
    return 0;
}

/* Takes the place of the overlay that was parsed before. */
static RpStatus Parse(const char *text) {
    Overlay_Free(&overlay);
    return Overlay_Parse(text, strlen(text), NULL, &overlay, &error);
}

static void Opens(const char *text) {
    if (Parse(text))
        fail_msg("%s: %s (%s, %s)", error.where, error.what, error.expected, error.found);
}

static char *Formatted(const Overlay *from) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    assert_int_equal(Overlay_Format(from, &text, NULL), RP_OK);
    assert_true(RpBuffer_Append(&text, "", 1));
    return (char *)text.bytes;
}

TEST(TextComesBackAsItWas) {
    Opens(whole);
    char *text = Formatted(&overlay);
    assert_string_equal(text, whole);
    free(text);
}

TEST(EveryFactIsRead) {
    Opens(whole);
    assert_true(Overlay_IsFor(&overlay, ABI_NGI32, DIGEST_A));
    assert_false(Overlay_IsFor(&overlay, ABI_NGI32, DIGEST_B));
    assert_int_equal(overlay.modules[ABI_ANIMESH].size, 147456);
    assert_int_equal(overlay.export_count, 8);
    const OverlayExport *row = Overlay_FindOrdinal(&overlay, ABI_NGI32, 60);
    assert_int_equal(row->kind, OVERLAY_STUB);
    assert_int_equal(row->pops, 8);
    assert_false(row->clears);
    assert_string_equal(row->name, "");
    row = Overlay_FindExport(&overlay, ABI_NGI32, "Elsewhere");
    assert_int_equal(row->kind, OVERLAY_FORWARDER);
    assert_string_equal(row->forwarder, "OTHER.#12");
    assert_int_equal(row->rva, 0x12345678);
    assert_null(Overlay_FindExport(&overlay, ABI_ANIMESH, "Elsewhere"));
    assert_null(Overlay_FindOrdinal(&overlay, ABI_ANIMESH, 60));
    assert_true(Overlay_FindExport(&overlay, ABI_NGI32, "ngiGetPalette")->clears);
    const OverlayFunction *slot = Overlay_Find(&overlay, Abi_Find("ngi32.slot17"));
    assert_int_equal(slot->rva, 0x14630);
    assert_int_equal(slot->build, OVERLAY_BUILD_GENERIC);
    assert_true(slot->has_call);
    assert_int_equal(slot->convention, ABI_STDCALL);
    assert_int_equal(slot->evidence, OVERLAY_STATIC | OVERLAY_DYNAMIC);
    assert_int_equal(slot->cases, 64);
    assert_memory_equal(slot->order, ((uint8_t[]){1, 0, 3, 2}), 4);
    const OverlayFunction *sampler = Overlay_Find(&overlay, Abi_Find("animesh.SampleNode"));
    assert_int_equal(sampler->signature_bytes, 64);
    assert_int_equal(sampler->entry_bytes, 6);
    assert_string_equal(sampler->signature, DIGEST_B);
}

TEST(CallsFollowTheTableUnlessALineSaysOtherwise) {
    OverlayCall call;
    const AbiFunction *slot = Abi_Find("ngi32.slot17");
    assert_int_equal(Overlay_CallOf(NULL, slot, &call, NULL), RP_OK);
    assert_int_equal(call.convention, slot->convention);
    assert_int_equal(call.param_count, 4);
    assert_memory_equal(call.order, ((uint8_t[]){0, 1, 2, 3}), 4);
    Opens(whole);
    assert_int_equal(Overlay_CallOf(&overlay, slot, &call, NULL), RP_OK);
    assert_int_equal(call.convention, ABI_STDCALL);
    assert_memory_equal(call.order, ((uint8_t[]){1, 0, 3, 2}), 4);
    /* A line that does not state the call leaves the row's call in force. */
    assert_int_equal(Overlay_CallOf(&overlay, Abi_Find("ngi32.slot23"), &call, NULL), RP_OK);
    assert_int_equal(call.param_count, 3);
    assert_int_equal(Overlay_CallOf(&overlay, Abi_Find("ngi32.g_FastProc"), &call, &error),
                     RP_UNSUPPORTED);
    assert_string_equal(error.where, "ngi32.g_FastProc");
}

static uint8_t FirstArgument(const AbiFunction *function, uint64_t sequence) {
    OverlayCall call;
    assert_int_equal(Overlay_CallFor(&overlay, function, sequence, &call, NULL), RP_OK);
    return call.order[0];
}

TEST(ARangeIsForItsCallsOnly) {
    const AbiFunction *slot = Abi_Find("ngi32.slot14");
    Opens(HEAD "function ngi32.slot14 calls 10-19 call cdecl(matrix,quaternion)\n"
               "function ngi32.slot14 calls 30-30 call cdecl(matrix,quaternion)\n");
    assert_null(Overlay_Find(&overlay, slot));
    assert_null(Overlay_FindFor(&overlay, slot, 9));
    assert_int_equal(FirstArgument(slot, 9), 0);
    assert_int_equal(FirstArgument(slot, 10), 1);
    assert_int_equal(FirstArgument(slot, 19), 1);
    assert_int_equal(FirstArgument(slot, 20), 0);
    assert_int_equal(FirstArgument(slot, 30), 1);
    OverlayFunction *line = Overlay_Add(&overlay, slot);
    line->cases = 7;
    assert_int_equal(Overlay_FindFor(&overlay, slot, 9)->cases, 7);
    assert_true(Overlay_FindFor(&overlay, slot, 15)->ranged);
    assert_ptr_equal(Overlay_Add(&overlay, slot), Overlay_Find(&overlay, slot));
    assert_int_equal(overlay.function_count, 3);
    /* The line without a range comes first and says nothing about call 0 in particular. */
    Opens(HEAD "function ngi32.slot14\n"
               "function ngi32.slot14 calls 0-0 call cdecl(matrix,quaternion)\n");
    assert_int_equal(FirstArgument(slot, 0), 1);
    assert_int_equal(FirstArgument(slot, 1), 0);
}

TEST(AnEmptyTextIsAnEmptyOverlay) {
    static const char *const texts[] = {
        "", "\n", "# nothing\n", "  \t\r\n\r\n", HEAD, "retropose-overlay 0x1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Opens(texts[i]);
        assert_int_equal(overlay.export_count + overlay.function_count, 0);
        assert_false(overlay.modules[0].known || overlay.modules[1].known);
    }
}

TEST(WindowsLineEndsAndBlanksAreTaken) {
    Opens("\r\n  retropose-overlay\t1  \r\n\r\n\texport ngi32  5 A 16 stub 4\tclears \r\n"
          "  # a remark\r\nfunction ngi32.slot38 cases 3 call cdecl(vector)");
    assert_int_equal(overlay.exports[0].rva, 16);
    assert_true(overlay.exports[0].clears);
    assert_int_equal(overlay.functions[0].cases, 3);
}

/* ---- what is wrong --------------------------------------------------------------------------- */

typedef struct Wrong {
    const char *line; /* the second line of the text, after HEAD */
    const char *what;
} Wrong;

#define EXPORT "export ngi32 5 A 0x10 code\n"
#define SLOT   "function ngi32.slot14 "

static const Wrong wrongs[] = {
    {"modul ngi32", "unknown line"},
    {"module", "unknown module"},
    {"module Ngi32 size 1 sha256 " DIGEST_A, "unknown module"},
    {"module ngi32 bytes 1 sha256 " DIGEST_A, "malformed line"},
    {"module ngi32 size -1 sha256 " DIGEST_A, "not a number, or one too large"},
    {"module ngi32 size 4294967296 sha256 " DIGEST_A, "not a number, or one too large"},
    {"module ngi32 size 1 sha1 " DIGEST_A, "malformed line"},
    {"module ngi32 size 1 sha256 0011", "malformed digest"},
    {"module ngi32 size 1 sha256 " DIGEST_A "0", "malformed digest"},
    {"module ngi32 size 1 sha256 "
     "X0112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
     "malformed digest"},
    {"module ngi32 size 1 sha256 "
     "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF",
     "malformed digest"},
    {"module ngi32 size 1 sha256 " DIGEST_A " more", "more words than the line has"},
    {"export ngi 5 A 0x10 code", "unknown module"},
    {"export ngi32 five A 0x10 code", "not a number, or one too large"},
    {"export ngi32 65536 A 0x10 code", "an ordinal is too large"},
    {"export ngi32 5", "malformed name of an export"},
    {"export ngi32 5 #A 0x10 code", "an export's name is no word"},
    {"export ngi32 5 \xC4 0x10 code", "an export's name is no word"},
    {"export ngi32 5 A 0x code", "not a number, or one too large"},
    {"export ngi32 5 A 0x1G code", "not a number, or one too large"},
    {"export ngi32 5 A 1A code", "not a number, or one too large"},
    {"export ngi32 5 A 0x100000000 code", "not a number, or one too large"},
    {"export ngi32 5 A 0x10", "unknown kind of export"},
    {"export ngi32 5 A 0x10 text", "unknown kind of export"},
    {"export ngi32 5 A 0x10 code 8", "more words than the line has"},
    {"export ngi32 5 A 0x10 stub", "not a number, or one too large"},
    {"export ngi32 5 A 0x10 stub 65536", "a stub pops too much"},
    {"export ngi32 5 A 0x10 stub 4 clear", "more words than the line has"},
    {"export ngi32 5 A 0x10 forwarder", "malformed target of a forwarder"},
    {"export ngi32 5 A 0x10 forwarder -", "a forwarder's target is no word"},
    {"function", "unknown function"},
    {"function ngi32.slot", "unknown function"},
    {"function ngi32.slot170", "unknown function"},
    {SLOT "where 5", "unknown fact of a function"},
    {SLOT "at", "not a number, or one too large"},
    {SLOT "at 1 at 2", "a fact of a function is given twice"},
    {SLOT "build unknown", "unknown build"},
    {SLOT "build", "unknown build"},
    {SLOT "calls 5", "malformed range of calls"},
    {SLOT "calls 5-", "malformed range of calls"},
    {SLOT "calls -5", "malformed range of calls"},
    {SLOT "calls 5-6-7", "malformed range of calls"},
    {SLOT "calls 5-18446744073709551616", "malformed range of calls"},
    {SLOT "calls 6-5", "a range of calls ends before it begins"},
    {SLOT "call", "malformed call"},
    {SLOT "call cdecl", "malformed call"},
    {SLOT "call cdecl(", "malformed call"},
    {SLOT "call cdecl)", "malformed call"},
    {SLOT "call (quaternion,matrix)", "unknown calling convention"},
    {SLOT "call pascal(quaternion,matrix)", "unknown calling convention"},
    {SLOT "call cdecl()", "an order of arguments is no permutation"},
    {SLOT "call cdecl(quaternion)", "an order of arguments is no permutation"},
    {SLOT "call cdecl(quaternion,quaternion)", "an order of arguments is no permutation"},
    {SLOT "call cdecl(quaternion,matrix,matrix)", "an order of arguments is no permutation"},
    {SLOT "call cdecl(quaternion,matrix,)", "unknown parameter, or one too many"},
    {SLOT "call cdecl(,quaternion,matrix)", "unknown parameter, or one too many"},
    {SLOT "call cdecl(quaternio,matrix)", "unknown parameter, or one too many"},
    {SLOT "call cdecl(quaternion, matrix)", "malformed call"},
    {SLOT "call cdecl(quaternion,quaternion,quaternion,quaternion,quaternion,quaternion,"
          "quaternion,quaternion,quaternion,quaternion,quaternion)",
     "unknown parameter, or one too many"},
    {"function ngi32.g_FastProc call cdecl()", "a call of a function without a signature"},
    {SLOT "evidence static", "evidence without a call"},
    {SLOT "cases 4", "evidence without a call"},
    {SLOT "call cdecl(quaternion,matrix) evidence", "unknown evidence, or the same twice"},
    {SLOT "call cdecl(quaternion,matrix) evidence guess", "unknown evidence, or the same twice"},
    {SLOT "call cdecl(quaternion,matrix) evidence static+", "unknown evidence, or the same twice"},
    {SLOT "call cdecl(quaternion,matrix) evidence static+static",
     "unknown evidence, or the same twice"},
    {SLOT "call cdecl(quaternion,matrix) cases 4294967296", "not a number, or one too large"},
    {SLOT "signature 0 " DIGEST_A, "a signature of no bytes"},
    {SLOT "signature 5000 " DIGEST_A, "a signature is too long"},
    {SLOT "signature 5", "malformed digest"},
    {SLOT "entry 5", "the entry is longer than the signature"},
    {SLOT "signature 5 " DIGEST_A " entry 6", "the entry is longer than the signature"},
    {"export ngi32 5 A\x01 0x10 code", "a control character in an overlay"},
    {"export ngi32 5 A\x7F 0x10 code", "a control character in an overlay"},
    {HEAD, "unknown line"},
};

TEST(EachWrongLineIsNamed) {
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "%s\n", wrongs[i].line);
        assert_int_equal(Parse(text), RP_INVALID);
        if (strcmp(error.what, wrongs[i].what) != 0 || strcmp(error.where, "line 2") != 0)
            fail_msg("%s: %s, %s", wrongs[i].line, error.what, error.where);
    }
}

/* Each line is right by itself, but the second contradicts the first. */
static const struct {
    const char *first, *second, *what;
} contradictions[] = {
    {"module ngi32 size 1 sha256 " DIGEST_A, "module ngi32 size 1 sha256 " DIGEST_A,
     "a module is given twice"},
    {"export ngi32 5 A 0x10 code", "export ngi32 5 A 0x10 code", "an export is given twice"},
    {"export ngi32 5 - 0x10 code", "export ngi32 5 - 0x10 code", "an export is given twice"},
    {"export ngi32 5 - 0x10 code", "export ngi32 5 A 0x10 code", "an export is given twice"},
    {"export ngi32 5 A 0x10 code", "export ngi32 6 A 0x10 code",
     "an export's name has two ordinals"},
    {"export ngi32 5 A 0x10 code", "export ngi32 5 B 0x11 code",
     "two lines of one ordinal contradict each other"},
    {"export ngi32 5 A 0x10 code", "export ngi32 5 B 0x10 data",
     "two lines of one ordinal contradict each other"},
    {"export ngi32 5 A 0x10 stub 4", "export ngi32 5 B 0x10 stub 8",
     "two lines of one ordinal contradict each other"},
    {"export ngi32 5 A 0x10 stub 4", "export ngi32 5 B 0x10 stub 4 clears",
     "two lines of one ordinal contradict each other"},
    {"export ngi32 5 A 0x10 forwarder X.Y", "export ngi32 5 B 0x10 forwarder X.Z",
     "two lines of one ordinal contradict each other"},
    {"function ngi32.slot14 at 1", "function ngi32.slot14 at 1", "a function is given twice"},
    {"function ngi32.slot14 calls 1-5", "function ngi32.slot14 calls 5-9",
     "two ranges of calls overlap"},
    {"function ngi32.slot14 calls 1-5", "function ngi32.slot14 calls 0-9",
     "two ranges of calls overlap"},
};

TEST(EachContradictionIsNamed) {
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "%s\n\n%s", contradictions[i].first,
                 contradictions[i].second);
        assert_int_equal(Parse(text), RP_INVALID);
        if (strcmp(error.what, contradictions[i].what) != 0 || strcmp(error.where, "line 4") != 0)
            fail_msg("%s: %s, %s", contradictions[i].second, error.what, error.where);
    }
}

TEST(LinesThatOnlyLookAlikeAreTaken) {
    Opens(HEAD "export ngi32 5 A 0x10 code\nexport animesh 5 A 0x20 code\n"
               "export ngi32 6 - 0x10 code\nexport ngi32 7 - 0x10 code\n"
               "export ngi32 8 B 0x10 code\nexport ngi32 8 C 0x10 code\n"
               "function ngi32.slot14 at 1\nfunction ngi32.slot14 calls 1-5\n"
               "function ngi32.slot14 calls 6-6\nfunction ngi32.slot15 calls 1-5\n");
    assert_int_equal(overlay.export_count, 6);
    assert_int_equal(overlay.function_count, 4);
}

TEST(OtherVersionsAndFilesAreRefused) {
    assert_int_equal(Parse("retropose-overlay 2\n"), RP_UNSUPPORTED);
    assert_string_equal(error.where, "line 1");
    assert_string_equal(error.found, "a later one");
    assert_int_equal(Parse("retropose-overlay 0\n"), RP_UNSUPPORTED);
    assert_int_equal(Parse("retropose-overlay one\n"), RP_INVALID);
    assert_int_equal(Parse("retropose-overlay 1 2\n"), RP_INVALID);
    assert_int_equal(Parse("module ngi32 size 1"), RP_INVALID);
    assert_string_equal(error.what, "not an overlay");
    assert_int_equal(Overlay_Parse("a\0b", 3, NULL, &overlay, &error), RP_INVALID);
    assert_string_equal(error.what, "a control character in an overlay");
    assert_int_equal(Overlay_Parse("retropose-overlay 2\n", 20, NULL, &overlay, NULL),
                     RP_UNSUPPORTED);
}

TEST(NamesHaveRoomFor95Characters) {
    char name[97], text[300];
    memset(name, 'n', sizeof name);
    name[95] = 0;
    snprintf(text, sizeof text, HEAD "export ngi32 5 %s 0x10 code\n", name);
    Opens(text);
    assert_string_equal(overlay.exports[0].name, name);
    name[95] = 'n';
    name[96] = 0;
    snprintf(text, sizeof text, HEAD "export ngi32 5 %s 0x10 code\n", name);
    assert_int_equal(Parse(text), RP_INVALID);
}

/* ---- built in memory ------------------------------------------------------------------------- */

TEST(FormatRefusesWhatParseWould) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    OverlayFunction *line = Overlay_Add(&overlay, Abi_Find("ngi32.slot14"));
    line->has_call = true;
    line->param_count = 2; /* order 0, 0 */
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    assert_string_equal(error.where, "ngi32.slot14");
    line->order[1] = 7;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    line->order[1] = 1;
    line->evidence = 8;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    line->evidence = OVERLAY_STATIC;
    line->convention = (AbiConvention)9;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    line->convention = ABI_CDECL;
    line->build = (OverlayBuild)9;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    line->build = OVERLAY_BUILD_FXCH;
    line->signature_bytes = 4;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    line->signature_bytes = 0;
    overlay.modules[ABI_NGI32].known = true;
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_INVALID);
    assert_string_equal(error.where, "Ngi32.dll");
    memcpy(overlay.modules[ABI_NGI32].sha256, DIGEST_A, 65);
    assert_int_equal(text.size, 0);
    assert_int_equal(Overlay_Format(&overlay, &text, &error), RP_OK);
    RpBuffer_Free(&text);
}

TEST(ExportsAreAddedOrRefused) {
    OverlayExport row = {.module = ABI_NGI32, .ordinal = 1, .name = "A", .rva = 16};
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_OK);
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_INVALID);
    assert_int_equal(overlay.export_count, 1);
    row.module = ABI_ANIMESH;
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_OK);
    memset(row.name, 'x', sizeof row.name);
    row.ordinal = 2;
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_INVALID);
    row.name[0] = 0;
    row.kind = (OverlayExportKind)7;
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_INVALID);
    Overlay_DropExports(&overlay, ABI_NGI32);
    assert_int_equal(overlay.export_count, 1);
    assert_int_equal(overlay.exports[0].module, ABI_ANIMESH);
    row.kind = OVERLAY_CODE;
    for (row.ordinal = 2; row.ordinal <= OVERLAY_MAX_EXPORTS; row.ordinal++)
        assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_OK);
    assert_int_equal(Overlay_AddExport(&overlay, &row, &error), RP_INVALID);
    assert_string_equal(error.what, "too many exports");
}

TEST(FunctionsAreAddedUpToTheLimit) {
    const AbiFunction *slot = Abi_Find("ngi32.slot14");
    for (uint64_t i = 0; i < OVERLAY_MAX_FUNCTIONS; i++)
        assert_non_null(Overlay_AddRanged(&overlay, slot, i, i));
    assert_null(Overlay_AddRanged(&overlay, slot, 1000000, 1000000));
    assert_null(Overlay_Add(&overlay, slot));
    char *text = Formatted(&overlay);
    Opens(text);
    assert_int_equal(overlay.function_count, OVERLAY_MAX_FUNCTIONS);
    size_t length = strlen(text);
    text = realloc(text, length + 64);
    assert_non_null(text);
    strcpy(text + length, "function ngi32.slot15\n");
    assert_int_equal(Parse(text), RP_INVALID);
    assert_string_equal(error.what, "too many functions");
    free(text);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Each allocation in turn is refused, which gives an error. Nothing leaks, and nothing is kept. */
TEST(MemoryThatRunsOutIsAnError) {
    int refusals = 0;
    for (int allowed = 0;; allowed++) {
        Refusal refusal = {.left = allowed};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        Overlay refused;
        if (Overlay_Parse(whole, sizeof whole - 1, &allocator, &refused, &error) == RP_OK) {
            Overlay_Free(&refused);
            break;
        }
        assert_int_equal(error.status, RP_NO_MEMORY);
        refusals++;
    }
    /* the room for 8 exports grows to 1, 2, 4 and 8, and so does that for 7 lines of functions */
    assert_in_range(refusals, 7, 9);
}

TEST(TextThatHasNoRoomIsAnError) {
    RpBuffer text;
    Refusal refusal = {.left = 1};
    const RpAllocator allocator = Refusal_Allocator(&refusal);
    Opens(whole);
    RpBuffer_Init(&text, &allocator);
    assert_int_equal(Overlay_Format(&overlay, &text, NULL), RP_NO_MEMORY);
    RpBuffer_Free(&text);
}

/* ---- hostile text ---------------------------------------------------------------------------- */

static void Survives(const char *text, size_t size) {
    /* in a block of exactly this size, so that a sanitizer sees a read past its end */
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    FreeOverlay(NULL);
    if (Overlay_Parse(copy, size, NULL, &overlay, NULL) == RP_OK) {
        char *once = Formatted(&overlay);
        Opens(once);
        char *twice = Formatted(&overlay);
        assert_string_equal(once, twice);
        free(once);
        free(twice);
    }
    free(copy);
}

TEST(EveryPrefixIsAnOverlayOrAnError) {
    for (size_t size = 0; size < sizeof whole; size++)
        Survives(whole, size);
}

TEST(EveryChangedByteIsAnOverlayOrAnError) {
    static const char changes[] = {0, '\n', ' ', '0', '9', '-', '#', '(', ',', (char)0xFF};
    char text[sizeof whole];
    for (size_t i = 0; i < sizeof whole - 1; i++)
        for (size_t change = 0; change < sizeof changes; change++) {
            memcpy(text, whole, sizeof whole);
            text[i] = changes[change];
            Survives(text, sizeof whole - 1);
        }
}

/* ---- files ----------------------------------------------------------------------------------- */

TEST(FilesAreSavedAndLoaded) {
    static const char path[] = TEST_FOLDER "/saved.overlay";
    Overlay again;
    Opens(whole);
    assert_int_equal(Overlay_Save(&overlay, path, &error), RP_OK);
    assert_int_equal(Overlay_Load(path, &again, &error), RP_OK);
    char *text = Formatted(&again);
    assert_string_equal(text, whole);
    free(text);
    Overlay_Free(&again);
    remove(path);
    assert_int_equal(Overlay_Load(path, &again, &error), RP_NOT_FOUND);
}

TEST(AFilesMistakeIsNamedWithItsLine) {
    static const char path[] = TEST_FOLDER "/wrong.overlay";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(HEAD "\nfunction nothing\n", file);
    fclose(file);
    assert_int_equal(Overlay_Load(path, &overlay, &error), RP_INVALID);
    assert_non_null(strstr(error.where, "wrong.overlay line 3"));
    file = fopen(path, "wb");
    fclose(file);
    assert_int_equal(Overlay_Load(path, &overlay, &error), RP_OK);
    remove(path);
}

AROUND_EACH(FreeOverlay, FreeOverlay)
