#include "dll/unserved.h"

#include "core/text.h"
#include "dll/base/log.h"
#include "prototypes.h"

#include <windows.h>

typedef ABI_PROTO_ngi32_ngiProcessError((*ProcessError));

enum { FATAL_EXIT_CODE = 4 }; /* exit code of Ngi32.dll after an error (facts/ngi32.md D.2) */

/* The Ngi32.dll of this process shows the message, whether it is ours or an original. */
void Live_EndUnserved(const char *name, const void *caller) {
    char message[256];
    Text text = Text_Begin(message, sizeof message);
    Text_Append(&text, name);
    Text_Append(&text, " was called. No public source tells its arguments, so Retropose cannot "
                       "serve it and no original is there to do so.");
    Log_Write("%s: return address 0x%x", name, (uint32_t)(uintptr_t)caller);
    HMODULE ngi32 = GetModuleHandleA("Ngi32.dll");
    ProcessError end = ngi32
                           ? (ProcessError)(void (*)(void))GetProcAddress(ngi32, "ngiProcessError")
                           : (ProcessError)NULL;
    if (end)
        end((uintptr_t)message);
    ExitProcess(FATAL_EXIT_CODE);
}
