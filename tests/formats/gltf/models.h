/* The models for the tests of glTF: small ones of every kind, the synthetic corpus, and its wild
 * variants. */
#ifndef RETROPOSE_TESTS_FORMATS_GLTF_MODELS_H
#define RETROPOSE_TESTS_FORMATS_GLTF_MODELS_H

#include "replay/scenario/synthetic_model.h"
#include "retropose/corpus.h"
#include "retropose/gltf.h"

enum { TEST_MODELS_SMALL = 96, TEST_MODELS_CORPUS = TEST_MODELS_SMALL + RP_CORPUS_MODELS };

typedef struct TestModels {
    /* One corpus by the readings of the seed documents, and one by those of the projects that draw
     * the game. */
    RpCorpus *corpora[2];
    uint32_t count;
} TestModels;

typedef struct TestModel {
    char name[64];
    RpNResArchive archive;
    ModelImage small;
    RpBuffer variant; /* the image that the archive may point into */
} TestModel;

bool TestModels_Open(TestModels *models);
void TestModels_Close(TestModels *models);
/* Makes a model by any number below `count`. The same number always gives the same model. */
bool TestModels_Make(const TestModels *models, uint32_t number, TestModel *model);
/* Returns the options with which the tests in JavaScript get the model. */
RpGltfExportOptions TestModels_ExportOptions(uint32_t number);
void TestModel_Free(TestModel *model);
/* Returns false for models that cannot be exported: with nodes of stride 24, or without nodes. */
bool TestModel_CanExport(const TestModel *model);

/* Writes a file for each model that can be exported into the directory that is the only argument.
 * `extension` is null where the container of the model's options gives it. */
typedef bool TestModelFile(const TestModel *model, const RpGltfExportOptions *options,
                           uint32_t number, RpBuffer *file, RpError *error);
bool TestModels_Write(int argument_count, char **arguments, const char *extension,
                      TestModelFile *make);

#endif
