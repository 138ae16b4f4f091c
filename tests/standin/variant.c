#include "variant.h"

#include "exports/reading_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 256
#define MAX_WORDS  8

typedef struct Statement {
    const char *path;
    unsigned line;
    char *words[MAX_WORDS];
    int count;
} Statement;

static _Noreturn void Refuse(const Statement *statement, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", statement->path, statement->line);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(2);
}

static void *NotNull(void *memory) {
    if (!memory) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* ---- functions ------------------------------------------------------------------------------- */

const char *Variant_Symbol(const AbiFunction *function) {
    static char symbol[128];
    snprintf(symbol, sizeof symbol, "%s", function->key);
    for (char *c = symbol; *c; c++)
        if (*c == '.')
            *c = '_';
    return symbol;
}

bool Variant_HasSignature(const AbiFunction *function) {
    if (function->kind == ABI_METHOD || function->kind == ABI_INTERNAL)
        return function->params_evidence != ABI_UNKNOWN;
    return function->provider != ABI_DATA && function->provider != ABI_ABSENT;
}

static VariantParamKind KindOf(const char *param) {
    static const struct {
        const char *begin;
        VariantParamKind kind;
    } kinds[] = {{"f32 ", VARIANT_NUMBER}, {"in ", VARIANT_INPUT},     {"ref ", VARIANT_INPUT},
                 {"out ", VARIANT_OUTPUT}, {"inout ", VARIANT_OUTPUT}, {"nres ", VARIANT_OUTPUT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(param, kinds[i].begin, strlen(kinds[i].begin)) == 0)
            return kinds[i].kind;
    return VARIANT_DWORD;
}

VariantParam Variant_Param(const VariantFunction *function, int index) {
    const char *text = function->abi.params;
    while (index-- > 0)
        text = strchr(text, ',') + 1;
    text += strspn(text, " ");
    size_t length = strcspn(text, ",");
    VariantParam param = {.kind = KindOf(text)};
    size_t name = length;
    while (name > 0 && text[name - 1] != ' ')
        name--;
    snprintf(param.name, sizeof param.name, "%.*s", (int)(length - name), text + name);
    return param;
}

static int CountParams(const char *params) {
    int count = *params != 0;
    for (; *params; params++)
        count += *params == ',';
    return count;
}

static void Default(Variant *variant) {
    memset(variant, 0, sizeof *variant);
    variant->class_bits = VARIANT_CLASS_DETECTED;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        variant->modules[module].base = 0x10000000;
    variant->functions = NotNull(calloc(abi_function_count, sizeof *variant->functions));
    for (size_t i = 0; i < abi_function_count; i++) {
        VariantFunction *function = &variant->functions[i];
        function->abi = abi_functions[i];
        function->param_count = CountParams(abi_functions[i].params);
        for (int k = 0; k < function->param_count; k++)
            function->order[k] = (uint8_t)k;
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static bool Matches(const char *glob, const char *key) {
    for (; *glob != '*'; glob++, key++)
        if (*glob != *key)
            return false;
        else if (!*glob)
            return true;
    for (;; key++)
        if (Matches(glob + 1, key))
            return true;
        else if (!*key)
            return false;
}

static void ReadConvention(Variant *variant, const Statement *statement) {
    bool known = false, used = false;
    AbiConvention convention = ABI_CDECL;
    for (int c = ABI_CDECL; c <= ABI_THISCALL; c++)
        if (strcmp(statement->words[2], AbiConvention_Name((AbiConvention)c)) == 0) {
            convention = (AbiConvention)c;
            known = true;
        }
    for (size_t i = 0; i < abi_function_count; i++) {
        AbiFunction *f = &variant->functions[i].abi;
        if (f->provider == ABI_NOOP || !Matches(statement->words[1], f->key))
            continue;
        f->convention = convention;
        used = true;
    }
    if (!known || !used)
        Refuse(statement, "%s is no convention, or %s no function", statement->words[2],
               statement->words[1]);
}

static VariantFunction *FindFunction(Variant *variant, const Statement *statement) {
    const AbiFunction *row = Abi_Find(statement->words[1]);
    if (!row)
        Refuse(statement, "no function has the key %s", statement->words[1]);
    return &variant->functions[row - abi_functions];
}

static void ReadOrder(Variant *variant, const Statement *statement) {
    VariantFunction *function = FindFunction(variant, statement);
    unsigned seen = 0;
    int place = 0;
    for (char *name = strtok(statement->words[2], ","); name; name = strtok(NULL, ",")) {
        int index = 0;
        while (index < function->param_count &&
               strcmp(Variant_Param(function, index).name, name) != 0)
            index++;
        if (index == function->param_count || seen & 1u << index)
            Refuse(statement, "%s is no parameter of it, or is there twice", name);
        seen |= 1u << index;
        function->order[place++] = (uint8_t)index;
    }
    if (place != function->param_count)
        Refuse(statement, "%d of %d parameters are there", place, function->param_count);
}

static const char *const reading_rows[][2] = {
#define READING_ROW(symbol, name, choices, work, where, evidence) {name, choices},
    RETROPOSE_RUNTIME_READINGS(READING_ROW)
#undef READING_ROW
};

const char *Variant_ReadingName(int reading) {
    return reading_rows[reading][0];
}

const char *Variant_Choice(const Variant *variant, int reading) {
    static char choice[32];
    const char *text = reading_rows[reading][1];
    for (int skip = variant->readings[reading]; skip > 0; skip--)
        text = strchr(text, '|') + 1;
    snprintf(choice, sizeof choice, "%.*s", (int)strcspn(text, "|"), text);
    return choice;
}

static int CountChoices(int reading) {
    int count = 1;
    for (const char *c = reading_rows[reading][1]; *c; c++)
        count += *c == '|';
    return count;
}

/* Chooses by name or by number. A number beyond the last choice means the last one. */
static bool Choose(Variant *variant, int reading, const char *choice) {
    int count = CountChoices(reading);
    int *chosen = &variant->readings[reading];
    if (strspn(choice, "0123456789") == strlen(choice)) {
        unsigned long wanted = strtoul(choice, NULL, 10);
        *chosen = wanted < (unsigned long)count ? (int)wanted : count - 1;
        return true;
    }
    for (*chosen = 0; *chosen < count; ++*chosen)
        if (strcmp(Variant_Choice(variant, reading), choice) == 0)
            return true;
    return false;
}

static void ReadReading(Variant *variant, const Statement *statement) {
    bool used = false;
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        if (Matches(statement->words[1], reading_rows[i][0])) {
            if (!Choose(variant, i, statement->words[2]))
                Refuse(statement, "%s has no choice %s", reading_rows[i][0], statement->words[2]);
            used = true;
        }
    if (!used)
        Refuse(statement, "no reading is called %s", statement->words[1]);
}

static void ReadClass(Variant *variant, const Statement *statement) {
    static const struct {
        const char *word;
        int bits;
    } words[] = {{"generic", VARIANT_CLASS_GENERIC},
                 {"mmx", VARIANT_CLASS_MMX},
                 {"fxch", VARIANT_CLASS_FXCH},
                 {"3dnow", VARIANT_CLASS_3DNOW},
                 {"sse", VARIANT_CLASS_SSE}};
    variant->class_bits = 0;
    for (int i = 1; i < statement->count; i++) {
        size_t k = 0;
        while (k < sizeof words / sizeof *words && strcmp(words[k].word, statement->words[i]) != 0)
            k++;
        if (k == sizeof words / sizeof *words)
            Refuse(statement, "%s is no class", statement->words[i]);
        variant->class_bits |= words[k].bits;
    }
}

static uint32_t Number(const Statement *statement, const char *word) {
    char *end;
    unsigned long number = strtoul(word, &end, 0);
    if (*end || end == word)
        Refuse(statement, "%s is no number", word);
    return (uint32_t)number;
}

static void ReadPlace(Variant *variant, const Statement *statement) {
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        if (strcmp(statement->words[1], AbiModule_Name((AbiModule)module)) != 0)
            continue;
        VariantModule *place = &variant->modules[module];
        uint32_t number = Number(statement, statement->words[2]);
        *(statement->words[0][0] == 'b'   ? &place->base
          : statement->words[0][0] == 's' ? &place->shuffle
                                          : &place->data) = number;
        return;
    }
    Refuse(statement, "no module is called %s", statement->words[1]);
}

static void ReadExports(Variant *variant, const Statement *statement) {
    variant->exports = Number(statement, statement->words[1]);
    for (int i = 2; i < statement->count; i++) {
        const char *word = statement->words[i];
        bool *flag = strcmp(word, "nameless") == 0    ? &variant->nameless
                     : strcmp(word, "forwarder") == 0 ? &variant->forwarder
                     : strcmp(word, "data") == 0      ? &variant->more_data
                     : strcmp(word, "ordinals") == 0  ? &variant->own_ordinals
                                                      : NULL;
        if (!flag)
            Refuse(statement, "exports has no option %s", word);
        *flag = true;
    }
}

static void ReadStatement(Variant *variant, const Statement *statement) {
    static const struct {
        const char *word;
        int least, most;
        void (*read)(Variant *, const Statement *);
    } kinds[] = {{"convention", 3, 3, ReadConvention},
                 {"order", 3, 3, ReadOrder},
                 {"reading", 3, 3, ReadReading},
                 {"class", 2, MAX_WORDS, ReadClass},
                 {"base", 3, 3, ReadPlace},
                 {"shuffle", 3, 3, ReadPlace},
                 {"data", 3, 3, ReadPlace},
                 {"exports", 2, MAX_WORDS, ReadExports}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, statement->words[0]) == 0) {
            if (statement->count < kinds[i].least || statement->count > kinds[i].most)
                Refuse(statement, "%s has %d words", kinds[i].word, statement->count);
            kinds[i].read(variant, statement);
            return;
        }
    Refuse(statement, "no statement is called %s", statement->words[0]);
}

static void NameAfter(const char *path, Variant *variant) {
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    snprintf(variant->name, sizeof variant->name, "%.*s", (int)strcspn(name, "."), name);
}

void Variant_Read(const char *path, Variant *variant) {
    Default(variant);
    if (!path)
        return;
    NameAfter(path, variant);
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    Statement statement = {.path = path};
    for (char line[LINE_BYTES]; fgets(line, sizeof line, file);) {
        statement.line++;
        statement.count = 0;
        line[strcspn(line, "#\n")] = 0;
        char *next = line, *word;
        while ((word = strtok_r(next, " ", &next)) && statement.count < MAX_WORDS)
            statement.words[statement.count++] = word;
        if (statement.count > 0)
            ReadStatement(variant, &statement);
    }
    fclose(file);
}
