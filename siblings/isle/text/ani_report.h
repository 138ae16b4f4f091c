/* The output of `retropose ani info` and `ani sample`, as text and as JSON. */
#ifndef RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_REPORT_H
#define RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_REPORT_H

#include "retropose/ani.h"

RpStatus AniReport_InfoText(const RpAni *ani, RpBuffer *text, RpError *error);
RpStatus AniReport_InfoJson(const RpAni *ani, const char *file, RpBuffer *text, RpError *error);

typedef struct AniSampling {
    RpAniPolicy policy;
    int32_t first, last, step; /* milliseconds; `step` is greater than 0 */
    uint32_t node;             /* RP_ANI_NO_NODE means all nodes, and the camera */
    bool bits;                 /* writes floats as the hexadecimal text of their bits */
} AniSampling;

/* The most poses that one report may have: the number of times multiplied by that of nodes. */
enum { ANI_SAMPLE_MOST = 1 << 21 };

/* Receives the output in parts. Each part is for one time, and comes as soon as it is computed. */
typedef struct AniSink {
    RpStatus (*take)(void *context, const RpBuffer *text, RpError *error);
    void *context;
} AniSink;

/* Both functions return RP_UNSUPPORTED if there would be more than ANI_SAMPLE_MOST poses. The sink
 * then gets nothing. */
RpStatus AniReport_SampleText(const RpAni *ani, const AniSampling *sampling, const AniSink *sink,
                              RpError *error);
RpStatus AniReport_SampleJson(const RpAni *ani, const AniSampling *sampling, const char *file,
                              const AniSink *sink, RpError *error);

#endif
