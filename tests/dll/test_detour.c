/* Tests of redirection over a module that is made here, with headers, relocations and a page
 * boundary inside a function. */
#include "dll/detour.h"

#include "core/digest.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* In our DLLs, gates.S defines these. */
__asm__(".section .rptr, \"xr\"\n"
        ".globl _live_trampolines\n"
        "_live_trampolines:\n"
        "    .fill 128 * 32, 1, 0xCC\n"
        ".text\n");

enum { IMAGE_BYTES = 0x5000, PAGE = 0x1000, RELOCATIONS = 0x4000, CODE = 0x1000, SIGNATURE = 16 };

/* The function is cdecl (a) and returns a + 100. Its second instruction contains an address: push
 * ebp; mov ebp, esp; nop; nop; nop; nop; nop; mov eax, [address]; add eax, [ebp+8]; pop ebp; ret */
static const uint8_t body[] = {0x55, 0x89, 0xE5, 0x90, 0x90, 0x90, 0x90, 0x90, 0xA1,
                               0,    0,    0,    0,    0x03, 0x45, 0x08, 0x5D, 0xC3};
enum { ADDRESS_AT = 9, ENTRY_BYTES = 8 };

static uint8_t *module;
static char signature[DIGEST_HEX_BYTES];
static int number = 100;
typedef int(__cdecl *Function)(int a);

static int __cdecl Gate(int a) {
    return -a;
}

static void PutRelocations(const uint32_t *rvas, int count) {
    uint8_t *at = module + RELOCATIONS;
    /* for each, a block of a page, a size, an entry and padding */
    for (int i = 0; i < count; i++) {
        const uint32_t block[2] = {rvas[i] & ~0xFFFu, 12};
        const uint16_t entries[2] = {(uint16_t)(3 << 12 | (rvas[i] & 0xFFF)), 0};
        memcpy(at, block, 8);
        memcpy(at + 8, entries, 4);
        at += 12;
    }
    IMAGE_NT_HEADERS32 *headers = (void *)(module + 0x80);
    headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_BASERELOC] =
        (IMAGE_DATA_DIRECTORY){RELOCATIONS, (DWORD)(at - module - RELOCATIONS)};
}

static void PutFunction(uint32_t rva) {
    const void *address = &number;
    memcpy(module + rva, body, sizeof body);
    memcpy(module + rva + ADDRESS_AT, &address, 4);
}

/* Code can be executed and read. One function crosses a page. */
TEST_AROUND(MakeModule) {
    DWORD before;
    static const uint32_t functions[] = {CODE, CODE + 0x40, CODE + PAGE - 3};
    module = VirtualAlloc(NULL, IMAGE_BYTES, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    assert_non_null(module);
    ((IMAGE_DOS_HEADER *)(void *)module)->e_lfanew = 0x80;
    ((IMAGE_NT_HEADERS32 *)(void *)(module + 0x80))->OptionalHeader.SizeOfImage = IMAGE_BYTES;
    uint32_t rvas[3];
    for (int i = 0; i < 3; i++) {
        PutFunction(functions[i]);
        rvas[i] = functions[i] + ADDRESS_AT;
    }
    PutRelocations(rvas, 3);
    assert_true(VirtualProtect(module + CODE, 2 * PAGE, PAGE_EXECUTE_READ, &before));
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, body, SIGNATURE); /* the address in it is zero */
    Digest_End(&digest, signature);
    return 0;
}

TEST_AROUND(ReleaseModule) {
    return VirtualFree(module, 0, MEM_RELEASE) ? 0 : -1;
}

static DetourPlace PlaceAt(uint32_t rva) {
    return (DetourPlace){.module = module,
                         .rva = rva,
                         .signature_bytes = SIGNATURE,
                         .entry_bytes = ENTRY_BYTES,
                         .signature = signature};
}

static Function At(uint32_t rva) {
    return (Function)(uintptr_t)(module + rva);
}

static DWORD ProtectionOf(const void *address) {
    MEMORY_BASIC_INFORMATION page;
    VirtualQuery(address, &page, sizeof page);
    return page.Protect;
}

static void CheckRedirected(uint32_t rva) {
    const DetourPlace place = PlaceAt(rva);
    const void *original = NULL;
    assert_int_equal(At(rva)(5), 105);
    assert_int_equal(Detour_Install(&place, (const void *)(uintptr_t)Gate, &original, NULL), RP_OK);
    assert_int_equal(At(rva)(5), -5);
    assert_int_equal(((Function)(uintptr_t)original)(5), 105);
    assert_int_equal(ProtectionOf(module + rva), PAGE_EXECUTE_READ);
    assert_int_equal(ProtectionOf(module + rva + ENTRY_BYTES), PAGE_EXECUTE_READ);
    assert_int_equal(ProtectionOf(original), PAGE_EXECUTE_READ);
}

TEST(CallsGoToTheGateAndTheTrampolineIsTheFunction) {
    CheckRedirected(CODE);
    /* the other function is on the same page, where the first one is redirected already */
    CheckRedirected(CODE + 0x40);
}

TEST(AFunctionMayCrossAPage) {
    CheckRedirected(CODE + PAGE - 3);
}

/* Code that a packer or a debugger has made writable stays so, and its neighbour stays as it is. */
TEST(EachPageKeepsItsProtection) {
    DWORD before;
    const DetourPlace place = PlaceAt(CODE + PAGE - 3);
    const void *original = NULL;
    assert_true(VirtualProtect(module + CODE + PAGE, PAGE, PAGE_EXECUTE_READWRITE, &before));
    assert_int_equal(Detour_Install(&place, (const void *)(uintptr_t)Gate, &original, NULL), RP_OK);
    assert_int_equal(ProtectionOf(module + CODE + PAGE - 1), PAGE_EXECUTE_READ);
    assert_int_equal(ProtectionOf(module + CODE + PAGE), PAGE_EXECUTE_READWRITE);
    assert_int_equal(At(place.rva)(5), -5);
}

/* ---- a system that refuses ------------------------------------------------------------------- */

typedef BOOL(WINAPI *Protector)(void *at, SIZE_T size, DWORD protection, DWORD *before);
extern Protector imported_protector __asm__("__imp__VirtualProtect@16");
static Protector real_protector;
static int refused_turn, turn;

static BOOL WINAPI RefuseOnce(void *at, SIZE_T size, DWORD protection, DWORD *before) {
    return ++turn == refused_turn ? FALSE : real_protector(at, size, protection, before);
}

static void SetProtector(Protector protector) {
    DWORD before;
    BOOL open =
        real_protector(&imported_protector, sizeof imported_protector, PAGE_READWRITE, &before);
    assert_true(open);
    imported_protector = protector;
}

/* Whichever request is refused, nothing is redirected, and all code can be executed. */
TEST(ARefusalLeavesTheFunctionAsItWas) {
    const uint32_t rva = CODE + PAGE - 3;
    const DetourPlace place = PlaceAt(rva);
    real_protector = imported_protector;
    for (refused_turn = 1; refused_turn <= 6; refused_turn++) {
        const void *original = module;
        turn = 0;
        SetProtector(RefuseOnce);
        RpStatus status = Detour_Install(&place, (const void *)(uintptr_t)Gate, &original, NULL);
        SetProtector(real_protector);
        assert_int_not_equal(status, RP_OK);
        assert_ptr_equal(original, module);
        assert_int_equal(ProtectionOf(module + rva), PAGE_EXECUTE_READ);
        assert_int_equal(ProtectionOf(module + CODE + PAGE), PAGE_EXECUTE_READ);
        assert_int_equal(At(rva)(5), 105);
    }
    CheckRedirected(rva);
}

static void ExpectRefused(const DetourPlace *place) {
    const void *original = module;
    uint8_t before[IMAGE_BYTES];
    memcpy(before, module, sizeof before);
    assert_int_not_equal(Detour_Install(place, (const void *)(uintptr_t)Gate, &original, NULL),
                         RP_OK);
    assert_memory_equal(before, module, sizeof before);
    assert_ptr_equal(original, module);
}

TEST(OtherBytesAreRefused) {
    DetourPlace place = PlaceAt(CODE + 1);
    ExpectRefused(&place);
    place = PlaceAt(CODE);
    place.signature_bytes = SIGNATURE - 1;
    ExpectRefused(&place);
}

TEST(EntriesThatCannotHoldAJumpAreRefused) {
    static const uint32_t sizes[] = {0, 1, 4, SIGNATURE + 1, 28, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        DetourPlace place = PlaceAt(CODE);
        place.entry_bytes = sizes[i];
        ExpectRefused(&place);
    }
}

TEST(PlacesOutsideOfTheImageAreRefused) {
    static const uint32_t rvas[] = {IMAGE_BYTES - SIGNATURE + 1, IMAGE_BYTES, 0xFFFFFFF8};
    for (size_t i = 0; i < sizeof rvas / sizeof *rvas; i++) {
        DetourPlace place = PlaceAt(rvas[i]);
        assert_false(Detour_Matches(&place));
    }
    DetourPlace place = PlaceAt(CODE);
    place.signature_bytes = 0xFFFFFFF0;
    assert_false(Detour_Matches(&place));
    place.signature_bytes = 0;
    assert_false(Detour_Matches(&place));
}

/* A relocated dword may begin before the signature and end behind it. */
TEST(DwordsAtTheEdgesAreMaskedInPart) {
    DWORD before;
    uint8_t masked[SIGNATURE];
    char expected[DIGEST_HEX_BYTES];
    const uint32_t rvas[] = {CODE - 2, CODE + ADDRESS_AT, CODE + SIGNATURE - 1};
    VirtualProtect(module, IMAGE_BYTES, PAGE_READWRITE, &before);
    PutRelocations(rvas, 3);
    memcpy(masked, body, sizeof masked);
    masked[0] = masked[1] = masked[SIGNATURE - 1] = 0;
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, masked, sizeof masked);
    Digest_End(&digest, expected);
    DetourPlace place = PlaceAt(CODE);
    assert_false(Detour_Matches(&place));
    place.signature = expected;
    assert_true(Detour_Matches(&place));
}

/* A block that is longer than the directory, or shorter than its own head, ends the walk. */
TEST(BrokenRelocationsDoNoHarm) {
    const DetourPlace place = PlaceAt(CODE);
    static const uint32_t sizes[] = {0, 7, 0x10000, 0xFFFFFFFF};
    assert_true(Detour_Matches(&place));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(module + RELOCATIONS + 4, &sizes[i], 4);
        assert_false(Detour_Matches(&place));
    }
}

AROUND_EACH(MakeModule, ReleaseModule)
