/* A second reader of the model format (facts: the archive's and the model's layout) for images in
 * tests. It was written against the bytes and shares nothing with
 * replay/scenario/synthetic_model.c. */
#ifndef RETROPOSE_TESTS_REPLAY_SCENARIO_MODEL_CHECK_H
#define RETROPOSE_TESTS_REPLAY_SCENARIO_MODEL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CheckedStream {
    uint32_t attr1, attr2, attr3, size;
    const uint8_t *bytes; /* null if the model lacks the stream */
} CheckedStream;

typedef struct CheckedModel {
    CheckedStream streams[32]; /* indexed by type */
} CheckedModel;

/* Returns null if the image is a valid archive whose streams are consistent, otherwise the broken
 * rule. */
const char *Model_Check(const uint8_t *image, uint32_t size, CheckedModel *model);
/* Returns null if tracks and frame map also have the form that the game's own files have. */
const char *Model_CheckCanonical(const CheckedModel *model);

/* Checks what AniMesh 0x10012880 reads at time t under a control word. Returns null if all of it
 * lies in the streams, otherwise which read does not. */
const char *Model_CheckSample(const CheckedModel *model, uint32_t node, float t,
                              uint16_t control_word);

uint32_t Get16(const uint8_t *bytes);
uint32_t Get32(const uint8_t *bytes);
float GetFloat(const uint8_t *bytes);

#endif
