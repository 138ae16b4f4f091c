/* What pose_model.c does, in C++17: the headers are the same, and their functions have C linkage.
 */
#include <retropose/retropose.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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

static std::vector<char> ReadFile(const char *path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        throw std::runtime_error(std::string("cannot read ") + path);
    return bytes;
}

/* The model points into the bytes of the archive. */
static RpMsh OpenModel(const std::vector<char> &bytes, const char *name) {
    RpError error;
    RpNRes archive, member;
    RpMsh model;
    if (RpNRes_Open(bytes.data(), bytes.size(), RP_STRICT, &archive, &error))
        throw Failure(error);
    const int32_t index = RpNRes_Find(&archive, name);
    if (index < 0)
        throw std::runtime_error(std::string("the archive has no member ") + name);
    const RpNResEntry entry = RpNRes_Entry(&archive, static_cast<uint32_t>(index));
    if (RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, &error) ||
        RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, &model, &error))
        throw Failure(error);
    return model;
}

/* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11. */
static void PrintPose(const RpMsh &model, float frame) {
    RpError error;
    RpSkeleton skeleton;
    if (RpMsh_Skeleton(&model, &skeleton, &error))
        throw Failure(error);
    const uint32_t count = RpSkeleton_NodeCount(&skeleton);
    const auto matrices = std::make_unique<float[][16]>(count);
    /* One time with all of the weight. The game also blends two of them. */
    if (RpPose_Skeleton(&skeleton, nullptr, frame, -1.0f, 0.0f, 0, nullptr, matrices.get(), nullptr,
                        &error))
        throw Failure(error);
    for (uint32_t node = 0; node < count; node++) {
        uint32_t length = 0;
        const char *name = RpMsh_Text(&model, RP_MSH_NAMES, node, &length);
        const float *matrix = matrices[node];
        std::printf("%-8s %8.3f %8.3f %8.3f\n", name ? std::string(name, length).c_str() : "",
                    double(matrix[3]), double(matrix[7]), double(matrix[11]));
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fputs("usage: pose_model ARCHIVE MODEL FRAME\n", stderr);
        return 2;
    }
    try {
        const std::vector<char> bytes = ReadFile(argv[1]);
        PrintPose(OpenModel(bytes, argv[2]), std::strtof(argv[3], nullptr));
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "pose_model: %s\n", failure.what());
        return 1;
    }
    return 0;
}
