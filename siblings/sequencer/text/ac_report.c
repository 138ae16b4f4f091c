/* Writes the output of `retropose ac info`. */
#include "siblings/sequencer/text/ac_text.h"
#include "siblings/sequencer/text/script.h"

#include "core/text/view_text.h"

#include <inttypes.h>

static RpStatus Done(const RpBuffer *text, RpError *error) {
    return text->failed ? RpMemory_Refused(error, "a report") : RP_OK;
}

/* ---- Animation ------------------------------------------------------------------------------- */

RpStatus AcReport_Animation(const RpAcAnimation *animation, const char *file, bool json,
                            RpBuffer *text, RpError *error) {
    uint32_t counts[RP_AC_HOOK_TYPES];
    for (uint32_t type = 0; type < RP_AC_HOOK_TYPES; type++)
        counts[type] = 0;
    for (uint32_t i = 0; i < animation->hook_count; i++)
        counts[animation->hooks[i].type]++;

    if (json) {
        const char *separator = "";
        RpBuffer_AppendText(text, "{\"file\": ");
        ViewText_Json(text, file);
        RpBuffer_AppendText(text, ", \"kind\": \"animation\", \"id\": ");
        AcText_Word(text, animation->id);
        RpBuffer_Print(text,
                       ", \"parts\": %" PRIu32 ", \"frames\": %" PRIu32 ", \"positions\": %s,"
                       " \"trailing\": %zu, \"damaged\": %s, \"hooks\": {",
                       animation->part_count, animation->frame_count,
                       animation->pos_frames ? "true" : "false", animation->trailing_size,
                       animation->damaged ? "true" : "false");
        for (uint32_t type = 0; type < RP_AC_HOOK_TYPES; type++)
            if (counts[type]) {
                RpBuffer_Print(text, "%s\"%s\": %" PRIu32, separator, RpAcHook_Name(type),
                               counts[type]);
                separator = ", ";
            }
        RpBuffer_AppendText(text, "}}\n");

        return Done(text, error);
    }
    RpBuffer_Print(text,
                   "animation  0x%08" PRIX32 "\nparts      %" PRIu32 "\nframes     %" PRIu32
                   "%s\nhooks      %" PRIu32 "\n",
                   animation->id, animation->part_count, animation->frame_count,
                   animation->pos_frames ? ", with position frames" : "", animation->hook_count);
    for (uint32_t type = 0; type < RP_AC_HOOK_TYPES; type++)
        if (counts[type])
            RpBuffer_Print(text, "  %6" PRIu32 "  %s\n", counts[type], RpAcHook_Name(type));
    if (animation->trailing_size || animation->damaged)
        RpBuffer_Print(text, "%zu bytes behind the end%s\n", animation->trailing_size,
                       animation->damaged ? "; DAMAGED: see `ac check`" : "");
    return Done(text, error);
}

/* ---- MotionTable ----------------------------------------------------------------------------- */

static void PutNamed(RpBuffer *text, uint32_t id) {
    const char *name = AcMotion_Name(id);
    RpBuffer_Print(text, "0x%08" PRIX32 "%s%s", id, name ? " " : "", name ? name : "");
}

RpStatus AcReport_Table(const RpAcMotionTable *table, const char *file, bool json, RpBuffer *text,
                        RpError *error) {
    if (json) {
        RpBuffer_AppendText(text, "{\"file\": ");
        ViewText_Json(text, file);
        RpBuffer_AppendText(text, ", \"kind\": \"motion table\", \"id\": ");
        AcText_Word(text, table->id);
        RpBuffer_AppendText(text, ", \"default_style\": ");
        AcText_Word(text, table->default_style);
        RpBuffer_Print(text,
                       ", \"styles\": %" PRIu32 ", \"cycles\": %" PRIu32 ", \"modifiers\": %" PRIu32
                       ", \"links\": %" PRIu32 ", \"link_motions\": %" PRIu32
                       ", \"animations\": %" PRIu32 ", \"trailing\": %zu, \"damaged\": %s}\n",
                       table->style_count, table->cycle_count, table->modifier_count,
                       table->link_count, table->target_count, table->ref_count,
                       table->trailing_size, table->damaged ? "true" : "false");
    } else {
        RpBuffer_Print(text, "motion table  0x%08" PRIX32 "\ndefault       ", table->id);
        PutNamed(text, table->default_style);
        RpBuffer_Print(text,
                       "\ncycles        %" PRIu32 "\nmodifiers     %" PRIu32
                       "\nlinks         %" PRIu32 ", with %" PRIu32
                       " motions\nanimations    %" PRIu32 "\nstyles        %" PRIu32 "\n",
                       table->cycle_count, table->modifier_count, table->link_count,
                       table->target_count, table->ref_count, table->style_count);
        for (uint32_t i = 0; i < table->style_count; i++) {
            RpBuffer_AppendText(text, "  ");
            PutNamed(text, table->styles[i].style);
            RpBuffer_AppendText(text, ": ");
            PutNamed(text, table->styles[i].substate);
            RpBuffer_AppendText(text, "\n");
        }
        if (table->trailing_size || table->damaged)
            RpBuffer_Print(text, "%zu bytes behind the end%s\n", table->trailing_size,
                           table->damaged ? "; DAMAGED: see `ac check`" : "");
    }
    return Done(text, error);
}
