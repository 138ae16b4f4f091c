#include "cli/ani/ani.h"

#include "core/files/mapping.h"

#include <stdio.h>

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
    if (status == RP_OK)
        return true;
    RpError located = error;
    snprintf(located.where, sizeof located.where, "%.100s%s%.50s", path, error.where[0] ? ", " : "",
             error.where);
    Cli_Fail(&located);
    return false;
}

bool AniVerb_Policy(const Cli *cli, RpAniPolicy *policy) {
    RpError error;
    if (RpAniPolicy_Parse(Cli_Value(cli, "policy", "S"), policy, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}
