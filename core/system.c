#include "core/system.h"

#ifdef _WIN32

#include <string.h>
#include <windows.h>

typedef const char *(*WineVersion)(void);
typedef void (*WineHost)(const char **system, const char **release);
typedef LONG(WINAPI *WindowsVersion)(OSVERSIONINFOW *);

void System_Describe(Text *text) {
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    WineVersion wine = (WineVersion)(uintptr_t)GetProcAddress(ntdll, "wine_get_version");
    if (wine) {
        const WineHost host = (WineHost)(uintptr_t)GetProcAddress(ntdll, "wine_get_host_version");
        const char *system = "unknown", *release = "";
        if (host)
            host(&system, &release);
        Text_Append(text, "Wine ");
        Text_Append(text, wine());
        Text_Append(text, " (");
        Text_Append(text, system);
        Text_AppendChar(text, ' ');
        Text_Append(text, release);
        Text_AppendChar(text, ')');
    } else {
        const WindowsVersion version =
            (WindowsVersion)(uintptr_t)GetProcAddress(ntdll, "RtlGetVersion");
        OSVERSIONINFOW facts;
        memset(&facts, 0, sizeof facts);
        facts.dwOSVersionInfoSize = sizeof facts;
        if (version)
            version(&facts);
        Text_Append(text, "Windows ");
        Text_AppendDecimal(text, facts.dwMajorVersion);
        Text_AppendChar(text, '.');
        Text_AppendDecimal(text, facts.dwMinorVersion);
        Text_AppendChar(text, '.');
        Text_AppendDecimal(text, facts.dwBuildNumber);
    }
}

#else

#include <sys/utsname.h>

void System_Describe(Text *text) {
    struct utsname facts;
    uname(&facts);
    Text_Append(text, facts.sysname);
    Text_AppendChar(text, ' ');
    Text_Append(text, facts.release);
}

#endif
