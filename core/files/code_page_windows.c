#ifdef _WIN32
#include "core/files/code_page.h"

#include "core/files/file_ops.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* A letter that merely resembles the one in the path does not count, because it leads to another
 * file or to none. */
bool CodePage_Has(unsigned page, const wchar_t *path) {
    char bytes[2 * FILES_PATH_BYTES];
    BOOL replaced = FALSE;
    if (page == CP_UTF8)
        return true;
    return WideCharToMultiByte(page, WC_NO_BEST_FIT_CHARS, path, -1, bytes, sizeof bytes, NULL,
                               &replaced) > 0 &&
           !replaced;
}

bool CodePage_OfSystemHas(const char *folder, unsigned *page) {
    wchar_t wide[FILES_PATH_BYTES], whole[FILES_PATH_BYTES];
    /* The system's code page comes from the registry, because GetACP returns the one that this
     * process's manifest names. */
    wchar_t digits[16] = L"";
    DWORD size = sizeof digits - sizeof *digits;
    unsigned number = 0;
    HKEY key;
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage", 0,
                      KEY_QUERY_VALUE, &key) == ERROR_SUCCESS) {
        if (RegQueryValueExW(key, L"ACP", NULL, NULL, (BYTE *)digits, &size) != ERROR_SUCCESS)
            digits[0] = 0;
        RegCloseKey(key);
    }
    for (const wchar_t *digit = digits; *digit >= L'0' && *digit <= L'9' && number < 100000;
         digit++)
        number = 10 * number + (unsigned)(*digit - L'0');
    *page = number && IsValidCodePage(number) ? number : GetACP();

    const bool fits = MultiByteToWideChar(CP_ACP, 0, folder, -1, wide, FILES_PATH_BYTES) > 0;
    const DWORD length = fits ? GetFullPathNameW(wide, FILES_PATH_BYTES, whole, NULL) : 0;
    return length > 0 && length < FILES_PATH_BYTES && CodePage_Has(*page, whole);
}
#else
extern int code_page_windows_is_empty; /* ISO C wants a declaration */
#endif
