/* An Ngi32.dll whose functions report what they were handed, in every convention of the table. */
#include "prototypes.h"

#include <string.h>
#include <windows.h>

/* Its convention is stdcall. */
ABI_PROTO_ngi32_mrnPointInPoly(mrnPointInPoly) {
    const float *last = vertices[count - 1];
    return (uint32_t)(plane[3] * 1000 + last[2] * 100 + point[1] * 10) + count;
}

ABI_PROTO_ngi32_rsLoadMultiTexture(rsLoadMultiTexture) {
    return a * 1000 + b * 100 + c * 10 + d;
}

ABI_PROTO_ngi32_ngiGetSinCos(ngiGetSinCos) {
    *sine = angle;
    *cosine = -angle;
}

ABI_PROTO_ngi32_niOutputDebugString(niOutputDebugString) {
    if (strcmp(text, "five!") != 0)
        __builtin_trap();
}

/* Reports what the pair's surroundings are: ForceCpu, the length of the readings, and 1000 for
 * each of two variables that a shell may have set. */
ABI_PROTO_ngi32_ngiFixedMemMaxBlock(ngiFixedMemMaxBlock) {
    DWORD value = 0, size = sizeof value;
    HKEY key;
    if (RegOpenKeyExA(HKEY_CURRENT_USER, "Software\\Nikita\\NgiTool", 0, KEY_READ, &key))
        return UINT32_MAX;
    RegQueryValueExA(key, "ForceCpu", NULL, NULL, (BYTE *)&value, &size);
    RegCloseKey(key);
    return value;
}

ABI_PROTO_ngi32_ngiGetPalette(ngiGetPalette) {
    char text[64] = "";
    const uint32_t set = (GetEnvironmentVariableA("RETROPOSE_RECORD", NULL, 0) > 0 ? 1000u : 0u) +
                         (GetEnvironmentVariableA("RETROPOSE_WATCH", NULL, 0) > 0 ? 1000u : 0u);
    GetEnvironmentVariableA("RETROPOSE_READINGS", text, sizeof text);
    return (uint32_t)strlen(text) + set;
}

/* Its convention is cdecl. */
static ABI_PROTO_ngi32_SetFpuControlWord(SetFpuControlWord) {
    uint16_t control = 0x0E7F;
    __asm__ volatile("fldcw %0" : : "m"(control));
}

/* Its convention is fastcall, with floats between the other parameters. */
static ABI_PROTO_ngi32_Highlight(Highlight) {
    return (long double)normal[0] + 10 * travel[0] + 100 * cosine + 1000 * to_eye[2] +
           10000.0L * power + 0x1p-60L;
}

static ABI_PROTO_ngi32_PointLight(PointLight) {
    sum[0] += light[9];
    sum[1] += vertex[1];
    sum[2] += normal[2];
}

static ABI_PROTO_ngi32_DirectionalLights(DirectionalLights) {
    colour[0] = lights[6 * count - 1];
    colour[1] = normal[1];
    colour[2] = diffuse[2];
}

static ABI_PROTO_ngi32_slot11(ReciprocalSquareRoot) {
    return x;
}

static ABI_PROTO_ngi32_slot17(InterpolateQuaternions) {
    result[0] = q0[0];
    result[1] = q1[1];
    result[2] = t;
}

#define FUNCTION(name) (const void *)(uintptr_t)(name)
const void *g_FastProc[68] = {
    [11] = FUNCTION(ReciprocalSquareRoot),
    [17] = FUNCTION(InterpolateQuaternions),
};

ABI_PROTO_ngi32_RetroposeInternal(RetroposeInternal) {
    switch (address) {
    case 0x10006D00:
        return (uintptr_t)SetFpuControlWord;
    case 0x1001616F:
        return (uintptr_t)Highlight;
    case 0x100164F0:
        return (uintptr_t)PointLight;
    case 0x10018260:
        return (uintptr_t)DirectionalLights;
    default:
        return 0;
    }
}
