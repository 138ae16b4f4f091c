/* The members of one type in NRes libraries, for verbs that list what they are: images of
 * `Textures.lib`, materials of `Material.lib`. */
#ifndef RETROPOSE_CLI_TEXM_MEMBERS_H
#define RETROPOSE_CLI_TEXM_MEMBERS_H

#include "cli/cli.h"
#include "formats/msh/file/model_source.h"

typedef struct Member {
    char name[MODEL_SOURCE_NAME_BYTES]; /* FILE::MEMBER, or FILE where the file is no archive */
    const uint8_t *data;                /* null where the payload is outside of the file */
    size_t size;
    uint32_t attr1, attr2;
} Member;

/* Returns the exit code for this member. */
typedef int MemberVisit(void *context, const Member *member);

/* Visits the members of a type in all arguments of a verb, each `FILE` or `FILE::MEMBER`. A file
 * that begins with `magic` is one itself; 0 stands for types that have none. Returns the first exit
 * code of a visit that is not 0, or CLI_TROUBLE after a complaint about a file, of which the others
 * are visited all the same. */
int CliMembers_Each(const Cli *cli, uint32_t type, uint32_t magic, const char *what,
                    MemberVisit *visit, void *context);

#endif
