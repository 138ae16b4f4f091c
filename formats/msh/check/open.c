/* Opening a model: its streams are found and, strictly, checked. */
#include "formats/msh/read/entries.h"
#include "retropose/msh_check.h"

static RpStatus OpenAs(const MshEntries *entries, RpReadMode mode, RpMsh *msh, RpError *error) {
    RpMsh opened;
    MshEntries_Open(entries, &opened);
    RpStatus status = mode == RP_STRICT ? RpMsh_Validate(&opened, error) : RP_OK;
    if (status == RP_OK)
        *msh = opened;
    return status;
}

RpStatus RpMsh_Open(const RpNRes *archive, RpReadMode mode, RpMsh *msh, RpError *error) {
    const MshEntries entries = MshEntries_OfImage(archive);
    return OpenAs(&entries, mode, msh, error);
}

RpStatus RpMsh_OpenArchive(const RpNResArchive *archive, RpReadMode mode, RpMsh *msh,
                           RpError *error) {
    const MshEntries entries = MshEntries_OfArchive(archive);
    return OpenAs(&entries, mode, msh, error);
}
