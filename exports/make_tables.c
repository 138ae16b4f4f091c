/* Makes everything that restates the ABI tables: prototypes.h, slot-bodies.h, slot-entries.h and
 * native-calls.h, the .def files, gates-*.inc and gates-*.h, abi.md and native.md. Runs on the
 * build machine, so that a cross build and -D overrides of conventions.h need no second
 * description. The stand-in has its own: tests/standin/make.c.
 *
 *   make DIRECTORY
 */
#include "exports/abi.h"

#include "exports/animesh.abi.h"
#include "exports/call_graph.h"
#include "exports/ngi32.abi.h"
#include "exports/reading_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_METHODS = 64,
    MOST_COLUMNS = 100
}; /* methods of an interface; columns of a line of text */

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

static bool HasSignature(const AbiFunction *f) {
    if (f->kind == ABI_METHOD)
        return f->params_evidence != ABI_UNKNOWN;
    return f->provider != ABI_DATA && f->provider != ABI_ABSENT;
}

/* Turns "ngi32.slot17" into "ngi32_slot17". */
static const char *Symbol(const AbiFunction *f) {
    static char symbol[128];
    snprintf(symbol, sizeof symbol, "%s", f->key);
    for (char *c = symbol; *c; c++)
        if (*c == '.')
            *c = '_';
    return symbol;
}

static const char *ReturnType(const char *returns) {
    if (strcmp(returns, "void") == 0)
        return "void";
    if (strcmp(returns, "i32") == 0)
        return "int32_t";
    if (strcmp(returns, "f32") == 0)
        return "long double"; /* ST0, with all its bits */
    if (strcmp(returns, "ref") == 0)
        return "const void *";
    if (strcmp(returns, "any") == 0 || strcmp(returns, "slot") == 0)
        return "uintptr_t";
    return "uint32_t";
}

enum { MOST_PARAMS = 16 };

/* One parameter of a row, as "in f32[6*count] lights". */
typedef struct Param {
    bool in, out; /* both for inout, neither for a value */
    char type[16], name[32];
    unsigned count;    /* number of elements, or the factor of `count_of` */
    char count_of[32]; /* the name of the parameter that gives the count, or empty */
} Param;

static bool IsPointer(const Param *param) {
    return param->in || param->out;
}

static int ReadParams(const AbiFunction *f, Param params[MOST_PARAMS]) {
    int count = 0;
    for (const char *text = f->params; *text && count < MOST_PARAMS;) {
        size_t length = strcspn(text, ",");

        char buffer[128], *words[5];
        int word_count = 0;
        snprintf(buffer, sizeof buffer, "%.*s", (int)length, text);
        for (char *word = strtok(buffer, " "); word && word_count < 5; word = strtok(NULL, " "))
            words[word_count++] = word;
        Param param = {.count = 1};
        param.in = strcmp(words[0], "in") == 0 || strcmp(words[0], "inout") == 0;
        param.out = strcmp(words[0], "out") == 0 || strcmp(words[0], "inout") == 0;
        const char *type = words[IsPointer(&param) ? 1 : 0];
        size_t bare = strcspn(type, "[");
        snprintf(param.type, sizeof param.type, "%.*s", (int)bare, type);
        snprintf(param.name, sizeof param.name, "%s", words[word_count - 1]);
        if (type[bare]) {
            const char *digits = type + bare + 1;
            char *rest;
            param.count = (unsigned)strtoul(digits, &rest, 10);
            if (rest == digits)
                param.count = 1;
            if (*rest == '*')
                rest++;
            snprintf(param.count_of, sizeof param.count_of, "%.*s", (int)strcspn(rest, "]"), rest);
        }
        params[count++] = param;
        text += length;
        text += *text == ',';
    }
    return count;
}

static bool IsType(const Param *param, const char *type) {
    return strcmp(param->type, type) == 0;
}

/* Prints a parameter in C: "const float *q0" for "in f32[4] q0". */
static void PrintParam(FILE *file, const Param *param) {
    bool pointer = IsPointer(param);
    const char *c = "void *";
    if (IsType(param, "f32"))
        c = pointer ? "float *" : "float ";
    else if (IsType(param, "i32"))
        c = pointer ? "int32_t *" : "int32_t ";
    else if (IsType(param, "u32"))
        c = pointer ? "uint32_t *" : "uint32_t ";
    else if (IsType(param, "any"))
        c = "uintptr_t ";
    else if (IsType(param, "cstr"))
        c = "char *";
    else if (IsType(param, "ref"))
        c = pointer ? "void *const *" : "void *";
    bool constant = (param->in && !param->out) || (!pointer && IsType(param, "ref"));
    fprintf(file, "%s%s%s", constant ? "const " : "", c, param->name);
}

static void MakePrototypes(const char *directory) {
    FILE *file = OpenOutput(directory, "prototypes.h");
    fputs("/* Made by exports/make_tables.c from the ABI tables. Do not edit.\n"
          " * ABI_PROTO_<function>(symbol) declares or defines `symbol` with the function's "
          "signature.\n"
          " */\n"
          "#ifndef RETROPOSE_EXPORTS_PROTOTYPES_H\n"
          "#define RETROPOSE_EXPORTS_PROTOTYPES_H\n\n"
          "#include \"exports/conventions.h\"\n\n"
          "#include <stdint.h>\n\n",
          file);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (!HasSignature(f))
            continue;
        fprintf(file, "#define ABI_PROTO_%s(symbol_) \\\n    %s ABI_CC(%s) symbol_(", Symbol(f),
                ReturnType(f->returns), AbiConvention_Name(f->convention));
        Param params[MOST_PARAMS];
        int count = ReadParams(f, params);
        if (count == 0)
            fputs("void", file);
        for (int k = 0; k < count; k++) {
            fputs(k ? ", " : "", file);
            PrintParam(file, &params[k]);
        }
        fputs(")\n", file);
    }
    fputs("\n#endif\n", file);
    fclose(file);
}

/* ---- slots and their bodies ------------------------------------------------------------------ */

static const char made[] =
    "/* Made by exports/make_tables.c from the ABI tables. Do not edit. */\n";

static bool HasBody(const AbiFunction *f) {
    return f->kind == ABI_SLOT && f->provider == ABI_NATIVE;
}

/* Makes slot-bodies.h, which declares the functions that compute the slots. The files of ngi32/
 * that define these include it, so that the compiler checks each definition against its row. */
static void MakeSlotBodies(const char *directory) {
    FILE *file = OpenOutput(directory, "slot-bodies.h");
    fprintf(file,
            "%s#ifndef RETROPOSE_EXPORTS_SLOT_BODIES_H\n#define RETROPOSE_EXPORTS_SLOT_BODIES_H\n\n"
            "#include \"retropose/fastproc.h\"\n\n"
            "/* fastproc.h declares some of them, too: the compiler compares the two.\n"
            " * NOLINTBEGIN(readability-redundant-declaration) */\n",
            made);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        Param params[MOST_PARAMS];
        int count = ReadParams(f, params);
        if (!HasBody(f))
            continue;
        fprintf(file, "/* Slot %d, %s. */\n%s %s(const RpArithmetic *arithmetic", f->index, f->name,
                ReturnType(f->returns), f->body);
        for (int k = 0; k < count; k++) {
            fputs(", ", file);

            /* A parameter is printed as PrintParam does it, but as an array, "const float q0[4]",
             * when the row has the number of elements. The compiler then compares that number with
             * the definition. */
            const Param *param = &params[k];
            if (!IsPointer(param) || param->count_of[0] || !IsType(param, "f32"))
                PrintParam(file, param);
            else
                fprintf(file, "%sfloat %s[%u]", param->out ? "" : "const ", param->name,
                        param->count);
        }
        fputs(");\n", file);
    }
    fputs("/* NOLINTEND(readability-redundant-declaration) */\n\n#endif\n", file);
    fclose(file);
}

/* Prints the statement that calls a slot's body with the row's parameters. */
static void PrintBodyCall(FILE *file, const AbiFunction *f, const char *arithmetic) {
    Param params[MOST_PARAMS];
    int count = ReadParams(f, params);
    fprintf(file, "%s%s(%s", strcmp(f->returns, "void") == 0 ? "" : "return ", f->body, arithmetic);
    for (int k = 0; k < count; k++)
        fprintf(file, ", %s", params[k].name);
    fputs(");", file);
}

/* Makes slot-entries.h, the entries of g_FastProc in one build. dll/ngi32/dispatch.c includes it
 * once for each build, with SLOT(n) as the name of the function and SLOT_BUILD as its RpBuild. */
static void MakeSlotEntries(const char *directory) {
    FILE *file = OpenOutput(directory, "slot-entries.h");
    fprintf(file, "%s#include \"slot-bodies.h\"\n", made);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (!HasBody(f))
            continue;
        fprintf(file, "\nstatic ABI_PROTO_%s(SLOT(%d)) {\n    ", Symbol(f), f->index);
        PrintBodyCall(file, f, "&ngi32_arithmetic[SLOT_BUILD]");
        fputs("\n}\n", file);
    }
    fclose(file);
}

/* ---- the native provider --------------------------------------------------------------------- */

static unsigned WordsOf(const Param *param) {
    return param->count * (IsType(param, "ref") ? 2 : 1);
}

/* Returns whether the inputs and outputs of a call consist of words only, so that its marshalling
 * follows from the row. That is not so for objects, texts and layouts, which
 * replay/provider/native_mesh.c reads. */
static bool IsOfWords(const AbiFunction *f) {
    Param params[MOST_PARAMS];
    int count = ReadParams(f, params), counted = 0;
    if (!HasSignature(f) || f->provider != ABI_NATIVE || strcmp(f->returns, "any") == 0 ||
        strcmp(f->returns, "ref") == 0)
        return false;
    for (int k = 0; k < count; k++) {
        const Param *param = &params[k];
        if (!IsType(param, "f32") && !IsType(param, "i32") && !IsType(param, "u32") &&
            !IsType(param, "ref"))
            return false;
        counted += param->count_of[0] != 0;
        if (param->out && (IsType(param, "ref") || param->count_of[0]))
            return false; /* the place of the next output would depend on the inputs */
    }
    return counted <= 1;
}

static void PrintNativeHead(FILE *file, const AbiFunction *f) {
    Param params[MOST_PARAMS];
    int count = ReadParams(f, params);
    fprintf(file, "static %s Body_%s(Native *native __attribute__((unused))",
            strcmp(f->returns, "slot") == 0 ? "uint32_t" : ReturnType(f->returns), Symbol(f));
    for (int k = 0; k < count; k++) {
        fputs(", ", file);
        /* A pointer to references is printed as a trace has them, with two words for each. */
        if (IsType(&params[k], "ref"))
            fprintf(file, "const float *%s", params[k].name);
        else
            PrintParam(file, &params[k]);
    }
    fputs(")", file);
}

/* Prints where a parameter's words begin in `in`. That is counted from the parameters before it or,
 * when one of these has a variable number of elements, back from the end over those after it. */
static void PrintInput(FILE *file, const Param *params, int count, int index) {
    unsigned before = 0, behind = 0;
    bool counted = false;
    for (int k = 0; k < index; k++)
        if (params[k].in || !params[k].out) {
            before += WordsOf(&params[k]);
            counted |= params[k].count_of[0] != 0;
        }
    for (int k = index; k < count; k++)
        if (params[k].in || !params[k].out)
            behind += WordsOf(&params[k]);
    if (counted)
        fprintf(file, "in + (in_size / 4 - %u)", behind);
    else
        fprintf(file, "in + %u", before);
}

static unsigned ReturnWords(const AbiFunction *f) {
    return strcmp(f->returns, "void") == 0 ? 0 : strcmp(f->returns, "f32") == 0 ? 3 : 1;
}

/* Makes native-calls.h for replay/provider/native.c. There, `NATIVE_f { ... }` defines what a call
 * of f computes; its body can use the row's parameters, and the library's state as `native`. The
 * code that takes the inputs of a call apart and puts its outputs together is made here.
 * NATIVE_SLOTS does this for every slot, and NATIVE_SLOT_ROWS lists the slots. */
static void MakeNativeCalls(const char *directory) {
    FILE *file = OpenOutput(directory, "native-calls.h");
    fprintf(file, "%s#include \"slot-bodies.h\"\n", made);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (HasBody(f) && !IsOfWords(f)) {
            fprintf(stderr, "%s: a slot takes and returns numbers and references only\n", f->key);
            exit(2);
        }
        if (!IsOfWords(f))
            continue;
        fprintf(file, "\n#define NATIVE_%s \\\n    ", Symbol(f));
        PrintNativeHead(file, f);
        fputs("; \\\n    ", file);
        /* Prints Call_f, which computes the outputs of a call from its inputs. Both are laid out as
         * in a trace. */
        Param params[MOST_PARAMS];
        int count = ReadParams(f, params);
        unsigned output = ReturnWords(f), places[MOST_PARAMS];
        fprintf(
            file,
            "static bool Call_%s(Native *native, const float *in, uint32_t in_size, float *out) { "
            "(void)in, (void)in_size, (void)out; native->refused = false; ",
            Symbol(f));
        for (int k = 0; k < count; k++) {
            places[k] = output;
            output += params[k].out ? WordsOf(&params[k]) : 0;
            if (params[k].in && params[k].out) {
                fprintf(file, "memcpy(out + %u, ", places[k]);
                PrintInput(file, params, count, k);
                fprintf(file, ", %u); ", 4 * WordsOf(&params[k]));
            }
        }
        const char *returned = ReturnWords(f) == 3 ? "ReturnReal(" : "ReturnWord((uint32_t)";
        fprintf(file, "%sBody_%s(native", ReturnWords(f) ? returned : "", Symbol(f));
        for (int k = 0; k < count; k++) {
            const Param *param = &params[k];
            const bool word = IsType(param, "u32") || IsType(param, "i32");
            const char *cast = word && IsPointer(param) ? "(void *)(" : "";
            if (param->out) {
                fprintf(file, ", %sout + %u%s", cast, places[k], *cast ? ")" : "");
            } else if (param->in || IsType(param, "ref")) {
                fprintf(file, ", %s", word ? "(const void *)(" : "");
                PrintInput(file, params, count, k);
                fputs(word ? ")" : "", file);
            } else {
                fputs(word ? IsType(param, "i32") ? ", (int32_t)Word(" : ", Word(" : ", *(", file);
                PrintInput(file, params, count, k);
                fputs(")", file);
            }
        }
        fprintf(file, ")%s; return !native->refused; }", ReturnWords(f) ? ", out)" : "");
        fputs(" \\\n    ", file);
        PrintNativeHead(file, f);
        fputs("\n", file);
    }
    fputs("\n#define NATIVE_SLOTS", file);
    for (size_t i = 0; i < abi_function_count; i++)
        if (HasBody(&abi_functions[i])) {
            fprintf(file, " \\\n    NATIVE_%s { ", Symbol(&abi_functions[i]));
            PrintBodyCall(file, &abi_functions[i], "&native->slot");
            fputs(" }", file);
        }
    fputs("\n\n#define NATIVE_SLOT_ROWS(ROW)", file);
    for (size_t i = 0; i < abi_function_count; i++)
        if (HasBody(&abi_functions[i]))
            fprintf(file, " \\\n    ROW(ngi32, slot%d)", abi_functions[i].index);
    fputs("\n", file);
    fclose(file);
}

/* ---- gates ----------------------------------------------------------------------------------- */

/* Returns whether a function that is not a slot is reached through a gate. Slots always are. */
static bool HasGate(const AbiFunction *f) {
    if (f->kind == ABI_EXPORT)
        return f->provider != ABI_DATA && f->provider != ABI_ABSENT;
    if (f->module == ABI_ANIMESH && f->kind == ABI_METHOD)
        return f->provider != ABI_ABSENT; /* the vtables of our objects contain gates */
    return f->kind == ABI_INTERNAL &&
           (f->provider == ABI_NATIVE ||
            (f->module == ABI_ANIMESH && f->provider == ABI_NATIVE_ONLY));
}

static const AbiFunction *FindSlot(int slot) {
    for (size_t i = 0; i < abi_function_count; i++)
        if (abi_functions[i].kind == ABI_SLOT && abi_functions[i].index == slot)
            return &abi_functions[i];
    return NULL;
}

static void MakeSlotRow(FILE *rows, int slot) {
    const AbiFunction *f = FindSlot(slot);
    if (f)
        fprintf(rows, "    {&abi_functions[%d], %d}, \\\n", (int)(f - abi_functions), slot);
    else
        fprintf(rows, "    {0, %d}, \\\n", slot);
}

/* Makes gates-NAME.inc, which is for dll/gates.S, and gates-NAME.h, the same list for
 * dll/gate.c. */
static void MakeGates(const char *directory, AbiModule module) {
    char name[64];
    snprintf(name, sizeof name, "gates-%s.inc", AbiModule_Name(module));
    FILE *code = OpenOutput(directory, name);
    snprintf(name, sizeof name, "gates-%s.h", AbiModule_Name(module));
    FILE *rows = OpenOutput(directory, name);
    fputs("/* Made by exports/make_tables.c from the ABI tables. Do not edit. */\n", code);
    fputs("/* Made by exports/make_tables.c from the ABI tables. Do not edit.\n"
          " * LIVE_GATE_ROWS: what each gate is for, {row of the table or 0, slot or -1}. */\n"
          "#define LIVE_GATE_ROWS \\\n",
          rows);
    for (int kind = ABI_EXPORT; kind <= ABI_METHOD; kind++)
        for (size_t i = 0; i < abi_function_count; i++) {
            const AbiFunction *f = &abi_functions[i];
            if (f->module != module || (int)f->kind != kind || !HasGate(f))
                continue;

            /* This is the symbol that the gate leads to at first, in the assembler's spelling. */
            char symbol[128];
            if (f->kind == ABI_METHOD) /* several interfaces have methods of the same name */
                snprintf(symbol, sizeof symbol, "AniMesh_%s_%d", f->interface, f->index);
            else
                snprintf(symbol, sizeof symbol, "%s%s",
                         f->kind == ABI_INTERNAL && f->module == ABI_ANIMESH ? "AniMesh_" : "",
                         f->name);
            fprintf(code, "    gate %s, \"", Symbol(f));
            if (f->convention == ABI_STDCALL) {
                fprintf(code, "_%s@%u", symbol, Abi_StackArgumentBytes(f));
            } else if (f->convention == ABI_FASTCALL) { /* GCC counts those in registers, too */
                uint32_t bytes = *f->params ? 4 : 0;
                for (const char *c = f->params; *c; c++)
                    bytes += *c == ',' ? 4 : 0;
                fprintf(code, "@%s@%u", symbol, bytes);
            } else {
                fprintf(code, "_%s", symbol);
            }
            fputs("\"\n", code);
            fprintf(rows, "    {&abi_functions[%d], -1}, \\\n", (int)i);
        }
    for (int slot = 0; module == ABI_NGI32 && slot < ABI_NGI32_FASTPROC_COUNT; slot++) {
        fprintf(code, "    slot_gate %d\n", slot);
        MakeSlotRow(rows, slot);
    }
    /* Our AniMesh calls slots through gates of its own, because the function behind a slot may
     * expect another calling convention than our code uses. */
    fputs("\n#define LIVE_OUTGOING_ROWS \\\n", rows);
    for (int slot = 0; module == ABI_ANIMESH && slot < ABI_NGI32_FASTPROC_COUNT; slot++)
        if (FindSlot(slot)) {
            fprintf(code, "    outgoing_gate %d\n", slot);
            MakeSlotRow(rows, slot);
        }
    fputs("\n", rows);
    fclose(code);
    fclose(rows);
}

/* GNU ld reads `exported = symbol` with the symbol as it is decorated, but without its leading
 * underscore. What our DLLs export are gates. */
static void MakeDef(const char *directory, AbiModule module, const char *name) {
    FILE *file = OpenOutput(directory, name);
    fprintf(
        file,
        "; Made by exports/make_tables.c from the ABI tables. Do not edit.\nLIBRARY %s\nEXPORTS\n",
        AbiModule_File(module));
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != module || (f->kind != ABI_EXPORT && f->kind != ABI_OWN_EXPORT))
            continue;
        if (f->provider == ABI_DATA)
            fprintf(file, "    %s @%d DATA\n", f->name, f->index);
        else if (HasGate(f))
            fprintf(file, "    %s=gate_%s @%d\n", f->name, Symbol(f), f->index);
        else if (f->convention == ABI_STDCALL)
            fprintf(file, "    %s=%s@%u @%d\n", f->name, f->name, Abi_StackArgumentBytes(f),
                    f->index);
        else if (f->convention == ABI_FASTCALL)
            fprintf(file, "    %s=@%s@%u @%d\n", f->name, f->name, Abi_StackArgumentBytes(f),
                    f->index);
        else
            fprintf(file, "    %s @%d\n", f->name, f->index);
    }
    fclose(file);
}

/* ---- vtables --------------------------------------------------------------------------------- */

static const AbiFunction *FindMethod(const char *interface, int number) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->kind == ABI_METHOD && f->index == number && strcmp(f->interface, interface) == 0)
            return f;
    }
    return NULL;
}

/* Makes vtables-animesh.h. VTABLE_NAME(GATE, UNKNOWN) lists the methods of an interface in order,
 * as GATE(name, number) or, where there is no body, UNKNOWN(name, number). */
static void MakeVtables(const char *directory) {
    static const struct {
        const char *name;
        int methods;
    } interfaces[] = {
#define INTERFACE_ROW(name, id, object, offset, rva, methods, evidence) {#name, methods},
        ABI_ANIMESH_INTERFACES(INTERFACE_ROW)
#undef INTERFACE_ROW
    };
    FILE *file = OpenOutput(directory, "vtables-animesh.h");
    fputs("/* Made by exports/make_tables.c from the ABI tables. Do not edit. */\n", file);
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++) {
        fprintf(file, "#define VTABLE_%s(GATE, UNKNOWN)", interfaces[i].name);
        for (int number = 0; number < interfaces[i].methods; number++) {
            const AbiFunction *f = FindMethod(interfaces[i].name, number);
            fprintf(file, " \\\n    %s(%s, %d)", f && HasGate(f) ? "GATE" : "UNKNOWN",
                    interfaces[i].name, number);
        }
        fputs("\n", file);
    }
    fclose(file);
}

static void Address(FILE *file, uint32_t rva) {
    if (rva)
        fprintf(file, "0x%08X", 0x10000000u + rva);
    else
        fputs("–", file);
}

static void Tag(FILE *file, AbiEvidence evidence) {
    fprintf(file, " <sub>%s</sub>", AbiEvidence_Name(evidence));
}

static void MakePageRows(FILE *file, AbiModule module, AbiKind kind) {
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (f->module != module || f->kind != kind)
            continue;
        fprintf(file, "| `%s` | ", f->key);
        if (kind == ABI_SLOT || kind == ABI_METHOD || kind == ABI_INTERNAL)
            fprintf(file, "%s | ", f->name);
        if (kind == ABI_EXPORT || kind == ABI_OWN_EXPORT) {
            if (f->index >= 1000 && kind == ABI_EXPORT)
                fprintf(file, "%d (provisional)", f->index);
            else
                fprintf(file, "%d", f->index);
            Tag(file, f->index_evidence);
            fputs(" | ", file);
        }
        Address(file, f->rva);
        if (kind == ABI_SLOT) {
            fputs(" / ", file);
            Address(file, f->rva_fxch);
            fputs(" / ", file);
            Address(file, f->rva_sse);
        }
        if (f->provider == ABI_DATA || (kind == ABI_INTERNAL && f->provider == ABI_ABSENT)) {
            fputs(" | – | – | ", file);
        } else {
            fprintf(file, " | %s", AbiConvention_Name(f->convention));
            Tag(file, f->convention_evidence);
            fprintf(file, " | %s (%s)", f->returns, f->params);
            Tag(file, f->params_evidence);
            fputs(" | ", file);
        }
        if (kind == ABI_INTERNAL && f->provider == ABI_NATIVE && f->entry_evidence != ABI_READ)
            fputs("native (not callable in an original: no entry is published)", file);
        else
            fputs(AbiProvider_Name(f->provider), file);
        fprintf(file, " | %s | %s |\n", f->source, f->note);
    }
    fputs("\n", file);
}

/* Prints how much of each vtable of AniMesh's objects has a body of ours. */
static void MakeInterfaces(FILE *file) {
    static const struct {
        const char *name, *object;
        uint32_t id, offset, vtable;
        int methods;
        AbiEvidence evidence;
    } rows[] = {
#define INTERFACE_ROW(name, id, object, offset, rva, methods, evidence)                            \
    {#name, #object, id, offset, rva, methods, ABI_##evidence},
        ABI_ANIMESH_INTERFACES(INTERFACE_ROW)
#undef INTERFACE_ROW
    };
    fputs("## AniMesh.dll: interfaces\n\n| interface | id | object, at | vtable | methods | with a "
          "body of ours | refused | without public facts |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
          file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int native = 0, refused = 0;
        for (int number = 0; number < rows[i].methods; number++) {
            const AbiFunction *f = FindMethod(rows[i].name, number);
            refused += f && f->provider == ABI_REFUSED;
            native += f && HasGate(f) && f->provider != ABI_REFUSED;
        }
        fprintf(file, "| %s | 0x%X | %s +0x%03X | ", rows[i].name, rows[i].id, rows[i].object,
                rows[i].offset);
        Address(file, rows[i].vtable);
        fprintf(file, " | %d", rows[i].methods);
        Tag(file, rows[i].evidence);
        fprintf(file, " | %d | %d | %d |\n", native, refused, rows[i].methods - native - refused);
    }
    fputs("\n", file);
}

/* Prints a row for each reason, in the order in which the reasons first occur. */
static void MakeTrust(FILE *file) {
    fputs("## Not called for a trace\n"
          "\n"
          "A trace may come from a stranger. `retropose` calls these functions for a trace only "
          "with\n"
          "`--trust`; else their outcome is *not called* ([the trace "
          "format](../formats/trace.md)). All other\n"
          "functions read their inputs and write their outputs, and do nothing else.\n"
          "\n"
          "| why | functions |\n"
          "| --- | --- |\n",
          file);
    for (size_t first = 0; first < abi_function_count; first++) {
        const char *why = Abi_WhyTrust(&abi_functions[first]);
        int seen = !why || abi_functions[first].provider == ABI_ABSENT;
        for (size_t i = 0; i < first && !seen; i++)
            seen =
                Abi_WhyTrust(&abi_functions[i]) == why && abi_functions[i].provider != ABI_ABSENT;
        if (seen)
            continue;
        fprintf(file, "| it %s |", why);
        const char *separator = "";
        for (size_t i = first; i < abi_function_count; i++)
            if (Abi_WhyTrust(&abi_functions[i]) == why && abi_functions[i].provider != ABI_ABSENT) {
                fprintf(file, "%s `%s`", separator, abi_functions[i].key);
                separator = ",";
            }
        fputs(" |\n", file);
    }
    fputs("\n", file);
}

static void MakeReadings(FILE *file) {
    fputs("## Readings\n"
          "\n"
          "The readings of the arithmetic. The first choice is the default, here and in the "
          "stand-in.\n"
          "The steps of each choice are in [the arithmetic](arithmetic.md).\n"
          "\n"
          "| name | choices | where | evidence |\n"
          "| --- | --- | --- | --- |\n",
          file);
#define READING_ROW(symbol, name, choices, work, where, evidence) {name, choices, where, evidence},
    static const char *const rows[][4] = {RETROPOSE_RUNTIME_READINGS(READING_ROW)};
#undef READING_ROW
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fprintf(file, "| `%s` | ", rows[i][0]);
        for (const char *c = rows[i][1]; *c; c++)
            if (*c == '|')
                fputs(", ", file);
            else
                fputc(*c, file);
        fprintf(file, " | %s | %s |\n", rows[i][2], rows[i][3]);
    }
}

static bool IsServed(const AbiFunction *f) {
    return f->kind != ABI_OWN_EXPORT &&
           (f->provider == ABI_NATIVE || f->provider == ABI_NATIVE_ONLY || f->provider == ABI_DATA);
}

static bool IsOfInterface(const AbiFunction *f, const AbiFunction *first) {
    return f->kind == ABI_METHOD && f->module == first->module &&
           strcmp(f->interface, first->interface) == 0;
}

/* In the place of an interface's first row, prints all its native methods: "`animesh.IMesh2`
 * methods 0, 3". */
static void PrintInterface(FILE *file, size_t first) {
    const AbiFunction *of = &abi_functions[first];
    const char *separator = "";
    int column = 0;
    if (of->kind != ABI_METHOD)
        return;
    for (size_t i = 0; i < first; i++)
        if (IsOfInterface(&abi_functions[i], of))
            return;
    for (int number = 0; number < MOST_METHODS; number++)
        for (size_t i = first; i < abi_function_count; i++) {
            const AbiFunction *f = &abi_functions[i];
            if (!IsOfInterface(f, of) || f->index != number || !IsServed(f))
                continue;
            if (!*separator)
                column =
                    fprintf(file, ",\n`%s.%s` methods ", AbiModule_Name(of->module), of->interface);
            column += fprintf(file, "%s%d", separator, number);
            separator = ", ";
            if (column > MOST_COLUMNS - 4) {
                separator = ",\n";
                column = 0;
            }
        }
}

/* Makes the page that says what is native: counts by area, then the names. */
static void MakeSummary(const char *directory) {
    static const char *const areas[] = {"exports", "own export", "`g_FastProc` slots",
                                        "internal functions", "interface methods"};
    FILE *file = OpenOutput(directory, "native.md");
    fputs("<!-- Made by exports/make_tables.c from exports/*.abi.h. Do not edit. -->\n"
          "# What is native and what is not\n"
          "\n"
          "This page is for everybody who wants to know which functions of the two DLLs Retropose "
          "has, and\n"
          "which are the original's. A function is [native](../glossary.md#native) if our "
          "implementation of it\n"
          "is complete:\n"
          "\n"
          "```\n"
          "retropose mode GAME --all   # who serves which function in a game's folder, and why\n"
          "```\n"
          "\n"
          "Without an original, our DLLs (`build/windows/replacement/`) load and offer what is "
          "called native\n"
          "here. You can call and compare these functions, [open archives](archives-dll.md) with "
          "them, and load\n"
          "[mesh objects](mesh.md) and use these through their vtables. That is not enough to run "
          "the game,\n"
          "because drawing, sound, and everything that no public source describes are the "
          "original's.\n"
          "\n"
          "The numbers count rows of [the ABI](abi.md), which has the evidence for each name, "
          "ordinal, address,\n"
          "convention and parameter.\n"
          "\n",
          file);
    fputs("| area | native | no-op, as in the original | refused with a message | ends with a "
          "message "
          "| not reached by ours yet | not public |\n| --- | --- | --- | --- | --- | --- | --- |\n",
          file);
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        for (int kind = ABI_EXPORT; kind <= ABI_METHOD; kind++) {
            int counts[ABI_ABSENT + 1] = {0}, total = 0;
            for (size_t i = 0; i < abi_function_count; i++)
                if (abi_functions[i].module == (AbiModule)module &&
                    abi_functions[i].kind == (AbiKind)kind) {
                    counts[abi_functions[i].provider]++;
                    total++;
                }
            if (total == 0 || kind == ABI_OWN_EXPORT)
                continue;
            int unpublished = 0;
            if (module == ABI_NGI32 && kind == ABI_EXPORT)
                unpublished = ABI_NGI32_EXPORT_COUNT - total;
            if (kind == ABI_SLOT) /* a slot without a row ends with a message that names it */
                counts[ABI_FATAL] += ABI_NGI32_FASTPROC_COUNT - total;
            fprintf(file, "| %s %s | %d | %d | %d | %d | %d | %d |\n",
                    AbiModule_File((AbiModule)module), areas[kind],
                    counts[ABI_NATIVE] + counts[ABI_NATIVE_ONLY] + counts[ABI_DATA],
                    counts[ABI_NOOP], counts[ABI_REFUSED], counts[ABI_FATAL], counts[ABI_ABSENT],
                    unpublished);
        }
    const char *separator = "\nNative:";
    for (size_t i = 0; i < abi_function_count; i++)
        if (IsServed(&abi_functions[i]) && abi_functions[i].kind != ABI_METHOD) {
            fprintf(file, abi_functions[i].kind == ABI_SLOT ? "%s\n`%s` (%s)" : "%s\n`%s`",
                    separator, abi_functions[i].key, abi_functions[i].name);
            separator = ",";
        }
    for (size_t i = 0; i < abi_function_count; i++)
        PrintInterface(file, i);
    fputs(".\n", file);
    fclose(file);
}

static const AbiFunction *FunctionOfCall(const char *key) {
    const AbiFunction *function = Abi_Find(key);
    if (!function) {
        fprintf(stderr, "exports/call_graph.c names %s, which no table has\n", key);
        exit(2);
    }
    return function;
}

/* Prints one row for each caller, with all functions that it calls. */
static void MakeCalls(FILE *file) {
    fputs("## Who calls whom\n\n"
          "Results of the function on the left depend on those on the right. Where both differ, "
          "`replay`\nnames the ones on the right as the cause (`exports/call_graph.c`).\n\n"
          "| function | calls | source |\n| --- | --- | --- |\n",
          file);
    for (size_t i = 0; i < abi_call_count; i++) {
        const AbiCall *call = &abi_calls[i];
        const bool first = i == 0 || strcmp(call[-1].caller, call->caller) != 0;
        if (first)
            fprintf(file, "| `%s` %s | ", call->caller, FunctionOfCall(call->caller)->name);
        fprintf(file, "%s`%s` %s", first ? "" : ", ", call->callee,
                FunctionOfCall(call->callee)->name);
        if (i + 1 == abi_call_count || strcmp(call[1].caller, call->caller) != 0)
            fprintf(file, " | %s |\n", call->source);
    }
    fputs("\n", file);
}

static void MakePage(const char *directory) {
    FILE *file = OpenOutput(directory, "abi.md");
    fputs("<!-- Made by exports/make_tables.c from exports/*.abi.h. Do not edit. -->\n"
          "# The ABI, as far as it is public\n"
          "\n"
          "This page is for looking up one function of `Ngi32.dll` or `AniMesh.dll`: how it is "
          "called, what its\n"
          "parameters are, who serves it here, and how well each of these is known. `retropose "
          "mode`,\n"
          "[overlays](../formats/overlay.md) and [traces](../formats/trace.md) name functions by "
          "the keys of\n"
          "the first column:\n"
          "\n"
          "```\n"
          "retropose mode GAME ngi32.slot17=shadow\n"
          "```\n"
          "\n"
          "Each fact carries its evidence: *read* in a disassembly, *measured* over files, *live* "
          "in a process,\n"
          "*inferred*, *assumed* or *unknown*. What is not *read* may be wrong. An assumed "
          "convention or order\n"
          "of parameters is a default, which is changed in `exports/conventions.h` or in the "
          "function's row.\n"
          "\n"
          "| provider | what it says of our implementation |\n"
          "| --- | --- |\n"
          "| *native* | it is complete; with *not in the stand-in*, nothing of it is replayed |\n"
          "| *no-op* | it does nothing, as the original does |\n"
          "| *refused* | it fails and says so |\n"
          "| *fatal* | it ends the process with a message, because its argument bytes are "
          "unpublished |\n"
          "| *data* | it is a variable |\n"
          "| *absent* | nothing of ours reaches it yet |\n"
          "\n"
          "A source `facts/PAGE.md SECTION` is a section of a page under "
          "[facts](../facts/README.md), where\n"
          "facts that others read in their own copies and published are restated. A source `seed "
          "...` is a\n"
          "specification, which [sources.md](../sources.md) lists under that key.\n"
          "\n"
          "Our DLLs have exports that the originals do not have. `RetroposeInternal(address)` "
          "returns our\n"
          "implementation of what the original has at that address of its unrelocated image: an "
          "internal\n"
          "function (0x10012880, say), a method, or a build of a slot. It returns null where there "
          "is none.\n"
          "`RetroposeGates` and `RetroposeObserver` serve [hosting](../use/modes.md). "
          "`RetroposeDestroy` ends\n"
          "an object of ours ([mesh objects](mesh.md)).\n"
          "\n"
          "Exports, slots, internal functions and AniMesh's methods are reached through\n"
          "[gates](../glossary.md#gate), and the vtables of our objects hold gates, too. A method "
          "that has no\n"
          "row has no public facts: it ends the process with a message that names it.\n"
          "\n",
          file);
    static const char *const titles[] = {"exports", "own export", "g_FastProc",
                                         "internal functions", "interface methods"};
    static const char *const heads[] = {
        "| export | ordinal | address | convention | signature | provider | source | note |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        "| export | ordinal | address | convention | signature | provider | source | note |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        "| slot | name | generic / FXCH / SSE build | convention | signature | provider | source | "
        "note |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        "| function | name | address | convention | signature | provider | source | note |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
        "| method | name | address | convention | signature | provider | source | note |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"};
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        for (int kind = ABI_EXPORT; kind <= ABI_METHOD; kind++) {
            if (module == ABI_ANIMESH && kind == ABI_SLOT)
                continue;
            fprintf(file, "## %s: %s\n\n%s", AbiModule_File((AbiModule)module), titles[kind],
                    heads[kind]);
            MakePageRows(file, (AbiModule)module, (AbiKind)kind);
        }
    MakeInterfaces(file);
    MakeTrust(file);
    MakeCalls(file);
    for (size_t i = 0; i < abi_struct_count; i++) {
        fprintf(file,
                "## Layout: %s, 0x%X bytes\n\n| offset | type | name |\n| --- | --- | --- |\n",
                abi_structs[i].name, abi_structs[i].size);
        for (size_t k = 0; k < abi_structs[i].field_count; k++) {
            const AbiField *field = &abi_structs[i].fields[k];
            fprintf(file, "| +0x%03X | %s", field->offset, field->type);
            if (field->count > 1)
                fprintf(file, "[%u]", field->count);
            fprintf(file, " | %s |\n", field->name);
        }
        fputs("\n", file);
    }
    MakeReadings(file);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make DIRECTORY\n", stderr);
        return 2;
    }
    MakePrototypes(argv[1]);
    MakeSlotBodies(argv[1]);
    MakeSlotEntries(argv[1]);
    MakeNativeCalls(argv[1]);
    MakeGates(argv[1], ABI_NGI32);
    MakeGates(argv[1], ABI_ANIMESH);
    MakeDef(argv[1], ABI_NGI32, "Ngi32.def");
    MakeDef(argv[1], ABI_ANIMESH, "AniMesh.def");
    MakeVtables(argv[1]);
    MakePage(argv[1]);
    MakeSummary(argv[1]);
    return 0;
}
