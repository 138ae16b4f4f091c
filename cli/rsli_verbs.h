/* What the verbs of RsLi libraries share. */
#ifndef RETROPOSE_CLI_RSLI_VERBS_H
#define RETROPOSE_CLI_RSLI_VERBS_H

#include "cli.h"
#include "formats/library_source.h"
#include "retropose/memory.h"

/* As rsOpenLib's: 2 looks for a trailer, which --no-trailer does not. */
uint32_t RsLiVerb_Flags(const Cli *cli);
/* Opens tolerantly; says what is wrong and returns false otherwise. */
bool RsLiVerb_Open(const Cli *cli, LibrarySource *source, const char *path);
/* The text on standard output when `status` is RP_OK, else the error's words; frees the text. */
int RsLiVerb_Print(RpBuffer *text, RpStatus status, const RpError *error);
/* The image into the file when `status` is RP_OK, else the error's words; frees the image. */
int RsLiVerb_WriteImage(RpBuffer *image, RpStatus status, const char *path, RpError *error);
/* --layout; preserving without it. False for another word. */
bool RsLiVerb_Layout(const Cli *cli, RpRsLiLayout *layout);

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
