#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/memory/machine_memory.h"
#include "machine/memory/region.h"

#if defined(__linux__) && defined(__x86_64__)

#define WINDOW_BYTES 0x100000000u

#include <sys/mman.h>

uint8_t *Window_Reserve(void) {
    void *bytes = mmap(NULL, WINDOW_BYTES + MACHINE_GUARD, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void Window_Release(uint8_t *window) {
    munmap(window, WINDOW_BYTES + MACHINE_GUARD);
}

bool Window_Commit(uint8_t *bytes, uint32_t size) {
    return mmap(bytes, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) != MAP_FAILED;
}

/* Kernels before 5.14 do not know this request. */
void Window_Populate(uint8_t *bytes, uint32_t size) {
#ifdef MADV_POPULATE_WRITE
    (void)madvise(bytes, size, MADV_POPULATE_WRITE);
#endif
}

void Window_Decommit(uint8_t *bytes, uint32_t size) {
    (void)mmap(bytes, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
               0);
}

/* The host never executes the guest's code at its place, so PROT_EXEC is never needed. A 32-bit
 * processor can read what it may execute. */
static int HostProtection(uint8_t protection) {
    if (!(protection & (MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)))
        return PROT_NONE;
    if ((protection & MACHINE_WRITE) && !(protection & MACHINE_WATCHED))
        return PROT_READ | PROT_WRITE;
    return PROT_READ;
}

bool Window_Protect(MachineMemory *memory, uint32_t first, uint64_t end) {
    for (uint64_t at = first, next; at < end; at = next) {
        int wanted = HostProtection(memory->protection[at / MACHINE_PAGE]);
        next = at + MACHINE_PAGE;
        while (next < end && HostProtection(memory->protection[next / MACHINE_PAGE]) == wanted)
            next += MACHINE_PAGE;
        if (mprotect(memory->window + at, (size_t)(next - at), wanted))
            return false;
    }
    return true;
}

bool Window_Open(uint8_t *bytes, uint32_t size) {
    return mprotect(bytes, size, PROT_READ | PROT_WRITE) == 0;
}

#else

uint8_t *Window_Reserve(void) {
    return NULL;
}

/* Without a window, none of the following functions is called. */
void Window_Release(uint8_t *window) {
    (void)window;
}

bool Window_Commit(uint8_t *bytes, uint32_t size) {
    (void)bytes;
    (void)size;
    return false;
}

void Window_Populate(uint8_t *bytes, uint32_t size) {
    (void)bytes;
    (void)size;
}

void Window_Decommit(uint8_t *bytes, uint32_t size) {
    (void)bytes;
    (void)size;
}

bool Window_Protect(MachineMemory *memory, uint32_t first, uint64_t end) {
    (void)memory;
    (void)first;
    (void)end;
    return false;
}

bool Window_Open(uint8_t *bytes, uint32_t size) {
    (void)bytes;
    (void)size;
    return false;
}

#endif
