#include "check.h"

#include "exports/animesh.abi.h"
#include "exports/ngi32.abi.h"
#include "exports/section.h"
#include "returns.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PE_DLL             0x2000u
#define PE_RELOCS_STRIPPED 0x0001u

__attribute__((format(printf, 2, 3))) static void Fault(Faults *faults, const char *format, ...) {
    if (faults->count < FAULTS_KEPT) {
        char *line = faults->lines[faults->count];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof faults->lines[0], format, arguments);
        va_end(arguments);
    }
    faults->count++;
}

static size_t Kept(const Faults *faults) {
    return faults->count < FAULTS_KEPT ? faults->count : FAULTS_KEPT;
}

bool Faults_Mention(const Faults *faults, const char *text) {
    for (size_t i = 0; i < Kept(faults); i++)
        if (strstr(faults->lines[i], text))
            return true;
    return false;
}

void Faults_Print(const Faults *faults) {
    for (size_t i = 0; i < Kept(faults); i++)
        fprintf(stderr, "  %s\n", faults->lines[i]);
    if (faults->count > FAULTS_KEPT)
        fprintf(stderr, "  ... and %zu more\n", faults->count - FAULTS_KEPT);
}

typedef struct Check {
    const PeFile *pe;
    AbiModule module;
    Role role;
    Symbols symbols;
    CodeWalk *walk;
    Faults *faults;
    CheckCounts *counts;
} Check;

static bool IsExport(const Check *check, const AbiFunction *f) {
    return f->module == check->module &&
           (f->kind == ABI_EXPORT ||
            (f->kind == ABI_OWN_EXPORT && check->role == ROLE_REPLACEMENT));
}

static bool IsExecutable(const PeFile *pe, uint32_t rva) {
    const PeSection *section = Pe_SectionAt(pe, rva);
    return section && (section->characteristics & PE_SECTION_EXECUTABLE);
}

static bool MayNeverReturn(const AbiFunction *f) {
    return f->provider == ABI_FATAL || strstr(f->note, "never returns");
}

/* Checks that every `ret n` that the code can reach takes as many bytes off the stack as the row's
 * signature has arguments. */
static void CheckReturns(const Check *check, const AbiFunction *f, uint32_t rva) {
    uint32_t expected = f->convention == ABI_CDECL ? 0 : Abi_StackArgumentBytes(f);
    Returns returns;
    CodeWalk_FindReturns(check->walk, rva, &returns);
    if (returns.lost_at)
        Fault(check->faults, "%s at 0x%X: its code cannot be followed at 0x%X", f->key, rva,
              returns.lost_at);
    if (returns.count == 0 && returns.lost_at == 0 && !MayNeverReturn(f))
        Fault(check->faults, "%s at 0x%X: never returns", f->key, rva);
    for (size_t i = 0; i < returns.count && i < RETURNS_KEPT; i++) {
        check->counts->returns++;
        if (returns.popped[i] != expected)
            Fault(check->faults, "%s: ret %u at 0x%X, %u expected", f->key, returns.popped[i],
                  returns.rva[i], expected);
    }
}

static void CheckData(const Check *check, const AbiFunction *f, const PeExport *export) {
    const PeSection *section = Pe_SectionAt(check->pe, export->rva);
    uint32_t size = f->kind == ABI_OWN_EXPORT ? sizeof(ExportGates) : 4 * ABI_NGI32_FASTPROC_COUNT;
    if (!section || (section->characteristics & PE_SECTION_EXECUTABLE))
        Fault(check->faults, "%s: data in a code section", f->key);
    else if (!(section->characteristics & PE_SECTION_WRITABLE))
        Fault(check->faults, "%s: data in a read-only section", f->key);
    else if (section->rva + section->virtual_size - export->rva < size)
        Fault(check->faults, "%s: not %u bytes before its section ends", f->key, size);
}

static void CheckExport(const Check *check, const AbiFunction *f) {
    const PeExport *export = Pe_FindExport(check->pe, f->name);
    if (!export) {
        Fault(check->faults, "%s: not exported", f->key);
        return;
    }
    check->counts->exports++;
    if (export->ordinal != (uint32_t)f->index)
        Fault(check->faults, "%s: ordinal %u, %d expected", f->key, export->ordinal, f->index);
    if (check->role == ROLE_STANDIN && f->rva && export->rva != f->rva)
        Fault(check->faults, "%s: at 0x%X, published is 0x%X", f->key, export->rva, f->rva);
    if (export->forwarder)
        Fault(check->faults, "%s: forwarded to %s", f->key, export->forwarder);
    else if (f->provider == ABI_DATA)
        CheckData(check, f, export);
    else if (!IsExecutable(check->pe, export->rva))
        Fault(check->faults, "%s: code outside the code sections", f->key);
    else
        CheckReturns(check, f, export->rva);
}

static bool InTable(const Check *check, const char *name) {
    for (size_t i = 0; i < abi_function_count; i++)
        if (IsExport(check, &abi_functions[i]) && strcmp(abi_functions[i].name, name) == 0)
            return true;
    return false;
}

static void CheckNothingElse(const Check *check) {
    const PeFile *pe = check->pe;
    for (size_t i = 0; i < pe->export_count; i++) {
        const char *name = pe->exports[i].name;
        if (!name)
            Fault(check->faults, "ordinal %u: a nameless export that no row has",
                  pe->exports[i].ordinal);
        else if (strpbrk(name, "@_") == name || strchr(name, '@'))
            Fault(check->faults, "%s: a decorated name", name);
        else if (!InTable(check, name))
            Fault(check->faults, "%s: exported, and in no row", name);
        if (i > 0 && name && pe->exports[i - 1].name && strcmp(pe->exports[i - 1].name, name) >= 0)
            Fault(check->faults, "%s: names unsorted, the loader would miss it", name);
    }
}

/* Returns whether a DLL may import a module. It may import the system's own modules, and AniMesh
 * our other half. A C runtime is not allowed, because its arithmetic would be Wine's on one machine
 * and Microsoft's on another. */
static bool MayImport(AbiModule module, const char *imported) {
    static const char *const allowed[][4] = {
        [ABI_NGI32] = {"KERNEL32.dll", "USER32.dll", "ADVAPI32.dll"},
        [ABI_ANIMESH] = {"KERNEL32.dll", "Ngi32.dll"},
    };
    for (size_t i = 0; i < sizeof allowed[0] / sizeof *allowed[0] && allowed[module][i]; i++)
        if (strcasecmp(allowed[module][i], imported) == 0)
            return true;
    return false;
}

static bool IsNgi32Export(const PeImport *import) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module == ABI_NGI32 && f->kind == ABI_EXPORT &&
            (import->name ? strcmp(f->name, import->name) == 0 : f->index == import->ordinal))
            return true;
    }
    return false;
}

static void CheckImports(const Check *check) {
    for (size_t i = 0; i < check->pe->import_count; i++) {
        const PeImport *import = &check->pe->imports[i];
        check->counts->imports++;
        if (!MayImport(check->module, import->module))
            Fault(check->faults, "imports %s of %s, which is not allowed",
                  import->name ? import->name : "an ordinal", import->module);
        else if (strcasecmp(import->module, "Ngi32.dll") == 0 && !IsNgi32Export(import))
            Fault(check->faults, "imports %s (ordinal %u) of Ngi32.dll, which no row has",
                  import->name ? import->name : "?", import->ordinal);
    }
}

/* Returns whether the file contains this address anywhere: in a table of pointers or in an
 * instruction. */
static bool IsMentioned(const PeFile *pe, uint32_t rva) {
    uint32_t address = pe->image_base + rva;
    for (size_t i = 0; i < pe->section_count; i++) {
        const PeSection *section = &pe->sections[i];
        uint32_t size = section->file_size;
        const uint8_t *bytes = Pe_At(pe, section->rva, size);
        for (uint32_t at = 0; bytes && at + 4 <= size; at++)
            if (memcmp(bytes + at, &address, 4) == 0)
                return true;
    }
    return false;
}

static void CheckAddress(const Check *check, const AbiFunction *f, uint32_t rva) {
    if (!rva)
        return;
    check->counts->functions++;
    if (!IsExecutable(check->pe, rva)) {
        Fault(check->faults, "%s: no code at the published 0x%X", f->key, rva);
        return;
    }
    CheckReturns(check, f, rva);
    if (f->kind == ABI_SLOT && !IsMentioned(check->pe, rva))
        Fault(check->faults, "%s: 0x%X is not put into g_FastProc", f->key, rva);
}

/* Checks the stand-in's functions that are not exported: every published version has its code in
 * place. */
static void CheckAddresses(const Check *check) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != check->module || f->provider == ABI_ABSENT ||
            f->provider == ABI_NATIVE_ONLY || (f->kind != ABI_SLOT && f->kind != ABI_INTERNAL))
            continue;
        CheckAddress(check, f, f->rva);
        CheckAddress(check, f, f->rva_fxch);
        CheckAddress(check, f, f->rva_sse);
    }
}

/* Checks a function of the replacement, which has no fixed address and is found by its symbol. */
static void CheckSymbol(const Check *check, const AbiFunction *f, const char *wanted) {
    char name[sizeof check->symbols.rows->name];
    for (size_t i = 0; i < check->symbols.count; i++) {
        const Symbol *symbol = &check->symbols.rows[i];
        Symbol_Plain(symbol, name, sizeof name);
        if (symbol->function && strcmp(name, wanted) == 0) {
            check->counts->functions++;
            CheckReturns(check, f, symbol->rva);
            return;
        }
    }
    Fault(check->faults, "%s: no function %s", f->key, wanted);
}

static void CheckSymbols(const Check *check) {
    static const char *const builds[] = {"Generic", "Fxch", "Sse"};
    char name[80];
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != check->module || f->provider == ABI_ABSENT)
            continue;
        for (size_t k = 0; f->kind == ABI_SLOT && k < sizeof builds / sizeof *builds; k++) {
            snprintf(name, sizeof name, "Slot%d%s", f->index, builds[k]);
            CheckSymbol(check, f, name);
        }
        if (f->kind == ABI_INTERNAL) {
            snprintf(name, sizeof name, "%s%s", f->module == ABI_ANIMESH ? "AniMesh_" : "",
                     f->name);
            CheckSymbol(check, f, name);
        }
    }
}

static void CheckImage(const Check *check) {
    static const uint32_t bases[] = {ABI_NGI32_IMAGE_BASE, ABI_ANIMESH_IMAGE_BASE};
    const PeFile *pe = check->pe;
    const char *file = AbiModule_File(check->module);
    if (!(pe->characteristics & PE_DLL))
        Fault(check->faults, "not a DLL");
    if (pe->characteristics & PE_RELOCS_STRIPPED) /* both modules want the same image base */
        Fault(check->faults, "cannot be relocated");
    if (!pe->export_name || strcmp(pe->export_name, file) != 0)
        Fault(check->faults, "calls itself %s, %s expected",
              pe->export_name ? pe->export_name : "nothing", file);
    if (check->role == ROLE_STANDIN && pe->image_base != bases[check->module])
        Fault(check->faults, "image base 0x%X, 0x%X expected", pe->image_base,
              bases[check->module]);
    if ((check->role == ROLE_STANDIN) != (Pe_FindSection(pe, ".standin") != NULL))
        Fault(check->faults, "the section .standin is the stand-in's mark, and only its");
}

static void CheckAll(const Check *check) {
    CheckImage(check);
    for (size_t i = 0; i < abi_function_count; i++)
        if (IsExport(check, &abi_functions[i]))
            CheckExport(check, &abi_functions[i]);
    CheckNothingElse(check);
    CheckImports(check);
    (check->role == ROLE_STANDIN ? CheckAddresses : CheckSymbols)(check);
}

void Check_Dll(const PeFile *pe, AbiModule module, Role role, Faults *faults, CheckCounts *counts) {
    Check check = {.pe = pe, .module = module, .role = role, .faults = faults, .counts = counts};
    if (Symbols_Read(pe, &check.symbols) && (check.walk = CodeWalk_New(pe, &check.symbols)))
        CheckAll(&check);
    else
        Fault(faults, "no memory, or a symbol table outside the file");
    CodeWalk_Free(check.walk);
    Symbols_Free(&check.symbols);
}
