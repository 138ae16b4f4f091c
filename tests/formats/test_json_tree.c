/* Tests that a tree with folded lists has the nodes that cJSON makes, and that a text which cJSON
 * refuses is never accepted. */
#include "core/json/json_tree.h"
#include "core/random.h"
#include "retropose/memory.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed;

static uint32_t Draw(uint32_t bound) {
    return Random_Lcg64Below(&seed, bound);
}

/* ---- random texts ---------------------------------------------------------------------------- */

static void Space(RpBuffer *text) {
    static const char *const spaces[] = {"", "", "", " ", "\n   ", "\t\r", "\x01"};
    RpBuffer_AppendText(text, spaces[Draw(7)]);
}

static void Digits(RpBuffer *text, uint32_t most) {
    for (uint32_t count = 1 + Draw(most); count > 0; count--)
        RpBuffer_Print(text, "%u", (unsigned)Draw(10));
}

static void Number(RpBuffer *text) {
    static const char *const odd[] = {"1e5",   "-0",     "00012", "1E-7",       "2.5e+3", "1e400",
                                      "1e-50", "-1e400", "7.e3",  "4294967296", "1.",     "9e22",
                                      "-2e9",  "0x10",   "1e",    "-",          "1-2",    "1.5.2"};
    if (Draw(40) == 0) {
        RpBuffer_AppendText(text, odd[Draw(sizeof odd / sizeof *odd)]);
        return;
    }
    RpBuffer_AppendText(text, Draw(3) ? "" : "-");
    Digits(text, Draw(50) ? 9 : 70);
    if (Draw(2)) {
        RpBuffer_AppendText(text, ".");
        Digits(text, Draw(20) ? 9 : 40);
    }
    if (Draw(8) == 0) {
        RpBuffer_AppendText(text, Draw(2) ? "e-" : "e");
        Digits(text, Draw(50) ? 2 : 6);
    }
}

static void Word(RpBuffer *text) {
    static const char *const words[] = {"\"\"",       "\"a\"",    "\"name\"", "\"a]b[c}\"",
                                        "\"\xFF, \"", "\"a\\n\"", "\"\n\"",   "\"streams\""};
    const uint32_t word = Draw(8);
    RpBuffer_AppendText(text, words[word == 5 && Draw(20) ? 1 : word]); /* escapes are rare */
}

static void Value(RpBuffer *text, uint32_t depth) {
    const uint32_t kind = Draw(depth < 5 ? 10 : 6);
    if (kind < 4) {
        Number(text);
    } else if (kind == 4) {
        Word(text);
    } else if (kind == 5) {
        static const char *const words[] = {"null", "true", "false"};
        RpBuffer_AppendText(text, words[Draw(3)]);
    } else {
        const bool object = kind < 8;
        const uint32_t count = Draw(4);
        RpBuffer_AppendText(text, object ? "{" : "[");
        Space(text);
        for (uint32_t i = 0; i < count; i++) {
            RpBuffer_AppendText(text, i ? "," : "");
            Space(text);
            if (object) {
                Word(text);
                Space(text);
                RpBuffer_AppendText(text, ":");
                Space(text);
            }
            Value(text, depth + 1);
            Space(text);
        }
        RpBuffer_AppendText(text, object ? "}" : "]");
    }
}

static void Damage(RpBuffer *text) {
    static const char bytes[] = "[]{},:\"\\ 0-e.";
    const uint32_t at = Draw((uint32_t)text->size);
    if (Draw(4) == 0)
        text->size = at;
    else
        text->bytes[at] = (uint8_t)bytes[Draw(sizeof bytes)]; /* the text may get a NUL, too */
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void ExpectText(const char *found, const char *expected) {
    assert_int_equal(found != NULL, expected != NULL);
    if (found)
        assert_string_equal(found, expected);
}

/* Returns false when a mistake ended a folded list. */
static bool ExpectNode(JsonTree *tree, const cJSON *found, const cJSON *expected) {
    const cJSON *child = expected->child, *element;
    JsonList list;
    ExpectText(found->string, expected->string);
    if (!cJSON_IsArray(expected)) {
        assert_int_equal(found->type, expected->type);
        ExpectText(found->valuestring, expected->valuestring);
        assert_int_equal(found->valueint, expected->valueint);
        assert_memory_equal(&found->valuedouble, &expected->valuedouble, sizeof(double));
    }
    if (cJSON_IsObject(expected)) {
        for (element = found->child; element; element = element->next, child = child->next) {
            assert_non_null(child);
            if (!ExpectNode(tree, element, child))
                return false;
        }
    } else if (JsonList_Begin(&list, tree, found)) {
        assert_true(cJSON_IsArray(expected));
        for (; (element = JsonList_Next(&list)); child = child->next) {
            assert_non_null(child);
            if (!ExpectNode(tree, element, child))
                return false;
        }
        if (child) /* cJSON alone reads this text */
            return false;
    } else {
        assert_false(cJSON_IsArray(expected));
    }
    assert_null(child);
    return true;
}

/* Reads the folded lists of a text that cJSON refuses. */
static void ReadAll(JsonTree *tree, const cJSON *node) {
    JsonList list;
    for (const cJSON *child = node->child; child; child = child->next)
        ReadAll(tree, child);
    if (cJSON_IsRaw(node) && JsonList_Begin(&list, tree, node))
        while (JsonList_Next(&list)) {
        }
}

/* Returns whether the text was one that folding reads. */
static bool Compare(const RpBuffer *text, uint32_t depth) {
    JsonTree folded, whole;
    const char *end;
    const char *bytes = (const char *)text->bytes;
    const bool is_text = JsonTree_Parse(&whole, bytes, text->size, &end);
    bool is_read = JsonTree_Fold(&folded, bytes, text->size, depth);
    if (is_read && is_text) {
        const bool whole_tree = ExpectNode(&folded, folded.root, whole.root);
        assert_int_equal(whole_tree, JsonTree_IsRead(&folded));
    } else if (is_read) {
        ReadAll(&folded, folded.root);
    }
    is_read = is_read && JsonTree_IsRead(&folded);
    if (is_read && !is_text)
        fail_msg("cJSON does not read %.*s", (int)text->size, bytes);
    JsonTree_Free(&folded);
    JsonTree_Free(&whole);
    return is_read;
}

TEST(FoldedTreesAreThoseOfCJson) {
    uint32_t read = 0;
    for (seed = 1; seed < 200000; seed++) {
        const uint64_t own = seed;
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        seed *= 0x9E3779B97F4A7C15u;
        Space(&text);
        Value(&text, 0);
        Space(&text);
        if (own % 3 == 0)
            Damage(&text);
        /* This copy has exactly that length, so that a sanitizer sees reads behind its end. */
        RpBuffer copy;
        RpBuffer_Init(&copy, NULL);
        RpBuffer_Append(&copy, text.bytes, text.size);
        read += Compare(&copy, (uint32_t)own % 5);
        RpBuffer_Free(&copy);
        RpBuffer_Free(&text);
        seed = own;
    }
    assert_true(read > 100000);
}

/* A list that is not read, or not to its end, may hold a mistake. */
TEST(UnreadListsAreNoticed) {
    static const char text[] = "{\"a\": [1, 2], \"b\": [3, [4]]}";
    JsonTree tree;
    JsonList list;
    assert_true(JsonTree_Fold(&tree, text, sizeof text - 1, 1));
    const cJSON *b = cJSON_GetObjectItemCaseSensitive(tree.root, "b");
    /* reading b twice does not make up for a, which was not read */
    for (int twice = 0; twice < 2; twice++) {
        assert_true(JsonList_Begin(&list, &tree, b));
        while (JsonList_Next(&list)) {
        }
        assert_false(JsonTree_IsRead(&tree));
    }
    assert_true(JsonList_Begin(&list, &tree, cJSON_GetObjectItemCaseSensitive(tree.root, "a")));
    assert_non_null(JsonList_Next(&list));
    assert_non_null(JsonList_Next(&list));
    assert_false(JsonTree_IsRead(&tree));
    assert_null(JsonList_Next(&list));
    assert_true(JsonTree_IsRead(&tree));
    JsonTree_Free(&tree);
}

TEST(NothingButSpaceMayFollow) {
    static const struct {
        const char *text;
        size_t read; /* the place of the mistake, or the length of the text */
    } cases[] = {{"{\"a\": [1]}", 10}, {"{} \t\r\n", 6}, {" [] []", 4}, {"{}}", 2}, {"1 x", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        JsonTree tree;
        const char *text = cases[i].text, *end;
        const bool whole = cases[i].read == strlen(text);
        assert_int_equal(JsonTree_Parse(&tree, text, strlen(text), &end), whole);
        assert_int_equal(end - text, cases[i].read);
        JsonTree_Free(&tree);
        assert_int_equal(JsonTree_Fold(&tree, text, strlen(text), 1), whole);
        JsonTree_Free(&tree);
    }
}
