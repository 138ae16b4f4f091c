#ifndef _WIN32
#define _GNU_SOURCE /* needed for mkdtemp and realpath */
#endif
#include "replay/provider/hosting.h"

#include "core/files/mapping.h"
#include "core/files/output.h"
#include "replay/provider/reached_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT 60.0
#define START_TIMEOUT   120.0 /* in seconds; Wine may have to update its prefix first */

/* ---- files ------------------------------------------------------------------------------------
 */

void Hosting_File(const Hosting *hosting, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", hosting->folder, name);
}

static RpStatus MakeFolder(Hosting *hosting, const char *beside, RpError *error) {
#ifdef _WIN32
    static volatile long number;
    int length = snprintf(hosting->folder, sizeof hosting->folder, "%s.run-%d-%ld", beside,
                          getpid(), __sync_add_and_fetch(&number, 1));
    bool made = length < (int)sizeof hosting->folder && mkdir(hosting->folder) == 0;
#else
    int length = snprintf(hosting->folder, sizeof hosting->folder, "%s.run-XXXXXX", beside);
    bool made = length < (int)sizeof hosting->folder && mkdtemp(hosting->folder);
#endif
    if (made)
        return RP_OK;
    hosting->folder[0] = 0;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a folder for the run", beside, "",
                       strerror(errno));
}

/* Windows keeps the files of a process locked for a moment after the process has ended. */
#ifdef _WIN32
#define REMOVE_ATTEMPTS 50
#else
#define REMOVE_ATTEMPTS 1
#endif

/* Gives the absolute name of an existing file in the form that the host needs. */
static RpStatus HostName(ProviderEngine engine, const char *path, char *name, RpError *error) {
#ifdef _WIN32
    (void)engine;
    if (_fullpath(name, path, HOSTING_PATH_BYTES) && access(name, F_OK) == 0)
        return RP_OK;
#else
    char *absolute = realpath(path, NULL);
    if (absolute && strlen(absolute) < HOSTING_PATH_BYTES - 4) {
        if (engine == PROVIDER_ENGINE_WINE)
            Wine_FileName(absolute, name, HOSTING_PATH_BYTES);
        else
            snprintf(name, HOSTING_PATH_BYTES, "%s", absolute);
        free(absolute);
        return RP_OK;
    }
    free(absolute);
#endif
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "cannot find the file", path, "",
                       strerror(errno));
}

static RpStatus FindHost(ProviderEngine engine, const ProviderOptions *options, char *name,
                         RpError *error) {
    char path[HOSTING_PATH_BYTES] = "";
    if (options->host)
        return HostName(engine, options->host, name, error);
#ifdef _WIN32
    char *own = _pgmptr;
    snprintf(path, sizeof path, "%s", own);
    for (char *c = path; *c; c++)
        if (*c == '\\')
            *c = '/';
#else
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
#endif
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    snprintf(path + folder, sizeof path - folder, "../lib/retropose/%s",
             ProviderEngine_Host(engine)); /* the place where it is installed */
    if (access(path, F_OK) != 0)
        snprintf(path + folder, sizeof path - folder, "%s", ProviderEngine_Host(engine));
    return HostName(engine, path, name, error);
}

/* Names the file that the host loads. A DLL of ours looks into its own folder for the original,
 * whose answers it would give as its own, and for settings and readings. So it is loaded from the
 * run's folder, which has none of these. An original stays where its neighbours are. */
static RpStatus NameModule(const Provider *provider, AbiModule module, Hosting *hosting,
                           RpError *error) {
    char path[1200], copy[HOSTING_PATH_BYTES + 32];
    Mapping mapping;
    RpStatus status = Provider_Path(provider->directory, module, path, sizeof path, error);
    if (status)
        return status;
    if (provider->files[module] != PROVIDER_REPLACEMENT)
        return HostName(hosting->engine, path, hosting->modules[module], error);
    Hosting_File(hosting, AbiModule_File(module), copy, sizeof copy);
    status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = Output_WriteInto(hosting->folder, AbiModule_File(module), mapping.bytes, mapping.size,
                              error);
    Mapping_Close(&mapping);
    return status ? status : HostName(hosting->engine, copy, hosting->modules[module], error);
}

RpStatus Hosting_Open(const Provider *provider, const ProviderOptions *options, const char *input,
                      const char *beside, Hosting *hosting, RpError *error) {
    memset(hosting, 0, sizeof *hosting);
    hosting->options = options;
    hosting->engine = ProviderEngine_Choose(options->engine);
    const char *overlay = options->overlay ? options->overlay : provider->overlay;
    RpStatus status = FindHost(hosting->engine, options, hosting->host, error);
    if (!status && input)
        status = HostName(hosting->engine, input, hosting->input, error);
    if (!status && input && overlay[0])
        status = HostName(hosting->engine, overlay, hosting->overlay, error);
    if (!status)
        status = MakeFolder(hosting, beside, error);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status = NameModule(provider, (AbiModule)i, hosting, error);
    if (!status && input && provider->reached) {
        char path[HOSTING_PATH_BYTES + 32];
        Hosting_File(hosting, HOSTING_REACHED, path, sizeof path);
        status = ReachedRecord_MakeFile(provider->reached, path, error);
        hosting->reached = status ? NULL : provider->reached;
    }
    if (!status && hosting->engine == PROVIDER_ENGINE_WINE)
        status = Wine_Open(options->wine_prefix, options->wine_progress, &hosting->wine, error);
    return status;
}

void Hosting_Close(Hosting *hosting) {
    char path[HOSTING_PATH_BYTES + 32];
    Hosting_File(hosting, HOSTING_REACHED, path, sizeof path);
    if (hosting->reached)
        ReachedRecord_Add(hosting->reached, path);

    const char *const names[] = {
        HOSTING_OUTPUT,  HOSTING_PROGRESS,          HOSTING_LOG,
        HOSTING_REACHED, AbiModule_File(ABI_NGI32), AbiModule_File(ABI_ANIMESH)};
    for (int attempt = 0; hosting->folder[0] && attempt < REMOVE_ATTEMPTS; attempt++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            Hosting_File(hosting, names[i], path, sizeof path);
            remove(path);
        }
        if (rmdir(hosting->folder) == 0)
            break;
#ifdef _WIN32
        usleep(20000);
#endif
    }
    Wine_Close(&hosting->wine);
}

/* ---- one host process -------------------------------------------------------------------------
 */

RpStatus Hosting_Start(const Hosting *hosting, const HostOption *options, size_t option_count,
                       ProcessPipes *pipes, Process *process, RpError *error) {
    const HostOption common[] = {
        {"--ngi32", hosting->modules[ABI_NGI32]},
        {"--animesh", hosting->modules[ABI_ANIMESH]},
        {"--progress", HOSTING_PROGRESS},
        {"--watched", "yes"},
        {"--interpreter", hosting->engine == PROVIDER_ENGINE_INTERPRETER ? "yes" : ""},
        {"--processor", hosting->options->processor ? hosting->options->processor : ""},
        {"--reached", hosting->reached ? HOSTING_REACHED : ""}};
    const size_t common_count = sizeof common / sizeof *common;
    const char *argv[24];
    size_t count = 0;
    if (hosting->engine == PROVIDER_ENGINE_WINE)
        argv[count++] = "wine";
    argv[count++] = hosting->host;
    for (size_t i = 0; i < common_count + option_count; i++) {
        const HostOption *option = i < common_count ? &common[i] : &options[i - common_count];
        if ((*option)[1][0]) {
            argv[count++] = (*option)[0];
            argv[count++] = (*option)[1];
        }
    }
    argv[count] = NULL;
    return Process_Start(argv, (const char *const *)(uintptr_t)hosting->wine.environment,
                         hosting->folder, HOSTING_LOG, pipes, process, error);
}

RpStatus Hosting_OpenProgress(const Hosting *hosting, FILE **file, RpError *error) {
    static const HostProgress zero;
    char path[HOSTING_PATH_BYTES + 32];
    Hosting_File(hosting, HOSTING_PROGRESS, path, sizeof path);
    *file = fopen(path, "w+b");
    if (!*file || fwrite(&zero, sizeof zero, 1, *file) != 1 || fflush(*file)) {
        if (*file)
            fclose(*file);
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write a progress file", path, "",
                           strerror(errno));
    }
    setvbuf(*file, NULL, _IONBF, 0); /* without a buffer, every read sees the file as it is now */
    return RP_OK;
}

void Hosting_ReadProgress(FILE *file, HostProgress *progress) {
    HostProgress now;
    if (fseek(file, 0, SEEK_SET) || fread(&now, sizeof now, 1, file) != 1)
        return;
    now.what[sizeof now.what - 1] = 0;
    now.where[sizeof now.where - 1] = 0;
    now.expected[sizeof now.expected - 1] = 0;
    now.found[sizeof now.found - 1] = 0;
    memcpy(progress, &now, sizeof now);
}

/* ---- time -------------------------------------------------------------------------------------
 */

double Hosting_Now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void HostWatch_Begin(HostWatch *watch) {
    *watch = (HostWatch){.changed = Hosting_Now()};
}

bool HostWatch_IsStuck(HostWatch *watch, const HostProgress *progress,
                       const ProviderOptions *options) {
    const double now = Hosting_Now();
    if (progress->state != watch->state || progress->finished != watch->finished ||
        progress->sequence != watch->sequence)
        *watch = (HostWatch){now, progress->sequence, progress->state, progress->finished};
    double limit = options->timeout_seconds > 0 ? options->timeout_seconds : DEFAULT_TIMEOUT;
    if (progress->state != HOST_CALLING && limit < START_TIMEOUT)
        limit = START_TIMEOUT;
    return now - watch->changed > limit;
}
