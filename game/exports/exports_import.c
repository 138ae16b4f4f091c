#include "game/exports/exports_import.h"

#include "core/bytes.h"
#include "core/digest.h"
#include "replay/provider/provider.h"
#include "tracefile/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which module ---------------------------------------------------------------------------- */

RpStatus ExportsImport_Identify(const PeFile *pe, AbiModule *module, RpError *error) {
    if (Provider_FileKind(pe) == PROVIDER_REPLACEMENT)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "this DLL is Retropose's own", "",
                           "the original, in an installed folder NAME.retail.dll", "");
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (pe->export_name && Selection_Glob(AbiModule_File((AbiModule)i), pe->export_name)) {
            *module = (AbiModule)i;
            return RP_OK;
        }

    /* A file that has lost its name is the module of which it exports more names. */
    size_t names[ABI_MODULE_COUNT] = {0};
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *known = &abi_functions[i];
        if (known->kind == ABI_EXPORT && Pe_FindExport(pe, known->name))
            names[known->module]++;
    }
    *module = names[ABI_ANIMESH] > names[ABI_NGI32] ? ABI_ANIMESH : ABI_NGI32;
    return names[*module] > 0
               ? RP_OK
               : RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                             "this DLL is neither Ngi32.dll nor AniMesh.dll", "",
                             "that name in its export directory, or known exports",
                             pe->export_name ? pe->export_name : "no export directory's name");
}

/* ---- what is at an address ------------------------------------------------------------------- */

enum {
    JUMP_NEAR = 0xE9,
    JUMP_SHORT = 0xEB,
    RETURN = 0xC3,
    RETURN_POPPING = 0xC2,
    MODRM_EAX_EAX = 0xC0
};

static bool IsCode(const PeFile *pe, uint32_t rva) {
    const PeSection *section = Pe_SectionAt(pe, rva);
    return section && section->characteristics & (PE_SECTION_CODE | PE_SECTION_EXECUTABLE);
}

/* Recognises `ret` or `ret n`, after at most one instruction that clears EAX. */
static bool ReadStub(const PeFile *pe, uint32_t rva, OverlayExport *row) {
    /* Linkers put jumps in front of functions. */
    const uint8_t *near = Pe_At(pe, rva, 5), *brief = Pe_At(pe, rva, 2);
    uint32_t start = rva;
    if (near && near[0] == JUMP_NEAR)
        start = rva + 5 + Bytes_U32(near + 1);
    else if (brief && brief[0] == JUMP_SHORT)
        start = rva + 2 + (brief[1] ^ 0x80u) - 0x80u; /* sign-extends the byte */

    const uint8_t *clearing = Pe_At(pe, start, 2);
    /* This is xor eax,eax or sub eax,eax, each in one of its two encodings. */
    bool clears = clearing &&
                  (clearing[0] == 0x31 || clearing[0] == 0x33 || clearing[0] == 0x29 ||
                   clearing[0] == 0x2B) &&
                  clearing[1] == MODRM_EAX_EAX;
    start += clears ? 2 : 0;
    const uint8_t *end = IsCode(pe, start) ? Pe_At(pe, start, 1) : NULL;
    const uint8_t *popping = end && *end == RETURN_POPPING ? Pe_At(pe, start, 3) : NULL;
    if (!popping && !(end && *end == RETURN))
        return false;
    row->kind = OVERLAY_STUB;
    row->clears = clears;
    row->pops = popping ? (uint32_t)(popping[1] | popping[2] << 8) : 0;
    return true;
}

/* ---- the list -------------------------------------------------------------------------------- */

static RpStatus CopyName(char to[OVERLAY_NAME_BYTES], const char *from, uint32_t ordinal,
                         RpError *error) {
    char where[48];
    if (strlen(from) < OVERLAY_NAME_BYTES) {
        memcpy(to, from, strlen(from) + 1);
        return RP_OK;
    }
    snprintf(where, sizeof where, "export %u", ordinal);
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "an export's name is too long", where,
                       "at most 95 characters", from);
}

static int ByOrdinal(const void *a, const void *b) {
    const PeExport *left = *(const PeExport *const *)a, *right = *(const PeExport *const *)b;
    if (left->ordinal != right->ordinal)
        return left->ordinal < right->ordinal ? -1 : 1;
    return left->name && right->name ? strcmp(left->name, right->name) : 0;
}

RpStatus ExportsImport_Read(const PeFile *pe, AbiModule module, Overlay *overlay, RpError *error) {
    char sha256[DIGEST_HEX_BYTES];
    Digest_OfBytes(pe->bytes, pe->size, sha256);
    Overlay_SetModule(overlay, module, (uint32_t)pe->size, sha256);
    Overlay_DropExports(overlay, module);
    const PeExport **rows = malloc((pe->export_count + 1) * sizeof *rows);
    if (!rows)
        return RpMemory_Refused(error, "the export list");
    for (size_t i = 0; i < pe->export_count; i++)
        rows[i] = &pe->exports[i];
    qsort(rows, pe->export_count, sizeof *rows, ByOrdinal);
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < pe->export_count; i++) {
        const PeExport *found = rows[i];
        OverlayExport row;
        memset(&row, 0, sizeof row);
        row.module = module;
        row.ordinal = found->ordinal;
        row.rva = found->rva;
        status = found->name ? CopyName(row.name, found->name, row.ordinal, error) : RP_OK;
        if (!status && found->forwarder) {
            row.kind = OVERLAY_FORWARDER;
            status = CopyName(row.forwarder, found->forwarder, row.ordinal, error);
        } else if (!status && !IsCode(pe, row.rva)) {
            row.kind = OVERLAY_DATA;
        } else if (!status && !ReadStub(pe, row.rva, &row)) {
            row.kind = OVERLAY_CODE;
        }
        if (status)
            break;
        status = Overlay_AddExport(overlay, &row, error);
        if (status == RP_INVALID) { /* the file is valid, but no overlay can describe it */
            status = RP_UNSUPPORTED;
            if (error) {
                error->status = status;
                snprintf(error->where, sizeof error->where, "export %u", row.ordinal);
            }
        }
    }
    free(rows);
    return status;
}
