/* Writes AniMesh.dll's messages to the log, each kind of message once, and counts them. */
#ifndef RETROPOSE_DLL_ANIMESH_DIAGNOSE_H
#define RETROPOSE_DLL_ANIMESH_DIAGNOSE_H

#include "animesh/layout.h"

#include <windows.h>

void Diagnose_Open(HINSTANCE module); /* writes the head of the log */
void Diagnose_Close(void);            /* writes the totals, if there are any */

/* Logs a call that our DLL does not serve, and why. `seen` is a flag that belongs to the caller. */
void Diagnose_Refused(const char *function, const char *why, long *seen);
void Diagnose_MissingStream(uint32_t type);
/* Counts reads that the original would have made outside the streams of the piece's model. */
void Diagnose_OutOfBounds(const char *function, const Piece *piece, uint32_t reads);
void Diagnose_UndefinedBlend(const Piece *piece);
/* These two do the same for a method of a mesh object. */
void Diagnose_MeshOutOfBounds(const char *method, uint32_t reads);
void Diagnose_MeshUndefinedBlend(const char *method, uint32_t blends);

#endif
