/* Putting our DLLs into a game folder beside the originals, and taking them out again
 * (docs/use/game-folder.md).
 *
 * install:    retropose.install is written first: the plan, and later the record. Every new file is
 *             written whole under a temporary name. Then settings and overlay get their names, and
 *             for each DLL the original becomes NAME.retail.dll and ours takes its place.
 * uninstall:  the originals get their names back, over ours; what install wrote goes; the manifest
 *             goes last.
 *
 * Whatever stops either of them, the sums in the manifest tell what every file is. So both begin by
 * undoing what another one left half done, and a file that is neither the original nor ours is
 * never touched. A failure (a full disk, no right to write) undoes itself; nothing has changed
 * then.
 */
#ifndef RETROPOSE_LIVE_INSTALL_INSTALL_H
#define RETROPOSE_LIVE_INSTALL_INSTALL_H

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

/* *pending is set when a failure could not be undone, so that install or uninstall has to be run
 * again; the error says why. May be null. */
RpStatus Install_Run(const InstallOptions *options, bool *pending, RpError *error);
RpStatus Uninstall_Run(const InstallOptions *options, bool *pending, RpError *error);

#endif
