/* The program retropose-host, which runs the calls of a trace in one pair of DLLs
 * (docs/reference/host.md). */
#include "machine/processor/profile.h"
#include "replay/host/os.h"
#include "replay/host/parent.h"
#include "replay/host/serve.h"
#include "replay/process/host_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    const HostChar *modules[ABI_MODULE_COUNT];
    const HostChar *input, *output, *progress, *overlay, *batches, *reached;
    uint64_t first, last;
    bool trust, watched;
    GuestOptions guest;
} Options;

static HostProgress unwatched; /* used if --progress is not given */
static HostProgress *progress = &unwatched;

static const char usage[] =
    "usage: retropose-host --ngi32 PATH --animesh PATH --input TRACE --output TRACE\n"
    "                      [--first SEQ] [--last SEQ] [--progress FILE] [--overlay FILE]\n"
    "                      [--trust yes|no] [--watched yes|no] [--interpreter yes|no]\n"
    "                      [--processor NAME] [--reached FILE]\n"
    "       retropose-host --ngi32 PATH --animesh PATH --batches FILE --output FILE\n"
    "                      [--progress FILE] [--overlay FILE] [--trust yes|no]\n"
    "                      [--reached FILE]\n";

#define MOST_WORD 32

/* Copies a word that consists of ASCII letters; any other letter becomes a question mark. */
static void Narrow(const HostChar *text, char word[MOST_WORD]) {
    size_t i;
    for (i = 0; text[i] && i < MOST_WORD - 1; i++)
        word[i] = (unsigned)text[i] < 0x80 ? (char)text[i] : '?';
    word[i] = 0;
}

static bool ReadNumber(const char *text, uint64_t *number) {
    char *end;
    *number = strtoull(text, &end, 10);
    return *text != 0 && *end == 0;
}

static bool ReadOption(const HostChar *name, const HostChar *value, Options *options) {
    char option[MOST_WORD], word[MOST_WORD];
    Narrow(name, option);
    Narrow(value, word);
    if (strcmp(option, "--ngi32") == 0)
        options->modules[ABI_NGI32] = value;
    else if (strcmp(option, "--animesh") == 0)
        options->modules[ABI_ANIMESH] = value;
    else if (strcmp(option, "--input") == 0)
        options->input = value;
    else if (strcmp(option, "--output") == 0)
        options->output = value;
    else if (strcmp(option, "--progress") == 0)
        options->progress = value;
    else if (strcmp(option, "--overlay") == 0)
        options->overlay = value;
    else if (strcmp(option, "--batches") == 0)
        options->batches = value;
    else if (strcmp(option, "--reached") == 0)
        options->reached = value;
    else if (strcmp(option, "--trust") == 0)
        options->trust = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--watched") == 0)
        options->watched = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--interpreter") == 0)
        options->guest.interpreter = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--processor") == 0)
        return (options->guest.profile = MachineProfile_Find(word)) != NULL;
    else if (strcmp(option, "--first") == 0)
        return ReadNumber(word, &options->first);
    else if (strcmp(option, "--last") == 0)
        return ReadNumber(word, &options->last);
    else
        return false;
    return true;
}

static RpStatus MapFile(const HostChar *path, const uint8_t **bytes, size_t *size, RpError *error) {
    *bytes = Os_MapFile(path, size, error);
    return *bytes ? RP_OK : RP_IO;
}

/* Loads the pair, and has it leave marks of the code that the calls reach, if somebody asks. */
static RpStatus OpenPair(const Options *options, const TraceHeader *header,
                         const HostOptions *files, Host *host, RpError *error) {
    RpStatus status = Host_Open(host, header, files, error);
    if (status || !options->reached)
        return status;
    size_t size = 0;
    ReachedFile *file = Os_Share(options->reached, &size, true, error);
    return file ? Pair_NoteReached(&host->pair, file, size, error) : RP_IO;
}

static RpStatus RunInput(const Options *options, const HostOptions *files, Host *host,
                         RpError *error) {
    HostRun run = {.first = options->first, .last = options->last};
    TraceHeader header = {.minor = 0};
    char path[1024];
    RpStatus status = Os_OpenTrace(options->input, &run.reader, error);
    if (!status)
        status = OpenPair(options, TraceReader_Header(run.reader), files, host, error);
    if (!status)
        status = Os_Name(options->output, path, sizeof path, error);
    if (!status) {
        header = *TraceReader_Header(run.reader);
        status = Host_StatePair(host, &header, error);
    }
    if (!status)
        status = TraceWriter_CreateGrowing(path, &header, &run.writer, error);
    if (!status)
        progress->state = HOST_BETWEEN_CALLS;
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = HostRun_Next(&run, host, &call, &found, error);
        if (status || !found)
            break;
        progress->sequence = call.sequence;
        progress->state = HOST_CALLING;
        status = Execute_Call(&host->executor, &call, options->trust, NULL, 0, error);
        Invoke_Leave(&host->guest);
        Parent_Follow(&call, host->guest.frame);
        /* nobody knows what the pair was doing when the call ended */
        if (call.outcome == TRACE_TIMED_OUT) {
            progress->state = HOST_TIMED_OUT;
            fflush(NULL);
            Os_EndProcess(2);
        }
        progress->state = HOST_BETWEEN_CALLS;
        if (!status)
            status = TraceWriter_Call(run.writer, &call, error);
        progress->finished++;
    }
    if (status)
        TraceWriter_Abandon(run.writer);
    else
        status = TraceWriter_Close(run.writer, error);
    return status;
}

static RpStatus RunBatches(const Options *options, const HostOptions *files, Host *host,
                           RpError *error) {
    ServeFiles shared;
    RpStatus status = Serve_Open(options->batches, options->output, &shared, error);
    if (status)
        return status;
    TraceHeader header = shared.inputs->header;
    status = OpenPair(options, &header, files, host, error);
    if (!status)
        status = Host_StatePair(host, &header, error);
    if (status)
        return status;
    shared.outputs->header = header;
    return Serve_Run(&shared, host, options->trust, progress, error);
}

int HOST_MAIN(int argc, HostChar **argv);

int HOST_MAIN(int argc, HostChar **argv) {
    static Host host;
    Options options = {.last = UINT64_MAX};
    RpError error = {0};
    bool good = true;
    for (int i = 1; i < argc && good; i += 2)
        good = i + 1 < argc && ReadOption(argv[i], argv[i + 1], &options);
    const int runs = (options.input && options.output) + (options.batches && options.output);
    if (!good || !options.modules[ABI_NGI32] || !options.modules[ABI_ANIMESH] || runs != 1) {
        fputs(usage, stderr);
        return 2;
    }

    RpStatus status = RP_OK;
    if (options.progress) {
        size_t size = sizeof *progress;
        HostProgress *shared = Os_Share(options.progress, &size, true, &error);
        progress = shared ? shared : &unwatched;
        status = shared ? RP_OK : RP_IO;
    }
    progress->state = HOST_LOADING;
    if (!status)
        status = Parent_Open(options.watched || options.batches, &error);
    if (!status) {
        HostOptions files = {.guest = options.guest};
        for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
            PairFile *file = &files.files[i];
            file->path = options.modules[i];
            status = MapFile(options.modules[i], &file->bytes, &file->size, &error);
        }
        if (!status && options.overlay) {
            const uint8_t *text;
            status = MapFile(options.overlay, &text, &files.overlay_size, &error);
            files.overlay = (const char *)text;
        }
        if (!status)
            status = options.batches ? RunBatches(&options, &files, &host, &error)
                                     : RunInput(&options, &files, &host, &error);
        Host_Close(&host);
    }

    if (status) {
        char message[1024];
        RpError_Format(&error, message, sizeof message);
        fprintf(stderr, "retropose-host: %s\n", message);
        progress->offset = error.offset;
        progress->status = error.status;
        memcpy(progress->what, error.what, sizeof progress->what);
        memcpy(progress->where, error.where, sizeof progress->where);
        memcpy(progress->expected, error.expected, sizeof progress->expected);
        memcpy(progress->found, error.found, sizeof progress->found);
    }
    progress->state = status ? HOST_FAILED : HOST_FINISHED;
    fflush(NULL);
    Os_EndProcess(status ? 2 : 0);
}
