/* What install and uninstall share: printing what was done, as lines or as one JSON object. */
#ifndef RETROPOSE_CLI_GAME_INSTALL_REPORT_H
#define RETROPOSE_CLI_GAME_INSTALL_REPORT_H

#include "cli/cli.h"
#include "live/install/install.h"

struct cJSON;

typedef struct InstallReport {
    const Cli *cli;
    const InstallOptions *options;
    struct cJSON *actions; /* null without --json */
} InstallReport;

typedef RpStatus InstallRun(const InstallOptions *options, bool *pending, RpError *error);

/* Runs it with `options`, whose report it takes over; prints, and returns the exit code. */
int InstallReport_Run(const Cli *cli, InstallRun *run, InstallOptions *options);

#endif
