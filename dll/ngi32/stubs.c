/* Exports without a body: those that are empty in the original, too, those that need parts of the
 * engine which do not exist here, and those whose arguments no public source tells (facts/ngi32.md
 * A.3). */
#include "dll/base/log.h"
#include "dll/ngi32/module.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* no-ops use none of their parameters */

/* ---- no-ops ---------------------------------------------------------------------------------- */

ABI_PROTO_ngi32_ngiFixedMemMaxBlock(ngiFixedMemMaxBlock) {
    return 0;
}
ABI_PROTO_ngi32_ngiGetPalette(ngiGetPalette) {
    return 0;
}
ABI_PROTO_ngi32_ngiIsBackSurface(ngiIsBackSurface) {
    return 0;
}
ABI_PROTO_ngi32_rsLoadMultiTexture(rsLoadMultiTexture) {
    return 0;
}
ABI_PROTO_ngi32_ngiSetPalette(ngiSetPalette) {
}
ABI_PROTO_ngi32_rsLoadTexture(rsLoadTexture) {
}
ABI_PROTO_ngi32_rsLoadBitmap(rsLoadBitmap) {
}
ABI_PROTO_ngi32_rsLoadFadeTable(rsLoadFadeTable) {
}
ABI_PROTO_ngi32_vrtTextOut(vrtTextOut) {
}
ABI_PROTO_ngi32_vrtRectangle(vrtRectangle) {
}
ABI_PROTO_ngi32_vrtSetFadeTable(vrtSetFadeTable) {
}
ABI_PROTO_ngi32_vrtStretchNgb(vrtStretchNgb) {
}
ABI_PROTO_ngi32_n3dPrimitive(n3dPrimitive) {
}
ABI_PROTO_ngi32_vrtPutDib(vrtPutDib) {
}
ABI_PROTO_ngi32_n3dSetLighting(n3dSetLighting) {
}
ABI_PROTO_ngi32_vrtSetCameraParam(vrtSetCameraParam) {
}
ABI_PROTO_ngi32_n3dEndScene(n3dEndScene) {
}
ABI_PROTO_ngi32_n3dGetPortalClipRect(n3dGetPortalClipRect) {
}

/* ---- refused --------------------------------------------------------------------------------- */

static uintptr_t Refuse(const char *function, const char *why, long *seen) {
    if (Log_IsFirst(seen))
        Log_Write("%s fails: %s", function, why);
    return 0;
}

ABI_PROTO_ngi32_niGet3DRender(niGet3DRender) {
    static long seen;
    return Refuse("niGet3DRender", "Retropose has no renderer", &seen);
}
ABI_PROTO_ngi32_niGet3DSound(niGet3DSound) {
    static long seen;
    return Refuse("niGet3DSound", "Retropose has no sound", &seen);
}

/* ---- unserved -------------------------------------------------------------------------------- */

#define UNSERVED(name)                                                                             \
    ABI_PROTO_ngi32_##name(name) {                                                                 \
        Errors_Unserved(#name, __builtin_return_address(0));                                       \
    }

UNSERVED(rsLoadWave)
UNSERVED(niGetD3DDriverAmount)
UNSERVED(niSelectD3DDriver)
UNSERVED(niGetD3DDriverCaps)
UNSERVED(niGetD3DVideoModeList)
UNSERVED(niGetMaxTextureSize)
UNSERVED(niCreate3DRender)
UNSERVED(niCreate3DSound)
UNSERVED(niGet3DSoundCaps)
UNSERVED(niMuteSound)
