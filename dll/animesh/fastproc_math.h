/* The functions of Ngi32 that this DLL calls: entries of g_FastProc, and exports by their names. */
#ifndef RETROPOSE_DLL_ANIMESH_FASTPROC_MATH_H
#define RETROPOSE_DLL_ANIMESH_FASTPROC_MATH_H

#include "animesh/mesh.h"
#include "prototypes.h"

#include <windows.h>

extern const MeshMath fastproc_math;
/* Serves as MeshContext.width. It is null unless, at this moment, all entries of the table that
 * pose pieces are our own functions and nothing observes them. */
const ExactWidth *FastProc_Width(void);
/* Returns the library's functions under the same condition, and otherwise those that call the
 * table. */
const PoseMath *FastProc_PoseMath(void);

typedef ABI_PROTO_ngi32_niOpenResFileEx((*OpenArchive));
typedef ABI_PROTO_ngi32_niOpenResInMem((*OpenImage));

enum { ARCHIVE_CACHEABLE = 4 }; /* the mode with which 0x1000A52E calls niOpenResFileEx */

/* These are null if the Ngi32.dll of this process does not have the export. */
extern OpenArchive ngi32_open_archive;
extern OpenImage ngi32_open_image;

/* Finds out how the slots are called and where the exports are. It runs once, when the DLL is
 * loaded. `ngi32` may be null. */
void FastProc_Choose(HMODULE ngi32);

#endif
