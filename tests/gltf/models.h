/* The models that the tests of glTF work on: small ones of every kind, the synthetic corpus, and
 * its wild variants. */
#ifndef RETROPOSE_TESTS_GLTF_MODELS_H
#define RETROPOSE_TESTS_GLTF_MODELS_H

#include "replay/scenario/model.h"
#include "retropose/corpus.h"
#include "retropose/gltf.h"

enum { TEST_MODELS_SMALL = 96, TEST_MODELS_CORPUS = TEST_MODELS_SMALL + RP_CORPUS_MODELS };

typedef struct TestModels {
    RpCorpus *corpora[2]; /* the seeds' readings, and those of the projects that draw the game */
    uint32_t count;
} TestModels;

typedef struct TestModel {
    char name[64];
    RpNResArchive archive;
    ModelImage small;
    RpBuffer variant; /* what the archive may point into */
} TestModel;

bool TestModels_Open(TestModels *models);
void TestModels_Close(TestModels *models);
/* Any number below `count`; the same number is always the same model. */
bool TestModels_Make(const TestModels *models, uint32_t number, TestModel *model);
/* With what it is exported for the tests in JavaScript. */
RpGltfExportOptions TestModels_ExportOptions(uint32_t number);
void TestModel_Free(TestModel *model);
/* Nodes of stride 24, or none at all: nothing to export. */
bool TestModel_CanExport(const TestModel *model);

#endif
