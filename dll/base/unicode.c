#include "dll/base/unicode.h"

#include <windows.h>

bool Unicode_Widen(const char *text, wchar_t *wide, size_t chars) {
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)chars) > 0 ||
           MultiByteToWideChar(CP_ACP, 0, text, -1, wide, (int)chars) > 0;
}

bool Unicode_Narrow(const wchar_t *wide, char *text, size_t size) {
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0)
        return true;
    text[0] = 0;
    return false;
}
