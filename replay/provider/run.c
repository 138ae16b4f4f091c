/* Runs a trace in a host process, and starts another one after a call that ended the process.
 *
 * A run that ends well leaves a whole trace, which is the result. When the host ends inside of a
 * call, its output has the calls up to the last chunk that it wrote. These are kept; the calls
 * between them and the fatal one are run again; the fatal call gets its outcome; and the next
 * run starts after it. */
#include "core/files/output.h"
#include "core/stop.h"
#include "replay/provider/answerer.h"
#include "replay/provider/hosting.h"
#include "tracefile/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_ATTEMPTS 3
#define POLL_MS        20u
#define REPORT_SECONDS 0.25

typedef struct Run {
    const ProviderOptions *options;
    Hosting hosting;
    const char *source_path, *output; /* the names under which this process knows them */
    uint64_t finished;                /* the number of calls in `merged` */
    /* this and the next two are needed only after a call has ended a process */
    TraceReader *source;
    TraceWriter *merged;
    uint32_t memories; /* the number copied from source to merged */
} Run;

/* How one host process ended. */
typedef struct Ending {
    bool complete;
    TraceOutcome outcome; /* the outcome of the call during which it ended */
    uint64_t sequence;
    uint32_t finished; /* the number of calls before that call */
    uint32_t exit_code;
} Ending;

/* ---- one host process -------------------------------------------------------------------------
 */

/* How a host process came to its end. */
typedef struct HostEnd {
    HostProgress progress;
    uint32_t exit_code;
    bool killed; /* this process killed it */
} HostEnd;

/* A Wine server that is ending may refuse a program before it begins. Another try is worth it
 * then. */
static RpStatus RunOptions(const Run *run, const HostOption *options, size_t option_count,
                           HostEnd *end, RpError *error) {
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
        Process process;
        ProcessPipes pipes = {.answers = false};
        FILE *file;
        *end = (HostEnd){0};
        RpStatus status = Hosting_OpenProgress(&run->hosting, &file, error);
        if (status)
            return status;
        status = Hosting_Start(&run->hosting, options, option_count, &pipes, &process, error);
        if (!status) {
            /* A call that was found stuck may return before the host is dead, and the host may
             * begin another call, which is not to blame. So if this process ends the host, the
             * progress is the one with the stuck call, unless the host came to an end of its own.
             */
            HostWatch watch;
            double reported = Hosting_Now();
            HostWatch_Begin(&watch);
            while (!Process_Wait(&process, POLL_MS, &end->exit_code)) {
                if (end->killed)
                    continue;
                Hosting_ReadProgress(file, &end->progress);
                if (run->options->progress && Hosting_Now() - reported >= REPORT_SECONDS) {
                    run->options->progress(run->options->context,
                                           run->finished + end->progress.finished);
                    reported = Hosting_Now();
                }
                if (Stop_Asked() || HostWatch_IsStuck(&watch, &end->progress, run->options)) {
                    Process_Kill(&process);
                    /* a host notices this even if it is not that very process */
                    Process_ClosePipes(&pipes);
                    end->killed = true;
                }
            }
            HostProgress last = end->progress;
            Hosting_ReadProgress(file, &last);
            if (!end->killed || last.state == HOST_FINISHED || last.state == HOST_FAILED)
                end->progress = last;
            Process_ClosePipes(&pipes);
        }
        fclose(file);
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
    const HostOption options[] = {{"--input", run->hosting.input},
                                  {"--output", HOSTING_OUTPUT},
                                  {"--first", first_text},
                                  {"--last", last_text},
                                  {"--overlay", run->hosting.overlay},
                                  {"--trust", run->options->trust ? "yes" : ""}};
    HostEnd end;
    RpStatus status = RunOptions(run, options, sizeof options / sizeof *options, &end, error);
    if (status)
        return status;
    *ending =
        (Ending){.complete = end.progress.state == HOST_FINISHED,
                 .outcome = end.killed || end.progress.state == HOST_TIMED_OUT ? TRACE_TIMED_OUT
                                                                               : TRACE_EXITED,
                 .sequence = end.progress.sequence,
                 .finished = end.progress.finished,
                 .exit_code = end.exit_code};
    if (end.progress.state != HOST_FINISHED && end.progress.state != HOST_CALLING &&
        end.progress.state != HOST_TIMED_OUT) {
        /* The host broke outside of a call. */
        const HostProgress *progress = &end.progress;
        char found[160], words[120];
        if (progress->state == HOST_FAILED) {
            const bool known = progress->status > RP_OK && progress->status <= RP_CRASHED;
            return RpError_Set(error, known ? (RpStatus)progress->status : RP_CRASHED,
                               progress->offset, progress->what, progress->where,
                               progress->expected, progress->found);
        }

        /* The last line that the host or Wine printed. */
        char path[HOSTING_PATH_BYTES + 32], line[100];
        Hosting_File(&run->hosting, HOSTING_LOG, path, sizeof path);
        FILE *file = fopen(path, "r");
        words[0] = 0;
        while (file && fgets(line, sizeof line, file)) {
            line[strcspn(line, "\r\n")] = 0;
            if (line[0])
                snprintf(words, sizeof words, "%s", line);
        }
        if (file)
            fclose(file);
        snprintf(found, sizeof found, "%s, exit code %u%s%s", end.killed ? "it hung" : "it ended",
                 end.exit_code, words[0] ? ": " : "", words);
        return RpError_Set(error, RP_CRASHED, RP_NOWHERE,
                           "the host process broke outside of a call", run->hosting.host,
                           "a run to the end", found);
    }

    /* Is this progress possible for a host that was to run these calls? Their sequence numbers
     * rise. */
    if (!ending->complete && (ending->sequence < first || ending->sequence > last ||
                              ending->finished > ending->sequence - first))
        return RpError_Set(error, RP_CRASHED, RP_NOWHERE, "the host ended in a call it cannot have",
                           run->hosting.host, "a call that it was given", "");
    return RP_OK;
}

/* ---- putting runs together ---------------------------------------------------------------------
 */

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
                                 run->hosting.input, "a call of the input", "");
    } while (!status && call->sequence < sequence);
    return status;
}

/* Appends what a host wrote, whole or truncated. `next` is the sequence number after its last
 * call. */
static RpStatus Absorb(Run *run, uint32_t *count, uint64_t *next, RpError *error) {
    char path[HOSTING_PATH_BYTES + 32];
    TraceReader *segment;
    TraceCall call, input;
    bool found = true;
    *count = 0;
    Hosting_File(&run->hosting, HOSTING_OUTPUT, path, sizeof path);
    RpStatus status = TraceReader_Open(path, &segment, error);
    if (status)
        return status;
    if (!run->merged) {
        status = TraceReader_Open(run->source_path, &run->source, error);
        if (!status)
            status = TraceWriter_Create(run->output, TraceReader_Header(segment), false,
                                        &run->merged, error);
    }
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
    TraceCall_EndWithout(call, outcome, outputs, output_size);
    run->finished++;
    return TraceWriter_Call(run->merged, call, error);
}

/* Runs the calls [first, UINT64_MAX] in as many processes as needed. Each pass either settles a
 * call, keeps one, or lowers the limit, so this ends. */
static RpStatus RunToEnd(Run *run, RpError *error) {
    uint64_t first = 0;
    /* if it is not complete, it is about the call after the range of this pass */
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
        if (ending.complete && pending.complete && !run->merged) {
            char path[HOSTING_PATH_BYTES + 32];
            Hosting_File(&run->hosting, HOSTING_OUTPUT, path, sizeof path);
            return Output_Move(path, run->output, error);
        }
        status = Absorb(run, &kept, &first, error);
        if (status)
            return status;
        if (ending.complete && pending.complete)
            return RP_OK;
        if (!ending.complete && kept > ending.finished)
            continue; /* the call that was stuck has returned, and was written, before the end */
        if (!ending.complete)
            pending = ending;
        if (!ending.complete && kept < ending.finished)
            continue; /* the calls between the last chunk and the end are run again */

        TraceCall call;
        uint8_t exit_code[4];
        status = AdvanceTo(run, pending.sequence, &call, error);
        if (status)
            return status;
        Bytes_PutU32(exit_code, pending.exit_code);
        status = AppendWithout(run, &call, pending.outcome, exit_code,
                               pending.outcome == TRACE_EXITED ? sizeof exit_code : 0, error);
        if (status)
            return status;
        first = pending.sequence + 1;
        pending = (Ending){.complete = true};
        if (++endings == most)
            break;
    }

    /* Too many calls have ended the process, so the rest of the input is not called. */
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

RpStatus Provider_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error) {
    static const ProviderOptions defaults;
    if (!options)
        options = &defaults;
    if (Answerer_Has(provider))
        return Answerer_Run(provider, input, output, options, error);
    Run *run = calloc(1, sizeof *run);
    if (!run)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a run", "", "", "");
    run->options = options;
    run->source_path = input;
    run->output = output;
    RpStatus status = Hosting_Open(provider, options, input, output, &run->hosting, error);
    if (!status)
        status = RunToEnd(run, error);
    if (status)
        TraceWriter_Abandon(run->merged);
    else
        status = TraceWriter_Close(run->merged, error);
    TraceReader_Close(run->source);
    Hosting_Close(&run->hosting);
    free(run);
    return status;
}
