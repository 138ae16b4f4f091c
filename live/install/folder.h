/* A game folder as it is found: the files that installing touches, with their sums, and what they
 * say of it when they are compared with the manifest. Nothing is changed here. */
#ifndef RETROPOSE_LIVE_INSTALL_FOLDER_H
#define RETROPOSE_LIVE_INSTALL_FOLDER_H

#include "core/files/file_ops.h"
#include "live/install/manifest.h"

/* Files are first written whole under their name with this behind it. */
#define INSTALL_PART ".retropose-part"

typedef enum InstallFile {
    INSTALL_DLL,                                           /* + AbiModule */
    INSTALL_RETAIL = INSTALL_DLL + ABI_MODULE_COUNT,       /* + AbiModule */
    INSTALL_DLL_PART = INSTALL_RETAIL + ABI_MODULE_COUNT,  /* + AbiModule */
    INSTALL_TEXT = INSTALL_DLL_PART + ABI_MODULE_COUNT,    /* + InstallText */
    INSTALL_TEXT_PART = INSTALL_TEXT + INSTALL_TEXT_COUNT, /* + InstallText */
    INSTALL_MANIFEST = INSTALL_TEXT_PART + INSTALL_TEXT_COUNT,
    INSTALL_MANIFEST_PART,
    INSTALL_FILE_COUNT
} InstallFile;

typedef struct InstallFound {
    bool present;
    char name[FILES_NAME_BYTES]; /* as the folder spells it */
    char sha256[65];
    RpBuffer bytes;
} InstallFound;

/* Whether it is a DLL of ours. */
bool InstallFound_IsOurs(const InstallFound *found);

typedef struct InstallFolder {
    const FileOps *ops;
    char path[FILES_PATH_BYTES];
    InstallFound files[INSTALL_FILE_COUNT];
    RpBuffer names; /* of all entries, each with a NUL behind it */
    bool has_manifest;
    InstallManifest manifest;
} InstallFolder;

typedef enum InstallState {
    INSTALL_NONE,    /* nothing of ours, but maybe a piece of a manifest */
    INSTALL_WHOLE,   /* installed */
    INSTALL_PENDING, /* stopped on the way, in or out */
    INSTALL_BLOCKED  /* a file is neither the original nor what install wrote */
} InstallState;

/* "Ngi32.dll", "Ngi32.retail.dll", "retropose.ini.retropose-part", ... */
void InstallFile_Name(InstallFile file, char name[INSTALL_NAME_BYTES + 32]);

/* Reads the folder. RP_INVALID when a name is there twice, in different case; a manifest that
 * cannot be read is an error. Close it in any case. */
RpStatus InstallFolder_Open(const FileOps *ops, const char *path, InstallFolder *folder,
                            RpError *error);
void InstallFolder_Close(InstallFolder *folder);
/* The entry behind this one, or the first for null; null at the end. */
const char *InstallFolder_Next(const InstallFolder *folder, const char *name);
/* The folder's spelling of a name, or null. */
const char *InstallFolder_Find(const InstallFolder *folder, const char *name);

/* `error` is filled for INSTALL_BLOCKED: which file, and what is expected there. */
InstallState InstallFolder_State(const InstallFolder *folder, RpError *error);
/* The same of one DLL; there must be a manifest. */
InstallState InstallFolder_PairState(const InstallFolder *folder, AbiModule module, RpError *error);
/* Where the module's original lies now: INSTALL_DLL or INSTALL_RETAIL + module. */
InstallFile InstallFolder_Original(const InstallFolder *folder, AbiModule module);

#endif
