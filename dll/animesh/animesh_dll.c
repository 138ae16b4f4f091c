/* The entry point and the exports of AniMesh.dll. */
#include "dll/animesh/agent.h"
#include "dll/animesh/diagnose.h"
#include "dll/animesh/fastproc_math.h"
#include "dll/animesh/loaded_mesh.h"
#include "dll/base/log.h"
#include "dll/gate.h"
#include "dll/host.h"

#include <windows.h>

/* ---- load and unload ------------------------------------------------------------------------- */

extern __declspec(dllimport) const uintptr_t g_FastProc[];

BOOL WINAPI AniMesh_Entry(HINSTANCE module, DWORD reason, LPVOID reserved);

BOOL WINAPI AniMesh_Entry(HINSTANCE module, DWORD reason, LPVOID reserved) {
    if (reason == DLL_PROCESS_ATTACH) {
        /* This is the Ngi32.dll that this DLL imports, even if another module has the same name. */
        HMODULE ngi32 = NULL;
        GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                               GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           (const char *)g_FastProc, &ngi32);

        DisableThreadLibraryCalls(module);
        Gates_Open();
        MeshObjects_Open();
        Agents_Open();
        Log_Open("AniMesh");
        Host_Open(module, ABI_ANIMESH);
        Host_Readings(&animesh_arithmetic.readings);
        Diagnose_Open(module);

        /* Our own Ngi32.dll offers an observer, and an original one does not. */
        typedef ABI_PROTO_ngi32_RetroposeObserver((*Offer));
        Offer offer =
            ngi32 ? (Offer)(void (*)(void))GetProcAddress(ngi32, LIVE_OBSERVER_NAME) : (Offer)NULL;
        Host_Start(offer ? (const LiveObserver *)offer(LIVE_OBSERVER_VERSION) : NULL, ngi32);
        FastProc_Choose(ngi32);
    } else if (reason == DLL_PROCESS_DETACH) {
        if (reserved) /* the process ends */
            Host_EndProcess();
        Agents_Close(reserved != NULL);
        MeshObjects_Close(reserved != NULL);
        Diagnose_Close();
    }
    return TRUE;
}

/* ---- exports --------------------------------------------------------------------------------- */

ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal);
ABI_PROTO_animesh_RetroposeDestroy(RetroposeDestroy);

ABI_PROTO_animesh_RetroposeDestroy(RetroposeDestroy) {
    return MeshObject_Destroy(object) || Agent_Destroy(object);
}

static bool IsAt(const AbiFunction *function, uint32_t address) {
    return function && function->module == ABI_ANIMESH && function->rva &&
           (function->kind == ABI_INTERNAL || function->kind == ABI_METHOD) &&
           ABI_ANIMESH_IMAGE_BASE + function->rva == address;
}

ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal) {
    for (uint32_t i = 0; i < live_gate_count; i++)
        if (IsAt(live_gates[i].function, address))
            return (uintptr_t)Gate_Code(&live_gates[i]);
    return 0;
}
