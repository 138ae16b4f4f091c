#include "cli/object/object.h"

static int Run(Cli *cli) {
    return CliMesh_Tell(cli, MeshReport_Pieces);
}

const CliVerb cli_mesh_info = {
    "mesh info",
    "the pieces of an object: a model and what is attached to it",
    "FILE[::MEMBER]",
    "retropose mesh info parts.rlb::R_H_02.msh --attach guns.rlb::g_las_0_20.msh@7\n",
    {CLI_MESH_STATE, CLI_MESH_SPACE, CLI_MESH_PIECE, CLI_JSON},
    Run};
