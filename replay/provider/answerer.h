/* Answers calls in this process, one at a time. The provider `native` calls the library, and
 * `recorded` gives the outcome that a call of a trace has already, no matter whose it is. A pair of
 * DLLs answers in a host. */
#ifndef RETROPOSE_REPLAY_PROVIDER_ANSWERER_H
#define RETROPOSE_REPLAY_PROVIDER_ANSWERER_H

#include "replay/provider/provider.h"

typedef struct Answerer Answerer;

/* Returns whether a provider answers in this process. */
bool Answerer_Has(const Provider *provider);
/* Begins to answer calls whose trace has this header. `calls` has the memories to which they refer,
 * and has to outlive the answerer. */
RpStatus Answerer_Open(const Provider *provider, const TraceHeader *header,
                       const TraceReader *calls, const ProviderOptions *options,
                       Answerer **answerer, RpError *error);
/* Returns the header of a trace with these answers. */
const TraceHeader *Answerer_Header(const Answerer *answerer);
/* Fills `answer`, which may be `call`, with the call and with what became of it, which is valid
 * until the next call. */
RpStatus Answerer_Call(Answerer *answerer, const TraceCall *call, TraceCall *answer,
                       RpError *error);
void Answerer_Close(Answerer *answerer); /* null is allowed */

/* Opens a reader of the answers to the calls of a trace in a file. Each is given when it is read,
 * so the reader cannot be rewound. The options must outlive it. */
RpStatus Answerer_Read(const Provider *provider, const char *input, const ProviderOptions *options,
                       TraceReader **answers, RpError *error);
/* Answers all calls of a trace in a file, and writes another one, as Provider_Run does. */
RpStatus Answerer_Run(const Provider *provider, const char *input, const char *output,
                      const ProviderOptions *options, RpError *error);

#endif
