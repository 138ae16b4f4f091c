/* Does what attach_model.c does, in C++17. */
#include "raii.hpp"

#include <retropose/retropose.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using Mesh = Pointer<RpMeshObject, RpMeshObject_Free>;

/* ---- loading --------------------------------------------------------------------------------- */

/* A model, with the archive that it points into. */
class Loaded {
  public:
    Loaded(const char *path, const char *name) {
        RpNRes archive, member;
        Require([&](RpError *error) { return RpFile_Read(path, &bytes, error); });
        Require([&](RpError *error) {
            return RpNRes_Open(bytes.bytes, bytes.size, RP_STRICT, &archive, error);
        });
        const int32_t index = RpNRes_Find(&archive, name);
        if (index < 0)
            throw std::runtime_error(std::string("the archive has no member ") + name);
        const RpNResEntry entry = RpNRes_Entry(&archive, uint32_t(index));
        RpModel *made = nullptr;
        Require([&](RpError *error) {
            return RpModel_FromNRes(entry.data, entry.size, nullptr, &made, error);
        });
        model.reset(made);
        Require([&](RpError *error) {
            return RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, error);
        });
        Require([&](RpError *error) {
            return RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, &streams, error);
        });
    }

    const RpModel *Model() const {
        return model.get();
    }

    /* Returns the piece of the root's node of this name. Part 0 is the root, and has a piece for
     * each of its nodes. */
    int32_t Node(std::string_view wanted) const {
        for (uint32_t node = 0; node < RpMsh_Count(&streams, RP_MSH_NODES); node++) {
            uint32_t length;
            const char *name = RpMsh_Text(&streams, RP_MSH_NAMES, node, &length);
            if (name && std::string_view(name, length) == wanted)
                return int32_t(node);
        }
        throw std::runtime_error("the model has no node " + std::string(wanted));
    }

  private:
    Handle<RpBuffer, RpBuffer_Free> bytes; /* declared first, and so freed last */
    Pointer<RpModel, RpModel_Free> model;
    RpMsh streams;
};

/* ---- posing and asking ----------------------------------------------------------------------- */

/* Shoots along y through the middle of a piece's box. */
static void Shoot(const RpMeshObject *mesh, int32_t piece) {
    float corners[8][3];
    RpMeshHit hit;
    RpMeshObject_Box(mesh, piece, RP_MESH_WORLD, false, corners);
    const float x = (corners[0][0] + corners[7][0]) / 2, z = (corners[0][2] + corners[7][2]) / 2;
    const float from[3] = {x, corners[7][1] + 10, z}, to[3] = {x, corners[0][1] - 10, z};
    if (RpMeshObject_Segment(mesh, -1, from, to, nullptr, &hit))
        std::printf("shot at piece %d: hit piece %d, triangle %u at %.3f %.3f %.3f\n", int(piece),
                    int(hit.piece), unsigned(hit.triangle), double(hit.point[0]),
                    double(hit.point[1]), double(hit.point[2]));
    else
        std::printf("shot at piece %d: no hit\n", int(piece));
}

static void PrintPart(const RpMeshObject *mesh, uint32_t part) {
    RpMeshPiece piece;
    for (int32_t i = RpMeshObject_FirstPieceOfPart(mesh, part);
         RpMeshObject_Piece(mesh, i, &piece) && piece.part == part; i++) {
        const float *world = RpMeshObject_Matrix(mesh, i, RP_MESH_WORLD);
        std::printf("piece %d on piece %d: at %.3f %.3f %.3f\n", int(i), int(piece.parent),
                    double(world[3]), double(world[7]), double(world[11]));
        Shoot(mesh, i);
    }
}

static Mesh MakeMesh(const Loaded &root) {
    RpMeshObject *made = nullptr;
    Require([&](RpError *error) {
        return RpMeshObject_Create(root.Model(), nullptr, nullptr, &made, error);
    });
    return Mesh(made);
}

static void Run(char **words) {
    const Loaded root(words[0], words[1]), part(words[3], words[4]);
    const int32_t frame = int32_t(std::strtol(words[5], nullptr, 10));
    const Mesh mesh = MakeMesh(root);
    Require([&](RpError *error) {
        return RpMeshObject_Attach(mesh.get(), part.Model(), 1, root.Node(words[2]), 0, error);
    });
    RpMeshObject_SetFrames(mesh.get(), frame, frame, -1, -1);
    RpMeshObject_Pose(mesh.get());
    PrintPart(mesh.get(), 1);
}

int main(int argc, char **argv) {
    if (argc != 7) {
        std::fputs("usage: attach_model ARCHIVE ROOT NODE ARCHIVE PART FRAME\n", stderr);
        return 2;
    }
    try {
        Run(argv + 1);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "attach_model: %s\n", failure.what());
        return 1;
    }
    return 0;
}
