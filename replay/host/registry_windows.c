/* Sets up the surroundings that the pair reads: the environment and the registry. */
#include "replay/host/guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define OWN_KEYS     "Software\\Retropose\\Host"
#define NGI_TOOL_KEY "Software\\Nikita\\NgiTool" /* the key is named in facts/ngi32.md D.5 */

static char own_key[64];

static RpStatus Refused(const char *what, LONG code, RpError *error) {
    char words[32];
    snprintf(words, sizeof words, "system error %ld", code);
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, "", "", words);
}

/* Sets a variable with putenv, which changes both the C runtime's copy and the system's. */
static void SetVariable(const char *name, const char *value) {
    char line[TRACE_HEADER_MAX];
    snprintf(line, sizeof line, "%s=%s", name, value);
    _putenv(line);
}

RpStatus Guest_Open(Guest *guest, const TraceHeader *header, const GuestOptions *options,
                    RpError *error) {
    (void)options;
    guest->frame = &invoke_frame;
    char force_cpu[32], readings[TRACE_HEADER_MAX - 64];
    if (!IsProcessorFeaturePresent(PF_XMMI64_INSTRUCTIONS_AVAILABLE)) /* few_bytes.h needs SSE2 */
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "this processor has no SSE2", "", "",
                           "");
    TraceHeader_Get(header, "force-cpu", force_cpu, sizeof force_cpu);
    TraceHeader_Get(header, "hypotheses", readings, sizeof readings);

    /* Every variable is removed whose name begins with RETROPOSE_, in upper or lower case. Our DLLs
     * take settings from them, and whoever set them meant a game or another command. */
    static const wchar_t prefix[] = L"RETROPOSE_";
    for (bool found = true; found;) {
        wchar_t *block = GetEnvironmentStringsW(), *line = block;
        if (!block)
            return Refused("cannot read the environment", (LONG)GetLastError(), error);
        while (*line && _wcsnicmp(line, prefix, wcslen(prefix)) != 0)
            line += wcslen(line) + 1;
        found = *line;
        wchar_t *end = wcschr(line, L'=');
        if (end)
            *end = 0;
        const bool dropped = found && SetEnvironmentVariableW(line, NULL);
        FreeEnvironmentStringsW(block);
        if (found && !dropped)
            return Refused("cannot drop a variable of the environment", (LONG)GetLastError(),
                           error);
    }

    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetVariable("RETROPOSE_READINGS", readings);
    SetVariable("RETROPOSE_HYPOTHESES", readings); /* its name for DLLs of older versions */
    SetVariable("RETROPOSE_NO_MESSAGE_BOX", "1");

    /* HKEY_CURRENT_USER becomes a key of this process alone. So the user's settings neither affect
     * a run nor are changed by it, and parallel runs do not get into each other's way. */
    HKEY root;
    snprintf(own_key, sizeof own_key, OWN_KEYS "\\%lu", GetCurrentProcessId());
    /* a process with the same number may have left the key behind when it was killed */
    RegDeleteTreeA(HKEY_CURRENT_USER, own_key);
    LONG code = RegCreateKeyExA(HKEY_CURRENT_USER, own_key, 0, NULL, REG_OPTION_VOLATILE,
                                KEY_ALL_ACCESS, NULL, &root, NULL);
    if (code)
        return Refused("cannot make a registry key for this run", code, error);
    if (force_cpu[0]) {
        HKEY key;
        const DWORD value = (DWORD)strtoul(force_cpu, NULL, 10);
        code = RegCreateKeyExA(root, NGI_TOOL_KEY, 0, NULL, REG_OPTION_VOLATILE, KEY_ALL_ACCESS,
                               NULL, &key, NULL);
        if (!code) {
            code =
                RegSetValueExA(key, "ForceCpu", 0, REG_DWORD, (const BYTE *)&value, sizeof value);
            RegCloseKey(key);
        }
    }
    if (!code)
        code = RegOverridePredefKey(HKEY_CURRENT_USER, root);
    RegCloseKey(root);
    return code ? Refused("cannot set up the registry for this run", code, error) : RP_OK;
}

void Guest_Close(Guest *guest) {
    (void)guest;
    if (!own_key[0])
        return;
    RegOverridePredefKey(HKEY_CURRENT_USER, NULL);
    RegDeleteTreeA(HKEY_CURRENT_USER, own_key);
    own_key[0] = 0;
}
