/* What is worth knowing of a model at a glance: `retropose msh info`. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_INFO_H
#define RETROPOSE_FORMATS_MSH_TEXT_INFO_H

#include "retropose/msh_check.h"

typedef enum MshOrder {
    MSH_ORDER_PLAIN, /* of the streams in 414 of the game's own models */
    MSH_ORDER_LIT,   /* of the other 21 */
    MSH_ORDER_OTHER
} MshOrder;

typedef struct MshInfo {
    RpNRes archive;
    RpMsh msh;
    MshOrder order;
    RpReadings readings; /* for names */
    uint32_t animated;   /* nodes with a block of the frame map */
    /* Of the 15 slot words, as [outer][inner]: nodes that fill it, triangles of their slots. */
    uint32_t filled[3][5];
    uint64_t triangles[3][5];
    /* Cheap hints at readings. */
    uint32_t identity_xyzw, identity_wxyz; /* keys that are the identity in that order */
    uint32_t ladders, falling;     /* runs of inner words 0 to 3 with two slots or more; those whose
                                      triangles never grow: details, where inner is the level */
    uint32_t word2_set, byte4_set; /* batches with a material other than 0, by either reading */
    RpMshBoxEvidence evidence;
} MshInfo;

RpStatus MshInfo_Collect(const RpNRes *archive, const RpReadings *readings, MshInfo *info,
                         RpError *error);
/* Appends text for a terminal, or one JSON object. */
void MshInfo_Print(const MshInfo *info, const char *name, RpBuffer *text);
void MshInfo_PrintJson(const MshInfo *info, const char *name, RpBuffer *text);

/* JSON text of a name or a label: ASCII as it is, the rest read as Windows-1251. */
void MshInfo_AppendJsonText(RpBuffer *text, const char *bytes, size_t size);

#endif
