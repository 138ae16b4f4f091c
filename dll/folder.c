#include "dll/folder.h"

#include "dll/base/unicode.h"

#include <string.h>

bool Folder_Of(HINSTANCE module, wchar_t folder[FOLDER_PATH_CHARS]) {
    DWORD length = GetModuleFileNameW(module, folder, FOLDER_PATH_CHARS);
    if (length == 0 || length >= FOLDER_PATH_CHARS)
        return false;
    while (length > 0 && folder[length - 1] != L'\\' && folder[length - 1] != L'/')
        length--;
    folder[length] = 0;
    return true;
}

static size_t LengthOf(const wchar_t *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

bool Folder_Path(const wchar_t *folder, const char *name, wchar_t path[FOLDER_PATH_CHARS]) {
    wchar_t wide[FOLDER_PATH_CHARS];
    if (!Unicode_Widen(name, wide, FOLDER_PATH_CHARS))
        return false;
    const bool is_absolute = wide[0] == L'\\' || wide[0] == L'/' || (wide[0] && wide[1] == L':');
    size_t head = is_absolute ? 0 : LengthOf(folder), tail = LengthOf(wide) + 1;
    if (head + tail > FOLDER_PATH_CHARS)
        return false;
    memcpy(path, folder, head * sizeof *path);
    memcpy(path + head, wide, tail * sizeof *path);
    return true;
}

/* ---- modules --------------------------------------------------------------------------------- */

HMODULE Folder_LoadSystem(const char *name) {
    wchar_t folder[FOLDER_PATH_CHARS], path[FOLDER_PATH_CHARS];
    UINT length = GetSystemDirectoryW(folder, FOLDER_PATH_CHARS - 1);
    if (length == 0 || length >= FOLDER_PATH_CHARS - 1)
        return NULL;
    folder[length] = L'\\';
    folder[length + 1] = 0;
    return Folder_Path(folder, name, path) ? LoadLibraryW(path) : NULL;
}

HMODULE Folder_LoadOfGame(const wchar_t *folder, const char *name) {
    wchar_t path[FOLDER_PATH_CHARS];
    HMODULE module;
    if (GetModuleHandleExA(0, name, &module))
        return module;
    return folder[0] && Folder_Path(folder, name, path)
               ? LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH)
               : NULL;
}

void Folder_ModulePath(HINSTANCE module, char *path, size_t size) {
    wchar_t wide[FOLDER_PATH_CHARS];
    const DWORD length = GetModuleFileNameW(module, wide, FOLDER_PATH_CHARS);
    if (length == 0 || length >= FOLDER_PATH_CHARS || !Unicode_Narrow(wide, path, size))
        path[0] = 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static FileOutcome Refused(void) {
    DWORD error = GetLastError();
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? FILE_ABSENT
                                                                          : FILE_REFUSED;
}

/* ---- copies ---------------------------------------------------------------------------------- */

FileOutcome FileText_Read(const wchar_t *path, FileText *text) {
    memset(text, 0, sizeof *text);
    HANDLE file =
        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return Refused();
    DWORD size = GetFileSize(file, NULL), got;
    bool read = false;
    if (size > FILE_TEXT_MOST) {
        SetLastError(ERROR_FILE_TOO_LARGE);
    } else {
        text->bytes = HeapAlloc(GetProcessHeap(), 0, size + 1);
        read = text->bytes && ReadFile(file, text->bytes, size, &got, NULL);
    }
    if (read) {
        text->size = got;
        text->bytes[got] = 0;
    }
    DWORD error = GetLastError();
    CloseHandle(file);
    if (read)
        return FILE_OPENED;
    FileText_Free(text);
    SetLastError(error);
    return FILE_REFUSED;
}

void FileText_Free(FileText *text) {
    if (text->bytes)
        HeapFree(GetProcessHeap(), 0, text->bytes);
    memset(text, 0, sizeof *text);
}

/* ---- mapped files ---------------------------------------------------------------------------- */

FileOutcome File_Open(const wchar_t *path, FileBytes *file) {
    memset(file, 0, sizeof *file);
    file->file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                             FILE_ATTRIBUTE_NORMAL, NULL);
    if (file->file == INVALID_HANDLE_VALUE)
        return Refused();

    file->size = GetFileSize(file->file, NULL);
    if (file->size == 0)
        return FILE_OPENED;
    file->mapping = CreateFileMappingW(file->file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (file->mapping)
        file->bytes = MapViewOfFile(file->mapping, FILE_MAP_READ, 0, 0, 0);
    if (file->bytes != NULL)
        return FILE_OPENED;

    DWORD error = GetLastError();
    File_Close(file);
    SetLastError(error);
    return FILE_REFUSED;
}

void File_Close(FileBytes *file) {
    if (file->bytes)
        UnmapViewOfFile(file->bytes);
    if (file->mapping)
        CloseHandle(file->mapping);
    CloseHandle(file->file);
}
