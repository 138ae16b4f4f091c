#include "fake.h"

#include "core/files/cleanup.h"
#include "replay/scenario/scenario.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <direct.h>
#else
#include <sys/stat.h>
#endif

void Fake_Init(Fake *fake, const char *readings) {
    memset(fake, 0, sizeof *fake);
    if (RpReadings_Parse(&fake->secret, RP_READS_RUNTIME, readings, NULL))
        abort();
}

/* Copies the questions into a trace whose readings are the secret ones. */
static RpStatus CopyQuestions(const Fake *fake, TraceReader *reader, const char *path,
                              RpError *error) {
    TraceHeader header = *TraceReader_Header(reader);
    char secret[2048];
    TraceCopy *copy;
    TraceCall call;
    bool found = true;
    char build[16];
    TraceHeader_Get(&header, "slot-build", build, sizeof build);
    bool x87 = fake->x87 && (build[0] == 'g' || build[0] == 'f');
    RpReadings_Format(x87 ? fake->x87 : &fake->secret, RP_READS_RUNTIME, secret, sizeof secret);
    RpStatus status = TraceHeader_Set(&header, "hypotheses", secret, error);
    if (!status)
        status = TraceCopy_CreateAs(path, &header, reader, false, &copy, error);
    if (status)
        return status;
    while (!status && found) {
        status = TraceReader_Next(reader, &call, &found, error);
        if (!status && found)
            status = TraceCopy_Call(copy, &call, error);
    }
    RpStatus closed = TraceCopy_Close(copy, error);
    return status ? status : closed;
}

static bool Is(const TraceCall *call, const char *key) {
    return key && strcmp(call->function->key, key) == 0;
}

static bool Refuses(const Fake *fake, const TraceHeader *header, const TraceCall *call) {
    char build[16];
    TraceHeader_Get(header, "slot-build", build, sizeof build);
    return (fake->no_builds && build[0]) || Is(call, fake->missing);
}

/* Changes one bit of the results in two calls of four, which no reading explains. */
static void Spoil(Fake *fake, TraceCall *call, uint8_t *outputs) {
    memcpy(outputs, call->outputs, call->output_size);
    bool spoilt = fake->only_words ? call->control_in != 0x007F : call->sequence / 2 % 2;
    if (Is(call, fake->faulty) && spoilt && call->sequence >= fake->spoilt_from &&
        call->output_size > 0)
        outputs[0] ^= 1;
    call->outputs = outputs;
    if (!Is(call, fake->crashing))
        return;
    if (fake->returns_once) {
        fake->returns_once = false;
        outputs[0] ^= 1;
        call->violations = TRACE_STACK_POINTER;
        return;
    }
    memset(outputs, 0, 12);
    outputs[0] = 5; /* an access violation */
    outputs[3] = 0xC0;
    call->outcome = TRACE_CRASHED;
    call->output_size = 12;
}

static RpStatus CopyAnswers(Fake *fake, const char *from, const char *to, RpError *error) {
    TraceReader *reader;
    TraceCopy *copy;
    TraceCall call;
    uint8_t outputs[4096];
    bool found = true;
    uint32_t crashes = 0;
    RpStatus status = TraceReader_Open(from, &reader, error);
    if (status)
        return status;
    status = TraceCopy_Create(to, reader, false, &copy, error);
    while (!status && found) {
        status = TraceReader_Next(reader, &call, &found, error);
        if (status || !found)
            break;
        Spoil(fake, &call, outputs);
        if (fake->most_crashes > 0 && crashes == fake->most_crashes) {
            call.outcome = TRACE_NOT_CALLED;
            call.violations = 0;
            call.output_size = 0;
        }
        crashes += call.outcome == TRACE_CRASHED;
        if (Refuses(fake, TraceReader_Header(reader), &call)) {
            call.outcome = TRACE_UNSUPPORTED;
            call.output_size = 0;
        }
        status = TraceCopy_Call(copy, &call, error);
    }
    RpStatus closed = TraceCopy_Close(copy, error);
    TraceReader_Close(reader);
    return status ? status : closed;
}

RpStatus Fake_Ask(void *context, const char *input, const char *output, RpError *error) {
    static const Provider native = {.kind = PROVIDER_NATIVE};
    static const ProviderOptions none;
    Fake *fake = context;
    TraceReader *reader;
    char question[1500], answer[1500];
    snprintf(question, sizeof question, "%s.secret", input);
    snprintf(answer, sizeof answer, "%s.plain", output);
    RpStatus status = TraceReader_Open(input, &reader, error);
    if (status)
        return status;
    status = CopyQuestions(fake, reader, question, error);
    fake->runs++;
    fake->calls += TraceReader_CallCount(reader);
    TraceReader_Close(reader);
    if (!status)
        status = Provider_Run(fake->provider ? fake->provider : &native, question, answer,
                              fake->options ? fake->options : &none, error);
    if (!status)
        status = CopyAnswers(fake, answer, output, error);
    remove(question);
    remove(answer);
    return status;
}

static void Check(RpStatus status, const RpError *error) {
    if (!status)
        return;
    fprintf(stderr, "%s %s %s\n", error->what, error->where, error->found);
    abort();
}

static void KeepSome(const char *from, const char *to, KeepCall *keep, void *context) {
    RpError error;
    TraceReader *reader;
    TraceCopy *copy;
    TraceCall call;
    bool found = true;
    Check(TraceReader_Open(from, &reader, &error), &error);
    Check(TraceCopy_Create(to, reader, false, &copy, &error), &error);
    while (found) {
        Check(TraceReader_Next(reader, &call, &found, &error), &error);
        if (found && (!keep || keep(context, reader, &call)))
            Check(TraceCopy_Call(copy, &call, &error), &error);
    }
    Check(TraceCopy_Close(copy, &error), &error);
    TraceReader_Close(reader);
}

void Fake_Record(Fake *fake, const char *scenario, uint64_t seed, uint64_t count,
                 const char *slot_build, KeepCall *keep, void *context, const char *path) {
    RpError error;
    char calls[1500], some[1500];
    snprintf(calls, sizeof calls, "%s.calls", path);
    snprintf(some, sizeof some, "%s.some", path);
    ScenarioOptions options = {
        .seed = seed, .count = count, .force_cpu = -1, .slot_build = slot_build};
    Check(Scenario_Write(Scenario_Find(scenario), &options, calls, &error), &error);
    KeepSome(calls, some, keep, context);
    Check(Fake_Ask(fake, some, path, &error), &error);
    remove(calls);
    remove(some);
}

void Folder_Make(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s-%d", TEST_FOLDER, name, (int)getpid());
#ifdef _WIN32
    _mkdir(path);
#else
    mkdir(path, 0777);
#endif
    Cleanup_Add(path, CLEANUP_FOLDER); /* as the command does with its folder */
}

void Folder_Drop(const char *path) {
    rmdir(path);
    Cleanup_Forget(path);
}
