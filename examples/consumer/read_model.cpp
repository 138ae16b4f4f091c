/* Does what read_model.c does, in C++17. */
#include "raii.hpp"

#include <retropose/retropose.h>

#include <cstdio>

/* Finds the model. Nothing is copied: it points into the bytes of the archive. */
static RpMsh OpenModel(const RpBuffer &bytes, const char *name) {
    RpNRes archive, member;
    RpMsh model;
    Require([&](RpError *error) {
        return RpNRes_Open(bytes.bytes, bytes.size, RP_STRICT, &archive, error);
    });
    const int32_t index = RpNRes_Find(&archive, name);
    if (index < 0)
        throw std::runtime_error(std::string("the archive has no member ") + name);
    const RpNResEntry entry = RpNRes_Entry(&archive, uint32_t(index));
    Require([&](RpError *error) {
        return RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, error);
    });
    Require([&](RpError *error) {
        return RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, &model, error);
    });
    return model;
}

static void PrintModel(const RpMsh &model) {
    RpMshHeader header;
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        if (model.streams[type].data)
            std::printf("%-10s %6u\n", RpMsh_StreamName(type), unsigned(RpMsh_Count(&model, type)));
    std::printf("frames     %6u\n", unsigned(model.frame_count));
    if (RpMsh_Header(&model, &header))
        std::printf("sphere of %.3f about %.3f %.3f %.3f\n", double(header.sphere[3]),
                    double(header.sphere[0]), double(header.sphere[1]), double(header.sphere[2]));
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fputs("usage: read_model ARCHIVE MODEL\n", stderr);
        return 2;
    }
    try {
        Handle<RpBuffer, RpBuffer_Free> bytes;
        Require([&](RpError *error) { return RpFile_Read(argv[1], &bytes, error); });
        PrintModel(OpenModel(bytes, argv[2]));
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "read_model: %s\n", failure.what());
        return 1;
    }
    return 0;
}
