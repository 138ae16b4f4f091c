/* RsLi libraries, in the form in which rsOpenLib returns them (facts/ngi32.md E.7). */
#ifndef RETROPOSE_DLL_NGI32_LIBRARY_H
#define RETROPOSE_DLL_NGI32_LIBRARY_H

#include "dll/ngi32/module.h"
#include "retropose/rsli.h"

#include <stddef.h>

/* Flags of rsOpenLib. */
enum { LIBRARY_TRAILER = 0x02, LIBRARY_FLAG_7 = 0x80 };

/* An entry of a library. An older extractor reads these entries directly (facts/ngi32.md E.7). */
typedef struct LibraryEntry {
    uint8_t name[16];
    uint32_t flags;
    uint32_t sort; /* element of the sort map, and the key of XOR methods */
    uint32_t unpacked_size;
    const uint8_t *packed; /* in the view; null if the file does not contain it */
    uint32_t packed_size;
    uint32_t unknown_24[3];
    void *decoded; /* the block that rsLoad returned; null before */
    uint32_t unknown_34[3];
} LibraryEntry;

/* The handle: a header, followed by entries. */
typedef struct Library {
    char magic[4]; /* "RsLi" */
    uint32_t count;
    uint32_t media_offset;
    uint32_t unknown_0c[7];
    uint32_t flag_7; /* set if the flags had LIBRARY_FLAG_7 (the place of the bit in the dword is
                        assumed) */
    HANDLE file, mapping;
    uint8_t *view;
    LibraryEntry entries[];
} Library;

/* The record that rsGetInfo writes (its layout is assumed). */
typedef struct LibraryInfo {
    uint8_t name[16];
    uint32_t unpacked_size;
} LibraryInfo;

#define LIBRARY_CHECK(offset, type, count, name)                                                   \
    _Static_assert(offsetof(Library, name) == (offset), "Library." #name);
ABI_LIBRARY_FIELDS(LIBRARY_CHECK)
#undef LIBRARY_CHECK
#define LIBRARY_ENTRY_CHECK(offset, type, count, name)                                             \
    _Static_assert(offsetof(LibraryEntry, name) == (offset), "LibraryEntry." #name);
ABI_LIBRARY_ENTRY_FIELDS(LIBRARY_ENTRY_CHECK)
#undef LIBRARY_ENTRY_CHECK
_Static_assert(sizeof(Library) == ABI_LIBRARY_SIZE, "Library");
_Static_assert(sizeof(LibraryEntry) == ABI_LIBRARY_ENTRY_SIZE, "LibraryEntry");

#endif
