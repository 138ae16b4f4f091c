/* The exports and functions of Ngi32.dll that follow from the ABI tables alone. */
#include "tests/standin/bodies.inc"
#include "exports/ngi32.abi.h"

#define ROW(name, ordinal, ordinal_ev, rva, rva_ev, convention, convention_ev, returns, params,    \
            params_ev, provider, source, note)                                                     \
    EXPORT_BODY(ngi32, provider, name, rva, returns)
    ABI_NGI32_EXPORTS(ROW)

#define KNOWN_ROW(rva, name, source) known_row rva, name;
.macro known_row address, name
    .ifnc \name,FillFastProc
    .ifnc \name,HeapFree
    .ifnc \name,HeapSize
        absent_at \address
    .endif
    .endif
    .endif
.endm
    ABI_NGI32_KNOWN(KNOWN_ROW)

#define ARCHIVE_ROW(rva, name, convention, convention_ev, returns, params, params_ev, entry_ev,    \
                    source, note)                                                                  \
    absent_at rva;
    ABI_NGI32_ARCHIVE_INTERNALS(ARCHIVE_ROW)

#define METHOD_ROW(interface, slot, rva, name, convention, convention_ev, returns, params,       \
                   params_ev, provider, source, note)                                              \
    method_row interface, slot, rva;
.macro method_row interface, slot, address
    .ifnc \address,0x00000
        absent_at \address, \interface\()_\slot
    .endif
.endm
    ABI_NGI32_METHODS(METHOD_ROW)

#include "exports.inc"
