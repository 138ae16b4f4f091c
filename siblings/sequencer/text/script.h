/* Scripts of commands and ticks for one object, and the log of what happens
 * (docs/reference/sequencer.md):
 *
 *   start                     the table's default state
 *   do MOTION [SPEED]         0x45000005 or a name (WalkForward); the speed is 1 without
 *   stop MOTION | stop all
 *   tick SECONDS [TIMES]
 *   enter | exit              the world
 *   quirks LIST               switched off, as RpAcQuirks_Parse takes them
 *   # a comment
 */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_TEXT_SCRIPT_H
#define RETROPOSE_SIBLINGS_SEQUENCER_TEXT_SCRIPT_H

#include "retropose/sequencer.h"

typedef enum AcLogKind {
    /* Has motion, speed and result, which is 0 for `start` and otherwise comes from
     * RpMotion_Perform. */
    AC_LOG_COMMAND,
    AC_LOG_HOOK,  /* has event */
    AC_LOG_DONE,  /* an AnimDone hook */
    AC_LOG_ENDED, /* has motion and success */
    AC_LOG_TICK   /* after each tick; has the object in its present state, and offset */
} AcLogKind;

typedef struct AcLogEntry {
    AcLogKind kind;
    double time; /* total seconds of the ticks so far */
    unsigned line;
    const char *command; /* the command's word: "do", "stop", ... */
    uint32_t motion, result;
    float speed;
    bool success;
    const RpSequenceEvent *event;
    const RpMotion *object;
    const RpAcFrame *offset; /* the movement during this tick */
} AcLogEntry;

typedef void AcLog(void *context, const AcLogEntry *entry);

/* Returns RP_INVALID, with the number of the line, for a line that is not a command. Other statuses
 * come from the library. */
RpStatus AcScript_Run(const char *text, size_t size, RpMotion *object, AcLog *log, void *context,
                      RpError *error);

/* AcMotion_Name returns "WalkForward" and similar names for the ids that are published, and null
 * for other ids. AcMotion_Find returns the id of a name, and 0 for an unknown name. */
const char *AcMotion_Name(uint32_t id);
uint32_t AcMotion_Find(const char *name);

/* ---- what becomes of the log ----------------------------------------------------------------- */

/* Write an entry of the log as one line of text or JSON. `readings` say how the fields of hooks are
 * to be read (RP_AC_REPLACE_U16 and so on). */
void AcLog_Text(RpBuffer *text, const AcLogEntry *entry, uint32_t readings);
void AcLog_Json(RpBuffer *text, const AcLogEntry *entry, uint32_t readings);

/* A picture of a run as SVG: nodes, the cursor and hooks over time. */
typedef struct AcTimeline AcTimeline;
AcTimeline *AcTimeline_Begin(const RpAllocator *allocator);
AcLog AcTimeline_Take; /* takes the timeline as its context */
RpStatus AcTimeline_End(AcTimeline *timeline, const char *title, RpBuffer *svg, RpError *error);

/* ---- sums ------------------------------------------------------------------------------------ */

RpStatus AcReport_Animation(const RpAcAnimation *animation, const char *file, bool json,
                            RpBuffer *text, RpError *error);
RpStatus AcReport_Table(const RpAcMotionTable *table, const char *file, bool json, RpBuffer *text,
                        RpError *error);

#endif
