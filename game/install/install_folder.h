/* A game folder as it is found: the files that an installation touches, with their sums, and
 * what these mean when they are compared with the manifest. It only reads. */
#ifndef RETROPOSE_GAME_INSTALL_INSTALL_FOLDER_H
#define RETROPOSE_GAME_INSTALL_INSTALL_FOLDER_H

#include "core/files/file_ops.h"
#include "game/install/manifest.h"

/* A file is first written whole under its name with this appended. */
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
    char name[FILES_NAME_BYTES]; /* spelt as in the folder */
    char sha256[65];
    RpBuffer bytes;
} InstallFound;

/* Returns whether it is a DLL of ours. */
bool InstallFound_IsOurs(const InstallFound *found);

typedef struct InstallFolder {
    const FileOps *ops;
    char path[FILES_PATH_BYTES];
    InstallFound files[INSTALL_FILE_COUNT];
    RpBuffer names; /* names of all entries, each followed by a NUL */
    bool has_manifest;
    InstallManifest manifest;
} InstallFolder;

typedef enum InstallState {
    INSTALL_NONE,    /* nothing of ours is there, except perhaps a part of a manifest */
    INSTALL_WHOLE,   /* everything is installed */
    INSTALL_PENDING, /* an installation or its removal was interrupted */
    INSTALL_BLOCKED  /* an original is lost, or a file is neither that nor what install wrote */
} InstallState;

/* Writes "Ngi32.dll", "Ngi32.retail.dll", "retropose.ini.retropose-part" and so on. */
void InstallFile_Name(InstallFile file, char name[INSTALL_NAME_BYTES + 32]);

/* Reads the folder. Returns RP_INVALID where a name is there twice in different case. A manifest
 * that cannot be read is an error. The folder must be closed in any case. */
RpStatus InstallFolder_Open(const FileOps *ops, const char *path, InstallFolder *folder,
                            RpError *error);
void InstallFolder_Close(InstallFolder *folder);
/* Returns the name of the entry behind `name`, or of the first one if `name` is null; null at the
 * end. */
const char *InstallFolder_Next(const InstallFolder *folder, const char *name);
/* Returns the name as it is spelt in the folder, or null if there is no such file. */
const char *InstallFolder_Find(const InstallFolder *folder, const char *name);

/* For INSTALL_BLOCKED, `error` says which file it is and what is expected there. */
InstallState InstallFolder_State(const InstallFolder *folder, RpError *error);
/* Returns the same for one DLL; there must be a manifest. */
InstallState InstallFolder_PairState(const InstallFolder *folder, AbiModule module, RpError *error);
/* Returns where the module's original is now: INSTALL_DLL or INSTALL_RETAIL + module. */
InstallFile InstallFolder_Original(const InstallFolder *folder, AbiModule module);
/* Sets the error of a folder that has no original of this module, and returns RP_NOT_FOUND. */
RpStatus InstallFolder_Missing(const InstallFolder *folder, AbiModule module, RpError *error);

#endif
