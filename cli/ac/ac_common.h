/* Functions that the verbs of the Asheron's Call sequencer share. */
#ifndef RETROPOSE_CLI_AC_AC_COMMON_H
#define RETROPOSE_CLI_AC_AC_COMMON_H

#include "cli/files.h"
#include "retropose/sequencer.h"

#define AC_READINGS                                                                                \
    {                                                                                              \
        "readings", "LIST",                                                                        \
            "what fields of hooks mean to other readers: replace-u16, tweaked-swapped", 0          \
    }

typedef struct AcResource { /* either an animation or a motion table */
    bool is_table;
    RpAcAnimation animation;
    RpAcMotionTable table;
} AcResource;

/* Returns whether the image's id is that of a motion table. */
bool AcVerb_IsTable(const Mapping *mapping);
/* Opens a resource; says what is wrong and returns false otherwise. */
bool AcVerb_Open(const char *path, RpReadMode mode, AcResource *resource);
void AcVerb_Close(AcResource *resource);
/* Reads --readings; says what is wrong and returns false otherwise. */
bool AcVerb_Readings(const Cli *cli, uint32_t *readings);

#endif
