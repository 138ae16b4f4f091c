#include "models.h"

#include <stdio.h>

/* All kinds of trees, times, rotations and maps in turn, each with each before long. */
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

bool TestModel_Make(uint32_t number, TestModel *model) {
    const ModelSpec spec = Specify(number);
    RpNRes image;
    RpNResArchive_Init(&model->archive, NULL);
    return ModelImage_Build(&spec, &model->image, NULL) == RP_OK &&
           RpNRes_Open(model->image.bytes, model->image.size, RP_STRICT, &image, NULL) == RP_OK &&
           RpNResArchive_Read(&model->archive, &image, NULL) == RP_OK;
}

void TestModel_Free(TestModel *model) {
    RpNResArchive_Free(&model->archive);
    ModelImage_Free(&model->image);
}
