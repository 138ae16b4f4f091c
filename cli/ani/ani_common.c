#include "cli/ani/ani_common.h"

bool AniVerb_Open(const Cli *cli, const char *path, RpReadMode mode, RpAni *ani) {
    const RpAniForm form = Cli_Has(cli, "body") ? RP_ANI_BODY : RP_ANI_FILE;
    Mapping mapping;
    RpError error;
    RpStatus status = Mapping_Open(path, &mapping, &error);
    if (status != RP_OK) {
        Cli_Fail(&error);
        return false;
    }
    status = RpAni_Read(mapping.bytes, mapping.size, form, mode, NULL, ani, &error);
    Mapping_Close(&mapping);
    if (CliFile_Locate(path, status, &error) != RP_OK)
        Cli_Fail(&error);
    return status == RP_OK;
}

bool AniVerb_Policy(const Cli *cli, RpAniPolicy *policy) {
    RpError error;
    if (RpAniPolicy_Parse(Cli_Value(cli, "policy", "S"), policy, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}
