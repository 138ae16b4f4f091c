/* What the verbs of RsLi libraries share. */
#ifndef RETROPOSE_CLI_RSLI_RSLI_H
#define RETROPOSE_CLI_RSLI_RSLI_H

#include "cli/files.h"
#include "formats/archive/rsli_source.h"

#define RSLI_METHODS "stored, xor, lzss, xor+lzss, huffman, xor+huffman or deflate"

/* As rsOpenLib's: 2 looks for a trailer, which --no-trailer does not. */
uint32_t RsLiVerb_Flags(const Cli *cli);
/* Opens tolerantly; says what is wrong and returns false otherwise. */
bool RsLiVerb_Open(const Cli *cli, RsLiSource *source, const char *path);
/* Writes the image, unless `status` tells otherwise, and frees it; with --json sums it up. */
int RsLiVerb_Write(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                   RpError *error);
/* The same for a verb that edits `edited`, which `path` may therefore be. */
int RsLiVerb_WriteEdited(const Cli *cli, RpBuffer *image, RpStatus status, const char *path,
                         const char *edited, RpError *error);

int Verb_RsLiLs(Cli *cli);
int Verb_RsLiInfo(Cli *cli);
int Verb_RsLiCheck(Cli *cli);
int Verb_RsLiExtract(Cli *cli);
int Verb_RsLiPack(Cli *cli);
int Verb_RsLiEdit(Cli *cli);
int Verb_RsLiDiff(Cli *cli);
int Verb_RsLiDump(Cli *cli);
int Verb_RsLiAssemble(Cli *cli);

#endif
