/* The original's records that our functions work on, made from the rows of the ABI table. In 32-bit
 * programs they have the original's layout to the byte. On other machines pointers are wider, so
 * only the names of the fields are the same. */
#ifndef RETROPOSE_ANIMESH_LAYOUT_H
#define RETROPOSE_ANIMESH_LAYOUT_H

#include "exports/animesh.abi.h"

#include <stddef.h>
#include <stdint.h>

typedef uint8_t Layout_u8;
typedef int32_t Layout_i32;
typedef uint32_t Layout_u32;
typedef float Layout_f32;
typedef const uint8_t *Layout_ref;
typedef uintptr_t Layout_any;

#define LAYOUT_MEMBER_1(type, name)  Layout_##type name;
#define LAYOUT_MEMBER_2(type, name)  Layout_##type name[2];
#define LAYOUT_MEMBER_3(type, name)  Layout_##type name[3];
#define LAYOUT_MEMBER_4(type, name)  Layout_##type name[4];
#define LAYOUT_MEMBER_5(type, name)  Layout_##type name[5];
#define LAYOUT_MEMBER_6(type, name)  Layout_##type name[6];
#define LAYOUT_MEMBER_7(type, name)  Layout_##type name[7];
#define LAYOUT_MEMBER_8(type, name)  Layout_##type name[8];
#define LAYOUT_MEMBER_9(type, name)  Layout_##type name[9];
#define LAYOUT_MEMBER_16(type, name) Layout_##type name[16];
#define LAYOUT_MEMBER_24(type, name) Layout_##type name[24];
#define LAYOUT_MEMBER_32(type, name) Layout_##type name[32];

#define LAYOUT_MEMBER(offset, type, count, name) LAYOUT_MEMBER_##count(type, name)

/* The record that the loader 0x10015FD0 fills. */
typedef struct Reader {
    ABI_READER_FIELDS(LAYOUT_MEMBER)
} Reader;

/* One node of a loaded model. */
typedef struct Piece {
    ABI_PIECE_FIELDS(LAYOUT_MEMBER)
} Piece;

/* The object behind LoadAniMesh, as far as it is public. */
typedef struct Mesh {
    ABI_MESH_FIELDS(LAYOUT_MEMBER)
} Mesh;

typedef struct MeshQuery {
    ABI_QUERY_FIELDS(LAYOUT_MEMBER)
} MeshQuery;

typedef struct MeshHit {
    ABI_HIT_FIELDS(LAYOUT_MEMBER)
} MeshHit;

typedef struct JointRequest {
    ABI_JOINT_REQUEST_FIELDS(LAYOUT_MEMBER)
} JointRequest;

typedef struct MeshFace {
    ABI_FACE_FIELDS(LAYOUT_MEMBER)
} MeshFace;

typedef struct MeshAppend {
    ABI_APPEND_FIELDS(LAYOUT_MEMBER)
} MeshAppend;

typedef struct AgentPart {
    ABI_PART_FIELDS(LAYOUT_MEMBER)
} AgentPart;

#define LAYOUT_CHECK(record, offset, name)                                                         \
    _Static_assert(offsetof(record, name) == (offset), #record "." #name);
#define LAYOUT_CHECK_QUERY(offset, type, count, name)   LAYOUT_CHECK(MeshQuery, offset, name)
#define LAYOUT_CHECK_HIT(offset, type, count, name)     LAYOUT_CHECK(MeshHit, offset, name)
#define LAYOUT_CHECK_REQUEST(offset, type, count, name) LAYOUT_CHECK(JointRequest, offset, name)
#define LAYOUT_CHECK_FACE(offset, type, count, name)    LAYOUT_CHECK(MeshFace, offset, name)
#define LAYOUT_CHECK_APPEND(offset, type, count, name)  LAYOUT_CHECK(MeshAppend, offset, name)
#define LAYOUT_CHECK_PART(offset, type, count, name)    LAYOUT_CHECK(AgentPart, offset, name)
ABI_QUERY_FIELDS(LAYOUT_CHECK_QUERY)
ABI_HIT_FIELDS(LAYOUT_CHECK_HIT)
ABI_JOINT_REQUEST_FIELDS(LAYOUT_CHECK_REQUEST)
ABI_FACE_FIELDS(LAYOUT_CHECK_FACE)
ABI_APPEND_FIELDS(LAYOUT_CHECK_APPEND)
ABI_PART_FIELDS(LAYOUT_CHECK_PART)
_Static_assert(sizeof(MeshQuery) == ABI_QUERY_SIZE, "MeshQuery");
_Static_assert(sizeof(MeshHit) == ABI_HIT_SIZE, "MeshHit");
_Static_assert(sizeof(JointRequest) == ABI_JOINT_REQUEST_SIZE, "JointRequest");
_Static_assert(sizeof(MeshFace) == ABI_FACE_SIZE, "MeshFace");
_Static_assert(sizeof(MeshAppend) == ABI_APPEND_SIZE, "MeshAppend");
_Static_assert(sizeof(AgentPart) == ABI_PART_SIZE, "AgentPart");

#if UINTPTR_MAX == UINT32_MAX
#define LAYOUT_CHECK_READER(offset, type, count, name) LAYOUT_CHECK(Reader, offset, name)
#define LAYOUT_CHECK_PIECE(offset, type, count, name)  LAYOUT_CHECK(Piece, offset, name)
#define LAYOUT_CHECK_MESH(offset, type, count, name)   LAYOUT_CHECK(Mesh, offset, name)
ABI_READER_FIELDS(LAYOUT_CHECK_READER)
ABI_PIECE_FIELDS(LAYOUT_CHECK_PIECE)
ABI_MESH_FIELDS(LAYOUT_CHECK_MESH)
_Static_assert(sizeof(Reader) == ABI_READER_SIZE, "Reader");
_Static_assert(sizeof(Piece) == ABI_PIECE_SIZE, "Piece");
_Static_assert(sizeof(Mesh) == ABI_MESH_SIZE, "Mesh");
#endif

#endif
