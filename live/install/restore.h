/* Giving a folder back what it had before an installation. */
#ifndef RETROPOSE_LIVE_INSTALL_RESTORE_H
#define RETROPOSE_LIVE_INSTALL_RESTORE_H

#include "live/install/folder.h"
#include "live/install/options.h"

/* Takes everything back: the folder must be INSTALL_WHOLE or INSTALL_PENDING, or INSTALL_NONE with
 * a piece of a manifest. With `options->dry_run` it only reports. */
RpStatus Install_Restore(const InstallOptions *options, const InstallFolder *folder,
                         RpError *error);
/* Reads the folder again and restores it. */
RpStatus Install_Undo(const InstallOptions *options, RpError *error);
/* Whether the folder, read again, is left for another run to clear up. */
bool Install_IsPending(const InstallOptions *options);

#endif
