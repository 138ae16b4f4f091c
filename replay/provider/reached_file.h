/* Which code of a pair of DLLs the calls of a host have reached. The host leaves marks in a file
 * that it maps, beside its progress, so that they can be read however the host ends. */
#ifndef RETROPOSE_REPLAY_PROVIDER_REACHED_FILE_H
#define RETROPOSE_REPLAY_PROVIDER_REACHED_FILE_H

#include "exports/abi.h"

#include <stdint.h>

/* A function of the tables that was called, and where its code begins. A slot has another place
 * with each build. */
typedef struct ReachedEntry {
    uint32_t row; /* of abi_functions */
    /* In which module the code is, and its address in the image; ABI_MODULE_COUNT if the function
     * is in neither of them. */
    uint32_t module, rva;
} ReachedEntry;

/* More than there are rows and builds together. */
#define REACHED_MOST_ENTRIES 4096u

/* The layout of the file. */
typedef struct ReachedFile {
    uint32_t bytes[ABI_MODULE_COUNT]; /* the sizes of the modules' images */
    uint32_t entry_count;
    ReachedEntry entries[REACHED_MOST_ENTRIES];
    /* A byte for each address of the first module, then of the second one, with marks of
     * machine/processor/reached.h. */
    uint8_t marks[];
} ReachedFile;

/* Adds an entry unless it is there. */
static inline void ReachedFile_AddEntry(ReachedFile *file, const ReachedEntry *entry) {
    for (uint32_t i = 0; i < file->entry_count; i++)
        if (file->entries[i].row == entry->row && file->entries[i].module == entry->module &&
            file->entries[i].rva == entry->rva)
            return;
    if (file->entry_count < REACHED_MOST_ENTRIES)
        file->entries[file->entry_count++] = *entry;
}

#endif
