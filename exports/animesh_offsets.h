/* Where the fields of AniMesh.dll's records are in the game's 32-bit memory, and so in a trace,
 * made from the rows of the ABI table: READER_AT_nodes, PIECE_AT_reader, MESH_AT_pieces and so on.
 */
#ifndef RETROPOSE_EXPORTS_ANIMESH_OFFSETS_H
#define RETROPOSE_EXPORTS_ANIMESH_OFFSETS_H

#include "exports/animesh.abi.h"

#define OFFSET_IN_READER(offset, type, count, name) READER_AT_##name = (offset),
#define OFFSET_IN_PIECE(offset, type, count, name)  PIECE_AT_##name = (offset),
#define OFFSET_IN_MESH(offset, type, count, name)   MESH_AT_##name = (offset),
enum { ABI_READER_FIELDS(OFFSET_IN_READER) };
enum { ABI_PIECE_FIELDS(OFFSET_IN_PIECE) };
enum { ABI_MESH_FIELDS(OFFSET_IN_MESH) };

#endif
