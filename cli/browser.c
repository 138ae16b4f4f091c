#define _POSIX_C_SOURCE 200809L /* for access and lstat */

#include "cli/browser.h"

#include "cli/place.h"
#include "core/files/mapping.h"
#include "core/files/output.h"
#include "replay/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define LIST_SEPARATOR ';'
#define SUFFIX         ".exe"
#else
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define LIST_SEPARATOR ':'
#define SUFFIX         ""
#endif

/* ---- the system ------------------------------------------------------------------------------ */

#ifdef _WIN32
static bool IsProgram(const char *path) {
    DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static bool IsRoot(void) {
    return false;
}

static void Pause(void) {
    Sleep(100);
}

/* Returns true when the folder is gone. Links are removed and never followed. */
static bool RemoveTree(const char *folder, int depth) {
    char path[BROWSER_PATH_BYTES];
    WIN32_FIND_DATAA entry;
    if ((size_t)snprintf(path, sizeof path, "%s/*", folder) >= sizeof path || depth > 32)
        return false;
    HANDLE search = FindFirstFileA(path, &entry);
    for (BOOL more = search != INVALID_HANDLE_VALUE; more; more = FindNextFileA(search, &entry)) {
        if (strcmp(entry.cFileName, ".") == 0 || strcmp(entry.cFileName, "..") == 0 ||
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry.cFileName) >= sizeof path)
            continue;
        bool is_folder = (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
        if (!is_folder)
            DeleteFileA(path);
        else if (entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)
            RemoveDirectoryA(path);
        else
            RemoveTree(path, depth + 1);
    }
    if (search != INVALID_HANDLE_VALUE)
        FindClose(search);
    return RemoveDirectoryA(folder) != 0;
}
#else
static bool IsProgram(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

/* Chromium does not give root its sandbox. */
static bool IsRoot(void) {
    return geteuid() == 0;
}

static void Pause(void) {
    struct timespec time = {0, 100000000};
    nanosleep(&time, NULL);
}

/* Returns true when the folder is gone. Links are removed and never followed. */
static bool RemoveTree(const char *folder, int depth) {
    char path[BROWSER_PATH_BYTES];
    struct dirent *entry;
    struct stat facts;
    DIR *list = depth > 32 ? NULL : opendir(folder);
    while (list && (entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path)
            continue;
        if (lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
            RemoveTree(path, depth + 1);
        else
            unlink(path);
    }
    if (list)
        closedir(list);
    return rmdir(folder) == 0;
}
#endif

/* ---- finding one ----------------------------------------------------------------------------- */

static bool FindOnPath(const char *name, char *path, size_t size) {
    const char *list = getenv("PATH");
    while (list && *list) {
        const char *end = strchr(list, LIST_SEPARATOR);
        int length = end ? (int)(end - list) : (int)strlen(list);
        if (length > 0 &&
            (size_t)snprintf(path, size, "%.*s/%s%s", length, list, name, SUFFIX) < size &&
            IsProgram(path))
            return true;
        list = end ? end + 1 : NULL;
    }
    return false;
}

#ifdef _WIN32
static bool FindInstalled(char *path, size_t size) {
    static const char *const folders[] = {"ProgramFiles", "ProgramW6432", "ProgramFiles(x86)",
                                          "LocalAppData"};
    static const char *const programs[] = {"Google/Chrome/Application/chrome.exe",
                                           "Chromium/Application/chrome.exe",
                                           "Microsoft/Edge/Application/msedge.exe"};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            const char *folder = getenv(folders[f]);
            if (folder && (size_t)snprintf(path, size, "%s/%s", folder, programs[p]) < size &&
                IsProgram(path))
                return true;
        }
    return false;
}
#else
static bool FindInstalled(char *path, size_t size) {
    (void)path;
    (void)size;
    return false;
}
#endif

bool Browser_Find(char *path, size_t size) {
    static const char *const names[] = {"chromium", "chromium-browser",     "google-chrome",
                                        "chrome",   "google-chrome-stable", "microsoft-edge",
                                        "msedge"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (FindOnPath(names[i], path, size))
            return true;
    return FindInstalled(path, size);
}

/* ---- a picture ------------------------------------------------------------------------------- */

typedef struct Work {
    char folder[PLACE_BYTES];
    char page[PLACE_BYTES + 16], profile[PLACE_BYTES + 16], picture[PLACE_BYTES + 16];
    char log[PLACE_BYTES + 16];
} Work;

static bool MakeWork(Work *work) {
    if (!Place_MakeWork(NULL, work->folder, sizeof work->folder))
        return false;
    snprintf(work->page, sizeof work->page, "%s/page.html", work->folder);
    snprintf(work->profile, sizeof work->profile, "%s/profile", work->folder);
    snprintf(work->picture, sizeof work->picture, "%s/picture.png", work->folder);
    snprintf(work->log, sizeof work->log, "%s/log", work->folder);
    return true;
}

/* Tries for a while, because processes that the browser left running may still write there for a
 * moment. */
static void DropWork(const Work *work) {
    for (int i = 0; i < 30 && !RemoveTree(work->folder, 0); i++)
        Pause();
    Place_DropWork(work->folder);
}

static bool IsPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/-._~:", c) != NULL;
}

/* Makes "file:///tmp/a%20b#hash". A path of Windows begins with its drive. */
static bool MakeUrl(const char *path, const char *hash, char *url, size_t size) {
    size_t at = (size_t)snprintf(url, size, "file://%s", path[0] == '/' ? "" : "/");
    for (const char *c = path; *c && at + 4 < size; c++)
        if (*c == '\\')
            url[at++] = '/';
        else if (IsPlain(*c))
            url[at++] = *c;
        else
            at += (size_t)snprintf(url + at, size - at, "%%%02X", (unsigned char)*c);
    return at + 4 < size && (size_t)snprintf(url + at, size - at, "%s", hash) < size - at;
}

/* What the page says of itself, in data-viewer on the first line of its root element. */
typedef struct Verdict {
    bool ready;
    char words[160]; /* why the page failed */
} Verdict;

static bool SeekText(const Mapping *text, const char *what, size_t *offset) {
    size_t length = strlen(what);
    for (size_t i = 0; i + length <= text->size; i++)
        if (text->bytes[i] == (uint8_t)what[0] && memcmp(text->bytes + i, what, length) == 0) {
            *offset = i + length;
            return true;
        }
    return false;
}

/* Copies what follows `offset`, up to one of `ends`. */
static void CopyWords(const Mapping *text, size_t offset, const char *ends, Verdict *verdict) {
    size_t length = 0;
    while (offset + length < text->size && !strchr(ends, text->bytes[offset + length]))
        length++;
    snprintf(verdict->words, sizeof verdict->words, "%.*s", (int)length,
             (const char *)text->bytes + offset);
}

static Verdict ReadVerdict(const Work *work) {
    static const char ready[] = "data-viewer=\"ready\"", words[] = "data-words=\"";
    Verdict verdict = {.words = "the page did not load; a browser out of a snap cannot read the "
                                "system's temporary folder: set TMPDIR to one in your home"};
    Mapping log;
    size_t at;
    if (Mapping_Open(work->log, &log, NULL))
        return verdict;
    if (SeekText(&log, "<html", &at)) {
        Mapping root = {.bytes = log.bytes + at, .size = log.size - at};
        size_t end = root.size;
        if (SeekText(&root, ">", &end))
            root.size = end;
        verdict.ready = SeekText(&root, ready, &at);
        snprintf(verdict.words, sizeof verdict.words, "the page did not get ready");
        if (SeekText(&root, words, &at))
            CopyWords(&root, at, "\"", &verdict);
    } else if (SeekText(&log, "FATAL:", &at)) { /* the browser's own last words */
        CopyWords(&log, at, "\r\n", &verdict);
    }
    Mapping_Close(&log);
    return verdict;
}

static RpStatus NoPicture(const char *browser, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "the browser took no picture", browser, "", words);
}

static RpStatus TakePicture(const Work *work, const char *browser, RpBuffer *png, RpError *error) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    Mapping picture;
    Verdict verdict = ReadVerdict(work);
    if (!verdict.ready)
        return NoPicture(browser, verdict.words, error);
    if (Mapping_Open(work->picture, &picture, error))
        return NoPicture(browser, "it wrote no file", error);
    bool fine =
        picture.size > sizeof signature && memcmp(picture.bytes, signature, sizeof signature) == 0;
    if (fine)
        RpBuffer_Append(png, picture.bytes, picture.size);
    Mapping_Close(&picture);
    if (!fine)
        return NoPicture(browser, "what it wrote is no PNG", error);
    return png->failed ? RpMemory_Refused(error, "picture") : RP_OK;
}

/* --virtual-time-budget lets the page's own clock run ahead until nothing is left to do, so that
 * the picture is of the finished page however slow the machine is; --dump-dom tells whether it is.
 * SwiftShader draws where there is no graphics card, and the same everywhere. */
static RpStatus Run(const BrowserShot *shot, const Work *work, const char *browser,
                    RpError *error) {
    char profile[PLACE_BYTES + 64], picture[PLACE_BYTES + 64], size[64], url[4 * PLACE_BYTES];
    Process process;
    uint32_t code;
    snprintf(profile, sizeof profile, "--user-data-dir=%s", work->profile);
    snprintf(picture, sizeof picture, "--screenshot=%s", work->picture);
    snprintf(size, sizeof size, "--window-size=%u,%u", shot->width, shot->height);
    if (!MakeUrl(work->page, shot->hash, url, sizeof url))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the address is too long", work->page, "",
                           "");
    const char *const arguments[] = {browser,
                                     "--headless",
                                     profile,
                                     picture,
                                     size,
                                     "--dump-dom",
                                     "--virtual-time-budget=20000",
                                     "--hide-scrollbars",
                                     "--force-device-scale-factor=1",
                                     "--use-gl=angle",
                                     "--use-angle=swiftshader",
                                     "--enable-unsafe-swiftshader",
                                     "--no-first-run",
                                     "--disable-extensions",
                                     "--disable-background-networking",
                                     IsRoot() ? "--no-sandbox" : "--disable-sync",
                                     url,
                                     NULL};
    RpStatus status = Process_Start(arguments, NULL, work->folder, "log", &process, error);
    if (status)
        return status;
    if (Process_Wait(&process, shot->seconds * 1000u, &code))
        return RP_OK; /* whatever the exit code is, the picture and the page tell how it went */
    Process_Kill(&process);
    Process_Wait(&process, 10000, &code);
    return RpError_Set(error, RP_CRASHED, RP_NOWHERE, "the browser did not end in time", browser,
                       "an end within --timeout", "");
}

RpStatus Browser_Shoot(const BrowserShot *shot, RpBuffer *png, RpError *error) {
    char found[BROWSER_PATH_BYTES];
    Work work;
    const char *browser = shot->browser;
    if (!browser && !Browser_Find(found, sizeof found))
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no browser",
                           "the search path",
                           "chromium, chromium-browser, google-chrome, chrome or msedge; or "
                           "--browser PATH",
                           "none");
    if (!browser)
        browser = found;
    if (!MakeWork(&work))
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a temporary folder", "", "", "");
    RpStatus status = Output_WriteBytes(work.page, shot->page, shot->page_size, error);
    if (!status)
        status = Run(shot, &work, browser, error);
    if (!status)
        status = TakePicture(&work, browser, png, error);
    DropWork(&work);
    return status;
}
