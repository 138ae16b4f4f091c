/* What the verbs of NRes archives share. */
#ifndef RETROPOSE_CLI_NRES_NRES_H
#define RETROPOSE_CLI_NRES_NRES_H

#include "cli/files.h"
#include "formats/msh/file/model_source.h"

/* Opens `FILE` or `FILE::MEMBER` tolerantly; says what is wrong and returns false otherwise. */
bool NResVerb_Open(ModelSource *source, const char *name);
/* Writes the image, unless `status` tells otherwise, and frees it; with --json sums it up. */
int NResVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                   RpError *error);
/* The same for a verb that edits `edited`, which `path` may therefore be. */
int NResVerb_WriteEdited(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                         const char *edited, RpError *error);
/* A name, the first of equal ones, or #INDEX; -1 with words about it. */
int64_t NResVerb_FindMember(const RpNRes *archive, const char *name);

int Verb_NResLs(Cli *cli);
int Verb_NResInfo(Cli *cli);
int Verb_NResCheck(Cli *cli);
int Verb_NResExtract(Cli *cli);
int Verb_NResPack(Cli *cli);
int Verb_NResEdit(Cli *cli);
int Verb_NResDiff(Cli *cli);
int Verb_NResDump(Cli *cli);
int Verb_NResAssemble(Cli *cli);

#endif
