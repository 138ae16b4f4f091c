#include "replay/provider/reached_record.h"

#include "core/files/mapping.h"
#include "core/files/output.h"
#include "replay/process/thread.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ReachedRecord {
    Mutex mutex;
    ReachedFile *file; /* in memory */
    size_t bytes;
    bool lost; /* the file of a host could not be read */
};

/* Returns a file without marks, which the caller frees, or null where memory is short. */
static ReachedFile *MakeEmpty(const uint32_t bytes[ABI_MODULE_COUNT], size_t *size) {
    *size = sizeof(ReachedFile) + bytes[ABI_NGI32] + bytes[ABI_ANIMESH];
    ReachedFile *file = calloc(1, *size);
    if (file)
        memcpy(file->bytes, bytes, sizeof file->bytes);
    return file;
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for what the calls reach", "",
                       "", "");
}

RpStatus ReachedRecord_Create(const uint32_t bytes[ABI_MODULE_COUNT], ReachedRecord **record,
                              RpError *error) {
    ReachedRecord *made = calloc(1, sizeof *made);
    *record = NULL;
    if (made)
        made->file = MakeEmpty(bytes, &made->bytes);
    if (!made || !made->file) {
        free(made);
        return NoMemory(error);
    }
    Mutex_Init(&made->mutex);
    *record = made;
    return RP_OK;
}

void ReachedRecord_Destroy(ReachedRecord *record) {
    if (!record)
        return;
    Mutex_Destroy(&record->mutex);
    free(record->file);
    free(record);
}

const ReachedFile *ReachedRecord_Whole(const ReachedRecord *record) {
    return record->lost ? NULL : record->file;
}

RpStatus ReachedRecord_MakeFile(const ReachedRecord *record, const char *path, RpError *error) {
    size_t size;
    ReachedFile *empty = MakeEmpty(record->file->bytes, &size);
    const RpStatus status = empty ? Output_WriteBytes(path, empty, size, error) : NoMemory(error);
    free(empty);
    return status;
}

void ReachedRecord_Add(ReachedRecord *record, const char *path) {
    Mapping mapping;
    const bool is_open = Mapping_Open(path, &mapping, NULL) == RP_OK;
    const ReachedFile *file = is_open ? (const ReachedFile *)(const void *)mapping.bytes : NULL;
    const bool is_good = is_open && mapping.size == record->bytes &&
                         memcmp(file->bytes, record->file->bytes, sizeof file->bytes) == 0 &&
                         file->entry_count <= REACHED_MOST_ENTRIES;
    Mutex_Lock(&record->mutex);
    record->lost |= !is_good;
    for (uint32_t i = 0; is_good && i < file->entry_count; i++)
        ReachedFile_AddEntry(record->file, &file->entries[i]);
    for (size_t i = 0; is_good && i < record->bytes - sizeof *file; i++)
        record->file->marks[i] |= file->marks[i];
    Mutex_Unlock(&record->mutex);
    if (is_open)
        Mapping_Close(&mapping);
}
