/* Compares what the page is told about a model, read back by another JSON reader (cJSON), with the
 * model's own records. */
#include <stddef.h>
#include <stdint.h>

#include "core/random.h"
#include "retropose/corpus.h"
#include "retropose/view.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
    RpCorpus *corpus;
    RpNResArchive archive;
    RpBuffer image;
    RpNRes model;
    RpMsh msh;
} Case;

static void Load(Case *test, const char *name) {
    memset(test, 0, sizeof *test);
    RpNResArchive_Init(&test->archive, NULL);
    RpBuffer_Init(&test->image, NULL);
    assert_int_equal(RpCorpus_New(NULL, NULL, &test->corpus, NULL), RP_OK);
    int32_t index = RpCorpus_FindModel(test->corpus, name);
    assert_true(index >= 0);
    assert_int_equal(RpCorpus_Model(test->corpus, (uint32_t)index, &test->archive, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Write(&test->archive, RP_NRES_CANONICAL, &test->image, NULL),
                     RP_OK);
    assert_int_equal(
        RpNRes_Open(test->image.bytes, test->image.size, RP_TOLERANT, &test->model, NULL), RP_OK);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&test->model), RP_TOLERANT, &test->msh, NULL),
                     RP_OK);
}

static void Case_Free(Case *test) {
    RpBuffer_Free(&test->image);
    RpNResArchive_Free(&test->archive);
    RpCorpus_Free(test->corpus);
}

static RpStatus Describe(const RpNRes *model, const RpReadings *readings,
                         const RpAllocator *allocator, cJSON **json) {
    OWNED(RpBuffer) text;
    RpError error;
    RpBuffer_Init(&text, allocator);
    RpStatus status = RpView_Describe(model, readings, &text, &error);
    if (json)
        *json = status ? NULL : cJSON_ParseWithLength((char *)text.bytes, text.size);
    return status;
}

static double Number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *String(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static void ExpectNode(const Case *test, uint32_t index, const cJSON *json) {
    RpMshNode node;
    uint32_t first, last, length = 0;
    assert_true(RpMsh_Node(&test->msh, index, &node));
    assert_int_equal((int)Number(json, "parent"),
                     node.parent == RP_MSH_NONE ? -1 : (int)node.parent);
    assert_int_equal(Number(json, "flags"), node.flags);
    const cJSON *slots = cJSON_GetObjectItemCaseSensitive(json, "slots");
    assert_int_equal(cJSON_GetArraySize(slots), RP_MSH_SLOT_WORDS);
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        assert_int_equal(cJSON_GetArrayItem(slots, i)->valueint,
                         node.slots[i] == RP_MSH_NONE ? -1 : (int)node.slots[i]);
    const char *name = RpMsh_Text(&test->msh, RP_MSH_NAMES, index, &length);
    assert_int_equal(strlen(String(json, "name")), length);
    assert_memory_equal(String(json, "name"), name ? name : "", length);
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(json, "keys");
    assert_true(RpMsh_Track(&test->msh, index, &first, &last));
    assert_int_equal(cJSON_GetArraySize(keys), last - first + 1);
    for (uint32_t i = first; i <= last; i++) {
        RpMshKey key;
        assert_true(RpMsh_Key(&test->msh, i, &key));
        assert_true((float)cJSON_GetArrayItem(keys, (int)(i - first))->valuedouble == key.time);
    }
}

TEST(NodesSlotsAndHeaderAreAsInTheModel) {
    OWNED(Case) test;
    cJSON *json;
    Load(&test, "R_H_02.msh");
    assert_int_equal(Describe(&test.model, NULL, NULL, &json), RP_OK);
    assert_non_null(json);
    assert_int_equal(Number(json, "format"), 2);
    assert_int_equal(Number(json, "frames"), test.msh.frame_count);
    assert_string_equal(String(json, "cells"), "lod-group");
    const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(json, "nodes");
    assert_int_equal(cJSON_GetArraySize(nodes), RpMsh_Count(&test.msh, RP_MSH_NODES));
    for (int i = 0; i < cJSON_GetArraySize(nodes); i++)
        ExpectNode(&test, (uint32_t)i, cJSON_GetArrayItem(nodes, i));
    const cJSON *slots = cJSON_GetObjectItemCaseSensitive(json, "slots");
    assert_int_equal(cJSON_GetArraySize(slots), RpMsh_Count(&test.msh, RP_MSH_SLOTS));
    for (int i = 0; i < cJSON_GetArraySize(slots); i++) {
        RpMshSlot slot;
        assert_true(RpMsh_Slot(&test.msh, (uint32_t)i, &slot));
        const cJSON *high = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(slots, i), "high");
        for (int k = 0; k < 3; k++)
            assert_true((float)cJSON_GetArrayItem(high, k)->valuedouble == slot.high[k]);
    }
    RpMshHeader header;
    assert_true(RpMsh_Header(&test.msh, &header));
    const cJSON *written = cJSON_GetObjectItemCaseSensitive(json, "header");
    assert_true((float)Number(written, "radius") == header.axis_radius);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(written, "corners")), 8);
    cJSON_Delete(json);
}

TEST(EveryReadingIsNamedWithItsChoice) {
    OWNED(Case) test;
    cJSON *json;
    Load(&test, "R_H_02.msh");
    RpReadings drawn;
    assert_int_equal(RpReadings_Parse(&drawn, RP_READS_FILES, "drawn", NULL), RP_OK);
    assert_int_equal(Describe(&test.model, &drawn, NULL, &json), RP_OK);
    assert_string_equal(String(json, "cells"), "state-lod");
    const cJSON *readings = cJSON_GetObjectItemCaseSensitive(json, "readings");
    const int count = cJSON_GetArraySize(readings);
    assert_int_equal(count, 7);
    char list[256] = "";
    for (int i = 0; i < count; i++) {
        const cJSON *reading = cJSON_GetArrayItem(readings, i);
        strcat(strcat(strcat(strcat(list, i ? "," : ""), String(reading, "name")), "="),
               String(reading, "value"));
    }
    RpReadings parsed;
    assert_int_equal(RpReadings_Parse(&parsed, RP_READS_FILES, list, NULL), RP_OK);
    assert_memory_equal(&parsed, &drawn, sizeof parsed);
    cJSON_Delete(json);
}

static uint32_t Random(uint32_t *seed) {
    return Random_Lcg32(seed) >> 8;
}

/* Whatever the bytes are, the output is JSON, or there is none. */
TEST(DamagedModelsGiveJsonOrAnError) {
    OWNED(Case) test;
    uint32_t seed = 1, described = 0;
    Load(&test, "R_H_022.msh");
    HEAP uint8_t *bytes = malloc(test.image.size);
    assert_non_null(bytes);
    for (int round = 0; round < 300; round++) {
        RpNRes model;
        memcpy(bytes, test.image.bytes, test.image.size);
        for (int i = 0; i < 1 + round % 40; i++)
            bytes[Random(&seed) % test.image.size] = (uint8_t)Random(&seed);
        if (RpNRes_Open(bytes, test.image.size, RP_TOLERANT, &model, NULL))
            continue;
        cJSON *json = NULL;
        if (Describe(&model, NULL, NULL, &json))
            continue;
        assert_non_null(json);
        cJSON_Delete(json);
        described++;
    }
    assert_true(described > 50);
}

TEST(RefusedMemoryIsSaid) {
    OWNED(Case) test;
    bool succeeded = false;
    Load(&test, "R_H_022.msh");
    for (int allowed = 0; !succeeded; allowed++) {
        Refusal refusal = {.left = allowed};
        RpAllocator allocator = Refusal_Allocator(&refusal);
        RpStatus status = Describe(&test.model, NULL, &allocator, NULL);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        succeeded = status == RP_OK;
        assert_true(allowed < 1000);
    }
}

TEST(TheLegacyStrideIsRefused) {
    OWNED(Case) test;
    Load(&test, "MTCHECK.MSH");
    assert_int_equal(Describe(&test.model, NULL, NULL, NULL), RP_UNSUPPORTED);
}
