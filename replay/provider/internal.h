/* Shared by the parts of provider.h. */
#ifndef RETROPOSE_REPLAY_PROVIDER_INTERNAL_H
#define RETROPOSE_REPLAY_PROVIDER_INTERNAL_H

#include "replay/provider/provider.h"

RpStatus Provider_RunRecorded(const char *input, const char *output, RpError *error);
RpStatus Provider_RunNative(const char *input, const char *output, const ProviderOptions *options,
                            RpError *error);

#endif
