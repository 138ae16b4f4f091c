/* Finds our implementation of the original's internal functions by address (docs/reference/abi.md).
 */
#include "dll/ngi32/archive.h"

ABI_PROTO_ngi32_SetFpuControlWord(SetFpuControlWord) {
    RpFpu_SetControlWord();
}

ABI_PROTO_ngi32_DirectionalCosine(DirectionalCosine) {
    return RpLight_DirectionalCosine(ngi32_arithmetic, normal, travel);
}

ABI_PROTO_ngi32_Highlight(Highlight) {
    return RpLight_Highlight(ngi32_arithmetic, normal, travel, cosine, to_eye, power);
}

ABI_PROTO_ngi32_PointLight(PointLight) {
    RpLight_Point(ngi32_arithmetic, light, vertex, normal, sum);
}

ABI_PROTO_ngi32_DirectionalLights(DirectionalLights) {
    RpLight_Directional(ngi32_arithmetic, lights, count, normal, diffuse, colour);
}

/* The functions that have a gate; they are listed in gates-ngi32.inc. */
#define DECLARE(rva, name, ...) extern const char gate_ngi32_##name[];
ABI_NGI32_INTERNALS(DECLARE)

#define GATE_CASE(rva, name, ...)                                                                  \
    case ABI_NGI32_IMAGE_BASE + (rva):                                                             \
        return (uintptr_t)gate_ngi32_##name;
#define CASE(rva, name, ...)                                                                       \
    case ABI_NGI32_IMAGE_BASE + (rva):                                                             \
        return (uintptr_t)name;

ABI_PROTO_ngi32_RetroposeInternal(RetroposeInternal) {
    switch (address) {
        ABI_NGI32_INTERNALS(GATE_CASE)
        ABI_NGI32_ARCHIVE_INTERNALS(CASE)
    default:
        return (uintptr_t)Dispatch_BuildAt(address - ABI_NGI32_IMAGE_BASE);
    }
}
