/* Declarations that the readers, writers and builders of .ani files share. */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H

#include "retropose/ani.h"

/* Computes `active` of each key and `ordered` of the track. The track must own its keys. */
void Ani_PrepareTrack(RpAniTrackKind kind, RpAniTrack *track);
/* Gives keys[count] to the track, which owns them from now on, and frees its former keys. */
void Ani_TakeKeys(RpAni *ani, RpAniTrackKind kind, RpAniTrack *track, RpAniKey *keys,
                  uint32_t count);
static inline RpAniTrack *Ani_Track(RpAni *ani, uint32_t node, RpAniTrackKind kind) {
    return kind < RP_ANI_NODE_TRACKS ? &ani->nodes[node].tracks[kind]
                                     : &ani->camera[kind - RP_ANI_NODE_TRACKS];
}

/* Reads as much as possible and reports violations of the rules of severity error: what does not
 * fit, a wrong magic number, actors without a name and cameras without a target. Returns RP_OK or
 * RP_NO_MEMORY. */
RpStatus Ani_Parse(const uint8_t *image, size_t size, RpAniForm form, const RpAllocator *allocator,
                   const RpFindingSink *sink, RpAni *ani, RpError *error);
/* Works like RpFindingCounter_Verdict, but gives the status that belongs to the broken rule. */
RpStatus Ani_Verdict(const RpFindingCounter *counter, RpError *error);

/* Returns whether a key of this value is active whatever its flags say: facts/lego-ani.md A.4. */
bool Ani_HasEffect(RpAniTrackKind kind, const RpAniKey *key);

#endif
