/* NRes archives as INResFile objects (facts/ngi32.md E.3 to E.6), and the list that holds them. */
#ifndef RETROPOSE_DLL_NGI32_ARCHIVE_H
#define RETROPOSE_DLL_NGI32_ARCHIVE_H

#include "dll/ngi32/module.h"
#include "retropose/nres.h"

#include <stddef.h>

/* Flags of niOpenResFileEx (facts/ngi32.md E.3). */
enum { ARCHIVE_SEQUENTIAL = 1, ARCHIVE_READ_WRITE = 2, ARCHIVE_CACHEABLE = 4, ARCHIVE_RAW = 8 };

enum { ARCHIVE_IDLE_MILLISECONDS = 10000, ARCHIVE_METHODS = 32 };

typedef void (*ArchiveMethod)(void);

/* The object that the game holds (facts/ngi32.md E.6). */
typedef struct Archive {
    const ArchiveMethod *methods;
    uint32_t count;
    uint8_t *base; /* start of the mapped file, or of the caller's image */
    uint8_t *directory;
    char *name;          /* the name that the caller passed; null for an archive in memory */
    uint32_t references; /* 0 means idle since `released` */
    uint32_t released;   /* a time of timeGetTime */
    uint8_t raw_entry[RP_NRES_RECORD_BYTES];
    struct Archive *next;
    uint32_t unknown_60;
    uint8_t writable, cacheable;
    uint8_t unknown_66[2];

    /* The original's fields end here; the rest is ours. */
    RpNRes index;                  /* the directory, for lookups; its image holds no payloads */
    uint32_t data_start, data_end; /* payloads are between these offsets from base */
    char *path;       /* the complete path, to compare with; null for an archive in memory */
    uint8_t *records; /* the memory that holds the directory of a created archive */
    HANDLE file;      /* the file of a created archive, else null */
    bool raw, mapped;
} Archive;

#define ARCHIVE_CHECK(offset, type, count, name)                                                   \
    _Static_assert(offsetof(Archive, name) == (offset), "Archive." #name);
ABI_ARCHIVE_FIELDS(ARCHIVE_CHECK)
#undef ARCHIVE_CHECK
_Static_assert(offsetof(Archive, index) == ABI_ARCHIVE_SIZE, "Archive");

extern const ArchiveMethod archive_methods[ARCHIVE_METHODS]; /* defined in archive_methods.c */

/* For every function below, the caller must hold the lock, and `archive` must be on the list. */
void Archives_Lock(void);
void Archives_Unlock(void);

/* Returns null for a pointer that is not an archive of ours. */
Archive *Archive_Of(uintptr_t self);
/* Returns a new archive on the list with one reference, or null. `name` may be null. */
Archive *Archive_New(const char *name, const char *path);
void Archive_Unload(Archive *archive);
/* Returns the archive that was last opened under this complete path with the same `raw`, or
 * null. */
Archive *Archive_Listed(const char *path, bool raw);
/* Call it after a reference was dropped. It records the time. Some archives are unloaded at once:
 * those that nobody could find again, and those that must be complete on the disk (assumed:
 * archives in memory, and created archives). */
void Archive_Released(Archive *archive);
/* Unloads the archives that nobody has held for ARCHIVE_IDLE_MILLISECONDS. */
void Archives_UnloadIdle(void);

/* Writes the complete path of `path`, or `path` itself if Windows gives none. */
enum { ARCHIVE_PATH_BYTES = 1024 };
void Archive_CompletePath(const char *path, char complete[ARCHIVE_PATH_BYTES]);

/* ---- created archives (archive_write.c) ------------------------------------------------------ */

/* Writes header, total, sort map and directory to the disk. Does nothing for an archive that was
 * not created here. It may be called more than once. */
void Archive_Write(Archive *archive);
void Archive_BuildSortMap(Archive *archive);

/* These functions are reached by RetroposeInternal. */
ABI_PROTO_ngi32_DestroyArchives(DestroyArchives);
ABI_PROTO_ngi32_FindArchiveEntry(FindArchiveEntry);
ABI_PROTO_ngi32_CloseWrittenArchive(CloseWrittenArchive);
ABI_PROTO_ngi32_SortArchiveDirectory(SortArchiveDirectory);
ABI_PROTO_ngi32_BuildSortMap(BuildSortMap);
ABI_PROTO_ngi32_TouchPages(TouchPages);

#endif
