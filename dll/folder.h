/* Finds the folder that contains our DLL, and reads small files in it. */
#ifndef RETROPOSE_DLL_FOLDER_H
#define RETROPOSE_DLL_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <windows.h>

#define FOLDER_PATH_CHARS 1024

/* Gives the folder with its last backslash. Returns false when the path is too long. */
bool Folder_Of(HINSTANCE module, wchar_t folder[FOLDER_PATH_CHARS]);
/* Makes the path of a file. `name` is UTF-8, or else in the system's code page, and is relative to
 * the folder or absolute. Returns false when the path is too long. */
bool Folder_Path(const wchar_t *folder, const char *name, wchar_t path[FOLDER_PATH_CHARS]);
/* Loads a DLL of the system by its whole path. By its name alone, Windows might find another file
 * of that name, in the game's folder or in one that it searches first. */
HMODULE Folder_LoadSystem(const char *name);
/* Gives a DLL of the game. If it is not loaded yet, loads the one in the folder by its whole
 * path. */
HMODULE Folder_LoadOfGame(const wchar_t *folder, const char *name);

/* Gives the path of a loaded DLL as UTF-8, or an empty text if it is too long. */
void Folder_ModulePath(HINSTANCE module, char *path, size_t size);

typedef enum FileOutcome { FILE_OPENED, FILE_ABSENT, FILE_REFUSED } FileOutcome;

/* A copy of a small file. Others may write, rename or delete the file meanwhile. */
typedef struct FileText {
    char *bytes; /* the file's bytes, followed by a NUL */
    size_t size;
} FileText;

#define FILE_TEXT_MOST (4u << 20)

/* For FILE_REFUSED, GetLastError gives the reason. */
FileOutcome FileText_Read(const wchar_t *path, FileText *text);
void FileText_Free(FileText *text);

/* A file that is mapped as it is. */
typedef struct FileBytes {
    HANDLE file; /* nobody else can write to the file while it is open */
    HANDLE mapping;
    const uint8_t *bytes; /* null if the file is empty */
    size_t size;
} FileBytes;

FileOutcome File_Open(const wchar_t *path, FileBytes *file);
void File_Close(FileBytes *file);

#endif
