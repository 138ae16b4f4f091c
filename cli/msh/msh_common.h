/* Functions that the verbs about models share. */
#ifndef RETROPOSE_CLI_MSH_MSH_COMMON_H
#define RETROPOSE_CLI_MSH_MSH_COMMON_H

#include "cli/files.h"
#include "formats/msh/file/model_source.h"
#include "retropose/gltf.h"

#define CLI_MSH_READINGS                                                                           \
    {                                                                                              \
        "readings", "LIST",                                                                        \
            "what fields of the file mean where not by default: a list, or `drawn` "               \
            "(docs/formats/msh.md)",                                                               \
            0                                                                                      \
    }

/* For verbs that show a model to people. */
#define CLI_MSH_READINGS_AUTO                                                                      \
    {                                                                                              \
        "readings", "LIST",                                                                        \
            "what fields of the file mean: auto (default), by the model's own numbers; a list; "   \
            "or `drawn`",                                                                          \
            0                                                                                      \
    }

/* Calls `visit` for every model of every argument, until it returns false. An argument that cannot
 * be opened is reported, and counts as trouble. Returns CLI_EQUAL or CLI_TROUBLE. */
int CliMsh_Each(const Cli *cli, ModelVisit visit, void *context);
/* Reads --readings; says what is wrong and returns false otherwise. */
bool CliMsh_Readings(const Cli *cli, RpReadings *readings);
/* Returns whether each model's own numbers are to choose the readings, that is, without --readings
 * and with `--readings auto`. */
bool CliMsh_ReadingsAreAuto(const Cli *cli);
/* Says that an option takes something else. Returns false. */
bool CliMsh_Refuse(const char *option, const char *expected, const char *text);
/* Returns whether a model may be written to a file of this name. Refuses the name of an existing
 * library, which would be lost, and the name of a library's member, which is not a file. */
bool CliMsh_MayWrite(const char *output);
/* Reads --root-motion; says what is wrong and returns false otherwise. */
bool CliMsh_RootMotion(const Cli *cli, RpGltfRootMotion *motion);
/* Reads `least` to `most` finite numbers that `separator` separates. Returns how many there are, or
 * 0 for any other text. */
int CliMsh_Numbers(const char *text, char separator, int least, int most, double *numbers);

#endif
