/* unpack_library FILE FLAGS PREFIX unpacks entry i of an RsLi library into PREFIX.i, which
 * reference.py compares. If the library is refused, the exit code is 1 and there is a line on
 * stderr. */
#include "retropose/file.h"
#include "retropose/rsli.h"
#include "tests/owned.h"

#include <stdio.h>
#include <stdlib.h>

static int Fail(const RpError *error) {
    char text[1024];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

static int WriteEntry(const char *prefix, uint32_t index, const uint8_t *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%u", prefix, index);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    size_t written = fwrite(bytes, 1, size, file);
    return fclose(file) != 0 || written != size;
}

static int UnpackEntries(const RpRsLi *rsli, const char *prefix) {
    static uint8_t work[RP_RSLI_WORK_BYTES];
    RpError error = {0};
    for (uint32_t i = 0; i < rsli->count; i++) {
        uint32_t size = rsli->records[i].unpacked_size;
        HEAP uint8_t *output = malloc((size_t)size + 1);
        if (!output)
            return 1;
        int status = RpRsLi_Load(rsli, i, output, work, NULL, &error) != RP_OK
                         ? Fail(&error)
                         : WriteEntry(prefix, i, output, size);
        if (status)
            return status;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: unpack_library FILE FLAGS PREFIX\n", stderr);
        return 2;
    }
    OWNED(RpBuffer) image = {0};
    RpError error = {0};
    RpRsLi rsli;
    if (RpFile_Read(argv[1], &image, &error))
        return Fail(&error);
    const uint32_t count = RpRsLi_Count(image.bytes, image.size);
    HEAP RpRsLiRecord *records = calloc((size_t)count + 1, sizeof *records);
    if (!records || RpRsLi_Open(image.bytes, image.size, (uint32_t)strtoul(argv[2], NULL, 0),
                                RP_STRICT, records, count, &rsli, &error))
        return Fail(&error);
    return UnpackEntries(&rsli, argv[3]);
}
