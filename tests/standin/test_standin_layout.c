/* Tests the stand-in's images: every documented function, table and constant is at its documented
 * place, and the processor classes fill g_FastProc. */
#include "checked_call.h"
#include "exports/ngi32.abi.h"
#include "pair.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FILL_BYTE 0xCC

enum { CLASS_SSE = 1, CLASS_3DNOW = 2, CLASS_FXCH = 4, CLASS_MMX = 8 };

LOADED_TEST(TestImagesHaveTheOriginalsBase) {
    /* One of the two had to be moved when it was loaded, so the file's own base counts. */
    bool ngi32_at_base = ngi32 == (void *)0x10000000,
         animesh_at_base = animesh == (void *)0x10000000;
    assert_true(ngi32_at_base || animesh_at_base);
    assert_int_not_equal(Pair_Headers(ngi32)->OptionalHeader.DataDirectory[5].Size, 0);
    assert_int_not_equal(Pair_Headers(animesh)->OptionalHeader.DataDirectory[5].Size, 0);
}

static void CheckSections(const uint8_t *module) {
    const IMAGE_NT_HEADERS32 *headers = Pair_Headers(module);
    const IMAGE_SECTION_HEADER *sections = IMAGE_FIRST_SECTION(headers);
    bool marked = false;
    for (int i = 0; i < headers->FileHeader.NumberOfSections; i++) {
        /* code of an address that layout.c does not know would be a section of its own */
        assert_true(strncmp((const char *)sections[i].Name, ".at", 3) != 0);
        if (strncmp((const char *)sections[i].Name, ".standin", 8) == 0) {
            assert_string_equal((const char *)module + sections[i].VirtualAddress,
                                "Retropose stand-in, not the retail file");
            marked = true;
        }
    }
    assert_true(marked);
}

LOADED_TEST(TestFilesSayThatTheyAreTheStandin) {
    CheckSections(ngi32);
    CheckSections(animesh);
}

LOADED_TEST(TestExportsAreAtTheirAddressesNamesAndOrdinals) {
    int exports[ABI_MODULE_COUNT] = {0};
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        HMODULE module = (HMODULE)Pair_Module(f->module);
        if (f->kind == ABI_OWN_EXPORT)
            assert_null(GetProcAddress(module, f->name));
        if (f->kind != ABI_EXPORT)
            continue;
        exports[f->module]++;
        const uint8_t *address = (const uint8_t *)(uintptr_t)GetProcAddress(module, f->name);
        assert_non_null(address);
        assert_ptr_equal(address, (const void *)(uintptr_t)GetProcAddress(
                                      module, (const char *)(uintptr_t)f->index));
        if (f->rva)
            assert_int_equal(address - Pair_Module(f->module), f->rva);
    }
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        const uint8_t *base = Pair_Module((AbiModule)module);
        const IMAGE_EXPORT_DIRECTORY *directory =
            (const void *)(base +
                           Pair_Headers(base)->OptionalHeader.DataDirectory[0].VirtualAddress);
        assert_int_equal(directory->NumberOfNames, exports[module]);
    }
    assert_int_equal(exports[ABI_NGI32], 56);
    assert_int_equal(exports[ABI_ANIMESH], 2);
}

LOADED_TEST(TestEveryDocumentedFunctionHasCodeAtItsAddress) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        const uint32_t addresses[] = {f->rva, f->rva_fxch, f->rva_sse};
        for (int k = 0; k < 3; k++)
            if (addresses[k] && f->provider != ABI_DATA &&
                Pair_Module(f->module)[addresses[k]] == FILL_BYTE)
                fail_msg("nothing at %s's 0x%05X", f->key, addresses[k]);
    }
    assert_int_not_equal(ngi32[0x1BDD0], FILL_BYTE);
}

LOADED_TEST(TestConstantsAreAtTheirAddresses) {
    assert_int_equal(Memory_Dword(ngi32 + 0x311D4), 0);
    assert_int_equal(Memory_Dword(ngi32 + 0x37220), 0);
    assert_int_equal(Memory_Dword(ngi32 + 0x37224), 0);
    assert_string_equal((const char *)ngi32 + 0x3432C, "Error No.%ld");
    assert_true(Memory_Float(animesh + 0x2096C) == 0.173648f);
    assert_true(Memory_Float(animesh + 0x20970) == 4.0f);
    assert_true(Memory_Float(animesh + 0x2097C) == 1e-5f);
    assert_int_equal(Memory_Dword(animesh + 0x225E8), 1);
}

LOADED_TEST(TestVtablesHaveTheDocumentedFunctionsAndNoOthers) {
    static const struct {
        const char *interface;
        AbiModule module;
        uint32_t rva;
        int slots;
    } tables[] = {{"IAnimation", ABI_ANIMESH, 0x2057C, 36},
                  {"IMesh2", ABI_ANIMESH, 0x2053C, 16},
                  {"IJointMesh", ABI_ANIMESH, 0x2050C, 12},
                  {"ICollisionMesh", ABI_ANIMESH, 0x204FC, 4},
                  {"I3DRender", ABI_NGI32, 0x315E0, 0}};
    const uint32_t trap = Memory_Dword(animesh + 0x2057C);
    int checked = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const uint8_t *module = Pair_Module(tables[t].module), *table = module + tables[t].rva;
        bool documented[64] = {false};
        for (size_t i = 0; i < abi_function_count; i++) {
            const AbiFunction *f = &abi_functions[i];
            if (f->kind != ABI_METHOD || strcmp(f->interface, tables[t].interface) != 0 || !f->rva)
                continue;
            assert_int_equal(Memory_Dword(table + 4 * f->index), P(module + f->rva));
            documented[f->index] = true;
            checked++;
        }
        for (int slot = 0; slot < tables[t].slots; slot++)
            if (!documented[slot] && Memory_Dword(table + 4 * (uint32_t)slot) != trap)
                fail_msg("%s has something at %d", tables[t].interface, slot);
    }
    assert_in_range(checked, 40, 80);
    /* facts/animesh.md C.3 */
    assert_int_equal(Memory_Dword(animesh + 0x20208), P(animesh + 0x01370));
    assert_int_equal(Memory_Dword(animesh + 0x20954), P(animesh + 0x0CE90));
    assert_int_equal(Memory_Dword(animesh + 0x20A2C + 8), P(animesh + 0x11090));
    assert_int_equal(Memory_Dword(animesh + 0x20B84), P(animesh + 0x15B60));
}

LOADED_TEST(TestNoOpsReturnAndPop) {
    int checked = 0;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->kind != ABI_EXPORT || (f->provider != ABI_NOOP && f->provider != ABI_REFUSED &&
                                      f->provider != ABI_NATIVE_ONLY))
            continue;
        const uint32_t arguments[8] = {0};
        const void *target =
            (const void *)(uintptr_t)GetProcAddress((HMODULE)Pair_Module(f->module), f->name);
        CheckedFrame frame = Function_Call(f, target, CONTROL_SINGLE, arguments);
        if (strcmp(f->returns, "void") != 0)
            assert_int_equal(frame.eax, strcmp(f->returns, "i32") == 0 ? UINT32_MAX : 0);
        checked++;
    }
    assert_in_range(checked, 30, 60);
    assert_int_equal(animesh[0x07E80], 0xC2); /* IMesh2 method 4 is a bare ret 4 */
}

static void CheckTable(int class_bits) {
    bool fxch = (class_bits & CLASS_FXCH) && !(class_bits & CLASS_3DNOW);
    bool sse = class_bits & CLASS_SSE;
    assert_int_equal(Memory_Dword(ngi32 + 0x3A168) != 0, sse);
    uint32_t unknown = Pair_FastProc()[0];
    for (int slot = 0; slot < ABI_NGI32_FASTPROC_COUNT; slot++) {
        uint32_t entry = Pair_FastProc()[slot];
        const AbiFunction *f = Pair_Slot(slot);
        CheckedFrame answer =
            CALL("ngi32.niGetProcAddress", ngi32 + 0x045F0, CONTROL_SINGLE, (uint32_t)slot);
        assert_int_equal(answer.eax, entry);
        if (!f) {
            assert_int_equal(entry, unknown);
            continue;
        }
        assert_int_not_equal(entry, unknown);
        uint32_t rva = sse ? f->rva_sse : fxch && f->rva_fxch ? f->rva_fxch : f->rva;
        if (rva)
            assert_int_equal(entry - P(ngi32), rva);
    }
    assert_int_equal(Pair_FastProc()[17], Pair_FastProc()[22]);
}

TEST(TestForceCpuChoosesTheClass) {
    static const int classes[8] = {[2] = CLASS_SSE,
                                   [3] = CLASS_3DNOW,
                                   [4] = CLASS_SSE | CLASS_3DNOW,
                                   [5] = CLASS_SSE | CLASS_3DNOW | CLASS_FXCH | CLASS_MMX,
                                   [6] = CLASS_SSE | CLASS_3DNOW | CLASS_FXCH,
                                   [7] = CLASS_MMX};
    for (DWORD value = 2; value <= 7; value++) {
        Pair_LoadForced(REG_DWORD, value);
        CheckTable(classes[value]);
        Pair_Unload();
    }
}

static int DetectedClass(void) {
    uint32_t eax, ebx, ecx, edx, vendor[3];
    int bits = 0;
    __asm__("cpuid" : "=a"(eax), "=b"(vendor[0]), "=c"(vendor[2]), "=d"(vendor[1]) : "a"(0));
    __asm__("cpuid" : "=a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx) : "a"(1));
    bits |= edx >> 25 & 1 ? CLASS_SSE : 0;
    bits |= edx >> 23 & 1 ? CLASS_MMX : 0;
    bits |= memcmp(vendor, "GenuineIntel", 12) == 0 && (eax >> 8 & 15) >= 6 ? CLASS_FXCH : 0;
    __asm__("cpuid" : "=a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx) : "a"(0x80000001));
    return bits | (edx >> 31 ? CLASS_3DNOW : 0);
}

TEST(TestOtherForceCpuValuesMeanDetection) {
    static const struct {
        DWORD type, value;
    } cases[] = {{REG_NONE, 0},  {REG_DWORD, 0},          {REG_DWORD, 1},
                 {REG_DWORD, 8}, {REG_DWORD, UINT32_MAX}, {REG_BINARY, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Pair_LoadForced(cases[i].type, cases[i].value);
        CheckTable(DetectedClass());
        Pair_Unload();
    }
}

static uint16_t ControlWord(void) {
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return control;
}

typedef BOOL(WINAPI *DllEntry)(void *module, DWORD reason, void *reserved);

/* The entry is called directly for a thread: what it sets at a thread's start is overwritten when
 * the system loads the thread's first context (seen under Wine 8.0). */
TEST(TestControlWordIsSetAtLoadAndOnThreadAttach) {
    const uint16_t before = 0x0F40; /* round to zero, 64 bits, exceptions unmasked */
    __asm__ volatile("fldcw %0" : : "m"(before));
    Pair_Load("standin");
    uint16_t at_load = ControlWord();
    DllEntry entry =
        (DllEntry)(uintptr_t)(ngi32 + Pair_Headers(ngi32)->OptionalHeader.AddressOfEntryPoint);
    __asm__ volatile("fldcw %0" : : "m"(before));
    BOOL attached = entry(ngi32, DLL_THREAD_ATTACH, NULL);
    uint16_t at_attach = ControlWord();
    __asm__ volatile("fldcw %0" : : "m"(before));
    entry(ngi32, DLL_THREAD_DETACH, NULL);
    uint16_t at_detach = ControlWord();
    __asm__ volatile("fninit");
    assert_true(attached);
    assert_int_equal(at_load, (before & 0xF0FF) | 0x003F);
    assert_int_equal(at_attach, at_load);
    assert_int_equal(at_detach, before);
    Pair_Unload();
}

LOADED_TEST(TestSetFpuControlWord) {
    static const uint16_t words[] = {0x027F, 0x037F, 0x0F7F, 0x0C7F, 0x1340};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        CheckedFrame frame = CALL("ngi32.SetFpuControlWord", ngi32 + 0x06D00, words[i], 0);
        assert_int_equal(frame.environment.control & 0xFFFF, (words[i] & 0xF0FF) | 0x003F);
    }
}
