#include "dll/base/log.h"

#include "core/text.h"
#include "dll/base/unicode.h"

#include <stdarg.h>
#include <windows.h>

static HANDLE file = INVALID_HANDLE_VALUE;
static const char *module;

static bool GetVariable(const char *name, wchar_t *value, DWORD chars) {
    wchar_t wide[64];
    if (!Unicode_Widen(name, wide, sizeof wide / sizeof *wide))
        return false;
    const DWORD length = GetEnvironmentVariableW(wide, value, chars);
    return length > 0 && length < chars;
}

/* A text has at least as many bytes in UTF-8 as it has units in UTF-16. */
const char *Log_Environment(const char *name, char *buffer, size_t size) {
    wchar_t *value = HeapAlloc(GetProcessHeap(), 0, size * sizeof *value);
    const bool found =
        value && GetVariable(name, value, (DWORD)size) && Unicode_Narrow(value, buffer, size);
    if (value)
        HeapFree(GetProcessHeap(), 0, value);
    return found ? buffer : NULL;
}

void Log_Open(const char *module_name) {
    wchar_t path[MAX_PATH];
    module = module_name;
    if (GetVariable("RETROPOSE_LOG", path, MAX_PATH))
        Log_OpenFile(path);
}

void Log_OpenFile(const wchar_t *path) {
    if (file == INVALID_HANDLE_VALUE)
        file = CreateFileW(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                           OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
}

void Log_Close(void) {
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    file = INVALID_HANDLE_VALUE;
}

/* Writes a whole line in one call, so that the lines of two DLLs and of several threads do not
 * mix. */
void Log_Write(const char *format, ...) {
    char line[LOG_LINE_BYTES];
    Text text = Text_Begin(line, sizeof line - 2);
    va_list arguments;
    Text_Append(&text, module);
    Text_Append(&text, ": ");
    va_start(arguments, format);

    for (; *format; format++) {
        if (*format != '%') {
            Text_AppendChar(&text, *format);
            continue;
        }
        const char *string;
        switch (*++format) {
        case 's':
            string = va_arg(arguments, const char *);
            Text_Append(&text, string ? string : "(null)");
            break;
        case 'u':
            Text_AppendDecimal(&text, va_arg(arguments, uint32_t));
            break;
        case 'd': {
            const int32_t number = va_arg(arguments, int32_t);
            if (number < 0)
                Text_AppendChar(&text, '-');
            Text_AppendDecimal(&text, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
            break;
        }
        case 'x':
            Text_AppendHex(&text, va_arg(arguments, uint32_t), 8);
            break;
        default:
            Text_AppendChar(&text, *format);
        }
    }

    va_end(arguments);
    DWORD length = (DWORD)(text.length < text.size ? text.length : text.size - 1);
    line[length++] = '\r';
    line[length++] = '\n';
    line[length] = 0;
    OutputDebugStringA(line);
    DWORD written;
    if (file != INVALID_HANDLE_VALUE)
        WriteFile(file, line, length, &written, NULL);
}
