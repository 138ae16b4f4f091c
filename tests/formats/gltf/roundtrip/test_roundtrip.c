/* Tests that import(export(m)) gives every byte of every stream back, and that exporting the result
 * gives the same file. */
#include "formats/gltf/roundtrip/checksum.h"
#include "retropose/gltf.h"
#include "tests/formats/gltf/models.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static RpGltfExportOptions Options(uint32_t number) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    static const char *const readings[] = {"",
                                           "drawn",
                                           "key-order=wxyz",
                                           "rotation=plain,uv=unsigned",
                                           "names=res10",
                                           "rest-pose=fallback"};
    assert_int_equal(
        RpReadings_Parse(&options.readings, RP_READS_FILES, readings[number % 6], NULL), RP_OK);
    options.root_motion = (RpGltfRootMotion)(number % 3);
    options.sub_frames = number % 7 == 3 ? 16 : 1;
    options.frames_per_second = number % 5 == 1 ? 23.976 : 20.0;
    options.container = number % 8 == 7 ? RP_GLTF_TEXT : RP_GLTF_BINARY;
    return options;
}

static void Export(const RpNResArchive *archive, const RpGltfExportOptions *options,
                   RpBuffer *file) {
    RpError error = {0};
    RpBuffer_Init(file, NULL);
    if (RpGltf_Export(archive, options, file, &error) != RP_OK)
        fail_msg("%s %s %s", error.what, error.where, error.found);
}

static void Import(const RpBuffer *file, RpNResArchive *archive) {
    const RpGltfImportOptions options = RpGltfImportOptions_Default();
    RpError error = {0};
    RpNResArchive_Init(archive, NULL);
    if (RpGltf_Import(file->bytes, file->size, &options, archive, &error) != RP_OK)
        fail_msg("%s %s %s", error.what, error.where, error.found);
}

static void AssertSameMembers(const RpNResArchive *a, const RpNResArchive *b, const char *name) {
    if (a->count != b->count)
        fail_msg("%s: %u streams, not %u", name, (unsigned)b->count, (unsigned)a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const RpNResMember *left = &a->members[i], *right = &b->members[i];
        if (left->type != right->type || left->attr1 != right->attr1 ||
            left->attr2 != right->attr2 || left->attr3 != right->attr3 ||
            memcmp(left->name, right->name, sizeof left->name) != 0)
            fail_msg("%s: directory entry %u", name, (unsigned)i);
        if (left->size != right->size)
            fail_msg("%s: Res%u has %u bytes, not %u", name, (unsigned)left->type,
                     (unsigned)right->size, (unsigned)left->size);
        for (uint32_t at = 0; at < left->size; at++)
            if (left->data[at] != right->data[at])
                fail_msg("%s: Res%u, byte %u", name, (unsigned)left->type, (unsigned)at);
    }
}

static TestModels models;

AROUND(BeforeAll) {
    assert_true(TestModels_Open(&models));
}

AROUND(AfterAll) {
    TestModels_Close(&models);
}

TEST(AnUntouchedExportImportsAsTheSameBytes) {
    for (uint32_t number = 0; number < models.count; number++) {
        OWNED(TestModel) model;
        const RpGltfExportOptions options = Options(number);
        assert_true(TestModels_Make(&models, number, &model));
        if (TestModel_CanExport(&model)) {
            OWNED(RpBuffer) file;
            OWNED(RpNResArchive) back;
            Export(&model.archive, &options, &file);
            Import(&file, &back);
            AssertSameMembers(&model.archive, &back, model.name);
        }
    }
}

TEST(ExportOfAnImportIsTheSameFile) {
    for (uint32_t number = 0; number < models.count; number += 3) {
        OWNED(TestModel) model;
        const RpGltfExportOptions options = Options(number);
        assert_true(TestModels_Make(&models, number, &model));
        if (TestModel_CanExport(&model)) {
            OWNED(RpBuffer) first, second;
            OWNED(RpNResArchive) back;
            Export(&model.archive, &options, &first);
            Import(&first, &back);
            Export(&back, &options, &second);
            assert_int_equal(first.size, second.size);
            assert_memory_equal(first.bytes, second.bytes, first.size);
        }
    }
}

/* Corrections only hold on another machine if that machine computes the same boxes, spheres and
 * normals. */
TEST(AnExportIsTheSameFileInEveryBuild) {
    uint32_t sum = 0;
    for (uint32_t number = 0; number < TEST_MODELS_SMALL; number++) {
        OWNED(TestModel) model;
        OWNED(RpBuffer) file;
        const RpGltfExportOptions options = Options(number);
        assert_true(TestModels_Make(&models, number, &model));
        Export(&model.archive, &options, &file);
        sum = sum * 31 + Checksum_OfBytes(file.bytes, file.size);
    }
    /* This number is replaced when the export changes on purpose. */
    assert_int_equal(sum, 0x2592502C);
}

/* Import must compute nearly everything by itself, so that corrections do not become a copy of the
 * model. */
TEST(TheCorpusNeedsFewCorrections) {
    uint64_t with = 0, without = 0, bytes = 0;
    for (uint32_t number = TEST_MODELS_SMALL; number < TEST_MODELS_CORPUS; number += 2) {
        OWNED(TestModel) model;
        RpBuffer file;
        RpGltfExportOptions options = RpGltfExportOptions_Default();
        assert_true(TestModels_Make(&models, number, &model));
        if (TestModel_CanExport(&model)) {
            Export(&model.archive, &options, &file);
            with += file.size;
            RpBuffer_Free(&file);
            options.restore = false;
            Export(&model.archive, &options, &file);
            without += file.size;
            RpBuffer_Free(&file);
            for (uint32_t i = 0; i < model.archive.count; i++)
                bytes += model.archive.members[i].size;
        }
    }
    print_message("models %u bytes, glTF %u and %u of corrections\n", (unsigned)bytes,
                  (unsigned)without, (unsigned)(with - without));
    assert_true(with - without < bytes / 10);
}
