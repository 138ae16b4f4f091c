/* A digest of what a function computes: the same for two functions whose paths have the same
 * conditions and the same outputs by the exact rules, whatever their instructions, their addresses
 * and the order of their independent steps are. It says nothing about the files that they are in,
 * so an owner may hand it on. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_DIGEST_H
#define RETROPOSE_REPLAY_LIFT_LIFT_DIGEST_H

#include "core/digest.h"
#include "replay/lift/lift_paths.h"

/* Writes the digest of one side's paths. How the function is called is no part of it. Which paths
 * were found is: two digests of a function with open sides of branches may differ only in that. */
RpStatus LiftDigest_Side(const LiftPaths *paths, int side, char hex[DIGEST_HEX_BYTES],
                         RpError *error);

#endif
