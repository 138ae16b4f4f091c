/* A child process: starts it with a folder and an environment of its own, watches it, ends it. */
#ifndef RETROPOSE_REPLAY_PROCESS_PROCESS_H
#define RETROPOSE_REPLAY_PROCESS_PROCESS_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Process {
    intptr_t handle; /* a process id, or on Windows a HANDLE */
} Process;

typedef struct ProcessPipes {
    bool answers; /* asks for standard output to be a pipe, too, and not the log; not on Windows */
    /* the end that writes to standard input: a file descriptor, or a HANDLE; -1 if closed */
    intptr_t to;
    /* the end that reads standard output: a file descriptor; -1 if there is none or it is closed */
    int from;
} ProcessPipes;

/* Starts a program. `argv` and `environment` end with null. The environment has texts such as
 * "NAME=value"; null stands for this process's own. The first argument is a path, or a name that is
 * looked up in the search path. Standard output and error go to the file `log` in `folder`, which
 * is also the child's working folder. Standard input is empty. With `pipes` it is a pipe instead,
 * which no other child inherits, so that the child notices when this process is gone, for whatever
 * reason. The caller has to close the pipes once the child was started. */
RpStatus Process_Start(const char *const *argv, const char *const *environment, const char *folder,
                       const char *log, ProcessPipes *pipes, Process *process, RpError *error);
/* Closes those pipes that are open. */
void Process_ClosePipes(ProcessPipes *pipes);
/* Runs a program in the foreground until it ends, with this process's streams and folder.
 * `variables` ("NAME=value", ends with null) are added to its environment. Interrupts from the
 * keyboard are left to the program. */
RpStatus Process_RunHere(const char *const *argv, const char *const *variables, uint32_t *exit_code,
                         RpError *error);
/* Waits up to `milliseconds`. Returns true when the process has ended; exit_code is 128 + signal if
 * a signal ended it. */
bool Process_Wait(Process *process, uint32_t milliseconds, uint32_t *exit_code);
/* Ends the process at once. Process_Wait has still to be called. */
void Process_Kill(Process *process);
/* Ends all processes that Process_Start began and for which nobody has waited. A signal handler may
 * call it. */
void Process_KillAll(void);

#endif
