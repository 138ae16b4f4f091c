#include "tests/replay/fixture.h"

#include <stdio.h>
#include <string.h>

/* Removes blanks and [1]. Apart from these, the text of a parsed row is the row itself. */
static void WithoutBlanks(const char *text, char *to) {
    for (; *text; text++) {
        if (strncmp(text, "[1]", 3) == 0)
            text += 2;
        else if (*text != ' ')
            *to++ = *text;
    }
    *to = 0;
}

TEST(EveryTableRowParsesToItsOwnText) {
    assert_true(abi_function_count > 100);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        char row[1024], text[1024], row_text[1024], own_text[1024];
        Signature signature;
        RpError error = {0};
        if (Signature_Parse(function, &signature, &error))
            fail_msg("%s: %s, found %s", function->key, error.expected, error.found);
        snprintf(row, sizeof row, "%s %s (%s)", AbiConvention_Name(function->convention),
                 function->returns, function->params);
        int length = Signature_Text(&signature, text, sizeof text);
        assert_int_equal(length, strlen(text));
        WithoutBlanks(row, row_text);
        WithoutBlanks(text, own_text);
        assert_string_equal(row_text, own_text);
    }
}

TEST(MalformedRowsAreRefusedWithTheColumn) {
    static const struct {
        const char *params;
        uint64_t column;
    } cases[] = {
        {"f64 x", 0},
        {"void x", 0},
        {"u8 x", 0},
        {"f32", 3},
        {"f32 x y", 6},
        {"f32 x,", 6},
        {"f32 x, f32 x", 11},
        {"in f32[ x", 9},
        {"in f32[0] x", 7},
        {"in f32[4097] x", 7},
        {"in f32[4x] x", 7},
        {"in f32[4*] x", 9},
        {"in f32[4 x", 8},
        {"f32[4] x", 3},
        {"in cstr[4] x", 7},
        {"out cstr x", 4},
        {"in nres x", 3},
        {"struct reader x", 0},
        {"in struct nothing x", 10},
        {"in f32[count] x", 7},
        {"in f32[count] x, f32 count", 7},
        {"in f32[a] x, u32 a, in f32[b] y, u32 b", 27},
        {"in f32[a] x, u32 a, in cstr s", 0},
        {"u32 a23456789012345678901234567890ab", 4},
        {"u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u32 g, u32 h, u32 i, u32 j, u32 k", 69},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        Fixture_Malformed(cases[i].params, cases[i].column);
    AbiFunction function = {.key = "test", .returns = "cstr", .params = ""};
    Signature signature;
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_INVALID);
}

TEST(ATextTooLongForTheBufferIsMeasured) {
    char buffer[8];
    const Signature *signature = Fixture_Signature("ngi32.slot17");
    int length = Signature_Text(signature, buffer, sizeof buffer);
    assert_true(length > 60);
    assert_string_equal(buffer, "fastcal");
}

TEST(SizesFollowTheLayout) {
    const Signature *slerp = Fixture_Signature("ngi32.slot17");
    uint8_t inputs[36] = {0};
    assert_int_equal(Signature_CheckInputs(slerp, inputs, 36, NULL), RP_OK);
    assert_int_equal(Signature_CheckInputs(slerp, inputs, 32, NULL), RP_CORRUPT);
    assert_int_equal(Signature_CheckInputs(slerp, inputs, 40, NULL), RP_CORRUPT);
    assert_int_equal(Signature_OutputBytes(slerp, inputs, 36), 16);
    assert_int_equal(Signature_ParamBytes(slerp, 2, inputs, 36), 4);
    assert_int_equal(Signature_ParamBytes(slerp, 4, inputs, 36), SIGNATURE_MALFORMED);
    assert_int_equal(Signature_ParamBytes(slerp, 0, inputs, 35), SIGNATURE_MALFORMED);
    assert_int_equal(Signature_OutputBytes(slerp, inputs, 35), SIGNATURE_MALFORMED);
    assert_int_equal(Signature_ReturnBytes(Fixture_Signature("ngi32.slot38")), 12);
    assert_int_equal(Signature_ReturnBytes(Fixture_Signature("ngi32.slot45")), 4);
    assert_int_equal(Signature_ReturnBytes(Fixture_Signature("animesh.FindSlot")), 8);
    assert_int_equal(Signature_ReturnBytes(slerp), 0);
}

TEST(ACountBehindItsArrayIsDerivedAndChecked) {
    const Signature *lights = Fixture_Signature("ngi32.DirectionalLights");
    uint32_t inputs[12 + 1 + 6] = {0};
    inputs[12] = 2;
    const uint8_t *bytes = (const uint8_t *)inputs;
    RpError error = {0};
    assert_int_equal(Signature_CheckInputs(lights, bytes, sizeof inputs, NULL), RP_OK);
    assert_int_equal(Signature_ParamBytes(lights, 0, bytes, sizeof inputs), 48);
    inputs[12] = 3;
    assert_int_equal(Signature_CheckInputs(lights, bytes, sizeof inputs, &error), RP_CORRUPT);
    assert_int_equal(error.offset, 48);
    assert_string_equal(error.found, "3");
    assert_int_equal(Signature_CheckInputs(lights, bytes, sizeof inputs - 4, NULL), RP_CORRUPT);
    assert_int_equal(Signature_CheckInputs(lights, bytes, 8, NULL), RP_CORRUPT);
}

TEST(TooManyElementsAreRefused) {
    AbiFunction function = {.key = "test", .returns = "void", .params = "u32 n, out f32[16*n] x"};
    Signature signature;
    uint8_t count[4] = {0, 1, 0, 0};
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_OK);
    assert_int_equal(Signature_OutputBytes(&signature, count, 4), 16 * 256 * 4);
    count[0] = 1;
    assert_int_equal(Signature_CheckInputs(&signature, count, 4, NULL), RP_CORRUPT);
    count[3] = 0xFF;
    assert_int_equal(Signature_CheckInputs(&signature, count, 4, NULL), RP_CORRUPT);
}

TEST(TextsMustEndWhereTheySay) {
    const Signature *signature = Fixture_Signature("ngi32.niOutputDebugString");
    const uint8_t good[8] = {3, 0, 0, 0, 'h', 'i', 0, 0};
    assert_int_equal(Signature_CheckInputs(signature, good, 8, NULL), RP_OK);
    static const uint8_t bad[][8] = {
        {0, 0, 0, 0, 'h', 'i', 0, 0},   /* no room for the NUL */
        {5, 0, 0, 0, 'h', 'i', 0, 0},   /* the end lies behind the bytes */
        {255, 255, 255, 255, 0, 0, 0},  /* overflow */
        {3, 0, 0, 0, 'h', 'i', 'x', 0}, /* not terminated */
        {3, 0, 0, 0, 'h', 0, 0, 0},     /* NUL inside */
        {3, 0, 0, 0, 'h', 'i', 0, 7},   /* padding */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(Signature_CheckInputs(signature, bad[i], 8, NULL), RP_CORRUPT);
    assert_int_equal(Signature_CheckInputs(signature, good, 2, NULL), RP_CORRUPT);
    SignatureElement element;
    SignatureCursor cursor = Signature_InputElements(signature, good, 8);
    assert_true(Signature_NextElement(&cursor, &element));
    assert_string_equal(element.path, "text");
    assert_int_equal(element.offset, 4);
    assert_int_equal(element.size, 3);
    assert_false(Signature_NextElement(&cursor, &element));
    assert_false(Signature_NextElement(&cursor, &element));
}

/* Finds an element. Returns false if there are fewer elements. */
static bool ElementAt(SignatureCursor cursor, uint32_t index, SignatureElement *element) {
    for (uint32_t i = 0; i < index; i++)
        if (!Signature_NextElement(&cursor, element))
            return false;
    return Signature_NextElement(&cursor, element);
}

static void AssertOutput(const char *key, const uint8_t *inputs, uint32_t input_size,
                         uint32_t index, const char *path, uint32_t offset, uint32_t size) {
    SignatureElement element;
    const Signature *signature = Fixture_Signature(key);
    assert_true(
        ElementAt(Signature_OutputElements(signature, inputs, input_size), index, &element));
    assert_string_equal(element.path, path);
    assert_int_equal(element.offset, offset);
    assert_int_equal(element.size, size);
}

TEST(ElementsHaveThePathsOfTheField) {
    uint8_t inputs[96] = {0};
    SignatureElement element;
    AssertOutput("ngi32.slot14", inputs, 16, 9, "matrix[2][1]", 36, 4);
    AssertOutput("ngi32.slot4", inputs, 96, 11, "product[2][3]", 44, 4);
    AssertOutput("ngi32.slot17", inputs, 36, 3, "result[3]", 12, 4);
    AssertOutput("ngi32.slot38", inputs, 12, 0, "return", 0, 12);
    AssertOutput("ngi32.slot38", inputs, 12, 2, "vector[1]", 16, 4);
    AssertOutput("ngi32.ngiGetSinCos", inputs, 4, 1, "cosine", 4, 4);
    AssertOutput("animesh.LoadReader", inputs, 4, 0, "reader.nodes", 0, 8);
    const Signature *slot17 = Fixture_Signature("ngi32.slot17");
    assert_false(ElementAt(Signature_OutputElements(slot17, inputs, 36), 4, &element));
    assert_false(ElementAt(Signature_OutputElements(slot17, inputs, 35), 0, &element));
    assert_true(ElementAt(Signature_InputElements(slot17, inputs, 36), 8, &element));
    assert_string_equal(element.path, "t");
}

/* The elements cover the outputs completely and do not overlap. */
TEST(StructElementsTileTheOutputs) {
    const Signature *signature = Fixture_Signature("animesh.LoadReader");
    uint8_t inputs[4] = {0};
    uint32_t total = Signature_OutputBytes(signature, inputs, 4), offset = 0;
    SignatureElement element;
    SignatureCursor cursor = Signature_OutputElements(signature, inputs, 4);
    while (Signature_NextElement(&cursor, &element)) {
        assert_int_equal(element.offset, offset);
        offset += element.size;
    }
    assert_int_equal(offset, total);
}

TEST(OpaqueValuesAreNotCompared) {
    SignatureElement element;
    uint8_t inputs[4] = {0};
    SignatureCursor cursor =
        Signature_OutputElements(Fixture_Signature("ngi32.ngiAlloc"), inputs, 4);
    assert_true(Signature_NextElement(&cursor, &element));
    assert_false(element.compared);
}

/* A value other than 0 would be passed to a function as an address. */
TEST(OpaqueValuesMustBeZero) {
    AbiFunction function = {
        .key = "test", .returns = "any", .params = "u32 x, any self, inout struct archive file"};
    Signature signature;
    RpError error;
    static uint8_t data[1024];
    assert_int_equal(Signature_Parse(Abi_Find("ngi32.ngiFree"), &signature, NULL), RP_OK);
    assert_int_equal(Signature_CheckInputs(&signature, data, 4, NULL), RP_OK);
    data[1] = 5;
    assert_int_equal(Signature_CheckInputs(&signature, data, 4, &error), RP_CORRUPT);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.found, "1280");
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_OK);
    uint32_t bytes = 8 + signature.params[2].element_bytes;
    assert_int_equal(Signature_CheckInputs(&signature, data, bytes, NULL), RP_OK); /* x */
    data[4] = 1;
    assert_int_equal(Signature_CheckInputs(&signature, data, bytes, &error), RP_CORRUPT);
    assert_int_equal(error.offset, 4);
    static uint8_t inputs[1024];
    memset(data, 0, 8);
    assert_int_equal(Signature_CheckOutputs(&signature, inputs, bytes, data, NULL), RP_OK);
    data[3] = 1;
    assert_int_equal(Signature_CheckOutputs(&signature, inputs, bytes, data, &error), RP_CORRUPT);
}

TEST(OpaqueFieldsMustBeZero) {
    AbiFunction function = {.key = "test", .returns = "void", .params = "inout struct mesh mesh"};
    Signature signature;
    RpError error;
    static uint8_t data[1024];
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_OK);
    const uint32_t bytes = signature.params[0].element_bytes;
    assert_int_equal(Signature_CheckInputs(&signature, data, bytes, NULL), RP_OK);
    data[0x18] = 1; /* unknown_018, a number */
    assert_int_equal(Signature_CheckInputs(&signature, data, bytes, NULL), RP_OK);
    data[0x24] = 1; /* material_manager */
    assert_int_equal(Signature_CheckInputs(&signature, data, bytes, &error), RP_CORRUPT);
    assert_int_equal(error.offset, 0x24);
    assert_int_equal(Signature_CheckOutputs(&signature, data, bytes, data, NULL), RP_CORRUPT);
}

TEST(ATablesEntryIsAReturnValueOnly) {
    AbiFunction function = {.key = "test", .returns = "slot", .params = "slot x"};
    Signature signature;
    SignatureElement element;
    static const uint8_t inputs[4];
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_INVALID);
    assert_int_equal(Signature_Parse(Abi_Find("ngi32.niGetProcAddress"), &signature, NULL), RP_OK);
    assert_int_equal(Signature_ReturnBytes(&signature), 4);
    SignatureCursor cursor = Signature_OutputElements(&signature, inputs, 4);
    assert_true(Signature_NextElement(&cursor, &element));
    assert_true(element.compared);
}

/* ---- what a stranger's trace may call -------------------------------------------------------- */

TEST(WhatNamesFilesMakesOrEndsObjectsNeedsTrust) {
    static const char *const refused[] = {"ngi32.niCreateResFile",  "ngi32.niOpenResFileEx",
                                          "ngi32.rsOpenLib",        "ngi32.rsFind",
                                          "ngi32.ngiAlloc",         "ngi32.ngiFree",
                                          "animesh.LoadAgent",      "ngi32.DestroyArchives",
                                          "ngi32.niCreate3DSound",  "animesh.RetroposeDestroy",
                                          "animesh.AttachPart",     "animesh.IAnimation.2",
                                          "ngi32.ngiSetDebugOutput"};
    static const char *const allowed[] = {"ngi32.slot17",           "animesh.SampleNode",
                                          "ngi32.niGetProcAddress", "ngi32.niOutputDebugString",
                                          "animesh.LoadReader",     "animesh.PoseWalk",
                                          "ngi32.vrtTextOut"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!Abi_WhyTrust(Abi_Find(refused[i])))
            fail_msg("%s is called", refused[i]);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (Abi_WhyTrust(Abi_Find(allowed[i])))
            fail_msg("%s is not called", allowed[i]);
    static const struct {
        const char *returns, *params;
        bool trust;
    } cases[] = {
        {"u32", "in cstr text", false},      {"u32", "in cstr texts", true},
        {"u32", "in cstr tex", true},        {"u32", "u32 a, in cstr path", true},
        {"u32", "u32 any, u32 b", false},    {"u32", "u32 a, any b", true},
        {"u32", "u32 a, in any[2] b", true}, {"any", "", true},
        {"slot", "u32 index", false},        {"void", "inout state any", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AbiFunction function = {
            .key = "test", .returns = cases[i].returns, .params = cases[i].params};
        if ((Abi_WhyTrust(&function) != NULL) != cases[i].trust)
            fail_msg("%s (%s)", cases[i].returns, cases[i].params);
    }
}

TEST(ByteFieldsArePaddedToWords) {
    AbiFunction function = {.key = "test", .returns = "void", .params = "in struct piece piece"};
    Signature signature;
    SignatureElement element;
    static uint8_t inputs[1024];
    assert_int_equal(Signature_Parse(&function, &signature, NULL), RP_OK);
    uint32_t bytes = signature.params[0].element_bytes;
    uint32_t found = 0;
    assert_int_equal(bytes % 4, 0);
    assert_int_equal(Signature_CheckInputs(&signature, inputs, bytes, NULL), RP_OK);
    SignatureCursor cursor = Signature_InputElements(&signature, inputs, bytes);
    while (Signature_NextElement(&cursor, &element))
        if (strcmp(element.path, "piece.cache_valid") == 0 && ++found)
            assert_true(element.size == 1 && element.offset % 4 == 0);
    assert_int_equal(found, 1);
}
