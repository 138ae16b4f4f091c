/* Opens a model: finds its streams and, in strict mode, checks them. */
#include "formats/msh/read/find_streams.h"
#include "retropose/msh_check.h"

RpStatus RpMsh_Open(RpNResEntries entries, RpReadMode mode, RpMsh *msh, RpError *error) {
    RpMsh opened;
    Msh_FindStreams(&entries, &opened);
    RpStatus status = mode == RP_STRICT ? RpMsh_Validate(&opened, error) : RP_OK;
    if (status == RP_OK)
        *msh = opened;
    return status;
}
