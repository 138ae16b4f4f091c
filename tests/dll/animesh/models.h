/* A small archive of models, written as the game's own are. */
#ifndef RETROPOSE_TESTS_DLL_ANIMESH_MODELS_H
#define RETROPOSE_TESTS_DLL_ANIMESH_MODELS_H

/* Members:
 *
 *   tank.msh   0 root at (5, 6, 7);
 *              1 floor on it, a square of 20 at z = 0;
 *              2 turret on the root, a cube of 2 that moves from (0, 0, 2) at frame 0 to
 *                (10, 0, 2) at frame 10;
 *              3 socket on the turret, at (0, 0, 1), without geometry
 *   gun.msh    0 an empty root;
 *              1 gun on it at (1, 0, 0), a cube of 2;
 *              2 barrel on the gun at (2, 0, 0), without geometry
 *   cycle.msh  tank.msh, but node 1 is a child of node 2
 *   wild.msh   tank.msh, but with a slot that does not exist
 *   cut.msh    half of tank.msh
 *   text.msh   not an archive
 *   tank       a record of pairs of names (facts/animesh.md B), tag BTLU: tank.msh, then three
 *              for the control system
 *   gun        the same, tag EXTO: gun.msh */
#define MODELS_ARCHIVE "models.rlb"

/* Returns false, with a message on stderr, if the archive cannot be written. */
int Models_Write(const char *path);

#endif
