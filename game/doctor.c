#include "game/doctor.h"

#include "core/files/code_page.h"
#include "core/files/output.h"
#include "core/pe/pe.h"
#include "core/span.h"
#include "core/text.h"
#include "exports/published.h"
#include "exports/readings_text.h"
#include "game/exports/exports_import.h"
#include "game/game_folder.h"
#include "game/install/content.h"
#include "game/install/pe_writer.h"
#include "replay/provider/provider.h"
#include "retropose/pose.h"

#include <stdio.h>
#include <string.h>

typedef struct Doctor {
    const GameDoctorOptions *options;
    Checks *checks;
    GameFolder folder;
} Doctor;

static void ErrorRow(Doctor *doctor, const char *name, const char *advice, const RpError *error) {
    char text[800];
    RpError_Format(error, text, sizeof text);
    Checks_Tell(doctor->checks, CHECK_PROBLEM, name, advice, "%s", text);
}

/* ---- the installation ------------------------------------------------------------------------ */

static bool HasPieces(const GameFolder *folder) {
    for (int i = INSTALL_DLL_PART; i < INSTALL_FILE_COUNT; i++) {
        const bool text = i >= INSTALL_TEXT && i < INSTALL_TEXT_PART;
        if (!text && i != INSTALL_MANIFEST && folder->files.files[i].present)
            return true;
    }
    return false;
}

static bool HasRenamed(const GameFolder *folder) {
    return folder->files.files[INSTALL_RETAIL].present ||
           folder->files.files[INSTALL_RETAIL + 1].present;
}

/* Returns whether the folder has neither our DLLs nor anything that install and probe write. */
static bool IsUntouched(const GameFolder *folder) {
    return folder->state == INSTALL_NONE && !HasPieces(folder) && !HasRenamed(folder) &&
           !folder->files.files[INSTALL_TEXT + INSTALL_INI].present &&
           folder->overlay_status == RP_NOT_FOUND;
}

static void CheckState(Doctor *doctor) {
    static const char again[] = "`retropose uninstall` restores the folder, `retropose install` "
                                "completes it";
    const GameFolder *folder = &doctor->folder;
    if (folder->state == INSTALL_WHOLE)
        Checks_Tell(doctor->checks, CHECK_FINE, "installed", "", "by retropose %s",
                    folder->files.manifest.tool);
    else if (folder->state == INSTALL_BLOCKED)
        ErrorRow(doctor, "installed",
                 "neither install nor uninstall touches it; put the file back that is expected",
                 &folder->blocked);
    else if (folder->state == INSTALL_PENDING || HasPieces(folder))
        Checks_Tell(doctor->checks, CHECK_PROBLEM, "installed", again,
                    "install or uninstall was stopped on the way");
    else if (HasRenamed(folder))
        Checks_Tell(doctor->checks, CHECK_NOTE, "installed",
                    "`retropose uninstall` will not know how to undo it",
                    "by hand: originals are renamed, and there is no retropose.install");
    else
        Checks_Tell(doctor->checks, CHECK_NOTE, "installed",
                    "what follows is what `retropose install` would bring", "no");
}

/* ---- the files ------------------------------------------------------------------------------- */

static void CheckFile(Doctor *doctor, InstallFile file, AbiModule module) {
    const InstallFound *found = &doctor->folder.files.files[file];
    PeFile pe;
    RpError error;
    if (!found->present)
        return;
    if (Pe_Open(found->bytes.bytes, found->bytes.size, found->name, &pe, &error)) {
        ErrorRow(doctor, found->name, "put the game's own file back", &error);
        return;
    }

    /* A replacement should be this program's own, completed for the original beside it. */
    const bool replacement = Pe_FindExport(&pe, "RetroposeInternal") != NULL;
    bool stranger = false;
    if (replacement) {
        const InstallFound *retail = &doctor->folder.files.files[INSTALL_RETAIL + (int)module];
        PeFile beside;
        const bool has = retail->present && Pe_Open(retail->bytes.bytes, retail->bytes.size,
                                                    retail->name, &beside, NULL) == RP_OK;
        stranger = !InstallContent_IsOwn(doctor->options->own, &pe, has ? &beside : NULL, module);
        if (has)
            Pe_Close(&beside);
    }
    const bool standin = Pe_FindSection(&pe, ".standin") != NULL;
    const char *kind = stranger      ? "a replacement that is not the DLL beside this program"
                       : replacement ? "ours"
                       : standin && Provider_IsModified(&pe)
                           ? "a modified stand-in (plays the original; not the retail DLL)"
                       : standin               ? "stand-in (plays the original; not the retail DLL)"
                       : module == ABI_ANIMESH ? "original; no version of it is published"
                       : Published_Is(module, found->sha256) ? "original, the published version"
                                                             : "original, unknown version";
    Checks_Tell(doctor->checks, stranger ? CHECK_NOTE : CHECK_FINE, found->name,
                "use it only if you know where it is from; `retropose install` brings ours",
                "%s, %zu bytes, SHA-256 %s", kind, found->bytes.size, found->sha256);
    if (replacement) {
        /* A DLL of ours that was completed for another original than the one beside it would pass
         * calls to wrong places. */
        PeCompletion completion;
        RpError unread;
        const LiveModule *original = &doctor->folder.modules[module];
        const char *name = AbiModule_File(module);
        const RpStatus status = PeWriter_Inspect(&pe, &completion, &unread);
        if (status == RP_NOT_FOUND && original->hosted)
            Checks_Tell(doctor->checks, CHECK_PROBLEM, name,
                        "run `retropose install`, which completes it",
                        "its export table is not completed: the game will miss exports");
        else if (status == RP_NOT_FOUND)
            Checks_Tell(doctor->checks, CHECK_NOTE, name, "",
                        "it has our own exports only, and no original beside it");
        else if (status)
            ErrorRow(doctor, name, "run `retropose uninstall` and `retropose install`", &unread);
        else if (original->hosted && strcmp(completion.original_sha256, original->sha256) != 0)
            Checks_Tell(doctor->checks, CHECK_PROBLEM, name,
                        "run `retropose uninstall` and `retropose install`",
                        "its export table was made for another original, SHA-256 %s",
                        completion.original_sha256);
    }
    Pe_Close(&pe);
}

static void CheckFiles(Doctor *doctor) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallFound *files = doctor->folder.files.files;
        CheckFile(doctor, (InstallFile)(INSTALL_DLL + i), (AbiModule)i);
        CheckFile(doctor, (InstallFile)(INSTALL_RETAIL + i), (AbiModule)i);
        if (!files[INSTALL_DLL + i].present)
            Checks_Tell(doctor->checks, CHECK_PROBLEM, AbiModule_File((AbiModule)i),
                        "put the game's own file back", "there is no such file");
        else if (!doctor->folder.modules[i].hosted)
            Checks_Tell(doctor->checks, CHECK_NOTE, AbiModule_File((AbiModule)i),
                        "with the game's own file beside it, the rest works, too",
                        "no original is hosted: what is native works, each other call fails with a "
                        "message");
    }
}

/* Names the unfinished files of runs that were killed. Each run gives such files new names, so no
 * later run replaces them. */
static void CheckLeftovers(Doctor *doctor) {
    const InstallFolder *files = &doctor->folder.files;
    RpBuffer names;
    size_t count = 0;
    RpBuffer_Init(&names, NULL);
    for (const char *name = NULL; (name = InstallFolder_Next(files, name));)
        if (Output_IsLeftover(files->path, name)) {
            RpBuffer_Print(&names, "%s ", name);
            count++;
        }
    RpBuffer_Append(&names, "", 1);
    if (count > 0) {
        char found[80];
        snprintf(found, sizeof found, "%zu unfinished file%s of runs that were killed", count,
                 Text_Plural(count));
        const CheckRow row = {
            .level = CHECK_NOTE,
            .name = "leftovers",
            .found = found,
            .names = names.failed ? "" : (const char *)names.bytes,
            .advice = "nothing needs them: remove them; `retropose uninstall --purge` does, too"};
        Checks_Add(doctor->checks, &row);
    }
    RpBuffer_Free(&names);
}

#ifdef _WIN32
/* The game and its originals call those functions of the system that take names in the system's
 * code page. A relative name needs no character of the folder's path; a whole path may need some
 * that the code page lacks. */
static void CheckCodePage(Doctor *doctor) {
    unsigned page;
    if (!CodePage_OfSystemHas(doctor->options->folder, &page))
        Checks_Tell(
            doctor->checks, CHECK_NOTE, "folder",
            "if the game misses files, move it to a folder such as C:\\Games\\Parkan",
            "the system's code page, %u, in which the game names files, lacks characters of this "
            "path: what the game asks for by its whole path is not found",
            page);
}
#endif

/* ---- settings, overlay, readings ------------------------------------------------------------- */

static void CheckSettings(Doctor *doctor) {
    const GameFolder *folder = &doctor->folder;
    const InstallFound *ini = &folder->files.files[INSTALL_TEXT + INSTALL_INI];
    Span rest = {(const char *)folder->complaints.bytes, folder->complaints.size};
    Checks_Tell(
        doctor->checks, CHECK_FINE, "settings", "", "%s; default mode %s, %zu rule%s, recording %s",
        ini->present ? ini->name : "no " SETTINGS_FILE ": all defaults",
        LiveMode_Name(folder->settings.default_mode), folder->settings.rule_count,
        folder->settings.rule_count == 1 ? "" : "s", folder->settings.record ? "on" : "off");
    while (rest.length > 0) {
        const Span line = Span_CutLine(&rest);
        Checks_Tell(doctor->checks, CHECK_PROBLEM, "settings", "correct the line", "%.*s",
                    (int)line.length, line.start);
    }
}

static void CheckEnvironment(Doctor *doctor) {
    char value[SETTINGS_LIST_BYTES];
    const SettingsOption *option;
    if (!doctor->options->getter)
        return;
    for (size_t i = 0; (option = Settings_Option(i)); i++) {
        const char *variable =
            Settings_Variable(option, doctor->options->getter, NULL, value, sizeof value);
        if (variable)
            Checks_Tell(doctor->checks, CHECK_NOTE, variable, "",
                        "is set; where it is understood, it wins over the file: %s", value);
    }
    if (doctor->options->getter(NULL, "RETROPOSE_MODES", value, sizeof value))
        Checks_Tell(doctor->checks, CHECK_NOTE, "RETROPOSE_MODES", "",
                    "is set; where it is understood, it wins over the file: %s", value);
}

static void CheckOverlay(Doctor *doctor) {
    const GameFolder *folder = &doctor->folder;
    const Overlay *overlay = &folder->overlay;
    if (folder->overlay_status == RP_NOT_FOUND)
        Checks_Tell(
            doctor->checks, CHECK_NOTE, "overlay",
            "`retropose install` writes one; `retropose probe` finds how functions are called",
            "there is none: only what is read for the published version is verified");
    else if (folder->overlay_status)
        ErrorRow(doctor, "overlay", "our DLLs ignore it; make a new one", &folder->overlay_error);
    for (int i = 0; !folder->overlay_status && i < ABI_MODULE_COUNT; i++) {
        const AbiModule module = (AbiModule)i;
        const LiveModule *file = &folder->modules[module];
        size_t calls = 0;
        for (size_t row = 0; row < overlay->function_count; row++)
            calls += overlay->functions[row].function->module == module &&
                     overlay->functions[row].has_call;
        if (!file->hosted)
            continue;
        if (Overlay_IsFor(overlay, module, file->sha256))
            Checks_Tell(doctor->checks, calls ? CHECK_FINE : CHECK_NOTE, "overlay",
                        "`retropose probe` finds how its functions are called",
                        "it is for this %s, and has the calls of %zu function%s",
                        AbiModule_File(module), calls, Text_Plural(calls));
        else if (overlay->modules[module].known)
            Checks_Tell(doctor->checks, CHECK_PROBLEM, "overlay",
                        "make a new one: `retropose exports`, then `retropose probe`",
                        "it was made for another %s, SHA-256 %s", AbiModule_File(module),
                        overlay->modules[module].sha256);
        else
            Checks_Tell(doctor->checks, CHECK_NOTE, "overlay", "`retropose exports` adds it",
                        "it does not name %s", AbiModule_File(module));
    }
}

/* Says what the exact core does under these readings, in the build that this processor gets, and
 * what is left to the steps of the x87 or done for one node after the other. */
static void CheckExactCore(Doctor *doctor, const RpReadings *readings) {
    static const char slow[] = "the rest has the same bits and takes several times as long "
                               "(docs/reference/exact.md)";
    RpProcessor processor;
    RpBuffer text;
    bool all = true;
    RpProcessor_Detect(&processor);
    const RpArithmetic arithmetic = {.build = RpProcessor_Build(&processor), .readings = *readings};
    const RpArithmetic defaults = {.build = arithmetic.build};
    RpBuffer_Init(&text, NULL);
    for (int i = 0; i < RP_EXACT_WORK_COUNT; i++) {
        const RpExactWork work = (RpExactWork)i;
        const bool serves = RpExact_Serves(&arithmetic, work);
        RpBuffer_Print(&text, "%s%s: %s", i ? "; " : "", RpExactWork_Name(work),
                       serves                      ? "served"
                       : work == RP_EXACT_SKELETON ? "node after node, because of "
                                                   : "left to the x87, because of ");
        if (!serves && RpExact_Serves(&defaults, work)) {
            /* The readings that keep the exact core from this work, each asked about by itself. */
            size_t length, blamed = 0;
            for (int reading = 0; RpReadings_Name(reading); reading++) {
                RpArithmetic alone = {.build = arithmetic.build};
                alone.readings.choice[reading] = arithmetic.readings.choice[reading];
                if (RpExact_Serves(&alone, work))
                    continue;
                const char *choice = RpReadings_Choice(&alone.readings, reading, &length);
                RpBuffer_Print(&text, "%s%s=%.*s", blamed++ ? ", " : "", RpReadings_Name(reading),
                               (int)length, choice);
            }
        } else if (!serves) {
            RpBuffer_Print(&text, "this processor");
        }
        all = all && serves;
    }
    RpBuffer_Append(&text, "", 1);
    Checks_Tell(doctor->checks, all ? CHECK_FINE : CHECK_NOTE, "exact core", slow, "%s",
                text.failed ? "" : (const char *)text.bytes);
    RpBuffer_Free(&text);
}

static const char *ReadingsText(const RpReadings *readings, char text[RP_READINGS_TEXT]) {
    RpReadings_Format(readings, RP_READS_RUNTIME, text, RP_READINGS_TEXT);
    return text[0] ? text : "all defaults";
}

/* Says which readings our DLLs take, and what the exact core does with them. */
static void CheckReadings(Doctor *doctor) {
    const LiveSettings *settings = &doctor->folder.settings;
    const SettingsGetter getter = doctor->options->getter;
    RpReadings readings = {0}; /* the defaults */
    char text[RP_READINGS_TEXT], value[SETTINGS_LIST_BYTES];
    RpBuffer bytes;
    RpError error;

    /* A profile that can be read changes the readings. */
    RpBuffer_Init(&bytes, NULL);
    const RpStatus status = GameFolder_Read(&doctor->folder, settings->profile, &bytes, &error);
    if (status == RP_NOT_FOUND)
        Checks_Tell(doctor->checks, CHECK_NOTE, "profile",
                    "`retropose calibrate` finds which fit your original",
                    "there is none: the default readings are used%s",
                    settings->readings[0] ? ", but for the readings of the settings" : "");
    else if (status || Profile_Parse((const char *)bytes.bytes, bytes.size, RP_READS_RUNTIME,
                                     &readings, NULL, &error))
        ErrorRow(doctor, "profile", "our DLLs ignore it; make a new one with `retropose calibrate`",
                 &error);
    else
        Checks_Tell(doctor->checks, CHECK_FINE, "profile", "", "%s: %s", settings->profile,
                    ReadingsText(&readings, text));
    RpBuffer_Free(&bytes);

    /* The list of the settings changes them, too. The settings hold only a list that was
     * understood: CheckSettings has named one that was not, and our DLLs ignore it. A variable that
     * was refused has left the list of the file in force. */
    if (settings->readings[0]) {
        const SettingsOption *option = NULL;
        for (size_t i = 0; !option || strcmp(option->name, "readings") != 0; i++)
            option = Settings_Option(i);
        const char *variable =
            getter ? Settings_Variable(option, getter, NULL, value, sizeof value) : NULL;
        const bool set = variable && strcmp(value, settings->readings) == 0;
        Readings_ParseOver(&readings, RP_READS_RUNTIME, settings->readings, NULL);
        Checks_Tell(doctor->checks, CHECK_FINE, "readings", "",
                    "%s: %s, over the profile; in force: %s", set ? variable : SETTINGS_FILE,
                    settings->readings, ReadingsText(&readings, text));
    }
    CheckExactCore(doctor, &readings);
}

/* ---- exports --------------------------------------------------------------------------------- */

static void CheckExports(Doctor *doctor, AbiModule module) {
    static const char *const titles[] = {"exports of Ngi32", "exports of AniMesh"};
    const InstallFound *files = doctor->folder.files.files;
    const InstallFound *original = &files[INSTALL_RETAIL + (int)module];
    size_t known = 0, data = 0, forwarders = 0, gates = 0;
    PeFile pe;
    Overlay overlay;
    RpBuffer names; /* names of functions to which gates pass calls on */
    RpError error;
    if (!original->present)
        original = &files[INSTALL_DLL + (int)module];
    if (!doctor->folder.modules[module].hosted ||
        Pe_Open(original->bytes.bytes, original->bytes.size, original->name, &pe, NULL))
        return; /* this has been reported already */

    /* An export has a row in our tables, or it leads to the original in one of three ways: as data,
     * by a forwarder, or through a gate. */
    RpBuffer_Init(&names, NULL);
    Overlay_Init(&overlay, NULL);
    const RpStatus status = ExportsImport_Read(&pe, module, &overlay, &error);
    for (size_t i = 0; !status && i < overlay.export_count; i++) {
        const OverlayExport *row = &overlay.exports[i];
        bool has_row = false;
        for (size_t k = 0; row->name[0] && !has_row && k < abi_function_count; k++)
            has_row = abi_functions[k].module == row->module &&
                      abi_functions[k].kind == ABI_EXPORT &&
                      strcmp(abi_functions[k].name, row->name) == 0;
        if (has_row) {
            known++;
        } else if (row->kind == OVERLAY_DATA) {
            data++;
        } else if (row->kind == OVERLAY_FORWARDER) {
            forwarders++;
        } else {
            gates++;
            if (row->name[0])
                RpBuffer_Print(&names, "%s ", row->name);
            else
                RpBuffer_Print(&names, "#%u ", (unsigned)row->ordinal);
        }
    }
    if (status) {
        ErrorRow(doctor, AbiModule_File(module), "", &error);
    } else {
        char found[256];
        RpBuffer_Append(&names, "", 1);
        snprintf(
            found, sizeof found,
            "%zu: %zu that we know, with modes of their own; %zu of data and %zu forwarders, which "
            "lead to the original; %zu passed on by gates",
            overlay.export_count, known, data, forwarders, gates);
        const CheckRow row = {.level = CHECK_FINE,
                              .name = titles[module],
                              .found = found,
                              .names = names.failed ? "" : (const char *)names.bytes,
                              .advice = ""};
        Checks_Add(doctor->checks, &row);
    }
    Overlay_Free(&overlay);
    RpBuffer_Free(&names);
    Pe_Close(&pe);
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* Names the functions for which the same mode is asked and which are served in the same way for the
 * same reason. Does nothing if there are none. */
static void ReportGroup(Doctor *doctor, LiveMode asked, LiveMode effective, LiveReason reason) {
    RpBuffer names;
    char found[200];
    unsigned count = 0;
    RpBuffer_Init(&names, NULL);
    for (size_t i = 0; i < abi_function_count; i++) {
        if (!GameFolder_HasMode(&abi_functions[i]))
            continue;
        const LiveDecision decision = GameFolder_Decide(&doctor->folder, &abi_functions[i]);
        if (decision.asked == asked && decision.effective == effective &&
            decision.reason == reason) {
            RpBuffer_Print(&names, "%s ", abi_functions[i].key);
            count++;
        }
    }
    RpBuffer_Append(&names, "", 1);
    snprintf(found, sizeof found, "%u function%s, asked: %s; %s", count, count == 1 ? "" : "s",
             LiveMode_Name(asked), LiveReason_Text(reason));
    const CheckRow row = {.level = CHECK_FINE,
                          .name = LiveMode_Name(effective),
                          .found = found,
                          .names = names.failed ? "" : (const char *)names.bytes,
                          .advice = ""};
    if (count > 0)
        Checks_Add(doctor->checks, &row);
    RpBuffer_Free(&names);
}

static void CheckModes(Doctor *doctor) {
    static const LiveMode effective[] = {LIVE_REPLACEMENT, LIVE_SHADOW, LIVE_ORIGINAL};
    for (size_t i = 0; i < sizeof effective / sizeof *effective; i++)
        for (int reason = LIVE_AS_ASKED; reason <= LIVE_NO_OBSERVER; reason++)
            for (int asked = LIVE_ORIGINAL; asked <= LIVE_VERIFIED; asked++)
                ReportGroup(doctor, (LiveMode)asked, effective[i], (LiveReason)reason);
}

static bool IsOurs(const Doctor *doctor, const char *key) {
    return GameFolder_Decide(&doctor->folder, Abi_Find(key)).effective == LIVE_REPLACEMENT;
}

/* The game calls slots of mesh objects for which we have no code. Says what that means for the
 * exports that make such objects. */
static void CheckObjects(Doctor *doctor) {
    RpBuffer names;
    const AbiFunction *function;
    size_t count = 0, at = 0;
    if (!doctor->folder.modules[ABI_ANIMESH].hosted)
        return;
    RpBuffer_Init(&names, NULL);
    for (; (function = Settings_NextMissingSlot(&at)); count++)
        RpBuffer_Print(&names, "%s (%s) ", function->key, function->name);
    RpBuffer_Append(&names, "", 1);
    if (count > 0) {
        char found[200];
        const bool agents = IsOurs(doctor, "animesh.LoadAgent");
        const bool meshes = IsOurs(doctor, "animesh.LoadAniMesh");
        snprintf(found, sizeof found,
                 "%s%s%s %s: the game calls %zu slot%s of their objects without a native body",
                 agents || !meshes ? "LoadAgent" : "", agents == meshes ? " and " : "",
                 meshes || !agents ? "LoadAniMesh" : "",
                 agents || meshes ? "switched to ours nevertheless" : "stay on the original", count,
                 count == 1 ? "" : "s");
        const CheckRow row = {.level = CHECK_NOTE,
                              .name = "mesh objects",
                              .found = found,
                              .names = names.failed ? "" : (const char *)names.bytes,
                              .advice = ""};
        Checks_Add(doctor->checks, &row);
    }
    RpBuffer_Free(&names);
}

/* ---- Wine ------------------------------------------------------------------------------------ */

/* Cuts the next word off a list as Wine does, at commas, blanks and tabs. Returns false at the
 * end. */
static bool CutOverrideWord(Span *list, Span *word) {
    static const char separators[] = ", \t";
    while (list->length > 0 && strchr(separators, list->start[0]))
        *list = Span_Skip(*list, 1);
    size_t length = 0;
    while (length < list->length && !strchr(separators, list->start[length]))
        length++;
    *word = (Span){list->start, length};
    *list = Span_Skip(*list, length);
    return length > 0;
}

/* The ".dll" of a name may be missing. */
static bool IsNameOf(AbiModule module, Span name) {
    const Span file = Span_OfText(AbiModule_File(module));
    const Span stem = {file.start, file.length - strlen(".dll")};
    return Span_EqualsIgnoringCase(name, file) || Span_EqualsIgnoringCase(name, stem);
}

/* Reads the variable as Wine's dlls/ntdll/unix/loadorder.c does. */
bool GameDoctor_IsOverridden(const char *overrides, AbiModule module) {
    typedef enum Said { NOTHING, NATIVE, NO_NATIVE } Said;
    Said plain = NOTHING, starred = NOTHING;
    Span rest = Span_OfText(overrides), name;
    while (rest.start) {
        Span order = Span_CutPart(&rest, ';');
        Span names = Span_CutPart(&order, '=');
        if (!order.start) /* an entry without "=" has no effect */
            continue;
        /* Wine looks only at the first letter of each word, so "n,b" and "native" mean the same. */
        Said said = NO_NATIVE;
        for (Span word; CutOverrideWord(&order, &word);)
            if (word.start[0] == 'n' || word.start[0] == 'N')
                said = NATIVE;
        while (CutOverrideWord(&names, &name)) { /* later entries of a name replace earlier ones */
            const bool star = name.start[0] == '*';
            if (IsNameOf(module, Span_Skip(name, star)))
                *(star ? &starred : &plain) = said;
        }
    }
    /* A name with "*" in front has precedence. */
    return (starred != NOTHING ? starred : plain) == NO_NATIVE;
}

#ifndef _WIN32
/* Wine has no DLLs of these names. Unless it is told otherwise, it therefore takes those of the
 * folder. */
static void CheckWine(Doctor *doctor) {
    static const char needed[] = "WINEDLLOVERRIDES=\"ngi32,animesh=n,b\"";
    enum { SHOWN = 400 }; /* how much of the variable is shown; it may be of any length */
    const char *value = doctor->options->overrides;
    const bool ngi32 = value && GameDoctor_IsOverridden(value, ABI_NGI32);
    const bool animesh = value && GameDoctor_IsOverridden(value, ABI_ANIMESH);
    char version[128];
    RpError error;
    const bool fails =
        doctor->options->start_wine && doctor->options->start_wine(version, sizeof version, &error);
    if (fails)
        ErrorRow(doctor, "Wine", "the game cannot run here without it; all else can", &error);
    if (ngi32 || animesh)
        Checks_Tell(doctor->checks, CHECK_PROBLEM, "Wine", needed,
                    "WINEDLLOVERRIDES keeps it from loading the folder's %s%s%s: %.*s%s",
                    ngi32 ? AbiModule_File(ABI_NGI32) : "", ngi32 && animesh ? " and " : "",
                    animesh ? AbiModule_File(ABI_ANIMESH) : "", SHOWN, value,
                    strlen(value) > SHOWN ? "..." : "");
    else if (!fails)
        Checks_Tell(
            doctor->checks, CHECK_FINE, "Wine", "",
            "no override is needed: Wine has no DLLs of these names. Where a prefix is set to "
            "builtin ones only, start the game with %s",
            needed);
}
#endif

/* ---- all of it ------------------------------------------------------------------------------- */

void GameDoctor_Run(const GameDoctorOptions *options) {
    static Doctor doctor; /* static because the settings are large */
    const InstallFound *files = doctor.folder.files.files;
    RpError error;
    memset(&doctor, 0, sizeof doctor);
    doctor.options = options;
    doctor.checks = options->checks;
    if (GameFolder_Open(options->folder, options->getter, &doctor.folder, &error)) {
        ErrorRow(&doctor, "folder", "name the folder with Ngi32.dll and AniMesh.dll", &error);
    } else if (IsUntouched(&doctor.folder) && !files[INSTALL_DLL].present &&
               !files[INSTALL_DLL + 1].present) {
        Checks_Tell(doctor.checks, CHECK_PROBLEM, "folder",
                    "name the folder with Ngi32.dll and AniMesh.dll",
                    "neither of the two DLLs is in it: this is not the game's folder");
    } else {
        const bool untouched = IsUntouched(&doctor.folder);
        const bool brief = untouched && options->brief;
        CheckState(&doctor);
        CheckFiles(&doctor);
        CheckLeftovers(&doctor);
#ifdef _WIN32
        CheckCodePage(&doctor);
#endif
        if (!brief)
            CheckSettings(&doctor);
        CheckEnvironment(&doctor);
        if (!brief) {
            CheckOverlay(&doctor);
            CheckReadings(&doctor);
            for (int i = 0; i < ABI_MODULE_COUNT; i++)
                CheckExports(&doctor, (AbiModule)i);
            CheckObjects(&doctor);
            CheckModes(&doctor);
        }
        if (untouched) {
            /* For a folder that has nothing of ours: says what would be done there. */
            unsigned count = 0, ours = 0;
            if (!doctor.options->dlls)
                Checks_Tell(doctor.checks, CHECK_PROBLEM, "our DLLs",
                            "`retropose install --dlls DIR` takes those in DIR",
                            "they are not beside this program");
            for (size_t i = 0; i < abi_function_count; i++)
                if (GameFolder_HasMode(&abi_functions[i])) {
                    const LiveDecision decision =
                        GameFolder_Decide(&doctor.folder, &abi_functions[i]);
                    ours += decision.effective == LIVE_REPLACEMENT;
                    count++;
                }
            if (doctor.options->brief)
                Checks_Tell(doctor.checks, CHECK_NOTE, "functions",
                            "-v tells each of them, and why",
                            "%u of %u would be ours; your files keep the others until `retropose "
                            "probe` has found how they are called",
                            ours, count);
        }

#ifndef _WIN32
        CheckWine(&doctor);
#endif
    }
    GameFolder_Close(&doctor.folder);
}
