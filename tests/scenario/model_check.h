/* A second reading of the model format (facts: the archive's and the model's layout), for images in
 * tests: written against the bytes, sharing nothing with replay/scenario/model.c. */
#ifndef RETROPOSE_TESTS_SCENARIO_MODEL_CHECK_H
#define RETROPOSE_TESTS_SCENARIO_MODEL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CheckedStream {
    uint32_t attr1, attr2, attr3, size;
    const uint8_t *bytes; /* null: the model lacks it */
} CheckedStream;

typedef struct CheckedModel {
    CheckedStream streams[32]; /* by type */
} CheckedModel;

/* Null when the image is a valid archive whose streams hold together; otherwise the broken rule. */
const char *Model_Check(const uint8_t *image, uint32_t size, CheckedModel *model);
/* Null when tracks and frame map are also those of the game's own files. */
const char *Model_CheckCanonical(const CheckedModel *model);

/* What AniMesh 0x10012880 reads at time t under a control word: null when all of it lies in the
 * streams, otherwise which read does not. */
const char *Model_CheckSample(const CheckedModel *model, uint32_t node, float t,
                              uint16_t control_word);

uint32_t Get16(const uint8_t *bytes);
uint32_t Get32(const uint8_t *bytes);
float GetFloat(const uint8_t *bytes);

#endif
