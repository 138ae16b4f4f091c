/* Archives that niCreateResFile creates or continues (facts/ngi32.md E.5). It is not published
 * which method adds an entry. Such an archive can therefore only do what documented routines do:
 * sort its directory, build its sort map, and be written. */
#include "dll/ngi32/archive.h"

#include "dll/base/log.h"
#include "dll/ngi32/mapped.h"

#include <string.h>

enum { RECORD_NAME = 20, RECORD_SORT_INDEX = 60 };

static uint8_t *Record(const Archive *archive, uint32_t index) {
    return archive->directory + (size_t)RP_NRES_RECORD_BYTES * index;
}

static int CompareNames(const uint8_t *a, const uint8_t *b) {
    char name[RP_NRES_NAME_BYTES + 1] = ""; /* a field may lack its own NUL */
    memcpy(name, b + RECORD_NAME, RP_NRES_NAME_BYTES);
    return RpNRes_CompareName((const char *)a + RECORD_NAME, name);
}

/* ---- the sort map ---------------------------------------------------------------------------- */

static uint32_t SortIndex(const Archive *archive, uint32_t place) {
    uint32_t index;
    memcpy(&index, Record(archive, place) + RECORD_SORT_INDEX, sizeof index);
    return index;
}

static void SetSortIndex(const Archive *archive, uint32_t place, uint32_t index) {
    memcpy(Record(archive, place) + RECORD_SORT_INDEX, &index, sizeof index);
}

/* Builds the map in place and without allocating memory, because this also runs while the process
 * ends. */
void Archive_BuildSortMap(Archive *archive) {
    for (uint32_t index = 0; index < archive->count; index++) {
        /* The entry's place is after all of the first names that do not come after its own. Equal
         * names thus keep their order, as in the original's bubble sort. */
        uint32_t place = 0, high = index;
        while (place < high) {
            uint32_t middle = place + (high - place) / 2;
            const uint8_t *other = Record(archive, SortIndex(archive, middle));
            if (CompareNames(other, Record(archive, index)) <= 0)
                place = middle + 1;
            else
                high = middle;
        }

        for (uint32_t k = index; k > place; k--)
            SetSortIndex(archive, k, SortIndex(archive, k - 1));
        SetSortIndex(archive, place, index);
    }
    archive->index.sorted = true;
}

/* ---- the order of the directory -------------------------------------------------------------- */

enum { BY_TYPE = 1, BY_ATTR1 = 2, BY_ATTR2 = 4, BY_NAME = 8, SORT_MODES = 12 };

/* The keys of modes 0 to 11. If a mode has several keys, they count in the order of these bits. */
static const uint8_t sort_keys[SORT_MODES] = {
    0,       BY_ATTR1,           BY_ATTR2,           BY_ATTR1 | BY_ATTR2,
    BY_TYPE, BY_TYPE | BY_ATTR1, BY_TYPE | BY_ATTR1, BY_TYPE | BY_ATTR1 | BY_ATTR2,
    BY_NAME, BY_TYPE | BY_NAME,  BY_ATTR1 | BY_NAME, BY_ATTR2 | BY_NAME};

static int CompareRecords(const uint8_t *a, const uint8_t *b, uint8_t keys) {
    for (int field = 0; field < 3; field++) { /* type, attr1 and attr2 begin the record */
        uint32_t left, right;
        memcpy(&left, a + 4 * field, sizeof left);
        memcpy(&right, b + 4 * field, sizeof right);
        if ((keys & BY_TYPE << field) && left != right)
            return left < right ? -1 : 1;
    }
    return keys & BY_NAME ? CompareNames(a, b) : 0;
}

static void SortDirectory(Archive *archive, uint8_t keys) {
    for (uint32_t index = 1; index < archive->count; index++) {
        uint8_t record[RP_NRES_RECORD_BYTES];
        memcpy(record, Record(archive, index), sizeof record);

        uint32_t place = 0, high = index;
        while (place < high) {
            uint32_t middle = place + (high - place) / 2;
            if (CompareRecords(archive->directory + (size_t)RP_NRES_RECORD_BYTES * middle, record,
                               keys) <= 0)
                place = middle + 1;
            else
                high = middle;
        }

        uint8_t *to = Record(archive, place);
        memmove(to + sizeof record, to, (size_t)(Record(archive, index) - to));
        memcpy(to, record, sizeof record);
    }
    Archive_BuildSortMap(archive);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool WriteAt(const Archive *archive, uint32_t offset, const void *bytes, uint32_t size) {
    DWORD written = 0;
    return SetFilePointer(archive->file, (LONG)offset, NULL, FILE_BEGIN) == offset &&
           (size == 0 ||
            (WriteFile(archive->file, bytes, size, &written, NULL) && written == size));
}

static bool WriteHeader(const Archive *archive, uint32_t total) {
    const struct {
        char magic[4];
        uint32_t version, count, total;
    } header = {{'N', 'R', 'e', 's'}, RP_NRES_VERSION, archive->count, total};
    _Static_assert(sizeof header == RP_NRES_HEADER_BYTES, "header");
    return WriteAt(archive, 0, &header, sizeof header);
}

/* The header is written last. Until then the file does not look like an archive. */
void Archive_Write(Archive *archive) {
    if (!archive->file)
        return;
    uint32_t size = RP_NRES_RECORD_BYTES * archive->count;
    Archive_BuildSortMap(archive);
    if (!WriteAt(archive, archive->data_end, archive->directory, size) ||
        !SetEndOfFile(archive->file) || !WriteHeader(archive, archive->data_end + size))
        Log_Write("%s cannot be written: error %u", archive->name, (uint32_t)GetLastError());
}

/* ---- creating -------------------------------------------------------------------------------- */

/* Cuts the directory off the file. The payloads remain and stay readable. */
static RpStatus CutDirectory(Archive *archive, RpError *error) {
    Mapped mapped = {0};
    if (SetFilePointer(archive->file, (LONG)archive->data_end, NULL, FILE_BEGIN) !=
            archive->data_end ||
        !SetEndOfFile(archive->file) ||
        (archive->count == 0 && !WriteHeader(archive, archive->data_end)))
        return Mapped_Refused(error, "the file cannot be written", archive->name);
    RpStatus status = Mapped_View(archive->file, archive->name, true, &mapped, error);
    if (status)
        return status;
    archive->base = mapped.view;
    archive->mapped = true;
    archive->data_start = RP_NRES_HEADER_BYTES;
    Mapped_CloseHandles(&mapped);
    return RP_OK;
}

/* Creates the archive, unless somebody has a view of its file, because such a file cannot be made
 * shorter. */
static Archive *CreateUnlessHeld(const char *name, RpError *error) {
    char path[ARCHIVE_PATH_BYTES];
    if (!name) {
        RpError_Set(error, RP_INVALID, RP_NOWHERE, "no file name", "", "", "");
        return NULL;
    }
    Archive_CompletePath(name, path);
    Archives_UnloadIdle();
    for (int raw = 0; raw < 2; raw++) {
        Archive *listed = Archive_Listed(path, raw);
        if (listed && listed->references > 0) {
            RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive is open", name, "", "");
            return NULL;
        }
        if (listed)
            Archive_Unload(listed);
    }

    HANDLE file = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL,
                              OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        Mapped_Refused(error, "the file cannot be opened for writing", name);
        return NULL;
    }
    Archive *archive = Archive_New(name, path);
    if (!archive) {
        CloseHandle(file);
        RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", name, "", "");
        return NULL;
    }
    archive->file = file;
    archive->writable = 1;

    /* The directory of an existing archive, which is to be continued, is copied into our own
     * memory. If the file is not an archive, the directory is empty at first. */
    Mapped mapped = {0};
    RpNRes nres = {.size = 0};
    archive->data_end = RP_NRES_HEADER_BYTES;
    if (Mapped_View(archive->file, archive->name, false, &mapped, NULL) == RP_OK &&
        RpNRes_Open(mapped.view, mapped.size, RP_TOLERANT, &nres, NULL) == RP_OK)
        archive->data_end = nres.directory_offset;
    size_t size = (size_t)RP_NRES_RECORD_BYTES * nres.count;
    /* Lookups expect a header before the directory. */
    uint8_t *index = Memory_Allocate(RP_NRES_HEADER_BYTES + size);
    if (index) {
        memset(index, 0, RP_NRES_HEADER_BYTES);
        if (size > 0)
            memcpy(index + RP_NRES_HEADER_BYTES, nres.image + nres.directory_offset, size);
        archive->index = (RpNRes){.image = index,
                                  .size = (uint32_t)(RP_NRES_HEADER_BYTES + size),
                                  .count = nres.count,
                                  .directory_offset = RP_NRES_HEADER_BYTES,
                                  .sorted = nres.sorted};
        archive->count = nres.count;
        archive->records = index;
        archive->directory = index + RP_NRES_HEADER_BYTES;
    }
    Mapped_Close(&mapped);
    if (!index)
        RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", archive->name, "", "");
    else if (CutDirectory(archive, error) == RP_OK)
        return archive;
    if (!archive->records) /* the file was not changed, and must not be written */
        CloseHandle(archive->file), archive->file = NULL;
    Archive_Unload(archive);
    return NULL;
}

ABI_PROTO_ngi32_niCreateResFile(niCreateResFile) {
    RpError error = {0};
    Archives_Lock();
    Archive *archive = CreateUnlessHeld(path, &error);
    Archives_Unlock();
    if (!archive)
        Errors_LogFailure("niCreateResFile", path, &error);
    return (uintptr_t)archive;
}

/* ---- for RetroposeInternal ------------------------------------------------------------------- */

static Archive *LockWritable(uintptr_t self, const char *function) {
    Archives_Lock();
    Archive *archive = Archive_Of(self);
    if (archive && archive->writable && !archive->raw)
        return archive;
    Log_Write("%s: 0x%x is no writable archive", function, (uint32_t)self);
    return NULL;
}

ABI_PROTO_ngi32_CloseWrittenArchive(CloseWrittenArchive) {
    Archive *archive = LockWritable(self, "CloseWrittenArchive");
    if (archive)
        Archive_Write(archive);
    Archives_Unlock();
}

ABI_PROTO_ngi32_BuildSortMap(BuildSortMap) {
    Archive *archive = LockWritable(self, "BuildSortMap");
    if (archive)
        Archive_BuildSortMap(archive);
    Archives_Unlock();
}

ABI_PROTO_ngi32_SortArchiveDirectory(SortArchiveDirectory) {
    Archive *archive = LockWritable(self, "SortArchiveDirectory");
    if (archive && mode < SORT_MODES && sort_keys[mode])
        SortDirectory(archive, sort_keys[mode]);
    else if (archive && mode >= SORT_MODES)
        Log_Write("SortArchiveDirectory: there is no mode %u", mode);
    Archives_Unlock();
}
