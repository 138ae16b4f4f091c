/* Serves the program retropose-host on Linux and similar systems. */
#include "core/files/mapping.h"
#include "replay/host/os.h"
#include "tracefile/reader_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void Os_EndProcess(int code) {
    _exit(code);
}

RpStatus Os_OpenTrace(const HostChar *path, TraceReader **reader, RpError *error) {
    FileReader file;
    const RpStatus status = FileReader_Open(path, &file, error);
    return status ? status : TraceReader_OpenFile(&file, OS_TRACE_NAME, reader, error);
}

const uint8_t *Os_MapFile(const HostChar *path, size_t *size, RpError *error) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, error))
        return NULL;
    *size = mapping.size;
    return mapping.bytes ? mapping.bytes : (const uint8_t *)"";
}

void *Os_Share(const HostChar *path, size_t *size, bool writes, RpError *error) {
    struct stat facts;
    void *memory = MAP_FAILED;
    const int file = open(path, (writes ? O_RDWR : O_RDONLY) | (*size > 0 ? O_CREAT : 0), 0600);
    bool usable = file >= 0 && fstat(file, &facts) == 0;
    if (usable && (uint64_t)facts.st_size < *size)
        usable = ftruncate(file, (off_t)*size) == 0;
    if (usable && *size == 0)
        *size = (size_t)facts.st_size;
    if (usable)
        memory =
            mmap(NULL, *size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (memory != MAP_FAILED)
        return memory;
    RpError_Set(error, RP_IO, RP_NOWHERE, "cannot share the file", path, "", "");
    return NULL;
}

RpStatus Os_Name(const HostChar *path, char *name, size_t size, RpError *error) {
    if (snprintf(name, size, "%s", path) < (int)size)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name of a file is too long", path, "",
                       "");
}
