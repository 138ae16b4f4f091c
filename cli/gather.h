/* The files of a run that was cut into shards, in the order of the shards. */
#ifndef RETROPOSE_CLI_GATHER_H
#define RETROPOSE_CLI_GATHER_H

#include "cli/cli.h"

typedef struct Gathered {
    const char **paths; /* arguments of the command line */
    size_t count;
} Gathered;

/* Reads what the files given as arguments say of themselves, one at a time. Fails where they are
 * not each shard of one run once, in this format, and names the shard or what differs. The caller
 * frees `paths` in any case. */
RpStatus Gather_Shards(const Cli *cli, const char *format, Gathered *gathered, RpError *error);

/* Parses a file into a tree that cJSON_Delete frees, in any case; the error names the file. */
struct cJSON;
RpStatus Gather_Read(const char *path, struct cJSON **root, RpError *error);
/* Returns the member `format` of a file, or an empty text where it has none. */
RpStatus Gather_Format(const char *path, char *format, size_t size, RpError *error);

#endif
