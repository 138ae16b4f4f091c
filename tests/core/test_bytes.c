/* Tests of little-endian numbers, hexadecimal digits, and numbers and places of errors in JSON
 * texts, which every reader and writer of files uses. */
#include "core/bytes.h"
#include "core/hex.h"
#include "core/json/json_read.h"
#include "core/json/json_text.h"
#include "core/text.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <string.h>

TEST(NumbersAreLittleEndianAtAnyAlignment) {
    uint8_t bytes[8] = {0};
    Bytes_PutU32(bytes + 1, 0x89ABCDEF);
    Bytes_PutU16(bytes + 5, 0x12345); /* only the low 16 bits */
    static const uint8_t expected[8] = {0, 0xEF, 0xCD, 0xAB, 0x89, 0x45, 0x23, 0};
    assert_memory_equal(bytes, expected, sizeof bytes);
    assert_int_equal(Bytes_U32(bytes + 1), 0x89ABCDEF);
    assert_int_equal(Bytes_U16(bytes + 5), 0x2345);
}

TEST(EveryByteSurvivesItsDigits) {
    uint8_t bytes[256], read[256];
    char digits[513] = {0};
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    Hex_Write(bytes, sizeof bytes, digits);
    assert_memory_equal(digits, "000102030405060708090a0b0c0d0e0f10", 34);
    assert_true(Hex_Read(digits, read, sizeof read));
    assert_memory_equal(read, bytes, sizeof bytes);
    for (int i = 0; i < 512; i++)
        if (digits[i] >= 'a')
            digits[i] = (char)(digits[i] - 'a' + 'A');
    memset(read, 0, sizeof read);
    assert_true(Hex_Read(digits, read, sizeof read));
    assert_memory_equal(read, bytes, sizeof bytes);
}

TEST(OnlyDigitsAreDigits) {
    static const char digits[] = "0123456789abcdefABCDEF";
    uint8_t bytes[2];
    for (int c = -128; c < 128; c++)
        assert_int_equal(Hex_Digit((char)c) >= 0, c > 0 && strchr(digits, c) != NULL);
    assert_false(Hex_Read("0g00", bytes, 2));
    assert_false(Hex_Read("123", bytes, 2)); /* the text ends before its last digit */
}

TEST(WordsHaveEightDigits) {
    static const char *const wrong[] = {"",           "0x",         "0x1234567",  "0x123456789",
                                        "0X12345678", "1234567800", "0x1234567g", "-0x1234567"};
    uint32_t word = 0;
    assert_true(Hex_ReadWord("0x7fA00001", &word));
    assert_int_equal(word, 0x7FA00001);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(Hex_ReadWord(wrong[i], &word));
    assert_int_equal(word, 0x7FA00001); /* a text that is refused changes nothing */
}

TEST(CapitalDigitsAreCutToTheNumberAsked) {
    char buffer[24];
    Text text = Text_Begin(buffer, sizeof buffer);
    Text_AppendHex(&text, 0xABCDEF, 4);
    Text_AppendHex(&text, 0x1F, 16);
    assert_string_equal(buffer, "CDEF000000000000001F");
}

TEST(NothingButSpaceMayFollowAJsonValue) {
    static const struct {
        const char *text;
        size_t read; /* the place of the mistake, or the length of the text */
    } cases[] = {{"{\"a\": [1]}", 10}, {"{} \t\r\n", 6}, {" [] []", 4}, {"{}}", 2}, {"1 x", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text, *end;
        cJSON *root = JsonRead_Parse(text, strlen(text), &end);
        assert_int_equal(root != NULL, cases[i].read == strlen(text));
        assert_int_equal(end - text, cases[i].read);
        cJSON_Delete(root);
    }
}

TEST(NineDigitsOfAFloatAreReadBack) {
    static const struct {
        uint32_t bits;
        const char *text;
    } cases[] = {{0, "0"},
                 {0x80000000, "-0"},
                 {0x4B7FFFFF, "16777215"},
                 {0x3DCCCCCD, "0.100000001"},
                 {0x38D1B717, "9.99999975e-05"},
                 {0x4E6E6B28, "1e+09"},
                 {0x00000001, "1.40129846e-45"},
                 {0xFF7FFFFF, "-3.40282347e+38"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(RpBuffer) text = {0};
        uint32_t bits = cases[i].bits;
        float value;
        memcpy(&value, &bits, sizeof value);
        JsonText_Float(&text, &value);
        RpBuffer_Append(&text, "", 1);
        assert_string_equal((const char *)text.bytes, cases[i].text);
        cJSON *item = cJSON_Parse((const char *)text.bytes);
        assert_true(JsonRead_Float(&(JsonRead){.error = NULL}, item, &value));
        memcpy(&bits, &value, sizeof bits);
        assert_int_equal(bits, cases[i].bits);
        cJSON_Delete(item);
    }
}

/* The path in an error does not depend on which reader reports it. Only the name of the whole
 * differs between readers. */
TEST(ErrorsNameTheirPlace) {
    RpError error;
    double number = 0;
    JsonRead read = {.error = &error};
    cJSON *root = cJSON_Parse("{\"keys\": [{\"time\": 1.5}], \"bits\": \"0x7FA00001\"}");
    const cJSON *key = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "keys"), 0);
    assert_false(JsonRead_Integer(&read, root, 0, 1, &number));
    assert_string_equal(error.where, "the text");
    read.whole = "dump";
    assert_false(JsonRead_Integer(&read, NULL, 0, 1, &number));
    assert_string_equal(error.where, "the text"); /* of two errors the first one stays */
    read.status = RP_OK;
    assert_false(JsonRead_Integer(&read, NULL, 0, 1, &number));
    assert_string_equal(error.where, "dump");
    assert_string_equal(error.found, "nothing");
    read.status = RP_OK;
    const size_t outside = JsonRead_Enter(&read, "keys");
    JsonRead_EnterElement(&read, 0);
    assert_false(JsonRead_IntegerMember(&read, key, "time", -1, 7, &number));
    assert_string_equal(error.where, "keys[0].time");
    assert_string_equal(error.expected, "a whole number from -1 to 7");
    assert_string_equal(error.found, "1.5");
    JsonRead_Leave(&read, outside);
    float value = 0;
    uint32_t bits = 0;
    assert_true(JsonRead_Float(&read, cJSON_GetObjectItem(root, "bits"), &value));
    memcpy(&bits, &value, sizeof bits);
    assert_int_equal(bits, 0x7FA00001); /* a signalling NaN keeps its bits */
    cJSON_Delete(root);
}

TEST(BytesInJsonComeBack) {
    static const uint8_t bytes[] = {0, 0x7F, 0x80, 0xFF};
    RpError error;
    OWNED(RpBuffer) text = {0}, back = {0};
    JsonRead read = {.error = &error};
    JsonText_Hex(&text, bytes, sizeof bytes);
    assert_memory_equal(text.bytes, "\"007f80ff\"", 10);
    RpBuffer_Append(&text, "", 1);
    cJSON *item = cJSON_Parse((const char *)text.bytes);
    assert_true(JsonRead_Hex(&read, item, &back));
    assert_int_equal(back.size, sizeof bytes);
    assert_memory_equal(back.bytes, bytes, sizeof bytes);
    cJSON_Delete(item);
    item = cJSON_CreateString("abc");
    assert_false(JsonRead_Hex(&read, item, &back));
    assert_string_equal(error.found, "\"abc\"");
    cJSON_Delete(item);
}
