/* What public sources read differently, by name (facts/formats.md 0). */
#include "retropose/msh.h"

#include <stdio.h>
#include <string.h>

typedef struct Reading {
    const char *name, *choices, *source;
    size_t offset; /* of the choice in RpMshReadings */
} Reading;

/* In the order of the struct. */
static const Reading readings_table[RP_MSH_READING_COUNT] = {
    {"key-order", "xyzw|wxyz",
     "xyzw: seed 000 section 2.1, seed 003 section 1.1. wxyz: openparkan and ParkanPlayground, "
     "which "
     "draw the game's data; with it posed geometry fills the header box of 434 of 434 models "
     "(facts/formats.md C1, C1a)",
     offsetof(RpMshReadings, key_order)},
    {"rotation", "conjugate|plain",
     "conjugate: the matrix of seed 000 section 4.4, openparkan, ParkanPlayground. plain: fparkan "
     "(facts/formats.md C2)",
     offsetof(RpMshReadings, rotation)},
    {"slot-words", "lod-group|state-lod",
     "lod-group: [3 levels][5 groups], seed 001 section 5.1. state-lod: [3 damage states][5 "
     "levels], "
     "openparkan, ParkanPlayground; triangle counts fall inside a block on 1157 of 1161 chains "
     "(facts/formats.md C4)",
     offsetof(RpMshReadings, slot_words)},
    {"material", "word2|byte4",
     "word2: u16 at +2 of a batch, seed 001 section 5.8. byte4: u8 at +4, openparkan, "
     "ParkanPlayground; resolves 15138 of 15138 batches (facts/formats.md C3)",
     offsetof(RpMshReadings, material)},
    {"names", "res9|res10",
     "res10: the node strings of seed 001 section 5.9, which leaves Res9 open. res9: 32-byte node "
     "names, with Res10 the socket labels, openparkan (facts/formats.md C5)",
     offsetof(RpMshReadings, names)},
    {"uv", "signed|unsigned",
     "signed: seed 001 section 5.5, ParkanPlayground. unsigned: openparkan. 64 whole tiles apart: "
     "the "
     "same texel under repeat (facts/formats.md C10)",
     offsetof(RpMshReadings, uv)},
    {"rest-pose", "frame0|fallback",
     "frame0: the key of frame 0, openparkan; the bind pose. fallback: the fallback key, fparkan, "
     "ParkanPlayground; the last frame of an animated node (facts/formats.md C12)",
     offsetof(RpMshReadings, rest_pose)},
};

static const char drawn[] = "key-order=wxyz,slot-words=state-lod,material=byte4,uv=unsigned";

static const Reading *At(int index) {
    return index >= 0 && index < RP_MSH_READING_COUNT ? &readings_table[index] : NULL;
}

const char *RpMshReadings_Name(int index) {
    return At(index) ? At(index)->name : NULL;
}

const char *RpMshReadings_Choices(int index) {
    return At(index) ? At(index)->choices : NULL;
}

const char *RpMshReadings_Source(int index) {
    return At(index) ? At(index)->source : NULL;
}

static bool Is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Index of a choice among "a|b|c"; -1 without it. */
static int FindChoice(const char *choices, const char *text, size_t length) {
    for (int index = 0;; index++) {
        size_t part = strcspn(choices, "|");
        if (part == length && memcmp(choices, text, length) == 0)
            return index;
        if (!choices[part])
            return -1;
        choices += part + 1;
    }
}

static void ListNames(char *list, size_t size) {
    size_t used = (size_t)snprintf(list, size, "drawn");
    for (int i = 0; i < RP_MSH_READING_COUNT && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, ", %s=%s", readings_table[i].name,
                                 readings_table[i].choices);
}

static RpStatus Unknown(RpError *error, const char *what, const char *expected, const char *text,
                        size_t length) {
    char found[80];
    snprintf(found, sizeof found, "%.*s", length < 79 ? (int)length : 79, text);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "readings", expected, found);
}

static RpStatus SetChoice(RpMshReadings *readings, const char *text, size_t length,
                          RpError *error) {
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length;
    for (int i = 0; i < RP_MSH_READING_COUNT; i++) {
        const Reading *reading = &readings_table[i];
        if (!Is(text, name_length, reading->name))
            continue;
        int choice =
            equals ? FindChoice(reading->choices, equals + 1, length - name_length - 1) : -1;
        if (choice < 0)
            return Unknown(error, "a reading has no such choice", reading->choices, text, length);
        ((uint8_t *)readings)[reading->offset] = (uint8_t)choice;
        return RP_OK;
    }
    char list[256];
    ListNames(list, sizeof list);
    return Unknown(error, "there is no reading of that name", list, text, length);
}

static RpStatus SetChoices(RpMshReadings *readings, const char *text, RpError *error) {
    while (*text) {
        size_t length = strcspn(text, ",");
        RpStatus status = Is(text, length, "drawn") ? SetChoices(readings, drawn, error)
                                                    : SetChoice(readings, text, length, error);
        if (status != RP_OK)
            return status;
        text += length;
        text += *text == ',';
    }
    return RP_OK;
}

RpStatus RpMshReadings_Parse(RpMshReadings *readings, const char *text, RpError *error) {
    RpMshReadings parsed = {0};
    RpStatus status = SetChoices(&parsed, text ? text : "", error);
    if (status == RP_OK)
        *readings = parsed;
    return status;
}

static void FormatChoice(const Reading *reading, int choice, char *buffer, size_t size) {
    const char *text = reading->choices;
    while (choice-- > 0 && strchr(text, '|'))
        text = strchr(text, '|') + 1;
    snprintf(buffer, size, "%s=%.*s", reading->name, (int)strcspn(text, "|"), text);
}

int RpMshReadings_Format(const RpMshReadings *readings, char *buffer, size_t size) {
    size_t used = 0;
    for (int i = 0; i < RP_MSH_READING_COUNT; i++) {
        char part[64];
        int choice = ((const uint8_t *)readings)[readings_table[i].offset];
        FormatChoice(&readings_table[i], choice, part, sizeof part);
        used += (size_t)snprintf(used < size ? buffer + used : NULL, used < size ? size - used : 0,
                                 "%s%s", i ? "," : "", part);
    }
    return (int)used;
}
