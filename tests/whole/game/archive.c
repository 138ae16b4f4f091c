#include "archive.h"

#include "prototypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 16
#define RECORD_BYTES 64
#define AT_OFFSET    0x38 /* offset in a record */
#define AT_COUNT     8    /* offset in the header */

static uint32_t Get32(const uint8_t *bytes) {
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static const Archive *Self(uintptr_t self) {
    return (const Archive *)self;
}

ABI_PROTO_ngi32_INResFile_1(Release);
ABI_PROTO_ngi32_INResFile_4(Directory);
ABI_PROTO_ngi32_INResFile_6(Data);
ABI_PROTO_ngi32_INResFile_8(FindType);

ABI_PROTO_ngi32_INResFile_1(Release) {
    (void)self;
    return 0;
}

ABI_PROTO_ngi32_INResFile_4(Directory) {
    return (uintptr_t)Self(self)->directory;
}

ABI_PROTO_ngi32_INResFile_6(Data) {
    (void)touch;
    const Archive *archive = Self(self);
    return (uintptr_t)(archive->image +
                       Get32(archive->directory + RECORD_BYTES * (uint32_t)index + AT_OFFSET));
}

ABI_PROTO_ngi32_INResFile_8(FindType) {
    const Archive *archive = Self(self);
    for (uint32_t i = 0; i < archive->count; i++)
        if (Get32(archive->directory + RECORD_BYTES * i) == type)
            return (int32_t)i;
    return -1;
}

static const void *const methods[] = {[1] = (const void *)(uintptr_t)Release,
                                      [4] = (const void *)(uintptr_t)Directory,
                                      [6] = (const void *)(uintptr_t)Data,
                                      [8] = (const void *)(uintptr_t)FindType};

static uint8_t *ReadFile(const char *path, uint32_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (uint32_t)ftell(file);
    rewind(file);
    bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

int Archive_Open(const char *path, Archive *archive) {
    uint32_t size = 0;
    uint8_t *image = ReadFile(path, &size);
    if (!image || size < HEADER_BYTES || memcmp(image, "NRes", 4) != 0 ||
        Get32(image + AT_COUNT) > (size - HEADER_BYTES) / RECORD_BYTES) {
        free(image);
        return 1;
    }
    archive->methods = methods;
    archive->image = image;
    archive->count = Get32(image + AT_COUNT);
    archive->directory = image + size - RECORD_BYTES * archive->count;
    return 0;
}
