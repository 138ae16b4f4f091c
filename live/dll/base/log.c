#include "live/dll/base/log.h"

#include "core/text.h"

#include <stdarg.h>
#include <windows.h>

static HANDLE file = INVALID_HANDLE_VALUE;
static const char *module;

const char *Log_Environment(const char *name, char *buffer, unsigned long size) {
    DWORD length = GetEnvironmentVariableA(name, buffer, size);
    return length > 0 && length < size ? buffer : NULL;
}

void Log_Open(const char *module_name) {
    char path[MAX_PATH];
    module = module_name;
    if (Log_Environment("RETROPOSE_LOG", path, sizeof path))
        file = CreateFileA(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                           OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
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

static void AppendSigned(Text *text, int32_t number) {
    if (number < 0)
        Text_AppendChar(text, '-');
    Text_AppendDecimal(text, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
}

static void AppendFormat(Text *text, const char *format, va_list arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            Text_AppendChar(text, *format);
            continue;
        }
        const char *string;
        switch (*++format) {
        case 's':
            string = va_arg(arguments, const char *);
            Text_Append(text, string ? string : "(null)");
            break;
        case 'u':
            Text_AppendDecimal(text, va_arg(arguments, uint32_t));
            break;
        case 'd':
            AppendSigned(text, va_arg(arguments, int32_t));
            break;
        case 'x':
            Text_AppendHex(text, va_arg(arguments, uint32_t), 8);
            break;
        default:
            Text_AppendChar(text, *format);
        }
    }
}

/* Writes a line at once, so that the lines of two DLLs and of several threads do not mix. */
void Log_Write(const char *format, ...) {
    char line[LOG_LINE_BYTES];
    Text text = Text_Begin(line, sizeof line - 2);
    va_list arguments;
    Text_Append(&text, module);
    Text_Append(&text, ": ");
    va_start(arguments, format);
    AppendFormat(&text, format, arguments);
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
