/* Makes the resources that dumps describe (ac_dump.c writes dumps). The bytes are put together
 * first and then read like those of a file, which rejects a text that does not describe a valid
 * resource. */
#include "core/hex.h"
#include "core/json/json_read.h"
#include "ngi32/processor/modes.h"
#include "retropose/sequencer.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
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

static bool ParseWord(Assembly *assembly, const cJSON *item, uint32_t *word) {
    if (!cJSON_IsString(item) || !Hex_ReadWord(item->valuestring, word))
        return JsonRead_Refuse(&assembly->read, "this is no such word",
                               "\"0x\" and eight hexadecimal digits", item);
    return true;
}

/* Appends the word that has this name in the object. */
static bool Word(Assembly *assembly, const cJSON *object, const char *name) {
    const size_t length = JsonRead_Enter(&assembly->read, name);
    uint32_t word = 0;
    if (!ParseWord(assembly, Member(object, name), &word))
        return false;
    RpBuffer_AppendU32(&assembly->image, word);
    JsonRead_Leave(&assembly->read, length);
    return true;
}

static bool Integer(Assembly *assembly, const cJSON *object, const char *name, double least,
                    double most, double *value) {
    return JsonRead_IntegerMember(&assembly->read, object, name, least, most, value);
}

static void PutFloats(Assembly *assembly, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_AppendU32(&assembly->image, bits);
    }
}

static bool Vector(Assembly *assembly, const cJSON *object, const char *name) {
    float values[3];
    if (!JsonRead_Floats(&assembly->read, object, name, values, 3))
        return false;
    PutFloats(assembly, values, 3);
    return true;
}

static bool Hex(Assembly *assembly, const cJSON *object, const char *name) {
    const size_t length = JsonRead_Enter(&assembly->read, name);
    if (!JsonRead_Hex(&assembly->read, Member(object, name), &assembly->image))
        return false;
    JsonRead_Leave(&assembly->read, length);
    return true;
}

/* Appends the elements of a list. If `counted` is set, their number comes first. */
static bool List(Assembly *assembly, const cJSON *object, const char *name, bool counted,
                 Taker *take) {
    if (counted)
        RpBuffer_AppendU32(&assembly->image, (uint32_t)cJSON_GetArraySize(Member(object, name)));
    return JsonRead_List(&assembly->read, object, name, take, assembly);
}

/* ---- Animation ------------------------------------------------------------------------------- */

static bool Frame(void *context, const cJSON *item) {
    Assembly *assembly = context;
    float values[7];
    const cJSON *number;
    int i = 0;
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 7)
        return JsonRead_Refuse(&assembly->read, "this is no frame",
                               "seven numbers: x, y, z, qw, qx, qy, qz", item);
    cJSON_ArrayForEach(number, item) {
        const size_t length = JsonRead_EnterElement(&assembly->read, (uint32_t)i);
        if (!JsonRead_Float(&assembly->read, number, &values[i++]))
            return false;
        JsonRead_Leave(&assembly->read, length);
    }
    PutFloats(assembly, values, 7);
    return true;
}

static bool Hook(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"type", "name", "direction", "fields", "payload", NULL};
    double type = 0, direction = 0;
    if (!JsonRead_OnlyMembers(&assembly->read, item, names) ||
        !Integer(assembly, item, "type", 0, UINT32_MAX, &type) ||
        !Integer(assembly, item, "direction", INT32_MIN, INT32_MAX, &direction))
        return false;
    RpBuffer_AppendU32(&assembly->image, (uint32_t)type);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)(int32_t)direction);
    return Hex(assembly, item, "payload");
}

static bool PartFrame(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"parts", "hooks", NULL};
    return JsonRead_OnlyMembers(&assembly->read, item, names) &&
           List(assembly, item, "parts", false, Frame) && List(assembly, item, "hooks", true, Hook);
}

/* Every frame needs as many parts as the header says, and a position if the animation has
 * positions. */
static bool CheckLengths(Assembly *assembly, const cJSON *root, double parts) {
    const cJSON *frames = Member(root, "frames"), *positions = Member(root, "positions"), *item;
    if (positions && cJSON_GetArraySize(positions) != cJSON_GetArraySize(frames)) {
        JsonRead_Enter(&assembly->read, "positions");
        return JsonRead_Refuse(&assembly->read, "not as many positions as frames", "", NULL);
    }
    uint32_t i = 0;
    JsonRead_Enter(&assembly->read, "frames");
    cJSON_ArrayForEach(item, frames) {
        const size_t length = JsonRead_EnterElement(&assembly->read, i++);
        if (cJSON_GetArraySize(Member(item, "parts")) != (int)parts)
            return JsonRead_Refuse(&assembly->read, "not as many parts as the animation has", "",
                                   NULL);
        JsonRead_Leave(&assembly->read, length);
    }
    JsonRead_Leave(&assembly->read, 0);
    return true;
}

static bool Animation(void *context, const cJSON *root) {
    Assembly *assembly = context;
    static const char *const names[] = {"format",    "version", "id",       "flags", "parts",
                                        "positions", "frames",  "trailing", NULL};
    double parts = 0, version = 0;
    if (!JsonRead_OnlyMembers(&assembly->read, root, names) ||
        !Integer(assembly, root, "version", 1, 1, &version) || !Word(assembly, root, "id") ||
        !Word(assembly, root, "flags") || !Integer(assembly, root, "parts", 0, INT32_MAX, &parts))
        return false;
    RpBuffer_AppendU32(&assembly->image, (uint32_t)parts);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)cJSON_GetArraySize(Member(root, "frames")));
    return CheckLengths(assembly, root, parts) &&
           (!Member(root, "positions") || List(assembly, root, "positions", false, Frame)) &&
           List(assembly, root, "frames", false, PartFrame) && Hex(assembly, root, "trailing");
}

/* ---- MotionTable ----------------------------------------------------------------------------- */

static bool Ref(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"id", "low", "high", "framerate", NULL};
    double low = 0, high = 0;
    float framerate = 0;
    if (!JsonRead_OnlyMembers(&assembly->read, item, names) || !Word(assembly, item, "id") ||
        !Integer(assembly, item, "low", INT32_MIN, INT32_MAX, &low) ||
        !Integer(assembly, item, "high", INT32_MIN, INT32_MAX, &high))
        return false;
    const size_t length = JsonRead_Enter(&assembly->read, "framerate");
    if (!JsonRead_Float(&assembly->read, Member(item, "framerate"), &framerate))
        return false;
    JsonRead_Leave(&assembly->read, length);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)(int32_t)low);
    RpBuffer_AppendU32(&assembly->image, (uint32_t)(int32_t)high);
    PutFloats(assembly, &framerate, 1);
    return true;
}

/* A vector is in the file only if its flag is set. A vector in the dump without the flag is an
 * error, because it would be lost. */
static bool FlaggedVector(Assembly *assembly, const cJSON *item, const char *name, bool flagged,
                          const char *expected) {
    if (flagged)
        return Vector(assembly, item, name);
    const size_t length = JsonRead_Enter(&assembly->read, name);
    if (Member(item, name))
        return JsonRead_Refuse(&assembly->read, "its flag is not set", expected, NULL);
    JsonRead_Leave(&assembly->read, length);
    return true;
}

static bool Data(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"key",        "bits",     "flags", "padding",
                                        "animations", "velocity", "omega", NULL};
    const int refs = cJSON_GetArraySize(Member(item, "animations"));
    double bits = 0, flags = 0, padding = 0;
    if (!JsonRead_OnlyMembers(&assembly->read, item, names) || !Word(assembly, item, "key") ||
        !Integer(assembly, item, "bits", 0, UINT8_MAX, &bits) ||
        !Integer(assembly, item, "flags", 0, UINT8_MAX, &flags) ||
        !Integer(assembly, item, "padding", 0, UINT8_MAX, &padding))
        return false;
    if (refs > UINT8_MAX)
        return JsonRead_Refuse(&assembly->read, "too many animations", "up to 255", NULL);
    const uint8_t bytes[4] = {(uint8_t)refs, (uint8_t)bits, (uint8_t)flags, (uint8_t)padding};
    RpBuffer_Append(&assembly->image, bytes, sizeof bytes);
    return List(assembly, item, "animations", false, Ref) &&
           FlaggedVector(assembly, item, "velocity", bytes[2] & RP_AC_DATA_VELOCITY,
                         "bit 0 in \"flags\", or no velocity") &&
           FlaggedVector(assembly, item, "omega", bytes[2] & RP_AC_DATA_OMEGA,
                         "bit 1 in \"flags\", or no omega");
}

static bool Style(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"style", "substate", NULL};
    return JsonRead_OnlyMembers(&assembly->read, item, names) && Word(assembly, item, "style") &&
           Word(assembly, item, "substate");
}

static bool Link(void *context, const cJSON *item) {
    Assembly *assembly = context;
    static const char *const names[] = {"key", "motions", NULL};
    return JsonRead_OnlyMembers(&assembly->read, item, names) && Word(assembly, item, "key") &&
           List(assembly, item, "motions", true, Data);
}

static bool Table(void *context, const cJSON *root) {
    Assembly *assembly = context;
    static const char *const names[] = {"format", "version",   "id",    "default_style", "styles",
                                        "cycles", "modifiers", "links", "trailing",      NULL};
    double version = 0;
    return JsonRead_OnlyMembers(&assembly->read, root, names) &&
           Integer(assembly, root, "version", 1, 1, &version) && Word(assembly, root, "id") &&
           Word(assembly, root, "default_style") && List(assembly, root, "styles", true, Style) &&
           List(assembly, root, "cycles", true, Data) &&
           List(assembly, root, "modifiers", true, Data) &&
           List(assembly, root, "links", true, Link) && Hex(assembly, root, "trailing");
}

/* ---- whole ----------------------------------------------------------------------------------- */

/* Fills the assembly's image, which the caller has to free even after an error. */
static RpStatus MakeImage(const char *json, size_t size, const RpAllocator *allocator,
                          const char *format, Taker *take, Assembly *assembly, RpError *error) {
    const char *end = NULL;
    RpBuffer_Init(&assembly->image, allocator);
    assembly->read = (JsonRead){.error = error};
    cJSON *root = JsonRead_Parse(json, size, &end);
    if (!root)
        return RpError_Set(error, RP_CORRUPT, end ? (uint64_t)(end - json) : 0, "this is no JSON",
                           "", "what `ac dump` writes", "");
    const cJSON *named = Member(root, "format");
    bool good = cJSON_IsString(named) && strcmp(named->valuestring, format) == 0;
    if (good)
        good = take(assembly, root);
    else
        JsonRead_Refuse(&assembly->read, "this is no such dump", format, named);
    cJSON_Delete(root);
    if (good && assembly->image.failed)
        return RpMemory_Refused(error, "a resource");
    return good ? RP_OK : error->status;
}

RpStatus RpAcAnimation_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                RpAcAnimation *animation, RpError *error) {
    MODES_OF_C();
    RpError own;
    Assembly assembly;
    memset(animation, 0, sizeof *animation);
    RpStatus status = MakeImage(json, size, allocator, "retropose ac animation", Animation,
                                &assembly, error ? error : &own);
    if (!status)
        status = RpAcAnimation_Read(assembly.image.bytes, assembly.image.size, RP_STRICT, allocator,
                                    animation, error);
    RpBuffer_Free(&assembly.image);
    return status;
}

RpStatus RpAcMotionTable_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                  RpAcMotionTable *table, RpError *error) {
    MODES_OF_C();
    RpError own;
    Assembly assembly;
    memset(table, 0, sizeof *table);
    RpStatus status = MakeImage(json, size, allocator, "retropose ac motion table", Table,
                                &assembly, error ? error : &own);
    if (!status)
        status = RpAcMotionTable_Read(assembly.image.bytes, assembly.image.size, RP_STRICT,
                                      allocator, table, error);
    RpBuffer_Free(&assembly.image);
    return status;
}
