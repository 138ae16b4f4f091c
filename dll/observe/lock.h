/* A lock that is held for a few hundred instructions at most. It is not one of the system's locks.
 * If the thread that holds it has been ended, Lock_TryTake can tell, while the system would end the
 * process or wait for ever. */
#ifndef RETROPOSE_DLL_OBSERVE_LOCK_H
#define RETROPOSE_DLL_OBSERVE_LOCK_H

#include "dll/observe/platform.h"

typedef struct Lock {
    int held;
} Lock;

static inline bool Lock_TryTake(Lock *lock) {
    return __atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0;
}

static inline void Lock_Take(Lock *lock) {
    for (uint32_t turn = 0; !Lock_TryTake(lock); turn++)
        Platform_Pause(turn);
}

static inline void Lock_Release(Lock *lock) {
    __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

#endif
