/* A model that a verb edits, and where it goes: what `msh anim` and `msh edit` share. */
#ifndef RETROPOSE_CLI_MSH_FILE_H
#define RETROPOSE_CLI_MSH_FILE_H

#include "cli/cli.h"
#include "formats/msh/file/model_source.h"
#include "formats/msh/text/edit_report.h"

typedef struct MshFile {
    ModelSource source;
    RpNResArchive archive;
    RpReadings readings; /* --readings */
} MshFile;

/* The verb's only argument. Says what is wrong and returns false. Close it also then. */
bool MshFile_Open(MshFile *file, const Cli *cli);
void MshFile_Close(MshFile *file);
/* The file that --output names, else the one that was read. */
bool MshFile_Output(const MshFile *file, const Cli *cli, char *path, size_t size);
/* Reports on standard output, as --json asks, and writes the file when report->output names one:
 * first the report is made, then the file closed and replaced, then the report printed. */
int MshFile_Finish(MshFile *file, const Cli *cli, EditReport *report);

/* `count` numbers with commas between them, and nothing else. */
bool MshFile_Numbers(const char *text, int count, double *numbers);

#endif
