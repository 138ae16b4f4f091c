/* Archives, renderer and sound: no original is there to serve them, and the library of formats does
 * not yet. What opens something fails and says what; what needs an open thing fails and says so
 * once. */
#include "log.h"
#include "module.h"

static uintptr_t RefuseToOpen(const char *function, const char *path) {
    Log_Write("%s(\"%s\") fails: Retropose does not open archives yet", function, path);
    return 0;
}

static uintptr_t Refuse(const char *function, const char *why, long *seen) {
    if (Log_IsFirst(seen))
        Log_Write("%s fails: %s", function, why);
    return 0;
}

/* `library`, `packed` and the like come from something that was opened before. */
static const char nothing_open[] = "no archive can be open, Retropose does not open them yet";

ABI_PROTO_ngi32_niOpenResFile(niOpenResFile) {
    return RefuseToOpen("niOpenResFile", path);
}

ABI_PROTO_ngi32_niOpenResFileEx(niOpenResFileEx) {
    (void)flags;
    return RefuseToOpen("niOpenResFileEx", path);
}

ABI_PROTO_ngi32_niOpenResInMem(niOpenResInMem) {
    Log_Write("niOpenResInMem(0x%x, %u bytes) fails: Retropose does not open archives yet",
              (uint32_t)image, size);
    return 0;
}

ABI_PROTO_ngi32_niCreateResFile(niCreateResFile) {
    return RefuseToOpen("niCreateResFile", path);
}

ABI_PROTO_ngi32_rsOpenLib(rsOpenLib) {
    (void)flags;
    return RefuseToOpen("rsOpenLib", path);
}

ABI_PROTO_ngi32_rsCloseLib(rsCloseLib) {
    static long seen;
    (void)library;
    return Refuse("rsCloseLib", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsLibNum(rsLibNum) {
    static long seen;
    (void)library;
    return (uint32_t)Refuse("rsLibNum", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsFind(rsFind) {
    static long seen;
    (void)library, (void)name;
    Refuse("rsFind", nothing_open, &seen);
    return -1;
}

ABI_PROTO_ngi32_rsLoad(rsLoad) {
    static long seen;
    (void)library, (void)index;
    return Refuse("rsLoad", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsLoadFast(rsLoadFast) {
    static long seen;
    (void)library, (void)index, (void)flags;
    return Refuse("rsLoadFast", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsLoadPacked(rsLoadPacked) {
    static long seen;
    (void)library, (void)index;
    return Refuse("rsLoadPacked", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsLoadByName(rsLoadByName) {
    static long seen;
    (void)library, (void)name;
    return Refuse("rsLoadByName", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsGetInfo(rsGetInfo) {
    static long seen;
    (void)library, (void)index, (void)info;
    return (uint32_t)Refuse("rsGetInfo", nothing_open, &seen);
}

ABI_PROTO_ngi32_rsGetPackMethod(rsGetPackMethod) {
    static long seen;
    (void)library, (void)index;
    return (uint32_t)Refuse("rsGetPackMethod", nothing_open, &seen);
}

ABI_PROTO_ngi32_ngiUnpack(ngiUnpack) {
    static long seen;
    (void)packed;
    return Refuse("ngiUnpack", nothing_open, &seen);
}

ABI_PROTO_ngi32_niGet3DRender(niGet3DRender) {
    static long seen;
    return Refuse("niGet3DRender", "Retropose has no renderer", &seen);
}

ABI_PROTO_ngi32_niGet3DSound(niGet3DSound) {
    static long seen;
    return Refuse("niGet3DSound", "Retropose has no sound", &seen);
}
