#ifndef _WIN32
#define _GNU_SOURCE /* needed for clock_gettime, ftruncate and pthread_sigmask */
#endif
#include "replay/provider/server.h"

#ifdef _WIN32
void *Server_Share(const char *path, size_t bytes) {
    (void)path;
    (void)bytes;
    return NULL;
}

void Server_Unshare(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
}

bool Server_Has(const Provider *provider) {
    (void)provider;
    return false;
}

RpStatus Server_Open(const Provider *provider, const ProviderOptions *options, const char *batches,
                     const char *beside, Server **server, RpError *error) {
    (void)provider;
    (void)options;
    (void)beside;
    *server = NULL;
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "no server on this system", batches, "",
                       "");
}

void Server_Close(Server *server) {
    (void)server;
}

bool Server_Post(Server *server, uint32_t work) {
    (void)server;
    (void)work;
    return false;
}

bool Server_Wait(Server *server) {
    (void)server;
    return false;
}

const BatchOutputs *Server_Outputs(const Server *server) {
    (void)server;
    return NULL;
}
#else
#include "core/stop.h"
#include "replay/provider/hosting.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define POLL_MS     100
#define END_MS      2000u /* the time in which a host has to end when it is asked to */
#define OUTPUT_NAME HOSTING_OUTPUT

struct Server {
    Hosting hosting;
    Process process;
    ProcessPipes pipes;
    FILE *progress;
    BatchOutputs *outputs;
    HostWatch watch;
    /* The orders that have been sent and not answered: those after number `answered`, up to number
     * `ordered`. Number N is at index N % BATCH_ORDERS. */
    BatchOrder orders[BATCH_ORDERS];
    uint32_t ordered, answered;
    bool runs; /* the process was started and has not been waited for */
};

void *Server_Share(const char *path, size_t bytes) {
    void *memory = MAP_FAILED;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

void Server_Unshare(void *memory, size_t bytes) {
    if (memory)
        munmap(memory, bytes);
}

bool Server_Has(const Provider *provider) {
    return provider->kind != PROVIDER_NATIVE && provider->kind != PROVIDER_RECORDED;
}

RpStatus Server_Open(const Provider *provider, const ProviderOptions *options, const char *batches,
                     const char *beside, Server **result, RpError *error) {
    *result = NULL;
    Server *server = calloc(1, sizeof *server);
    if (!server)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a host", "", "", "");

    /* A write to a host that is gone becomes an error, and not the end of this process. */
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);

    RpStatus status = Hosting_Open(provider, options, batches, beside, &server->hosting, error);
    if (!status) {
        char output[HOSTING_PATH_BYTES + 32];
        Hosting_File(&server->hosting, OUTPUT_NAME, output, sizeof output);
        server->outputs = Server_Share(output, sizeof *server->outputs);
        if (!server->outputs)
            status = RpError_Set(error, RP_IO, RP_NOWHERE, "cannot share memory with a host",
                                 output, "", strerror(errno));
    }
    if (!status)
        status = Hosting_OpenProgress(&server->hosting, &server->progress, error);
    if (!status) {
        const HostOption asked[] = {{"--batches", server->hosting.input},
                                    {"--output", OUTPUT_NAME},
                                    {"--overlay", server->hosting.overlay},
                                    {"--trust", server->hosting.options->trust ? "yes" : ""}};
        server->pipes.answers = true;
        status = Hosting_Start(&server->hosting, asked, sizeof asked / sizeof *asked,
                               &server->pipes, &server->process, error);
        server->runs = status == RP_OK;
        HostWatch_Begin(&server->watch);
    }
    if (status)
        Server_Close(server);
    else
        *result = server;
    return status;
}

void Server_Close(Server *server) {
    uint32_t exit_code;
    if (!server)
        return;
    if (server->runs) {
        Process_ClosePipes(&server->pipes); /* a host ends when its input does */
        if (!Process_Wait(&server->process, END_MS, &exit_code)) {
            Process_Kill(&server->process);
            Process_Wait(&server->process, UINT32_MAX, &exit_code);
        }
    }
    if (server->progress)
        fclose(server->progress);
    Server_Unshare(server->outputs, sizeof *server->outputs);
    Hosting_Close(&server->hosting);
    free(server);
}

bool Server_Post(Server *server, uint32_t work) {
    ssize_t written;
    if (server->ordered - server->answered == BATCH_ORDERS)
        return false;
    const BatchOrder order = {++server->ordered, work};
    server->orders[order.number % BATCH_ORDERS] = order;
    HostWatch_Begin(&server->watch);
    do
        written = write((int)server->pipes.to, &order, sizeof order);
    while (written < 0 && errno == EINTR);
    return written == sizeof order;
}

/* Returns true if the host has nothing more to say. */
static bool IsLost(Server *server) {
    HostProgress progress;
    uint32_t exit_code;
    if (Stop_Asked())
        return true;
    if (Process_Wait(&server->process, 0, &exit_code)) {
        Process_ClosePipes(&server->pipes);
        server->runs = false;
        return true;
    }
    memset(&progress, 0, sizeof progress);
    Hosting_ReadProgress(server->progress, &progress);
    return HostWatch_IsStuck(&server->watch, &progress, server->hosting.options);
}

/* Reads what the host answers. The foreign code in the host may have written into the pipe, so the
 * host counts as lost if the answer is anything but the oldest order. */
static bool TakeAnswer(Server *server) {
    const BatchOrder *oldest = &server->orders[(server->answered + 1) % BATCH_ORDERS];
    BatchOrder answer;
    ssize_t got;
    do
        got = read(server->pipes.from, &answer, sizeof answer);
    while (got < 0 && errno == EINTR);
    if (got != sizeof answer || answer.number != oldest->number || answer.work != oldest->work)
        return false;
    server->answered++;
    return true;
}

bool Server_Wait(Server *server) {
    bool answered = false, lost = server->ordered == server->answered;
    while (!answered && !lost) {
        struct pollfd from = {.fd = server->pipes.from, .events = POLLIN};
        const bool says = poll(&from, 1, POLL_MS) > 0;
        answered = says && TakeAnswer(server);
        lost = !answered && (says || IsLost(server));
    }
    if (lost && server->runs)
        Process_Kill(&server->process);
    return answered;
}

const BatchOutputs *Server_Outputs(const Server *server) {
    return server->outputs;
}
#endif
