#include "dll/configuration.h"

#include "dll/base/log.h"
#include "exports/readings_text.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static void *Resize(void *context, void *block, size_t size) {
    (void)context;
    if (size > 0)
        return block ? HeapReAlloc(GetProcessHeap(), 0, block, size)
                     : HeapAlloc(GetProcessHeap(), 0, size);
    if (block)
        HeapFree(GetProcessHeap(), 0, block);
    return NULL;
}

const RpAllocator live_allocator = {.resize = Resize};

/* ---- complaints ------------------------------------------------------------------------------ */

static void LogError(const char *file, unsigned line, const RpError *error) {
    char message[LOG_LINE_BYTES];
    RpError_Format(error, message, sizeof message);
    if (line)
        Log_Write("%s, line %u is ignored: %s", file, line, message);
    else
        Log_Write("%s is ignored: %s", file, message);
}

static void Complain(void *context, unsigned line, const RpError *error) {
    (void)context;
    LogError(line ? CONFIGURATION_FILE : error->where, line, error);
}

static const char *GetVariable(void *context, const char *name, char *buffer, size_t size) {
    (void)context;
    return Log_Environment(name, buffer, size);
}

/* ---- files ----------------------------------------------------------------------------------- */

static FileOutcome ReadIn(const wchar_t *folder, const char *name, FileText *text) {
    wchar_t path[FOLDER_PATH_CHARS];
    if (!folder[0] || !name[0] || !Folder_Path(folder, name, path))
        return FILE_ABSENT;
    FileOutcome outcome = FileText_Read(path, text);
    if (outcome == FILE_REFUSED)
        Log_Write("%s cannot be read (system error %u)", name, (uint32_t)GetLastError());
    return outcome;
}

bool Configuration_Read(const wchar_t *folder, LiveSettings *settings, bool loud) {
    FileText text;
    SettingsComplaint complaint = loud ? Complain : NULL;
    Settings_Init(settings);
    bool found = ReadIn(folder, CONFIGURATION_FILE, &text) == FILE_OPENED;
    if (found) {
        Settings_Parse(settings, text.bytes, text.size, complaint, NULL);
        FileText_Free(&text);
    }
    Settings_Environment(settings, GetVariable, complaint, NULL);
    return found;
}

RpStatus Configuration_ReadOverlay(const wchar_t *folder, const LiveSettings *settings,
                                   Overlay *overlay, RpError *error) {
    FileText text;
    if (ReadIn(folder, settings->overlay, &text) != FILE_OPENED)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no overlay",
                           settings->overlay, "", "");
    RpStatus status = Overlay_Parse(text.bytes, text.size, &live_allocator, overlay, error);
    FileText_Free(&text);
    return status;
}

/* ---- readings -------------------------------------------------------------------------------- */

/* The list in the settings was already understood when they were read, so it cannot be refused
 * here. */
void Configuration_Readings(const wchar_t *folder, const LiveSettings *settings,
                            RpReadings *readings) {
    FileText text;
    RpError error;
    memset(readings, 0, sizeof *readings);
    if (ReadIn(folder, settings->profile, &text) == FILE_OPENED) {
        if (Profile_Parse(text.bytes, text.size, RP_READS_RUNTIME, readings, NULL, &error) !=
            RP_OK) {
            LogError(settings->profile, 0, &error);
            memset(readings, 0, sizeof *readings);
        }
        FileText_Free(&text);
    }

    Readings_ParseOver(readings, RP_READS_RUNTIME, settings->readings, NULL);
}

/* ---- changes --------------------------------------------------------------------------------- */

ConfigurationStamp Configuration_Stamp(const wchar_t *folder) {
    wchar_t path[FOLDER_PATH_CHARS];
    WIN32_FILE_ATTRIBUTE_DATA data;
    if (!Folder_Path(folder, CONFIGURATION_FILE, path) ||
        !GetFileAttributesExW(path, GetFileExInfoStandard, &data))
        return (ConfigurationStamp){{0, 0, 0}};
    return (ConfigurationStamp){{data.ftLastWriteTime.dwLowDateTime,
                                 data.ftLastWriteTime.dwHighDateTime, data.nFileSizeLow}};
}
