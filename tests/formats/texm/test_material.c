/* Tests of records MAT0, and of finding them in a library (facts/formats.md E.4 and E.5). */
#include "core/bytes.h"
#include "retropose/texm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refused.h"
#include "tests/test.h"

/* A record under construction. A copy of exactly its size is opened. */
typedef struct Record {
    uint8_t bytes[1024];
    size_t size;
    void *copy;
} Record;

/* Begins a record with its counts, and the fields of the version. */
static Record Begin(uint32_t phases, uint32_t tracks, uint32_t version) {
    static const uint8_t optional[] = {0, 0, 2, 6, 10};
    Record record = {.size = 4 + (size_t)optional[version < 4 ? version : 4]};
    Bytes_PutU16(record.bytes, phases);
    Bytes_PutU16(record.bytes + 2, tracks);
    return record;
}

static void AddPhase(Record *record, const char *texture) {
    uint8_t *phase = record->bytes + record->size;
    for (uint8_t i = 0; i < 18; i++)
        phase[i] = (uint8_t)(i + 1);
    const size_t length = strlen(texture);
    memcpy(phase + 18, texture, length < 16 ? length : 16);
    record->size += 34;
}

/* Adds a track whose first key shows a phase. */
static void AddTrack(Record *record, uint32_t keys, uint32_t phase) {
    Bytes_PutU16(record->bytes + record->size + 4, keys);
    if (keys)
        Bytes_PutU16(record->bytes + record->size + 6, phase);
    record->size += 6 + 6 * (size_t)keys;
}

static RpStatus Open(Record *record, uint32_t version, RpMaterial *material, RpError *error) {
    record->copy = malloc(record->size + 1);
    assert_non_null(record->copy);
    memcpy(record->copy, record->bytes, record->size);
    return RpMaterial_Open(record->copy, record->size, version, material, error);
}

static RpMaterial Opened(Record *record, uint32_t version) {
    RpMaterial material;
    RpError error;
    if (Open(record, version, &material, &error))
        fail_msg("%s: expected %s, found %s", error.what, error.expected, error.found);
    return material;
}

/* ---- records --------------------------------------------------------------------------------- */

TEST(VersionsAddFields) {
    for (uint32_t version = 0; version < 8; version++) {
        Record record = Begin(2, 0, version);
        AddPhase(&record, "FIRST.0");
        AddPhase(&record, "1234567890ABCDEFG"); /* only 16 of these characters fit */
        const RpMaterial material = Opened(&record, version);
        assert_int_equal(material.version, version);
        assert_int_equal(material.phase_count, 2);
        assert_string_equal(RpMaterial_Phase(&material, 0).texture, "FIRST.0");
        assert_string_equal(RpMaterial_Phase(&material, 1).texture, "1234567890ABCDEF");
        free(record.copy);
    }
}

TEST(FieldsOfAPhase) {
    Record record = Begin(1, 0, 6);
    AddPhase(&record, "");
    record.bytes[14 + 17] = 0xFF;
    const RpMaterial material = Opened(&record, 6);
    const RpMaterialPhase phase = RpMaterial_Phase(&material, 0);
    assert_memory_equal(phase.ambient, "\1\2\3\4", 4);
    assert_memory_equal(phase.diffuse, "\5\6\7\10", 4);
    assert_memory_equal(phase.specular, "\11\12\13\14", 4);
    assert_memory_equal(phase.emissive, "\15\16\17\20", 4);
    assert_int_equal(phase.power, 17);
    assert_int_equal(phase.page, RP_MATERIAL_WHOLE);
    assert_string_equal(phase.texture, "");
    free(record.copy);
}

TEST(TheFirstKeySaysWhichPhaseIsShown) {
    static const struct {
        uint32_t tracks, keys, phase, shown;
    } cases[] = {{0, 0, 0, 0}, {1, 2, 1, 1}, {2, 1, 2, 2}, {1, 0, 0, 0}, {1, 1, 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Record record = Begin(3, cases[i].tracks, 6);
        for (uint32_t phase = 0; phase < 3; phase++)
            AddPhase(&record, "T");
        if (cases[i].tracks > 0)
            AddTrack(&record, cases[i].keys, cases[i].phase);
        if (cases[i].tracks > 1)
            AddTrack(&record, 1, 0);
        const RpMaterial material = Opened(&record, 6);
        assert_int_equal(material.track_count, cases[i].tracks);
        assert_int_equal(material.shown, cases[i].shown);
        free(record.copy);
    }
}

static void Refuses(Record *record, RpStatus wanted, uint64_t offset, const char *what,
                    const char *expected, const char *found) {
    RpMaterial material = {.version = 77};
    RpError error = {.status = RP_OK};
    AssertRefused(Open(record, 6, &material, &error), &error, wanted, offset, what, expected,
                  found);
    assert_int_equal(material.version, 77);
    free(record->copy);
}

TEST(OddRecordsAreRefused) {
    Record record = Begin(0, 0, 6);
    record.size = 13;
    Refuses(&record, RP_TRUNCATED, 13, "header", "4 to 14 bytes, by the version", "13");
    record = Begin(1, 0, 6);
    record.size = 14 + 33;
    Refuses(&record, RP_TRUNCATED, 47, "phases", "34 bytes a phase", "33");
    record = Begin(0, 21, 6);
    record.size = 14 + 21 * 6;
    Refuses(&record, RP_UNSUPPORTED, 2, "too many tracks", "at most 20", "21");
    record = Begin(0, 1, 6);
    record.size = 14 + 5;
    Refuses(&record, RP_TRUNCATED, 14, "tracks", "6 bytes and the keys", "5");
    record = Begin(0, 1, 6);
    AddTrack(&record, 2, 0);
    record.size--;
    Refuses(&record, RP_TRUNCATED, 20, "keys", "6 bytes a key", "11");
    record.size += 2;
    Refuses(&record, RP_CORRUPT, 32, "follow the tracks", "the end", "1");
}

/* ---- finding them ---------------------------------------------------------------------------- */

static void Add(RpNResArchive *library, const char *name, uint32_t type) {
    RpNResMember member = {.type = type};
    strcpy(member.name, name);
    assert_int_equal(RpNResArchive_Add(library, library->count, &member, NULL), RP_OK);
}

static void AssertFinds(const RpNResEntries *library, const char *name, int32_t index,
                        RpMaterialMatch match) {
    RpMaterialMatch led = RP_MATERIAL_NAMED;
    assert_int_equal(RpMaterial_Find(library, name, &led), index);
    assert_int_equal(RpMaterial_Find(library, name, NULL), index);
    if (index >= 0)
        assert_int_equal(led, match);
}

/* Searches in an archive under construction, and in the image that it makes. */
static void AssertFindsInBoth(const RpNResArchive *library, const char *name, int32_t index,
                              RpMaterialMatch match) {
    RpNRes image;
    OWNED(RpBuffer) bytes = {0};
    assert_int_equal(RpNResArchive_Write(library, RP_NRES_CANONICAL, &bytes, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(bytes.bytes, bytes.size, RP_STRICT, &image, NULL), RP_OK);
    RpNResEntries entries = RpNRes_Entries(&image);
    AssertFinds(&entries, name, index, match);
    entries = RpNResArchive_Entries(library);
    AssertFinds(&entries, name, index, match);
}

TEST(WhatLeadsToAMaterial) {
    OWNED(RpNResArchive) library;
    RpNResArchive_Init(&library, NULL);
    AssertFindsInBoth(&library, "GLASS", -1, RP_MATERIAL_NAMED);
    Add(&library, "STEEL", RP_MATERIAL_TYPE);
    Add(&library, "GLASS", RP_MATERIAL_TYPE);
    Add(&library, "NOTE", 1);
    AssertFindsInBoth(&library, "glass", 1, RP_MATERIAL_NAMED);
    AssertFindsInBoth(&library, "WOOD", 0, RP_MATERIAL_FIRST);
    AssertFindsInBoth(&library, "NOTE", 0, RP_MATERIAL_FIRST);
    AssertFindsInBoth(&library, "", 0, RP_MATERIAL_FIRST);
    Add(&library, "Default", RP_MATERIAL_TYPE);
    AssertFindsInBoth(&library, "WOOD", 3, RP_MATERIAL_DEFAULT);
    AssertFindsInBoth(&library, "NOTE", 3, RP_MATERIAL_DEFAULT);
    AssertFindsInBoth(&library, "A_NAME_OF_MORE_THAN_THIRTY_FIVE_LETTERS", 3, RP_MATERIAL_DEFAULT);
    RpNResArchive_Free(&library);
    RpNResArchive_Init(&library, NULL);
    Add(&library, "NOTE", 1);
    Add(&library, "STEEL", RP_MATERIAL_TYPE);
    AssertFindsInBoth(&library, "WOOD", -1, RP_MATERIAL_NAMED);
}
