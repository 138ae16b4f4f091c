#include "fixture.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const RpAcAnimation *Find(void *context, uint32_t id) {
    const Fixture *fixture = context;
    for (uint32_t i = 0; i < fixture->count; i++)
        if (fixture->animations[i].id == id)
            return &fixture->animations[i];
    return NULL;
}

RpAcLibrary Fixture_Library(Fixture *fixture) {
    return (RpAcLibrary){Find, fixture};
}

void Fixture_Begin(Fixture *fixture) {
    const RpAcLibrary library = Fixture_Library(fixture);
    memset(fixture, 0, sizeof *fixture);
    RpSequence_Init(&fixture->sequence, fixture->nodes, FIXTURE_NODES, &library);
}

void Fixture_End(Fixture *fixture) {
    for (uint32_t i = 0; i < fixture->count; i++)
        RpAcAnimation_Free(&fixture->animations[i]);
}

static void *Zeros(size_t count, size_t size) {
    void *block = calloc(count, size);
    assert_non_null(block);
    return block;
}

uint32_t Fixture_Animation(Fixture *fixture, char letter, uint32_t frames, const float *y) {
    RpAcAnimation *animation = &fixture->animations[fixture->count];
    fixture->letters[fixture->count++] = letter;
    animation->id = 0x03000000u + (uint32_t)letter;
    animation->flags = y ? 3 : 2;
    animation->part_count = 1;
    animation->frame_count = frames;
    animation->part_frames = Zeros(frames, sizeof *animation->part_frames);
    animation->first_hook = Zeros(frames + 1, sizeof *animation->first_hook);
    animation->hooks = Zeros(frames, sizeof *animation->hooks);
    animation->hook_count = frames;
    if (y)
        animation->pos_frames = Zeros(frames, sizeof *animation->pos_frames);
    for (uint32_t i = 0; i < frames; i++) {
        RpAcFrame_Identity(&animation->part_frames[i]);
        animation->part_frames[i].origin[0] = (float)i;
        animation->first_hook[i + 1] = i + 1;
        if (y) {
            RpAcFrame_Identity(&animation->pos_frames[i]);
            animation->pos_frames[i].origin[1] = y[i];
        }
    }
    return animation->id;
}

void Fixture_Append(Fixture *fixture, uint32_t id, int32_t low, int32_t high, float framerate) {
    const RpAcAnimRef ref = {id, low, high, framerate};
    assert_int_equal(RpSequence_Append(&fixture->sequence, &ref, NULL), RP_OK);
}

void Fixture_Log(void *context, const RpSequenceEvent *event) {
    Fixture *fixture = context;
    const size_t length = strlen(fixture->log);
    char *end = fixture->log + length;
    const size_t left = sizeof fixture->log - length;
    if (!event->hook)
        snprintf(end, left, "%sDONE", length ? " " : "");
    else
        snprintf(end, left, "%s%c%u", length ? " " : "",
                 fixture->letters[event->animation - fixture->animations], (unsigned)event->frame);
}

void Fixture_Update(Fixture *fixture, double quantum) {
    fixture->log[0] = 0;
    RpAcFrame_Identity(&fixture->offset);
    assert_int_equal(RpSequence_Update(&fixture->sequence, quantum, &fixture->offset, Fixture_Log,
                                       fixture, NULL),
                     RP_OK);
}
