/* The functions of the original AniMesh.dll that ours has, under the signatures of the ABI table.
 */
#ifndef RETROPOSE_ANIMESH_DLL_INTERNALS_H
#define RETROPOSE_ANIMESH_DLL_INTERNALS_H

#include "retropose/hypotheses.h"

#include "exports/animesh.abi.h"
#include "prototypes.h"

#define INTERNALS_DECLARE(rva, name, ...) ABI_PROTO_animesh_##name(AniMesh_##name);
ABI_ANIMESH_INTERNALS(INTERNALS_DECLARE)
#undef INTERNALS_DECLARE

/* How the slots that our functions call are called; once, at load. */
void Piece_ChooseSlots(void);

/* Of the DLL; set once, at load. */
extern RpHypotheses animesh_hypotheses;

#endif
