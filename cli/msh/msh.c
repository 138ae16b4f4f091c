#include "cli/msh/msh.h"

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
    RpError error;
    if (RpReadings_Parse(readings, RP_READS_FILES, Cli_Value(cli, "readings", NULL), &error) ==
        RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}
