/* Declarations that the files of Ngi32.dll have in common. */
#ifndef RETROPOSE_DLL_NGI32_MODULE_H
#define RETROPOSE_DLL_NGI32_MODULE_H

#include "exports/ngi32.abi.h"
#include "ngi32/fatal.h"
#include "prototypes.h"
#include "retropose/error.h"
#include "retropose/fastproc.h"

#include <windows.h>
#undef cdecl /* windows.h defines this name, which exports/conventions.h uses */

typedef void (*FastProc)(void);
extern FastProc g_FastProc[ABI_NGI32_FASTPROC_COUNT];

/* The arithmetic of each build, with the choices in the environment variable RETROPOSE_READINGS.
 * It is constant after loading. */
extern RpArithmetic ngi32_arithmetic[RP_BUILD_COUNT];

/* These use the private heap, which ngiAlloc and the other memory exports share with the DLL
 * itself. */
BOOL Memory_Open(void);
void Memory_Close(void);
/* Returns null when memory runs out. */
void *Memory_Allocate(size_t size);
/* Shrinks a block in place. */
void *Memory_Shrink(void *block, size_t size);
void Memory_Free(void *block); /* null is allowed */

/* Puts the builds of this processor's class into g_FastProc. `processor` receives the class. */
RpBuild Dispatch_Fill(RpProcessor *processor);

/* Returns the build and the readings by which the functions in g_FastProc compute. */
const RpArithmetic *Dispatch_Arithmetic(void);

/* Returns our function that corresponds to the original's build of a slot at this address, or
 * null. */
FastProc Dispatch_BuildAt(uint32_t rva);

void Clocks_Open(void);

/* These open and close the NRes archives (archive.c) and RsLi libraries (library.c). */
void Archives_Open(void);
/* Completes on the disk the archives that are being written. Nothing is freed, because other
 * threads may have been ended inside of the heap's code. */
void Archives_WriteAtEnd(void);
void Archives_Close(void);
void Libraries_Open(void);
void Libraries_Close(void);

void Errors_Open(void);
/* Ends the process as ngiProcessError does. */
void Errors_End(const char *message) __attribute__((noreturn));
/* Logs why a call failed. `path` may be null. */
void Errors_LogFailure(const char *function, const char *path, const RpError *error);
/* The table that the export RetroposeObserver returns. */
extern const struct LiveObserver ngi32_observer;

/* Ends the process for a function that neither we nor an original can serve. `name` is the
 * function, `caller` its return address. */
void Errors_Unserved(const char *name, const void *caller) __attribute__((noreturn));

#endif
