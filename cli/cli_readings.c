#include "cli/cli_readings.h"

#include "cli/files.h"
#include "dll/settings/settings.h"

#include <stdio.h>
#include <string.h>

enum { BOTH_KINDS = RP_READS_RUNTIME | RP_READS_FILES };

static RpStatus ReadProfile(const char *path, RpReadings *readings, uint64_t *named,
                            RpError *error) {
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = Profile_Parse((const char *)mapping.bytes, mapping.size, (RpReadingKind)BOTH_KINDS,
                           readings, named, error);
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}

bool CliReadings_Read(const Cli *cli, RpReadingKind uses, const char *fallback,
                      RpReadings *readings) {
    RpError error;
    uint64_t named = 0;
    const char *profile = Cli_Value(cli, "profile", NULL);
    memset(readings, 0, sizeof *readings);
    RpStatus status = profile ? ReadProfile(profile, readings, &named, &error) : RP_OK;
    const char *list = Cli_Value(cli, "readings", fallback);
    if (!status && list[0] == '@') {
        status = ReadProfile(list + 1, readings, &named, &error);
    } else if (!status) {
        status =
            Profile_Parse(list, strlen(list), (RpReadingKind)BOTH_KINDS, readings, &named, &error);
        if (status)
            snprintf(error.where, sizeof error.where, "--readings");
    }
    if (status) {
        Cli_Fail(&error);
    } else {
        char names[READINGS_BYTES] = "";
        size_t length = 0;
        for (int i = 0; RpReadings_Name(i); i++)
            if ((named >> i & 1) && !(RpReadings_Kind(i) & (unsigned)uses))
                length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                           length ? ", " : "", RpReadings_Name(i));
        if (length > 0)
            Cli_Note(cli, "%s uses only the readings of %s, and not: %s", cli->verb->name,
                     uses == RP_READS_FILES ? "model files" : "the arithmetic", names);
    }

    return status == RP_OK;
}

bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]) {
    RpReadings readings;
    const bool fine = CliReadings_Read(cli, RP_READS_RUNTIME, "", &readings);
    RpReadings_Format(&readings, RP_READS_RUNTIME, text, READINGS_BYTES);
    return fine;
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
