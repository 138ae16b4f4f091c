/* The synthetic models that the tests of glTF work on. */
#ifndef RETROPOSE_TESTS_GLTF_MODELS_H
#define RETROPOSE_TESTS_GLTF_MODELS_H

#include "replay/model.h"
#include "retropose/nres.h"

typedef struct TestModel {
    ModelImage image;
    RpNResArchive archive; /* over the image */
} TestModel;

/* Any number from 0 on is a model; the same number is always the same model. */
bool TestModel_Make(uint32_t number, TestModel *model);
void TestModel_Free(TestModel *model);
enum { TEST_MODEL_COUNT = 96 };

#endif
