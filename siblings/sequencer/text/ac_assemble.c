/* Makes the resources that dumps describe (ac_dump.c writes dumps). The bytes are put together
 * first and then read like those of a file, which rejects a text that does not describe a valid
 * resource. */
#include "core/hex.h"
#include "core/json/json_read.h"
#include "ngi32/processor/modes.h"
#include "retropose/sequencer.h"

#include <cjson/cJSON.h>
#include <string.h>

typedef struct Assembly {
    RpBuffer image;
    JsonRead read;
} Assembly;

typedef bool Taker(void *context, const cJSON *item); /* `context` is the Assembly. */

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Appends the word that has this name in the object. */
static void Word(Assembly *assembly, const cJSON *object, const char *name) {
    const size_t length = JsonRead_Enter(&assembly->read, name);
    const cJSON *item = Member(object, name);
    uint32_t word = 0;
    if (!cJSON_IsString(item) || !Hex_ReadWord(item->valuestring, &word))
        JsonRead_Refuse(&assembly->read, "this is no such word",
                        "\"0x\" and eight hexadecimal digits", item);
    RpBuffer_AppendU32(&assembly->image, word);
    JsonRead_Leave(&assembly->read, length);
}

static double Integer(Assembly *assembly, const cJSON *object, const char *name, double least,
                      double most) {
    double value = 0;
    JsonRead_IntegerMember(&assembly->read, object, name, least, most, &value);
    return value;
}

/* Appends a number with a sign. */
static void Signed(Assembly *assembly, const cJSON *object, const char *name) {
    const double value = Integer(assembly, object, name, INT32_MIN, INT32_MAX);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)(int32_t)value);
}

static void PutFloats(Assembly *assembly, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_AppendU32(&assembly->image, bits);
    }
}

/* Appends the elements of a list. If `counted` is set, their number comes first. */
static void List(Assembly *assembly, const cJSON *object, const char *name, bool counted,
                 Taker *take) {
    if (counted)
        RpBuffer_AppendU32(&assembly->image, (uint32_t)cJSON_GetArraySize(Member(object, name)));
    JsonRead_List(&assembly->read, object, name, take, assembly);
}

static void Hex(Assembly *assembly, const cJSON *object, const char *name) {
    JsonRead_HexMember(&assembly->read, object, name, &assembly->image);
}

/* ---- Animation ------------------------------------------------------------------------------- */

static bool Frame(void *context, const cJSON *item) {
    Assembly *assembly = context;
    float values[7] = {0};
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 7)
        return JsonRead_Refuse(&assembly->read, "this is no frame",
                               "seven numbers: x, y, z, qw, qx, qy, qz", item);
    JsonRead_FloatList(&assembly->read, item, values, 7);
    PutFloats(assembly, values, 7);
    return !assembly->read.status;
}

static bool Hook(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"type", "name", "direction", "fields", "payload", NULL};
    JsonRead_OnlyMembers(&assembly->read, item, names);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)Integer(assembly, item, "type", 0, UINT32_MAX));
    Signed(assembly, item, "direction");
    Hex(assembly, item, "payload");
    return !assembly->read.status;
}

static bool PartFrame(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"parts", "hooks", NULL};
    JsonRead_OnlyMembers(&assembly->read, item, names);
    List(assembly, item, "parts", false, Frame);
    List(assembly, item, "hooks", true, Hook);
    return !assembly->read.status;
}

static bool Animation(void *context, const cJSON *root) {
    Assembly *assembly = context;
    static const char *const names[] = {"format",    "version", "id",       "flags", "parts",
                                        "positions", "frames",  "trailing", NULL};
    JsonRead_OnlyMembers(&assembly->read, root, names);
    Integer(assembly, root, "version", 1, 1);
    Word(assembly, root, "id");
    Word(assembly, root, "flags");
    const double parts = Integer(assembly, root, "parts", 0, INT32_MAX);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)parts);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)cJSON_GetArraySize(Member(root, "frames")));

    /* Every frame needs as many parts as the header says, and a position if the animation has
     * positions. */
    const cJSON *frames = Member(root, "frames"), *positions = Member(root, "positions"), *item;
    uint32_t i = 0;
    const size_t length = JsonRead_Enter(&assembly->read, "positions");
    if (positions && cJSON_GetArraySize(positions) != cJSON_GetArraySize(frames))
        JsonRead_Refuse(&assembly->read, "not as many positions as frames", "", NULL);
    JsonRead_Leave(&assembly->read, length);
    JsonRead_Enter(&assembly->read, "frames");
    cJSON_ArrayForEach(item, frames) {
        const size_t outer = JsonRead_EnterElement(&assembly->read, i++);
        if (cJSON_GetArraySize(Member(item, "parts")) != (int)parts)
            JsonRead_Refuse(&assembly->read, "not as many parts as the animation has", "", NULL);
        JsonRead_Leave(&assembly->read, outer);
    }
    JsonRead_Leave(&assembly->read, length);

    if (Member(root, "positions"))
        List(assembly, root, "positions", false, Frame);
    List(assembly, root, "frames", false, PartFrame);
    Hex(assembly, root, "trailing");
    return !assembly->read.status;
}

/* ---- MotionTable ----------------------------------------------------------------------------- */

static bool Ref(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"id", "low", "high", "framerate", NULL};
    float framerate = 0;
    JsonRead_OnlyMembers(&assembly->read, item, names);
    Word(assembly, item, "id");
    Signed(assembly, item, "low");
    Signed(assembly, item, "high");
    JsonRead_FloatMember(&assembly->read, item, "framerate", &framerate);
    PutFloats(assembly, &framerate, 1);
    return !assembly->read.status;
}

/* A vector is in the file only if its flag is set. A vector in the dump without the flag is an
 * error, because it would be lost. */
static void FlaggedVector(Assembly *assembly, const cJSON *item, const char *name, bool flagged,
                          const char *expected) {
    float values[3] = {0};
    if (flagged) {
        JsonRead_Floats(&assembly->read, item, name, values, 3);
        PutFloats(assembly, values, 3);
    } else if (Member(item, name)) {
        JsonRead_Enter(&assembly->read, name);
        JsonRead_Refuse(&assembly->read, "its flag is not set", expected, NULL);
    }
}

static bool Data(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"key",        "bits",     "flags", "padding",
                                        "animations", "velocity", "omega", NULL};
    const int refs = cJSON_GetArraySize(Member(item, "animations"));
    JsonRead_OnlyMembers(&assembly->read, item, names);
    Word(assembly, item, "key");
    const uint8_t bits = (uint8_t)Integer(assembly, item, "bits", 0, UINT8_MAX);
    const uint8_t flags = (uint8_t)Integer(assembly, item, "flags", 0, UINT8_MAX);
    const uint8_t padding = (uint8_t)Integer(assembly, item, "padding", 0, UINT8_MAX);
    const uint8_t bytes[4] = {(uint8_t)refs, bits, flags, padding};
    if (refs > UINT8_MAX)
        JsonRead_Refuse(&assembly->read, "too many animations", "up to 255", NULL);
    RpBuffer_Append(&assembly->image, bytes, sizeof bytes);
    List(assembly, item, "animations", false, Ref);
    FlaggedVector(assembly, item, "velocity", flags & RP_AC_DATA_VELOCITY,
                  "bit 0 in \"flags\", or no velocity");
    FlaggedVector(assembly, item, "omega", flags & RP_AC_DATA_OMEGA,
                  "bit 1 in \"flags\", or no omega");
    return !assembly->read.status;
}

static bool Style(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"style", "substate", NULL};
    JsonRead_OnlyMembers(&assembly->read, item, names);
    Word(assembly, item, "style");
    Word(assembly, item, "substate");
    return !assembly->read.status;
}

static bool Link(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"key", "motions", NULL};
    JsonRead_OnlyMembers(&assembly->read, item, names);
    Word(assembly, item, "key");
    List(assembly, item, "motions", true, Data);
    return !assembly->read.status;
}

static bool Table(void *context, const cJSON *root) {
    Assembly *assembly = context;
    static const char *const names[] = {"format", "version",   "id",    "default_style", "styles",
                                        "cycles", "modifiers", "links", "trailing",      NULL};
    JsonRead_OnlyMembers(&assembly->read, root, names);
    Integer(assembly, root, "version", 1, 1);
    Word(assembly, root, "id");
    Word(assembly, root, "default_style");
    List(assembly, root, "styles", true, Style);
    List(assembly, root, "cycles", true, Data);
    List(assembly, root, "modifiers", true, Data);
    List(assembly, root, "links", true, Link);
    Hex(assembly, root, "trailing");
    return !assembly->read.status;
}

/* ---- whole ----------------------------------------------------------------------------------- */

/* Fills the assembly's image, which the caller has to free even after an error. */
static RpStatus MakeImage(const char *json, size_t size, const RpAllocator *allocator,
                          const char *format, Taker *take, Assembly *assembly, RpError *error) {
    RpBuffer_Init(&assembly->image, allocator);
    assembly->read = (JsonRead){.error = error};
    cJSON *root = JsonRead_Document(json, size, "what `ac dump` writes", error);
    if (!root)
        return RP_CORRUPT;
    const cJSON *named = Member(root, "format");
    if (cJSON_IsString(named) && strcmp(named->valuestring, format) == 0)
        take(assembly, root);
    else
        JsonRead_Refuse(&assembly->read, "this is no such dump", format, named);
    cJSON_Delete(root);
    return !assembly->read.status && assembly->image.failed ? RpMemory_Refused(error, "a resource")
                                                            : assembly->read.status;
}

RpStatus RpAcAnimation_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                RpAcAnimation *animation, RpError *error) {
    MODES_OF_C();
    Assembly assembly;
    memset(animation, 0, sizeof *animation);
    RpStatus status =
        MakeImage(json, size, allocator, "retropose ac animation", Animation, &assembly, error);
    if (!status)
        status = RpAcAnimation_Read(assembly.image.bytes, assembly.image.size, RP_STRICT, allocator,
                                    animation, error);
    RpBuffer_Free(&assembly.image);
    return status;
}

RpStatus RpAcMotionTable_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                  RpAcMotionTable *table, RpError *error) {
    MODES_OF_C();
    Assembly assembly;
    memset(table, 0, sizeof *table);
    RpStatus status =
        MakeImage(json, size, allocator, "retropose ac motion table", Table, &assembly, error);
    if (!status)
        status = RpAcMotionTable_Read(assembly.image.bytes, assembly.image.size, RP_STRICT,
                                      allocator, table, error);
    RpBuffer_Free(&assembly.image);
    return status;
}
