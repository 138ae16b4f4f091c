#include "cli/ac/ac_common.h"
#include "cli/findings.h"

#include <stdlib.h>

enum { RULE_COUNT = 37 }; /* docs/reference/sequencer.md */

/* The animations among the arguments, as far as motions can ask for too many of their frames. */
typedef struct Animations {
    RpAcAnimation *lengths; /* without anything but an id and a number of frames */
    size_t count;
} Animations;

static RpStatus Check(const void *context, const Mapping *file, const RpFindingSink *sink,
                      RpError *error) {
    const Animations *animations = context;
    if (!AcVerb_IsTable(file))
        return RpAcAnimation_Check(file->bytes, file->size, NULL, sink, error);
    RpAcMotionTable table;
    const RpStatus status = RpAcMotionTable_Check(file->bytes, file->size, NULL, sink, error);
    if (RpAcMotionTable_Read(file->bytes, file->size, RP_TOLERANT, NULL, &table, NULL) == RP_OK)
        RpAcMotionTable_CheckFrames(&table, animations->lengths, animations->count, sink);
    RpAcMotionTable_Free(&table);
    return status;
}

static int CompareIds(const void *left, const void *right) {
    const RpAcAnimation *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

/* What cannot be read here is told when its turn to be checked comes. */
static void TakeLengths(const Cli *cli, Animations *animations) {
    for (size_t i = 0; animations->lengths && i < cli->argument_count; i++) {
        Mapping mapping;
        RpAcAnimation animation;
        if (Mapping_Open(cli->arguments[i], &mapping, NULL) != RP_OK)
            continue;
        if (!AcVerb_IsTable(&mapping)) {
            if (RpAcAnimation_Read(mapping.bytes, mapping.size, RP_TOLERANT, NULL, &animation,
                                   NULL) == RP_OK)
                animations->lengths[animations->count++] =
                    (RpAcAnimation){.id = animation.id, .frame_count = animation.frame_count};
            RpAcAnimation_Free(&animation);
        }
        Mapping_Close(&mapping);
    }
    if (animations->count > 0)
        qsort(animations->lengths, animations->count, sizeof *animations->lengths, CompareIds);
}

static int Run(Cli *cli) {
    Animations animations = {.lengths =
                                 calloc(cli->argument_count + 1, sizeof *animations.lengths)};
    TakeLengths(cli, &animations);
    const int code =
        Findings_CheckFiles(cli, "ac check needs a resource", 'Q', RULE_COUNT, Check, &animations);
    free(animations.lengths);
    return code;
}

const CliVerb cli_ac_check = {
    "ac check",
    "report what is wrong or odd (docs/reference/sequencer.md lists the rules)",
    "FILE...",
    "retropose ac check 0300*.bin 0900*.bin\n",
    {CLI_CHECK_OPTIONS},
    Run};
