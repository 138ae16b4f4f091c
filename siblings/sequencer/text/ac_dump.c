/* Writes both kinds of resource as readable JSON, from which ac_assemble.c makes the same bytes. */
#include "siblings/sequencer/hook.h"
#include "siblings/sequencer/text/ac_text.h"

#include "core/bytes.h"
#include "core/json/json_text.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void AcText_Word(RpBuffer *text, uint32_t word) {
    RpBuffer_Print(text, "\"0x%08" PRIX32 "\"", word);
}

/* ---- Animation ------------------------------------------------------------------------------- */

static void DumpFrames(RpBuffer *text, const RpAcFrame *frames, uint32_t count,
                       const char *separator) {
    for (uint32_t i = 0; i < count; i++) {
        float values[7];
        RpBuffer_AppendText(text, i ? separator : separator + 1);
        memcpy(values, frames[i].origin, 12);
        memcpy(values + 3, frames[i].q, 16);
        JsonText_Floats(text, values, 7);
    }
}

void AcText_Field(RpBuffer *text, const RpAcHook *hook, const RpAcHookField *field) {
    const uint8_t *at = hook->payload + field->offset;
    const uint32_t word =
        field->offset + 4 <= RP_AC_HOOK_MOST_BYTES ? Bytes_U32(at) : (uint32_t)Bytes_U16(at);
    float number;
    memcpy(&number, &word, sizeof number);
    switch (field->kind) {
    case RP_AC_U8:
        RpBuffer_Print(text, "%u", at[0]);
        break;
    case RP_AC_U16:
        RpBuffer_Print(text, "%u", Bytes_U16(at));
        break;
    case RP_AC_I32:
        RpBuffer_Print(text, "%" PRId32, (int32_t)word);
        break;
    case RP_AC_F32:
        JsonText_Float(text, &number);
        break;
    case RP_AC_PACKED_ID: {
        const uint32_t first = Bytes_U16(at);
        const bool is_long = first & 0x8000;
        AcText_Word(text, is_long ? (first & 0x3FFF) << 16 | Bytes_U16(at + 2) : first);
        break;
    }
    default:
        AcText_Word(text, word);
    }
}

RpStatus RpAcAnimation_Dump(const RpAcAnimation *animation, uint32_t readings, RpBuffer *json,
                            RpError *error) {
    MODES_OF_C();
    RpBuffer_AppendText(json,
                        "{\"format\": \"retropose ac animation\", \"version\": 1,\n \"id\": ");
    AcText_Word(json, animation->id);
    RpBuffer_AppendText(json, ", \"flags\": ");
    AcText_Word(json, animation->flags);
    RpBuffer_Print(json, ", \"parts\": %" PRIu32 ",\n", animation->part_count);
    if (animation->pos_frames) {
        RpBuffer_AppendText(json, " \"positions\": [");
        DumpFrames(json, animation->pos_frames, animation->frame_count, ",\n  ");
        RpBuffer_AppendText(json, "],\n");
    }
    RpBuffer_AppendText(json, " \"frames\": [");
    for (uint32_t i = 0; i < animation->frame_count; i++) {
        RpBuffer_AppendText(json, i ? ",\n  " : "\n  ");

        const uint32_t parts = animation->part_count;
        RpBuffer_AppendText(json, "{\"parts\": [");
        DumpFrames(json, animation->part_frames + (size_t)i * parts, parts, ",\n    ");
        RpBuffer_AppendText(json, "],\n   \"hooks\": [");
        for (uint32_t hook = animation->first_hook[i]; hook < animation->first_hook[i + 1];
             hook++) {
            RpBuffer_AppendText(json, hook > animation->first_hook[i] ? ",\n    " : "\n    ");

            /* When the dump is read again, only the bytes count. The fields are there for people.
             */
            RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
            const RpAcHook *it = &animation->hooks[hook];
            const unsigned count = RpAcHook_Fields(it->type, readings, fields);
            RpBuffer_Print(json,
                           "{\"type\": %" PRIu32 ", \"name\": \"%s\", \"direction\": %" PRId32,
                           it->type, RpAcHook_Name(it->type), it->direction);
            for (unsigned field = 0; field < count; field++) {
                RpBuffer_Print(
                    json, field ? ", \"%s\": " : ", \"fields\": {\"%s\": ", fields[field].name);
                AcText_Field(json, it, &fields[field]);
            }
            RpBuffer_AppendText(json, count ? "}, \"payload\": " : ", \"payload\": ");
            JsonText_Hex(json, it->payload, it->size);
            RpBuffer_AppendText(json, "}");
        }
        RpBuffer_AppendText(json, "]}");
    }
    RpBuffer_AppendText(json, "],\n \"trailing\": ");
    JsonText_Hex(json, animation->trailing, animation->trailing_size);
    RpBuffer_AppendText(json, "}\n");
    return json->failed ? RpMemory_Refused(error, "a dump") : RP_OK;
}

/* ---- MotionTable ----------------------------------------------------------------------------- */

static void DumpList(RpBuffer *text, const RpAcMotionTable *table, const char *name,
                     const RpAcMotionData *list, uint32_t count, const char *separator) {
    RpBuffer_Print(text, "\"%s\": [", name);
    for (uint32_t i = 0; i < count; i++) {
        RpBuffer_AppendText(text, i ? separator : separator + 1);

        const RpAcMotionData *data = &list[i];
        RpBuffer_AppendText(text, "{\"key\": ");
        AcText_Word(text, data->key);
        RpBuffer_Print(text, ", \"bits\": %u, \"flags\": %u, \"padding\": %u, \"animations\": [",
                       data->bitfield, data->flags, data->padding);
        for (uint32_t k = 0; k < data->ref_count; k++) {
            const RpAcAnimRef *ref = &table->refs[data->first_ref + k];
            RpBuffer_AppendText(text, k ? ", {\"id\": " : "{\"id\": ");
            AcText_Word(text, ref->animation);
            RpBuffer_Print(text, ", \"low\": %" PRId32 ", \"high\": %" PRId32 ", \"framerate\": ",
                           ref->low, ref->high);
            JsonText_Float(text, &ref->framerate);
            RpBuffer_AppendText(text, "}");
        }
        RpBuffer_AppendText(text, "]");
        if (data->flags & RP_AC_DATA_VELOCITY) {
            RpBuffer_AppendText(text, ", \"velocity\": ");
            JsonText_Floats(text, data->velocity, 3);
        }
        if (data->flags & RP_AC_DATA_OMEGA) {
            RpBuffer_AppendText(text, ", \"omega\": ");
            JsonText_Floats(text, data->omega, 3);
        }
        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_AppendText(text, "]");
}

RpStatus RpAcMotionTable_Dump(const RpAcMotionTable *table, RpBuffer *json, RpError *error) {
    MODES_OF_C();
    RpBuffer_AppendText(json,
                        "{\"format\": \"retropose ac motion table\", \"version\": 1,\n \"id\": ");
    AcText_Word(json, table->id);
    RpBuffer_AppendText(json, ", \"default_style\": ");
    AcText_Word(json, table->default_style);

    RpBuffer_AppendText(json, ",\n \"styles\": [");
    for (uint32_t i = 0; i < table->style_count; i++) {
        RpBuffer_AppendText(json, i ? ",\n  {\"style\": " : "\n  {\"style\": ");
        AcText_Word(json, table->styles[i].style);
        RpBuffer_AppendText(json, ", \"substate\": ");
        AcText_Word(json, table->styles[i].substate);
        RpBuffer_AppendText(json, "}");
    }
    RpBuffer_AppendText(json, "],\n ");

    DumpList(json, table, "cycles", table->cycles, table->cycle_count, ",\n  ");
    RpBuffer_AppendText(json, ",\n ");
    DumpList(json, table, "modifiers", table->modifiers, table->modifier_count, ",\n  ");

    RpBuffer_AppendText(json, ",\n \"links\": [");
    for (uint32_t i = 0; i < table->link_count; i++) {
        const RpAcLink *link = &table->links[i];
        RpBuffer_AppendText(json, i ? ",\n  {\"key\": " : "\n  {\"key\": ");
        AcText_Word(json, link->key);
        RpBuffer_AppendText(json, ", ");
        DumpList(json, table, "motions", link->count > 0 ? table->targets + link->first : NULL,
                 link->count, ",\n    ");
        RpBuffer_AppendText(json, "}");
    }
    RpBuffer_AppendText(json, "],\n \"trailing\": ");

    JsonText_Hex(json, table->trailing, table->trailing_size);
    RpBuffer_AppendText(json, "}\n");
    return json->failed ? RpMemory_Refused(error, "a dump") : RP_OK;
}
