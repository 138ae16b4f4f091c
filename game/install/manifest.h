/* retropose.install: what `retropose install` did, or is about to do, to a game folder. It is
 * written before anything else is touched and removed after everything else. So it is the
 * journal, too: the files in the folder, compared with the sums here, show how far things have
 * come. */
#ifndef RETROPOSE_GAME_INSTALL_MANIFEST_H
#define RETROPOSE_GAME_INSTALL_MANIFEST_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTALL_MANIFEST_FILE "retropose.install"
/* Every version of the file begins with this. */
#define INSTALL_MANIFEST_MARK "retropose-install "

enum { INSTALL_NAME_BYTES = 32, INSTALL_TOOL_BYTES = 96 };

/* Text files that install writes unless they exist. */
typedef enum InstallText { INSTALL_INI, INSTALL_OVERLAY, INSTALL_TEXT_COUNT } InstallText;

typedef struct InstallPair {
    char name[INSTALL_NAME_BYTES]; /* the DLL's name, as it is spelt in this folder */
    char original[65], ours[65];   /* SHA-256 */
} InstallPair;

typedef struct InstallManifest {
    char tool[INSTALL_TOOL_BYTES]; /* the version that wrote it */
    InstallPair pairs[ABI_MODULE_COUNT];
    /* SHA-256; empty: the file existed before and is not ours */
    char texts[INSTALL_TEXT_COUNT][65];
} InstallManifest;

const char *InstallText_File(InstallText text); /* "retropose.ini" and so on */

/* Appends the manifest as text. */
void InstallManifest_Format(const InstallManifest *manifest, RpBuffer *text);
/* Returns RP_UNSUPPORTED for a later version. Returns RP_CORRUPT for anything that
 * InstallManifest_Format did not write, because the file has a digest of all its bytes. */
RpStatus InstallManifest_Parse(const char *text, size_t size, InstallManifest *manifest,
                               RpError *error);

#endif
