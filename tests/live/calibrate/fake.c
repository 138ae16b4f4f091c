#include "fake.h"

#include "exports/hypotheses.h"
#include "replay/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <direct.h>
#else
#include <sys/stat.h>
#endif

void Fake_Init(Fake *fake, const char *hypotheses) {
    memset(fake, 0, sizeof *fake);
    if (RpHypotheses_Parse(&fake->secret, hypotheses, NULL))
        abort();
}

/* The questions again, under the secret. */
static RpStatus CopyQuestions(const Fake *fake, TraceReader *reader, const char *path,
                              RpError *error) {
    TraceHeader header = *TraceReader_Header(reader);
    char secret[2048];
    TraceCopy *copy;
    TraceCall call;
    bool found = true;
    RpHypotheses_Format(&fake->secret, secret, sizeof secret);
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

static bool Refuses(const Fake *fake, const TraceHeader *header, const TraceCall *call) {
    char build[16], force_cpu[16];
    TraceHeader_Get(header, "slot-build", build, sizeof build);
    TraceHeader_Get(header, "force-cpu", force_cpu, sizeof force_cpu);
    return (fake->no_builds && build[0]) || (fake->no_sse_slots && strcmp(force_cpu, "2") == 0) ||
           (fake->missing && strcmp(call->function->key, fake->missing) == 0);
}

/* One bit of the results, under every other input: no reading explains that. */
static void Spoil(const Fake *fake, TraceCall *call, uint8_t *outputs) {
    memcpy(outputs, call->outputs, call->output_size);
    if (fake->faulty && strcmp(call->function->key, fake->faulty) == 0 && call->sequence % 2 &&
        call->output_size > 0)
        outputs[0] ^= 1;
    call->outputs = outputs;
}

static RpStatus CopyAnswers(const Fake *fake, const char *from, const char *to, RpError *error) {
    TraceReader *reader;
    TraceCopy *copy;
    TraceCall call;
    uint8_t outputs[4096];
    bool found = true;
    RpStatus status = TraceReader_Open(from, &reader, error);
    if (status)
        return status;
    status = TraceCopy_Create(to, reader, false, &copy, error);
    while (!status && found) {
        status = TraceReader_Next(reader, &call, &found, error);
        if (status || !found)
            break;
        Spoil(fake, &call, outputs);
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

void Folder_Make(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s-%d", TEST_FOLDER, name, (int)getpid());
#ifdef _WIN32
    _mkdir(path);
#else
    mkdir(path, 0777);
#endif
}

void Folder_Drop(const char *path) {
    rmdir(path);
}
