/* What install and uninstall are asked to do, and how they tell what they did. */
#ifndef RETROPOSE_LIVE_INSTALL_OPTIONS_H
#define RETROPOSE_LIVE_INSTALL_OPTIONS_H

#include "core/files/file_ops.h"
#include "live/install/manifest.h"
#include "replay/provider/pe.h"

typedef enum InstallVerb {
    INSTALL_FOUND,    /* an original: what it is */
    INSTALL_RENAMED,  /* `detail`: to what */
    INSTALL_WROTE,    /* `detail`: what it is */
    INSTALL_RESTORED, /* an original has its name again */
    INSTALL_REMOVED,
    INSTALL_KEPT,    /* `detail`: why */
    INSTALL_UNDONE,  /* what was stopped on the way is taken back first */
    INSTALL_NOTHING, /* there was nothing to do: `detail` */
    INSTALL_VERB_COUNT
} InstallVerb;

const char *InstallVerb_Name(InstallVerb verb); /* "found", "renamed", ... */

/* What the new files hold. */
typedef struct InstallBuilder {
    void *context;
    /* Our DLL, with the export table of the original. */
    RpStatus (*complete)(void *context, const PeFile *ours, const PeFile *original,
                         AbiModule module, RpBuffer *dll, RpError *error);
    /* What the two originals export, as an overlay (docs/formats/overlay.md). */
    RpStatus (*overlay)(void *context, const PeFile originals[ABI_MODULE_COUNT], RpBuffer *text,
                        RpError *error);
} InstallBuilder;
extern const InstallBuilder InstallBuilder_Default;

typedef struct InstallOptions {
    const char *folder;            /* of the game */
    const char *dlls;              /* install: the folder of our DLLs as they were built */
    const char *tool;              /* install: version, for the manifest */
    bool dry_run;                  /* look and report, change nothing */
    bool purge;                    /* uninstall: also settings, overlay, logs and traces */
    const FileOps *ops;            /* null: the system's */
    const InstallBuilder *builder; /* null: the default */
    /* Called for what is done or, with dry_run, would be. */
    void (*action)(void *context, InstallVerb verb, const char *name, const char *detail);
    void *context;
} InstallOptions;

/* Calls the options' `action`, if there is one. */
void Install_Report(const InstallOptions *options, InstallVerb verb, const char *name,
                    const char *detail);
const FileOps *Install_Ops(const InstallOptions *options);

#endif
