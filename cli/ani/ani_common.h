/* Functions that the verbs of LEGO Island animations share. */
#ifndef RETROPOSE_CLI_ANI_ANI_COMMON_H
#define RETROPOSE_CLI_ANI_ANI_COMMON_H

#include "cli/files.h"
#include "retropose/ani.h"

#define ANI_BODY                                                                                   \
    { "body", NULL, "the file is a bare body, without a header, as in world.wdb", 0 }

/* Reads a file as --body says; says what is wrong and returns false otherwise. */
bool AniVerb_Open(const Cli *cli, const char *path, RpReadMode mode, RpAni *ani);
/* Reads --policy; says what is wrong and returns false otherwise. */
bool AniVerb_Policy(const Cli *cli, RpAniPolicy *policy);

#endif
