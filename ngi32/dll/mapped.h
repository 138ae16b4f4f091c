/* Whole files in memory, through Windows. */
#ifndef RETROPOSE_NGI32_DLL_MAPPED_H
#define RETROPOSE_NGI32_DLL_MAPPED_H

#include "ngi32/dll/module.h"
#include "retropose/error.h"

typedef struct Mapped {
    HANDLE file, mapping; /* null once closed */
    uint8_t *view;
    uint32_t size;
} Mapped;

/* RP_IO with the system's error number, RP_TRUNCATED for an empty file, RP_UNSUPPORTED from 4 GB
 * on. `hint`: FILE_FLAG_SEQUENTIAL_SCAN or FILE_FLAG_RANDOM_ACCESS. */
RpStatus Mapped_Open(const char *path, bool writable, DWORD hint, Mapped *mapped, RpError *error);
/* Of a file that is open already, and stays so; `mapped->file` is left null. */
RpStatus Mapped_View(HANDLE file, const char *path, bool writable, Mapped *mapped, RpError *error);
/* The view needs neither: a file whose handles are closed can still not be replaced. */
void Mapped_CloseHandles(Mapped *mapped);
void Mapped_Close(Mapped *mapped);

/* RP_IO for what Windows has just refused; returns it. */
RpStatus Mapped_Refused(RpError *error, const char *what, const char *path);

#endif
