/* ngiGetClocks (facts/ngi32.md C). */
#include "dll/base/log.h"
#include "dll/ngi32/module.h"

#include <string.h>

/* The original has a module flag 0x20000 for this, and it is unpublished what sets it. Here
 * RETROPOSE_CLOCKS=rdtsc does. */
static BOOL use_time_stamp;

void Clocks_Open(void) {
    char value[16];
    const char *clocks = Log_Environment("RETROPOSE_CLOCKS", value, sizeof value);
    use_time_stamp = clocks && strlen(clocks) == 5 && memcmp(clocks, "rdtsc", 5) == 0;
}

/* Callers read only the low half, as the seed of a random number generator. */
ABI_PROTO_ngi32_ngiGetClocks(ngiGetClocks) {
    if (use_time_stamp)
        return (uintptr_t)__builtin_ia32_rdtsc();
    LARGE_INTEGER counter;
    QueryPerformanceCounter(&counter);
    return counter.LowPart;
}
