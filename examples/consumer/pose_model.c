/* Prints where the nodes of a model out of an archive are at a given time.
 *
 *   pose_model ARCHIVE MODEL FRAME
 *
 * This folder is a project of its own. It can be built in three ways: with CMake and what was
 * installed, with CMake and the sources, and with pkg-config. */
#include <retropose/file.h>
#include <retropose/model_pose.h>
#include <retropose/version.h>

#include <stdio.h>
#include <stdlib.h>

static int Complain(const RpError *error) {
    char text[640];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "pose_model: %s\n", text);
    return 1;
}

/* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11. */
static void PrintPose(const RpModelPose *pose) {
    for (uint32_t node = 0; node < pose->node_count; node++) {
        const float *matrix = pose->model_space[node];
        printf("%-8s %8.3f %8.3f %8.3f\n", pose->names[node], (double)matrix[3], (double)matrix[7],
               (double)matrix[11]);
    }
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
    RpBuffer archive;
    RpModelPose pose;
    RpError error;
    RpBuffer_Init(&archive, NULL);
    RpStatus status = RpFile_Read(argv[1], &archive, &error);
    if (status == RP_OK)
        status = RpModelPose_FromArchive(archive.bytes, archive.size, argv[2],
                                         strtof(argv[3], NULL), NULL, NULL, &pose, &error);
    if (status == RP_OK) {
        PrintPose(&pose);
        RpModelPose_Free(&pose);
    }
    RpBuffer_Free(&archive);
    return status == RP_OK ? 0 : Complain(&error);
}
