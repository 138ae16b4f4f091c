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
#include <wchar.h>

typedef struct Options {
    const wchar_t *modules[ABI_MODULE_COUNT];
    const wchar_t *input, *output, *progress, *overlay, *table, *batches;
    uint64_t first, last, force_cpu;
    bool trust, watched;
} Options;

static HostProgress unwatched; /* used without --progress */
static HostProgress *progress = &unwatched;

static const char usage[] =
    "usage: retropose-host --ngi32 PATH --animesh PATH --input TRACE --output TRACE\n"
    "                      [--first SEQ] [--last SEQ] [--progress FILE] [--overlay FILE]\n"
    "                      [--trust yes|no] [--watched yes|no]\n"
    "       retropose-host --ngi32 PATH --animesh PATH --batches FILE --output FILE\n"
    "                      [--progress FILE] [--overlay FILE] [--trust yes|no]\n"
    "       retropose-host --ngi32 PATH --animesh PATH --table FILE [--force-cpu N]\n"
    "                      [--progress FILE] [--watched yes|no]\n";

static bool ReadNumber(const wchar_t *text, uint64_t *number) {
    wchar_t *end;
    *number = _wcstoui64(text, &end, 10);
    return *text != 0 && *end == 0;
}

static bool ReadOption(const wchar_t *name, const wchar_t *value, Options *options) {
    if (wcscmp(name, L"--ngi32") == 0)
        options->modules[ABI_NGI32] = value;
    else if (wcscmp(name, L"--animesh") == 0)
        options->modules[ABI_ANIMESH] = value;
    else if (wcscmp(name, L"--input") == 0)
        options->input = value;
    else if (wcscmp(name, L"--output") == 0)
        options->output = value;
    else if (wcscmp(name, L"--progress") == 0)
        options->progress = value;
    else if (wcscmp(name, L"--overlay") == 0)
        options->overlay = value;
    else if (wcscmp(name, L"--batches") == 0)
        options->batches = value;
    else if (wcscmp(name, L"--table") == 0)
        options->table = value;
    else if (wcscmp(name, L"--trust") == 0)
        options->trust = wcscmp(value, L"yes") == 0;
    else if (wcscmp(name, L"--watched") == 0)
        options->watched = wcscmp(value, L"yes") == 0;
    else if (wcscmp(name, L"--force-cpu") == 0)
        return ReadNumber(value, &options->force_cpu);
    else if (wcscmp(name, L"--first") == 0)
        return ReadNumber(value, &options->first);
    else if (wcscmp(name, L"--last") == 0)
        return ReadNumber(value, &options->last);
    else
        return false;
    return true;
}

static bool ReadOptions(int argc, wchar_t **argv, Options *options) {
    *options = (Options){.last = UINT64_MAX, .force_cpu = UINT64_MAX};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !ReadOption(argv[i], argv[i + 1], options))
            return false;
    const int runs = (options->input && options->output) + (options->batches && options->output) +
                     (options->table != NULL);
    return options->modules[ABI_NGI32] && options->modules[ABI_ANIMESH] && runs == 1;
}

static RpStatus MapProgress(const wchar_t *path, RpError *error) {
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    HANDLE section = file == INVALID_HANDLE_VALUE ? NULL
                                                  : CreateFileMappingW(file, NULL, PAGE_READWRITE,
                                                                       0, sizeof *progress, NULL);
    HostProgress *view = section ? MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, 0) : NULL;
    if (!view)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot map the progress file", "", "", "");
    progress = view;
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
    return Provider_StateInHeader(provider, system, header, error);
}

static RpStatus CreateOutput(const Options *options, const TraceReader *reader,
                             const Provider *provider, TraceWriter **writer, RpError *error) {
    TraceHeader header = *TraceReader_Header(reader);
    char path[1024];
    if (wcstombs(path, options->output, sizeof path) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the output's name is not usable", "",
                           "a name in the system's code page", "");
    RpStatus status = StatePair(provider, &header, error);
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
        status = Pair_Prepare(header, error);
    if (!status)
        status = Pair_Load(options->modules, pair, error);
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
        status = Pair_Prepare(&header, error);
    if (!status)
        status = Pair_Load(options->modules, pair, error);
    return status ? status : Pair_PrintTable(pair, options->table, error);
}

static RpStatus RunInput(const Options *options, Pair *pair, RpError *error) {
    TraceReader *reader;
    size_t size;
    const uint8_t *bytes = Pair_MapFile(options->input, &size, error);
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
    Memory_Init();
    RpStatus status = options->table     ? PrintTable(options, &pair, error)
                      : options->batches ? RunBatches(options, &pair, error)
                                         : RunInput(options, &pair, error);
    Pair_Unprepare();
    return status;
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv) {
    Options options;
    RpError error = {0};
    if (!ReadOptions(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!IsProcessorFeaturePresent(PF_XMMI64_INSTRUCTIONS_AVAILABLE)) { /* bytes.h */
        fputs("retropose-host: this processor has no SSE2\n", stderr);
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
    /* Ends without the DLLs' own clean-up, which may hang after a crash inside of them. */
    fflush(NULL);
    TerminateProcess(GetCurrentProcess(), status ? 2 : 0);
    return 2;
}
