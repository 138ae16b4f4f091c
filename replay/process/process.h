/* One child process: started with a folder and an environment of its own, watched, ended. */
#ifndef RETROPOSE_REPLAY_PROCESS_PROCESS_H
#define RETROPOSE_REPLAY_PROCESS_PROCESS_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Process {
    intptr_t handle; /* process id, or a HANDLE */
} Process;

/* argv and environment ("NAME=value", null: this process's) end with null. The first argument is a
 * path, or a name for the search path. Standard output and error go to the file `log` in `folder`,
 * which is also the child's working folder. */
RpStatus Process_Start(const char *const *argv, const char *const *environment, const char *folder,
                       const char *log, Process *process, RpError *error);
/* In the foreground: with this process's streams and folder, `variables` ("NAME=value", ends with
 * null) over its environment, until the end. Interrupts from the keyboard are the program's. */
RpStatus Process_RunHere(const char *const *argv, const char *const *variables, uint32_t *exit_code,
                         RpError *error);
/* Waits up to `milliseconds`. True when it has ended; exit_code is 128 + signal for a killed one.
 */
bool Process_Wait(Process *process, uint32_t milliseconds, uint32_t *exit_code);
/* Ends it at once; Process_Wait is still due. */
void Process_Kill(Process *process);
/* Ends all that Process_Start began and nobody has waited for yet; a signal handler may call it. */
void Process_KillAll(void);

#endif
