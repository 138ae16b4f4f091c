/* The folder that a DLL of ours lies in, and small files of it. */
#ifndef RETROPOSE_LIVE_DLL_FOLDER_H
#define RETROPOSE_LIVE_DLL_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <windows.h>

#define FOLDER_PATH_CHARS 1024

/* With its last backslash. False when the path is longer. */
bool Folder_Of(HINSTANCE module, wchar_t folder[FOLDER_PATH_CHARS]);
/* `name` is UTF-8, or what the system's code page makes of it; relative to the folder, or absolute.
 * False when the path is too long. */
bool Folder_Path(const wchar_t *folder, const char *name, wchar_t path[FOLDER_PATH_CHARS]);
/* Loads a DLL of the system, by its whole path: a file of that name in the game's folder, or where
 * else the system looks first, is another one. */
HMODULE Folder_LoadSystem(const char *name);
/* A DLL of the game: the one that the process has, else the one in the folder, by its whole path.
 */
HMODULE Folder_LoadOfGame(const wchar_t *folder, const char *name);

/* UTF-8; cut to fit. */
void Folder_Text(const wchar_t *path, char *text, size_t size);

typedef enum FileOutcome { FILE_OPENED, FILE_ABSENT, FILE_REFUSED } FileOutcome;

/* A copy of a small file, which anybody may write, rename or delete meanwhile. */
typedef struct FileText {
    char *bytes; /* with a NUL behind them */
    size_t size;
} FileText;

#define FILE_TEXT_MOST (4u << 20)

/* FILE_REFUSED: GetLastError tells why. */
FileOutcome FileText_Read(const wchar_t *path, FileText *text);
void FileText_Free(FileText *text);

/* A file as it is, mapped. */
typedef struct FileBytes {
    HANDLE file; /* nobody else may write the file while it is open */
    HANDLE mapping;
    const uint8_t *bytes; /* null when the file is empty */
    size_t size;
} FileBytes;

FileOutcome File_Open(const wchar_t *path, FileBytes *file);
void File_Close(FileBytes *file);

#endif
