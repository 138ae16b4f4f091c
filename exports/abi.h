/* The ABI tables as data: every row of ngi32.abi.h and animesh.abi.h in one array. */
#ifndef RETROPOSE_EXPORTS_ABI_H
#define RETROPOSE_EXPORTS_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef enum AbiModule { ABI_NGI32, ABI_ANIMESH, ABI_MODULE_COUNT } AbiModule;
typedef enum AbiKind { ABI_EXPORT, ABI_OWN_EXPORT, ABI_SLOT, ABI_INTERNAL, ABI_METHOD } AbiKind;
typedef enum AbiConvention { ABI_CDECL, ABI_STDCALL, ABI_FASTCALL, ABI_THISCALL } AbiConvention;
typedef enum AbiEvidence {
    ABI_UNKNOWN,
    ABI_ASSUMED,
    ABI_INFERRED,
    ABI_LIVE,
    ABI_MEASURED,
    ABI_READ
} AbiEvidence;
typedef enum AbiProvider {
    ABI_NATIVE,
    ABI_NATIVE_ONLY,
    ABI_NOOP,
    ABI_REFUSED,
    ABI_FATAL,
    ABI_DATA,
    ABI_ABSENT
} AbiProvider;

typedef struct AbiFunction {
    const char *key;       /* unique: "ngi32.slot17", "animesh.SampleNode", "ngi32.ngiAlloc" */
    const char *name;      /* "InterpolateQuaternions" */
    const char *interface; /* for a method: "IAnimation", else null */
    const char *body;      /* for a slot: "RpQuaternion_Interpolate", else null */
    AbiModule module;
    AbiKind kind;
    int index;    /* ordinal of an export, slot of g_FastProc, number of a method, else -1 */
    uint32_t rva; /* address in the known version, or 0 if it is unpublished */
    uint32_t rva_fxch, rva_sse; /* for a slot: addresses of its other builds, or 0 if unpublished */
    AbiConvention convention;
    const char *returns; /* in the notation of ngi32.abi.h, as are the parameters */
    const char *params;
    AbiProvider provider;
    AbiEvidence index_evidence, rva_evidence, convention_evidence, params_evidence;
    /* INFERRED for an internal function whose known address is inside a routine */
    AbiEvidence entry_evidence;
    const char *source;
    const char *note;
} AbiFunction;

typedef struct AbiField {
    uint16_t offset;
    uint16_t count;
    const char *type; /* u8, i32, u32, f32, ref or any */
    const char *name;
} AbiField;

typedef struct AbiStruct {
    const char *name; /* such as "reader" or "piece" */
    uint32_t size;
    const AbiField *fields;
    size_t field_count;
} AbiStruct;

extern const AbiFunction abi_functions[];
extern const size_t abi_function_count;
extern const AbiStruct abi_structs[];
extern const size_t abi_struct_count;

/* These return the function or the layout of that name, or null. */
const AbiFunction *Abi_Find(const char *key);
const AbiStruct *Abi_FindStruct(const char *name, size_t name_length);

const char *AbiModule_Name(AbiModule module);             /* "ngi32" */
const char *AbiModule_File(AbiModule module);             /* "Ngi32.dll" */
const char *AbiKind_Name(AbiKind kind);                   /* "export" */
const char *AbiConvention_Name(AbiConvention convention); /* "fastcall" */
const char *AbiEvidence_Name(AbiEvidence evidence);       /* "read" */
const char *AbiProvider_Name(AbiProvider provider);       /* "native" */

/* Returns the reason why a function must not be called for a trace unless the user trusts the
 * trace's maker: it names a file, takes or hands out something of the process, or ends objects.
 * Null means that the function only reads its inputs and writes its outputs, whatever they are. */
const char *Abi_WhyTrust(const AbiFunction *function);

/* Returns the bytes of stack that the arguments take, which a function that cleans up after itself
 * pops with `ret n`. */
uint32_t Abi_StackArgumentBytes(const AbiFunction *function);

/* Returns the FNV-1a digest (64 bits) of every key, convention, return type and parameter list.
 * Traces contain it. */
uint64_t Abi_Digest(void);

#endif
