/* What the verbs about files share: texts on standard output, the file to write, its backup, the
 * manifest of a folder. */
#ifndef RETROPOSE_CLI_FILES_H
#define RETROPOSE_CLI_FILES_H

#include "cli/cli.h"
#include "core/files/mapping.h"
#include "retropose/memory.h"

enum { CLI_PATH_BYTES = 4096 };

/* Options that mean the same to every verb. */
#define CLI_JSON                                                                                   \
    { "json", NULL, "one JSON object", 0 }
#define CLI_JSON_WRITTEN                                                                           \
    { "json", NULL, "sum up what was written as one JSON object", 0 }
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

/* The text on standard output when `status` is RP_OK, else the error's words; frees the text. */
int CliFile_Print(RpBuffer *text, RpStatus status, const RpError *error);

/* Of a verb with one input, named `input` for complaints: the second word or --output, never both;
 * else `fallback`, unless that is null. Says what is wrong and returns false. */
bool CliFile_Output(const Cli *cli, const char *input, const char *fallback, const char **output);

/* Before long work: whether its result can be written there. Null and "-" can; devices and pipes
 * are not tried, because opening them does something. Says what is wrong and returns false. */
bool CliFile_CanWrite(const char *path);

/* Puts the file's name before what an error says of its place, but for errors of input and output,
 * which have one. Returns `status`. */
RpStatus CliFile_Locate(const char *path, RpStatus status, RpError *error);

/* PATH.bak, with these bytes. */
RpStatus CliFile_BackUp(const char *path, const Mapping *mapping, RpError *error);

/* --layout; *given is false without it, and the layout the preserving one. False for another
 * word. */
bool CliFile_Layout(const Cli *cli, bool *canonical, bool *given);

/* The manifest that `source` is, or has in it as a folder. `without` is the option that packs files
 * without one, or null. Says what is wrong and returns false. */
bool CliFile_FindManifest(const char *source, const char *without, char path[CLI_PATH_BYTES]);
/* What `make` makes of a manifest and the folder that it lies in. */
typedef RpStatus CliAssembler(const char *text, size_t size, const char *folder, void *context,
                              RpBuffer *image, RpError *error);
RpStatus CliFile_Assemble(const char *manifest, CliAssembler *make, void *context, RpBuffer *image,
                          RpError *error);
/* The whole verb: one text, its image where CliFile_Output says. The exit code. */
int CliFile_RunAssemble(const Cli *cli, CliAssembler *make);

#endif
