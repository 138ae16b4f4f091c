/* Tests of the thread that watches retropose.ini. */
#include "dll/watch.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <windows.h>

static wchar_t folder[FOLDER_PATH_CHARS];
static volatile LONG changes;

static void Count(void) {
    InterlockedIncrement(&changes);
}

static void Write(const char *text) {
    wchar_t path[FOLDER_PATH_CHARS];
    DWORD written;
    assert_true(Folder_Path(folder, CONFIGURATION_FILE, path));
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, text, (DWORD)strlen(text), &written, NULL));
    CloseHandle(file);
}

/* Somebody may save the file while the DLL reads it. The settings in force are then the old
 * ones. */
TEST(WhatIsWrittenWhileItIsReadIsAChange) {
    Write("[modes]\n");
    ConfigurationStamp stamp = Configuration_Stamp(folder);
    Write("[modes]\ndefault = original\n");
    assert_true(Watch_Start(folder, stamp, Count));
    for (int turn = 0; turn < 500 && changes == 0; turn++)
        Sleep(10);
    assert_int_equal(changes, 1);
}

TEST_AROUND(MakeFolder) {
    DWORD length = GetTempPathW(FOLDER_PATH_CHARS - 40, folder);
    swprintf(folder + length, 40, L"retropose-watch-%lu\\", (unsigned long)GetCurrentProcessId());
    return CreateDirectoryW(folder, NULL) ? 0 : -1;
}

TEST_AROUND(RemoveFolder) {
    wchar_t path[FOLDER_PATH_CHARS];
    Folder_Path(folder, CONFIGURATION_FILE, path);
    DeleteFileW(path);
    return RemoveDirectoryW(folder) ? 0 : -1;
}

AROUND_ALL(MakeFolder, RemoveFolder)
