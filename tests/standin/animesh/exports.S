/* The exports and functions of AniMesh.dll that follow from the ABI tables alone. */
#include "tests/standin/bodies.inc"
#include "exports/animesh.abi.h"

#define ROW(name, ordinal, ordinal_ev, rva, rva_ev, convention, convention_ev, returns, params,    \
            params_ev, provider, source, note)                                                     \
    EXPORT_BODY(animesh, provider, name, rva, returns)
    ABI_ANIMESH_EXPORTS(ROW)

#define KNOWN_ROW(rva, name, source) absent_at rva, name;
    ABI_ANIMESH_KNOWN(KNOWN_ROW)

#define AGENT_ROW(rva, name, convention, convention_ev, returns, params, params_ev, entry_ev,     \
                  source, note)                                                                    \
    absent_at rva, name;
    ABI_ANIMESH_AGENT_INTERNALS(AGENT_ROW)

/* Native methods have bodies in the other files. IMesh2 method 4 is known to be only `ret 4`. */
FUNCTION(animesh_IMesh2_4)
    .globl absent_at_0x07E80
absent_at_0x07E80:
    return_popping CONV_animesh_IMesh2_4, STACK_animesh_IMesh2_4

#define METHOD_ROW(interface, slot, rva, name, convention, convention_ev, returns, params,       \
                   params_ev, provider, source, note)                                              \
    method_row interface, slot, rva, provider;
.macro method_row interface, slot, address, provider
    .ifnc \provider,NATIVE
    .ifnc \address,0x00000
        absent_at \address, \interface\()_\slot
    .endif
    .endif
.endm
    ABI_ANIMESH_METHODS(METHOD_ROW)
