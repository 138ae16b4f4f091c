/* Writes what openparkan's golden comparison reads from an archive and from a model, with the keys
 * and the order of its contract (openparkan/dump.py; docs/use/other-projects.md). Numbers that are
 * not finite are the texts "NaN", "Infinity" and "-Infinity". */
#ifndef RETROPOSE_FORMATS_PEERS_OPENPARKAN_H
#define RETROPOSE_FORMATS_PEERS_OPENPARKAN_H

#include "retropose/memory.h"
#include "retropose/nres.h"

/* The directory of an archive, and the SHA-256 of each member. */
RpStatus OpenparkanDump_NRes(const RpNRes *archive, RpBuffer *json, RpError *error);

/* Appends a model of an archive, with the names in its .wea member beside it. Poses come from our
 * sampler in the readings of openparkan (key-order=wxyz). Their rotations are made units and
 * conjugated, as openparkan stores them. Returns RP_NOT_FOUND if there is no such member, and
 * RP_UNSUPPORTED for a model whose ranges overlap many times. */
RpStatus OpenparkanDump_Mesh(const RpNRes *archive, const char *member, RpBuffer *json,
                             RpError *error);

#endif
