#include "cli/object/object_common.h"

static int Run(Cli *cli) {
    return CliObject_Tell(cli, MeshReport_Pieces);
}

const CliVerb cli_object_info = {
    "object info",
    "the pieces of an object: a model and what is attached to it",
    "FILE[::MEMBER]",
    "retropose object info parts.rlb::R_H_02.msh --attach guns.rlb::g_las_0_20.msh@7\n",
    {CLI_OBJECT_STATE, CLI_OBJECT_SPACE, CLI_OBJECT_PIECE, CLI_JSON},
    Run};
