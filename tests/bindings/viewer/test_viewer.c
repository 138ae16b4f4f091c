/* Tests the page that is made of template, title and JSON: nothing in its inputs can become
 * markup. */
#include <stddef.h>
#include <stdint.h>

#include "core/text/view_text.h"
#include "retropose/view.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define TEMPLATE "<title>@RETROPOSE_TITLE@</title><script>@RETROPOSE_DATA@</script>."

static RpStatus Assemble(const char *template, const char *title, const char *data, char *text,
                         size_t size, RpError *error) {
    OWNED(RpBuffer) html = {0};
    RpViewPage page = {.html = template,
                       .html_size = strlen(template),
                       .title = title,
                       .data = data,
                       .data_size = strlen(data)};
    RpStatus status = RpView_Assemble(&page, &html, error);
    assert_true(html.size < size);
    if (html.size > 0)
        memcpy(text, html.bytes, html.size);
    text[html.size] = 0;
    return status;
}

TEST(PartsTakeThePlacesOfTheirMarks) {
    char text[512];
    assert_int_equal(Assemble(TEMPLATE, "a model", "{\"n\":1}", text, sizeof text, NULL), RP_OK);
    assert_string_equal(text, "<title>a model</title><script>{\"n\":1}</script>.");
}

TEST(MarksMayStandInAnyOrder) {
    char text[512];
    assert_int_equal(
        Assemble("@RETROPOSE_DATA@,@RETROPOSE_TITLE@", "t", "{}", text, sizeof text, NULL), RP_OK);
    assert_string_equal(text, "{},t");
}

/* The data that is put into the page is not searched for marks again. */
TEST(MarksInTheDataStayData) {
    char text[512];
    assert_int_equal(Assemble("@RETROPOSE_TITLE@ @RETROPOSE_DATA@", "@RETROPOSE_DATA@",
                              "\"@RETROPOSE_TITLE@\"", text, sizeof text, NULL),
                     RP_OK);
    assert_string_equal(text, "@RETROPOSE_DATA@ \"@RETROPOSE_TITLE@\"");
}

TEST(AMarkThatIsMissingOrThereTwiceIsRefused) {
    static const char *const marks[] = {RP_VIEW_TITLE_MARK, RP_VIEW_DATA_MARK};
    char text[512], template[512];
    RpError error;
    for (int i = 0; i < 2; i++) {
        strcpy(template, TEMPLATE);
        *strstr(template, marks[i]) = '#';
        assert_int_equal(Assemble(template, "", "{}", text, sizeof text, &error), RP_INVALID);
        assert_string_equal(error.where, marks[i]);
        assert_string_equal(error.found, "nowhere");
        assert_int_equal(text[0], 0);
        strcpy(template, TEMPLATE);
        strcat(template, marks[i]);
        assert_int_equal(Assemble(template, "", "{}", text, sizeof text, &error), RP_INVALID);
        assert_string_equal(error.where, marks[i]);
        assert_string_equal(error.found, "more than once");
    }
    assert_int_equal(Assemble("", "", "{}", text, sizeof text, &error), RP_INVALID);
    assert_int_equal(Assemble("@", "", "{}", text, sizeof text, &error), RP_INVALID);
}

TEST(ATitleIsNeverMarkup) {
    char text[512];
    assert_int_equal(Assemble(TEMPLATE, "</title><script>a&b\"'\n\x01\xFF\xC3\xA4", "{}", text,
                              sizeof text, NULL),
                     RP_OK);
    assert_non_null(strstr(text, "<title>&lt;/title&gt;&lt;script&gt;a&amp;b&quot;&#39;  "
                                 "\xEF\xBF\xBD\xC3\xA4</title>"));
}

TEST(JsonNeverEndsItsScript) {
    char text[512];
    assert_int_equal(Assemble(TEMPLATE, "", "[\"</script><!--&\"]", text, sizeof text, NULL),
                     RP_OK);
    assert_non_null(strstr(text, "<script>[\"\\u003c/script\\u003e\\u003c!--\\u0026\"]</script>"));
}

TEST(RefusedMemoryIsSaid) {
    static char data[100000];
    RpViewPage page = {TEMPLATE, sizeof TEMPLATE - 1, "t", data, sizeof data};
    bool succeeded = false;
    memset(data, '<', sizeof data);
    for (int allowed = 0; !succeeded; allowed++) {
        Refusal refusal = {.left = allowed};
        RpAllocator allocator = Refusal_Allocator(&refusal);
        OWNED(RpBuffer) html;
        RpError error;
        RpBuffer_Init(&html, &allocator);
        RpStatus status = RpView_Assemble(&page, &html, &error);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        succeeded = status == RP_OK;
        assert_true(allowed < 64);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void ExpectJson(const char *text, const char *expected) {
    OWNED(RpBuffer) json = {0};
    ViewText_Json(&json, text);
    RpBuffer_Append(&json, "", 1);
    assert_string_equal((char *)json.bytes, expected);
}

TEST(TextsBecomeJsonStrings) {
    ExpectJson("", "\"\"");
    ExpectJson("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    ExpectJson("\x01\n\t\x1F\x7F", "\"\\u0001\\n\\t\\u001f\\u007f\"");
    ExpectJson("\xD0\x96\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xD0\x96\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

/* A byte becomes four characters, of which JSON escapes the first. */
TEST(BytesThatAreNoUtf8AreShown) {
    ExpectJson("\x80", "\"\\\\x80\"");
    ExpectJson("\xC0\xAF", "\"\\\\xC0\\\\xAF\"");                       /* overlong */
    ExpectJson("\xE0\x80\x80", "\"\\\\xE0\\\\x80\\\\x80\"");            /* overlong */
    ExpectJson("\xED\xA0\x80", "\"\\\\xED\\\\xA0\\\\x80\"");            /* surrogate */
    ExpectJson("\xF4\x90\x80\x80", "\"\\\\xF4\\\\x90\\\\x80\\\\x80\""); /* beyond U+10FFFF */
    ExpectJson("\xF5\xFF", "\"\\\\xF5\\\\xFF\"");
    ExpectJson("a\xE2\x82", "\"a\\\\xE2\\\\x82\""); /* cut off: the bytes after it are not read */
    ExpectJson("\xF0\x9F\x98", "\"\\\\xF0\\\\x9F\\\\x98\"");
    ExpectJson("\xC3", "\"\\\\xC3\"");
}

static void ExpectNumber(double value, const char *expected) {
    OWNED(RpBuffer) json = {0};
    ViewText_Number(&json, value);
    RpBuffer_Append(&json, "", 1);
    assert_string_equal((char *)json.bytes, expected);
}

TEST(NumbersSurviveAndOthersAreNull) {
    const float tenth = 0.1f;
    OWNED(RpBuffer) json = {0};
    ExpectNumber(0.0, "0");
    ExpectNumber(-1.5, "-1.5");
    double nothing = 0.0;
    ExpectNumber(1.0 / nothing, "null");
    ExpectNumber(-1.0 / nothing, "null");
    ExpectNumber(nothing / nothing, "null");
    ViewText_Number(&json, tenth);
    RpBuffer_Append(&json, "", 1);
    assert_true((float)strtod((char *)json.bytes, NULL) == tenth);
}
