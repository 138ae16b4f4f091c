/* Makes what the stand-in is assembled and linked from, out of the ABI tables and a variant's text:
 *
 *   standin.inc                 each function's convention, parameters and address for assembly
 *   Ngi32.def, AniMesh.def      the export lists
 *   exports.inc                 code of exports that no row describes (a complete list)
 *   ngi32.ld, animesh.ld        where everything goes
 *   truth.txt, truth.profile,   what was chosen, for tests of what finds it out: exports and bases,
 *   functions.overlay           the readings, the calls and addresses
 *   calls.h                     the same for C programs that call the pair
 *   DLL-names.def, -ordinals    for import libraries
 *
 *   make DIRECTORY [VARIANT.txt]
 */
#include "exports/reading_table.h"
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INVOKED 7 /* the most arguments of `invoke` in entry.inc */

static FILE *OpenOutput(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

/* ---- standin.inc ----------------------------------------------------------------------------- */

static void PrintAddresses(FILE *file, const AbiFunction *f, const char *symbol) {
    fprintf(file, "#define CONV_%s %d\n#define STACK_%s %u\n#define RVA_%s 0x%05X\n", symbol,
            f->convention, symbol, Abi_StackArgumentBytes(f), symbol, f->rva);
    if (f->kind == ABI_SLOT)
        fprintf(file, "#define RVA_FXCH_%s 0x%05X\n#define RVA_SSE_%s 0x%05X\n", symbol,
                f->rva_fxch, symbol, f->rva_sse);
}

/* Prints how a function is called. Functions with equal signatures may share code. */
static void PrintCall(FILE *file, const VariantFunction *function, const char *symbol) {
    fprintf(file, "#define CALL_%s 0x%d%u", symbol, function->abi.convention,
            (unsigned)function->param_count);
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, "%u", function->order[i]);
    fputs("\n", file);
}

static void PrintEntry(FILE *file, const VariantFunction *function, const char *symbol) {
    const AbiFunction *f = &function->abi;
    fprintf(file,
            ".macro enter_%s parameters:vararg\n    prologue\n    parameters_%s \\parameters\n"
            ".endm\n.macro parameters_%s",
            symbol, symbol, symbol);
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, "%s %s", i ? "," : "", Variant_Param(function, i).name);
    fprintf(file, "\n    begin_parameters %d\n", f->convention);
    for (int i = 0; i < function->param_count; i++) {
        VariantParam param = Variant_Param(function, function->order[i]);
        fprintf(file, "    %s_parameter \\%s\n", param.kind == VARIANT_NUMBER ? "float" : "dword",
                param.name);
    }
    fprintf(file, ".endm\n.macro leave_%s\n    epilogue %d, %u\n.endm\n", symbol, f->convention,
            Abi_StackArgumentBytes(f));
}

static void PrintInvocation(FILE *file, const VariantFunction *function, const char *symbol) {
    fprintf(file, ".macro invoke_%s routine", symbol);
    for (int i = 0; i < function->param_count; i++) {
        VariantParam param = Variant_Param(function, i);
        fprintf(file, ", %s_kind, %s", param.name, param.name);
    }
    fprintf(file, "\n    invoke %d, \\routine", function->abi.convention);
    for (int i = 0; i < function->param_count; i++) {
        VariantParam param = Variant_Param(function, function->order[i]);
        fprintf(file, ", \\%s_kind, \\%s", param.name, param.name);
    }
    fputs("\n.endm\n", file);
}

static void MakeAssembly(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "standin.inc");
    fputs(
        "/* Made by tests/standin/make.c from the ABI tables. Do not edit.\n"
        " * CONV (0 cdecl, 1 stdcall, 2 fastcall, 3 thiscall), bytes of STACK arguments and "
        "address\n"
        " * of every function; the macros take the parameters in the tables' order, wherever the\n"
        " * machine's call has them. STANDIN: the choice of each reading "
        "(exports/reading_table.h). */\n",
        file);
    static const char *const symbols[] = {
#define READING_SYMBOL(symbol, name, choices, work, where, evidence) #symbol,
        RETROPOSE_RUNTIME_READINGS(READING_SYMBOL)
#undef READING_SYMBOL
    };
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        fprintf(file, "#define STANDIN_%s %d\n", symbols[i], variant->readings[i]);
    if (variant->class_bits != VARIANT_CLASS_DETECTED)
        fprintf(file, "#define STANDIN_CLASS %d\n", variant->class_bits);
    if (variant->name[0])
        fprintf(file, "#define STANDIN_VARIANT \"%s\"\n", variant->name);
    for (size_t i = 0; i < abi_function_count; i++) {
        const VariantFunction *function = &variant->functions[i];
        if (!Variant_HasSignature(&function->abi))
            continue;
        const char *symbol = Variant_Symbol(&function->abi);
        PrintAddresses(file, &function->abi, symbol);
        PrintCall(file, function, symbol);
        PrintEntry(file, function, symbol);
        if (function->param_count <= MAX_INVOKED)
            PrintInvocation(file, function, symbol);
    }
    fclose(file);
}

/* ---- export lists ---------------------------------------------------------------------------- */

/* For GNU ld `exported = symbol` names the decorated symbol without its leading underscore. */
static void PrintSymbol(FILE *file, const AbiFunction *f) {
    if (f->convention == ABI_STDCALL)
        fprintf(file, "=%s@%u", f->name, Abi_StackArgumentBytes(f));
    else if (f->convention == ABI_FASTCALL)
        fprintf(file, "=@%s@%u", f->name, Abi_StackArgumentBytes(f));
}

static void PrintExport(FILE *file, const VariantExport *row) {
    fprintf(file, "    %s", row->name);
    switch (row->kind) {
    case VARIANT_ROW:
        if (row->function->abi.provider != ABI_DATA)
            PrintSymbol(file, &row->function->abi);
        break;
    case VARIANT_STUB:
        fprintf(file, "=stub_at_0x%05X", variant_stubs[row->stub].rva);
        break;
    case VARIANT_FORWARDER:
        fputs("=KERNEL32.GetTickCount", file);
        break;
    case VARIANT_LIVE:
    case VARIANT_DATA:
        break;
    }
    fprintf(file, " @%d", row->ordinal);
    if (row->nameless)
        fputs(" NONAME", file);
    if (row->kind == VARIANT_DATA ||
        (row->kind == VARIANT_ROW && row->function->abi.provider == ABI_DATA))
        fputs(" DATA", file);
    fputs("\n", file);
}

static void MakeDef(const char *directory, const Variant *variant, AbiModule module) {
    char name[32];
    VariantExport exports[VARIANT_MAX_EXPORTS];
    int count = Variant_Exports(variant, module, exports);
    const char *dll = AbiModule_File(module);
    snprintf(name, sizeof name, "%.*s.def", (int)strcspn(dll, "."), dll);
    FILE *file = OpenOutput(directory, name);
    fprintf(
        file,
        "; Made by tests/standin/make.c from the ABI tables. Do not edit.\nLIBRARY %s\nEXPORTS\n",
        AbiModule_File(module));
    for (int i = 0; i < count; i++)
        PrintExport(file, &exports[i]);
    fclose(file);
}

/* Prints a stub. The no-op of a row may have put the body there already, which the macro allows for
 * (bodies.inc). */
static void PrintStub(FILE *file, const VariantStub *stub) {
    fprintf(file, "    standin_stub 0x%05X, %u, %d\n", stub->rva, stub->pops, stub->clears);
}

static void MakeExports(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "exports.inc");
    VariantExport exports[VARIANT_MAX_EXPORTS];
    int count = Variant_Exports(variant, ABI_NGI32, exports);
    fputs("/* Made by tests/standin/make.c. Do not edit. */\n", file);
    for (int i = 0; variant->exports && i < VARIANT_STUBS; i++)
        PrintStub(file, &variant_stubs[i]);
    for (int i = 0; i < count; i++) {
        if (exports[i].kind == VARIANT_LIVE)
            fprintf(file, "    standin_live _%s, %d, %u\n", exports[i].name, exports[i].ordinal,
                    exports[i].pops);
        if (exports[i].kind == VARIANT_DATA)
            fprintf(file, "    standin_table _%s, %d\n", exports[i].name, exports[i].ordinal);
    }
    fclose(file);
}

/* ---- the truth ------------------------------------------------------------------------------- */

static const char *Build(const Variant *variant) {
    int bits = variant->class_bits;
    return bits == VARIANT_CLASS_DETECTED                                              ? "detected"
           : bits & VARIANT_CLASS_SSE                                                  ? "sse"
           : (bits & (VARIANT_CLASS_FXCH | VARIANT_CLASS_3DNOW)) == VARIANT_CLASS_FXCH ? "fxch"
                                                                                       : "generic";
}

/* Returns the address of the build that the table holds, or 0 if it has no address of its own. */
static uint32_t AddressOf(const Variant *variant, const AbiFunction *f) {
    const char *build = Build(variant);
    uint32_t published = f->rva;
    if (f->kind == ABI_SLOT && strcmp(build, "detected") == 0)
        published = 0;
    if (f->kind == ABI_SLOT && strcmp(build, "fxch") == 0 && f->rva_fxch)
        published = f->rva_fxch;
    if (f->kind == ABI_SLOT && strcmp(build, "sse") == 0)
        published = f->rva_sse;
    return published ? Layout_Code(variant, f->module, published) : 0;
}

/* Returns whether the stand-in has code for the function that returns. */
static bool IsCallable(const AbiFunction *f) {
    if (f->params_evidence == ABI_UNKNOWN)
        return false;
    if (f->kind == ABI_EXPORT)
        return f->provider != ABI_DATA;
    return f->provider == ABI_NATIVE &&
           (f->kind == ABI_SLOT || f->kind == ABI_INTERNAL || f->kind == ABI_METHOD);
}

/* Writes a line of an overlay (docs/formats/overlay.md). */
static void PrintFunctionTruth(FILE *file, const Variant *variant,
                               const VariantFunction *function) {
    const AbiFunction *f = &function->abi;
    if (!IsCallable(f))
        return;
    uint32_t rva = AddressOf(variant, f);
    fprintf(file, "function %s", f->key);
    if (rva)
        fprintf(file, " at 0x%05X", rva);
    if (f->kind == ABI_SLOT && variant->class_bits != VARIANT_CLASS_DETECTED)
        fprintf(file, " build %s", Build(variant));
    fprintf(file, " call %s(", AbiConvention_Name(f->convention));
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, "%s%s", i ? "," : "", Variant_Param(function, function->order[i]).name);
    fputs(") evidence by-hand\n", file);
}

/* The overlay's `module` lines are added when the DLLs are linked (truth.cmake). */
static void MakeOverlay(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "functions.overlay");
    for (size_t i = 0; i < abi_function_count; i++)
        PrintFunctionTruth(file, variant, &variant->functions[i]);
    fclose(file);
}

static const char *ExportKind(const VariantExport *row) {
    switch (row->kind) {
    case VARIANT_STUB:
        return "stub";
    case VARIANT_DATA:
        return "data";
    case VARIANT_FORWARDER:
        return "forwarder";
    case VARIANT_LIVE:
        return "live";
    default:
        return row->function->abi.provider == ABI_DATA ? "data" : "row";
    }
}

static void PrintExportTruth(FILE *file, const Variant *variant, AbiModule module) {
    VariantExport exports[VARIANT_MAX_EXPORTS];
    int count = Variant_Exports(variant, module, exports);
    for (int i = 0; i < count; i++) {
        const VariantExport *row = &exports[i];
        fprintf(file, "export %s %d %s %s", AbiModule_Name(module), row->ordinal,
                row->nameless ? "-" : row->name, ExportKind(row));
        if (row->kind == VARIANT_STUB)
            fprintf(file, " 0x%X %u %d", Layout_Code(variant, module, variant_stubs[row->stub].rva),
                    variant_stubs[row->stub].pops, variant_stubs[row->stub].clears);
        if (row->kind == VARIANT_LIVE)
            fprintf(file, " 0x0 %u", row->pops);
        fputs("\n", file);
    }
}

static void MakeTruth(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "truth.txt");
    fprintf(file,
            "# What the stand-in of this folder is (tests/standin/make.c).\n"
            "# export MODULE ORDINAL NAME KIND [RVA POPS CLEARS-EAX]\n"
            "variant %s\nbuild %s\ntable 0x%X\n",
            variant->name[0] ? variant->name : "default", Build(variant),
            Layout_Data(variant, ABI_NGI32, 0x3A058));
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        fprintf(file, "base %s 0x%X\n", AbiModule_Name((AbiModule)module),
                variant->modules[module].base);
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        PrintExportTruth(file, variant, (AbiModule)module);
    fclose(file);
}

/* ---- for callers ----------------------------------------------------------------------------- */

static const char *CallerType(const VariantFunction *function, int index) {
    VariantParam param = Variant_Param(function, index);
    switch (param.kind) {
    case VARIANT_NUMBER:
        return "float ";
    case VARIANT_INPUT:
        return "const void *";
    case VARIANT_OUTPUT:
        return "void *";
    default:
        return "uint32_t ";
    }
}

static const char *CallerReturn(const AbiFunction *f) {
    return strcmp(f->returns, "void") == 0  ? "void"
           : strcmp(f->returns, "f32") == 0 ? "long double" /* ST0, with all its bits */
                                            : "uint32_t";
}

/* Declares `Call_f(code, ...)` with the parameters in the order of the tables. */
static void PrintCaller(FILE *file, const VariantFunction *function) {
    const AbiFunction *f = &function->abi;
    fprintf(file, "static inline %s Call_%s(const void *code_", CallerReturn(f), Variant_Symbol(f));
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, ", %s%s", CallerType(function, i), Variant_Param(function, i).name);
    fprintf(file, ") {\n    %s((%s(ABI_CC(%s) *)(",
            strcmp(f->returns, "void") == 0 ? "" : "return ", CallerReturn(f),
            AbiConvention_Name(f->convention));
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, "%s%s", i ? ", " : "", CallerType(function, function->order[i]));
    fprintf(file, "%s))(uintptr_t)code_)(", function->param_count ? "" : "void");
    for (int i = 0; i < function->param_count; i++)
        fprintf(file, "%s%s", i ? ", " : "", Variant_Param(function, function->order[i]).name);
    fputs(");\n}\n", file);
}

static void PrintExportRow(FILE *file, const VariantExport *row) {
    uint32_t pops = row->kind == VARIANT_STUB ? variant_stubs[row->stub].pops : row->pops;
    bool clears = row->kind == VARIANT_STUB && variant_stubs[row->stub].clears;
    fprintf(file, " \\\n    X(%d, \"%s\", %s, %u, %d)", row->ordinal,
            row->nameless ? "" : row->name, ExportKind(row), pops, clears);
}

static void MakeCallers(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "calls.h");
    VariantExport exports[VARIANT_MAX_EXPORTS];
    fputs(
        "/* Made by tests/standin/make.c. Do not edit.\n"
        " * How a program calls this stand-in, or what has been put in its place: Call_f with the\n"
        " * parameters in the order of the tables; ADDRESS_f is the published address, RVA_f "
        "where\n"
        " * this stand-in has it (0: nowhere in particular). */\n"
        "#include \"exports/conventions.h\"\n\n#include <stdint.h>\n\n",
        file);
    for (size_t i = 0; i < abi_function_count; i++) {
        const VariantFunction *function = &variant->functions[i];
        const AbiFunction *f = &function->abi;
        if (!IsCallable(f))
            continue;
        fprintf(file, "#define ADDRESS_%s 0x%08X\n#define RVA_%s 0x%05X\n", Variant_Symbol(f),
                f->rva ? 0x10000000 + f->rva : 0, Variant_Symbol(f),
                f->rva ? Layout_Code(variant, f->module, f->rva) : 0);
        PrintCaller(file, function);
    }
    fputs("\n/* X(ordinal, \"name\", kind, bytes popped, clears EAX) of Ngi32.dll */\n"
          "#define STANDIN_EXPORTS(X)",
          file);
    int count = Variant_Exports(variant, ABI_NGI32, exports);
    for (int i = 0; i < count; i++)
        PrintExportRow(file, &exports[i]);
    fputs("\n", file);
    fclose(file);
}

/* Writes what an import library needs: the names or ordinals by which a program asks the loader. */
static void MakeImports(const char *directory, const Variant *variant, AbiModule module,
                        bool by_ordinal) {
    char name[64];
    VariantExport exports[VARIANT_MAX_EXPORTS];
    int count = Variant_Exports(variant, module, exports);
    const char *dll = AbiModule_File(module);
    snprintf(name, sizeof name, "%.*s-%s.def", (int)strcspn(dll, "."), dll,
             by_ordinal ? "ordinals" : "names");
    FILE *file = OpenOutput(directory, name);
    fprintf(file, "LIBRARY %s\nEXPORTS\n", dll);
    for (int i = 0; i < count; i++)
        if (!exports[i].nameless)
            fprintf(file, "    %s @%d%s\n", exports[i].name, exports[i].ordinal,
                    by_ordinal ? " NONAME" : "");
    fclose(file);
}

static void MakeProfile(const char *directory, const Variant *variant) {
    FILE *file = OpenOutput(directory, "truth.profile");
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        fprintf(file, "%s = %s\n", Variant_ReadingName(i), Variant_Choice(variant, i));
    fclose(file);
}

static void MakeLayout(const char *directory, const Variant *variant, AbiModule module) {
    char name[32];
    snprintf(name, sizeof name, "%s.ld", AbiModule_Name(module));
    FILE *file = OpenOutput(directory, name);
    Layout_Print(variant, module, file);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("usage: make DIRECTORY [VARIANT.txt]\n", stderr);
        return 2;
    }
    Variant variant;
    Variant_Read(argc == 3 ? argv[2] : NULL, &variant);
    MakeAssembly(argv[1], &variant);
    MakeExports(argv[1], &variant);
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        MakeDef(argv[1], &variant, (AbiModule)module);
        MakeLayout(argv[1], &variant, (AbiModule)module);
        MakeImports(argv[1], &variant, (AbiModule)module, false);
        MakeImports(argv[1], &variant, (AbiModule)module, true);
    }
    MakeTruth(argv[1], &variant);
    MakeOverlay(argv[1], &variant);
    MakeCallers(argv[1], &variant);
    MakeProfile(argv[1], &variant);
    free(variant.functions);
    return 0;
}
