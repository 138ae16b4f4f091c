/* Functions that the verbs about files share: printing texts, finding and writing the output file,
 * its backup, and the manifest of a folder. */
#ifndef RETROPOSE_CLI_FILES_H
#define RETROPOSE_CLI_FILES_H

#include "cli/cli.h"
#include "core/files/mapping.h"
#include "retropose/memory.h"

enum { CLI_PATH_BYTES = 4096 };

/* Options that mean the same to every verb. */
#define CLI_JSON                                                                                   \
    { "json", NULL, "print one JSON object instead of text", 0 }
#define CLI_JSON_WRITTEN                                                                           \
    { "json", NULL, "print what was written as one JSON object", 0 }
#define CLI_OUTPUT                                                                                 \
    { "output", "FILE", "what to write, instead of as the last word (-: standard output)", 'o' }
#define CLI_OUTPUT_TEXT                                                                            \
    {                                                                                              \
        "output", "FILE", "what to write, instead of as the last word (default: standard output)", \
            'o'                                                                                    \
    }
#define CLI_OUTPUT_EDITED                                                                          \
    {                                                                                              \
        "output", "FILE", "what to write, the whole file (default: in place; -: standard output)", \
            'o'                                                                                    \
    }
#define CLI_OUTPUT_FOLDER                                                                          \
    { "output", "DIR", "the folder (default: this one; --all needs one)", 'o' }
#define CLI_LAYOUT(whose)                                                                          \
    { "layout", "LAYOUT", "preserving or canonical (default: " whose ")", 0 }

/* If `status` is RP_OK, prints the text on standard output, otherwise the error. Frees the text and
 * returns the exit code. */
int CliFile_Print(RpBuffer *text, RpStatus status, const RpError *error);
/* From now on, CliFile_Print appends to this text. Null makes it print again. */
void CliFile_Collect(RpBuffer *text);
/* Prints a part of a text that is still growing. */
RpStatus CliFile_PrintPart(const RpBuffer *text, RpError *error);
/* If `status` is RP_OK, writes the bytes into a file ("-" is standard output), otherwise prints the
 * error. Frees the bytes and returns the exit code. */
int CliFile_Write(RpBuffer *bytes, const char *path, RpStatus status, const RpError *error);

/* Finds what a verb with one input is to write: the second word or --output, but not both, else
 * `fallback` unless that is null. Otherwise it says what is wrong, where `input` names the input,
 * and returns false. */
bool CliFile_Output(const Cli *cli, const char *input, const char *fallback, const char **output);

/* Before a verb begins long work, checks whether the result can be written to a path. If not, says
 * what is wrong and returns false. Null and "-" are accepted. Devices and pipes are not tried,
 * because opening them has effects. */
bool CliFile_CanWrite(const char *path);
/* Checks several outputs in this way. No two of them may be the same file. */
bool CliFile_CanWriteAll(const char *const paths[], size_t count);

/* Puts the file's name in front of the place in an error. Errors of input and output have it
 * already. Returns `status`. */
RpStatus CliFile_Locate(const char *path, RpStatus status, RpError *error);

/* Copies a file that is edited to PATH.bak. If `output`, which gets the edited file, cannot be
 * written, no backup is needed, and none is made. */
RpStatus CliFile_BackUp(const char *path, const Mapping *mapping, const char *output,
                        RpError *error);

/* Reads --layout. Without it *given is false, and the layout is the preserving one. For another
 * word it says what is wrong and returns false. */
bool CliFile_Layout(const Cli *cli, bool *canonical, bool *given);

/* Finds the manifest that `source` is or, as a folder, has in it; otherwise it says what is wrong
 * and returns false. `without` is the option that packs files without a manifest, or null. */
bool CliFile_FindManifest(const char *source, const char *without, char path[CLI_PATH_BYTES]);
/* Makes an image from the text of a manifest and the files in `folder`. */
typedef RpStatus CliAssembler(const char *text, size_t size, const char *folder, void *context,
                              RpBuffer *image, RpError *error);
RpStatus CliFile_Assemble(const char *manifest, CliAssembler *make, void *context, RpBuffer *image,
                          RpError *error);
/* The whole of a verb that takes one text and writes its image where CliFile_Output says. Returns
 * the exit code. */
int CliFile_RunAssemble(const Cli *cli, CliAssembler *make);

#endif
