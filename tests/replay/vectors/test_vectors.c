/* Tests that this build makes the vectors whose sums are kept, and that it used each of its two
 * ways. */
#include "core/digest.h"
#include "replay/vectors/vectors.h"
#include "retropose/file.h"
#include "tests/test.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#define FOLDER "traces/vectors/"

static void Load(const char *name, RpBuffer *bytes) {
    char path[64];
    RpError error = {.what = ""};
    snprintf(path, sizeof path, FOLDER "%s", name);
    RpBuffer_Init(bytes, NULL);
    if (RpFile_Read(path, bytes, &error))
        fail_msg("%s: %s", path, error.what);
}

static void AssertHasItsSum(const char *name, const RpBuffer *made, RpBuffer *sums) {
    char line[DIGEST_HEX_BYTES + 32];
    Digest_OfBytes(made->bytes, made->size, line);
    snprintf(line + strlen(line), 32, "  %s\n", name);
    if (!strstr((const char *)sums->bytes, line))
        fail_msg("the vectors have changed: " FOLDER "SHA256SUMS has no line %s", line);
}

TEST(TheVectorsAreMadeAgain) {
    static const struct {
        const char *name;
        RpStatus (*make)(RpBuffer *json, RpError *error);
    } files[] = {{"x87.json", Vectors_OfGame}, {"pc24.json", Vectors_OfOperations}};
    OWNED(RpBuffer) sums;
    Load("SHA256SUMS", &sums);
    RpBuffer_Append(&sums, "", 1);
    for (int i = 0; i < 2; i++) {
        OWNED(RpBuffer) made = {0};
        RpError error = {.what = ""};
        if (files[i].make(&made, &error))
            fail_msg("%s at %s", error.what, error.where);
        AssertHasItsSum(files[i].name, &made, &sums);
    }
}

static const char *Text(const cJSON *row, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void CompareRow(VectorFunction function, const cJSON *row, bool whole) {
    const cJSON *exponent = cJSON_GetObjectItemCaseSensitive(row, "exponent");
    char digest[20];
    uint32_t undecided = 0;
    assert_true(cJSON_IsNumber(exponent));
    snprintf(digest, sizeof digest, "%016" PRIx64,
             VectorFunction_Digest(function, exponent->valueint, whole ? 1 : VECTOR_SPARSE_STEP,
                                   &undecided));
    assert_int_equal(undecided, 0);
    if (strcmp(digest, Text(row, whole ? "all" : "sparse")) != 0)
        fail_msg("%s, exponent %d, %s: found %s", VectorFunction_Name(function), exponent->valueint,
                 whole ? "all" : "sparse", digest);
}

/* Tests every exponent at every 4096th number. All numbers of every exponent take minutes and are
 * tested by the slow test replay_vectors_functions; here all numbers are tested from 1/2 to 1. */
TEST(TheDigestsHold) {
    OWNED(RpBuffer) bytes;
    Load("functions.json", &bytes);
    cJSON *root = cJSON_ParseWithLength((const char *)bytes.bytes, bytes.size);
    for (int function = 0; function < VECTOR_FUNCTIONS; function++) {
        const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(
                              root, VectorFunction_Name((VectorFunction)function));
        assert_int_equal(cJSON_GetArraySize(rows),
                         VectorFunction_MostExponent((VectorFunction)function) -
                             VECTOR_LEAST_EXPONENT + 1);
        cJSON_ArrayForEach(row, rows) {
            CompareRow((VectorFunction)function, row, false);
        }
        CompareRow((VectorFunction)function, cJSON_GetArrayItem(rows, -1 - VECTOR_LEAST_EXPONENT),
                   true);
    }
    cJSON_Delete(root);
}

TEST(ResultsNearTheMiddleAreUndecided) {
    const uint64_t middle = UINT64_C(0xC90FDA8000000000);
    for (uint64_t away = 0; away <= 2; away++) {
        assert_true(Vector_IsUndecided(middle + away));
        assert_true(Vector_IsUndecided(middle - away));
    }
    assert_false(Vector_IsUndecided(middle + 3));
    assert_false(Vector_IsUndecided(middle - 3));
    assert_false(Vector_IsUndecided(UINT64_C(0xC90FDA0000000000))); /* a float */
    assert_false(Vector_IsUndecided(UINT64_C(0xC90FD9FFFFFFFFFF)));
}
