/* What install.c, uninstall.c and their parts share. */
#ifndef RETROPOSE_LIVE_INSTALL_INTERNAL_H
#define RETROPOSE_LIVE_INSTALL_INTERNAL_H

#include "live/install/folder.h"
#include "live/install/install.h"

void Install_Report(const InstallOptions *options, InstallVerb verb, const char *name,
                    const char *detail);
const FileOps *Install_Ops(const InstallOptions *options);

/* The files to be written. */
typedef struct InstallContent {
    RpBuffer dlls[ABI_MODULE_COUNT];
    RpBuffer texts[INSTALL_TEXT_COUNT];
    bool has_text[INSTALL_TEXT_COUNT]; /* else the folder's own stays */
    InstallManifest manifest;
} InstallContent;

/* Checks the originals, reports them, and makes the content. Nothing is written. */
RpStatus InstallContent_Make(const InstallOptions *options, const InstallFolder *folder,
                             InstallContent *content, RpError *error);
void InstallContent_Free(InstallContent *content);

/* Takes everything back: the folder must be INSTALL_WHOLE or INSTALL_PENDING, or INSTALL_NONE with
 * a piece of a manifest. With `options->dry_run` it only reports. */
RpStatus Install_Restore(const InstallOptions *options, const InstallFolder *folder,
                         RpError *error);
/* Reads the folder again and restores it. */
RpStatus Install_Undo(const InstallOptions *options, RpError *error);
/* Whether the folder, read again, is left for another run to clear up. */
bool Install_IsPending(const InstallOptions *options);

#endif
