/* Gives a folder back what it had before an installation. */
#ifndef RETROPOSE_GAME_INSTALL_RESTORE_H
#define RETROPOSE_GAME_INSTALL_RESTORE_H

#include "game/install/install_folder.h"
#include "game/install/install_options.h"

/* Undoes everything. The folder must be INSTALL_WHOLE or INSTALL_PENDING, or INSTALL_NONE with a
 * part of a manifest. With `options->dry_run` it only reports. */
RpStatus Install_Restore(const InstallOptions *options, const InstallFolder *folder,
                         RpError *error);
/* Reads the folder again and restores it. */
RpStatus Install_Undo(const InstallOptions *options, RpError *error);
/* Reads the folder again and returns whether another run has to finish the work. */
bool Install_IsPending(const InstallOptions *options);

#endif
