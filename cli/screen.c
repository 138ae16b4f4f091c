#define _DEFAULT_SOURCE /* for ioctl's TIOCGWINSZ */

#include "cli/screen.h"

#include "core/text/visible.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

enum { LEAST_COLUMNS = 20, MOST_COLUMNS = 1000 };

bool Screen_IsTerminal(FILE *stream) {
    return isatty(fileno(stream)) != 0;
}

#ifdef _WIN32
static UINT code_page_before;

static void RestoreCodePage(void) {
    SetConsoleOutputCP(code_page_before);
}

void Screen_WriteUtf8(void) {
    code_page_before = GetConsoleOutputCP(); /* 0: there is no console */
    if ((Screen_IsTerminal(stdout) || Screen_IsTerminal(stderr)) && code_page_before &&
        SetConsoleOutputCP(CP_UTF8))
        atexit(RestoreCodePage);
}
#else
void Screen_WriteUtf8(void) {
}
#endif

bool Screen_CanRedraw(FILE *stream) {
    const char *terminal = getenv("TERM");
    return Screen_IsTerminal(stream) && !(terminal && strcmp(terminal, "dumb") == 0);
}

unsigned Screen_Columns(FILE *stream, unsigned otherwise) {
    const char *text = getenv("COLUMNS");
    unsigned columns = 0;
    if (text && *text >= '0' && *text <= '9') {
        char *end;
        const unsigned long asked = strtoul(text, &end, 10);
        if (!*end && asked >= LEAST_COLUMNS && asked <= MOST_COLUMNS)
            columns = (unsigned)asked;
    }
    if (columns == 0) {
#ifdef _WIN32
        CONSOLE_SCREEN_BUFFER_INFO info;
        const HANDLE handle = (HANDLE)_get_osfhandle(fileno(stream));
        if (GetConsoleScreenBufferInfo(handle, &info))
            columns = (unsigned)(info.srWindow.Right - info.srWindow.Left + 1);
#else
        struct winsize size;
        if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
            columns = size.ws_col;
#endif
    }
    return columns < LEAST_COLUMNS ? otherwise : columns;
}

void Screen_PrintWords(FILE *stream, const char *text, unsigned column, unsigned columns) {
    unsigned at = column;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const unsigned length = (unsigned)strcspn(text, " ");
        if (at > column && at + 1 + length > columns) {
            Visible_Print(stream, "\n%*s", (int)column, "");
            at = column;
        }
        at += (unsigned)Visible_Print(stream, "%s%.*s", at > column ? " " : "", (int)length, text);
        text += length;
    }
    Visible_Print(stream, "\n");
}
