/* What AniMesh.dll says in the log, each kind of message once, and what it counts. */
#ifndef RETROPOSE_ANIMESH_DLL_DIAGNOSE_H
#define RETROPOSE_ANIMESH_DLL_DIAGNOSE_H

#include "animesh/layout.h"

#include <windows.h>

void Diagnose_Open(HINSTANCE module); /* the head of the log */
void Diagnose_Close(void);            /* with the totals, if there are any */

/* A component that ours does not make yet; `seen` is the function's own. */
void Diagnose_Refused(const char *function, const char *archive, const char *member, long *seen);
void Diagnose_MissingStream(uint32_t type);
/* Reads that the original would have made outside the streams of the piece's model. */
void Diagnose_OutOfBounds(const char *function, const Piece *piece, uint32_t reads);
void Diagnose_UndefinedBlend(const Piece *piece);

#endif
