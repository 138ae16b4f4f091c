/* Functions that the verbs about mesh objects share. */
#ifndef RETROPOSE_CLI_OBJECT_OBJECT_COMMON_H
#define RETROPOSE_CLI_OBJECT_OBJECT_COMMON_H

#include "cli/cli_readings.h"
#include "cli/files.h"
#include "formats/msh/scene/mesh_report.h"

#define CLI_OBJECT_STATE_WITH(readings)                                                            \
    {"attach", "FILE@PIECE", "another model there; may be given again", 0},                        \
        {"frames", "A0,A1[,B0,B1]", "whole frames; without B no side B (default: 0,0,0,0)", 0},    \
        {"phase", "PHASE[,WEIGHT]", "0 to 1 between first and last, between A and B", 0},          \
        {"own", "PIECE=SEGMENT", "A0,A1,B0,B1,PHASE,WEIGHT of the piece's own", 0},                \
        {"stage", "PIECE=STAGE", "damage stage 0 to 2; all=STAGE: of all pieces", 0},              \
        {"flags", "PIECE=FLAGS", "hidden, flying, own, tilted, joined by +; +subtree", 0},         \
        {"scale", "X[,Y,Z]", "of the object", 0},                                                  \
        {"placement", "NUMBERS", "X,Y,Z[,DEGREES about z], or the 16 of a matrix", 0},             \
        {"tilt", "PIECE=VECTORS", "X,Y,Z,X,Y,Z: the whole turn between the two", 0}, readings
#define CLI_OBJECT_READINGS                                                                        \
    {                                                                                              \
        "readings", "LIST",                                                                        \
            "how the arithmetic goes: auto (default), by the model's own numbers; a list; "        \
            "`drawn`; @FILE",                                                                      \
            0                                                                                      \
    }
#define CLI_OBJECT_STATE CLI_OBJECT_STATE_WITH(CLI_OBJECT_READINGS)
#define CLI_OBJECT_SPACE                                                                           \
    { "space", "NAME", "local, model or world (default: world)", 0 }
#define CLI_OBJECT_PIECE                                                                           \
    { "piece", "NUMBER", "this one only (default: all)", 0 }
#define CLI_OBJECT_SVG                                                                             \
    { "svg", "FILE", "draw it, seen along each axis", 0 }

/* Makes the object of the first argument, in the state that the options ask for, posed under the
 * game's control word, by the readings that were given or that the model tells. Otherwise says what
 * is wrong and returns false, with nothing to close. */
bool CliObject_Open(const Cli *cli, MeshScene *scene);
/* Makes the object with these readings instead. */
bool CliObject_OpenWith(const Cli *cli, const RpReadings *readings, MeshScene *scene);
/* Reads --space, --piece, --subtree and --json, as far as the verb has them. */
bool CliObject_Report(const Cli *cli, const MeshScene *scene, MeshReport *report);
/* Draws the picture that --svg asks for. Does nothing without the option. */
int CliObject_Draw(const Cli *cli, const MeshDrawing *drawing);
/* Is the whole of a verb that prints a report. */
int CliObject_Tell(Cli *cli, void (*put)(const MeshReport *report, RpBuffer *text));

#endif
