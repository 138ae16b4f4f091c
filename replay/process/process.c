#ifndef _WIN32
#define _GNU_SOURCE /* needed for posix_spawn_file_actions_addchdir_np */
#endif
#include "replay/process/process.h"

#include "replay/process/command_line.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the processes that run, for handlers of signals ----------------------------------------- */

enum { MOST_RUNNING = 256 };

static _Atomic intptr_t running[MOST_RUNNING]; /* 0 marks a free place */

static void Remember(intptr_t handle) {
    for (int i = 0; i < MOST_RUNNING; i++) {
        intptr_t none = 0;
        if (atomic_compare_exchange_strong(&running[i], &none, handle))
            return;
    }
}

static void Forget(intptr_t handle) {
    for (int i = 0; i < MOST_RUNNING; i++) {
        intptr_t same = handle;
        if (atomic_compare_exchange_strong(&running[i], &same, 0))
            return;
    }
}

void Process_KillAll(void) {
    for (int i = 0; i < MOST_RUNNING; i++) {
        const intptr_t handle = atomic_load(&running[i]);
        if (handle)
            Process_Kill(&(Process){handle});
    }
}

static RpStatus NotStarted(const char *program, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot start the program", program, "", words);
}

#ifdef _WIN32
#include <windows.h>

/* Returns a line to be released with free(); null where memory is short or the line is longer
 * than the system takes. */
static CommandLine *MakeLine(const char *const *argv) {
    CommandLine *line = calloc(1, sizeof *line);
    bool fits = line != NULL;
    for (size_t i = 0; fits && argv[i]; i++)
        fits = CommandLine_Append(line, argv[i]);
    if (fits)
        return line;
    free(line);
    return NULL;
}

static const char too_long[] = "no memory for its command line, or more than 32767 characters";

/* Opens a pipe whose end for reading is inherited by the child. */
static bool OpenPipe(HANDLE *input, ProcessPipes *pipes) {
    HANDLE to;
    *pipes = (ProcessPipes){.to = -1, .from = -1};
    if (!CreatePipe(input, &to, NULL, 0))
        return false;
    pipes->to = (intptr_t)to;
    if (SetHandleInformation(*input, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT))
        return true;
    CloseHandle(*input);
    CloseHandle(to);
    return false;
}

void Process_ClosePipes(ProcessPipes *pipes) {
    if (pipes->to != -1)
        CloseHandle((HANDLE)pipes->to);
    pipes->to = -1;
}

RpStatus Process_Start(const char *const *argv, const char *const *environment, const char *folder,
                       const char *log, ProcessPipes *pipes, Process *process, RpError *error) {
    HANDLE input = NULL;
    char path[1200];
    if (pipes && pipes->answers)
        return NotStarted(argv[0], "no answers through a pipe here", error);
    (void)environment; /* the host itself sets what the trace asks for, so nothing is needed here */
    CommandLine *line = MakeLine(argv);
    PROCESS_INFORMATION started = {0};
    STARTUPINFOA startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
    if (!line)
        return NotStarted(argv[0], too_long, error);
    if (pipes && !OpenPipe(&input, pipes)) {
        free(line);
        return NotStarted(argv[0], "no pipe", error);
    }
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    snprintf(path, sizeof path, "%s/%s", folder, log);
    startup.hStdInput = input;
    startup.hStdOutput = startup.hStdError =
        CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                    CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    BOOL ok = CreateProcessA(NULL, line->bytes, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, folder,
                             &startup, &started);
    DWORD code = GetLastError();
    CloseHandle(startup.hStdOutput);
    if (input)
        CloseHandle(input);
    free(line);
    if (!ok) {
        char words[32];
        if (pipes)
            Process_ClosePipes(pipes);
        snprintf(words, sizeof words, "system error %lu", code);
        return NotStarted(argv[0], words, error);
    }
    CloseHandle(started.hThread);
    process->handle = (intptr_t)started.hProcess;
    Remember(process->handle);
    return RP_OK;
}

RpStatus Process_RunHere(const char *const *argv, const char *const *variables, uint32_t *exit_code,
                         RpError *error) {
    CommandLine *line = MakeLine(argv);
    PROCESS_INFORMATION started = {0};
    STARTUPINFOA startup = {.cb = sizeof startup};
    if (!line)
        return NotStarted(argv[0], too_long, error);
    for (size_t i = 0; variables[i]; i++) {
        const char *equals = strchr(variables[i], '=');
        char name[128];
        const size_t length = (size_t)(equals - variables[i]);
        if (length >= sizeof name)
            continue;
        memcpy(name, variables[i], length);
        name[length] = 0;
        SetEnvironmentVariableA(name, equals + 1);
    }
    SetConsoleCtrlHandler(NULL, TRUE);
    BOOL ok =
        CreateProcessA(NULL, line->bytes, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &started);
    DWORD code = GetLastError();
    free(line);
    if (!ok) {
        char words[32];
        snprintf(words, sizeof words, "system error %lu", code);
        return NotStarted(argv[0], words, error);
    }
    CloseHandle(started.hThread);
    Process process = {(intptr_t)started.hProcess};
    Process_Wait(&process, INFINITE, exit_code);
    SetConsoleCtrlHandler(NULL, FALSE);
    return RP_OK;
}

bool Process_Wait(Process *process, uint32_t milliseconds, uint32_t *exit_code) {
    HANDLE handle = (HANDLE)process->handle;
    if (WaitForSingleObject(handle, milliseconds) != WAIT_OBJECT_0)
        return false;
    DWORD code = 0;
    Forget(process->handle);
    GetExitCodeProcess(handle, &code);
    CloseHandle(handle);
    *exit_code = code;
    return true;
}

void Process_Kill(Process *process) {
    TerminateProcess((HANDLE)process->handle, 1);
}

#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Casts away const. POSIX leaves the strings unchanged, but its prototypes do not say so. */
static char *const *Mutable(const char *const *strings) {
    return (char *const *)(uintptr_t)strings;
}

static void Close(int file) {
    if (file >= 0)
        close(file);
}

void Process_ClosePipes(ProcessPipes *pipes) {
    Close((int)pipes->to);
    Close(pipes->from);
    pipes->to = pipes->from = -1;
}

/* Opens the pipes that were asked for. No child inherits them under their own numbers. */
static bool OpenPipes(int input[2], int output[2], ProcessPipes *pipes) {
    pipes->to = pipes->from = -1;
    if (pipe2(input, O_CLOEXEC))
        return false;
    if (!pipes->answers || pipe2(output, O_CLOEXEC) == 0) {
        pipes->to = input[1];
        pipes->from = output[0];
        return true;
    }
    const int code = errno;
    close(input[0]);
    close(input[1]);
    errno = code;
    return false;
}

RpStatus Process_Start(const char *const *argv, const char *const *environment, const char *folder,
                       const char *log, ProcessPipes *pipes, Process *process, RpError *error) {
    int input[2] = {-1, -1}, output[2] = {-1, -1}; /* the child's ends */
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (pipes && !OpenPipes(input, output, pipes))
        return NotStarted(argv[0], strerror(errno), error);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
    if (pipes)
        posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1] >= 0 ? output[1] : STDERR_FILENO,
                                     STDOUT_FILENO);
    int code = posix_spawnp(&child, argv[0], &actions, NULL, Mutable(argv),
                            environment ? Mutable(environment) : environ);
    posix_spawn_file_actions_destroy(&actions);
    Close(input[0]);
    Close(output[1]);
    if (code && pipes)
        Process_ClosePipes(pipes);
    if (code)
        return NotStarted(argv[0], strerror(code), error);
    process->handle = child;
    Remember(process->handle);
    return RP_OK;
}

static uint32_t ExitCode(int status) {
    return WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 128u + (uint32_t)WTERMSIG(status);
}

RpStatus Process_RunHere(const char *const *argv, const char *const *variables, uint32_t *exit_code,
                         RpError *error) {
    /* These are the variables of this process, with others added or put in their place. The strings
     * are not copied. */
    size_t count = 0, more = 0, next = 0;
    while (environ[count])
        count++;
    while (variables[more])
        more++;
    const char **environment = calloc(count + more + 1, sizeof *environment);
    for (size_t i = 0; environment && i < count; i++) {
        bool is_replaced = false;
        for (size_t k = 0; k < more && !is_replaced; k++) {
            const size_t name = strcspn(variables[k], "=");
            is_replaced = strncmp(variables[k], environ[i], name) == 0 && environ[i][name] == '=';
        }
        if (!is_replaced)
            environment[next++] = environ[i];
    }
    for (size_t i = 0; environment && i < more; i++)
        environment[next++] = variables[i];

    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t child;
    int status = 0;
    if (!environment)
        return NotStarted(argv[0], "no memory", error);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
    void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    int code =
        posix_spawnp(&child, argv[0], NULL, &attributes, Mutable(argv), Mutable(environment));
    posix_spawnattr_destroy(&attributes);
    free(environment);
    while (!code && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    *exit_code = ExitCode(status);
    return code ? NotStarted(argv[0], strerror(code), error) : RP_OK;
}

bool Process_Wait(Process *process, uint32_t milliseconds, uint32_t *exit_code) {
    int status;
    for (uint32_t waited = 0;; waited++) {
        pid_t ended = waitpid((pid_t)process->handle, &status, WNOHANG);
        if (ended == (pid_t)process->handle)
            break;
        if (ended < 0 && errno != EINTR) { /* Somebody else has waited for the process already. */
            status = 0;
            break;
        }
        if (waited >= milliseconds)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    Forget(process->handle);
    *exit_code = ExitCode(status);
    return true;
}

void Process_Kill(Process *process) {
    kill((pid_t)process->handle, SIGKILL);
}
#endif
