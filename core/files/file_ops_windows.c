#ifdef _WIN32
#include "core/files/file_ops.h"

#include "core/files/busy.h"
#include "core/files/inputs.h"

#include <stdio.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { MOST_BYTES = 0x10000000 }; /* the same limit as in core/pe/pe.c */

#define LOCK_NAME "retropose.lock"

/* `busy_words` says what was expected, for the case that another program has the file open or that
 * the right to it is missing. */
static RpStatus RefuseAs(const char *what, const char *path, const char *busy_words,
                         RpError *error) {
    const DWORD code = GetLastError();
    char words[160];
    DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                  code, 0, words, sizeof words, NULL);
    while (length > 0 && (unsigned char)words[length - 1] <= ' ')
        length--;
    words[length] = 0;
    if (length == 0)
        snprintf(words, sizeof words, "system error %lu", code);
    const bool absent = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
    const bool busy = code == ERROR_SHARING_VIOLATION || code == ERROR_ACCESS_DENIED;
    return RpError_Set(error, absent ? RP_NOT_FOUND : RP_IO, RP_NOWHERE, what, path,
                       busy ? busy_words : "", words);
}

static RpStatus Refuse(const char *what, const char *path, RpError *error) {
    return RefuseAs(what, path, "that the game is not running, and the right to write here", error);
}

static RpStatus RefuseReading(const char *what, const char *path, RpError *error) {
    return RefuseAs(what, path, "a file that no program has for itself, and the right to read it",
                    error);
}

/* A path in UTF-16. Paths come from the command line, which is in the code page of the program:
 * UTF-8 for the command (cli/retropose.manifest). */
typedef struct WidePath {
    wchar_t text[FILES_PATH_BYTES];
} WidePath;

static const wchar_t *Widen(const char *path, WidePath *wide) {
    if (!MultiByteToWideChar(CP_ACP, 0, path, -1, wide->text, FILES_PATH_BYTES))
        wide->text[0] = 0;
    return wide->text;
}

/* The system removes the lock file when the process ends, however it ends. */
static RpStatus Lock(void *context, const char *folder, intptr_t *lock, RpError *error) {
    (void)context;
    WidePath wide;
    char path[FILES_PATH_BYTES];
    if (!Files_Join(folder, LOCK_NAME, path)) {
        SetLastError(ERROR_FILENAME_EXCED_RANGE);
        return Refuse("cannot open the folder", folder, error);
    }
    const HANDLE file =
        CreateFileW(Widen(path, &wide), GENERIC_WRITE | DELETE, 0, NULL, OPEN_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    *lock = (intptr_t)file;
    if (file != INVALID_HANDLE_VALUE)
        return RP_OK;
    if (GetLastError() == ERROR_SHARING_VIOLATION)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "another process is at work on this folder",
                           folder, "", "");
    return Refuse("cannot write into the folder", folder, error);
}

static void Unlock(void *context, intptr_t lock) {
    (void)context;
    CloseHandle((HANDLE)lock);
}

static RpStatus List(void *context, const char *folder, FileLister lister, void *lister_context,
                     RpError *error) {
    (void)context;
    WidePath wide;
    char pattern[FILES_PATH_BYTES];
    WIN32_FIND_DATAW found;
    const HANDLE search = Files_Join(folder, "*", pattern)
                              ? FindFirstFileW(Widen(pattern, &wide), &found)
                              : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE)
        return RefuseReading("cannot read the folder", folder, error);
    do {
        char name[FILES_NAME_BYTES];
        if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0 &&
            WideCharToMultiByte(CP_ACP, 0, found.cFileName, -1, name, sizeof name, NULL, NULL) &&
            strcmp(name, LOCK_NAME) != 0)
            lister(lister_context, name);
    } while (FindNextFileW(search, &found));
    const RpStatus status = GetLastError() == ERROR_NO_MORE_FILES
                                ? RP_OK
                                : RefuseReading("cannot read the folder", folder, error);
    FindClose(search);
    return status;
}

/* Returns INVALID_HANDLE_VALUE on failure. */
static HANDLE Open(const char *path, DWORD access, DWORD sharing, DWORD disposition) {
    WidePath wide;
    Widen(path, &wide);
    for (unsigned failed = 1;; failed++) {
        const HANDLE file =
            CreateFileW(wide.text, access, sharing, NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file != INVALID_HANDLE_VALUE || !Busy_Wait(failed))
            return file;
    }
}

static RpStatus Read(void *context, const char *path, RpBuffer *bytes, RpError *error) {
    (void)context;
    const HANDLE file = Open(path, GENERIC_READ,
                             FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
    if (file == INVALID_HANDLE_VALUE)
        return RefuseReading("cannot read the file", path, error);
    Inputs_AddHandle((intptr_t)file);
    static const DWORD most = 65536;
    const size_t before = bytes->size;
    RpStatus status = RP_OK;
    for (DWORD count = 1; count > 0 && !status;) {
        const size_t end = bytes->size;
        uint8_t *piece = RpBuffer_Extend(bytes, most);
        if (!piece) {
            status = RpMemory_Refused(error, path);
            continue;
        }
        const bool done = ReadFile(file, piece, most, &count, NULL);
        bytes->size = end + (done ? count : 0);
        if (!done)
            status = RefuseReading("cannot read the file", path, error);
        else if (count > 0 && bytes->size - before > MOST_BYTES)
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the file is too large", path,
                                 "at most 256 MiB", "");
    }
    CloseHandle(file);
    return status;
}

static RpStatus Create(void *context, const char *path, intptr_t *file, RpError *error) {
    (void)context;
    const HANDLE handle = Open(path, GENERIC_WRITE, FILE_SHARE_READ, CREATE_NEW);
    *file = (intptr_t)handle;
    return handle == INVALID_HANDLE_VALUE ? Refuse("cannot create the file", path, error) : RP_OK;
}

static RpStatus Write(void *context, intptr_t file, const void *bytes, size_t size, size_t *written,
                      RpError *error) {
    (void)context;
    DWORD count = 0;
    const DWORD wanted = size < 0x100000 ? (DWORD)size : 0x100000;
    if (!WriteFile((HANDLE)file, bytes, wanted, &count, NULL) || count == 0)
        return Refuse("cannot write the file", "", error);
    *written = count;
    return RP_OK;
}

static RpStatus Flush(void *context, intptr_t file, RpError *error) {
    (void)context;
    return FlushFileBuffers((HANDLE)file) ? RP_OK : Refuse("cannot flush the file", "", error);
}

static RpStatus Close(void *context, intptr_t file, RpError *error) {
    (void)context;
    return CloseHandle((HANDLE)file) ? RP_OK : Refuse("cannot close the file", "", error);
}

/* Removes the read-only attribute, because Windows neither removes nor replaces a file that has it.
 * What is removed or replaced here is Retropose's own: the callers recognise it by its digest, its
 * name or its contents. Returns the attributes to pass to GiveBack if the file stays after all, or
 * INVALID_FILE_ATTRIBUTES when nothing was changed. */
static DWORD MakeWritable(const wchar_t *path) {
    const DWORD attributes = GetFileAttributesW(path);
    const bool locked = attributes != INVALID_FILE_ATTRIBUTES &&
                        (attributes & FILE_ATTRIBUTE_READONLY) &&
                        !(attributes & FILE_ATTRIBUTE_DIRECTORY);
    return locked && SetFileAttributesW(path, attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY)
               ? attributes
               : INVALID_FILE_ATTRIBUTES;
}

/* Restores the attributes of a file that could not be removed or replaced. They are what
 * MakeWritable has returned. */
static void GiveBack(const wchar_t *path, DWORD attributes) {
    if (attributes != INVALID_FILE_ATTRIBUTES)
        SetFileAttributesW(path, attributes);
}

static RpStatus Move(void *context, const char *from, const char *to, bool replace,
                     RpError *error) {
    (void)context;
    WidePath source, target;
    const DWORD flags = MOVEFILE_WRITE_THROUGH | (replace ? MOVEFILE_REPLACE_EXISTING : 0);
    Widen(from, &source);
    Widen(to, &target);
    const DWORD attributes = replace ? MakeWritable(target.text) : INVALID_FILE_ATTRIBUTES;
    for (unsigned failed = 1; !MoveFileExW(source.text, target.text, flags); failed++)
        if (!Busy_Wait(failed)) {
            const RpStatus status = Refuse("cannot rename the file", from, error);
            GiveBack(target.text, attributes);
            return status;
        }
    return RP_OK;
}

static RpStatus Remove(void *context, const char *path, RpError *error) {
    (void)context;
    WidePath wide;
    const DWORD attributes = MakeWritable(Widen(path, &wide));
    for (unsigned failed = 1; !DeleteFileW(wide.text); failed++)
        if (!Busy_Wait(failed)) {
            const RpStatus status = Refuse("cannot remove the file", path, error);
            GiveBack(wide.text, attributes);
            return status;
        }
    return RP_OK;
}

/* There is nothing to do: NTFS keeps its own journal of names, and renames are written through. */
static RpStatus Sync(void *context, const char *folder, RpError *error) {
    (void)context;
    (void)folder;
    (void)error;
    return RP_OK;
}

const FileOps FileOps_System = {NULL,  Lock,  Unlock, List, Read,   Create,
                                Write, Flush, Close,  Move, Remove, Sync};
#else
extern int files_windows_is_empty; /* ISO C wants a declaration */
#endif
