/* Begins and ends observing: settings, files, counters, and the thread that writes. observe_call.c
 * observes one call. */
#include "dll/observe/observe.h"

#include "core/hex.h"
#include "core/system.h"
#include "dll/observe/observe_state.h"
#include "dll/observe/workspace.h"

#include "dll/base/log.h"
#include "dll/observe/image.h"
#include "dll/observe/number.h"
#include "retropose/arithmetic.h"

#include <cpuid.h>

ObserveState observe;
extern RpArithmetic ngi32_arithmetic[]; /* from dll/ngi32/ngi32_dll.c */

enum { SUMMARY_MILLISECONDS = 30000, DEFAULT_FLUSH_MS = 500 };

/* ---- rows ------------------------------------------------------------------------------------ */

static struct RowOfSignature {
    const Signature *signature;
    const AbiFunction *function; /* the signature's function, in the table of its own DLL */
    ObserveRow *row;
} known_signatures[OBSERVE_ROWS];

static ObserveRow *FindRow(const char *key) {
    for (size_t i = 0; i < abi_function_count && i < OBSERVE_ROWS; i++)
        if (strcmp(abi_functions[i].key, key) == 0) {
            ObserveRow *row = &observe.rows[i];
            Lock_Take(&observe.rows_lock);
            if (!row->described)
                Marshal_Describe(&abi_functions[i], &row->marshal);
            __atomic_store_n(&row->described, true, __ATOMIC_RELEASE);
            Lock_Release(&observe.rows_lock);
            return row;
        }
    return NULL;
}

/* A signature may belong to AniMesh.dll, which has a copy of the tables, so the row is found by its
 * key. Threads need no lock for this table, because an entry only ever changes from empty to one
 * value. */
ObserveRow *Observe_RowOf(const Signature *signature) {
    struct RowOfSignature *place =
        &known_signatures[((uintptr_t)signature / sizeof(Signature)) % OBSERVE_ROWS];
    const Signature *known = __atomic_load_n(&place->signature, __ATOMIC_ACQUIRE);
    if (known == signature &&
        strcmp(place->row->marshal.signature.function->key, signature->function->key) == 0)
        return place->row;
    ObserveRow *row = FindRow(signature->function->key);
    Lock_Take(&observe.rows_lock);
    if (row && !place->signature) {
        place->row = row;
        place->function = signature->function;
        __atomic_store_n(&place->signature, signature, __ATOMIC_RELEASE);
    }
    Lock_Release(&observe.rows_lock);
    return row;
}

/* ---- time ------------------------------------------------------------------------------------ */

void ObserveMeter_Add(ObserveMeter *meter, uint64_t ticks) {
    /* The bucket of a number from 8 on is its four highest bits, together with how far they are
     * shifted. */
    uint32_t bucket = ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
    if (bucket >= 8) {
        uint32_t shift = 28 - (uint32_t)__builtin_clz(bucket);
        bucket = 8 * shift + (bucket >> shift);
    }
    Lock_Take(&meter->lock);
    meter->ticks += ticks;
    meter->samples++;
    meter->buckets[bucket]++;
    Lock_Release(&meter->lock);
}

/* In a process that runs for more than 49 days the result is too small, because the milliseconds
 * have begun again at 0. */
static uint32_t Nanoseconds(uint64_t ticks) {
    uint64_t all_ticks = Platform_Ticks() - observe.started_ticks;
    uint32_t all_ms = Platform_Milliseconds() - observe.started_ms;
    uint64_t ticks_per_ms = all_ms ? all_ticks / all_ms : 0;
    return ticks_per_ms ? (uint32_t)(ticks * 1000000 / ticks_per_ms) : 0;
}

static ObserveCost CostOf(ObserveMeter *meter) {
    ObserveCost cost = {.samples = 0};
    Lock_Take(&meter->lock);
    uint64_t mean = meter->samples ? meter->ticks / meter->samples : 0;

    uint64_t median = 0;
    uint32_t seen = 0;
    for (uint32_t bucket = 0; bucket < OBSERVE_BUCKETS; bucket++) {
        seen += meter->buckets[bucket];
        if (2 * (uint64_t)seen > meter->samples) {
            /* The median is the middle of the values in its bucket. */
            uint32_t shift = bucket < 16 ? 0 : bucket / 8 - 1;
            median =
                bucket < 16 ? bucket : ((uint64_t)(8 + bucket % 8) << shift) + (1ull << shift) / 2;
            break;
        }
    }

    cost.samples = meter->samples;
    Lock_Release(&meter->lock);
    cost.mean_ns = Nanoseconds(mean);
    cost.median_ns = Nanoseconds(median);
    return cost;
}

/* ---- the header and the notes of a trace ----------------------------------------------------- */

static void AppendLine(Text *text, const char *key, const char *value) {
    if (!value[0])
        return;
    Text_Append(text, key);
    Text_AppendChar(text, '=');
    for (const char *c = value; *c; c++)
        Text_AppendChar(text, *c == '\n' || *c == '\r' ? ' ' : *c);
    Text_AppendChar(text, '\n');
}

/* Returns who answers recorded calls by the settings. If that depends on whether a call is
 * verified, it may be either of the two. */
static uint8_t AllServers(void) {
    uint8_t servers = 0;
    for (size_t i = 0; i < abi_function_count && i < OBSERVE_ROWS; i++) {
        const AbiFunction *function = &abi_functions[i];
        if (!Settings_Records(&observe.settings, function))
            continue;
        const ObserveRow *row = FindRow(function->key);
        if (!row->marshal.can_record)
            continue;
        const LiveMode mode = Settings_ModeOf(&observe.settings, function);
        if (!observe.identity.hosted[function->module])
            servers |= SERVED_BY_REPLACEMENT;
        else if (mode == LIVE_ORIGINAL || mode == LIVE_SHADOW)
            servers |=
                observe.identity.standin[function->module] ? SERVED_BY_STANDIN : SERVED_BY_ORIGINAL;
        else
            servers |= SERVED_BY_ANY;
    }
    return servers ? servers : SERVED_BY_ANY;
}

static uint8_t Servers(void) {
    return __atomic_load_n(&observe.servers, __ATOMIC_ACQUIRE);
}

static void DescribeTrace(Text *text, const char *provider, const char *functions) {
    char digest[17], processor[80], system[80], readings[RP_READINGS_TEXT];
    uint8_t number[8];
    Bytes_PutBigU32(number, (uint32_t)(Abi_Digest() >> 32));
    Bytes_PutBigU32(number + 4, (uint32_t)Abi_Digest());
    Hex_Write(number, sizeof number, digest);
    digest[2 * sizeof number] = 0;

    /* The processor is described as Provider_Processor does it. */
    unsigned eax = 0, vendor[3] = {0}, rest;
    __get_cpuid(0, &eax, &vendor[0], &vendor[2], &vendor[1]);
    __get_cpuid(1, &eax, &rest, &rest, &rest);
    unsigned family = eax >> 8 & 15, model = eax >> 4 & 15;
    if (family == 6 || family == 15)
        model |= (eax >> 16 & 15) << 4;
    if (family == 15)
        family += eax >> 20 & 255;
    Text words = Text_Begin(processor, sizeof processor);
    Text_AppendPart(&words, (const char *)vendor, sizeof vendor);
    Text_Append(&words, " family ");
    Text_AppendDecimal(&words, family);
    Text_Append(&words, " model ");
    Text_AppendDecimal(&words, model);
    Text_Append(&words, " stepping ");
    Text_AppendDecimal(&words, eax & 15);

    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    AppendLine(text, "producer", "Retropose " RETROPOSE_VERSION ", in a running game");
    AppendLine(text, "abi", digest);
    AppendLine(text, "provider", provider);
    AppendLine(text, "ngi32.sha256", observe.identity.sha256[ABI_NGI32]);
    AppendLine(text, "animesh.sha256", observe.identity.sha256[ABI_ANIMESH]);
    AppendLine(text, "processor", processor);
    AppendLine(text, "system", system);
    RpReadings_Format(&ngi32_arithmetic->readings, RP_READS_RUNTIME, readings, sizeof readings);
    AppendLine(text, "hypotheses", readings);
    AppendLine(text, "functions", functions);
    AppendLine(text, "mode", LiveMode_Name(observe.settings.default_mode));
}

static void DescribeRecording(Text *text, uint8_t servers) {
    Lock_Take(&observe.settings_lock);
    /* One side is named only if it has answered everything. */
    DescribeTrace(text,
                  servers == SERVED_BY_REPLACEMENT ? "replacement"
                  : servers == SERVED_BY_STANDIN   ? "stand-in"
                  : servers == SERVED_BY_ORIGINAL  ? "original"
                                                   : "mixed",
                  observe.settings.record_functions);
    Lock_Release(&observe.settings_lock);
}

/* Describes a trace of calls whose answers differed. The trace holds the original's answers. */
static void DescribeDifferences(Text *text, uint8_t servers) {
    (void)servers;
    Lock_Take(&observe.settings_lock);
    bool standin = observe.identity.standin[ABI_NGI32] || observe.identity.standin[ABI_ANIMESH];
    DescribeTrace(text, standin ? "stand-in" : "original", "");
    Lock_Release(&observe.settings_lock);
}

static void AppendNumber(Text *text, const char *key, uint64_t number) {
    Text_Append(text, key);
    Text_AppendChar(text, '=');
    Text_AppendDecimal(text, number);
    Text_AppendChar(text, '\n');
}

static void Note(Text *text) {
    ObserveCost cost = CostOf(&observe.record_meter);
    for (int fault = 1; fault < MARSHAL_FAULTS; fault++) {
        Text_Append(text, "not-recorded.");
        AppendNumber(text, MarshalFault_Name((MarshalFault)fault), observe.not_recorded[fault]);
    }
    AppendNumber(text, "settled", observe.settled);
    AppendNumber(text, "overhead-ns", cost.mean_ns);
    AppendNumber(text, "overhead-median-ns", cost.median_ns);
    AppendNumber(text, "overhead-samples", cost.samples);
}

/* ---- recorders ------------------------------------------------------------------------------- */

static void Complain(const char *what, const char *path, uint32_t code) {
    if (code)
        Log_Write("%s: %s (system error %u)", what, path, code);
    else
        Log_Write("%s: %s", what, path);
}

void Observe_Path(const char *name, char *buffer, size_t size) {
    Text path = Text_Begin(buffer, size);
    const bool is_absolute = name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':');
    if (!is_absolute && observe.identity.folder[0]) {
        Text_Append(&path, observe.identity.folder);
        char last = path.buffer[path.length ? path.length - 1 : 0];
        if (last != '\\' && last != '/')
            Text_AppendChar(&path, observe.identity.folder[0] == '/' ? '/' : '\\');
    }
    Text_Append(&path, name);
}

static void StartRecording(const LiveSettings *settings) {
    RecordOptions options = {.ring = settings->record_ring,
                             .limit = settings->record_limit,
                             .flush_ms = settings->record_flush_ms,
                             .full = settings->record_full,
                             .describe = DescribeRecording,
                             .servers = Servers,
                             .note = Note,
                             .complain = Complain};
    Observe_Path(settings->record_file, options.path, sizeof options.path);

    uint32_t code;
    Recorder *recorder = Recorder_Open(&options, &code);
    if (!recorder) {
        Complain("nothing is recorded: the trace cannot be made", options.path, code);
        return;
    }
    Log_Write("recording into %s", Recorder_Path(recorder));
    __atomic_store_n(&observe.recorder, recorder, __ATOMIC_RELEASE);
    uint32_t period = settings->record_flush_ms ? settings->record_flush_ms : DEFAULT_FLUSH_MS;
    if (observe.serving)
        Platform_SetServicePeriod(period);
    else
        observe.serving = Platform_StartService(Observe_Serve, period);
    if (!observe.serving)
        Log_Write("no thread to write the trace: calls are dropped when memory is full");
}

static void StopRecording(Recorder **from, bool process_ends) {
    /* The recorder is taken away first. No call begins to use it after this. Calls that are using
     * it end within seconds, and are waited for unless the process ends. */
    Recorder *recorder = __atomic_exchange_n(from, NULL, __ATOMIC_SEQ_CST);
    if (!process_ends)
        Workspace_AwaitCommits();

    if (!recorder)
        return;
    if (!process_ends)
        Lock_Take(&observe.writing_lock);
    if (from == &observe.recorder) {
        RecordTotals totals;
        ObserveCost cost = CostOf(&observe.record_meter);
        uint32_t refused = 0;
        for (int fault = 1; fault < MARSHAL_FAULTS; fault++)
            refused += observe.not_recorded[fault];
        Recorder_Totals(recorder, &totals);
        Log_Write(
            "recorded %u calls, %u KB, in %u files; %u dropped, %u not recordable; %u ns for a "
            "call (median; mean %u, of %u measured)",
            (uint32_t)totals.calls, (uint32_t)(totals.bytes / 1024), totals.parts,
            (uint32_t)totals.dropped, refused, cost.median_ns, cost.mean_ns, cost.samples);
        for (int fault = 1; fault < MARSHAL_FAULTS; fault++)
            if (observe.not_recorded[fault])
                Log_Write("not recordable, %s: %u", MarshalFault_Name((MarshalFault)fault),
                          observe.not_recorded[fault]);
    }
    Recorder_Close(recorder, process_ends);
    if (!process_ends)
        Lock_Release(&observe.writing_lock);
}

void Observe_Serve(void) {
    Lock_Take(&observe.writing_lock);
    Recorder *recorder = __atomic_load_n(&observe.recorder, __ATOMIC_ACQUIRE);
    if (recorder)
        Recorder_Write(recorder, false);
    Lock_Release(&observe.writing_lock);
}

Recorder *Observe_Differences(void) {
    Lock_Take(&observe.writing_lock);
    if (!observe.differences && !observe.differences_tried && observe.settings.shadow_log[0]) {
        RecordOptions options = {.limit = observe.settings.shadow_limit,
                                 .full = RECORD_DROP,
                                 .batch_calls = 0x10000,
                                 .most_batches = 1,
                                 .describe = DescribeDifferences,
                                 .complain = Complain};
        uint32_t code;
        /* "retropose-shadow.log" gives "retropose-shadow.rptrace". */
        char log[OBSERVE_PATH_BYTES];
        Observe_Path(observe.settings.shadow_log, log, sizeof log);
        size_t length = strlen(log), stem = length;
        for (size_t i = length; i > 0 && log[i - 1] != '/' && log[i - 1] != '\\'; i--)
            if (log[i - 1] == '.') {
                stem = i - 1;
                break;
            }
        Text path = Text_Begin(options.path, sizeof options.path);
        Text_AppendPart(&path, log, stem);
        Text_Append(&path, ".rptrace");

        observe.differences = Recorder_Open(&options, &code);
        if (!observe.differences)
            Complain("calls that differ are not written", options.path, code);
        observe.differences_tried = true;
    }
    Recorder *recorder = observe.differences;
    Lock_Release(&observe.writing_lock);
    return recorder;
}

/* ---- shadow summaries ------------------------------------------------------------------------ */

static void Summarise(const char *title) {
    char line[256];
    ObserveCost cost = CostOf(&observe.shadow_meter);
    if (cost.samples == 0)
        return;
    Text text = Text_Begin(line, sizeof line);
    Text_Append(&text, title);
    Text_Append(&text, ": a compared call costs ");
    Text_AppendDecimal(&text, cost.median_ns);
    Text_Append(&text, " ns more (median; mean ");
    Text_AppendDecimal(&text, cost.mean_ns);
    Text_Append(&text, ", of ");
    Text_AppendDecimal(&text, cost.samples);
    Text_Append(&text, " measured)");
    Shadow_LogLine(line);

    for (size_t i = 0; i < OBSERVE_ROWS; i++) {
        const ObserveRow *row = &observe.rows[i];
        const ShadowCounts *counts = &row->counts;
        if (!__atomic_load_n(&row->described, __ATOMIC_ACQUIRE) ||
            counts->compared + counts->crashed + counts->passed == 0)
            continue;
        text = Text_Begin(line, sizeof line);
        Text_Append(&text, row->marshal.signature.function->key);
        const struct {
            const char *words;
            uint32_t number;
        } parts[] = {{": compared ", counts->compared},
                     {" of ", counts->calls},
                     {" calls, differences ", counts->differed},
                     {", crashes ", counts->crashed},
                     {", not comparable ", counts->passed}};
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
            Text_Append(&text, parts[part].words);
            Text_AppendDecimal(&text, parts[part].number);
        }
        if (counts->stopped)
            Text_Append(&text, "; no longer compared");
        Shadow_LogLine(line);
    }
}

/* Writes summaries when their time has come. The thread that notices this first does it. */
void Observe_SummariseSometimes(void) {
    uint32_t now = Platform_Milliseconds();
    uint32_t last = __atomic_load_n(&observe.summarised, __ATOMIC_RELAXED);
    if (now - last < SUMMARY_MILLISECONDS)
        return;
    if (__atomic_compare_exchange_n(&observe.summarised, &last, now, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
        Summarise("so far");
}

/* ---- life ------------------------------------------------------------------------------------ */

static ShadowOptions ShadowOptionsOf(const LiveSettings *settings) {
    ShadowOptions options = {.limit = settings->shadow_limit, .first = settings->shadow_first};
    if (settings->shadow_log[0])
        Observe_Path(settings->shadow_log, options.path, sizeof options.path);
    return options;
}

void Observe_Open(const LiveSettings *settings, const ObserveIdentity *identity) {
    if (observe.open)
        return;
    if (!Platform_Open()) {
        Log_Write("nothing is recorded or compared: the system refuses what it takes");
        return;
    }
    observe.settings = *settings;
    observe.identity = *identity;
    observe.started_ticks = Platform_Ticks();
    observe.started_ms = Platform_Milliseconds();
    observe.summarised = observe.started_ms;
    observe.differences_tried = false;

    for (size_t i = 0; i < OBSERVE_ROWS; i++)
        observe.rows[i].counts = (ShadowCounts){.calls = 0};
    memset(observe.not_recorded, 0, sizeof observe.not_recorded);
    observe.settled = 0;
    observe.record_meter = observe.shadow_meter = (ObserveMeter){.calls = 0};

    Marshal_Open();
    observe.servers = AllServers();
    ShadowOptions shadow = ShadowOptionsOf(settings);
    Shadow_Open(&shadow);
    __atomic_store_n(&observe.open, true, __ATOMIC_RELEASE);
    if (settings->record)
        StartRecording(settings);
}

void Observe_Change(const LiveSettings *settings) {
    if (!observe.open)
        return;
    bool same = observe.settings.record == settings->record &&
                strcmp(observe.settings.record_file, settings->record_file) == 0 &&
                observe.settings.record_ring == settings->record_ring &&
                observe.settings.record_limit == settings->record_limit &&
                observe.settings.record_flush_ms == settings->record_flush_ms &&
                observe.settings.record_full == settings->record_full;
    if (!same)
        StopRecording(&observe.recorder, false);
    Lock_Take(&observe.settings_lock);
    observe.settings = *settings;
    __atomic_store_n(&observe.servers, AllServers(), __ATOMIC_RELEASE);
    Lock_Release(&observe.settings_lock);
    if (observe.recorder)
        Recorder_EndPart(observe.recorder); /* another side may answer now */
    ShadowOptions shadow = ShadowOptionsOf(settings);
    Shadow_Change(&shadow);
    if (!same && settings->record)
        StartRecording(settings);
}

void Observe_EndProcess(void) {
    if (!observe.open)
        return;
    __atomic_store_n(&observe.open, false, __ATOMIC_RELEASE);

    /* The holders of these locks may have been ended with their threads. What the locks guard may
     * be half changed, which does no harm worth mentioning when the process ends. */
    Lock_Release(&observe.rows_lock);
    Lock_Release(&observe.settings_lock);
    Lock_Release(&observe.record_meter.lock);
    Lock_Release(&observe.shadow_meter.lock);

    if (observe.serving)
        Platform_StopService();
    observe.serving = false;
    StopRecording(&observe.recorder, true);
    if (Shadow_IsSound())
        Summarise("at the end");
    StopRecording(&observe.differences, true);
    Shadow_EndProcess();
}
