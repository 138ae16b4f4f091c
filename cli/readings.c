#include "cli/readings.h"

#include "cli/files.h"
#include "live/settings/settings.h"

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

static RpStatus ReadList(const char *list, RpReadings *hypotheses, RpError *error) {
    return list[0] == '@' ? ReadProfile(list + 1, hypotheses, error)
                          : Profile_Parse(list, strlen(list), hypotheses, error);
}

bool Readings_Given(const Cli *cli, char text[READINGS_BYTES]) {
    RpError error;
    RpReadings hypotheses;
    const char *profile = Cli_Value(cli, "profile", NULL);
    RpStatus status = RpReadings_Parse(&hypotheses, RP_READS_RUNTIME, NULL, &error);
    if (!status && profile)
        status = ReadProfile(profile, &hypotheses, &error);
    if (!status)
        status = ReadList(Cli_Value(cli, "hypotheses", ""), &hypotheses, &error);
    if (status)
        Cli_Fail(&error);
    RpReadings_Format(&hypotheses, RP_READS_RUNTIME, text, READINGS_BYTES);
    return status == RP_OK;
}
