/* retropose.install: what `retropose install` did, or is about to do, to a game folder. It is
 * written before anything else is touched and removed behind everything else, so it is the journal,
 * too: what lies in the folder, compared with the sums here, tells how far things have come.
 */
#ifndef RETROPOSE_LIVE_INSTALL_MANIFEST_H
#define RETROPOSE_LIVE_INSTALL_MANIFEST_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTALL_MANIFEST_FILE "retropose.install"
/* What it begins with, in every version. */
#define INSTALL_MANIFEST_MARK "retropose-install "

enum { INSTALL_NAME_BYTES = 32, INSTALL_TOOL_BYTES = 96 };

/* Files of text that install writes unless they are there. */
typedef enum InstallText { INSTALL_INI, INSTALL_OVERLAY, INSTALL_TEXT_COUNT } InstallText;

typedef struct InstallPair {
    char name[INSTALL_NAME_BYTES]; /* of the DLL, as this folder spells it */
    char original[65], ours[65];   /* SHA-256 */
} InstallPair;

typedef struct InstallManifest {
    char tool[INSTALL_TOOL_BYTES]; /* which version wrote it */
    InstallPair pairs[ABI_MODULE_COUNT];
    char texts[INSTALL_TEXT_COUNT][65]; /* SHA-256; empty: was there already, is not ours */
} InstallManifest;

const char *InstallText_File(InstallText text); /* "retropose.ini", ... */

/* Appends the text. */
void InstallManifest_Format(const InstallManifest *manifest, RpBuffer *text);
/* RP_UNSUPPORTED for a later version, RP_CORRUPT for anything that Format did not write: every byte
 * is covered by a sum. */
RpStatus InstallManifest_Parse(const char *text, size_t size, InstallManifest *manifest,
                               RpError *error);

#endif
