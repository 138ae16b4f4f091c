/* Offers the methods of an INResFile as functions that a DLL calls. */
#include "prototypes.h"
#include "replay/host/nresfile.h"

static const NResFiles *of_this_process;

static ABI_PROTO_ngi32_INResFile_3(Find) {
    return NResFile_Find(of_this_process, (uint32_t)self, name);
}

static ABI_PROTO_ngi32_INResFile_4(Directory) {
    return NResFile_Directory(of_this_process, (uint32_t)self);
}

static ABI_PROTO_ngi32_INResFile_6(Data) {
    (void)touch;
    return NResFile_Data(of_this_process, (uint32_t)self, index);
}

static ABI_PROTO_ngi32_INResFile_8(FindType) {
    return NResFile_FindType(of_this_process, (uint32_t)self, type);
}

static void Unknown(void) {
    __builtin_trap();
}

uint32_t NResFile_Methods(NResFiles *files) {
    static const void *methods[NRESFILE_METHODS];
    of_this_process = files;
    for (int i = 0; i < NRESFILE_METHODS; i++)
        methods[i] = (const void *)(uintptr_t)Unknown;
    methods[3] = (const void *)(uintptr_t)Find;
    methods[4] = (const void *)(uintptr_t)Directory;
    methods[6] = (const void *)(uintptr_t)Data;
    methods[8] = (const void *)(uintptr_t)FindType;
    return (uint32_t)(uintptr_t)methods;
}
