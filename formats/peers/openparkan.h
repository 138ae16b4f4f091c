/* What openparkan's golden comparison reads of an archive and of a model: the keys and their order
 * of its contract (openparkan/dump.py; docs/use/other-projects.md). Numbers that are not finite are
 * the texts "NaN", "Infinity" and "-Infinity". */
#ifndef RETROPOSE_FORMATS_PEERS_OPENPARKAN_H
#define RETROPOSE_FORMATS_PEERS_OPENPARKAN_H

#include "retropose/memory.h"
#include "retropose/nres.h"

/* The directory of an archive, and the SHA-256 of each member. */
RpStatus OpenparkanDump_NRes(const RpNRes *archive, RpBuffer *json, RpError *error);

/* One model of an archive, with the names of its .wea member beside it. Poses are those of our
 * sampler in the readings that openparkan has (key-order=wxyz), with their rotations made units and
 * conjugated as openparkan stores them. RP_NOT_FOUND without such a member; RP_UNSUPPORTED for a
 * model whose ranges overlap again and again. */
RpStatus OpenparkanDump_Mesh(const RpNRes *archive, const char *member, RpBuffer *json,
                             RpError *error);

#endif
