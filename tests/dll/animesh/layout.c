/* Compares the records and methods that facts/animesh.md C and D give with what the ABI tables make
 * of them, at compile time. The numbers here are not taken from the tables. */
#include "animesh/layout.h"
#include "vtables-animesh.h"

#define AT(record, offset, field)                                                                  \
    _Static_assert(offsetof(record, field) == (offset), #record "." #field);

/* as in facts/animesh.md C.4 */
AT(Mesh, 0x00, animation)
AT(Mesh, 0x04, mesh2)
AT(Mesh, 0x08, joint_mesh)
AT(Mesh, 0x0C, collision_mesh)
AT(Mesh, 0x10, save)
AT(Mesh, 0x14, query)
AT(Mesh, 0x24, material_manager)
AT(Mesh, 0x30, life_system)
AT(Mesh, 0x3C, shade)
AT(Mesh, 0x54, box)
AT(Mesh, 0xB4, box_b)
AT(Mesh, 0x114, agent_centre)
AT(Mesh, 0x120, agent_radius)
AT(Mesh, 0x124, node_centre)
AT(Mesh, 0x130, node_radius)
AT(Mesh, 0x134, capsule)
AT(Mesh, 0x154, scaled)
AT(Mesh, 0x158, scale)
AT(Mesh, 0x164, placement)
AT(Mesh, 0x1A8, pieces)
AT(Mesh, 0x1AC, piece_count)
AT(Mesh, 0x1C8, views)
AT(Mesh, 0x1E4, a_first)
AT(Mesh, 0x1E8, a_last)
AT(Mesh, 0x1EC, b_first)
AT(Mesh, 0x1F0, b_last)
AT(Mesh, 0x1F4, phase)
AT(Mesh, 0x1F8, weight)
AT(Mesh, 0x1FC, unknown_1fc)
AT(Mesh, 0x1FD, unknown_1fd)
AT(Mesh, 0x204, worn_manager)
AT(Mesh, 0x208, worn_handle)
AT(Mesh, 0x21C, life_colour)
AT(Mesh, 0x22C, life_step)

/* as in facts/animesh.md D.1 */
_Static_assert(sizeof(Piece) == 0x130, "Piece");
AT(Piece, 0x000, tag)
AT(Piece, 0x004, part_base)
AT(Piece, 0x008, node)
AT(Piece, 0x010, material_base)
AT(Piece, 0x014, flags)
AT(Piece, 0x018, parent)
AT(Piece, 0x01C, variant)
AT(Piece, 0x020, world)
AT(Piece, 0x060, model)
AT(Piece, 0x0A0, local)
AT(Piece, 0x0E0, previous_tilt)
AT(Piece, 0x0F0, tilt)
AT(Piece, 0x100, a_first)
AT(Piece, 0x104, a_last)
AT(Piece, 0x108, b_first)
AT(Piece, 0x10C, b_last)
AT(Piece, 0x110, cache_valid)
AT(Piece, 0x111, flying)
AT(Piece, 0x112, own_segment)
AT(Piece, 0x113, tilted)
AT(Piece, 0x114, phase)
AT(Piece, 0x118, weight)
AT(Piece, 0x11C, cached_a)
AT(Piece, 0x120, cached_b)
AT(Piece, 0x124, life)
AT(Piece, 0x128, material_phase)
AT(Piece, 0x12C, reader)

/* as in facts/animesh.md D.2 */
_Static_assert(sizeof(Reader) == 0xA4, "Reader");
AT(Reader, 0x00, nodes)
AT(Reader, 0x04, header)
AT(Reader, 0x08, slots)
AT(Reader, 0x0C, positions)
AT(Reader, 0x10, normals)
AT(Reader, 0x14, uv0)
AT(Reader, 0x18, keys)
AT(Reader, 0x1C, frame_map)
AT(Reader, 0x20, strings)
AT(Reader, 0x24, triangles)
AT(Reader, 0x28, batches)
AT(Reader, 0x2C, indices)
AT(Reader, 0x30, res20)
AT(Reader, 0x34, res15)
AT(Reader, 0x38, res16)
AT(Reader, 0x3C, position_stream)
AT(Reader, 0x5C, uv0_stream)
AT(Reader, 0x64, uv1_stream)
AT(Reader, 0x8C, res15_stream)
AT(Reader, 0x9C, frame_count)
AT(Reader, 0xA0, res20_count)

/* as in facts/animesh.md D.4, C.1 */
AT(MeshQuery, 0x00, class_mask)
AT(MeshQuery, 0x0C, skip_parts)
AT(MeshQuery, 0x10, required_batch)
AT(MeshQuery, 0x14, excluded_batch)
AT(MeshQuery, 0x18, required_triangle)
AT(MeshQuery, 0x1C, excluded_triangle)
AT(MeshAppend, 0x20, member)
AT(MeshAppend, 0x40, part)
AT(MeshAppend, 0x44, piece)
AT(MeshAppend, 0x48, material)

/* ---- methods: addresses of C.5 to C.8 -------------------------------------------------------- */

enum {
#define METHOD(interface, number, rva, ...) interface##_##number##_rva = rva,
    ABI_ANIMESH_METHODS(METHOD)
#undef METHOD
};

#define NUMBER(interface, number, address)                                                         \
    _Static_assert(interface##_##number##_rva == (address)-0x10000000, #interface " " #number);
NUMBER(IAnimation, 2, 0x10006FC0)
NUMBER(IAnimation, 3, 0x100051F0)
NUMBER(IAnimation, 4, 0x10005320)
NUMBER(IAnimation, 6, 0x100054B0)
NUMBER(IAnimation, 7, 0x100054E0)
NUMBER(IAnimation, 8, 0x10005500)
NUMBER(IAnimation, 9, 0x10005600)
NUMBER(IAnimation, 10, 0x10005630)
NUMBER(IAnimation, 12, 0x100056C0)
NUMBER(IAnimation, 14, 0x10005780)
NUMBER(IAnimation, 15, 0x100057C0)
NUMBER(IAnimation, 16, 0x100057F0)
NUMBER(IAnimation, 17, 0x10005810)
NUMBER(IAnimation, 18, 0x10005840)
NUMBER(IAnimation, 19, 0x10007E70)
NUMBER(IAnimation, 25, 0x10005890)
NUMBER(IAnimation, 26, 0x100058F0)
NUMBER(IAnimation, 27, 0x10005970)
NUMBER(IAnimation, 29, 0x10005B40)
NUMBER(IAnimation, 31, 0x10005C90)
NUMBER(IAnimation, 32, 0x10005DF0)
NUMBER(IAnimation, 33, 0x10005EC0)
NUMBER(IAnimation, 34, 0x10005F60)
NUMBER(IAnimation, 35, 0x10005FA0)
NUMBER(IMesh2, 3, 0x100134D0)
NUMBER(IMesh2, 4, 0x10007E80)
NUMBER(IMesh2, 5, 0x10013680)
NUMBER(IMesh2, 6, 0x10013EF0)
NUMBER(IMesh2, 7, 0x10013FE0)
NUMBER(IMesh2, 8, 0x100142D0)
NUMBER(IMesh2, 9, 0x10014580)
NUMBER(IMesh2, 11, 0x10014B30)
NUMBER(IMesh2, 12, 0x100146A0)
NUMBER(IMesh2, 14, 0x10014750)
NUMBER(IMesh2, 15, 0x10014770)
NUMBER(IJointMesh, 3, 0x1000F3B0)
NUMBER(IJointMesh, 4, 0x1000F760)
NUMBER(IJointMesh, 5, 0x1000FD60)
NUMBER(IJointMesh, 6, 0x100101D0)
NUMBER(IJointMesh, 7, 0x10010550)
NUMBER(IJointMesh, 10, 0x10010A50)
NUMBER(ICollisionMesh, 2, 0x1000CCB0)
NUMBER(ICollisionMesh, 3, 0x1000D410)

/* ---- vtables: lengths of C.4; every documented method has a body in ours --------------------- */

#define ONE(interface, number)  +1
#define NONE(interface, number) +0
#define LENGTH(interface, methods, bodies)                                                         \
    _Static_assert(VTABLE_##interface(ONE, ONE) == (methods), #interface);                         \
    _Static_assert(VTABLE_##interface(ONE, NONE) == (bodies), #interface " bodies");
LENGTH(IAnimation, 36, 26) /* documented are 0, 2 to 10, 12, 14 to 19, 25 to 27, 29 and 31 to 35 */
LENGTH(IMesh2, 16, 12)
LENGTH(IJointMesh, 12, 7)
LENGTH(ICollisionMesh, 4, 3)
