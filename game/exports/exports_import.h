/* Reads the list of exports of a user's original: every ordinal, name and address, and what is
 * there (docs/formats/overlay.md). The file is read and never run. Only names and numbers are taken
 * from it, so that no byte of its code is passed on. */
#ifndef RETROPOSE_GAME_EXPORTS_EXPORTS_IMPORT_H
#define RETROPOSE_GAME_EXPORTS_EXPORTS_IMPORT_H

#include "core/pe/pe.h"
#include "exports/overlay/overlay.h"

/* Says which of the two modules the file is, by the name in its export directory or else by the
 * names that it exports. Returns RP_UNSUPPORTED where it is neither of them, or one of ours. */
RpStatus ExportsImport_Identify(const PeFile *pe, AbiModule *module, RpError *error);

/* Puts size, digest and all exports of the file into the overlay, in the order of the ordinals.
 * What the overlay said of this module's exports is replaced. Its functions stay where they were
 * learnt from this very file or from no named file; otherwise they are removed, because another
 * build has other code. Returns RP_UNSUPPORTED for exports that an overlay cannot describe (such
 * as a name with blanks); the overlay may then be left without this module's lines. */
RpStatus ExportsImport_Read(const PeFile *pe, AbiModule module, Overlay *overlay, RpError *error);

#endif
