#include "cli/object/object.h"

static int Run(Cli *cli) {
    return CliMesh_Tell(cli, MeshReport_Matrices);
}

const CliVerb cli_mesh_pose = {
    "mesh pose",
    "the matrices of an object in a state",
    "FILE[::MEMBER]",
    "retropose mesh pose hero.msh --frames 0,20 --phase 0.5\n"
    "retropose mesh pose hero.msh --frames 0,20,30,40 --phase 0.5,0.25 "
    "--svg hero.svg\n",
    {CLI_MESH_STATE, CLI_MESH_SPACE, CLI_MESH_PIECE, CLI_MESH_SVG, CLI_JSON},
    Run};
