/* Reads a model out of an archive and prints where its nodes are at a time.
 *
 *   pose_model ARCHIVE MODEL FRAME
 *
 * This is a program of a project of its own: beside it are three ways to build it, with CMake and
 * what was installed, with CMake and the sources, and with pkg-config.
 */
#include <retropose/msh.h>
#include <retropose/pose.h>
#include <retropose/version.h>

#include <stdio.h>
#include <stdlib.h>

static int Complain(const RpError *error) {
    char text[640];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "pose_model: %s\n", text);
    return 1;
}

/* Returns the bytes of a file, which the caller frees, or null. */
static void *ReadFile(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    do {
        capacity = capacity ? 2 * capacity : 65536;
        char *more = realloc(bytes, capacity);
        if (!more)
            break;
        bytes = more;
        *size += fread(bytes + *size, 1, capacity - *size, file);
    } while (*size == capacity);
    const int complete = feof(file) && !ferror(file);
    fclose(file);
    if (!complete) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* Finds the model. Nothing is copied: it points into the bytes of the archive. */
static RpStatus OpenModel(const void *bytes, size_t size, const char *name, RpMsh *model,
                          RpError *error) {
    RpNRes archive, member;
    RpStatus status = RpNRes_Open(bytes, size, RP_STRICT, &archive, error);
    if (status != RP_OK)
        return status;
    const int32_t index = RpNRes_Find(&archive, name);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the archive has no such member", name,
                           "", "");
    const RpNResEntry entry = RpNRes_Entry(&archive, (uint32_t)index);
    status = RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, error);
    return status != RP_OK ? status : RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, model, error);
}

/* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11. */
static RpStatus PrintPose(const RpMsh *model, float frame, RpError *error) {
    RpSkeleton skeleton;
    RpStatus status = RpMsh_Skeleton(model, &skeleton, error);
    if (status != RP_OK)
        return status;
    const uint32_t count = RpSkeleton_NodeCount(&skeleton);
    float(*matrices)[16] = calloc(count, sizeof *matrices);
    if (!matrices)
        return RpMemory_Refused(error, "the matrices");
    /* One time with all of the weight. The game also blends two of them. */
    status = RpPose_Skeleton(&skeleton, NULL, frame, -1.0f, 0.0f, 0, NULL, matrices, NULL, error);
    for (uint32_t node = 0; status == RP_OK && node < count; node++) {
        uint32_t length;
        const char *name = RpMsh_Text(model, RP_MSH_NAMES, node, &length);
        const float *matrix = matrices[node];
        printf("%-8.*s %8.3f %8.3f %8.3f\n", name ? (int)length : 0, name ? name : "",
               (double)matrix[3], (double)matrix[7], (double)matrix[11]);
    }
    free(matrices);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: pose_model ARCHIVE MODEL FRAME\n", stderr);
        return 2;
    }
    if (RpVersion_Number() / 1000000u != RP_VERSION_MAJOR) {
        fprintf(stderr, "pose_model: this is for %s, and not for %s\n", RP_VERSION_STRING,
                RpVersion_String());
        return 2;
    }
    size_t size;
    void *bytes = ReadFile(argv[1], &size);
    if (!bytes) {
        fprintf(stderr, "pose_model: cannot read %s\n", argv[1]);
        return 2;
    }
    RpMsh model;
    RpError error;
    RpStatus status = OpenModel(bytes, size, argv[2], &model, &error);
    if (status == RP_OK)
        status = PrintPose(&model, strtof(argv[3], NULL), &error);
    free(bytes);
    return status == RP_OK ? 0 : Complain(&error);
}
