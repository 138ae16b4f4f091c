#include "cli/object/object.h"

static int Run(Cli *cli) {
    return CliMesh_Tell(cli, MeshReport_Bounds);
}

const CliVerb cli_mesh_bounds = {
    "mesh bounds",
    "boxes, spheres and capsules of an object and its pieces in a state",
    "FILE[::MEMBER]",
    "retropose mesh bounds hero.msh --frames 0,20 --phase 0.5 --piece 4 --subtree --svg hero.svg\n",
    {CLI_MESH_STATE,
     CLI_MESH_SPACE,
     CLI_MESH_PIECE,
     {"subtree", NULL, "with the pieces below", 0},
     CLI_MESH_SVG,
     CLI_JSON},
    Run};
