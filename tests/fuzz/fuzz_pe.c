/* Reads DLLs of any bytes. The result is an error, or tables that stay inside the file. */
#include "core/pe/pe.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    PeFile file;
    RpError error;
    if (Pe_Open(bytes, size, "fuzzed", &file, &error) == RP_OK) {
        Pe_FindExport(&file, "g_FastProc");
        Pe_FindSection(&file, ".standin");
        Pe_At(&file, 0x3A058, 4);
        Pe_Close(&file);
    }
    return 0;
}
