#include "dll/watch.h"

#include <string.h>

enum { PERIOD_MS = 200, STACK_BYTES = 64 * 1024 };

static const wchar_t *watched;
static void (*tell)(void);
static ConfigurationStamp last;

/* The stamp is taken before the file is read. Changes that are made while it is read are therefore
 * noticed the next time. */
static DWORD WINAPI Run(void *context) {
    while (context) {
        Sleep(PERIOD_MS);
        ConfigurationStamp stamp = Configuration_Stamp(watched);
        if (memcmp(&stamp, &last, sizeof stamp) == 0)
            continue;
        last = stamp;
        tell();
    }
    return 0;
}

bool Watch_Start(const wchar_t *folder, ConfigurationStamp stamp, void (*changed)(void)) {
    watched = folder;
    tell = changed;
    last = stamp;
    HANDLE thread =
        CreateThread(NULL, STACK_BYTES, Run, &last, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (!thread)
        return false;
    SetThreadPriority(thread, THREAD_PRIORITY_BELOW_NORMAL);
    CloseHandle(thread);
    return true;
}
