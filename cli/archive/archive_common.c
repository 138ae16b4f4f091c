#include "cli/archive/archive_common.h"

#include <string.h>

const ArchiveKind *ArchiveKind_Of(const Cli *cli) {
    return strncmp(cli->verb->name, "rsli ", 5) == 0 ? &archive_rsli : &archive_nres;
}

bool ArchiveInput_Open(ArchiveInput *input, const Cli *cli, const char *path) {
    RpError error;
    *input = (ArchiveInput){.cli = cli, .path = path};
    if (ArchiveKind_Of(cli)->open(input, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    ArchiveKind_Of(cli)->close(input);
    return false;
}

RpStatus ArchiveInput_Locate(const ArchiveInput *input, RpStatus status, RpError *error) {
    if (status != RP_OK && status != RP_IO)
        ArchiveKind_Of(input->cli)->locate(input, error);
    return status;
}
