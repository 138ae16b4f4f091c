/* Puts our DLLs into a game folder beside the originals, and takes them out again
 * (docs/use/game-folder.md).
 *
 * install:    retropose.install, the manifest, is written first: the plan, and later the record.
 * Every new file is written under a temporary name. Then settings and overlay get their names, and
 * for each DLL the original becomes NAME.retail.dll and ours takes its place. uninstall:  the
 * originals get their names back, which replaces our DLLs; what install wrote is removed, and the
 * manifest last of all.
 *
 * Wherever either of them is stopped, the digests in the manifest tell what every file is. So both
 * begin by undoing what another run left half done, and never touch a file that is neither the
 * original nor ours. After a failure (a full disk, no right to write) they restore the folder as it
 * was. */
#ifndef RETROPOSE_GAME_INSTALL_INSTALL_H
#define RETROPOSE_GAME_INSTALL_INSTALL_H

#include "game/install/install_options.h"

/* Returns an error that says why. `pending`, which may be null, is set if a failure could not be
 * undone, so that install or uninstall must be run again. */
RpStatus Install_Run(const InstallOptions *options, bool *pending, RpError *error);
RpStatus Uninstall_Run(const InstallOptions *options, bool *pending, RpError *error);

#endif
