#include "replay/process/thread.h"

#include <stdlib.h>

typedef struct Start {
    void (*run)(void *context);
    void *context;
} Start;

static void RunStart(void *pointer) {
    Start start = *(Start *)pointer;
    free(pointer);
    start.run(start.context);
}

static Start *NewStart(void (*run)(void *context), void *context) {
    Start *start = malloc(sizeof *start);
    if (start)
        *start = (Start){run, context};
    return start;
}

#ifdef _WIN32
static DWORD WINAPI Enter(void *start) {
    RunStart(start);
    return 0;
}

bool Thread_Start(Thread *thread, void (*run)(void *context), void *context) {
    Start *start = NewStart(run, context);
    *thread = start ? CreateThread(NULL, 0, Enter, start, 0, NULL) : NULL;
    if (!*thread)
        free(start);
    return *thread != NULL;
}

void Thread_Join(Thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

void Mutex_Init(Mutex *mutex) {
    InitializeCriticalSection(mutex);
}

void Mutex_Lock(Mutex *mutex) {
    EnterCriticalSection(mutex);
}

void Mutex_Unlock(Mutex *mutex) {
    LeaveCriticalSection(mutex);
}

void Mutex_Destroy(Mutex *mutex) {
    DeleteCriticalSection(mutex);
}

void Condition_Init(Condition *condition) {
    InitializeConditionVariable(condition);
}

void Condition_Wait(Condition *condition, Mutex *mutex) {
    SleepConditionVariableCS(condition, mutex, INFINITE);
}

void Condition_WakeAll(Condition *condition) {
    WakeAllConditionVariable(condition);
}

void Condition_Destroy(Condition *condition) {
    (void)condition;
}

#else
static void *Enter(void *start) {
    RunStart(start);
    return NULL;
}

bool Thread_Start(Thread *thread, void (*run)(void *context), void *context) {
    Start *start = NewStart(run, context);
    if (start && pthread_create(thread, NULL, Enter, start) == 0)
        return true;
    free(start);
    return false;
}

void Thread_Join(Thread thread) {
    pthread_join(thread, NULL);
}

void Mutex_Init(Mutex *mutex) {
    pthread_mutex_init(mutex, NULL);
}

void Mutex_Lock(Mutex *mutex) {
    pthread_mutex_lock(mutex);
}

void Mutex_Unlock(Mutex *mutex) {
    pthread_mutex_unlock(mutex);
}

void Mutex_Destroy(Mutex *mutex) {
    pthread_mutex_destroy(mutex);
}

void Condition_Init(Condition *condition) {
    pthread_cond_init(condition, NULL);
}

void Condition_Wait(Condition *condition, Mutex *mutex) {
    pthread_cond_wait(condition, mutex);
}

void Condition_WakeAll(Condition *condition) {
    pthread_cond_broadcast(condition);
}

void Condition_Destroy(Condition *condition) {
    pthread_cond_destroy(condition);
}
#endif
