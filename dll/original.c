#include "dll/original.h"

#include "core/digest.h"
#include "core/hex.h"
#include "core/text.h"
#include "dll/base/log.h"
#include "dll/detour.h"
#include "dll/gate.h"
#include "exports/section.h"

#include <string.h>

const char *Original_Name(AbiModule module) {
    return module == ABI_NGI32 ? "Ngi32.retail.dll" : "AniMesh.retail.dll";
}

/* ---- looking --------------------------------------------------------------------------------- */

static void DigestBytes(const FileBytes *file, char sha256[DIGEST_HEX_BYTES]) {
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, file->bytes, file->size);
    Digest_End(&digest, sha256);
}

static bool Contains(const FileBytes *file, const char *bytes, size_t size) {
    for (size_t at = 0; at + size <= file->size; at++)
        if (file->bytes[at] == (uint8_t)bytes[0] && memcmp(file->bytes + at, bytes, size) == 0)
            return true;
    return false;
}

bool Original_IsStandin(const LiveOriginal *original) {
    return original->standin;
}

/* Opens the file and keeps it open, so that nobody can change it between the examination and the
 * loading. */
static bool Open(const wchar_t *folder, AbiModule module, wchar_t path[FOLDER_PATH_CHARS],
                 LiveOriginal *original, FileBytes *file) {
    memset(original, 0, sizeof *original);
    original->of = module;
    FileOutcome outcome =
        Folder_Path(folder, Original_Name(module), path) ? File_Open(path, file) : FILE_ABSENT;
    original->present = outcome != FILE_ABSENT;
    original->refusal = outcome == FILE_REFUSED ? "the file cannot be read" : NULL;
    if (outcome != FILE_OPENED)
        return false;

    /* Under the original's name, a DLL of ours would lead every gate back to itself. */
    if (Contains(file, EXPORT_GATES_NAME, sizeof EXPORT_GATES_NAME)) {
        original->refusal = "it is a DLL of Retropose, not an original";
        File_Close(file);
        return false;
    }
    DigestBytes(file, original->file.sha256);
    /* The stand-in is marked by the name of a section (tests/standin/layout.c): eight bytes without
     * a NUL. */
    original->standin = Contains(file, ".standin", 8);
    original->file.hosted = true;
    return true;
}

void Original_Look(const wchar_t *folder, AbiModule module, LiveOriginal *original) {
    wchar_t path[FOLDER_PATH_CHARS];
    FileBytes file;
    if (Open(folder, module, path, original, &file))
        File_Close(&file);
}

static void DigestAt(const wchar_t *path, char sha256[65]) {
    FileBytes file;
    if (File_Open(path, &file) != FILE_OPENED)
        return;
    DigestBytes(&file, sha256);
    File_Close(&file);
}

void Original_DigestOf(HMODULE module, char sha256[65]) {
    wchar_t path[FOLDER_PATH_CHARS];
    DWORD length = GetModuleFileNameW(module, path, FOLDER_PATH_CHARS);
    sha256[0] = 0;
    if (length > 0 && length < FOLDER_PATH_CHARS)
        DigestAt(path, sha256);
}

void Original_DigestOfOurs(const wchar_t *folder, AbiModule module, char sha256[65]) {
    wchar_t path[FOLDER_PATH_CHARS];
    sha256[0] = 0;
    if (Folder_Path(folder, AbiModule_File(module), path))
        DigestAt(path, sha256);
}

/* ---- loading --------------------------------------------------------------------------------- */

void Original_Load(const wchar_t *folder, AbiModule module, LiveOriginal *original) {
    wchar_t path[FOLDER_PATH_CHARS];
    FileBytes file;
    DWORD error;
    if (!Open(folder, module, path, original, &file)) {
        if (original->refusal)
            Log_Write("%s is not hosted: %s", Original_Name(module), original->refusal);
        return;
    }

    /* If the file is not a DLL, no message box is shown. */
    UINT mode = SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
    HMODULE loaded = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    error = GetLastError();
    SetErrorMode(mode);
    original->module = loaded;

    File_Close(&file);
    if (original->module)
        return;
    original->file.hosted = false;
    Log_Write("%s is not hosted: it cannot be loaded (system error %u)", Original_Name(module),
              (uint32_t)error);
}

/* ---- exports and slots ----------------------------------------------------------------------- */

typedef struct Image {
    uintptr_t base;
    uint32_t size;
} Image;

static Image ImageOf(const void *module) {
    const uint8_t *base = module;
    const IMAGE_DOS_HEADER *dos = module;
    const IMAGE_NT_HEADERS32 *headers = (const void *)(base + dos->e_lfanew);
    return (Image){.base = (uintptr_t)base, .size = headers->OptionalHeader.SizeOfImage};
}

static bool IsIn(Image image, const void *address, uint32_t bytes) {
    uintptr_t offset = (uintptr_t)address - image.base;
    return offset < image.size && bytes <= image.size - offset;
}

/* Returns whether this is code that is not ours. It may be ours if the original's export is a
 * forwarder that leads back to us. */
static bool MayServe(Image own, const void *code) {
    if (!code || IsIn(own, code, 1))
        return false;
    MEMORY_BASIC_INFORMATION page;
    const DWORD executable =
        PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;
    return VirtualQuery(code, &page, sizeof page) == sizeof page && page.State == MEM_COMMIT &&
           (page.Protect & executable);
}

static const void *ExportAt(HMODULE module, const char *name) {
    return (const void *)(uintptr_t)GetProcAddress(module, name);
}

/* ---- the pool -------------------------------------------------------------------------------- */

extern const ExportGates RetroposeGates; /* this is in gates.S */
static const ExportsSection *section;
static const uint8_t *section_base;

static const ExportsSectionGate *RowOf(uint32_t number) {
    const ExportsSectionGate *rows = (const void *)(section_base + section->gates_rva);
    return &rows[number];
}

static const char *NameOf(uint32_t number, char *buffer, size_t size) {
    if (!section || number >= section->gate_count)
        return NULL;
    Text text = Text_Begin(buffer, size);
    if (RowOf(number)->name_rva)
        return (const char *)section_base + RowOf(number)->name_rva;
    Text_Append(&text, "ordinal ");
    Text_AppendDecimal(&text, RowOf(number)->ordinal);
    return buffer;
}

/* Returns false if this DLL's export table is the one that we built. */
static bool OpenPool(HINSTANCE own) {
    const uint8_t *base = (const uint8_t *)own;
    Image image = ImageOf(own);
    uint32_t rva = ((const volatile ExportGates *)&RetroposeGates)->section_rva;
    const ExportsSection *found = (const void *)(base + rva);
    live_pool_name = NameOf;
    section = NULL;
    if (!rva || !IsIn(image, found, sizeof *found) || found->magic != EXPORTS_SECTION_MAGIC)
        return false;
    uint32_t bytes = found->gate_count * (uint32_t)sizeof(ExportsSectionGate);
    if (found->version != EXPORTS_SECTION_VERSION || found->gate_count > EXPORT_GATE_COUNT ||
        !IsIn(image, base + found->gates_rva, bytes)) {
        Log_Write("the section %s of this DLL is not understood: run `retropose install` again",
                  EXPORTS_SECTION_NAME);
        return false;
    }
    section_base = base;
    section = found;
    return true;
}

void Original_FillStubs(HINSTANCE own) {
    if (!OpenPool(own))
        return;
    for (uint32_t i = 0; i < section->gate_count; i++)
        if (RowOf(i)->flags & EXPORTS_GATE_STUB)
            Pool_SetStub(i, RowOf(i)->pops, RowOf(i)->flags & EXPORTS_GATE_CLEARS);
}

void Original_FillGates(const LiveOriginal *original, HINSTANCE own) {
    const Image image = ImageOf(own);
    char names[LOG_LINE_BYTES - 100];
    Text missing = Text_Begin(names, sizeof names);
    for (uint32_t i = 0; i < live_gate_count - live_outgoing_count; i++) {
        LiveGate *gate = &live_gates[i];
        if (!gate->function || gate->function->kind != ABI_EXPORT)
            continue;
        const void *named = ExportAt(original->module, gate->function->name);
        bool numbered =
            gate->function->index_evidence == ABI_READ; /* otherwise the ordinal is provisional */
        const void *code =
            named || !numbered
                ? named
                : ExportAt(original->module, (const char *)(uintptr_t)gate->function->index);

        if (MayServe(image, code)) {
            gate->original.code = code;
        } else {
            Text_Append(&missing, missing.length ? " " : "");
            Text_Append(&missing, gate->function->name);
        }
    }
    if (missing.length)
        Log_Write("exports that the original does not have, and ours serves: %s", names);

    /* The original has filled its table by now, because it does so when it is loaded. */
    if (original->of == ABI_NGI32) {
        enum { SLOT_COUNT = 68 };
        const void *const *table = ExportAt(original->module, "g_FastProc");
        if (table && IsIn(ImageOf(original->module), table, SLOT_COUNT * 4)) {
            uint32_t filled = 0;
            for (uint32_t slot = 0; slot < SLOT_COUNT; slot++)
                if (MayServe(image, table[slot])) {
                    Gates_FindSlot(slot)->original.code = table[slot];
                    filled++;
                }
            Log_Write("g_FastProc: %u of %u slots are the original's to serve", filled,
                      (uint32_t)SLOT_COUNT);
        } else {
            Log_Write("the original has no g_FastProc: ours serves");
        }
    }

    /* Exports without a row have gates in a pool. */
    if (!OpenPool(own))
        return;
    char hex[DIGEST_HEX_BYTES];
    Hex_Write(section->original_sha256, sizeof section->original_sha256, hex);
    if (memcmp(hex, original->file.sha256, 64) != 0)
        Log_Write("the export table of this DLL was completed from another original: run "
                  "`retropose install` again");
    uint32_t filled = 0;
    for (uint32_t i = 0; i < section->gate_count; i++) {
        const void *code = ExportAt(original->module, (const char *)(uintptr_t)RowOf(i)->ordinal);
        if (MayServe(image, code)) {
            Pool_SetTarget(i, code);
            filled++;
        }
    }
    if (section->gate_count)
        Log_Write("%u of %u exports without a row lead to the original", filled,
                  section->gate_count);
}

/* ---- internal functions ---------------------------------------------------------------------- */

void Original_Redirect(const LiveOriginal *original, const Overlay *overlay) {
    for (uint32_t i = 0; i < live_gate_count - live_outgoing_count; i++) {
        LiveGate *gate = &live_gates[i];
        LiveReason reason;
        if (!gate->function || !gate->callable || !Settings_MayRedirect(gate->function) ||
            !Overlay_IsFor(overlay, gate->function->module, original->file.sha256) ||
            !Settings_IsVerified(overlay, &original->file, gate->function, &reason))
            continue;
        const OverlayFunction *row = Overlay_Find(overlay, gate->function);
        if (!row || !row->rva || !row->signature_bytes)
            continue; /* the decision gives the reason */
        const DetourPlace place = {.module = (uint8_t *)original->module,
                                   .rva = row->rva,
                                   .signature_bytes = row->signature_bytes,
                                   .entry_bytes = row->entry_bytes,
                                   .signature = row->signature};
        const void *trampoline;
        RpError error;
        if (Detour_Install(&place, Gate_Code(gate), &trampoline, &error) == RP_OK) {
            gate->original.code = trampoline;
            Log_Write("%s at 0x%x is redirected", gate->function->key,
                      (uint32_t)(uintptr_t)(place.module + place.rva));
        } else {
            Log_Write("%s stays the original's: %s", gate->function->key, error.what);
        }
    }
}
