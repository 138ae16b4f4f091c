/* What pose_model.c does, in C++17: the headers are the same, and their functions have C linkage.
 */
#include <retropose/retropose.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

/* The library throws nothing; this program wants to. */
class Failure : public std::runtime_error {
  public:
    explicit Failure(const RpError &error) : std::runtime_error(Text(error)) {
    }

  private:
    static std::string Text(const RpError &error) {
        char text[640];
        RpError_Format(&error, text, sizeof text);
        return text;
    }
};

/* What the library hands out is freed by one function of the library. */
template <typename Owned, void (*Release)(Owned *)> class Handle {
  public:
    Handle() = default;
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() {
        Release(&owned);
    }
    Owned owned = Owned();
};

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("usage: pose_model ARCHIVE MODEL FRAME\n", stderr);
        return 2;
    }
    try {
        RpError error;
        Handle<RpBuffer, RpBuffer_Free> archive;
        Handle<RpModelPose, RpModelPose_Free> pose;
        if (RpFile_Read(argv[1], &archive.owned, &error) ||
            RpModelPose_FromArchive(archive.owned.bytes, archive.owned.size, argv[2],
                                    std::strtof(argv[3], nullptr), nullptr, nullptr, &pose.owned,
                                    &error))
            throw Failure(error);
        /* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11. */
        for (uint32_t node = 0; node < pose.owned.node_count; node++) {
            const float *matrix = pose.owned.model_space[node];
            std::printf("%-8s %8.3f %8.3f %8.3f\n", pose.owned.names[node], double(matrix[3]),
                        double(matrix[7]), double(matrix[11]));
        }
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "pose_model: %s\n", failure.what());
        return 1;
    }
    return 0;
}
