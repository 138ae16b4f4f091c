/* For `msh anim` and `msh edit`: a model that is edited, and the file that gets the result. */
#ifndef RETROPOSE_CLI_MSH_EDITED_MODEL_H
#define RETROPOSE_CLI_MSH_EDITED_MODEL_H

#include "cli/cli.h"
#include "formats/msh/file/model_source.h"
#include "formats/msh/text/edit_report.h"

#define CLI_MSH_BACKUP                                                                             \
    { "backup", NULL, "keep the file as FILE.bak; refused where that exists", 0 }

typedef struct MshFile {
    ModelSource source;
    RpNResArchive archive;
    RpReadings readings; /* from --readings */
} MshFile;

/* Opens the verb's only argument; says what is wrong and returns false otherwise. The file must
 * be closed in either case. */
bool MshFile_Open(MshFile *file, const Cli *cli);
void MshFile_Close(MshFile *file);
/* Writes the path that --output names, or else that of the file which was read. */
bool MshFile_Output(const MshFile *file, const Cli *cli, char *path, size_t size);
/* Reports on standard output as --json asks, and writes the file where report->output names one.
 * The report is made first; then the file is closed and replaced; then the report is printed. */
int MshFile_Finish(MshFile *file, const Cli *cli, EditReport *report);

/* Says that the value of a step's option is bad. Returns RP_INVALID. */
RpStatus MshFile_BadValue(RpError *error, const char *option, const char *expected,
                          const char *text);
enum { MSH_FILE_TEXT_BYTES = 1024 }; /* the longest label as UTF-8, with a key around it */
/* Converts a word of the command line into the terminated Windows-1251 of names and labels in
 * `bytes`. What is too long for any label, or has characters outside of it, is refused. */
RpStatus MshFile_Text(const char *option, const char *text, char bytes[MSH_FILE_TEXT_BYTES],
                      RpError *error);
/* Finds the node of a name in UTF-8, or of # and a number. */
RpStatus MshFile_FindNode(const MshFile *file, const char *option, const char *name, uint32_t *node,
                          RpError *error);
/* Reads exactly `count` numbers separated by commas. */
bool MshFile_Numbers(const char *text, int count, double *numbers);

#endif
