/* Observes one call: records it, or runs the other side on copies and compares. */
#include "dll/observe/image.h"
#include "dll/observe/observe.h"
#include "dll/observe/observe_state.h"
#include "dll/observe/workspace.h"
#include "tracefile/format.h"

enum { MEASURE_EVERY = 64, TAGS_AT = 8, CONTROL_AT = 0, STATUS_AT = 4 };

/* ---- runs on copies -------------------------------------------------------------------------- */

typedef struct CopyRun {
    const LiveTarget *target;
    const Signature *signature;
    const uint32_t *arguments;
    LiveFpu start, end;
    LiveResult result;
    PlatformFault fault;
} CopyRun;

static void InvokeOnCopies(void *context) {
    CopyRun *run = context;
    Live_RestoreFpu(&run->start);
    Live_Invoke(run->target, run->signature, run->arguments, &run->result);
    Live_SaveFpu(&run->end);
}

/* Returns false if the function crashes. The thread's state is restored in any case. */
static bool RunOnCopies(const ObservedCall *call, const LiveTarget *target,
                        const Marshalled *marshalled, CopyRun *run) {
    LiveFpu own;
    run->target = target;
    run->signature = call->signature;
    run->arguments = marshalled->copied;
    memset(&run->result, 0, sizeof run->result);

    /* A function begins with the state of the caller, but with an empty x87 stack, which every
     * convention requires. */
    memset(&run->start, 0, sizeof run->start);
    Bytes_PutU32(run->start.x87 + CONTROL_AT, 0xFFFF0000u | call->control_in);
    Bytes_PutU32(run->start.x87 + STATUS_AT, 0xFFFF0000u);
    Bytes_PutU32(run->start.x87 + TAGS_AT, 0xFFFFFFFFu);
    run->start.mxcsr = call->mxcsr_in;

    Live_SaveFpu(&own);
    __atomic_fetch_add(&observe.inside, 1, __ATOMIC_ACQ_REL);
    Platform_SetInside(true);
    bool fine = Platform_RunGuarded(InvokeOnCopies, run, &run->fault);
    Platform_SetInside(false);
    __atomic_fetch_sub(&observe.inside, 1, __ATOMIC_ACQ_REL);
    Live_RestoreFpu(&own);
    return fine;
}

/* ---- recording ------------------------------------------------------------------------------- */

static void CountFault(MarshalFault fault) {
    __atomic_fetch_add(&observe.not_recorded[fault], 1, __ATOMIC_RELAXED);
}

/* Sets a mark before it looks up the recorder. The code that closes a recorder first removes its
 * pointer and then waits until it has seen every mark cleared. */
static void CommitTo(Recorder **to, Workspace *workspace) {
    __atomic_exchange_n(&workspace->commits, 1, __ATOMIC_SEQ_CST);
    Recorder *recorder = __atomic_load_n(to, __ATOMIC_SEQ_CST);
    if (recorder) {
        RecordOutcome outcome;
        uint32_t lacking;
        bool fetched;
        do {
            outcome = Recorder_Commit(recorder, &workspace->call->draft, &lacking);
            fetched = false;
            if (outcome == RECORD_NEEDS_BYTES) {
                DraftMemory *memory = &workspace->call->draft.memories[lacking];
                Image image = {memory->address, memory->size, memory->hash};
                memory->fetched = Images_Fetch(&image, TRACE_CHUNK_BYTES + TRACE_MEM_BYTES);
                fetched = memory->fetched != NULL;
                if (!fetched)
                    Images_Forget(memory->address);
            }
        } while (fetched);

        for (uint32_t i = 0; i < workspace->call->draft.memory_count; i++) {
            DraftMemory *each = &workspace->call->draft.memories[i];
            if (each->fetched)
                Platform_Free(each->fetched, TRACE_CHUNK_BYTES + TRACE_MEM_BYTES +
                                                 (size_t)Trace_PadTo4(each->size));
            each->fetched = NULL;
        }

        if (outcome == RECORD_NEEDS_BYTES)
            CountFault(MARSHAL_FOREIGN);
        else if (outcome == RECORD_TOO_LARGE)
            CountFault(MARSHAL_LARGE);
    }
    __atomic_store_n(&workspace->commits, 0, __ATOMIC_RELEASE);
}

/* Makes the draft's outputs. If the call needs no settling, they are what it left in memory. */
static MarshalFault PrepareOutputs(const ObservedCall *call, Marshalled *marshalled) {
    if (!Marshal_NeedsSettling(marshalled))
        return Marshal_Outputs(marshalled, &call->result, marshalled->after);

    /* The call is run again on copies. That shows what one run cannot: which bytes are written, and
     * that shared memory makes no difference. */
    CopyRun run;
    if (!Marshal_Copy(marshalled, false))
        return MARSHAL_LARGE;
    if (!RunOnCopies(call, call->serving, marshalled, &run))
        return MARSHAL_MORE;
    Marshal_FromCopy(marshalled, marshalled->again);
    if (!Marshal_Settles(marshalled, &call->result, &run.result, marshalled->again))
        return MARSHAL_MORE;
    __atomic_fetch_add(&observe.settled, 1, __ATOMIC_RELAXED);
    return Marshal_Outputs(marshalled, &call->result, marshalled->again);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static uint32_t Add(uint32_t *counter) {
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static ShadowSides SidesOf(const Signature *signature) {
    bool standin = observe.identity.standin[signature->function->module];
    return (ShadowSides){standin ? "stand-in" : "original", "replacement"};
}

/* Prepares what the trace needs in addition to the comparison. The memories can be read after the
 * call, because a function that can be compared does not write to them. */
static bool PrepareDifference(const ObservedCall *call, Marshalled *marshalled) {
    marshalled->draft.control_in = call->control_in;
    marshalled->draft.mxcsr_in = call->mxcsr_in;
    return Marshal_Inputs(marshalled) == MARSHAL_FINE;
}

static void Compare(const ObservedCall *call, ObserveRow *row, Workspace *workspace,
                    uint32_t number) {
    Marshalled *marshalled = workspace->call;
    CopyRun run;
    if (!Marshal_Copy(marshalled, true)) {
        Add(&row->counts.passed);
        return;
    }
    if (!RunOnCopies(call, call->shadow, marshalled, &run)) {
        ShadowSides sides = SidesOf(call->signature);
        uint32_t crashed = Add(&row->counts.crashed);
        if (crashed >= OBSERVE_CRASHES)
            row->counts.stopped = 1;
        PrepareDifference(call, marshalled);
        if (crashed <= OBSERVE_CRASHES)
            Shadow_LogCrash(marshalled, &run.fault, &sides, number);

        return;
    }
    Add(&row->counts.compared);
    Marshal_FromCopy(marshalled, marshalled->other);

    /* The x87 stack must hold the result, if there is one, and nothing else. */
    const uint32_t tags = Bytes_U16(run.end.x87 + TAGS_AT);
    const uint32_t top = Bytes_U16(run.end.x87 + STATUS_AT) >> 11 & 7;
    bool x87_left = false;
    for (uint32_t i = 0; i < 8; i++) {
        const bool used = (tags >> 2 * i & 3) != 3;
        x87_left |= used != (run.signature->returns == SIGNATURE_F32 && i == top);
    }
    ShadowSide serving = {.result = call->result, .data = marshalled->after};
    ShadowSide shadow = {.result = run.result,
                         .data = marshalled->other,
                         .x87_left = x87_left,
                         .outside = !Marshal_CopyIsSound(marshalled)};
    if (Shadow_Differ(marshalled, &serving, &shadow)) {
        ShadowSides sides = SidesOf(call->signature);
        uint32_t differed = Add(&row->counts.differed);
        if (differed > observe.settings.shadow_first)
            return;
        bool whole = PrepareDifference(call, marshalled);
        if (!Shadow_LogDifference(marshalled, &serving, &shadow, &sides, differed, number))
            return;
        Add(&row->counts.logged);
        if (whole) {
            /* One call is handled at a time, from commit to disk. The recorder for differences has
             * a single batch, so a call that came while it is written would be dropped. */
            if (PrepareOutputs(call, marshalled) || !Observe_Differences())
                return;
            Lock_Take(&observe.writing_lock);
            CommitTo(&observe.differences, workspace);
            if (observe.differences)
                Recorder_Write(observe.differences, true);
            Lock_Release(&observe.writing_lock);
        }
    }
}

/* ---- a call ---------------------------------------------------------------------------------- */

typedef struct Duty {
    ObserveRow *row;
    bool record, compare;
    uint32_t number; /* how many calls of this function there were, for the log */
} Duty;

static Duty DutyOf(const ObservedCall *call) {
    Duty duty = {.row = NULL};
    if (!__atomic_load_n(&observe.open, __ATOMIC_ACQUIRE) ||
        (__atomic_load_n(&observe.inside, __ATOMIC_ACQUIRE) && Platform_IsInside()))
        return duty;
    duty.row = Observe_RowOf(call->signature);
    if (!duty.row)
        return duty;
    duty.record = call->record && duty.row->marshal.can_record &&
                  __atomic_load_n(&observe.recorder, __ATOMIC_RELAXED);
    duty.compare = call->shadow && duty.row->marshal.can_shadow && !duty.row->counts.stopped;
    if (duty.compare) {
        const uint32_t sample = observe.settings.shadow_sample;
        duty.number = Add(&duty.row->counts.calls);
        duty.compare = sample <= 1 || duty.number % sample == 1;
    }
    return duty;
}

void Observe_Run(ObservedCall *call) {
    uint32_t code = Platform_LastError(); /* read before any call of the system can change it */
    Duty duty = DutyOf(call);
    if (!duty.record && !duty.compare) {
        Platform_SetLastError(code);
        Live_Invoke(call->serving, call->signature, call->arguments, &call->result);
        return;
    }
    ObserveMeter *meter = duty.compare ? &observe.shadow_meter : &observe.record_meter;

    /* When two threads count at the same time, one call may not be counted. That does no harm, and
     * a locked instruction would cost time. */
    uint32_t calls = __atomic_load_n(&meter->calls, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->calls, calls + 1, __ATOMIC_RELAXED);
    bool measured = calls % MEASURE_EVERY == 0;

    uint64_t begun = measured ? Platform_Ticks() : 0;
    MarshalFault inputs = MARSHAL_BUSY, fault = MARSHAL_BUSY;
    Workspace *workspace = Workspace_Take();

    /* What the trace and the comparison need to know of the state before the call is copied. */
    if (workspace) {
        Marshalled *marshalled = workspace->call;
        fault = inputs = Marshal_Before(&duty.row->marshal, call->arguments, marshalled);
        marshalled->draft.server = call->by_replacement ? SERVED_BY_REPLACEMENT
                                   : observe.identity.standin[call->signature->function->module]
                                       ? SERVED_BY_STANDIN
                                       : SERVED_BY_ORIGINAL;
        if (!fault && duty.record) {
            inputs = Marshal_Inputs(marshalled);
            marshalled->draft.control_in = call->control_in;
            marshalled->draft.mxcsr_in = call->mxcsr_in;
        }
    }

    Platform_SetLastError(code);
    uint64_t called = measured ? Platform_Ticks() : 0;
    Live_Invoke(call->serving, call->signature, call->arguments, &call->result);
    uint64_t returned = measured ? Platform_Ticks() : 0;
    code = Platform_LastError();
    if (workspace) {
        if (!fault)
            fault = Marshal_After(workspace->call);
        if (duty.record) {
            MarshalFault lost = fault ? fault : inputs;
            if (!lost)
                lost = PrepareOutputs(call, workspace->call);
            if (lost)
                CountFault(lost);
            else
                CommitTo(&observe.recorder, workspace);
        }
        if (duty.compare && !fault)
            Compare(call, duty.row, workspace, duty.number);
        else if (duty.compare)
            Add(&duty.row->counts.passed);
    } else {
        CountFault(MARSHAL_BUSY);
        if (duty.compare)
            Add(&duty.row->counts.passed);
    }
    Workspace_Give(workspace);
    if (duty.compare)
        Observe_SummariseSometimes();
    Platform_SetLastError(code);
    if (measured)
        ObserveMeter_Add(meter, Platform_Ticks() - returned + called - begun);
}
