/* What readers, writers and builders of .ani share. */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H

#include "retropose/ani.h"

/* Works out `active` and `ordered`; the keys are the track's own. */
void Ani_PrepareTrack(RpAniTrackKind kind, RpAniTrack *track);
/* Takes keys[count] over into the track, freeing what it had. */
void Ani_TakeKeys(RpAni *ani, RpAniTrackKind kind, RpAniTrack *track, RpAniKey *keys,
                  uint32_t count);
static inline RpAniTrack *Ani_Track(RpAni *ani, uint32_t node, RpAniTrackKind kind) {
    return kind < RP_ANI_NODE_TRACKS ? &ani->nodes[node].tracks[kind]
                                     : &ani->camera[kind - RP_ANI_NODE_TRACKS];
}

/* Reads tolerantly and reports what does not fit, wrong magic, unnamed actors and cameras without
 * target: the rules of severity error. RP_OK or RP_NO_MEMORY. */
RpStatus Ani_Parse(const uint8_t *image, size_t size, RpAniForm form, const RpAllocator *allocator,
                   const RpFindingSink *sink, RpAni *ani, RpError *error);
/* As RpFindingCounter_Verdict, with the status that fits the rule. */
RpStatus Ani_Verdict(const RpFindingCounter *counter, RpError *error);

/* Whether the value alone makes a key active: facts/lego-ani.md A.4. */
bool Ani_HasEffect(RpAniTrackKind kind, const RpAniKey *key);

#endif
