/* retropose-host: runs the calls of a trace in one pair of DLLs; docs/proof/host.md. */
#include "core/system.h"
#include "replay/host/execute.h"
#include "replay/host/invoke.h"
#include "replay/host/memory.h"
#include "replay/host/parent.h"
#include "replay/host/serve.h"
#include "replay/process/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    const HostChar *modules[ABI_MODULE_COUNT];
    const HostChar *input, *output, *progress, *overlay, *table, *batches;
    uint64_t first, last, force_cpu;
    bool trust, watched;
    GuestOptions guest;
} Options;

static HostProgress unwatched; /* used without --progress */
static HostProgress *progress = &unwatched;

static const char usage[] =
    "usage: retropose-host --ngi32 PATH --animesh PATH --input TRACE --output TRACE\n"
    "                      [--first SEQ] [--last SEQ] [--progress FILE] [--overlay FILE]\n"
    "                      [--trust yes|no] [--watched yes|no] [--interpreter yes|no]\n"
    "                      [--processor NAME]\n"
    "       retropose-host --ngi32 PATH --animesh PATH --batches FILE --output FILE\n"
    "                      [--progress FILE] [--overlay FILE] [--trust yes|no]\n"
    "       retropose-host --ngi32 PATH --animesh PATH --table FILE [--force-cpu N]\n"
    "                      [--progress FILE] [--watched yes|no]\n";

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
    else if (strcmp(option, "--table") == 0)
        options->table = value;
    else if (strcmp(option, "--trust") == 0)
        options->trust = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--watched") == 0)
        options->watched = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--interpreter") == 0)
        options->guest.interpreter = strcmp(word, "yes") == 0;
    else if (strcmp(option, "--processor") == 0)
        memcpy(options->guest.processor, word, sizeof word);
    else if (strcmp(option, "--force-cpu") == 0)
        return ReadNumber(word, &options->force_cpu);
    else if (strcmp(option, "--first") == 0)
        return ReadNumber(word, &options->first);
    else if (strcmp(option, "--last") == 0)
        return ReadNumber(word, &options->last);
    else
        return false;
    return true;
}

static bool ReadOptions(int argc, HostChar **argv, Options *options) {
    *options = (Options){.last = UINT64_MAX, .force_cpu = UINT64_MAX};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !ReadOption(argv[i], argv[i + 1], options))
            return false;
    const int runs = (options->input && options->output) + (options->batches && options->output) +
                     (options->table != NULL);
    return options->modules[ABI_NGI32] && options->modules[ABI_ANIMESH] && runs == 1;
}

static RpStatus MapProgress(const HostChar *path, RpError *error) {
    HostProgress *shared = Guest_Share(path, sizeof *progress, true, error);
    if (!shared)
        return RP_IO;
    progress = shared;
    return RP_OK;
}

static void StateError(const RpError *error) {
    progress->offset = error->offset;
    progress->status = error->status;
    memcpy(progress->what, error->what, sizeof progress->what);
    memcpy(progress->where, error->where, sizeof progress->where);
    memcpy(progress->expected, error->expected, sizeof progress->expected);
    memcpy(progress->found, error->found, sizeof progress->found);
}

/* Makes the header of a trace that this pair has executed. */
static RpStatus StatePair(const Provider *provider, TraceHeader *header, RpError *error) {
    char system[128];
    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    RpStatus status = TraceHeader_Set(header, "engine", Guest_Engine(), error);
    if (!status)
        status = Provider_StateInHeader(provider, system, header, error);
    return status ? status : Provider_StateEstimates(Guest_Estimates(), header, error);
}

static RpStatus CreateOutput(const Options *options, const TraceReader *reader,
                             const Provider *provider, TraceWriter **writer, RpError *error) {
    TraceHeader header = *TraceReader_Header(reader);
    char path[1024];
    RpStatus status = Guest_Name(options->output, path, sizeof path, error);
    if (!status)
        status = StatePair(provider, &header, error);
    return status ? status : TraceWriter_CreateGrowing(path, &header, writer, error);
}

static RpStatus CopyMemories(const TraceReader *reader, uint32_t *copied, TraceWriter *writer,
                             RpError *error) {
    RpStatus status = RP_OK;
    while (!status && *copied < TraceReader_MemoryCount(reader))
        status = TraceWriter_Memory(writer, TraceReader_MemoryAt(reader, (*copied)++), error);
    return status;
}

static RpStatus RunCall(const Options *options, Pair *pair, TraceCall *call, TraceWriter *writer,
                        RpError *error) {
    progress->sequence = call->sequence;
    progress->state = HOST_CALLING;
    RpStatus status = Execute_Call(pair, call, options->trust, NULL, 0, error);
    Invoke_Leave();
    if (call->outcome == TRACE_TIMED_OUT) { /* what the pair is in the middle of is not known */
        progress->state = HOST_TIMED_OUT;
        fflush(NULL);
        Guest_EndProcess(2);
    }
    progress->state = HOST_BETWEEN_CALLS;
    if (!status)
        status = TraceWriter_Call(writer, call, error);
    progress->finished++;
    return status;
}

static RpStatus RunCalls(const Options *options, Pair *pair, TraceReader *reader,
                         TraceWriter *writer, RpError *error) {
    uint32_t copied = 0;
    for (;;) {
        TraceCall call;
        bool found;
        RpStatus status = TraceReader_Next(reader, &call, &found, error);
        if (status)
            return status;
        if (!found || call.sequence > options->last)
            return RP_OK;
        if (call.sequence < options->first)
            continue;
        status = Memory_Load(reader, error);
        if (!status)
            status = CopyMemories(reader, &copied, writer, error);
        if (!status)
            status = RunCall(options, pair, &call, writer, error);
        if (status)
            return status;
    }
}

/* Gets the pair ready for the calls of a trace with this header. */
static RpStatus Load(const Options *options, const TraceHeader *header, Pair *pair,
                     RpError *error) {
    ProviderSlotBuild build;
    RpStatus status = Provider_SlotBuild(header, &build, error);
    if (!status)
        status = Guest_Open(header, &options->guest, error);
    if (!status) {
        Memory_Init();
        status = Pair_Load(options->modules, pair, error);
    }
    if (!status && options->overlay)
        status = Pair_LoadOverlay(pair, options->overlay, error);
    if (!status)
        status = Pair_UseBuilds(pair, build, error);
    return status ? status : Execute_Init(error);
}

static RpStatus RunTrace(const Options *options, Pair *pair, TraceReader *reader, RpError *error) {
    TraceWriter *writer = NULL;
    RpStatus status = Load(options, TraceReader_Header(reader), pair, error);
    if (!status)
        status = CreateOutput(options, reader, &pair->provider, &writer, error);
    if (!status) {
        progress->state = HOST_BETWEEN_CALLS;
        status = RunCalls(options, pair, reader, writer, error);
    }
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    return status;
}

static RpStatus PrintTable(const Options *options, Pair *pair, RpError *error) {
    TraceHeader header;
    char force_cpu[24];
    TraceHeader_Init(&header);
    snprintf(force_cpu, sizeof force_cpu, "%" PRIu64, options->force_cpu);
    RpStatus status = options->force_cpu == UINT64_MAX
                          ? RP_OK
                          : TraceHeader_Set(&header, "force-cpu", force_cpu, error);
    if (!status)
        status = Guest_Open(&header, &options->guest, error);
    if (!status)
        status = Pair_Load(options->modules, pair, error);
    return status ? status : Pair_PrintTable(pair, options->table, error);
}

static RpStatus RunInput(const Options *options, Pair *pair, RpError *error) {
    TraceReader *reader;
    size_t size;
    const uint8_t *bytes = Guest_MapFile(options->input, &size, error);
    if (!bytes)
        return RP_IO;
    RpStatus status = TraceReader_OpenBuffer(bytes, size, "the input trace", &reader, error);
    return status ? status : RunTrace(options, pair, reader, error);
}

static RpStatus RunBatches(const Options *options, Pair *pair, RpError *error) {
    ServeFiles files;
    RpStatus status = Serve_Open(options->batches, options->output, &files, error);
    if (status)
        return status;
    TraceHeader header = files.inputs->header;
    status = Load(options, &header, pair, error);
    if (!status)
        status = StatePair(&pair->provider, &header, error);
    if (status)
        return status;
    files.outputs->header = header;
    return Serve_Run(&files, pair, options->trust, progress, error);
}

static RpStatus Run(const Options *options, RpError *error) {
    static Pair pair;
    RpStatus status = options->table     ? PrintTable(options, &pair, error)
                      : options->batches ? RunBatches(options, &pair, error)
                                         : RunInput(options, &pair, error);
    Guest_Close();
    return status;
}

int HOST_MAIN(int argc, HostChar **argv);

int HOST_MAIN(int argc, HostChar **argv) {
    Options options;
    RpError error = {0};
    if (!ReadOptions(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    RpStatus status = options.progress ? MapProgress(options.progress, &error) : RP_OK;
    progress->state = HOST_LOADING;
    if (!status)
        status = Parent_Open(options.watched || options.batches, &error);
    if (!status)
        status = Run(&options, &error);
    if (status) {
        char message[1024];
        RpError_Format(&error, message, sizeof message);
        fprintf(stderr, "retropose-host: %s\n", message);
        StateError(&error);
    }
    progress->state = status ? HOST_FAILED : HOST_FINISHED;
    fflush(NULL);
    Guest_EndProcess(status ? 2 : 0);
}
