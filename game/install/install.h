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
#ifndef RETROPOSE_GAME_INSTALL_INSTALL_H
#define RETROPOSE_GAME_INSTALL_INSTALL_H

#include "game/install/options.h"

/* `pending` is set where a failure could not be undone, so that install or uninstall must be run
 * again; the error says why. May be null. */
RpStatus Install_Run(const InstallOptions *options, bool *pending, RpError *error);
RpStatus Uninstall_Run(const InstallOptions *options, bool *pending, RpError *error);

#endif
