/* What a user's original exports, read from the file and never run: every ordinal, name and
 * address, and what is there (docs/formats/overlay.md). Names and numbers only: no byte of the file
 * goes anywhere. */
#ifndef RETROPOSE_LIVE_OVERLAY_EXPORTS_IMPORT_H
#define RETROPOSE_LIVE_OVERLAY_EXPORTS_IMPORT_H

#include "exports/overlay/overlay.h"
#include "replay/provider/pe.h"

/* Which of the two the file is: by the name in its export directory, else by the names that it
 * exports. RP_UNSUPPORTED when it is neither, or one of our own. */
RpStatus ExportsImport_Identify(const PeFile *pe, AbiModule *module, RpError *error);

/* Puts size, digest and all exports of the file into the overlay, in the order of the ordinals.
 * What the overlay said of this module's exports is replaced. Its functions stay, when they were
 * learnt from this very file or from none that is named; else they go: another build has another
 * code. RP_UNSUPPORTED for exports that an overlay cannot say (a name with blanks, ...); the
 * overlay may be left without this module's lines then. */
RpStatus ExportsImport_Read(const PeFile *pe, AbiModule module, Overlay *overlay, RpError *error);

#endif
