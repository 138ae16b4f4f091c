/* The options of install and uninstall, and the reports about their work. */
#ifndef RETROPOSE_GAME_INSTALL_INSTALL_OPTIONS_H
#define RETROPOSE_GAME_INSTALL_INSTALL_OPTIONS_H

#include "core/files/file_ops.h"
#include "core/pe/pe.h"
#include "game/install/manifest.h"

typedef enum InstallVerb {
    INSTALL_FOUND,    /* an original; `detail` says what it is */
    INSTALL_RENAMED,  /* `detail` is the new name */
    INSTALL_WROTE,    /* `detail` says what it is */
    INSTALL_RESTORED, /* an original has its own name again */
    INSTALL_REMOVED,
    INSTALL_KEPT,    /* `detail` says why */
    INSTALL_UNDONE,  /* an interrupted run is undone first */
    INSTALL_NOTHING, /* there was nothing to do; `detail` says why */
    INSTALL_VERB_COUNT
} InstallVerb;

const char *InstallVerb_Name(InstallVerb verb); /* "found", "renamed" and so on */

/* Makes the contents of the new files. */
typedef struct InstallMaker {
    void *context;
    /* Gives our DLL the export table of the original. */
    RpStatus (*complete)(void *context, const PeFile *ours, const PeFile *original,
                         AbiModule module, RpBuffer *dll, RpError *error);
    /* Writes what the two originals export as an overlay (docs/formats/overlay.md). */
    RpStatus (*overlay)(void *context, const PeFile originals[ABI_MODULE_COUNT], RpBuffer *text,
                        RpError *error);
} InstallMaker;
extern const InstallMaker InstallMaker_Default;

typedef struct InstallOptions {
    const char *folder; /* the game's folder */
    const char *dlls;   /* for install: the folder with our DLLs as they were built */
    const char *own;    /* for install: the folder with this program's own DLLs; null: none */
    const char *tool;   /* for install: the version, for the manifest */
    bool dry_run;       /* only look and report */
    bool purge;         /* for uninstall: remove what it would keep, too */
    const FileOps *ops; /* null: the system's */
    const InstallMaker *builder; /* null: the default */
    /* Called for everything that is done or, with dry_run, would be done. */
    void (*action)(void *context, InstallVerb verb, const char *name, const char *detail);
    void *context;
} InstallOptions;

/* Calls the options' `action`, if there is one. */
void Install_Report(const InstallOptions *options, InstallVerb verb, const char *name,
                    const char *detail);
const FileOps *Install_Ops(const InstallOptions *options);

#endif
