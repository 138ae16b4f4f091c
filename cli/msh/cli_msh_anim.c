#include "cli/files.h"

#include "cli/msh/edited_model.h"
#include "cli/msh/msh_common.h"
#include "retropose/msh_anim.h"
#include "retropose/msh_edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Anim {
    const Cli *cli;
    MshFile file;
    RpMshAnimation animation;
    uint32_t sampled;
    bool by_index;
} Anim;

/* ---- values ---------------------------------------------------------------------------------- */

/* Takes a whole number up to the end or to `stop`, and moves `text` behind it. */
static bool TakeNumber(const char **text, char stop, uint32_t *number) {
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    if (**text < '0' || **text > '9' || *end != stop || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    *text = end + (stop != 0);
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static RpStatus Retime(Anim *anim, const char *value, RpError *error) {
    uint32_t dropped = 0, frames;
    double ratio;
    const char *text = value;
    RpStatus status;
    if (value[0] == 'x' && MshFile_Numbers(value + 1, 1, &ratio))
        status = RpMshAnimation_Retime(&anim->animation, ratio, &dropped, error);
    else if (TakeNumber(&text, 0, &frames))
        status = RpMshAnimation_RetimeTo(&anim->animation, frames, &dropped, error);
    else
        return MshFile_BadValue(error, "retime", "a number of frames, or x and a ratio", value);
    if (status == RP_OK && dropped > 0)
        Cli_Note(anim->cli, "retime: %" PRIu32 " key%s fell on frames that others have", dropped,
                 Text_Plural(dropped));
    return status;
}

static RpStatus Reverse(Anim *anim, const char *value, RpError *error) {
    (void)value;
    return RpMshAnimation_Reverse(&anim->animation, error);
}

static RpStatus Append(Anim *anim, const char *value, RpError *error) {
    ModelSource source;
    RpMshAnimation other;
    RpMsh msh;
    RpMshAnimation_Init(&other, NULL);
    RpStatus status = ModelSource_OpenModel(&source, value, error);
    if (status == RP_OK)
        status = RpMsh_Open(RpNRes_Entries(&source.archive), RP_TOLERANT, &msh, error);
    if (status == RP_OK)
        status = RpMshAnimation_Extract(&other, &msh, RP_MSH_EXTRACT_SAMPLE, NULL, error);
    if (status == RP_OK && anim->by_index) {
        status = RpMshAnimation_Append(&anim->animation, &other, NULL, error);
    } else if (status == RP_OK) {
        RpMsh own;
        uint32_t matched = 0,
                 *nodes = calloc((size_t)anim->animation.node_count + 1, sizeof *nodes);
        status =
            nodes ? RpMsh_Open(RpNResArchive_Entries(&anim->file.archive), RP_TOLERANT, &own, error)
                  : RpMemory_Refused(error, "nodes");
        if (status == RP_OK)
            status = RpMsh_MatchNodes(&own, &msh, NULL, nodes, &matched, error);
        if (status == RP_OK && matched < anim->animation.node_count)
            Cli_Note(anim->cli, "append: %" PRIu32 " of %" PRIu32 " nodes hold their last pose",
                     anim->animation.node_count - matched, anim->animation.node_count);
        if (status == RP_OK)
            status = RpMshAnimation_Append(&anim->animation, &other, nodes, error);
        free(nodes);
    }
    RpMshAnimation_Free(&other);
    ModelSource_Close(&source);
    return status;
}

static RpStatus Range(Anim *anim, const char *value, RpError *error) {
    const char *text = value;
    uint32_t first, last;
    if (!TakeNumber(&text, '-', &first) || !TakeNumber(&text, 0, &last))
        return MshFile_BadValue(error, "range", "FIRST-LAST, two frames", value);
    return RpMshAnimation_Range(&anim->animation, first, last, error);
}

static RpStatus Simplify(Anim *anim, const char *value, RpError *error) {
    double tolerance[2];
    uint32_t dropped = 0;
    if (!MshFile_Numbers(value, 2, tolerance))
        return MshFile_BadValue(error, "simplify", "UNITS,DEGREES, two numbers from 0 up", value);
    RpStatus status =
        RpMshAnimation_Simplify(&anim->animation, tolerance[0], tolerance[1], &dropped, error);
    if (status == RP_OK)
        Cli_Note(anim->cli, "simplify: %" PRIu32 " keys dropped", dropped);
    return status;
}

static RpStatus Resample(Anim *anim, const char *value, RpError *error) {
    const char *text = value;
    uint32_t step;
    if (!TakeNumber(&text, 0, &step))
        return MshFile_BadValue(error, "resample", "a number of frames", value);
    return RpMshAnimation_Resample(&anim->animation, step, error);
}

static RpStatus MakeStatic(Anim *anim, const char *value, RpError *error) {
    (void)value;
    (void)error;
    const uint32_t count = RpMshAnimation_MakeStatic(&anim->animation);
    Cli_Note(anim->cli, "static: %" PRIu32 " node%s", count, Text_Plural(count));
    return RP_OK;
}

/* Clears what NODE or NODE@FRAME names. */
static RpStatus Clear(Anim *anim, const char *value, RpError *error) {
    char name[MSH_FILE_TEXT_BYTES];
    const char *at = strrchr(value, '@');
    double frame = 0;
    uint32_t node;
    size_t length = at ? (size_t)(at - value) : strlen(value);
    if (length >= sizeof name || (at && (!MshFile_Numbers(at + 1, 1, &frame) || !(frame >= 0))))
        return MshFile_BadValue(error, "clear", "NODE, or NODE@FRAME", value);
    memcpy(name, value, length);
    name[length] = 0;
    RpStatus status = MshFile_FindNode(&anim->file, "clear", name, &node, error);
    return status == RP_OK ? RpMshAnimation_ClearTrack(&anim->animation, node, (float)frame, error)
                           : status;
}

typedef struct Step {
    const char *option;
    RpStatus (*take)(Anim *anim, const char *value, RpError *error);
} Step;

static const Step steps[] = {{"retime", Retime},     {"reverse", Reverse},   {"append", Append},
                             {"range", Range},       {"simplify", Simplify}, {"resample", Resample},
                             {"static", MakeStatic}, {"clear", Clear}};

/* ---- the verb -------------------------------------------------------------------------------- */

static int Edit(Anim *anim) {
    char path[MODEL_SOURCE_NAME_BYTES];
    RpMsh msh;
    RpError error;
    int taken = 0;
    RpStatus status =
        RpMsh_Open(RpNRes_Entries(&anim->file.source.archive), RP_TOLERANT, &msh, &error);
    if (status == RP_OK)
        status = RpMshAnimation_Extract(&anim->animation, &msh,
                                        Cli_Has(anim->cli, "exact") ? RP_MSH_EXTRACT_EXACT
                                                                    : RP_MSH_EXTRACT_SAMPLE,
                                        &anim->sampled, &error);
    if (status == RP_OK && anim->sampled > 0)
        Cli_Note(anim->cli, "%" PRIu32 " nodes are not in canonical form: sampled once a frame",
                 anim->sampled);

    /* The steps are executed in the order of the command line. */
    for (size_t i = 0; status == RP_OK && i < anim->cli->given_count; i++) {
        const CliGiven *given = &anim->cli->given[i];
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            if (strcmp(given->option->name, steps[s].option) == 0) {
                status = steps[s].take(anim, given->value, &error);
                taken++;
            }
    }

    bool writes = taken > 0 || Cli_Has(anim->cli, "output");
    if (status == RP_OK && writes)
        status = RpMshAnimation_Install(&anim->animation, &anim->file.archive, &error);
    if (status == RP_OK && writes && Cli_Has(anim->cli, "update-header"))
        status = RpMsh_UpdateHeader(&anim->file.archive, &anim->file.readings, &error);
    if (status != RP_OK) {
        ModelSource_Locate(&anim->file.source, &error);
        return Cli_Fail(&error);
    }
    if (writes && !MshFile_Output(&anim->file, anim->cli, path, sizeof path))
        return CLI_TROUBLE;
    EditReport report = {.output = writes ? path : NULL, .sampled = anim->sampled};
    if (!writes || Cli_Has(anim->cli, "info") || Cli_Has(anim->cli, "json"))
        report.animation = &anim->animation;
    return MshFile_Finish(&anim->file, anim->cli, &report);
}

static int RunAnim(Cli *cli) {
    Anim anim = {.cli = cli};
    RpMshAnimation_Init(&anim.animation, NULL);
    int code = CLI_TROUBLE;
    const char *by = Cli_Value(cli, "by", "name");
    anim.by_index = strcmp(by, "index") == 0;
    const bool opened = MshFile_Open(&anim.file, cli);
    if (opened && !anim.by_index && strcmp(by, "name") != 0)
        Cli_Complain("--by takes name or index, not %s", by);
    else if (opened)
        code = Edit(&anim);
    RpMshAnimation_Free(&anim.animation);
    MshFile_Close(&anim.file);
    return code;
}

const CliVerb cli_msh_anim = {
    "msh anim",
    "show the tracks of a model, or edit its animation",
    "FILE[::MEMBER]",
    "retropose msh anim hero.msh\n"
    "retropose msh anim hero.msh --range 5-13 --retime x2 --simplify 0.001,0.1 -o walk.msh\n"
    "retropose msh anim parts.rlb::R_H_02.msh --append walk.msh --reverse\n",
    {CLI_OUTPUT_EDITED,
     CLI_MSH_BACKUP,
     {"info", NULL, "the table of tracks, also after editing", 0},
     {"retime", "N|xRATIO", "stretch to N frames, or by a ratio", 0},
     {"reverse", NULL, "run backwards", 0},
     {"append", "FILE[::MEMBER]", "go on with that model's animation", 0},
     {"by", "HOW", "how --append pairs nodes: name or index (default: name)", 0},
     {"range", "FIRST-LAST", "keep only these frames", 0},
     {"simplify", "UNITS,DEGREES", "drop keys that poses need not, within these", 0},
     {"resample", "N", "a key every N frames", 0},
     {"static", NULL, "make nodes static whose keys are all the same", 0},
     {"clear", "NODE[@FRAME]", "make a node static, in its pose at that frame (default: 0)", 0},
     {"update-header", NULL, "bound the model anew as it is posed at frame 0", 0},
     {"exact", NULL, "refuse nodes that are not in canonical form instead of sampling them", 0},
     CLI_MSH_READINGS,
     CLI_JSON_WRITTEN},
    RunAnim};
