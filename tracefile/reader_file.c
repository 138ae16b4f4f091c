/* Reads traces from files. Builds for machines without files (WebAssembly) leave this out. */
#include "tracefile/reader_file.h"

#include "core/files/mapping.h"
#include "tracefile/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpStatus NoMemory(const char *name, RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", name, "", "");
}

/* ---- the standard input ---------------------------------------------------------------------- */

/* The bytes of the standard input are all in memory. */
static void Unmap(void *mapping) {
    Mapping_Close(mapping);
    free(mapping);
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct TraceFile {
    FileReader file;
    char name[256]; /* for messages */
} TraceFile;

static RpStatus Read(void *context, uint64_t offset, void *bytes, size_t size, RpError *error) {
    const TraceFile *file = context;
    return FileReader_Read(&file->file, offset, bytes, size, file->name, error);
}

static void Release(void *context) {
    TraceFile *file = context;
    FileReader_Close(&file->file);
    free(file);
}

RpStatus TraceReader_OpenFile(FileReader *opened, const char *name, TraceReader **reader,
                              RpError *error) {
    TraceFile *file = malloc(sizeof *file);
    *reader = NULL;
    if (!file) {
        FileReader_Close(opened);
        return NoMemory(name, error);
    }
    file->file = *opened;
    snprintf(file->name, sizeof file->name, "%s", name);
    const TraceSource source = {
        .size = opened->size, .read = Read, .release = Release, .context = file};
    return TraceReader_OpenOn(&source, name, reader, error);
}

RpStatus TraceReader_Open(const char *path, TraceReader **reader, RpError *error) {
    FileReader file;
    *reader = NULL;
    if (strcmp(path, "-") == 0) {
        Mapping *mapping = calloc(1, sizeof *mapping);
        if (!mapping)
            return NoMemory(path, error);
        const RpStatus status = Mapping_Open(path, mapping, error);
        if (status) {
            free(mapping);
            return status;
        }
        const TraceSource source = {.bytes = mapping->bytes ? mapping->bytes : (const uint8_t *)"",
                                    .size = mapping->size,
                                    .release = Unmap,
                                    .context = mapping};
        return TraceReader_OpenOn(&source, path, reader, error);
    }
    const RpStatus status = FileReader_Open(path, &file, error);
    return status ? status : TraceReader_OpenFile(&file, path, reader, error);
}
