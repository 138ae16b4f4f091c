/* This program made golden-1.0.rptrace with format 1.0. The file is never made again: test_golden.c
 * tests every later reader with it. A later format gets a golden file and a program of its own. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static RpStatus WriteAll(TraceWriter *writer, RpError *error) {
    RpStatus status = RP_OK;
    for (size_t i = 0; status == RP_OK && i < golden_memory_count; i++)
        status = TraceWriter_Memory(writer, &golden_memories[i], error);
    for (size_t i = 0; status == RP_OK && i < golden_call_count; i++) {
        Signature signature;
        TraceCall call = Golden_Call(i, &signature);
        status = TraceWriter_Call(writer, &call, error);
    }
    return status;
}

static void Put32(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* Inserts a chunk of a type that no version knows in front of the end chunk. Readers have to skip
 * it. */
static int InsertUnknownChunk(const char *path) {
    enum { END_CHUNK = 24 + 16, PAYLOAD = 12 };
    static uint8_t file[65536];
    uint8_t chunk[24 + PAYLOAD] = "XTRA";
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return 1;
    size_t size = fread(file, 1, sizeof file, stream);
    fclose(stream);
    Put32(chunk + 8, PAYLOAD);
    Put32(chunk + 12, PAYLOAD);
    Put32(chunk + 16, 1);
    memcpy(chunk + 24, "of tomorrow", PAYLOAD);
    uint32_t crc = (uint32_t)crc32(crc32(0, chunk, 20), chunk + 24, PAYLOAD);
    Put32(chunk + 20, crc);
    stream = fopen(path, "wb");
    if (!stream)
        return 1;
    size_t written = fwrite(file, 1, size - END_CHUNK, stream);
    written += fwrite(chunk, 1, sizeof chunk, stream);
    written += fwrite(file + size - END_CHUNK, 1, END_CHUNK, stream);
    return fclose(stream) != 0 || written != size + sizeof chunk;
}

int main(int argc, char **argv) {
    RpError error = {0};
    TraceHeader header;
    TraceWriter *writer = NULL;
    if (argc != 2)
        return 2;
    TraceHeader_Init(&header);
    RpStatus status = RP_OK;
    for (size_t i = 0; status == RP_OK && i < golden_header_count; i++)
        status = TraceHeader_Set(&header, golden_header[i][0], golden_header[i][1], &error);
    if (status == RP_OK)
        status = TraceWriter_Create(argv[1], &header, false, &writer, &error);
    if (status == RP_OK)
        status = WriteAll(writer, &error);
    if (status == RP_OK)
        status = TraceWriter_Close(writer, &error);
    if (status != RP_OK) {
        char text[512];
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "make_golden: %s\n", text);
        return 1;
    }
    return InsertUnknownChunk(argv[1]);
}
