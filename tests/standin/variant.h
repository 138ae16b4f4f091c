/* A variant of the stand-in: how it differs from the default, which follows the ABI tables and has
 * every documented function at its documented address. It is read from a text (variants/NAME.txt)
 * with one statement on each line. `#` begins a comment, and a later line overrides an earlier one:
 *
 *   convention GLOB WORD       of functions by key: `convention ngi32.slot* cdecl`. No-op exports
 *                              keep theirs: their `ret n` is published (facts/ngi32.md A.2)
 *   order FUNCTION a,b,c       the machine's order of the parameters, by their names in the tables
 *   reading GLOB CHOICE        exports/reading_table.h; a number is the index of the choice, or of
 *                              the last one where there are fewer
 *   class WORD...              of the processor, instead of detection: generic, mmx, fxch, 3dnow,
 *                              sse
 *   base MODULE ADDRESS        the image's base
 *   shuffle MODULE SEED        every function at another address
 *   data MODULE BYTES          tables, constants and globals so many bytes further on
 *   exports SEED [nameless] [forwarder] [data] [ordinals]
 *                              a list of 145 like the original's (facts/ngi32.md A.1, A.3) with the
 *                              13 known ordinals; some by ordinal only; one forwarder; one more
 *                              table; `ordinals`: not even the known ones */
#ifndef RETROPOSE_STANDIN_VARIANT_H
#define RETROPOSE_STANDIN_VARIANT_H

#include "exports/abi.h"
#include "exports/reading_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARIANT_MAX_PARAMS 10

enum {
    VARIANT_CLASS_SSE = 1, /* these are the numbers of ngi32/dispatch.S */
    VARIANT_CLASS_3DNOW = 2,
    VARIANT_CLASS_FXCH = 4,
    VARIANT_CLASS_MMX = 8,
    VARIANT_CLASS_GENERIC = 0,
    VARIANT_CLASS_DETECTED = -1
};

typedef struct VariantModule {
    uint32_t base;
    uint32_t shuffle; /* seed of the order; 0 keeps the documented addresses */
    uint32_t data;    /* by how many bytes the data is moved */
} VariantModule;

typedef struct VariantFunction {
    AbiFunction abi; /* the row with the variant's convention */
    int param_count;
    uint8_t order[VARIANT_MAX_PARAMS]; /* argument i of the machine's call is parameter order[i] */
} VariantFunction;

typedef struct Variant {
    char name[64]; /* empty for the default stand-in */
    VariantModule modules[ABI_MODULE_COUNT];
    VariantFunction *functions; /* in the order of abi_functions */
    int readings[READING_RUNTIME_COUNT];
    int class_bits;
    uint32_t exports; /* the seed of the complete list; 0 stands for the published exports alone */
    bool nameless, forwarder, more_data, own_ordinals;
} Variant;

/* Ends the program with a message if the text is not as described above. A null `path` gives the
 * default. */
void Variant_Read(const char *path, Variant *variant);

typedef enum VariantParamKind {
    VARIANT_NUMBER, /* a float by value, which is never in a register */
    VARIANT_DWORD,
    VARIANT_INPUT, /* pointers */
    VARIANT_OUTPUT
} VariantParamKind;

/* One parameter in the language of the tables. */
typedef struct VariantParam {
    char name[32];
    VariantParamKind kind;
} VariantParam;
VariantParam Variant_Param(const VariantFunction *function, int index);

const char *Variant_ReadingName(int reading);
/* Returns the name of the chosen alternative. The next call overwrites it. */
const char *Variant_Choice(const Variant *variant, int reading);
/* Turns "ngi32.slot17" into "ngi32_slot17". The next call overwrites it. */
const char *Variant_Symbol(const AbiFunction *function);
/* Returns whether the function has a signature, without which it cannot be assembled. */
bool Variant_HasSignature(const AbiFunction *function);

/* ---- the export list ------------------------------------------------------------------------- */

typedef enum VariantExportKind {
    VARIANT_ROW, /* a row of the tables */
    VARIANT_STUB,
    VARIANT_LIVE, /* returns its ordinal and the sum of its arguments */
    VARIANT_DATA,
    VARIANT_FORWARDER
} VariantExportKind;

typedef struct VariantExport {
    char name[64];
    bool nameless; /* the name is known only in the source of this list */
    int ordinal;
    VariantExportKind kind;
    const VariantFunction *function; /* for a row of the tables */
    int stub;                        /* for a stub, its index in variant_stubs */
    uint32_t pops;                   /* for a live export */
} VariantExport;

/* The body of a stub: whether it clears EAX, and how much it takes off the stack. facts/ngi32.md
 * A.1 gives the addresses, and A.3 three of the bodies. */
typedef struct VariantStub {
    uint32_t rva, pops;
    bool clears;
} VariantStub;
#define VARIANT_STUBS 14
extern const VariantStub variant_stubs[VARIANT_STUBS];

#define VARIANT_MAX_EXPORTS 160
int Variant_Exports(const Variant *variant, AbiModule module,
                    VariantExport exports[VARIANT_MAX_EXPORTS]);

/* ---- the layout ------------------------------------------------------------------------------ */

/* Returns the RVA at which the variant has what the original has at this RVA. 0 stays 0. */
uint32_t Layout_Code(const Variant *variant, AbiModule module, uint32_t published);
uint32_t Layout_Data(const Variant *variant, AbiModule module, uint32_t published);
void Layout_Print(const Variant *variant, AbiModule module, void *file);

#endif
