/* Compares the built DLLs with the ABI tables, and tests the comparison itself on altered copies of
 * them. */
#include "check.h"
#include "core/bytes.h"
#include "returns.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77 /* ctest's SKIP_RETURN_CODE */

static const char *windows_build; /* folder with replacement/, standin/ and standin-wxyz/ */

static const struct Built {
    const char *folder;
    AbiModule module;
    Role role;
} built[] = {
    {"replacement", ABI_NGI32, ROLE_REPLACEMENT}, {"replacement", ABI_ANIMESH, ROLE_REPLACEMENT},
    {"standin", ABI_NGI32, ROLE_STANDIN},         {"standin", ABI_ANIMESH, ROLE_STANDIN},
    {"standin-wxyz", ABI_NGI32, ROLE_STANDIN},    {"standin-wxyz", ABI_ANIMESH, ROLE_STANDIN},
};

static void BuiltPath(const struct Built *dll, char *path, size_t size) {
    snprintf(path, size, "%s/%s/%s", windows_build, dll->folder, AbiModule_File(dll->module));
}

static void Load(const struct Built *dll, PeFile *pe) {
    char path[1024], text[600];
    RpError error;
    BuiltPath(dll, path, sizeof path);
    if (Pe_Load(path, pe, &error) != RP_OK) {
        RpError_Format(&error, text, sizeof text);
        fail_msg("%s", text);
    }
}

static size_t RowCount(const struct Built *dll) {
    size_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++)
        if (abi_functions[i].module == dll->module &&
            (abi_functions[i].kind == ABI_EXPORT ||
             (abi_functions[i].kind == ABI_OWN_EXPORT && dll->role == ROLE_REPLACEMENT)))
            count++;
    return count;
}

/* Returns the number of slots and internal functions that are checked: each at least once, and
 * slots once for each build. */
static size_t FunctionCount(const struct Built *dll) {
    size_t count = 0;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module == dll->module && f->provider != ABI_ABSENT &&
            (f->provider != ABI_NATIVE_ONLY || dll->role == ROLE_REPLACEMENT) &&
            (f->kind == ABI_INTERNAL ||
             (f->kind == ABI_SLOT &&
              (dll->role == ROLE_REPLACEMENT || f->rva | f->rva_fxch | f->rva_sse))))
            count++;
    }
    return count;
}

TEST(BuiltDllsEqualTheTables) {
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        PeFile pe;
        Faults faults = {0};
        CheckCounts counts = {0};
        Load(&built[i], &pe);
        Check_Dll(&pe, built[i].module, built[i].role, &faults, &counts);
        print_message("%s/%s: %zu exports, %zu slot builds and internal functions, %zu return "
                      "instructions, %zu imports compared\n",
                      built[i].folder, AbiModule_File(built[i].module), counts.exports,
                      counts.functions, counts.returns, counts.imports);
        if (faults.count > 0)
            Faults_Print(&faults);
        assert_int_equal(faults.count, 0);
        assert_int_equal(counts.exports, RowCount(&built[i]));
        assert_int_equal(pe.export_count, counts.exports);
        assert_true(counts.functions >= FunctionCount(&built[i]));
        assert_true(counts.returns >= counts.functions);
        Pe_Close(&pe);
    }
}

/* ---- planted faults -------------------------------------------------------------------------- */

/* Returns the byte of the file behind an address of the image, for writing. */
static uint8_t *At(const PeFile *pe, uint8_t *bytes, uint32_t rva) {
    const uint8_t *found = Pe_At(pe, rva, 4);
    assert_non_null(found);
    return bytes + (found - pe->bytes);
}

static uint8_t *ExportDirectory(const PeFile *pe, uint8_t *bytes) {
    uint32_t optional = Bytes_U32(bytes + 0x3C) + 24;
    return At(pe, bytes, Bytes_U32(bytes + optional + 96));
}

static uint8_t *AddressEntry(const PeFile *pe, uint8_t *bytes, uint32_t ordinal) {
    uint8_t *directory = ExportDirectory(pe, bytes);
    uint32_t base = Bytes_U32(directory + 16), addresses = Bytes_U32(directory + 28);
    assert_true(ordinal >= base && ordinal - base < Bytes_U32(directory + 20));
    return At(pe, bytes, addresses + 4 * (ordinal - base));
}

static uint32_t OrdinalOf(const char *key) {
    const AbiFunction *f = Abi_Find(key);
    assert_non_null(f);
    return (uint32_t)f->index;
}

static void ReplaceText(const PeFile *pe, uint8_t *bytes, const char *from, const char *to) {
    size_t length = strlen(from) + 1, replaced = 0;
    assert_int_equal(strlen(to) + 1, length);
    for (size_t at = 0; at + length <= pe->size; at++)
        if (memcmp(pe->bytes + at, from, length) == 0) {
            memcpy(bytes + at, to, length);
            replaced++;
        }
    assert_true(replaced > 0);
}

static void RenameExport(const PeFile *pe, uint8_t *bytes) {
    ReplaceText(pe, bytes, "vrtTextOut", "vrtTextOuu");
}

static void DecorateExport(const PeFile *pe, uint8_t *bytes) {
    ReplaceText(pe, bytes, "vrtTextOut", "vrtText@24");
}

static void ShiftOrdinals(const PeFile *pe, uint8_t *bytes) {
    uint8_t *base = ExportDirectory(pe, bytes) + 16;
    Bytes_PutU32(base, Bytes_U32(base) + 1);
}

static void AddNamelessExport(const PeFile *pe, uint8_t *bytes) {
    uint8_t *entry = AddressEntry(pe, bytes, 999); /* free: the provisional ones begin at 1000 */
    assert_int_equal(Bytes_U32(entry), 0);
    Bytes_PutU32(entry, Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.ngiAlloc"))));
}

static void RemoveExport(const PeFile *pe, uint8_t *bytes) {
    uint8_t *names = ExportDirectory(pe, bytes) + 24;
    Bytes_PutU32(names, Bytes_U32(names) - 1); /* the last name, which is vrtTextOut */
}

static void ForwardExport(const PeFile *pe, uint8_t *bytes) {
    uint32_t name = Bytes_U32(ExportDirectory(pe, bytes) + 12);
    Bytes_PutU32(AddressEntry(pe, bytes, OrdinalOf("ngi32.ngiAlloc")), name);
}

static void TableIntoCode(const PeFile *pe, uint8_t *bytes) {
    Bytes_PutU32(AddressEntry(pe, bytes, OrdinalOf("ngi32.g_FastProc")),
                 Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.ngiAlloc"))));
}

static void CodeIntoTable(const PeFile *pe, uint8_t *bytes) {
    Bytes_PutU32(AddressEntry(pe, bytes, OrdinalOf("ngi32.ngiAlloc")),
                 Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.g_FastProc"))));
}

static void MoveExport(const PeFile *pe, uint8_t *bytes) {
    Bytes_PutU32(AddressEntry(pe, bytes, OrdinalOf("ngi32.vrtPutDib")),
                 Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.vrtTextOut"))));
}

static void PopTooMuch(const PeFile *pe, uint8_t *bytes) {
    uint32_t entry = Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.vrtTextOut")));
    Symbols symbols = {0};
    CodeWalk *walk = CodeWalk_New(pe, &symbols);
    Returns returns;
    CodeWalk_FindReturns(walk, entry, &returns);
    CodeWalk_Free(walk);
    assert_int_equal(returns.popped[0], 24);
    At(pe, bytes, returns.rva[0])[1] = 28;
}

static void ImportRuntime(const PeFile *pe, uint8_t *bytes) {
    ReplaceText(pe, bytes, "KERNEL32.dll", "msvcrt40.dll");
}

static void RenameModule(const PeFile *pe, uint8_t *bytes) {
    ReplaceText(pe, bytes, "Ngi32.dll", "Ngi33.dll");
}

static void BreakInstruction(const PeFile *pe, uint8_t *bytes) {
    uint32_t entry = Bytes_U32(AddressEntry(pe, bytes, OrdinalOf("ngi32.ngiAlloc")));
    memset(At(pe, bytes, entry), 0xFF, 2); /* no instruction */
}

static void EraseStandinSlot(const PeFile *pe, uint8_t *bytes) {
    uint8_t *code = At(pe, bytes, Abi_Find("ngi32.slot14")->rva_sse);
    memcpy(code, "\xC2\x7C\x00", 3); /* ret 124 */
}

static void EraseSlot(const PeFile *pe, uint8_t *bytes) {
    Symbols symbols;
    assert_true(Symbols_Read(pe, &symbols));
    for (size_t i = 0; i < symbols.count; i++) {
        char name[64];
        Symbol_Plain(&symbols.rows[i], name, sizeof name);
        if (strcmp(name, "Slot38Sse") == 0)
            memcpy(At(pe, bytes, symbols.rows[i].rva), "\xC2\x78\x00", 3); /* ret 120 */
    }
    Symbols_Free(&symbols);
}

static void RenameSlot(const PeFile *pe, uint8_t *bytes) {
    ReplaceText(pe, bytes, "@Slot38Generic@4", "@Slot39Generic@4");
}

static void TestDoctored(const struct Built *dll, const char *expected,
                         void (*doctor)(const PeFile *pe, uint8_t *bytes)) {
    PeFile original, doctored;
    RpError error;
    Faults faults = {0};
    CheckCounts counts = {0};
    Load(dll, &original);
    uint8_t *bytes = malloc(original.size);
    assert_non_null(bytes);
    memcpy(bytes, original.bytes, original.size);
    doctor(&original, bytes);
    assert_int_equal(Pe_Open(bytes, original.size, "doctored", &doctored, &error), RP_OK);
    Check_Dll(&doctored, dll->module, dll->role, &faults, &counts);
    if (!Faults_Mention(&faults, expected)) {
        Faults_Print(&faults);
        fail_msg("planted in %s/%s and not found: %s", dll->folder, AbiModule_File(dll->module),
                 expected);
    }
    Pe_Close(&doctored);
    Pe_Close(&original);
    free(bytes);
}

TEST(PlantedFaultsAreFound) {
    static const struct Plant {
        const char *expected;
        void (*doctor)(const PeFile *pe, uint8_t *bytes);
        enum { BOTH, REPLACEMENT, STANDIN } in;
    } plants[] = {
        {"ngi32.vrtTextOut: not exported", RenameExport, BOTH},
        {"vrtTextOuu: exported, and in no row", RenameExport, BOTH},
        {"vrtText@24: a decorated name", DecorateExport, BOTH},
        {"ngi32.ngiAlloc: ordinal 55, 54 expected", ShiftOrdinals, BOTH},
        {"ordinal 999: a nameless export", AddNamelessExport, BOTH},
        {"ngi32.vrtTextOut: not exported", RemoveExport, BOTH},
        {"ngi32.ngiAlloc: forwarded to Ngi32.dll", ForwardExport, BOTH},
        {"ngi32.g_FastProc: data in a code section", TableIntoCode, BOTH},
        {"ngi32.ngiAlloc: code outside the code sections", CodeIntoTable, BOTH},
        {"ngi32.vrtTextOut: ret 28", PopTooMuch, BOTH},
        {"of msvcrt40.dll, which is not allowed", ImportRuntime, BOTH},
        {"calls itself Ngi33.dll", RenameModule, BOTH},
        {"ngi32.ngiAlloc at 0x", BreakInstruction, BOTH},
        {"ngi32.vrtPutDib: ret 24", MoveExport, BOTH},
        {"ngi32.vrtPutDib: at 0x2600, published is 0x25A0", MoveExport, STANDIN},
        {"ngi32.slot14: ret 124", EraseStandinSlot, STANDIN},
        {"ngi32.slot38: ret 120", EraseSlot, REPLACEMENT},
        {"ngi32.slot38: no function Slot38Generic", RenameSlot, REPLACEMENT},
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        if (plants[i].in != STANDIN)
            TestDoctored(&built[0], plants[i].expected, plants[i].doctor);
        if (plants[i].in != REPLACEMENT)
            TestDoctored(&built[2], plants[i].expected, plants[i].doctor);
    }
}

/* A stand-in that is checked as a replacement, or the reverse, is a fault, too. */
TEST(RolesAreToldApart) {
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        struct Built swapped = built[i];
        PeFile pe;
        Faults faults = {0};
        CheckCounts counts = {0};
        Load(&built[i], &pe);
        swapped.role = built[i].role == ROLE_STANDIN ? ROLE_REPLACEMENT : ROLE_STANDIN;
        Check_Dll(&pe, swapped.module, swapped.role, &faults, &counts);
        assert_true(Faults_Mention(&faults, ".standin"));
        Pe_Close(&pe);
    }
}

static bool AllBuilt(void) {
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        char path[1024];
        BuiltPath(&built[i], path, sizeof path);
        FILE *file = fopen(path, "rb");
        if (!file) {
            fprintf(stderr, "skipped: no %s (build the preset `windows` first)\n", path);
            return false;
        }
        fclose(file);
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: exports WINDOWS-BUILD-DIRECTORY\n", stderr);
        return 2;
    }
    windows_build = argv[1];
    if (!AllBuilt())
        return SKIPPED;
    return Tests_Run();
}
