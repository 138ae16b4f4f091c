/* Threads for compilers without C11's <threads.h> (mingw-w64). */
#ifndef RETROPOSE_REPLAY_PROCESS_THREAD_H
#define RETROPOSE_REPLAY_PROCESS_THREAD_H

#include <stdbool.h>

#ifdef _WIN32
#include <windows.h>
typedef HANDLE Thread;
typedef CRITICAL_SECTION Mutex;
typedef CONDITION_VARIABLE Condition;
#else
#include <pthread.h>
typedef pthread_t Thread;
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Condition;
#endif

bool Thread_Start(Thread *thread, void (*run)(void *context), void *context);
void Thread_Join(Thread thread);
void Mutex_Init(Mutex *mutex);
void Mutex_Lock(Mutex *mutex);
void Mutex_Unlock(Mutex *mutex);
void Mutex_Destroy(Mutex *mutex);
void Condition_Init(Condition *condition);
void Condition_Wait(Condition *condition, Mutex *mutex);
void Condition_WakeAll(Condition *condition);
void Condition_Destroy(Condition *condition);

#endif
