#include "exports/abi.h"

#include "core/hash.h"
#include "exports/animesh.abi.h"
#include "exports/ngi32.abi.h"

#include <string.h>

#define EVIDENCE(word)   ABI_##word
#define PROVIDER(word)   ABI_##word
#define CONVENTION(role) ((AbiConvention)ABI_CONVENTION_OF(role))

/* Column order of the X-macros is documented in ngi32.abi.h. */
#define EXPORT_ROW(module_id, prefix, kind_id, name_, ordinal, ordinal_ev, rva_, rva_ev, conv,     \
                   conv_ev, returns_, params_, params_ev, provider_, source_, note_)               \
    {.key = prefix #name_,                                                                         \
     .name = #name_,                                                                               \
     .module = module_id,                                                                          \
     .kind = kind_id,                                                                              \
     .index = ordinal,                                                                             \
     .rva = rva_,                                                                                  \
     .convention = CONVENTION(conv),                                                               \
     .returns = returns_,                                                                          \
     .params = params_,                                                                            \
     .provider = PROVIDER(provider_),                                                              \
     .index_evidence = EVIDENCE(ordinal_ev),                                                       \
     .rva_evidence = EVIDENCE(rva_ev),                                                             \
     .convention_evidence = EVIDENCE(conv_ev),                                                     \
     .params_evidence = EVIDENCE(params_ev),                                                       \
     .source = source_,                                                                            \
     .note = note_},
#define NGI32_EXPORT(...)   EXPORT_ROW(ABI_NGI32, "ngi32.", ABI_EXPORT, __VA_ARGS__)
#define NGI32_OWN(...)      EXPORT_ROW(ABI_NGI32, "ngi32.", ABI_OWN_EXPORT, __VA_ARGS__)
#define ANIMESH_EXPORT(...) EXPORT_ROW(ABI_ANIMESH, "animesh.", ABI_EXPORT, __VA_ARGS__)
#define ANIMESH_OWN(...)    EXPORT_ROW(ABI_ANIMESH, "animesh.", ABI_OWN_EXPORT, __VA_ARGS__)

#define NGI32_SLOT(slot, name_, body_, conv, conv_ev, returns_, params_, params_ev, generic, fxch, \
                   sse, provider_, source_, note_)                                                 \
    {.key = "ngi32.slot" #slot,                                                                    \
     .name = #name_,                                                                               \
     .body = #body_,                                                                               \
     .module = ABI_NGI32,                                                                          \
     .kind = ABI_SLOT,                                                                             \
     .index = slot,                                                                                \
     .rva = generic,                                                                               \
     .rva_fxch = fxch,                                                                             \
     .rva_sse = sse,                                                                               \
     .convention = CONVENTION(conv),                                                               \
     .returns = returns_,                                                                          \
     .params = params_,                                                                            \
     .provider = PROVIDER(provider_),                                                              \
     .index_evidence = ABI_READ,                                                                   \
     .rva_evidence = (generic) ? ABI_READ : ABI_UNKNOWN,                                           \
     .convention_evidence = EVIDENCE(conv_ev),                                                     \
     .params_evidence = EVIDENCE(params_ev),                                                       \
     .source = source_,                                                                            \
     .note = note_},

#define INTERNAL_ROW(module_id, prefix, provider_, rva_, name_, conv, conv_ev, returns_, params_,  \
                     params_ev, entry_ev, source_, note_)                                          \
    {.key = prefix #name_,                                                                         \
     .name = #name_,                                                                               \
     .module = module_id,                                                                          \
     .kind = ABI_INTERNAL,                                                                         \
     .index = -1,                                                                                  \
     .rva = rva_,                                                                                  \
     .convention = CONVENTION(conv),                                                               \
     .returns = returns_,                                                                          \
     .params = params_,                                                                            \
     .provider = provider_,                                                                        \
     .index_evidence = ABI_UNKNOWN,                                                                \
     .rva_evidence = ABI_READ,                                                                     \
     .convention_evidence = EVIDENCE(conv_ev),                                                     \
     .params_evidence = EVIDENCE(params_ev),                                                       \
     .entry_evidence = EVIDENCE(entry_ev),                                                         \
     .source = source_,                                                                            \
     .note = note_},
#define NGI32_INTERNAL(...)   INTERNAL_ROW(ABI_NGI32, "ngi32.", ABI_NATIVE, __VA_ARGS__)
#define NGI32_ARCHIVE(...)    INTERNAL_ROW(ABI_NGI32, "ngi32.", ABI_NATIVE_ONLY, __VA_ARGS__)
#define ANIMESH_INTERNAL(...) INTERNAL_ROW(ABI_ANIMESH, "animesh.", ABI_NATIVE, __VA_ARGS__)
#define ANIMESH_AGENT(...)    INTERNAL_ROW(ABI_ANIMESH, "animesh.", ABI_NATIVE_ONLY, __VA_ARGS__)

#define METHOD_ROW(module_id, prefix, interface_, number, rva_, name_, conv, conv_ev, returns_,    \
                   params_, params_ev, provider_, source_, note_)                                  \
    {.key = prefix #interface_ "." #number,                                                        \
     .name = #name_,                                                                               \
     .interface = #interface_,                                                                     \
     .module = module_id,                                                                          \
     .kind = ABI_METHOD,                                                                           \
     .index = number,                                                                              \
     .rva = rva_,                                                                                  \
     .convention = CONVENTION(conv),                                                               \
     .returns = returns_,                                                                          \
     .params = params_,                                                                            \
     .provider = PROVIDER(provider_),                                                              \
     .index_evidence = ABI_READ,                                                                   \
     .rva_evidence = (rva_) ? ABI_READ : ABI_UNKNOWN,                                              \
     .convention_evidence = EVIDENCE(conv_ev),                                                     \
     .params_evidence = EVIDENCE(params_ev),                                                       \
     .source = source_,                                                                            \
     .note = note_},
#define NGI32_METHOD(...)   METHOD_ROW(ABI_NGI32, "ngi32.", __VA_ARGS__)
#define ANIMESH_METHOD(...) METHOD_ROW(ABI_ANIMESH, "animesh.", __VA_ARGS__)

/* A documented function without a native body: a name and an address, no signature. */
#define KNOWN_ROW(module_id, prefix, rva_, name_, source_)                                         \
    {.key = prefix #name_,                                                                         \
     .name = #name_,                                                                               \
     .module = module_id,                                                                          \
     .kind = ABI_INTERNAL,                                                                         \
     .index = -1,                                                                                  \
     .rva = rva_,                                                                                  \
     .convention = CONVENTION(ABI_CONV_MEMBER),                                                    \
     .returns = "any",                                                                             \
     .params = "",                                                                                 \
     .provider = ABI_ABSENT,                                                                       \
     .rva_evidence = ABI_READ,                                                                     \
     .convention_evidence = ABI_UNKNOWN,                                                           \
     .params_evidence = ABI_UNKNOWN,                                                               \
     .entry_evidence = ABI_READ,                                                                   \
     .source = source_,                                                                            \
     .note = "no native body yet"},

#define NGI32_KNOWN_ROW(...)   KNOWN_ROW(ABI_NGI32, "ngi32.", __VA_ARGS__)
#define ANIMESH_KNOWN_ROW(...) KNOWN_ROW(ABI_ANIMESH, "animesh.", __VA_ARGS__)

/* clang-format off */
const AbiFunction abi_functions[] = {
    ABI_NGI32_EXPORTS(NGI32_EXPORT)
    ABI_NGI32_OWN_EXPORTS(NGI32_OWN)
    ABI_NGI32_SLOTS(NGI32_SLOT)
    ABI_NGI32_INTERNALS(NGI32_INTERNAL)
    ABI_NGI32_ARCHIVE_INTERNALS(NGI32_ARCHIVE)
    ABI_NGI32_KNOWN(NGI32_KNOWN_ROW)
    ABI_NGI32_METHODS(NGI32_METHOD)
    ABI_ANIMESH_EXPORTS(ANIMESH_EXPORT)
    ABI_ANIMESH_OWN_EXPORTS(ANIMESH_OWN)
    ABI_ANIMESH_INTERNALS(ANIMESH_INTERNAL)
    ABI_ANIMESH_MESH_INTERNALS(ANIMESH_INTERNAL)
    ABI_ANIMESH_AGENT_INTERNALS(ANIMESH_AGENT)
    ABI_ANIMESH_KNOWN(ANIMESH_KNOWN_ROW)
    ABI_ANIMESH_METHODS(ANIMESH_METHOD)
    ABI_ANIMESH_OBJECT_METHODS(ANIMESH_METHOD)
};
/* clang-format on */
const size_t abi_function_count = sizeof abi_functions / sizeof *abi_functions;

#define FIELD(offset_, type_, count_, name_)                                                       \
    {.offset = offset_, .count = count_, .type = #type_, .name = #name_},
static const AbiField reader_fields[] = {ABI_READER_FIELDS(FIELD)};
static const AbiField piece_fields[] = {ABI_PIECE_FIELDS(FIELD)};
static const AbiField mesh_fields[] = {ABI_MESH_FIELDS(FIELD)};
static const AbiField query_fields[] = {ABI_QUERY_FIELDS(FIELD)};
static const AbiField hit_fields[] = {ABI_HIT_FIELDS(FIELD)};
static const AbiField joint_request_fields[] = {ABI_JOINT_REQUEST_FIELDS(FIELD)};
static const AbiField face_fields[] = {ABI_FACE_FIELDS(FIELD)};
static const AbiField append_fields[] = {ABI_APPEND_FIELDS(FIELD)};
static const AbiField part_fields[] = {ABI_PART_FIELDS(FIELD)};
static const AbiField agent_fields[] = {ABI_AGENT_FIELDS(FIELD)};
static const AbiField archive_fields[] = {ABI_ARCHIVE_FIELDS(FIELD)};
static const AbiField library_fields[] = {ABI_LIBRARY_FIELDS(FIELD)};
static const AbiField library_entry_fields[] = {ABI_LIBRARY_ENTRY_FIELDS(FIELD)};
const AbiStruct abi_structs[] = {
    {"reader", ABI_READER_SIZE, reader_fields, sizeof reader_fields / sizeof *reader_fields},
    {"piece", ABI_PIECE_SIZE, piece_fields, sizeof piece_fields / sizeof *piece_fields},
    {"mesh", ABI_MESH_SIZE, mesh_fields, sizeof mesh_fields / sizeof *mesh_fields},
    {"query", ABI_QUERY_SIZE, query_fields, sizeof query_fields / sizeof *query_fields},
    {"hit", ABI_HIT_SIZE, hit_fields, sizeof hit_fields / sizeof *hit_fields},
    {"joint_request", ABI_JOINT_REQUEST_SIZE, joint_request_fields,
     sizeof joint_request_fields / sizeof *joint_request_fields},
    {"face", ABI_FACE_SIZE, face_fields, sizeof face_fields / sizeof *face_fields},
    {"append", ABI_APPEND_SIZE, append_fields, sizeof append_fields / sizeof *append_fields},
    {"part", ABI_PART_SIZE, part_fields, sizeof part_fields / sizeof *part_fields},
    {"agent", ABI_AGENT_SIZE, agent_fields, sizeof agent_fields / sizeof *agent_fields},
    {"archive", ABI_ARCHIVE_SIZE, archive_fields, sizeof archive_fields / sizeof *archive_fields},
    {"library", ABI_LIBRARY_SIZE, library_fields, sizeof library_fields / sizeof *library_fields},
    {"library_entry", ABI_LIBRARY_ENTRY_SIZE, library_entry_fields,
     sizeof library_entry_fields / sizeof *library_entry_fields},
};
const size_t abi_struct_count = sizeof abi_structs / sizeof *abi_structs;

const AbiFunction *Abi_Find(const char *key) {
    for (size_t i = 0; i < abi_function_count; i++)
        if (strcmp(abi_functions[i].key, key) == 0)
            return &abi_functions[i];
    return NULL;
}

const AbiStruct *Abi_FindStruct(const char *name, size_t name_length) {
    for (size_t i = 0; i < abi_struct_count; i++)
        if (strlen(abi_structs[i].name) == name_length &&
            memcmp(abi_structs[i].name, name, name_length) == 0)
            return &abi_structs[i];
    return NULL;
}

const char *AbiModule_Name(AbiModule module) {
    static const char *const names[] = {"ngi32", "animesh"};
    return names[module];
}

const char *AbiModule_File(AbiModule module) {
    return module == ABI_NGI32 ? "Ngi32.dll" : "AniMesh.dll";
}

const char *AbiKind_Name(AbiKind kind) {
    static const char *const names[] = {"export", "own export", "slot", "internal", "method"};
    return names[kind];
}

const char *AbiConvention_Name(AbiConvention convention) {
    static const char *const names[] = {"cdecl", "stdcall", "fastcall", "thiscall"};
    return names[convention];
}

const char *AbiEvidence_Name(AbiEvidence evidence) {
    static const char *const names[] = {"unknown", "assumed",  "inferred",
                                        "live",    "measured", "read"};
    return names[evidence];
}

const char *AbiProvider_Name(AbiProvider provider) {
    static const char *const names[] = {
        "native", "native, not in the stand-in", "no-op", "refused", "fatal", "data", "absent"};
    return names[provider];
}

/* Returns whether some parameter has this type and is not called `except`. */
static int HasParameter(const char *params, const char *type, const char *except) {
    const size_t length = strlen(type);
    for (const char *param = params; param && *param;) {
        const char *end = strchr(param, ',');
        const size_t size = end ? (size_t)(end - param) : strlen(param);
        for (size_t i = 0; i + length < size; i++) {
            const char *name = param + i + length;
            if ((i > 0 && param[i - 1] != ' ') || memcmp(param + i, type, length) != 0 ||
                (*name != ' ' && *name != '['))
                continue;
            const size_t rest = (size_t)(param + size - name);
            if (rest != strlen(except) + 1 || memcmp(name + 1, except, rest - 1) != 0)
                return 1;
        }
        param = end ? end + 1 : NULL;
    }
    return 0;
}

const char *Abi_WhyTrust(const AbiFunction *function) {
    static const struct {
        const char *key, *effect;
    } effects[] = {
#define EFFECT_ROW(name, effect) {"ngi32." #name, effect},
        ABI_NGI32_EFFECTS(EFFECT_ROW)
#undef EFFECT_ROW
    };
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (strcmp(effects[i].key, function->key) == 0)
            return effects[i].effect;
    if (HasParameter(function->params, "cstr", "text"))
        return "takes the name of a file";
    if (HasParameter(function->params, "any", ""))
        return "takes something of the process";
    return strcmp(function->returns, "any") == 0 ? "hands out something of the process" : NULL;
}

uint32_t Abi_StackArgumentBytes(const AbiFunction *function) {
    uint32_t stack = 0;
    int registers = function->convention == ABI_FASTCALL   ? 2
                    : function->convention == ABI_THISCALL ? 1
                                                           : 0;
    for (const char *param = function->params; param && *param;) {
        const char *type = param;
        while (*type == ' ')
            type++;
        const int is_float = strncmp(type, "f32 ", 4) == 0; /* never in a register of fastcall */
        if (registers > 0 && !is_float)
            registers--;
        else
            stack += 4;
        param = strchr(param, ',');
        if (param)
            param++;
    }
    return stack;
}

uint64_t Abi_Digest(void) {
    uint64_t hash = HASH_FNV64_BEGIN;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        const char *const texts[] = {f->key, AbiConvention_Name(f->convention), f->returns,
                                     f->params};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            hash = Hash_Fnv64(hash, texts[k], strlen(texts[k]) + 1);
    }
    return hash;
}
