#include "model_check.h"

#include <string.h>

#define RULE(condition, text)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return text;                                                                           \
    } while (0)

uint32_t Get16(const uint8_t *bytes) {
    return (uint32_t)(bytes[0] + 256 * bytes[1]);
}

uint32_t Get32(const uint8_t *bytes) {
    return Get16(bytes) + 65536 * Get16(bytes + 2);
}

float GetFloat(const uint8_t *bytes) {
    float value;
    memcpy(&value, bytes, sizeof value); /* every target is little-endian */
    return value;
}

static bool IsZero(const uint8_t *bytes, uint32_t size) {
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return size == 0;
}

/* ---- the archive ----------------------------------------------------------------------------- */

static const char *CheckEntry(const uint8_t *image, const uint8_t *directory, uint32_t index,
                              uint32_t *cursor, CheckedModel *model) {
    const uint8_t *entry = directory + 64 * index;
    uint32_t type = Get32(entry), size = Get32(entry + 12), offset = Get32(entry + 56);
    RULE(type < 32, "a type of a model's stream");
    RULE(!model->streams[type].bytes, "a type once");
    RULE(offset == *cursor, "payloads in directory order without gaps");
    RULE(offset % 8 == 0, "payloads at multiples of 8");
    RULE(size <= (uint32_t)(directory - image) - offset, "payloads before the directory");
    RULE(entry[20] != 0 && memchr(entry + 20, 0, 36), "a name with a NUL");
    RULE(memcmp(entry + 20, directory + 20, 36) == 0 && Get32(entry + 60) == index,
         "the stable order of equal names");
    uint32_t padding = (8 - size % 8) % 8;
    RULE(IsZero(image + offset + size, padding), "zero padding");
    *cursor = offset + size + padding;
    model->streams[type] = (CheckedStream){Get32(entry + 4), Get32(entry + 8), Get32(entry + 16),
                                           size, image + offset};
    return NULL;
}

static const char *CheckArchive(const uint8_t *image, uint32_t size, CheckedModel *model) {
    RULE(size >= 16 && memcmp(image, "NRes", 4) == 0, "magic");
    RULE(Get32(image + 4) == 0x100, "version 0x100");
    RULE(Get32(image + 12) == size, "total size");
    uint32_t count = Get32(image + 8), cursor = 16;
    RULE(count <= (size - 16) / 64, "a directory inside the file");
    const uint8_t *directory = image + size - 64 * count;
    const char *fault = NULL;
    for (uint32_t i = 0; i < count && !fault; i++)
        fault = CheckEntry(image, directory, i, &cursor, model);
    RULE(fault || cursor == size - 64 * count, "the directory behind the last payload");
    return fault;
}

/* ---- streams --------------------------------------------------------------------------------- */

static const char *CheckCounts(const CheckedModel *model) {
    static const struct {
        uint8_t type, stride, attr3;
        bool required;
    } rows[] = {
        {1, 38, 38, true},  {3, 12, 12, true},   {4, 4, 4, true},   {5, 4, 4, true},
        {6, 2, 2, true},    {7, 16, 16, true},   {8, 24, 4, true},  {9, 32, 32, true},
        {13, 20, 20, true}, {15, 8, 8, false},   {16, 8, 8, false}, {18, 4, 4, false},
        {19, 2, 2, true},   {20, 48, 48, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const CheckedStream *stream = &model->streams[rows[i].type];
        RULE(stream->bytes || !rows[i].required, "every required stream");
        if (!stream->bytes)
            continue;
        RULE(stream->size == stream->attr1 * rows[i].stride, "attr1 = count of records");
        RULE(stream->attr3 == rows[i].attr3, "attr3 of the type");
        RULE(stream->attr2 == 0 || rows[i].type == 19, "attr2 = 0");
    }
    const CheckedStream *slots = &model->streams[2], *labels = &model->streams[10];
    RULE(slots->bytes && slots->size == 140 + 68 * slots->attr1 && slots->attr3 == 68, "slots");
    RULE(labels->bytes && labels->attr1 == model->streams[1].attr1 && labels->attr3 == 0,
         "a label for every node");
    RULE(model->streams[17].bytes, "stream 17, which all files have");
    for (uint32_t type = 4; type <= 18; type++)
        if (type == 4 || type == 5 || type == 15 || type == 16 || type == 18)
            RULE(!model->streams[type].bytes ||
                     model->streams[type].attr1 == model->streams[3].attr1,
                 "vertex streams of one length");
    return NULL;
}

static const char *CheckLabels(const CheckedModel *model) {
    const CheckedStream *labels = &model->streams[10];
    uint32_t at = 0;
    for (uint32_t node = 0; node < labels->attr1; node++) {
        RULE(labels->size - at >= 4, "a length for every label");
        uint32_t length = Get32(labels->bytes + at);
        at += 4;
        if (length == 0)
            continue;
        RULE(length < labels->size - at, "labels inside the stream");
        RULE(memchr(labels->bytes + at, 0, length + 1) == labels->bytes + at + length,
             "one NUL behind a label");
        at += length + 1;
    }
    RULE(at == labels->size, "no bytes behind the last label");
    return NULL;
}

static const char *CheckBatches(const CheckedModel *model) {
    const CheckedStream *batches = &model->streams[13];
    uint32_t next = 0;
    for (uint32_t i = 0; i < batches->attr1; i++) {
        const uint8_t *batch = batches->bytes + 20 * i;
        uint32_t count = Get16(batch + 8), first = Get32(batch + 10), most = 0;
        RULE(first == next && count % 3 == 0, "batches tile the indices");
        next = first + count;
        RULE(next <= model->streams[6].attr1, "batches inside the indices");
        for (uint32_t k = first; k < next; k++)
            if (Get16(model->streams[6].bytes + 2 * k) > most)
                most = Get16(model->streams[6].bytes + 2 * k);
        RULE(Get16(batch + 14) == most + 1, "vertex count of a batch");
        RULE(Get32(batch + 16) + most < model->streams[3].attr1, "batches inside the vertices");
    }
    RULE(next == model->streams[6].attr1 && next == 3 * model->streams[7].attr1,
         "triangles, indices and batches of one length");
    return NULL;
}

static const char *CheckSlots(const CheckedModel *model) {
    for (uint32_t i = 0; i < model->streams[2].attr1; i++) {
        const uint8_t *slot = model->streams[2].bytes + 140 + 68 * i;
        RULE(Get16(slot) + Get16(slot + 2) <= model->streams[7].attr1, "triangles of a slot");
        RULE(Get16(slot + 4) + Get16(slot + 6) <= model->streams[13].attr1, "batches of a slot");
        for (int axis = 0; axis < 3; axis++)
            RULE(GetFloat(slot + 8 + 4 * axis) <= GetFloat(slot + 20 + 4 * axis), "a slot's box");
        const uint8_t *batch = model->streams[13].bytes + 20 * Get16(slot + 4);
        float low = GetFloat(slot + 8), high = GetFloat(slot + 20);
        float least = high, most = low;
        for (uint32_t v = 0; v < Get16(batch + 14); v++) {
            float x = GetFloat(model->streams[3].bytes + 12 * (Get32(batch + 16) + v));
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        RULE(least == low && most == high, "the box of a slot's vertices");
    }
    return NULL;
}

static const char *CheckTriangles(const CheckedModel *model) {
    uint32_t count = model->streams[7].attr1;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *triangle = model->streams[7].bytes + 16 * i;
        for (uint32_t edge = 0; edge < 3; edge++) {
            uint32_t other = Get16(triangle + 2 + 2 * edge);
            uint32_t link = Get16(triangle + 14) >> 2 * edge & 3;
            RULE((other == 0xFFFF) == (link == 3), "an open edge on both accounts");
            if (other == 0xFFFF)
                continue;
            RULE(other < count, "a neighbour inside the stream");
            const uint8_t *back = model->streams[7].bytes + 16 * other;
            RULE(Get16(back + 2 + 2 * link) == i, "neighbours of each other");
        }
    }
    return NULL;
}

static const char *CheckNodes(const CheckedModel *model) {
    const CheckedStream *map = &model->streams[19];
    uint32_t keys = model->streams[8].attr1, frames = map->attr2;
    RULE(frames >= 1, "at least one frame");
    for (uint32_t node = 0; node < model->streams[1].attr1; node++) {
        const uint8_t *record = model->streams[1].bytes + 38 * node;
        uint32_t parent = Get16(record + 2), start = Get16(record + 4);
        RULE(parent == 0xFFFF || parent < node, "parents first");
        RULE(Get16(record + 6) < keys, "the fallback inside the keys");
        RULE(start == 0xFFFF || start + frames <= map->attr1, "map blocks inside the stream");
        for (uint32_t i = 0; i < 15; i++) {
            uint32_t slot = Get16(record + 8 + 2 * i);
            RULE(slot == 0xFFFF || slot < model->streams[2].attr1, "slots inside the stream");
        }
    }
    return NULL;
}

const char *Model_Check(const uint8_t *image, uint32_t size, CheckedModel *model) {
    memset(model, 0, sizeof *model);
    const char *fault = CheckArchive(image, size, model);
    const char *(*const checks[])(const CheckedModel *) = {
        CheckCounts, CheckLabels, CheckBatches, CheckSlots, CheckTriangles, CheckNodes};
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !fault; i++)
        fault = checks[i](model);
    return fault;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static float KeyTime(const CheckedModel *model, uint32_t key) {
    return GetFloat(model->streams[8].bytes + 24 * key + 12);
}

static const char *CheckTrack(const CheckedModel *model, uint32_t first, uint32_t last,
                              bool animated) {
    RULE(first <= last, "a key in every track");
    RULE(KeyTime(model, first) == 0.0f, "tracks from time 0");
    RULE(animated ? last > first : last == first, "one key where nothing moves");
    for (uint32_t key = first + 1; key <= last; key++)
        RULE(KeyTime(model, key) > KeyTime(model, key - 1), "rising times");
    return NULL;
}

static const char *CheckMap(const CheckedModel *model, uint32_t start, uint32_t first,
                            uint32_t last) {
    for (uint32_t frame = 0; frame < model->streams[19].attr2; frame++) {
        uint32_t word = Get16(model->streams[19].bytes + 2 * (start + frame)), key = first;
        while (key < last && KeyTime(model, key + 1) <= (float)frame)
            key++;
        RULE(word == key, "the map names the segment of the frame");
    }
    return NULL;
}

const char *Model_CheckCanonical(const CheckedModel *model) {
    uint32_t first = 0, start = 0, frames = model->streams[19].attr2;
    float longest = 0;
    for (uint32_t node = 0; node < model->streams[1].attr1; node++) {
        const uint8_t *record = model->streams[1].bytes + 38 * node;
        uint32_t last = Get16(record + 6);
        bool animated = Get16(record + 4) != 0xFFFF;
        const char *fault = CheckTrack(model, first, last, animated);
        if (!fault && animated)
            fault = CheckMap(model, start, first, last);
        RULE(!fault, fault);
        RULE(!animated || Get16(record + 4) == start, "map blocks one after the other");
        start += animated ? frames : 0;
        longest = KeyTime(model, last) > longest ? KeyTime(model, last) : longest;
        first = last + 1;
    }
    RULE(first == model->streams[8].attr1, "every key in a track");
    RULE(start == model->streams[19].attr1, "every map word in a block");
    RULE((float)frames == longest + 1, "frames up to the last key");
    return NULL;
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Executes the processor's own subtraction and FISTP under the call's control word. */
static uint32_t FrameOf(float t, uint16_t control_word) {
    static const float half = 0.5f;
    uint16_t saved;
    int64_t frame;
    __asm__ volatile("fnstcw %1\n\tfldcw %2\n\tflds %3\n\tfsubs %4\n\tfistpll %0\n\tfnclex\n\t"
                     "fldcw %1"
                     : "=m"(frame), "=m"(saved)
                     : "m"(control_word), "m"(t), "m"(half)
                     : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
    return (uint32_t)frame;
}

const char *Model_CheckSample(const CheckedModel *model, uint32_t node, float t,
                              uint16_t control_word) {
    RULE(node < model->streams[1].attr1, "the node");
    const uint8_t *record = model->streams[1].bytes + 38 * node;
    uint32_t start = Get16(record + 4), fallback = Get16(record + 6);
    uint32_t frame = FrameOf(t, control_word), keys = model->streams[8].attr1;
    RULE(fallback < keys, "the fallback key");
    if (frame >= model->streams[19].attr2 || start == 0xFFFF)
        return NULL;
    RULE(start + frame < model->streams[19].attr1, "the map word");
    uint32_t word = Get16(model->streams[19].bytes + 2 * (start + frame));
    RULE(word >= fallback || word + 1 < keys, "the next key");
    return NULL;
}
