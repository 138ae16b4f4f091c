#include "core/files/busy.h"

uint32_t Busy_Pause(uint32_t code, unsigned failed) {
    enum { ACCESS_DENIED = 5, SHARING_VIOLATION = 32, LOCK_VIOLATION = 33, DELETE_PENDING = 303 };
    enum { MOST_FAILED = 22, DOUBLED = 4, LONGEST = 160 };
    /* ERROR_ACCESS_DENIED may mean a missing right, and then waiting does not help. But Windows
     * also gives it where a file that is to be replaced is open, or where a file that is to be made
     * is just being removed. */
    const bool passes = code == ACCESS_DENIED || code == SHARING_VIOLATION ||
                        code == LOCK_VIOLATION || code == DELETE_PENDING;
    if (!passes || failed > MOST_FAILED)
        return 0;
    return failed <= DOUBLED ? 5u << failed : LONGEST;
}

#ifdef _WIN32
#include <windows.h>

bool Busy_Wait(unsigned failed) {
    const uint32_t pause = Busy_Pause(GetLastError(), failed);
    if (pause > 0)
        Sleep(pause);
    return pause > 0;
}
#endif
