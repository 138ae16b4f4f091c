/* AniMesh.dll: its entry and exports. */
#include "animesh/dll/diagnose.h"
#include "animesh/dll/internals.h"
#include "animesh/dll/sizes.h"
#include "live/dll/gate.h"
#include "ngi32/dll/log.h"

#include <windows.h>

/* ---- load and unload ------------------------------------------------------------------------- */

/* The environment variable that both DLLs of a pair read; the defaults where it is malformed. */
static RpError ReadHypotheses(void) {
    char text[512];
    RpError error = {.status = RP_OK};
    RpHypotheses_Parse(&animesh_hypotheses,
                       Log_Environment("RETROPOSE_HYPOTHESES", text, sizeof text), &error);
    return error;
}

BOOL WINAPI AniMesh_Entry(HINSTANCE module, DWORD reason, LPVOID reserved);

BOOL WINAPI AniMesh_Entry(HINSTANCE module, DWORD reason, LPVOID reserved) {
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH) {
        DisableThreadLibraryCalls(module);
        Gates_Open();
        StreamSizes_Open();
        RpError error = ReadHypotheses();
        Diagnose_Open(module, &error);
    } else if (reason == DLL_PROCESS_DETACH) {
        Diagnose_Close();
        StreamSizes_Close();
    }
    return TRUE;
}

/* ---- exports --------------------------------------------------------------------------------- */

ABI_PROTO_animesh_LoadAgent(LoadAgent);
ABI_PROTO_animesh_LoadAniMesh(LoadAniMesh);
ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal);

ABI_PROTO_animesh_LoadAgent(LoadAgent) {
    (void)outer, (void)player;
    static long seen;
    Diagnose_Refused("LoadAgent", archive, member, &seen);
    return 0;
}

ABI_PROTO_animesh_LoadAniMesh(LoadAniMesh) {
    (void)outer, (void)player;
    static long seen;
    Diagnose_Refused("LoadAniMesh", archive, member, &seen);
    return 0;
}

#define DECLARE(rva, name, ...) extern const char gate_animesh_##name[]; /* gates-animesh.inc */
ABI_ANIMESH_INTERNALS(DECLARE)
#undef DECLARE

ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal) {
#define INTERNAL(rva, name, ...) {ABI_ANIMESH_IMAGE_BASE + (rva), (uintptr_t)gate_animesh_##name},
    static const struct {
        uint32_t address;
        uintptr_t function;
    } internals[] = {ABI_ANIMESH_INTERNALS(INTERNAL)};
#undef INTERNAL
    for (size_t i = 0; i < sizeof internals / sizeof *internals; i++)
        if (internals[i].address == address)
            return internals[i].function;
    return 0;
}
