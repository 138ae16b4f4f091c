/* A host that stays: it runs batches of calls out of shared memory, for as many traces as ask for
 * the same surroundings. It only serves while all goes well. Where a call ends or hangs the host,
 * or the host has an error of its own, the caller runs the trace by Provider_Run, which says what
 * happened. Not on Windows yet. */
#ifndef RETROPOSE_REPLAY_PROVIDER_SERVER_H
#define RETROPOSE_REPLAY_PROVIDER_SERVER_H

#include "replay/provider/batch.h"
#include "replay/provider/provider.h"

typedef struct Server Server;

/* The parts of a file, which is `bytes` long and emptied, as memory; null where that fails. */
void *Server_Share(const char *path, size_t bytes);
void Server_Unshare(void *memory, size_t bytes);

/* Returns whether a provider can run in a server on this system. */
bool Server_Has(const Provider *provider);
/* Starts the host, which loads the pair as the header in the file `batches` asks for. The folder of
 * the host has a name that begins with `beside`. The options must outlive the server. */
RpStatus Server_Open(const Provider *provider, const ProviderOptions *options, const char *batches,
                     const char *beside, Server **server, RpError *error);
/* Ends the host. Null is fine. */
void Server_Close(Server *server);

/* Hands an order with this work (BatchOrder) to the host, which need not have finished the one
 * before. False where it is gone, and where BATCH_SLOTS orders have not been waited for. */
bool Server_Post(Server *server, uint32_t work);
/* Waits for the end of the oldest batch that has not been waited for. False where the host is gone
 * or stuck or says anything but that, where there is no such batch, and where this process was
 * asked to stop; then the server is of no more use. */
bool Server_Wait(Server *server);
const BatchOutputs *Server_Outputs(const Server *server);

#endif
