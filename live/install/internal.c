/* What an installation tells and works with, as the options say. */
#include "live/install/internal.h"

void Install_Report(const InstallOptions *options, InstallVerb verb, const char *name,
                    const char *detail) {
    if (options->action)
        options->action(options->context, verb, name, detail);
}

const FileOps *Install_Ops(const InstallOptions *options) {
    return options->ops ? options->ops : &FileOps_System;
}
