/* What ngiProcessError and ngiSetDebugOutput of Ngi32.dll do, and in which order (facts/ngi32.md
 * D.2, D.3). The caller supplies the operations of the system. */
#ifndef RETROPOSE_NGI32_FATAL_H
#define RETROPOSE_NGI32_FATAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FATAL_MAILSLOT    "\\\\.\\mailslot\\ndebug"
#define FATAL_BOX_CAPTION "Nikita Game Interface Error"
#define FATAL_BOX_TYPE    0x2010u /* MB_TASKMODAL | MB_ICONHAND */
#define FATAL_EXIT_CODE   4u

/* Values of ngiProcessError's argument below this are error numbers; all others are addresses of
 * texts. */
#define FATAL_FIRST_TEXT    500u
#define FATAL_MESSAGE_BYTES 512
#define FATAL_OUT_OF_MEMORY 0x10u

typedef struct FatalSystem {
    void *context;
    char *(*duplicate)(void *context, const char *text); /* returns null when memory runs out */
    void (*release)(void *context, char *text);
    void (*destroy_archives)(void *context); /* destroys every NRes archive that is open */
    /* Writes `length` bytes at once; false when the mailslot does not exist. */
    bool (*write_mailslot)(void *context, const char *name, const char *text, size_t length);
    void (*message_box)(void *context, const char *text, const char *caption, uint32_t type);
    void (*exit_process)(void *context, uint32_t code); /* does not return, except in tests */
} FatalSystem;

/* What the original keeps in its globals 0x1003A188 and 0x1003A384. */
typedef struct DebugOutput {
    uint32_t mode; /* with any mode but 0 no message box is shown */
    char *file_name;
} DebugOutput;

/* `target` is 0, 1 or the address of a file name. */
void DebugOutput_Set(const FatalSystem *system, DebugOutput *output, uintptr_t target);
/* `error` is a number below FATAL_FIRST_TEXT or the address of a text. */
void Fatal_Describe(uintptr_t error, char message[FATAL_MESSAGE_BYTES]);
void Fatal_End(const FatalSystem *system, DebugOutput *output, const char *message);

#endif
