#include "cli/msh/msh_common.h"

#include "cli/cli_readings.h"
#include "core/files/mapping.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int CliMsh_Each(const Cli *cli, ModelVisit visit, void *context) {
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("%s needs a file", cli->verb->name);
    for (size_t i = 0; i < cli->argument_count; i++) {
        RpError error;
        if (ModelSource_Each(cli->arguments[i], visit, context, &error))
            code = Cli_Fail(&error);
    }
    return code;
}

bool CliMsh_Readings(const Cli *cli, RpReadings *readings) {
    return CliReadings_Read(cli, RP_READS_FILES, "", readings);
}

bool CliMsh_ReadingsAreAuto(const Cli *cli) {
    return strcmp(Cli_Value(cli, "readings", "auto"), "auto") == 0;
}

bool CliMsh_Refuse(const char *option, const char *expected, const char *text) {
    Cli_Complain("--%s takes %s, not %s", option, expected, text);
    return false;
}

bool CliMsh_MayWrite(const char *output) {
    static const char way[] =
        "`retropose msh pack MODEL --into LIBRARY` puts a model into a library";
    if (strcmp(output, "-") == 0)
        return true;
    const bool names_member = strstr(output, "::") != NULL;
    bool is_library = false;
    Mapping mapping;
    if (!names_member && Mapping_OpenToReplace(output, &mapping, NULL) == RP_OK) {
        RpNRes archive;
        is_library =
            RpNRes_Open(mapping.bytes, mapping.size, RP_TOLERANT, &archive, NULL) == RP_OK &&
            archive.count > 0 && !ModelSource_LooksLikeModel(&archive, output);
        Mapping_Close(&mapping); /* Windows cannot replace a mapped file */
    }
    if (names_member)
        Cli_Complain("%s names a member of a library, not a file; %s", output, way);
    else if (is_library)
        Cli_Complain("%s is a library, which would be lost; %s", output, way);
    return !names_member && !is_library;
}

bool CliMsh_RootMotion(const Cli *cli, RpGltfRootMotion *motion) {
    const char *text = Cli_Value(cli, "root-motion", "keep");
    for (int i = 0; RpGltfRootMotion_Name((RpGltfRootMotion)i); i++)
        if (strcmp(text, RpGltfRootMotion_Name((RpGltfRootMotion)i)) == 0) {
            *motion = (RpGltfRootMotion)i;
            return true;
        }
    return CliMsh_Refuse("root-motion", "keep, drop or separate", text);
}

int CliMsh_Numbers(const char *text, char separator, int least, int most, double *numbers) {
    for (int i = 0; i < most; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !(fabs(numbers[i]) <= DBL_MAX))
            return 0;
        if (*end == 0)
            return i + 1 >= least ? i + 1 : 0;
        if (*end != separator)
            return 0;
        text = end + 1;
    }
    return 0;
}
