/* The contents of the files that an installation writes. */
#ifndef RETROPOSE_LIVE_INSTALL_CONTENT_H
#define RETROPOSE_LIVE_INSTALL_CONTENT_H

#include "live/install/folder.h"
#include "live/install/options.h"

typedef struct InstallContent {
    RpBuffer dlls[ABI_MODULE_COUNT];
    RpBuffer texts[INSTALL_TEXT_COUNT];
    bool has_text[INSTALL_TEXT_COUNT]; /* false: the folder's own file stays */
    InstallManifest manifest;
} InstallContent;

/* Checks the originals, reports them, and makes the contents. It writes nothing. */
RpStatus InstallContent_Make(const InstallOptions *options, const InstallFolder *folder,
                             InstallContent *content, RpError *error);
void InstallContent_Free(InstallContent *content);

#endif
