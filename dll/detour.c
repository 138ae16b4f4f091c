#include "dll/detour.h"

#include "core/digest.h"

#include <string.h>
#include <windows.h>

enum {
    JUMP_BYTES = 5, /* E9 and a distance of 32 bits */
    JUMP_OPCODE = 0xE9,
    TRAMPOLINE_BYTES = 32, /* the same as in gates.S */
    TRAMPOLINE_COUNT = 128,
    PAGE_BYTES = 4096
};

extern uint8_t live_trampolines[TRAMPOLINE_COUNT][TRAMPOLINE_BYTES];
static uint32_t used;

static uint32_t Get32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* ---- signatures ------------------------------------------------------------------------------ */

static const IMAGE_NT_HEADERS32 *HeadersOf(const uint8_t *module) {
    const IMAGE_DOS_HEADER *dos = (const void *)module;
    return (const void *)(module + dos->e_lfanew);
}

static void MaskRelocations(uint8_t *bytes, const DetourPlace *place) {
    const IMAGE_DATA_DIRECTORY *directory =
        &HeadersOf(place->module)->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_BASERELOC];
    for (uint32_t at = 0; at + 8 <= directory->Size;) {
        const uint8_t *block = place->module + directory->VirtualAddress + at;
        uint32_t size = Get32(block + 4);
        if (size < 8 || size > directory->Size - at)
            return; /* such a file would have been refused by the loader */
        /* A block of relocations is a page, its own size, and entries of 16 bits. */
        uint32_t page = Get32(block), block_size = Get32(block + 4);
        for (uint32_t entry_at = 8; entry_at + 2 <= block_size; entry_at += 2) {
            uint32_t entry = (uint32_t)(block[entry_at] | block[entry_at + 1] << 8);
            if (entry >> 12 != IMAGE_REL_BASED_HIGHLOW)
                continue;
            /* Those of the compared bytes that belong to the dword at `rva` become zero. */
            uint32_t rva = page + (entry & 0xFFF);
            for (uint32_t i = 0; i < 4; i++)
                if (rva + i - place->rva < place->signature_bytes)
                    bytes[rva + i - place->rva] = 0;
        }

        at += size;
    }
}

bool Detour_Matches(const DetourPlace *place) {
    enum { MOST_BYTES = 4096 };
    static uint8_t bytes[MOST_BYTES]; /* used only while the loader's lock is held */
    char hex[DIGEST_HEX_BYTES];
    Digest digest;
    if (place->signature_bytes == 0 || place->signature_bytes > MOST_BYTES)
        return false;
    const uint32_t image = HeadersOf(place->module)->OptionalHeader.SizeOfImage;
    if (place->rva >= image || place->signature_bytes > image - place->rva)
        return false;
    memcpy(bytes, place->module + place->rva, place->signature_bytes);
    MaskRelocations(bytes, place);
    Digest_Begin(&digest);
    Digest_Add(&digest, bytes, place->signature_bytes);
    Digest_End(&digest, hex);
    return memcmp(hex, place->signature, DIGEST_HEX_BYTES) == 0;
}

/* ---- patching -------------------------------------------------------------------------------- */

static RpStatus Refuse(RpError *error, const char *what, const char *expected) {
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, what, "", expected, "");
}

/* Writes a jump to `target` into `code`, encoded for the address `at`. */
static void PutJump(uint8_t *code, const uint8_t *at, const void *target) {
    uint32_t distance = (uint32_t)(uintptr_t)target - (uint32_t)(uintptr_t)(at + JUMP_BYTES);
    code[0] = JUMP_OPCODE;
    memcpy(code + 1, &distance, sizeof distance);
}

/* The pages that the code is on: at most two, each with its own protection. */
typedef struct Pages {
    uint8_t *starts[2];
    uint32_t count;
    DWORD before[2];
} Pages;

/* Gives the pages their former protection. VirtualProtect changes whole pages, so one byte of each
 * is enough. After a failure the other page is tried all the same, because each page without the
 * right to execute does harm. */
static bool Protect(const Pages *pages) {
    DWORD ignored;
    bool done = true;
    for (uint32_t i = 0; i < pages->count; i++)
        done &= VirtualProtect(pages->starts[i], 1, pages->before[i], &ignored) != 0;
    return done;
}

/* Makes the pages writable and not executable until Protect. On failure the pages are as they
 * were. */
static bool Unprotect(Pages *pages) {
    for (uint32_t i = 0; i < pages->count; i++)
        if (!VirtualProtect(pages->starts[i], 1, PAGE_READWRITE, &pages->before[i])) {
            pages->count = i;
            Protect(pages);
            return false;
        }
    return true;
}

/* On failure the bytes are as they were, and so are the pages as far as the system allows. */
static bool WriteCode(uint8_t *at, const uint8_t *bytes, uint32_t size) {
    uint8_t old[TRAMPOLINE_BYTES];
    Pages pages = {.starts = {at}, .count = 1};
    uint8_t *next = (uint8_t *)(((uintptr_t)at | (PAGE_BYTES - 1)) + 1);
    if ((uintptr_t)next - (uintptr_t)at < size)
        pages.starts[pages.count++] = next;

    memcpy(old, at, size);
    if (!Unprotect(&pages))
        return false;
    memcpy(at, bytes, size);
    bool done = Protect(&pages);
    Pages again = pages; /* Unprotect would record other protections now */
    if (!done && Unprotect(&again)) {
        memcpy(at, old, size);
        Protect(&pages);
    }
    FlushInstructionCache(GetCurrentProcess(), at, size);
    return done;
}

RpStatus Detour_Install(const DetourPlace *place, const void *gate, const void **original,
                        RpError *error) {
    uint8_t *entry = place->module + place->rva;
    if (place->entry_bytes < JUMP_BYTES || place->entry_bytes > TRAMPOLINE_BYTES - JUMP_BYTES ||
        place->entry_bytes > place->signature_bytes)
        return Refuse(error, "its first instructions cannot be moved", "5 to 27 bytes");
    if (!Detour_Matches(place))
        return Refuse(error, "its bytes are not those of the overlay", "");
    if (used == TRAMPOLINE_COUNT)
        return Refuse(error, "too many functions are redirected", "128");
    uint8_t *trampoline = live_trampolines[used];

    uint8_t code[TRAMPOLINE_BYTES];
    memcpy(code, entry, place->entry_bytes);
    PutJump(code + place->entry_bytes, trampoline + place->entry_bytes, entry + place->entry_bytes);
    if (!WriteCode(trampoline, code, place->entry_bytes + JUMP_BYTES))
        return Refuse(error, "the system does not let the trampoline be written", "");

    uint8_t jump[JUMP_BYTES];
    PutJump(jump, entry, gate);
    if (!WriteCode(entry, jump, sizeof jump))
        return Refuse(error, "the system does not let the function be written", "");

    used++;
    *original = trampoline;
    return RP_OK;
}
