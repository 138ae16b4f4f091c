/* Declares the providers that need no host, because they run a trace in this process. */
#ifndef RETROPOSE_REPLAY_PROVIDER_IN_PROCESS_H
#define RETROPOSE_REPLAY_PROVIDER_IN_PROCESS_H

#include "replay/provider/provider.h"

RpStatus Provider_RunRecorded(const char *input, const char *output, RpError *error);
RpStatus Provider_RunNative(const char *input, const char *output, const ProviderOptions *options,
                            RpError *error);

#endif
