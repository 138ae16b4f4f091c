#include "game.h"

#include "core/digest.h"
#include "dll/settings/decide.h"
#include "game/install/pe_writer.h"
#include "game/probe/static.h"
#include "tests/dll/child.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef interface /* windows.h defines this name, which is a field of the ABI tables */

enum { PATH_BYTES = 600 };

char game_folder[PATH_BYTES];

static void Check(RpStatus status, const RpError *error) {
    char message[512];
    if (status == RP_OK)
        return;
    RpError_Format(error, message, sizeof message);
    fail_msg("%s", message);
}

/* ---- files ----------------------------------------------------------------------------------- */

void Game_Path(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", game_folder, name);
}

static void BuildPath(const char *name, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%s/%s", BUILD_FOLDER, name);
}

void Game_Write(const char *name, const void *bytes, size_t size) {
    char path[PATH_BYTES];
    Game_Path(name, path, sizeof path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

void Game_WriteSettings(const char *text) {
    Game_Write("retropose.ini", text, strlen(text));
}

void Game_CopyFile(const char *from, const char *to) {
    if (!CopyFileA(from, to, FALSE))
        fail_msg("%s to %s: error %lu", from, to, GetLastError());
}

void Game_CopyBuildFile(const char *from, const char *name) {
    char source[PATH_BYTES], target[PATH_BYTES];
    BuildPath(from, source);
    Game_Path(name, target, sizeof target);
    Game_CopyFile(source, target);
}

static void MakeEmptyFolder(void) {
    char temporary[MAX_PATH];
    if (!game_folder[0]) {
        GetTempPathA(sizeof temporary, temporary);
        snprintf(game_folder, PATH_BYTES, "%srpgame%lu", temporary, GetCurrentProcessId());
    }
    Game_Delete();
    assert_true(CreateDirectoryA(game_folder, NULL));
}

void Game_Delete(void) {
    char pattern[PATH_BYTES], path[PATH_BYTES];
    WIN32_FIND_DATAA found;
    Game_Path("*", pattern, sizeof pattern);
    HANDLE search = FindFirstFileA(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        Game_Path(found.cFileName, path, sizeof path);
        DeleteFileA(path);
    } while (FindNextFileA(search, &found));
    FindClose(search);
    RemoveDirectoryA(game_folder);
}

/* ---- our DLLs -------------------------------------------------------------------------------- */

static void Complete(AbiModule module, const char *original_name) {
    char ours_path[PATH_BYTES], original_path[PATH_BYTES], name[64];
    PeFile ours, original;
    RpBuffer completed;
    RpError error;
    snprintf(name, sizeof name, "replacement/%s", AbiModule_File(module));
    BuildPath(name, ours_path);
    BuildPath(original_name, original_path);
    Check(Pe_Load(ours_path, &ours, &error), &error);
    Check(Pe_Load(original_path, &original, &error), &error);
    RpBuffer_Init(&completed, NULL);
    Check(PeWriter_Complete(&ours, &original, module, &completed, &error), &error);
    Game_Write(AbiModule_File(module), completed.bytes, completed.size);
    RpBuffer_Free(&completed);
    Pe_Close(&ours);
    Pe_Close(&original);
}

static const char *RetailName(AbiModule module) {
    return module == ABI_NGI32 ? "Ngi32.retail.dll" : "AniMesh.retail.dll";
}

static void PutModule(const GameSpec *spec, AbiModule module) {
    char ours[64];
    snprintf(ours, sizeof ours, "replacement/%s", AbiModule_File(module));
    if (spec->without_ours && module == ABI_NGI32) {
        Game_CopyBuildFile(spec->original[module], AbiModule_File(module));
        return;
    }
    if (spec->original[module])
        Game_CopyBuildFile(spec->original[module], RetailName(module));
    if (spec->original[module] && !spec->plain)
        Complete(module, spec->original[module]);
    else
        Game_CopyBuildFile(ours, AbiModule_File(module));
}

/* ---- overlays -------------------------------------------------------------------------------- */

static void DescribeModule(const PeFile *file, OverlayModule *module) {
    module->known = true;
    module->size = (uint32_t)file->size;
    Digest_OfBytes(file->bytes, file->size, module->sha256);
}

static bool IsCallable(const AbiFunction *f, AbiModule module) {
    return f->module == module && f->provider != ABI_DATA && f->provider != ABI_ABSENT &&
           f->params_evidence != ABI_UNKNOWN &&
           (f->kind == ABI_EXPORT || f->kind == ABI_SLOT || f->kind == ABI_INTERNAL ||
            Settings_MayRedirect(f));
}

static void AddCall(Overlay *overlay, const AbiFunction *f) {
    RpError error;
    OverlayCall call;
    Check(Overlay_CallOf(NULL, f, &call, &error), &error);
    OverlayFunction *row = Overlay_Add(overlay, f);
    assert_non_null(row);
    row->has_call = true;
    row->convention = call.convention;
    row->param_count = call.param_count;
    memcpy(row->order, call.order, sizeof row->order);
    row->evidence = OVERLAY_BY_HAND;
}

static void AddSignature(Overlay *overlay, const PeFile *file, const AbiFunction *f, bool wrong) {
    RpError error;
    ProbeEntry entry;
    OverlayFunction *row = Overlay_Add(overlay, f);
    assert_non_null(row);
    if (!row->rva)
        row->rva = f->rva;
    Check(ProbeStatic_Entry(file, row->rva, &entry, &error), &error);
    row->signature_bytes = entry.signature_bytes;
    row->entry_bytes = entry.entry_bytes;
    memcpy(row->signature, entry.sha256, sizeof row->signature);
    if (wrong)
        row->signature[0] = row->signature[0] == '0' ? '1' : '0';
}

static void Describe(const GameSpec *spec, AbiModule module, Overlay *overlay) {
    char path[PATH_BYTES];
    RpError error;
    PeFile file;
    BuildPath(spec->original[module], path);
    Check(Pe_Load(path, &file, &error), &error);
    DescribeModule(&file, &overlay->modules[module]);
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        if (!spec->overlay && IsCallable(f, module))
            AddCall(overlay, f);
        if (spec->signatures && f->module == module && Settings_MayRedirect(f) &&
            f->provider == ABI_NATIVE)
            AddSignature(overlay, &file, f, spec->signatures == GAME_WRONG_SIGNATURES);
    }
    Pe_Close(&file);
}

/* Replaces the line for slot 7 that the tables make. */
static void ReplaceSlot7(const char *path, const char *call) {
    static char text[1 << 18], replaced[1 << 18];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    char *line = strstr(text, "function ngi32.slot7 ");
    assert_non_null(line);
    const char *rest = strchr(line, '\n');
    *line = 0;
    int size = snprintf(replaced, sizeof replaced,
                        "%sfunction ngi32.slot7 call %s evidence by-hand%s", text, call, rest);
    Game_Write("retropose.overlay", replaced, (size_t)size);
}

static void PutOverlay(const GameSpec *spec) {
    char path[PATH_BYTES];
    RpError error;
    Overlay overlay;
    Overlay_Init(&overlay, NULL);
    if (spec->overlay) {
        BuildPath(spec->overlay, path);
        Check(Overlay_Load(path, &overlay, &error), &error);
    }
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        if (spec->original[module])
            Describe(spec, (AbiModule)module, &overlay);
    Game_Path("retropose.overlay", path, sizeof path);
    Check(Overlay_Save(&overlay, path, &error), &error);
    Overlay_Free(&overlay);
    if (spec->slot7)
        ReplaceSlot7(path, spec->slot7);
}

void Game_Make(const GameSpec *spec) {
    MakeEmptyFolder();
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        PutModule(spec, (AbiModule)module);
    if (!spec->no_overlay)
        PutOverlay(spec);
    if (spec->settings)
        Game_WriteSettings(spec->settings);
}

/* ---- children -------------------------------------------------------------------------------- */

int Game_CountInLog(const char *words) {
    char path[PATH_BYTES];
    Game_Path("retropose.log", path, sizeof path);
    return Child_CountInLog(path, words);
}

static void PrintLog(void) {
    char path[PATH_BYTES], line[1200];
    Game_Path("retropose.log", path, sizeof path);
    FILE *file = fopen(path, "rb");
    while (file && fgets(line, sizeof line, file))
        fprintf(stderr, "  %s", line);
    if (file)
        fclose(file);
}

static DWORD RunChild(const char *scenario, const char *modes) {
    char program[MAX_PATH], command[PATH_BYTES + 400];
    GetModuleFileNameA(NULL, program, sizeof program);
    snprintf(command, sizeof command, "\"%s\" %s \"%s\"", program, scenario, game_folder);
    SetEnvironmentVariableA("RETROPOSE_MODES", modes);
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", "1");
    DWORD code = Child_ExitCode(program, command);
    SetEnvironmentVariableA("RETROPOSE_MODES", NULL);
    return code;
}

void Game_RunChild(const char *scenario, const char *modes) {
    DWORD code = RunChild(scenario, modes);
    if (code == 0)
        return;
    PrintLog();
    fail_msg("scenario %s (%s) ends with %lu", scenario, modes ? modes : "no modes", code);
}

void Game_RunChildTo(const char *scenario, unsigned long exit_code) {
    assert_int_equal(RunChild(scenario, NULL), exit_code);
}
