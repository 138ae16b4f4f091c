/* The files of a run that was cut into shards, in the order of the shards. */
#ifndef RETROPOSE_CLI_GATHER_H
#define RETROPOSE_CLI_GATHER_H

#include "cli/cli.h"

typedef struct Gathered {
    const char **paths; /* arguments of the command line, in the order of the shards */
    size_t count;
} Gathered;

/* Reads the heads of the files that are given as arguments, one at a time. Fails unless they have
 * this format and are all shards of one run, each once. The error names the shard, or what differs.
 * The caller frees `paths` in any case. */
RpStatus Gather_Shards(const Cli *cli, const char *format, Gathered *gathered, RpError *error);

/* Reads the member `format` of a file. The text is empty if the file has none. */
RpStatus Gather_Format(const char *path, char *format, size_t size, RpError *error);

#endif
