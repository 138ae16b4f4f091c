#include "cli/object/object_common.h"

static int Run(Cli *cli) {
    return CliObject_Tell(cli, MeshReport_Matrices);
}

const CliVerb cli_object_pose = {
    "object pose",
    "the matrices of an object in a state",
    "FILE[::MEMBER]",
    "retropose object pose hero.msh --frames 0,20 --phase 0.5\n"
    "retropose object pose hero.msh --frames 0,20,30,40 --phase 0.5,0.25 "
    "--svg hero.svg\n",
    {CLI_OBJECT_STATE, CLI_OBJECT_SPACE, CLI_OBJECT_PIECE, CLI_OBJECT_SVG, CLI_JSON},
    Run};
