#include "replay/provider/known_version.h"

#include <string.h>

static bool ExportsAt(const PeFile *file, const char *name, uint32_t rva) {
    const PeExport *row = Pe_FindExport(file, name);
    return row && !row->forwarder && row->rva == rva;
}

/* Returns whether a constant is at an address. Its bits are compared with two bounds, because it is
 * published with six digits only. */
static bool ConstantAt(const PeFile *file, uint32_t rva, uint32_t lowest, uint32_t highest) {
    const uint8_t *bytes = Pe_At(file, rva, 4);
    uint32_t bits;
    if (!bytes)
        return false;
    memcpy(&bits, bytes, sizeof bits);
    return bits >= lowest && bits <= highest;
}

bool KnownVersion_Has(const PeFile *file, AbiModule module) {
    if (module == ABI_NGI32)
        return ExportsAt(file, "g_FastProc", 0x3A058) &&
               ExportsAt(file, "niGetProcAddress", 0x45F0) &&
               ExportsAt(file, "mrnPointInPoly", 0x1E60);
    return ExportsAt(file, "LoadAgent", 0x16A00) &&
           ConstantAt(file, 0x2096C, 0x3E31D0A7, 0x3E31D0E9) && /* 0.1736475 to 0.1736485 */
           ConstantAt(file, 0x20970, 0x40800000, 0x40800000) &&
           ConstantAt(file, 0x2097C, 0x3727C5AC, 0x3727C5AC);
}

bool KnownVersion_IsFunctionStart(const PeFile *file, uint32_t rva) {
    const PeSection *section = Pe_SectionAt(file, rva);
    const uint8_t *bytes = rva >= 8 ? Pe_At(file, rva - 5, 9) : NULL;
    if (!section || !(section->characteristics & PE_SECTION_EXECUTABLE) || !bytes)
        return false;
    const uint8_t *start = bytes + 5;
    bool padding = start[-1] == 0xCC || start[-1] == 0x90;
    bool returned = start[-1] == 0xC3 || start[-3] == 0xC2;
    bool jumped = start[-5] == 0xE9 || start[-2] == 0xEB;
    return (padding || returned || jumped) && (start[0] | start[1] | start[2] | start[3]) != 0;
}
