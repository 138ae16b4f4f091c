#include "game/install/install_options.h"

const char *InstallVerb_Name(InstallVerb verb) {
    static const char *const names[] = {"found",   "renamed", "wrote",  "restored",
                                        "removed", "kept",    "undone", "nothing"};
    _Static_assert(sizeof names / sizeof *names == INSTALL_VERB_COUNT, "a name for each verb");
    return names[verb];
}

void Install_Report(const InstallOptions *options, InstallVerb verb, const char *name,
                    const char *detail) {
    if (options->action)
        options->action(options->context, verb, name, detail);
}

const FileOps *Install_Ops(const InstallOptions *options) {
    return options->ops ? options->ops : &FileOps_System;
}
