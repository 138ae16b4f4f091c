/* Writes traces to files. Builds for machines without files (WebAssembly) leave this out. */
#include "core/files/output.h"
#include "tracefile/writer.h"

static RpStatus Append(void *file, const void *bytes, size_t size, RpError *error) {
    return Output_Append(file, bytes, size, error);
}

static bool Flush(void *file) {
    return fflush(Output_Stream(file)) == 0;
}

static RpStatus Commit(void *file, RpError *error) {
    return Output_Commit(file, error);
}

static void Abandon(void *file) {
    Output_Abandon(file);
}

static RpStatus Create(OutputFile *file, const char *path, const TraceHeader *header, bool compress,
                       TraceWriter **writer, RpError *error) {
    const TraceSink sink = {Append, Flush, Commit, Abandon, file};
    return TraceWriter_CreateOn(&sink, path, header, compress, writer, error);
}

RpStatus TraceWriter_Create(const char *path, const TraceHeader *header, bool compress,
                            TraceWriter **writer, RpError *error) {
    OutputFile *file;
    *writer = NULL;
    RpStatus status = Output_Open(path, &file, error);
    return status ? status : Create(file, path, header, compress, writer, error);
}

RpStatus TraceWriter_CreateGrowing(const char *path, const TraceHeader *header,
                                   TraceWriter **writer, RpError *error) {
    OutputFile *file;
    *writer = NULL;
    RpStatus status = Output_OpenGrowing(path, &file, error);
    return status ? status : Create(file, path, header, false, writer, error);
}
