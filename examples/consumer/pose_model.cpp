/* Does what pose_model.c does, in C++17: the headers are the same, and their functions have C
 * linkage. */
#include "raii.hpp"

#include <retropose/retropose.h>

#include <cstdio>
#include <cstdlib>

static void Run(const char *path, const char *name, float frame) {
    Handle<RpBuffer, RpBuffer_Free> archive;
    Handle<RpModelPose, RpModelPose_Free> pose;
    Require([&](RpError *error) { return RpFile_Read(path, &archive, error); });
    Require([&](RpError *error) {
        return RpModelPose_FromArchive(archive.bytes, archive.size, name, frame, nullptr, nullptr,
                                       &pose, error);
    });
    /* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11. */
    for (uint32_t node = 0; node < pose.node_count; node++) {
        const float *matrix = pose.model_space[node];
        std::printf("%-8s %8.3f %8.3f %8.3f\n", pose.names[node], double(matrix[3]),
                    double(matrix[7]), double(matrix[11]));
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("usage: pose_model ARCHIVE MODEL FRAME\n", stderr);
        return 2;
    }
    try {
        Run(argv[1], argv[2], std::strtof(argv[3], nullptr));
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "pose_model: %s\n", failure.what());
        return 1;
    }
    return 0;
}
