/* The contents of the files that an installation writes. */
#ifndef RETROPOSE_GAME_INSTALL_CONTENT_H
#define RETROPOSE_GAME_INSTALL_CONTENT_H

#include "game/install/install_folder.h"
#include "game/install/install_options.h"

typedef struct InstallContent {
    RpBuffer dlls[ABI_MODULE_COUNT];
    RpBuffer texts[INSTALL_TEXT_COUNT];
    bool is_own[ABI_MODULE_COUNT];     /* it was made of this program's own DLL */
    bool has_text[INSTALL_TEXT_COUNT]; /* false if the file in the folder stays */
    InstallManifest manifest;
} InstallContent;

/* Checks the originals, reports them, and makes the contents. It writes nothing. */
RpStatus InstallContent_Make(const InstallOptions *options, const InstallFolder *folder,
                             InstallContent *content, RpError *error);
/* Returns whether a DLL is, byte for byte, the one in the folder `own`: as it was built or, if
 * `original` is not null, as it is completed for that. Exports of ours would prove nothing, because
 * anybody's DLL may have them. If `own` is null, the answer is no. */
bool InstallContent_IsOwn(const char *own, const PeFile *dll, const PeFile *original,
                          AbiModule module);
void InstallContent_Free(InstallContent *content);

#endif
