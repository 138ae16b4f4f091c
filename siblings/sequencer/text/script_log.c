/* Writes the log of a run as lines. */
#include "siblings/sequencer/text/ac_text.h"
#include "siblings/sequencer/text/script.h"

#include "core/json/json_text.h"
#include "core/text/view_text.h"

#include <inttypes.h>
#include <math.h>

static const char *const kinds[] = {"command", "hook", "animation-done", "ended", "tick"};

/* ---- text ------------------------------------------------------------------------------------ */

static void PutMotion(RpBuffer *text, uint32_t motion) {
    const char *name = AcMotion_Name(motion);
    RpBuffer_Print(text, " 0x%08" PRIX32, motion);
    if (name)
        RpBuffer_Print(text, " %s", name);
}

void AcLog_Text(RpBuffer *text, const AcLogEntry *entry, uint32_t readings) {
    RpBuffer_Print(text, "%10.4f  ", entry->time);
    if (entry->kind == AC_LOG_COMMAND) {
        RpBuffer_Print(text, "%s", entry->command);
        if (entry->motion)
            PutMotion(text, entry->motion);
        if (entry->motion && entry->speed != 1)
            RpBuffer_Print(text, " x %.9g", (double)entry->speed);
        RpBuffer_Print(text, ": %s",
                       entry->result == RP_AC_DONE       ? "done"
                       : entry->result == RP_AC_NO_TABLE ? "no table"
                                                         : "refused");
    } else if (entry->kind == AC_LOG_HOOK) {
        RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
        const unsigned count = RpAcHook_Fields(entry->event->hook->type, readings, fields);
        RpBuffer_Print(text, "hook %s of 0x%08" PRIX32 " frame %" PRIu32 "%s",
                       RpAcHook_Name(entry->event->hook->type), entry->event->animation->id,
                       entry->event->frame, entry->event->direction < 0 ? " backwards" : "");
        for (unsigned i = 0; i < count; i++) {
            RpBuffer_Print(text, " %s ", fields[i].name);
            AcText_Field(text, entry->event->hook, &fields[i]);
        }
    } else if (entry->kind == AC_LOG_DONE) {
        RpBuffer_AppendText(text, "AnimDone");
    } else if (entry->kind == AC_LOG_TICK) {
        const RpAcFrame *offset = entry->offset;
        const RpSequence *sequence = &entry->object->sequence;
        if (sequence->current == RP_AC_NO_NODE)
            RpBuffer_AppendText(text, "nothing plays");
        else
            RpBuffer_Print(text, "0x%08" PRIX32 " at %.9g",
                           sequence->nodes[sequence->current].animation->id,
                           sequence->frame_number);

        RpBuffer_Print(text, ", moved %.9g %.9g %.9g, turned %.9g %.9g %.9g %.9g",
                       (double)offset->origin[0], (double)offset->origin[1],
                       (double)offset->origin[2], (double)offset->q[0], (double)offset->q[1],
                       (double)offset->q[2], (double)offset->q[3]);
    } else {
        RpBuffer_AppendText(text, entry->success ? "ended" : "broken off");
        PutMotion(text, entry->motion);
    }
    RpBuffer_AppendText(text, "\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void NameWord(RpBuffer *text, const char *name, uint32_t word) {
    RpBuffer_Print(text, ", \"%s\": ", name);
    AcText_Word(text, word);
}

void AcLog_Json(RpBuffer *text, const AcLogEntry *entry, uint32_t readings) {
    RpBuffer_Print(text, "{\"time\": %.17g, \"kind\": \"%s\"", entry->time, kinds[entry->kind]);
    if (entry->kind == AC_LOG_COMMAND) {
        RpBuffer_Print(text, ", \"line\": %u, \"command\": \"%s\", \"result\": %" PRIu32,
                       entry->line, entry->command, entry->result);
        NameWord(text, "motion", entry->motion);
        RpBuffer_AppendText(text, ", \"speed\": ");
        JsonText_Float(text, &entry->speed);
    } else if (entry->kind == AC_LOG_HOOK) {
        RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
        const unsigned count = RpAcHook_Fields(entry->event->hook->type, readings, fields);
        NameWord(text, "animation", entry->event->animation->id);
        RpBuffer_Print(
            text, ", \"frame\": %" PRIu32 ", \"direction\": %" PRId32 ", \"hook\": \"%s\"",
            entry->event->frame, entry->event->direction, RpAcHook_Name(entry->event->hook->type));
        for (unsigned i = 0; i < count; i++) {
            RpBuffer_Print(text, i ? ", \"%s\": " : ", \"fields\": {\"%s\": ", fields[i].name);
            AcText_Field(text, entry->event->hook, &fields[i]);
        }
        RpBuffer_AppendText(text, count ? "}" : "");
    } else if (entry->kind == AC_LOG_TICK) {
        const RpSequence *sequence = &entry->object->sequence;
        if (sequence->current != RP_AC_NO_NODE)
            NameWord(text, "animation", sequence->nodes[sequence->current].animation->id);
        RpBuffer_Print(text, ", \"frame_number\": %.17g, \"nodes\": %u, \"origin\": ",
                       sequence->frame_number, sequence->count);
        JsonText_Floats(text, entry->offset->origin, 3);
        RpBuffer_AppendText(text, ", \"rotation\": ");
        JsonText_Floats(text, entry->offset->q, 4);
        NameWord(text, "style", entry->object->style);
        NameWord(text, "substate", entry->object->substate);
    } else if (entry->kind == AC_LOG_ENDED) {
        NameWord(text, "motion", entry->motion);
        RpBuffer_AppendText(text, entry->success ? ", \"success\": true" : ", \"success\": false");
    }
    RpBuffer_AppendText(text, "}\n");
}
