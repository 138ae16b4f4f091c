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
    AC_LOG_COMMAND, /* motion, speed, result: of start 0, else as RpMotion_Perform's */
    AC_LOG_HOOK,    /* event                                                        */
    AC_LOG_DONE,    /* AnimDone                                                     */
    AC_LOG_ENDED,   /* motion, success                                              */
    AC_LOG_TICK     /* behind each: the object as it is now, offset                 */
} AcLogKind;

typedef struct AcLogEntry {
    AcLogKind kind;
    double time; /* seconds of ticks so far */
    unsigned line;
    const char *command; /* "do", "stop", ...: of a command */
    uint32_t motion, result;
    float speed;
    bool success;
    const RpSequenceEvent *event;
    const RpMotion *object;
    const RpAcFrame *offset; /* of this tick */
} AcLogEntry;

typedef void AcLog(void *context, const AcLogEntry *entry);

/* RP_INVALID with the line for what is no command; other statuses are those of the library. */
RpStatus AcScript_Run(const char *text, size_t size, RpMotion *object, AcLog *log, void *context,
                      RpError *error);

/* "WalkForward" for the published ids, else null; and back, 0 for an unknown name. */
const char *AcMotion_Name(uint32_t id);
uint32_t AcMotion_Find(const char *name);

/* ---- what becomes of the log -------------------------------------------------------------------
 */

/* One line an entry, as text or as JSON. */
void AcLog_Text(RpBuffer *text, const AcLogEntry *entry);
void AcLog_Json(RpBuffer *text, const AcLogEntry *entry);

/* A picture of a run: nodes, the cursor and hooks over time, as SVG. */
typedef struct AcTimeline AcTimeline;
AcTimeline *AcTimeline_Begin(const RpAllocator *allocator);
AcLog AcTimeline_Take; /* context: the timeline */
RpStatus AcTimeline_End(AcTimeline *timeline, const char *title, RpBuffer *svg, RpError *error);

/* ---- sums --------------------------------------------------------------------------------------
 */

RpStatus AcReport_Animation(const RpAcAnimation *animation, const char *file, bool json,
                            RpBuffer *text, RpError *error);
RpStatus AcReport_Table(const RpAcMotionTable *table, const char *file, bool json, RpBuffer *text,
                        RpError *error);

#endif
