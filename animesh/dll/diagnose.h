/* What AniMesh.dll says in the log, each kind of message once, and what it counts. */
#ifndef RETROPOSE_ANIMESH_DLL_DIAGNOSE_H
#define RETROPOSE_ANIMESH_DLL_DIAGNOSE_H

#include "animesh/layout.h"

#include <windows.h>

void Diagnose_Open(HINSTANCE module); /* the head of the log */
void Diagnose_Close(void);            /* with the totals, if there are any */

/* A call that ours does not serve, and why; `seen` is the caller's own. */
void Diagnose_Refused(const char *function, const char *why, long *seen);
void Diagnose_MissingStream(uint32_t type);
/* Reads that the original would have made outside the streams of the piece's model. */
void Diagnose_OutOfBounds(const char *function, const Piece *piece, uint32_t reads);
void Diagnose_UndefinedBlend(const Piece *piece);
/* The same of a method of a mesh object. */
void Diagnose_MeshOutOfBounds(const char *method, uint32_t reads);
void Diagnose_MeshUndefinedBlend(const char *method, uint32_t blends);

#endif
