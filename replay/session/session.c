#include "replay/session/session.h"

#include "core/stop.h"
#include "replay/process/thread.h"
#include "replay/session/lane.h"
#include "tracefile/select.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 1400
/* For each job, this many results may wait for their turn to be compared, which limits the disk
 * space in use. */
#define AHEAD 6

typedef enum TaskState { TASK_WAITING, TASK_RUNNING, TASK_DONE } TaskState;

/* What one job does at a time: a stored trace, or one slice of a scenario. */
typedef struct Task {
    const SessionInput *input;
    uint64_t first, count; /* calls of the scenario's stream */
    /* the number of tasks, from this one on, with the same calls for different builds */
    size_t together;
    TaskState state;
    bool empty;   /* no call of it is selected */
    bool counted; /* the task ran in a lane, and `result` has most of its calls */
    LaneResult result;
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

static void DeleteFiles(const Session *session, const Task *task) {
    static const char *const names[] = {"calls", "a", "b"};
    char path[PATH_BYTES];
    if (session->options->keep)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        TaskPath(session, task, names[i], path);
        remove(path);
    }
}

/* ---- running one task -------------------------------------------------------------------------
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

/* Gives the trace that both providers execute. A stored trace is used as it is if it is whole and
 * all of its calls are selected. Otherwise they execute a copy with the calls that are there and
 * selected. */
static RpStatus PrepareInput(const Session *session, Task *task, char *path, RpError *error) {
    const char *stored = task->input->trace;
    TraceReader *reader;
    uint64_t calls;
    TaskPath(session, task, "calls", path);
    if (!stored) {
        const ScenarioOptions options = SliceOptions(session, task);
        return Scenario_Write(task->input->scenario, &options, path, error);
    }
    RpStatus status = TraceReader_Open(stored, &reader, error);
    if (status)
        return status;
    /* a trace without calls is treated as one that is not whole */
    const bool is_whole = TraceReader_CallCount(reader) > 0;
    TraceReader_Close(reader);
    if (is_whole && !session->options->selection) {
        snprintf(path, PATH_BYTES, "%.1300s", stored);
        return RP_OK;
    }
    status = Trim_Trace(stored, path, session->options->selection, false, false, &calls, &task->cut,
                        error);
    task->empty = status == RP_NOT_FOUND && calls == 0;
    return task->empty ? RP_OK : status;
}

static bool SaysKeyOrder(const char *text, const char *choice) {
    const char *found = strstr(text, "key-order=");
    return found && strncmp(found + strlen("key-order="), choice, strlen(choice)) == 0;
}

/* Returns the provider that plays the original. The stand-in is built for each key order, and a
 * trace's header says for which one the trace was made. */
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

static RpStatus RunSide(Session *session, Task *task, int side, const Provider *provider,
                        const char *input, RpError *error) {
    char output[PATH_BYTES];
    TaskProgress progress = {session, task, side};
    ProviderOptions options = session->options->provider;
    options.progress = OnProgress;
    options.context = &progress;
    TaskPath(session, task, side ? "b" : "a", output);
    return Provider_Run(provider, input, output, &options, error);
}

static void OnLaneProgress(void *context, uint64_t calls) {
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

/* Runs a slice of a scenario in a lane, together with the tasks that have the same calls for other
 * builds. Returns false if that is not possible, or not known to have gone well. The tasks then
 * have to run through files. */
static bool RunInLane(Session *session, Task *task, Lane *lane) {
    char traces[LANE_MOST_BUILDS][2][PATH_BYTES];
    LaneResult results[LANE_MOST_BUILDS];
    TaskProgress progress = {session, task, 0};
    ProviderOptions provider = session->options->provider;
    const ScenarioOptions calls = SliceOptions(session, task);
    const Provider *original = lane ? OriginalOfLane(session, task) : NULL;
    if (!original)
        return false;
    provider.progress = OnLaneProgress;
    provider.context = &progress;
    LaneWork work = {.sides = {original, session->options->b},
                     .scenario = task->input->scenario,
                     .calls = &calls,
                     .build_count = task->together,
                     .provider = &provider,
                     .comparison = session->comparison,
                     .folder = session->options->work_directory,
                     .sum_answers = session->options->answers != NULL};
    for (size_t i = 0; i < task->together; i++) {
        TaskPath(session, &task[i], "a", traces[i][0]);
        TaskPath(session, &task[i], "b", traces[i][1]);
        work.builds[i] = (LaneBuild){task[i].input->slot_build, {traces[i][0], traces[i][1]}};
    }
    const bool counted = Lane_Run(lane, &work, results);
    for (size_t i = 0; i < task->together && counted; i++) {
        task[i].counted = true;
        task[i].result = results[i];
    }
    return counted;
}

static RpStatus RunTask(Session *session, Task *task) {
    char input[PATH_BYTES], readings[2048];
    TraceReader *reader;
    TraceCall call;
    bool found = false;
    RpError *error = &task->error;
    RpStatus status = PrepareInput(session, task, input, error);
    if (status || task->empty)
        return status;

    /* The header says for which readings the calls were made; there may be no call. */
    status = TraceReader_Open(input, &reader, error);
    if (status)
        return status;
    TraceHeader_Get(TraceReader_Header(reader), "hypotheses", readings, sizeof readings);
    const Provider *original = Original(session, SaysKeyOrder(readings, "wxyz"));
    status = TraceReader_Next(reader, &call, &found, error);
    task->empty = !status && !found;
    TraceReader_Close(reader);
    if (status || task->empty)
        return status;
    status = RunSide(session, task, 0, original, input, error);
    return status ? status : RunSide(session, task, 1, session->options->b, input, error);
}

/* ---- comparing --------------------------------------------------------------------------------
 */

static AnswerSums *AnswersOf(const Session *session, const Task *task) {
    const SessionOptions *options = session->options;
    return options->answers ? &options->answers[task->input - options->inputs] : NULL;
}

static RpStatus CompareTraces(const Session *session, const Task *task, Comparison *comparison,
                              RpError *error) {
    char path_a[PATH_BYTES], path_b[PATH_BYTES];
    TraceReader *a = NULL, *b = NULL;
    TaskPath(session, task, "a", path_a);
    TaskPath(session, task, "b", path_b);
    RpStatus status = TraceReader_Open(path_a, &a, error);
    if (!status)
        status = TraceReader_Open(path_b, &b, error);
    if (!status)
        status = Comparison_Add(comparison, a, b, TaskName(task), error);
    if (!status && AnswersOf(session, task)) {
        TraceReader_Rewind(a);
        status = AnswerSums_Trace(AnswersOf(session, task), a, error);
    }
    TraceReader_Close(a);
    TraceReader_Close(b);
    return status;
}

static RpStatus CompareTask(const Session *session, Task *task, Comparison *comparison,
                            RpError *error) {
    LaneResult *result = &task->result;
    Comparison_BeginSlice(comparison, task->first, task->input->trace ? 0 : task->count);
    if (!task->counted)
        return CompareTraces(session, task, comparison, error);
    if (result->answers.rows)
        AnswerSums_Merge(AnswersOf(session, task), &result->answers);
    RpStatus status = Comparison_AddCounted(comparison, &result->headers[0], &result->headers[1],
                                            &result->counted, TaskName(task), error);
    if (!status && result->written > 0)
        status = CompareTraces(session, task, comparison, error);
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
        const bool done = RunInLane(session, task, lane);
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

/* Compares the results in the order of the tasks, whichever job finishes first. */
static RpStatus CompareInOrder(Session *session, Comparison *comparison, RpError *error) {
    const SessionOptions *options = session->options;
    bool stop = false;
    RpStatus status = RP_OK;
    if (options->shared)
        *options->shared = 0;
    for (size_t i = 0; i < session->task_count && !stop; i++) {
        Task *task = &session->tasks[i];
        Mutex_Lock(&session->mutex);
        while (task->state != TASK_DONE)
            Condition_Wait(&session->changed, &session->mutex);
        Mutex_Unlock(&session->mutex);

        status = task->status;
        if (status && error)
            *error = task->error;
        if (!status && !task->empty)
            status = CompareTask(session, task, comparison, error);
        /* the calls that the trace had were compared, but they are not all of them */
        if (!status && task->cut.status) {
            status = task->cut.status;
            if (error)
                *error = task->cut;
        }

        DeleteFiles(session, task);
        if (options->shared && task->counted)
            *options->shared += task->count;
        LaneResult_Free(&task->result);
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

static RpStatus RunJobs(Session *session, Comparison *comparison, RpError *error) {
    unsigned jobs = session->options->jobs ? session->options->jobs : 1, started = 0;
    Thread *threads = calloc(jobs, sizeof *threads);
    while (threads && started < jobs && Thread_Start(&threads[started], RunJob, session))
        started++;
    RpStatus status = started > 0 ? CompareInOrder(session, comparison, error)
                                  : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                                                "cannot start a job", "", "", "");
    for (unsigned i = 0; i < started; i++)
        Thread_Join(threads[i]);
    free(threads);
    /* deletes the results that were ahead of the comparison */
    for (size_t i = 0; i < session->next; i++)
        DeleteFiles(session, &session->tasks[i]);
    for (size_t i = 0; i < session->next; i++)
        LaneResult_Free(&session->tasks[i].result);
    return status;
}

/* ---- tasks ------------------------------------------------------------------------------------
 */

static uint64_t StoredCalls(const char *path) {
    TraceReader *reader;
    uint64_t calls = 0;
    if (TraceReader_Open(path, &reader, NULL) == RP_OK) {
        calls = TraceReader_CallCount(reader);
        TraceReader_Close(reader);
    }
    return calls;
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
        const uint64_t calls = StoredCalls(inputs->trace);
        return !IsOurs(session, calls) || AddTask(session, inputs, 0, calls);
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

    /* The calls of our shard. A task that begins after all calls, such as a trace that cannot be
     * read, belongs to the last shard. */
    if (shard.of > 1) {
        uint64_t calls = 0;
        for (size_t i = 0; i < options->input_count; i++)
            calls += inputs[i].trace ? StoredCalls(inputs[i].trace) : inputs[i].count;
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
        status = RunJobs(&session, comparison, error);
        Condition_Destroy(&session.changed);
        Mutex_Destroy(&session.mutex);
    }
    free(session.tasks);
    return status;
}
