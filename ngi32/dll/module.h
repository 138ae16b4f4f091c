/* What the files of Ngi32.dll share. */
#ifndef RETROPOSE_NGI32_DLL_MODULE_H
#define RETROPOSE_NGI32_DLL_MODULE_H

#include "exports/ngi32.abi.h"
#include "ngi32/fatal.h"
#include "prototypes.h"
#include "retropose/error.h"
#include "retropose/fastproc.h"

#include <windows.h>
#undef cdecl /* a name of exports/conventions.h */

typedef void (*FastProc)(void);
extern FastProc g_FastProc[ABI_NGI32_FASTPROC_COUNT];

/* Of the environment variable RETROPOSE_HYPOTHESES; constant after loading. */
extern RpHypotheses ngi32_hypotheses;

/* The private heap, which ngiAlloc and its kin share with the DLL itself. */
BOOL Memory_Open(void);
void Memory_Close(void);
/* Null when memory runs out. */
void *Memory_Allocate(size_t size);
/* In place. */
void *Memory_Shrink(void *block, size_t size);
void Memory_Free(void *block); /* null is nothing */

/* Puts the builds of this processor's class into g_FastProc; `processor` tells the class. */
RpBuild Dispatch_Fill(RpProcessor *processor);

/* Ours for the build that the original has at this address, or null. */
FastProc Dispatch_BuildAt(uint32_t rva);

void Clocks_Open(void);

/* NRes (archive.c) and RsLi (library.c). */
void Archives_Open(void);
/* Completes on the disk what is being written, without freeing: other threads were ended within the
 * heap, maybe. */
void Archives_WriteAtEnd(void);
void Archives_Close(void);
void Libraries_Open(void);
void Libraries_Close(void);

void Errors_Open(void);
/* ngiProcessError's way out. */
void Errors_End(const char *message) __attribute__((noreturn));
/* What a failed call leaves in the log; `path` may be null. */
void Errors_LogFailure(const char *function, const char *path, const RpError *error);
/* What RetroposeObserver gives. */
extern const struct LiveObserver ngi32_observer;

/* For what neither we nor an original can serve: `name` is a function, `caller` its return
 * address. */
void Errors_Unserved(const char *name, const void *caller) __attribute__((noreturn));

#endif
