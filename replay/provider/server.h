/* A host that stays: it runs batches of calls out of shared memory, for as many traces as need the
 * same surroundings. It serves only while all goes well. If a call ends or hangs the host, or the
 * host has an error of its own, the caller runs the trace with Provider_Run, which says what
 * happened. There is no such host on Windows yet. */
#ifndef RETROPOSE_REPLAY_PROVIDER_SERVER_H
#define RETROPOSE_REPLAY_PROVIDER_SERVER_H

#include "replay/provider/batch.h"
#include "replay/provider/provider.h"

typedef struct Server Server;

/* Maps a new file of `bytes` zeros, which has the parts of a batch, as memory; returns null if that
 * fails. */
void *Server_Share(const char *path, size_t bytes);
void Server_Unshare(void *memory, size_t bytes);

/* Returns whether a provider can run in a server on this system. */
bool Server_Has(const Provider *provider);
/* Starts the host, which loads the pair that the header in the file `batches` asks for. The name of
 * the host's folder begins with `beside`. The options must outlive the server. */
RpStatus Server_Open(const Provider *provider, const ProviderOptions *options, const char *batches,
                     const char *beside, Server **server, RpError *error);
/* Ends the host. Null is allowed. */
void Server_Close(Server *server);

/* Hands an order with this work (BatchOrder) to the host, which need not have finished the one
 * before. Returns false if the host is gone, or if BATCH_ORDERS orders have not been waited for. */
bool Server_Post(Server *server, uint32_t work);
/* Waits for the end of the oldest batch that has not been waited for. Returns false if the host is
 * gone, stuck or gives another answer, if there is no such batch, and if this process was asked to
 * stop. The server is of no more use then. */
bool Server_Wait(Server *server);
const BatchOutputs *Server_Outputs(const Server *server);

#endif
