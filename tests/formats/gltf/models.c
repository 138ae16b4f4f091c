#include "models.h"

#include "core/files/output.h"
#include "tests/owned.h"

#include <stdio.h>
#include <string.h>

/* Makes the specification of a small model. The numbers go through all kinds of trees, times,
 * rotations and maps, so that all combinations come up soon. */
static ModelSpec Specify(uint32_t number) {
    ModelSpec spec = {.nodes = 1 + number * 7 % 38,
                      .frame_count = 1,
                      .keys_per_node = 2 + number % 9,
                      .slots = 1 + number * 5 % 40,
                      .optional = number * 11 % 16,
                      .shuffled = number % 5 == 4,
                      .moving = number % 2 == 1,
                      .tree = (ModelTree)(number % 3),
                      .times = (ModelTimes)(number / 2 % 4),
                      .rotations = (ModelRotations)(number / 3 % 6),
                      .map = (ModelMap)(number / 5 % 4),
                      .seed = number};
    snprintf(spec.name, sizeof spec.name, "model_%u", (unsigned)number);
    spec.animated = number % 4 == 0 ? 0 : 1 + number % spec.nodes;
    if (spec.animated)
        spec.frame_count = 2 + number * 13 % 60;
    return spec;
}

static bool Read(TestModel *model, const void *bytes, size_t size) {
    RpNRes image;
    return RpNRes_Open(bytes, size, RP_TOLERANT, &image, NULL) == RP_OK &&
           RpNResArchive_Read(&model->archive, &image, NULL) == RP_OK;
}

static bool MakeSmall(uint32_t number, TestModel *model) {
    const ModelSpec spec = Specify(number);
    snprintf(model->name, sizeof model->name, "%s", spec.name);
    return ModelImage_Make(&spec, &model->small, NULL) == RP_OK &&
           Read(model, model->small.bytes, model->small.size);
}

static bool MakeVariant(const RpCorpus *corpus, uint32_t index, TestModel *model) {
    snprintf(model->name, sizeof model->name, "%s", RpCorpus_VariantInfo(index).name);
    return RpCorpus_Variant(corpus, index, &model->variant, NULL) == RP_OK &&
           Read(model, model->variant.bytes, model->variant.size);
}

bool TestModels_Open(TestModels *models) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    models->corpora[1] = NULL;
    models->count = TEST_MODELS_CORPUS + RpCorpus_VariantCount();
    return RpCorpus_New(&options, NULL, &models->corpora[0], NULL) == RP_OK &&
           RpReadings_Parse(&options.readings, RP_READS_FILES, "drawn", NULL) == RP_OK &&
           RpCorpus_New(&options, NULL, &models->corpora[1], NULL) == RP_OK;
}

void TestModels_Close(TestModels *models) {
    RpCorpus_Free(models->corpora[0]);
    RpCorpus_Free(models->corpora[1]);
}

bool TestModels_Make(const TestModels *models, uint32_t number, TestModel *model) {
    memset(model, 0, sizeof *model);
    RpNResArchive_Init(&model->archive, NULL);
    RpBuffer_Init(&model->variant, NULL);
    if (number < TEST_MODELS_SMALL)
        return MakeSmall(number, model);
    uint32_t index = number - TEST_MODELS_SMALL;
    const RpCorpus *corpus = models->corpora[index % 2];
    if (number >= TEST_MODELS_CORPUS)
        return MakeVariant(models->corpora[0], number - TEST_MODELS_CORPUS, model);
    snprintf(model->name, sizeof model->name, "%s", RpCorpus_ModelInfo(corpus, index).name);
    return RpCorpus_Model(corpus, index, &model->archive, NULL) == RP_OK;
}

RpGltfExportOptions TestModels_ExportOptions(uint32_t number) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    bool drawn = number >= TEST_MODELS_SMALL && number < TEST_MODELS_CORPUS &&
                 (number - TEST_MODELS_SMALL) % 2 == 1;
    RpReadings_Parse(&options.readings, RP_READS_FILES, drawn ? "drawn" : NULL, NULL);
    options.root_motion = (RpGltfRootMotion)(number % 3);
    options.sub_frames = number % 7 == 3 ? 4 : 1;
    options.container = number % 8 == 7 ? RP_GLTF_TEXT : RP_GLTF_BINARY;
    return options;
}

void TestModel_Free(TestModel *model) {
    RpNResArchive_Free(&model->archive);
    RpBuffer_Free(&model->variant);
    ModelImage_Free(&model->small);
}

bool TestModel_CanExport(const TestModel *model) {
    RpMsh msh;
    return RpMsh_Open(RpNResArchive_Entries(&model->archive), RP_TOLERANT, &msh, NULL) == RP_OK &&
           msh.node_stride == RP_MSH_NODE_BYTES && RpMsh_Count(&msh, RP_MSH_NODES) > 0;
}

static bool WriteOne(const TestModels *models, uint32_t number, const char *directory,
                     const char *extension, TestModelFile *make) {
    char path[1024];
    OWNED(TestModel) model;
    OWNED(RpBuffer) file = {0};
    RpError error = {0};
    const RpGltfExportOptions options = TestModels_ExportOptions(number);
    if (!extension)
        extension = options.container == RP_GLTF_TEXT ? "gltf" : "glb";
    snprintf(path, sizeof path, "%s/%03u.%s", directory, (unsigned)number, extension);
    bool made = TestModels_Make(models, number, &model);
    if (made && TestModel_CanExport(&model))
        made = make(&model, &options, number, &file, &error) &&
               Output_WriteBytes(path, file.bytes, file.size, &error) == RP_OK;
    if (!made)
        fprintf(stderr, "%s cannot be written: %s\n", path, error.what);
    return made;
}

bool TestModels_Write(int argument_count, char **arguments, const char *extension,
                      TestModelFile *make) {
    TestModels models;
    if (argument_count != 2)
        return false;
    bool made = TestModels_Open(&models);
    for (uint32_t i = 0; made && i < models.count; i++)
        made = WriteOne(&models, i, arguments[1], extension, make);
    TestModels_Close(&models);
    return made;
}
