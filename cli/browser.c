#define _POSIX_C_SOURCE 200809L /* for nanosleep */

#include "cli/browser.h"

#include "cli/place.h"
#include "core/files/cleanup.h"
#include "core/files/mapping.h"
#include "core/files/output.h"
#include "replay/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#include <unistd.h>
#endif

/* ---- the system ------------------------------------------------------------------------------ */

#ifdef _WIN32
static bool IsRoot(void) {
    return false;
}

static void Pause(void) {
    Sleep(100);
}
#else
/* Chromium refuses to use its sandbox as root. */
static bool IsRoot(void) {
    return geteuid() == 0;
}

static void Pause(void) {
    struct timespec time = {0, 100000000};
    nanosleep(&time, NULL);
}
#endif

/* ---- a picture ------------------------------------------------------------------------------- */

typedef struct Work {
    char folder[PLACE_BYTES];
    char page[PLACE_BYTES + 16], profile[PLACE_BYTES + 16], picture[PLACE_BYTES + 16];
    char log[PLACE_BYTES + 16];
    char installed[PLACE_BYTES]; /* where Windows may have installed a browser */
    const char *browser;         /* the one that was started: a path or a name */
} Work;

/* What the page reports in data-viewer, on the first line of its root element. */
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

/* Copies the text at `offset` up to the first of the characters in `ends`. */
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
    } else if (SeekText(&log, "FATAL:", &at)) { /* the last message of the browser */
        CopyWords(&log, at, "\r\n", &verdict);
    }
    Mapping_Close(&log);
    return verdict;
}

static RpStatus NoPicture(const char *browser, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "the browser took no picture", browser, "", words);
}

static RpStatus Start(Work *work, const char *browser, const char **arguments, Process *process,
                      RpError *error) {
    work->browser = arguments[0] = browser;
    return Process_Start(arguments, NULL, work->folder, "log", NULL, process, error);
}

/* Starts the first browser that there is, by the names that Chromium, Chrome and Edge have on the
 * search path. */
static RpStatus StartAny(Work *work, const char **arguments, Process *process, RpError *error) {
    static const char *const names[] = {"chromium", "chromium-browser",     "google-chrome",
                                        "chrome",   "google-chrome-stable", "microsoft-edge",
                                        "msedge"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (Start(work, names[i], arguments, process, NULL) == RP_OK)
            return RP_OK;
#ifdef _WIN32
    /* Installers of Windows do not put browsers on the search path. */
    static const char *const folders[] = {"ProgramFiles", "ProgramW6432", "ProgramFiles(x86)",
                                          "LocalAppData"};
    static const char *const programs[] = {"Google/Chrome/Application/chrome.exe",
                                           "Chromium/Application/chrome.exe",
                                           "Microsoft/Edge/Application/msedge.exe"};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            const char *folder = getenv(folders[f]);
            if (folder &&
                (size_t)snprintf(work->installed, sizeof work->installed, "%s/%s", folder,
                                 programs[p]) < sizeof work->installed &&
                Start(work, work->installed, arguments, process, NULL) == RP_OK)
                return RP_OK;
        }
#endif
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no browser", "the search path",
                       "chromium, chromium-browser, google-chrome, chrome or msedge; or "
                       "--browser PATH",
                       "none");
}

/* --virtual-time-budget lets the page's own clock run ahead until nothing is left to do, so that
 * the picture is of the finished page however slow the machine is; --dump-dom tells whether it is.
 * SwiftShader draws where there is no graphics card, and the same everywhere. */
static RpStatus Run(const BrowserShot *shot, Work *work, RpError *error) {
    char profile[PLACE_BYTES + 64], picture[PLACE_BYTES + 64], size[64],
        url[4 * PLACE_BYTES + BROWSER_HASH_BYTES];
    Process process;
    uint32_t code;
    snprintf(profile, sizeof profile, "--user-data-dir=%s", work->profile);
    snprintf(picture, sizeof picture, "--screenshot=%s", work->picture);
    snprintf(size, sizeof size, "--window-size=%u,%u", shot->width, shot->height);

    /* "file:///tmp/a%20b#hash". A path of Windows begins with its drive. */
    size_t at = (size_t)snprintf(url, sizeof url, "file://%s", work->page[0] == '/' ? "" : "/");
    for (const char *c = work->page; *c && at + 4 < sizeof url; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || strchr("/-._~:", *c) != NULL;
        if (*c == '\\')
            url[at++] = '/';
        else if (plain)
            url[at++] = *c;
        else
            at += (size_t)snprintf(url + at, sizeof url - at, "%%%02X", (unsigned char)*c);
    }
    if (at + 4 >= sizeof url ||
        (size_t)snprintf(url + at, sizeof url - at, "%s", shot->hash) >= sizeof url - at)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the address is too long", work->page, "",
                           "");
    const char *arguments[] = {NULL, /* place for the browser's name */
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
    RpStatus status = shot->browser ? Start(work, shot->browser, arguments, &process, error)
                                    : StartAny(work, arguments, &process, error);
    if (status)
        return status;
    if (Process_Wait(&process, shot->seconds * 1000u, &code))
        return RP_OK; /* the picture and the page show how it went, whatever the exit code is */
    Process_Kill(&process);
    Process_Wait(&process, 10000, &code);
    return RpError_Set(error, RP_CRASHED, RP_NOWHERE, "the browser did not end in time",
                       work->browser, "an end within --timeout", "");
}

RpStatus Browser_Shoot(const BrowserShot *shot, const char *path, RpError *error) {
    Work work;
    if (!Place_MakeWork(NULL, work.folder, sizeof work.folder))
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a temporary folder", "", "", "");
    snprintf(work.page, sizeof work.page, "%s/page.html", work.folder);
    snprintf(work.profile, sizeof work.profile, "%s/profile", work.folder);
    snprintf(work.picture, sizeof work.picture, "%s/picture.png", work.folder);
    snprintf(work.log, sizeof work.log, "%s/log", work.folder);
    RpStatus status = Output_WriteBytes(work.page, shot->page, shot->page_size, error);
    if (!status)
        status = Run(shot, &work, error);

    /* The picture is taken only of a page that got ready. */
    const Verdict verdict = status ? (Verdict){.ready = false} : ReadVerdict(&work);
    if (!status && !verdict.ready) {
        status = NoPicture(work.browser, verdict.words, error);
    } else if (!status) {
        static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
        Mapping picture;
        if (Mapping_Open(work.picture, &picture, error)) {
            status = NoPicture(work.browser, "it wrote no file", error);
        } else {
            const bool png = picture.size > sizeof signature &&
                             memcmp(picture.bytes, signature, sizeof signature) == 0;
            status = png ? Output_WriteBytes(path, picture.bytes, picture.size, error)
                         : NoPicture(work.browser, "what it wrote is no PNG", error);
            Mapping_Close(&picture);
        }
    }

    /* Processes that the browser left running may still write there for a moment. */
    for (int i = 0; i < 30 && !Cleanup_RemoveFolder(work.folder); i++)
        Pause();
    Place_DropWork(work.folder);
    return status;
}
