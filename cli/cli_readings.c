#include "cli/cli_readings.h"

#include "cli/files.h"
#include "dll/settings/settings.h"

#include <stdio.h>
#include <string.h>

static RpStatus ReadProfile(const char *path, RpReadings *hypotheses, RpError *error) {
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = Profile_Parse((const char *)mapping.bytes, mapping.size, hypotheses, error);
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}

bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]) {
    RpError error;
    RpReadings hypotheses;
    const char *profile = Cli_Value(cli, "profile", NULL);
    RpStatus status = RpReadings_Parse(&hypotheses, RP_READS_RUNTIME, NULL, &error);
    if (!status && profile)
        status = ReadProfile(profile, &hypotheses, &error);
    if (!status) {
        const char *list = Cli_Value(cli, "hypotheses", "");
        status = list[0] == '@' ? ReadProfile(list + 1, &hypotheses, &error)
                                : Profile_Parse(list, strlen(list), &hypotheses, &error);
    }
    if (status)
        Cli_Fail(&error);
    RpReadings_Format(&hypotheses, RP_READS_RUNTIME, text, READINGS_BYTES);
    return status == RP_OK;
}

/* ---- by evidence ----------------------------------------------------------------------------- */

RpStatus CliReadings_Choose(const Cli *cli, const char *name, int said, const RpMsh *msh,
                            RpReadings *readings, RpError *error) {
    RpMshReading found[RP_MSH_READINGS];
    const RpStatus status = RpMsh_ReadingsByEvidence(msh, NULL, readings, found, error);
    if (status != RP_OK)
        return status;

    static const char *const defaults[RP_MSH_READINGS] = {"xyzw", "conjugate", "lod-group",
                                                          "word2"};
    char open[64] = "";
    size_t length = 0;
    for (int i = 0; i < said; i++) {
        /* The known files of the game leave a reading open. Only the sense of rotations is the same
         * in all of them. */
        const bool is_open = found[i].certainty == RP_MSH_UNDECIDED && found[i].matters &&
                             i != RP_MSH_READS_ROTATION;
        if (cli->verbosity > 0 || (!is_open && strcmp(found[i].choice, defaults[i]) != 0))
            Cli_Note(cli, "%s: %s=%s is %s: %s", name, found[i].name, found[i].choice,
                     RpMshCertainty_Name(found[i].certainty), found[i].why);
        if (is_open)
            length += (size_t)snprintf(open + length, sizeof open - length, "%s%s",
                                       length ? ", " : "", found[i].name);
    }
    if (length > 0)
        Cli_Note(cli, "%s: nothing tells %s: the defaults are taken, --readings chooses others",
                 name, open);
    return RP_OK;
}
