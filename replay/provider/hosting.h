/* What a host process needs to be started: the names of its files as it knows them, Wine, and a
 * folder for what it writes. */
#ifndef RETROPOSE_REPLAY_PROVIDER_HOSTING_H
#define RETROPOSE_REPLAY_PROVIDER_HOSTING_H

#include "replay/process/host_progress.h"
#include "replay/process/process.h"
#include "replay/process/wine.h"
#include "replay/provider/provider.h"

#include <stdio.h>

/* Names of files in the folder. */
#define HOSTING_OUTPUT   "output.rptrace"
#define HOSTING_PROGRESS "progress"
#define HOSTING_LOG      "log"
#define HOSTING_REACHED  "reached"

#define HOSTING_PATH_BYTES 4096

typedef struct Hosting {
    const ProviderOptions *options;
    ProviderEngine engine;
    Wine wine;
    char folder[HOSTING_PATH_BYTES]; /* empty while there is no folder */
    char host[HOSTING_PATH_BYTES], modules[ABI_MODULE_COUNT][HOSTING_PATH_BYTES];
    char input[HOSTING_PATH_BYTES], overlay[HOSTING_PATH_BYTES];
    struct ReachedRecord *reached; /* the provider's; null: nobody asks */
} Hosting;

/* Makes the folder, under a new name that begins with `beside`. Copies those DLLs that are ours
 * into it, from where the host loads them. A null `input` means a run without calls, which needs no
 * overlay either. The options must outlive `hosting`, which has to be closed whatever the result
 * is. */
RpStatus Hosting_Open(const Provider *provider, const ProviderOptions *options, const char *input,
                      const char *beside, Hosting *hosting, RpError *error);
/* Takes what the hosts have reached out of the folder, and removes it with its files. */
void Hosting_Close(Hosting *hosting);
void Hosting_File(const Hosting *hosting, const char *name, char *path, size_t size);

/* a name and a value; an option with an empty value is left out */
typedef const char *HostOption[2];

/* Starts a host with the pair, its progress file and these options. The host ends by itself if the
 * pipe `to` is closed, or if this process is gone. */
RpStatus Hosting_Start(const Hosting *hosting, const HostOption *options, size_t option_count,
                       ProcessPipes *pipes, Process *process, RpError *error);

/* Opens the progress file, which is emptied for another host. */
RpStatus Hosting_OpenProgress(const Hosting *hosting, FILE **file, RpError *error);
/* Reads the progress, or leaves `progress` as it is if the file cannot be read. The foreign code in
 * the host can write to the file, so anything may be in it. The only guarantee is that the texts
 * end. */
void Hosting_ReadProgress(FILE *file, HostProgress *progress);

double Hosting_Now(void); /* the time in seconds */

/* Notices when a host makes no progress for longer than the options allow. */
typedef struct HostWatch {
    double changed;
    uint64_t sequence;
    uint32_t state, finished;
} HostWatch;

/* Begins to count the time. */
void HostWatch_Begin(HostWatch *watch);
bool HostWatch_IsStuck(HostWatch *watch, const HostProgress *progress,
                       const ProviderOptions *options);

#endif
