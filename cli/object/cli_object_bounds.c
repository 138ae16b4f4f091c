#include "cli/object/object_common.h"

static int Run(Cli *cli) {
    return CliObject_Tell(cli, MeshReport_Bounds);
}

const CliVerb cli_object_bounds = {
    "object bounds",
    "boxes, spheres and capsules of an object and its pieces in a state",
    "FILE[::MEMBER]",
    "retropose object bounds hero.msh --frames 0,20 --phase 0.5 --piece 4 --subtree --svg "
    "hero.svg\n",
    {CLI_OBJECT_STATE,
     CLI_OBJECT_SPACE,
     CLI_OBJECT_PIECE,
     {"subtree", NULL, "with the pieces below", 0},
     CLI_OBJECT_SVG,
     CLI_JSON},
    Run};
