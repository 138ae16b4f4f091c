/* Declarations that the readers, writers and builders of .ani files share. */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_FILE_H

#include "retropose/ani.h"

/* Works out `active` of each key and `ordered` of the track, whose keys have to be its own. */
void Ani_PrepareTrack(RpAniTrackKind kind, RpAniTrack *track);
/* Makes keys[count] the track's own and frees the keys that it had. */
void Ani_TakeKeys(RpAni *ani, RpAniTrackKind kind, RpAniTrack *track, RpAniKey *keys,
                  uint32_t count);
static inline RpAniTrack *Ani_Track(RpAni *ani, uint32_t node, RpAniTrackKind kind) {
    return kind < RP_ANI_NODE_TRACKS ? &ani->nodes[node].tracks[kind]
                                     : &ani->camera[kind - RP_ANI_NODE_TRACKS];
}

/* Reads tolerantly and reports the rules of severity error: what does not fit, a wrong magic
 * number, actors without a name and cameras without a target. Returns RP_OK or RP_NO_MEMORY. */
RpStatus Ani_Parse(const uint8_t *image, size_t size, RpAniForm form, const RpAllocator *allocator,
                   const RpFindingSink *sink, RpAni *ani, RpError *error);
/* Does what RpFindingCounter_Verdict does, with the status that belongs to the rule. */
RpStatus Ani_Verdict(const RpFindingCounter *counter, RpError *error);

/* Returns whether the value alone makes a key active: facts/lego-ani.md A.4. */
bool Ani_HasEffect(RpAniTrackKind kind, const RpAniKey *key);

#endif
