#include "replay/session/session.h"

#include "core/stop.h"
#include "replay/process/thread.h"
#include "replay/provider/answerer.h"
#include "replay/session/lane.h"
#include "tracefile/select.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 1400
/* For each job, this many results may wait for their turn to be added, which limits the memory in
 * use. */
#define AHEAD        6
#define REPORT_CALLS 0x4000u /* the progress is told so often */

typedef enum TaskState { TASK_WAITING, TASK_RUNNING, TASK_DONE } TaskState;

/* What one job does at a time: a stored trace, or one slice of a scenario. */
typedef struct Task {
    const SessionInput *input;
    uint64_t first, count; /* calls of the scenario's stream */
    /* the number of tasks, from this one on, with the same calls for different builds */
    size_t together;
    TaskState state;
    bool empty;     /* no call of it is selected */
    bool in_memory; /* its calls were in no file */
    /* What was found out about its calls; null if nothing of it counts. */
    Comparison *part;
    AnswerSums answers; /* of the provider that plays the original, if they were asked for */
    uint64_t progress[2];
    RpStatus status;
    RpError error;
    /* if the trace ends early, what the reader says about the place where it ends; otherwise
     * RP_OK */
    RpError cut;
} Task;

typedef struct Session {
    const SessionOptions *options;
    Task *tasks;
    size_t task_count, next, compared;
    TraceReader **readers; /* by input: the traces that are open, and that no job has taken yet */
    const Comparison *comparison; /* read only for what never changes in it */
    unsigned lanes;
    bool stop;
    uint64_t at; /* the number of calls before the trace or slice that is being added */
    /* a trace or slice belongs to our shard if it begins at `begin` or later, and before `end` */
    uint64_t begin, end;
    Mutex mutex;
    Condition changed;
    uint64_t total;
} Session;

typedef struct TaskProgress {
    Session *session;
    Task *task;
    int side;
} TaskProgress;

/* ---- paths ------------------------------------------------------------------------------------
 */

static void TaskPath(const Session *session, const Task *task, const char *what, char *path) {
    snprintf(path, PATH_BYTES, "%.1300s/%06u-%s.trace", session->options->work_directory,
             (unsigned)(task - session->tasks), what);
}

static const char *TaskName(const Task *task) {
    const SessionInput *input = task->input;
    return input->name[0] ? input->name : input->trace ? input->trace : input->scenario->name;
}

/* ---- what a task needs ------------------------------------------------------------------------
 */

static ScenarioOptions SliceOptions(const Session *session, const Task *task) {
    const SessionInput *input = task->input;
    return (ScenarioOptions){.seed = input->seed,
                             .first = task->first,
                             .count = task->count,
                             .force_cpu = input->force_cpu,
                             .slot_build = input->slot_build,
                             .readings = input->readings,
                             .selection = session->options->selection};
}

static void DropResults(Task *task) {
    Comparison_Destroy(task->part);
    AnswerSums_Free(&task->answers);
    task->part = NULL;
}

static RpStatus BeginResults(const Session *session, Task *task, RpError *error) {
    task->part = Comparison_CreatePart(session->comparison);
    if (!task->part || (session->options->answers && !AnswerSums_Init(&task->answers))) {
        DropResults(task);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a comparison",
                           TaskName(task), "", "");
    }
    Comparison_BeginSlice(task->part, task->first, task->input->trace ? 0 : task->count);
    return RP_OK;
}

static bool SaysKeyOrder(const char *text, const char *choice) {
    const char *found = strstr(text, "key-order=");
    return found && strncmp(found + strlen("key-order="), choice, strlen(choice)) == 0;
}

/* Returns the provider that plays the original. The stand-in is built for each key order, and a
 * trace's header says for which one the trace was made, even if it has no call. */
static const Provider *Original(const Session *session, bool wxyz) {
    return wxyz && session->options->a_wxyz ? session->options->a_wxyz : session->options->a;
}

static void ReportProgress(Session *session) {
    uint64_t calls = 0;
    if (!session->options->progress)
        return;
    for (size_t i = 0; i < session->task_count; i++)
        calls += session->tasks[i].progress[0] + session->tasks[i].progress[1];
    session->options->progress(session->options->context, calls / 2, session->total);
}

static void OnProgress(void *context, uint64_t calls) {
    TaskProgress *progress = context;
    Mutex_Lock(&progress->session->mutex);
    progress->task->progress[progress->side] = calls;
    ReportProgress(progress->session);
    Mutex_Unlock(&progress->session->mutex);
}

/* Tells how many calls both sides have answered, of all tasks that have the same calls. */
static void OnBothSides(void *context, uint64_t calls) {
    TaskProgress *progress = context;
    const size_t count = progress->task->together;
    Mutex_Lock(&progress->session->mutex);
    for (Task *task = progress->task; task < progress->task + count; task++)
        task->progress[0] = task->progress[1] = calls / count;
    ReportProgress(progress->session);
    Mutex_Unlock(&progress->session->mutex);
}

/* Returns the provider that plays the original if this task can run in a lane, and otherwise
 * null. */
static const Provider *OriginalOfLane(const Session *session, const Task *task) {
    const SessionOptions *options = session->options;
    const SessionInput *input = task->input;
    if (input->trace || options->keep || options->through_files)
        return NULL;
    const Provider *original =
        Original(session, input->readings && SaysKeyOrder(input->readings, "wxyz"));
    return Lane_Has(original, options->b) ? original : NULL;
}

/* ---- a task in memory ------------------------------------------------------------------------
 */

/* Has two providers of this process answer the calls one by one, and compares their answers. A
 * trace that was cut off, or of which only some calls are selected, counts with the calls that are
 * there. */
static RpStatus RunInMemory(Session *session, Task *task, const Provider *const providers[2],
                            TraceReader *calls, RpError *error) {
    const SessionOptions *options = session->options;
    const bool may_be_cut = options->selection || TraceReader_CallCount(calls) == 0;
    TaskProgress progress = {session, task, 0};
    Answerer *sides[2] = {NULL, NULL};
    Comparing *comparing = NULL;
    uint64_t answered = 0;
    bool found = true;
    RpStatus status = RP_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = Answerer_Open(providers[i], TraceReader_Header(calls), calls, &options->provider,
                               &sides[i], error);
    if (!status)
        status = Comparison_Begin(task->part, Answerer_Header(sides[0]), Answerer_Header(sides[1]),
                                  calls, TaskName(task), &comparing, error);
    while (!status) {
        TraceCall call, answers[2];
        status = TraceReader_Next(calls, &call, &found, error);
        if (status || !found)
            break;
        if (!Selection_HasCall(options->selection, call.function, call.sequence))
            continue;
        for (int i = 0; i < 2 && !status; i++)
            status = Answerer_Call(sides[i], &call, &answers[i], error);
        if (!status)
            status = Comparing_Call(comparing, &answers[0], &answers[1], error);
        if (!status && task->answers.rows)
            AnswerSums_Call(&task->answers, &answers[0]);
        if (++answered % REPORT_CALLS == 0)
            OnBothSides(&progress, answered);
    }
    if (status == RP_TRUNCATED && may_be_cut && answered > 0) {
        task->cut = *error;
        status = RP_OK;
    }
    task->empty = !status && answered == 0;
    task->in_memory = !status;
    Comparing_End(comparing);
    Answerer_Close(sides[0]);
    Answerer_Close(sides[1]);
    if (status)
        DropResults(task);
    return status;
}

/* ---- a task through files --------------------------------------------------------------------
 */

/* Gives the trace that both providers execute. A stored trace is used as it is if it is whole and
 * all of its calls are selected. Otherwise they execute a copy with the calls that are there and
 * selected. */
static RpStatus PrepareInput(const Session *session, Task *task, TraceReader *calls, char *path,
                             RpError *error) {
    const char *stored = task->input->trace;
    uint64_t count;
    TaskPath(session, task, "calls", path);
    if (!stored) {
        const ScenarioOptions options = SliceOptions(session, task);
        return Scenario_Write(task->input->scenario, &options, path, error);
    }
    /* a trace without calls is treated as one that is not whole */
    if (TraceReader_CallCount(calls) > 0 && !session->options->selection) {
        TraceCall call;
        bool found;
        snprintf(path, PATH_BYTES, "%.1300s", stored);
        const RpStatus status = TraceReader_Next(calls, &call, &found, error);
        task->empty = !status && !found;
        return status;
    }
    const RpStatus status = Trim_Calls(calls, path, session->options->selection, false, false,
                                       &count, &task->cut, error);
    task->empty = status == RP_NOT_FOUND && count == 0;
    return task->empty ? RP_OK : status;
}

/* Opens a reader of one side's answers. A host writes them into a file. A side of this process
 * gives them when they are read, unless they are wanted as a file, or have to be read twice for
 * their sums. */
static RpStatus OpenAnswers(Session *session, Task *task, int side, const Provider *provider,
                            const char *input, TraceReader **answers, RpError *error) {
    const SessionOptions *options = session->options;
    const bool in_file = options->keep || options->through_files || !Answerer_Has(provider) ||
                         (side == 0 && task->answers.rows);
    char output[PATH_BYTES];
    TaskProgress progress = {session, task, side};
    ProviderOptions run = options->provider;
    if (!in_file)
        return Answerer_Read(provider, input, &options->provider, answers, error);
    run.progress = OnProgress;
    run.context = &progress;
    TaskPath(session, task, side ? "b" : "a", output);
    const RpStatus status = Provider_Run(provider, input, output, &run, error);
    return status ? status : TraceReader_Open(output, answers, error);
}

static RpStatus RunThroughFiles(Session *session, Task *task, const Provider *const providers[2],
                                TraceReader *calls, RpError *error) {
    char input[PATH_BYTES];
    TraceReader *answers[2] = {NULL, NULL};
    RpStatus status = PrepareInput(session, task, calls, input, error);
    for (int i = 0; i < 2 && !status && !task->empty; i++)
        status = OpenAnswers(session, task, i, providers[i], input, &answers[i], error);
    if (status) {
        DropResults(task);
    } else if (!task->empty) {
        /* What was compared before an error counts, unless a side of this process could not answer.
         * Whether that is so, its reader says again. */
        status = Comparison_Add(task->part, answers[0], answers[1], TaskName(task), error);
        for (int i = 0; i < 2 && status; i++) {
            TraceCall call;
            bool found;
            if (Answerer_Has(providers[i]) && TraceReader_Next(answers[i], &call, &found, NULL))
                DropResults(task);
        }
        if (!status && task->answers.rows) {
            TraceReader_Rewind(answers[0]);
            status = AnswerSums_Trace(&task->answers, answers[0], error);
        }
    }
    TraceReader_Close(answers[0]);
    TraceReader_Close(answers[1]);
    static const char *const files[] = {"calls", "a", "b"};
    for (size_t i = 0; i < sizeof files / sizeof *files && !session->options->keep; i++) {
        char path[PATH_BYTES];
        TaskPath(session, task, files[i], path);
        remove(path);
    }
    return status;
}

static RpStatus RunTask(Session *session, Task *task) {
    const SessionOptions *options = session->options;
    char readings[2048];
    TraceReader *calls = NULL;
    RpError *error = &task->error;
    const SessionInput *input = task->input;
    RpStatus status = RP_OK;
    if (input->scenario) {
        const ScenarioOptions slice = SliceOptions(session, task);
        status = Scenario_Open(input->scenario, &slice, &calls, error);
    } else {
        TraceReader **opened = &session->readers[input - options->inputs];
        calls = *opened;
        *opened = NULL;
        status = calls ? RP_OK : TraceReader_Open(input->trace, &calls, error);
    }
    if (!status)
        status = BeginResults(session, task, error);
    if (!status) {
        TraceHeader_Get(TraceReader_Header(calls), "hypotheses", readings, sizeof readings);
        const Provider *const providers[2] = {Original(session, SaysKeyOrder(readings, "wxyz")),
                                              options->b};
        const bool in_memory = Answerer_Has(providers[0]) && Answerer_Has(providers[1]) &&
                               !options->keep && !options->through_files;
        status =
            (in_memory ? RunInMemory : RunThroughFiles)(session, task, providers, calls, error);
    }
    if (task->empty)
        DropResults(task);
    TraceReader_Close(calls);
    return status;
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

/* Takes the next task, together with those that have the same calls. Returns null if no task is
 * left. Waits while too many results are ahead of the comparison. */
static Task *TakeTask(Session *session) {
    unsigned jobs = session->options->jobs ? session->options->jobs : 1;
    Task *task = NULL;
    Mutex_Lock(&session->mutex);
    while (!session->stop && session->next < session->task_count &&
           session->next >= session->compared + (size_t)jobs * AHEAD)
        Condition_Wait(&session->changed, &session->mutex);
    if (!session->stop && session->next < session->task_count) {
        task = &session->tasks[session->next];
        session->next += task->together;
        for (size_t i = 0; i < task->together; i++)
            task[i].state = TASK_RUNNING;
    }
    Mutex_Unlock(&session->mutex);
    return task;
}

static void RunJob(void *context) {
    Session *session = context;
    Task *task;
    Mutex_Lock(&session->mutex);
    const unsigned number = session->lanes++;
    Mutex_Unlock(&session->mutex);
    Lane *lane = Lane_Create(number);
    while ((task = TakeTask(session))) {
        /* A slice of a scenario runs in a lane, together with the tasks that have the same calls
         * for other builds. If that is not possible, or not known to have gone well, the tasks have
         * to run through files. */
        const size_t count = task->together;
        const ScenarioOptions calls = SliceOptions(session, task);
        const Provider *original = lane ? OriginalOfLane(session, task) : NULL;
        TaskProgress progress = {session, task, 0};
        ProviderOptions provider = session->options->provider;
        bool done = original != NULL;
        provider.progress = OnBothSides;
        provider.context = &progress;
        LaneWork work = {.sides = {original, session->options->b},
                         .scenario = task->input->scenario,
                         .calls = &calls,
                         .build_count = count,
                         .provider = &provider,
                         .folder = session->options->work_directory};
        for (size_t i = 0; i < count && done; i++) {
            done = BeginResults(session, &task[i], &task[i].error) == RP_OK;
            work.builds[i] = (LaneBuild){.slot_build = task[i].input->slot_build,
                                         .name = TaskName(&task[i]),
                                         .part = task[i].part,
                                         .answers = task[i].answers.rows ? &task[i].answers : NULL};
        }
        done = done && Lane_Run(lane, &work);
        for (size_t i = 0; i < count; i++) {
            task[i].in_memory = done;
            if (!done)
                DropResults(&task[i]);
        }

        for (Task *end = task + task->together; task < end; task++) {
            const RpStatus status = done ? RP_OK : RunTask(session, task);
            Mutex_Lock(&session->mutex);
            task->status = status;
            task->state = TASK_DONE;
            /* if there is a selection, nobody knows how many calls the task has */
            if (!session->options->selection)
                task->progress[0] = task->progress[1] = task->count;
            ReportProgress(session);
            Condition_WakeAll(&session->changed);
            Mutex_Unlock(&session->mutex);
        }
    }
    Lane_Destroy(lane);
}

/* Merges the results in the order of the tasks, whichever job finishes first. */
static RpStatus MergeInOrder(Session *session, Comparison *comparison, RpError *error) {
    const SessionOptions *options = session->options;
    bool stop = false;
    RpStatus status = RP_OK;
    if (options->in_memory)
        *options->in_memory = 0;
    for (size_t i = 0; i < session->task_count && !stop; i++) {
        Task *task = &session->tasks[i];
        Mutex_Lock(&session->mutex);
        while (task->state != TASK_DONE)
            Condition_Wait(&session->changed, &session->mutex);
        Mutex_Unlock(&session->mutex);

        /* What the task has found out is added to what earlier tasks have. */
        status = task->part ? Comparison_Merge(comparison, task->part, error) : RP_OK;
        if (task->answers.rows)
            AnswerSums_Merge(&options->answers[task->input - options->inputs], &task->answers);
        if (options->in_memory && task->in_memory)
            *options->in_memory += task->count;
        DropResults(task);

        /* An error that ended the task comes first. The calls that a trace had before its end
         * count, but they are not all of them. */
        const RpError *ended = task->status ? &task->error : task->cut.status ? &task->cut : NULL;
        if (ended && (task->status || !status)) {
            status = ended->status;
            if (error)
                *error = *ended;
        }

        CompareTotals totals;
        Comparison_Totals(comparison, &totals);
        stop = status || Stop_Asked() || (options->fail_fast && totals.counts.different > 0);
        Mutex_Lock(&session->mutex);
        session->compared++;
        session->stop |= stop;
        Condition_WakeAll(&session->changed);
        Mutex_Unlock(&session->mutex);
    }
    /* Everything that was compared before a signal counts. The task that the signal interrupted
     * does not count. */
    return Stop_Asked() ? RP_OK : status;
}

/* ---- tasks ------------------------------------------------------------------------------------
 */

/* Opens a stored trace unless it is open, and returns the number of its calls. A trace that cannot
 * be opened is tried again when its turn has come, and then the error counts. */
static uint64_t StoredCalls(Session *session, const SessionInput *input) {
    TraceReader **reader = &session->readers[input - session->options->inputs];
    return *reader || TraceReader_Open(input->trace, reader, NULL) == RP_OK
               ? TraceReader_CallCount(*reader)
               : 0;
}

static void CloseTrace(Session *session, size_t input) {
    TraceReader_Close(session->readers[input]);
    session->readers[input] = NULL;
}

/* Returns whether the next trace or slice, which has this number of calls, belongs to our shard.
 * Only the inputs decide this, so that all shards agree. */
static bool IsOurs(Session *session, uint64_t calls) {
    const uint64_t at = session->at;
    session->at += calls;
    return at >= session->begin && at < session->end;
}

static bool AddTask(Session *session, const SessionInput *input, uint64_t first, uint64_t count) {
    Task *tasks = realloc(session->tasks, (session->task_count + 1) * sizeof *tasks);
    if (!tasks)
        return false;
    session->tasks = tasks;
    Task *task = &tasks[session->task_count++];
    memset(task, 0, sizeof *task);
    task->input = input;
    task->first = first;
    task->count = count;
    task->together = 1;
    session->total += count;
    return true;
}

/* Adds the tasks of inputs that have the same calls, slice by slice. */
static bool AddTasks(Session *session, const SessionInput *inputs, size_t together) {
    uint64_t slice =
        session->options->slice_calls ? session->options->slice_calls : SESSION_SLICE_CALLS;
    if (inputs->trace) {
        const uint64_t calls = StoredCalls(session, inputs);
        if (IsOurs(session, calls))
            return AddTask(session, inputs, 0, calls);
        CloseTrace(session, (size_t)(inputs - session->options->inputs));
        return true;
    }
    for (uint64_t done = 0; done < inputs->count; done += slice) {
        const uint64_t left = inputs->count - done, calls = left < slice ? left : slice;
        if (!IsOurs(session, calls * together))
            continue;
        for (size_t i = 0; i < together; i++)
            if (!AddTask(session, &inputs[i], inputs[i].first + done, calls))
                return false;
        Task *head = &session->tasks[session->task_count - together];
        if (OriginalOfLane(session, head))
            head->together = together;
    }
    return true;
}

bool SessionInput_OnMachine(SessionInput *input, const char *machine) {
    static const char *const builds[] = {"generic", "fxch", "sse"};
    snprintf(input->name, sizeof input->name, "%s@%s", input->scenario->name, machine);
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
        if (strcmp(machine, builds[i]) == 0) {
            input->slot_build = builds[i];
            return true;
        }
    char *end;
    if (strncmp(machine, "cpu", 3) != 0 || machine[3] < '0' || machine[3] > '9')
        return false;
    input->force_cpu = (int)strtol(machine + 3, &end, 10);
    return !*end;
}

/* Returns whether two inputs are the same calls, even if they are for different builds of the
 * slots. */
static bool AreSameCalls(const SessionInput *a, const SessionInput *b) {
    return a->scenario && a->scenario == b->scenario && a->seed == b->seed &&
           a->first == b->first && a->count == b->count && a->force_cpu == b->force_cpu &&
           strcmp(a->readings ? a->readings : "", b->readings ? b->readings : "") == 0;
}

RpStatus Session_Run(const SessionOptions *options, Comparison *comparison, RpError *error) {
    Session session = {.options = options, .comparison = comparison, .end = UINT64_MAX};
    const SessionInput *inputs = options->inputs;
    const Shard shard = options->shard;
    RpStatus status = RP_OK;
    session.readers = calloc(options->input_count + 1, sizeof *session.readers);
    if (!session.readers)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the tasks", "", "", "");
    for (size_t i = 0; i < options->input_count && options->readers; i++) {
        session.readers[i] = options->readers[i];
        options->readers[i] = NULL;
    }

    /* The calls of our shard. A task that begins after all calls, such as a trace that cannot be
     * read, belongs to the last shard. */
    if (shard.of > 1) {
        uint64_t calls = 0;
        for (size_t i = 0; i < options->input_count; i++)
            calls += inputs[i].trace ? StoredCalls(&session, &inputs[i]) : inputs[i].count;
        session.begin = Shard_Edge(calls, shard.number - 1, shard.of);
        if (shard.number < shard.of)
            session.end = Shard_Edge(calls, shard.number, shard.of);
    }

    /* Inputs with the same calls have their tasks side by side, so that a lane takes them
     * together. */
    for (size_t i = 0, together; i < options->input_count && !status; i += together) {
        together = 1;
        while (i + together < options->input_count && together < LANE_MOST_BUILDS &&
               AreSameCalls(&inputs[i], &inputs[i + together]))
            together++;
        if (!AddTasks(&session, &inputs[i], together))
            status =
                RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the tasks", "", "", "");
    }

    if (!status) {
        Mutex_Init(&session.mutex);
        Condition_Init(&session.changed);
        const unsigned jobs = options->jobs ? options->jobs : 1;
        unsigned started = 0;
        Thread *threads = calloc(jobs, sizeof *threads);
        while (threads && started < jobs && Thread_Start(&threads[started], RunJob, &session))
            started++;
        status = started > 0 ? MergeInOrder(&session, comparison, error)
                             : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "cannot start a job",
                                           "", "", "");
        for (unsigned i = 0; i < started; i++)
            Thread_Join(threads[i]);
        free(threads);
        for (size_t i = 0; i < session.next; i++) /* results that waited for their turn */
            DropResults(&session.tasks[i]);
        Condition_Destroy(&session.changed);
        Mutex_Destroy(&session.mutex);
    }
    for (size_t i = 0; i < options->input_count; i++)
        CloseTrace(&session, i);
    free(session.readers);
    free(session.tasks);
    return status;
}
