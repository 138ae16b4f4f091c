#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* for fcntl */
#endif

#include "cli/cli.h"

#include "cli/command_text.h"
#include "cli/config.h"
#include "cli/place.h"
#include "cli/screen.h"
#include "cli/signals.h"
#include "revision.h"
#include "tracefile/tracefile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs the verb with the settings that concern it. */
static int RunConfigured(Cli *cli) {
    Config config;
    RpError error;
    int code = CLI_TROUBLE;
    cli->config = &config;
    const RpStatus status = Config_Read(cli->groups, &config, &error);
    if (status) {
        Cli_Fail(&error);
    } else if (!Config_Apply(&config, cli)) {
        Cli_Complain("no memory for the settings");
    } else if (Cli_DecideColour(cli)) {
        const ConfigSetting *home = Config_Find(&config, cli->verb, "home");
        if (config.ignored[0])
            Cli_Note(cli,
                     "%s belongs to another user and is not read; RETROPOSE_CONFIG=FILE names "
                     "a file to read",
                     config.ignored);
        Place_UseHome(home ? home->value : NULL);
        code = cli->verb->run(cli);
    }
    Config_Free(&config);
    return code;
}

static int Run(int count, char **words) {
    if (count < 2) {
        Help_All(cli_groups);
        return CLI_TROUBLE;
    }
    const char *word = words[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        Help_All(cli_groups);
        return CLI_EQUAL;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        printf("retropose %s (%s); reads traces of format %d.x, writes %d.%d to %d.%d\n",
               RETROPOSE_VERSION, RETROPOSE_REVISION, TRACE_VERSION_MAJOR, TRACE_VERSION_MAJOR,
               TRACE_VERSION_MINOR, TRACE_VERSION_MAJOR, TRACE_VERSION_MINOR_RUN);
        return CLI_EQUAL;
    }
    int taken;
    const CliVerb *verb = CliVerb_Find(cli_groups, count - 1, words + 1, &taken);
    if (verb) {
        Cli cli;
        const bool parsed = Cli_Parse(&cli, verb, count - 1 - taken, words + 1 + taken);
        cli.groups = cli_groups;
        int code = CLI_TROUBLE;
        if (parsed && Cli_Has(&cli, "help")) {
            Help_Verb(cli.verb);
            code = CLI_EQUAL;
        } else if (parsed) {
            /* The verbs that explain the command must work whatever the settings are. */
            const bool explains =
                strcmp(verb->name, "help") == 0 || strcmp(verb->name, "completion") == 0;
            code = explains ? verb->run(&cli) : RunConfigured(&cli);
        }
        Cli_Free(&cli);
        return code;
    }
    const CliGroup *group = CliGroup_Find(cli_groups, word);
    if (group && count == 3 && (strcmp(words[2], "--help") == 0 || strcmp(words[2], "-h") == 0)) {
        Help_Group(group);
        return CLI_EQUAL;
    }
    return Cli_UnknownVerb(cli_groups, count - 1, words + 1);
}

int main(int count, char **words) {
    /* If a standard stream is closed, the next file that is opened would get its number, and
     * everything that is printed would go into that file. So /dev/null takes the number, opened in
     * such a way that writing (or reading standard input) fails. A closed stream is thereby an
     * error only for a verb that needs it. */
#ifndef _WIN32
    for (int number = 0; number < 3; number++)
        if (fcntl(number, F_GETFD) < 0 &&
            open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) != number)
            abort();
#endif
    Signals_Install();
    Screen_WriteUtf8();
    CommandText_SetProgram(count > 0 ? words[0] : NULL);
    const int code = Run(count, words);
    Signals_Finish();
    if (fflush(stdout) || ferror(stdout)) /* a full disk is a failure, whatever the verb returned */
        return Cli_Complain("cannot write the standard output");
    return code;
}
