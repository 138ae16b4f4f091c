#include "child.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

enum { LOG_BYTES = 1 << 20, MILLISECONDS = 120000 };

unsigned long Child_ExitCode(const char *program, char *command) {
    STARTUPINFOA startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    DWORD code = STILL_ACTIVE;
    assert_true(
        CreateProcessA(program, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process));
    if (WaitForSingleObject(process.hProcess, MILLISECONDS) == WAIT_TIMEOUT)
        TerminateProcess(process.hProcess, 99);
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    return code;
}

int Child_CountInLog(const char *path, const char *words) {
    static char text[LOG_BYTES];
    int count = 0;
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = 0;
    if (file)
        fclose(file);
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}
