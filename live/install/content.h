/* The files that an installation writes. */
#ifndef RETROPOSE_LIVE_INSTALL_CONTENT_H
#define RETROPOSE_LIVE_INSTALL_CONTENT_H

#include "live/install/folder.h"
#include "live/install/options.h"

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

#endif
