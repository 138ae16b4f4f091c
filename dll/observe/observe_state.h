/* State and functions that the files of the observer share. */
#ifndef RETROPOSE_DLL_OBSERVE_OBSERVE_STATE_H
#define RETROPOSE_DLL_OBSERVE_OBSERVE_STATE_H

#include "dll/observe/identity.h"
#include "dll/observe/lock.h"
#include "dll/observe/marshal.h"
#include "dll/observe/recorder.h"
#include "dll/observe/shadow.h"

#include <string.h>

/* a function that has crashed so often is not compared any more */
enum { OBSERVE_ROWS = 1024, OBSERVE_CRASHES = 3 };

typedef struct ObserveRow { /* the counters for a row of the ABI tables */
    Marshal marshal;
    bool described;
    ShadowCounts counts;
} ObserveRow;

/* The time that observing itself takes, for calls that were chosen to be measured: the sum, and how
 * many calls took how long. A bucket is an eighth of a power of two. */
enum { OBSERVE_BUCKETS = 256 };
typedef struct ObserveMeter {
    Lock lock;
    uint32_t calls, samples;
    uint64_t ticks;
    uint32_t buckets[OBSERVE_BUCKETS];
} ObserveMeter;

typedef struct ObserveCost { /* the cost of one call */
    uint32_t samples, mean_ns, median_ns;
} ObserveCost;

typedef struct ObserveState {
    bool open, serving, differences_tried;
    LiveSettings settings;
    /* Guards the copy of the settings, for code that reads names and lists, which may change. */
    Lock settings_lock;
    ObserveIdentity identity;
    /* Who serves recorded calls by the settings (SERVED_BY_...). The gates of each DLL follow a
     * change of the settings a little later. */
    uint8_t servers;
    ObserveRow rows[OBSERVE_ROWS];
    Lock rows_lock;
    Recorder *recorder, *differences;
    Lock writing_lock; /* guards files; recording a call never takes it */
    uint32_t not_recorded[MARSHAL_FAULTS], settled;
    ObserveMeter record_meter, shadow_meter;
    uint64_t started_ticks;
    /* times of Platform_Milliseconds; `summarised` is when the last summary was written */
    uint32_t started_ms, summarised;
    uint32_t inside; /* number of threads in which a run on copies is going on */
} ObserveState;

extern ObserveState observe;

/* Returns null if the tables have more rows than are kept. */
ObserveRow *Observe_RowOf(const Signature *signature);
void ObserveMeter_Add(ObserveMeter *meter, uint64_t ticks);
/* Writes a path from the settings in the form that the system takes. */
void Observe_Path(const char *name, char *buffer, size_t size);
/* Returns the recorder for calls that differ, or null. It is opened when it is first asked for. */
Recorder *Observe_Differences(void);
void Observe_SummariseSometimes(void);
/* Does one step of the service thread. */
void Observe_Serve(void);

#endif
