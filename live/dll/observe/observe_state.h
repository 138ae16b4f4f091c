/* What the files of the observer share. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_OBSERVE_STATE_H
#define RETROPOSE_LIVE_DLL_OBSERVE_OBSERVE_STATE_H

#include "live/dll/observe/identity.h"
#include "live/dll/observe/lock.h"
#include "live/dll/observe/marshal.h"
#include "live/dll/observe/record.h"
#include "live/dll/observe/shadow.h"

#include <string.h>

enum { OBSERVE_ROWS = 1024, OBSERVE_CRASHES = 3 }; /* crashes of a function before it is let be */

typedef struct ObserveRow { /* of the ABI tables */
    Marshal marshal;
    bool described;
    ShadowCounts counts;
} ObserveRow;

/* Our own time, of calls chosen to be measured: their sum, and how many took how long. A bucket is
 * an eighth of a power of two. */
enum { OBSERVE_BUCKETS = 256 };
typedef struct ObserveMeter {
    Lock lock;
    uint32_t calls, samples;
    uint64_t ticks;
    uint32_t buckets[OBSERVE_BUCKETS];
} ObserveMeter;

typedef struct ObserveCost { /* of one call */
    uint32_t samples, mean_ns, median_ns;
} ObserveCost;

typedef struct ObserveState {
    bool open, serving, differences_tried;
    LiveSettings settings;
    Lock settings_lock; /* of their copy: for reading names and lists while they may change */
    ObserveIdentity identity;
    ObserveRow rows[OBSERVE_ROWS];
    Lock rows_lock;
    Recorder *recorder, *differences;
    Lock writing_lock; /* files: never taken by a call that is recorded */
    uint32_t not_recorded[MARSHAL_FAULTS], settled;
    ObserveMeter record_meter, shadow_meter;
    uint64_t started_ticks;
    uint32_t started_ms, summarised; /* Platform_Milliseconds; of the last summary */
    uint32_t inside;                 /* threads inside a run of ours */
} ObserveState;

extern ObserveState observe;

/* Null when there are more rows than are kept. */
ObserveRow *Observe_RowOf(const Signature *signature);
void ObserveMeter_Add(ObserveMeter *meter, uint64_t ticks);
/* A path of the settings, as the system takes it. */
void Observe_Path(const char *name, char *buffer, size_t size);
/* The trace of calls that differ; opened when it is first asked for. May be null. */
Recorder *Observe_Differences(void);
void Observe_SummariseSometimes(void);
/* A step of the service thread. */
void Observe_Serve(void);

#endif
