/* Runs a trace in a host process, and starts another one after a call that ended the process.
 *
 * A run that ends well leaves a whole trace, which is the result. When the host ends inside of a
 * call, its output has the calls up to the last chunk that it wrote. These are kept; the calls
 * between them and the fatal one are run again; the fatal call gets its outcome; and the next
 * run starts after it. */
#ifndef _WIN32
#define _GNU_SOURCE /* for mkdtemp and realpath */
#endif
#include "replay/provider/in_process.h"

#include "core/files/output.h"
#include "core/stop.h"
#include "replay/process/process.h"
#include "replay/process/progress.h"
#include "replay/process/wine.h"
#include "replay/trace/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT 60.0
#define START_TIMEOUT   120.0 /* Wine may have to update its prefix first */
#define START_ATTEMPTS  3
#define POLL_MS         20u
#define REPORT_SECONDS  0.25
#define OUTPUT_NAME     "output.rptrace"
#define PROGRESS_NAME   "progress"
#define LOG_NAME        "log"
#define TABLE_NAME      "table"
#define MAX_PATH_BYTES  4096

typedef struct Run {
    const ProviderOptions *options;
    Wine wine;
    char folder[MAX_PATH_BYTES]; /* for the files of this run */
    char host[MAX_PATH_BYTES], modules[ABI_MODULE_COUNT][MAX_PATH_BYTES], input[MAX_PATH_BYTES];
    char overlay[MAX_PATH_BYTES];
    const char *source_path, *output; /* under this process's names for them */
    uint64_t finished;                /* number of calls in `merged` */
    TraceReader *source; /* needed, as the next two, only after a call has ended a process */
    TraceWriter *merged;
    uint32_t memories; /* copied from source to merged */
} Run;

/* How one host process ended. */
typedef struct Ending {
    bool complete;
    TraceOutcome outcome; /* of the call during which it ended */
    uint64_t sequence;
    uint32_t finished; /* number of calls before that one */
    uint32_t exit_code;
} Ending;

static double Now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void FileIn(const Run *run, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", run->folder, name);
}

static RpStatus MakeFolder(Run *run, RpError *error) {
#ifdef _WIN32
    static volatile long number;
    int length = snprintf(run->folder, sizeof run->folder, "%s.run-%d-%ld", run->output, getpid(),
                          __sync_add_and_fetch(&number, 1));
    bool made = length < (int)sizeof run->folder && mkdir(run->folder) == 0;
#else
    int length = snprintf(run->folder, sizeof run->folder, "%s.run-XXXXXX", run->output);
    bool made = length < (int)sizeof run->folder && mkdtemp(run->folder);
#endif
    if (made)
        return RP_OK;
    run->folder[0] = 0;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a folder for the run", run->output,
                       "", strerror(errno));
}

/* Windows keeps the files of a process locked for a moment after it has ended. */
#ifdef _WIN32
#define REMOVE_ATTEMPTS 50
#else
#define REMOVE_ATTEMPTS 1
#endif

static void RemoveFolder(const Run *run) {
    static const char *const names[] = {OUTPUT_NAME, PROGRESS_NAME, LOG_NAME, TABLE_NAME};
    char path[MAX_PATH_BYTES + 32];
    if (!run->folder[0])
        return;
    for (int attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            FileIn(run, names[i], path, sizeof path);
            remove(path);
        }
        if (rmdir(run->folder) == 0)
            return;
#ifdef _WIN32
        usleep(20000);
#endif
    }
}

/* Gives the absolute name of an existing file as the host needs it. */
static RpStatus HostName(const char *path, char *name, RpError *error) {
#ifdef _WIN32
    if (_fullpath(name, path, MAX_PATH_BYTES) && access(name, F_OK) == 0)
        return RP_OK;
#else
    char *absolute = realpath(path, NULL);
    if (absolute) {
        Wine_FileName(absolute, name, MAX_PATH_BYTES);
        free(absolute);
        return RP_OK;
    }
#endif
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "cannot find the file", path, "",
                       strerror(errno));
}

static RpStatus FindHost(const ProviderOptions *options, char *name, RpError *error) {
    char path[MAX_PATH_BYTES] = "";
    if (options->host)
        return HostName(options->host, name, error);
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
    snprintf(path + folder, sizeof path - folder, "retropose-host.exe");
    return HostName(path, name, error);
}

static RpStatus Prepare(Run *run, const Provider *provider, const char *input, RpError *error) {
    const char *overlay = run->options->overlay ? run->options->overlay : provider->overlay;
    RpStatus status = FindHost(run->options, run->host, error);
    if (!status && input)
        status = HostName(input, run->input, error);
    if (!status && input && overlay[0])
        status = HostName(overlay, run->overlay, error);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        char path[1200];
        status = Provider_Path(provider->directory, (AbiModule)i, path, sizeof path, error);
        if (!status)
            status = HostName(path, run->modules[i], error);
    }
    if (!status)
        status = Wine_Open(run->options->wine_prefix, &run->wine, error);
    return status ? status : MakeFolder(run, error);
}

/* ---- one host process -------------------------------------------------------------------------
 */

/* a name and a value; an option with an empty value is left out */
typedef const char *HostOption[2];

static RpStatus StartHost(const Run *run, const HostOption *options, size_t option_count,
                          Process *process, RpError *error) {
    const HostOption common[] = {{"--ngi32", run->modules[ABI_NGI32]},
                                 {"--animesh", run->modules[ABI_ANIMESH]},
                                 {"--progress", PROGRESS_NAME}};
    const size_t common_count = sizeof common / sizeof *common;
    const char *argv[24];
    size_t count = 0;
#ifndef _WIN32
    argv[count++] = "wine";
#endif
    argv[count++] = run->host;
    for (size_t i = 0; i < common_count + option_count; i++) {
        const HostOption *option = i < common_count ? &common[i] : &options[i - common_count];
        if ((*option)[1][0]) {
            argv[count++] = (*option)[0];
            argv[count++] = (*option)[1];
        }
    }
    argv[count] = NULL;
    return Process_Start(argv, (const char *const *)(uintptr_t)run->wine.environment, run->folder,
                         LOG_NAME, process, error);
}

static RpStatus OpenProgress(const Run *run, FILE **file, RpError *error) {
    static const HostProgress zero;
    char path[MAX_PATH_BYTES + 32];
    FileIn(run, PROGRESS_NAME, path, sizeof path);
    *file = fopen(path, "w+b");
    if (!*file || fwrite(&zero, sizeof zero, 1, *file) != 1 || fflush(*file)) {
        if (*file)
            fclose(*file);
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write a progress file", path, "",
                           strerror(errno));
    }
    setvbuf(*file, NULL, _IONBF, 0); /* without a buffer every read sees the file as it is now */
    return RP_OK;
}

static void ReadProgress(FILE *file, HostProgress *progress) {
    HostProgress now;
    if (fseek(file, 0, SEEK_SET) == 0 && fread(&now, sizeof now, 1, file) == 1)
        memcpy(progress, &now, sizeof now);
}

typedef struct Watch {
    double changed, reported;
    uint64_t sequence;
    uint32_t state, finished;
} Watch;

/* Returns true where nothing has moved for too long. */
static bool IsStuck(const Run *run, Watch *watch, const HostProgress *progress) {
    double now = Now();
    if (progress->state != watch->state || progress->finished != watch->finished ||
        progress->sequence != watch->sequence) {
        watch->state = progress->state;
        watch->finished = progress->finished;
        watch->sequence = progress->sequence;
        watch->changed = now;
    }
    if (run->options->progress && now - watch->reported >= REPORT_SECONDS) {
        run->options->progress(run->options->context, run->finished + progress->finished);
        watch->reported = now;
    }
    double limit =
        run->options->timeout_seconds > 0 ? run->options->timeout_seconds : DEFAULT_TIMEOUT;
    if (progress->state != HOST_CALLING && limit < START_TIMEOUT)
        limit = START_TIMEOUT;
    return now - watch->changed > limit;
}

/* Waits for the end. `killed` says that this process ended the host. */
static uint32_t WatchHost(const Run *run, Process *process, FILE *file, HostProgress *progress,
                          bool *killed) {
    Watch watch = {.changed = Now(), .reported = Now()};
    uint32_t exit_code = 0;
    *killed = false;
    while (!Process_Wait(process, POLL_MS, &exit_code)) {
        ReadProgress(file, progress);
        if (!*killed && (Stop_Asked() || IsStuck(run, &watch, progress))) {
            Process_Kill(process);
            *killed = true;
        }
    }
    ReadProgress(file, progress);
    return exit_code;
}

/* Gives the last line that the host or Wine wrote, for messages. */
static void LastWords(const Run *run, char *words, size_t size) {
    char path[MAX_PATH_BYTES + 32], line[100];
    FileIn(run, LOG_NAME, path, sizeof path);
    FILE *file = fopen(path, "r");
    words[0] = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (line[0])
            snprintf(words, size, "%s", line);
    }
    if (file)
        fclose(file);
}

static RpStatus HostBroke(const Run *run, const HostProgress *progress, uint32_t exit_code,
                          bool killed, RpError *error) {
    char found[160], words[120];
    if (progress->state == HOST_FAILED)
        return RpError_Set(error, (RpStatus)progress->status, progress->offset, progress->what,
                           progress->where, progress->expected, progress->found);
    LastWords(run, words, sizeof words);
    snprintf(found, sizeof found, "%s, exit code %u%s%s", killed ? "it hung" : "it ended",
             exit_code, words[0] ? ": " : "", words);
    return RpError_Set(error, RP_CRASHED, RP_NOWHERE, "the host process broke outside of a call",
                       run->host, "a run to the end", found);
}

/* How a host process came to its end. */
typedef struct HostEnd {
    HostProgress progress;
    uint32_t exit_code;
    bool killed; /* this process ended it */
} HostEnd;

static RpStatus RunProcess(const Run *run, const HostOption *options, size_t option_count,
                           HostEnd *end, RpError *error) {
    Process process;
    FILE *file;
    RpStatus status = OpenProgress(run, &file, error);
    if (status)
        return status;
    status = StartHost(run, options, option_count, &process, error);
    if (!status)
        end->exit_code = WatchHost(run, &process, file, &end->progress, &end->killed);
    fclose(file);
    return status;
}

/* A Wine server that is ending may refuse a program before it begins; then another try is worth
 * it. */
static RpStatus RunOptions(const Run *run, const HostOption *options, size_t option_count,
                           HostEnd *end, RpError *error) {
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
        *end = (HostEnd){0};
        RpStatus status = RunProcess(run, options, option_count, end, error);
        if (status)
            return status;
        if (end->progress.state != HOST_STARTING || end->killed)
            break;
    }
    return RP_OK;
}

static RpStatus RunHost(const Run *run, uint64_t first, uint64_t last, Ending *ending,
                        RpError *error) {
    char first_text[24], last_text[24];
    snprintf(first_text, sizeof first_text, "%" PRIu64, first);
    snprintf(last_text, sizeof last_text, "%" PRIu64, last);
    const HostOption options[] = {
        {"--input", run->input},     {"--output", OUTPUT_NAME},
        {"--first", first_text},     {"--last", last_text},
        {"--overlay", run->overlay}, {"--trust", run->options->trust ? "yes" : ""}};
    HostEnd end;
    RpStatus status = RunOptions(run, options, sizeof options / sizeof *options, &end, error);
    if (status)
        return status;
    *ending = (Ending){.complete = end.progress.state == HOST_FINISHED,
                       .outcome = end.killed ? TRACE_TIMED_OUT : TRACE_EXITED,
                       .sequence = end.progress.sequence,
                       .finished = end.progress.finished,
                       .exit_code = end.exit_code};
    if (end.progress.state != HOST_FINISHED && end.progress.state != HOST_CALLING)
        return HostBroke(run, &end.progress, end.exit_code, end.killed, error);
    return RP_OK;
}

/* ---- putting runs together ---------------------------------------------------------------------
 */

static RpStatus StartMerging(Run *run, const TraceReader *segment, RpError *error) {
    if (run->merged)
        return RP_OK;
    RpStatus status = TraceReader_Open(run->source_path, &run->source, error);
    if (!status)
        status = TraceWriter_Create(run->output, TraceReader_Header(segment), false, &run->merged,
                                    error);
    return status;
}

/* Reads the next call of the source. Memories that come before it are copied to the result. */
static RpStatus NextOfSource(Run *run, TraceCall *call, bool *found, RpError *error) {
    RpStatus status = TraceReader_Next(run->source, call, found, error);
    while (!status && run->memories < TraceReader_MemoryCount(run->source))
        status = TraceWriter_Memory(run->merged, TraceReader_MemoryAt(run->source, run->memories++),
                                    error);
    return status;
}

/* Reads the input up to a call. */
static RpStatus AdvanceTo(Run *run, uint64_t sequence, TraceCall *call, RpError *error) {
    bool found;
    RpStatus status;
    do {
        status = NextOfSource(run, call, &found, error);
        if (!status && !found)
            status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "the host ran an unknown call",
                                 run->input, "a call of the input", "");
    } while (!status && call->sequence < sequence);
    return status;
}

/* Appends what a host wrote, whole or truncated. `next` is the sequence number after its last
 * call. */
static RpStatus Absorb(Run *run, uint32_t *count, uint64_t *next, RpError *error) {
    char path[MAX_PATH_BYTES + 32];
    TraceReader *segment;
    TraceCall call, input;
    bool found = true;
    *count = 0;
    FileIn(run, OUTPUT_NAME, path, sizeof path);
    RpStatus status = TraceReader_Open(path, &segment, error);
    if (status)
        return status;
    status = StartMerging(run, segment, error);
    while (!status) {
        status = TraceReader_Next(segment, &call, &found, error);
        if (status || !found)
            break;
        status = AdvanceTo(run, call.sequence, &input, error);
        if (!status)
            status = TraceWriter_Call(run->merged, &call, error);
        *next = call.sequence + 1;
        ++*count;
        run->finished++;
    }
    TraceReader_Close(segment);
    return status == RP_TRUNCATED ? RP_OK : status;
}

static RpStatus AppendWithout(Run *run, TraceCall *call, TraceOutcome outcome,
                              const uint8_t *outputs, uint32_t output_size, RpError *error) {
    call->outcome = (uint8_t)outcome;
    call->violations = 0;
    call->control_out = call->control_in;
    call->mxcsr_out = call->mxcsr_in;
    call->outputs = outputs;
    call->output_size = output_size;
    run->finished++;
    return TraceWriter_Call(run->merged, call, error);
}

static RpStatus AppendEnding(Run *run, const Ending *ending, RpError *error) {
    TraceCall call;
    uint8_t exit_code[4];
    RpStatus status = AdvanceTo(run, ending->sequence, &call, error);
    if (status)
        return status;
    Bytes_PutU32(exit_code, ending->exit_code);
    return AppendWithout(run, &call, ending->outcome, exit_code,
                         ending->outcome == TRACE_EXITED ? sizeof exit_code : 0, error);
}

/* Appends the rest of the input as TRACE_NOT_CALLED, because too many calls have ended the
 * process. */
static RpStatus AppendNotCalled(Run *run, RpError *error) {
    for (;;) {
        TraceCall call;
        bool found;
        RpStatus status = NextOfSource(run, &call, &found, error);
        if (status || !found)
            return status;
        status = AppendWithout(run, &call, TRACE_NOT_CALLED, NULL, 0, error);
        if (status)
            return status;
    }
}

static RpStatus KeepOutput(const Run *run, RpError *error) {
    char path[MAX_PATH_BYTES + 32];
    FileIn(run, OUTPUT_NAME, path, sizeof path);
    return Output_Move(path, run->output, error);
}

/* Runs [first, UINT64_MAX] in as many processes as that takes. Each pass either settles a call
 * or lowers the limit, so this ends. */
static RpStatus RunToEnd(Run *run, RpError *error) {
    uint64_t first = 0;
    /* where it is not complete: the call after the range of this pass */
    Ending pending = {.complete = true};
    uint32_t endings = 0, most = run->options->most_endings;
    if (most == 0)
        most = PROVIDER_MOST_ENDINGS;
    for (;;) {
        Ending ending;
        uint32_t kept;
        uint64_t last = pending.complete ? UINT64_MAX : pending.sequence - 1;
        RpStatus status = RunHost(run, first, last, &ending, error);
        if (status)
            return status;
        if (ending.complete && pending.complete && !run->merged)
            return KeepOutput(run, error);
        status = Absorb(run, &kept, &first, error);
        if (status)
            return status;
        if (ending.complete && pending.complete)
            return RP_OK;
        if (!ending.complete)
            pending = ending;
        if (!ending.complete && kept < ending.finished)
            continue; /* runs the calls between the last chunk and the end again */
        status = AppendEnding(run, &pending, error);
        if (status)
            return status;
        first = pending.sequence + 1;
        pending = (Ending){.complete = true};
        if (++endings == most)
            return AppendNotCalled(run, error);
    }
}

static RpStatus Finish(Run *run, RpStatus status, RpError *error) {
    if (status)
        TraceWriter_Abandon(run->merged);
    else
        status = TraceWriter_Close(run->merged, error);
    TraceReader_Close(run->source);
    RemoveFolder(run);
    Wine_Close(&run->wine);
    return status;
}

RpStatus Provider_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error) {
    static const ProviderOptions defaults;
    if (!options)
        options = &defaults;
    if (provider->kind == PROVIDER_NATIVE)
        return Provider_RunNative(input, output, options, error);
    if (provider->kind == PROVIDER_RECORDED)
        return Provider_RunRecorded(input, output, error);
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a run", "", "", "");
    run->options = options;
    run->source_path = input;
    run->output = output;
    RpStatus status = Prepare(run, provider, input, error);
    if (!status)
        status = RunToEnd(run, error);
    status = Finish(run, status, error);
    free(run);
    return status;
}

/* ---- the table of slots -----------------------------------------------------------------------
 */

/* Reads "SLOT MODULE RVA", where the module is a digit or `-`. */
static bool ReadSlot(const char *line, uint32_t expected, ProviderSlot *slot) {
    char *end;
    unsigned long number = strtoul(line, &end, 10);
    if (end == line || number != expected || end[0] != ' ' || !end[1] || end[2] != ' ')
        return false;
    char module = end[1];
    slot->inside = module == '0' || module == '1';
    slot->module = module == '1' ? ABI_ANIMESH : ABI_NGI32;
    slot->rva = (uint32_t)strtoul(end + 3, &end, 16);
    return *end == '\r' || *end == '\n';
}

static RpStatus ParseTable(const Run *run, ProviderSlot slots[PROVIDER_TABLE_SLOTS],
                           RpError *error) {
    char path[MAX_PATH_BYTES + 32], line[64];
    uint32_t count = 0;
    FileIn(run, TABLE_NAME, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file && count < PROVIDER_TABLE_SLOTS && fgets(line, sizeof line, file) &&
           ReadSlot(line, count, &slots[count]))
        count++;
    if (file)
        fclose(file);
    if (count == PROVIDER_TABLE_SLOTS)
        return RP_OK;
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the pair has no table of functions",
                       run->modules[ABI_NGI32], "an export g_FastProc", "");
}

static RpStatus RunTable(const Run *run, int force_cpu, ProviderSlot slots[PROVIDER_TABLE_SLOTS],
                         RpError *error) {
    char force_text[16] = "";
    if (force_cpu >= 0)
        snprintf(force_text, sizeof force_text, "%d", force_cpu);
    const HostOption options[] = {{"--table", TABLE_NAME}, {"--force-cpu", force_text}};
    HostEnd end;
    RpStatus status = RunOptions(run, options, sizeof options / sizeof *options, &end, error);
    if (!status && end.progress.state != HOST_FINISHED)
        status = HostBroke(run, &end.progress, end.exit_code, end.killed, error);
    return status ? status : ParseTable(run, slots, error);
}

RpStatus Provider_ReadTable(const Provider *provider, int force_cpu, const char *work,
                            const ProviderOptions *options,
                            ProviderSlot slots[PROVIDER_TABLE_SLOTS], RpError *error) {
    if (!provider->directory[0])
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a provider without DLLs has no table",
                           ProviderKind_Name(provider->kind), "a pair of DLLs", "");
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a run", "", "", "");
    run->options = options;
    run->output = work;
    RpStatus status = Prepare(run, provider, NULL, error);
    if (!status)
        status = RunTable(run, force_cpu, slots, error);
    status = Finish(run, status, error);
    free(run);
    return status;
}
