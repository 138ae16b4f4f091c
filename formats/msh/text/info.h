/* Sums a model up, for `retropose msh info`. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_INFO_H
#define RETROPOSE_FORMATS_MSH_TEXT_INFO_H

#include "retropose/msh_check.h"

typedef enum MshOrder {
    MSH_ORDER_PLAIN, /* the order of the streams in 414 of the game's own models */
    MSH_ORDER_LIT,   /* the order in the other 21 */
    MSH_ORDER_OTHER
} MshOrder;

typedef struct MshInfo {
    RpNRes archive;
    RpMsh msh;
    MshOrder order;
    RpReadings readings; /* for names of nodes */
    uint32_t animated;   /* nodes that have a block of the frame map */
    /* For the 15 slot words, as [outer][inner]: how many nodes use the word, and the triangles
     * of their slots. */
    uint32_t filled[3][5];
    uint64_t triangles[3][5];
    /* The following numbers hint at readings, and cost little to compute. */
    /* keys that are the identity in that order of components */
    uint32_t identity_xyzw, identity_wxyz;
    /* Runs of inner words 0 to 3 with at least two slots; and how many of these have numbers of
     * triangles that never increase, as they do if inner is the level of detail. */
    uint32_t ladders, falling;
    uint32_t word2_set, byte4_set; /* batches with a material other than 0, by either reading */
    RpMshBoxEvidence evidence;
    RpMshReading found[RP_MSH_READINGS]; /* the readings by evidence */
    bool chosen;                         /* the readings in use are these */
} MshInfo;

/* Chooses the readings by evidence if `readings` is null. */
RpStatus MshInfo_Collect(const RpNRes *archive, const RpReadings *readings, MshInfo *info,
                         RpError *error);
/* MshInfo_Print appends text for a terminal, MshInfo_PrintJson one JSON object. */
void MshInfo_Print(const MshInfo *info, const char *name, RpBuffer *text);
void MshInfo_PrintJson(const MshInfo *info, const char *name, RpBuffer *text);

/* Appends a name or a label, which is in Windows-1251, as a JSON text in UTF-8. */
void MshInfo_AppendJsonText(RpBuffer *text, const char *bytes, size_t size);

#endif
