/* Asks Windows what a completed pair exports: check_completed ORIGINALS OURS WORK
 *
 * Completes the pair in the folder OURS from the pair in the folder ORIGINALS, puts all four files
 * into the folder WORK as an installed game has them, loads the pair and compares every name and
 * ordinal with the originals' own. ORIGINALS `made` is an Ngi32.dll of 145 exports of every kind,
 * made here, without an AniMesh.dll: each of its functions is called, too. */
#include "tests/game/dll_image.h"

#include "game/exports/exports_import.h"
#include "game/install/pe_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define MADE_EXPORTS 145u

static unsigned faults;

static void Fault(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    faults++;
}

static void Stop(const char *what, const RpError *error) {
    printf("%s: %s, %s: expected %s, found %s\n", what, error->what, error->where, error->expected,
           error->found);
    exit(1);
}

/* ---- an original ----------------------------------------------------------------------------- */

static const char *const made_bodies[] = {"C20000", "C20800", "33C0C20400", "33C0C3", "2BC0C21800"};
static DllExport made_exports[MADE_EXPORTS];

static DllExport MakeExport(uint32_t index) {
    static char names[MADE_EXPORTS][24];
    snprintf(names[index], sizeof names[index], "%s%u", index % 2 ? "vrtMade" : "MrnMade",
             index * 7919 % 1000);
    DllExport row = {1 + 2 * index, names[index], DLL_CODE, (uint8_t)(4 * (index % 7)), NULL, NULL};
    if (index % 4 == 3) {
        row.kind = DLL_BODY;
        row.body = made_bodies[index % 5];
        /* one function with a name, and one without */
    } else if (index % 36 == 1 || index % 36 == 21) {
        row.kind = DLL_DATA;
    } else if (index % 36 == 2) {
        row.kind = DLL_FORWARDER;
        row.forwarder = "KERNEL32.GetTickCount";
    }
    if (index % 3 == 0)
        row.name = NULL;
    return row;
}

static size_t MakeOriginal(uint8_t *image) {
    const DllSpec spec = {"Ngi32.dll", made_exports, MADE_EXPORTS, 0, 0};
    for (uint32_t i = 0; i < MADE_EXPORTS; i++)
        made_exports[i] = MakeExport(i);
    /* an export that our DLL also has, and a second name for the same function */
    made_exports[10].name = "ngiAlloc";
    made_exports[11].ordinal = made_exports[10].ordinal;
    made_exports[11].name = "ngiAllocToo";
    made_exports[11].kind = DLL_CODE;
    made_exports[11].pops = 4;
    return DllImage_Make(&spec, image);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void WriteBytes(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static PeFile Load(const char *folder, const char *name) {
    char path[MAX_PATH];
    PeFile pe;
    RpError error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (Pe_Load(path, &pe, &error))
        Stop(path, &error);
    return pe;
}

static PeFile LoadOriginal(const char *folder, AbiModule module) {
    static uint8_t image[DLL_MAX_BYTES];
    PeFile pe;
    RpError error;
    if (strcmp(folder, "made") != 0)
        return Load(folder, AbiModule_File(module));
    if (Pe_Open(image, MakeOriginal(image), "made", &pe, &error))
        Stop("made", &error);
    return pe;
}

static const char *RetailName(AbiModule module) {
    return module == ABI_NGI32 ? "Ngi32.retail.dll" : "AniMesh.retail.dll";
}

static void Install(const char *ours_folder, const PeFile *original, AbiModule module,
                    const char *work) {
    PeFile ours = Load(ours_folder, AbiModule_File(module));
    RpBuffer out;
    RpError error;
    RpBuffer_Init(&out, NULL);
    if (PeWriter_Complete(&ours, original, module, &out, &error))
        Stop("completing", &error);
    WriteBytes(work, AbiModule_File(module), out.bytes, out.size);
    WriteBytes(work, RetailName(module), original->bytes, original->size);
    RpBuffer_Free(&out);
    Pe_Close(&ours);
}

/* ---- what Windows says ----------------------------------------------------------------------- */

typedef struct Pair {
    const PeFile *original;
    AbiModule module;
    HMODULE ours, retail;
    bool made;
} Pair;

static const uint8_t *At(HMODULE module, uint32_t ordinal) {
    return (const uint8_t *)(uintptr_t)GetProcAddress(module, (const char *)(uintptr_t)ordinal);
}

static const uint8_t *Named(HMODULE module, const char *name) {
    return (const uint8_t *)(uintptr_t)GetProcAddress(module, name);
}

static bool IsIn(HMODULE module, const uint8_t *address) {
    MEMORY_BASIC_INFORMATION page;
    return VirtualQuery(address, &page, sizeof page) == sizeof page &&
           page.AllocationBase == (void *)module;
}

static bool IsExecutable(const uint8_t *address) {
    MEMORY_BASIC_INFORMATION page;
    return VirtualQuery(address, &page, sizeof page) == sizeof page &&
           page.Protect & (PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_WRITECOPY);
}

/* Returns the target of jmp *[target], with which every export of ours begins, or null for anything
 * else. */
static const uint8_t *GateTarget(const uint8_t *gate) {
    const uint8_t *const *target;
    if (gate[0] != 0xFF || gate[1] != 0x25)
        return NULL;
    memcpy(&target, gate + 2, sizeof target);
    return *target;
}

static bool IsRowOfOurs(AbiModule module, const char *name) {
    for (size_t i = 0; name && i < abi_function_count; i++)
        if (abi_functions[i].module == module && abi_functions[i].kind == ABI_EXPORT &&
            strcmp(abi_functions[i].name, name) == 0)
            return true;
    return false;
}

static const char *Called(const OverlayExport *row, char buffer[16]) {
    snprintf(buffer, 16, "#%u", row->ordinal);
    return row->name[0] ? row->name : buffer;
}

/* Pushes 256 bytes of arguments, calls, and reports how many were taken off the stack. */
static uint32_t CallPushed(const void *code, uint32_t *popped) {
    uint32_t eax = 0x12345678, taken;
    __asm__ volatile("movl %%esp, %%esi\n\t"
                     "subl $256, %%esp\n\t"
                     "movl %%esp, %%edi\n\t"
                     "call *%2\n\t"
                     "subl %%esp, %%edi\n\t"
                     "movl %%esi, %%esp\n\t"
                     "negl %%edi"
                     : "+a"(eax), "=&D"(taken)
                     : "b"(code)
                     : "ecx", "edx", "esi", "memory", "cc");
    *popped = taken;
    return eax;
}

static void CompareCalls(const Pair *pair, const OverlayExport *row, const uint8_t *found) {
    char name[16];
    uint32_t popped, expected_popped;
    uint32_t eax = CallPushed(found, &popped);
    uint32_t expected = CallPushed(At(pair->retail, row->ordinal), &expected_popped);
    if (eax != expected || popped != expected_popped)
        Fault("%s returns 0x%X and pops %u bytes; the original 0x%X and %u", Called(row, name), eax,
              popped, expected, expected_popped);
}

static void CheckCode(const Pair *pair, const OverlayExport *row, const uint8_t *found) {
    char name[16];
    if (!IsIn(pair->ours, found) || !IsExecutable(found))
        Fault("%s is not in our code", Called(row, name));
    else if (IsRowOfOurs(pair->module, row->name[0] ? row->name : NULL))
        return;
    else if (GateTarget(found) != At(pair->retail, row->ordinal))
        Fault("%s does not lead to the original's", Called(row, name));
    else if (pair->made)
        CompareCalls(pair, row, found);
}

static void CheckExport(const Pair *pair, const OverlayExport *row) {
    char name[16];
    const uint8_t *found = At(pair->ours, row->ordinal);
    bool table = row->kind == OVERLAY_DATA && strcmp(row->name, "g_FastProc") == 0;
    if (!found)
        Fault("%s is not found by ordinal %u", Called(row, name), row->ordinal);
    else if (row->name[0] && Named(pair->ours, row->name) != found)
        Fault("%s and ordinal %u differ", row->name, row->ordinal);
    else if (table && (!IsIn(pair->ours, found) || IsExecutable(found)))
        Fault("g_FastProc is not our table");
    else if (!table && (row->kind == OVERLAY_DATA || row->kind == OVERLAY_FORWARDER) &&
             found != At(pair->retail, row->ordinal))
        Fault("%s is not the original's", Called(row, name));
    else if (row->kind == OVERLAY_CODE || row->kind == OVERLAY_STUB)
        CheckCode(pair, row, found);
}

/* Checks that nothing can be found that the original does not have, except for our own exports. */
static void CheckNothingElse(const Pair *pair, const Overlay *list) {
    for (uint32_t ordinal = 1; ordinal < 2000; ordinal++)
        if (!Overlay_FindOrdinal(list, pair->module, ordinal) && At(pair->ours, ordinal))
            Fault("ordinal %u is found", ordinal);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *function = &abi_functions[i];
        if (function->module == pair->module && function->kind == ABI_EXPORT &&
            !Overlay_FindExport(list, pair->module, function->name) &&
            Named(pair->ours, function->name))
            Fault("%s is found", function->name);
    }
    if (!Named(pair->ours, "RetroposeInternal") || !Named(pair->ours, "RetroposeGates"))
        Fault("an export of our own is not found");
}

static HMODULE LoadByPath(const char *work, const char *name) {
    char path[MAX_PATH], full[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", work, name);
    GetFullPathNameA(path, sizeof full, full, NULL);
    HMODULE module = LoadLibraryExA(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!module) {
        printf("%s cannot be loaded: %lu\n", full, GetLastError());
        exit(1);
    }
    return module;
}

static void Check(const PeFile *original, AbiModule module, const char *work, bool made) {
    Pair pair = {original, module, LoadByPath(work, AbiModule_File(module)),
                 LoadByPath(work, RetailName(module)), made};
    Overlay list;
    RpError error;
    Overlay_Init(&list, NULL);
    if (ExportsImport_Read(original, module, &list, &error))
        Stop("the list", &error);
    for (size_t i = 0; i < list.export_count; i++)
        CheckExport(&pair, &list.exports[i]);
    CheckNothingElse(&pair, &list);
    printf("%s: %zu names and ordinals\n", AbiModule_File(module), list.export_count);
    Overlay_Free(&list);
}

int main(int count, char **words) {
    if (count != 4)
        return 2;
    bool made = strcmp(words[1], "made") == 0;
    AbiModule last = made ? ABI_NGI32 : ABI_ANIMESH;
    PeFile originals[ABI_MODULE_COUNT];
    CreateDirectoryA(words[3], NULL);
    for (int i = 0; i <= (int)last; i++) {
        originals[i] = LoadOriginal(words[1], (AbiModule)i);
        Install(words[2], &originals[i], (AbiModule)i, words[3]);
    }
    for (int i = 0; i <= (int)last; i++)
        Check(&originals[i], (AbiModule)i, words[3], made);
    printf("%u faults\n", faults);
    return faults ? 1 : 0;
}
