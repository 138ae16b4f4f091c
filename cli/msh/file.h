/* A model that a verb edits, and where the result goes, for `msh anim` and `msh edit`. */
#ifndef RETROPOSE_CLI_MSH_FILE_H
#define RETROPOSE_CLI_MSH_FILE_H

#include "cli/cli.h"
#include "formats/msh/file/model_source.h"
#include "formats/msh/text/edit_report.h"

typedef struct MshFile {
    ModelSource source;
    RpNResArchive archive;
    RpReadings readings; /* from --readings */
} MshFile;

/* Opens the verb's only argument; says what is wrong and returns false otherwise. The file must
 * be closed in either case. */
bool MshFile_Open(MshFile *file, const Cli *cli);
void MshFile_Close(MshFile *file);
/* Gives the file that --output names, or else the one that was read. */
bool MshFile_Output(const MshFile *file, const Cli *cli, char *path, size_t size);
/* Reports on standard output as --json asks, and writes the file where report->output names one.
 * The report is made first; then the file is closed and replaced; then the report is printed. */
int MshFile_Finish(MshFile *file, const Cli *cli, EditReport *report);

/* Says that the value of a step's option is bad. Returns RP_INVALID. */
RpStatus MshFile_BadValue(RpError *error, const char *option, const char *expected,
                          const char *text);
/* Reads exactly `count` numbers separated by commas. */
bool MshFile_Numbers(const char *text, int count, double *numbers);

#endif
