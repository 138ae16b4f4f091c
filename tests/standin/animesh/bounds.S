/* FillBoxCorners 0x10011850, IJointMesh 3 to 5, IMesh2 9 to 15, MeshBounds 0x10009510
 * (facts/animesh.md E.11, E.12). */
#include "mesh.inc"

    x87_arithmetic

#define BOX_BYTES 96
#define POINT(n)  (12 * (n))

/* ---- points ---- */

/* Transforms in place. Without a matrix the points stay. */
own_function transform_points, matrix, points, count
    mov esi, [ebp+matrix]
    mov edi, [ebp+points]
    mov ebx, [ebp+count]
    test esi, esi
    jz transform_done
transform_next:
    .irp row, 0, 16, 32
    DOT3 0, [esi+\row], [edi], [esi+\row+4], [edi+4], [esi+\row+8], [edi+8]
    LOAD [esi+\row+12]
    ADD_
    .endr
    STORE [edi+8]
    STORE [edi+4]
    STORE [edi]
    add edi, 12
    dec ebx
    jnz transform_next
transform_done:
    own_leave

/* Scales in place, axis by axis, whether the object is scaled or not. */
own_function scale_points, mesh, points, count
    mov ebx, [ebp+mesh]
    mov edi, [ebp+points]
    mov ecx, [ebp+count]
scale_next:
    .irp i, 0, 4, 8
    PRODUCT [edi+\i], [ebx+MESH_SCALE+\i]
    STORE [edi+\i]
    .endr
    add edi, 12
    loop scale_next
    own_leave

own_function scale_radius, mesh, number
    mov ebx, [ebp+mesh]
    mov edi, [ebp+number]
    lea esi, [ebx+MESH_SCALE]
    .irp i, 4, 8
    LOAD [esi]
    LOAD [ebx+MESH_SCALE+\i]
    UNLESS_LESS largest_not_\i
    lea esi, [ebx+MESH_SCALE+\i]
largest_not_\i\():
    .endr
    PRODUCT [edi], [esi]
    STORE [edi]
    own_leave

/* The limits are low x, y, z and high x, y, z. With `new` they begin as the first point. */
own_function extend_limits, limits, points, count, new
    mov edi, [ebp+limits]
    mov esi, [ebp+points]
    cmp dword ptr [ebp+new], 0
    je extend_next
    move3 esi, 0, edi, 0
    move3 esi, 0, edi, 12
extend_next:
    .irp i, 0, 4, 8
    LOAD [esi+\i]
    LOAD [edi+\i]
    UNLESS_LESS extend_not_low_\i
    move [esi+\i], [edi+\i]
extend_not_low_\i\():
    LOAD [edi+\i+12]
    LOAD [esi+\i]
    UNLESS_LESS extend_not_high_\i
    move [esi+\i], [edi+\i+12]
extend_not_high_\i\():
    .endr
    add esi, 12
    dec dword ptr [ebp+count]
    jnz extend_next
    own_leave

/* A corner takes the maximum, at esi+12, on the named axes. */
.macro corner n, x, y, z
    move [esi+12*\x], [ebp+result+POINT(\n)]
    move [esi+12*\y+4], [ebp+result+POINT(\n)+4]
    move [esi+12*\z+8], [ebp+result+POINT(\n)+8]
.endm

FUNCTION(animesh_FillBoxCorners)
    enter_animesh_FillBoxCorners least, most, corners
    local_block result, BOX_BYTES
    local_block limits, 24
    mov esi, [ebp+least]
    move3 esi, 0, ebp, limits
    mov esi, [ebp+most]
    move3 esi, 0, ebp, limits+12
    lea esi, [ebp+limits]
    corner 0, 0, 0, 0
    corner 1, 1, 0, 0
    corner 2, 1, 1, 0
    corner 3, 0, 1, 0
    corner 4, 0, 1, 1
    corner 5, 0, 0, 1
    corner 6, 1, 0, 1
    corner 7, 1, 1, 1
    copy_out 24, result, corners
    leave_animesh_FillBoxCorners

own_function fill_from_limits, limits, corners
    mov esi, [ebp+limits]
    lea edi, [esi+12]
    invoke_animesh_FillBoxCorners animesh_FillBoxCorners, r, esi, r, edi, m, [ebp+corners]
    own_leave

/* Computes the centre, and as radius half the diagonal. */
own_function sphere_of_corners, corners, sphere
    local_block d, 12
    mov esi, [ebp+corners]
    mov edi, [ebp+sphere]
    DIFFERENCE3 esi, POINT(7), esi, 0, d
    .irp i, 0, 4, 8
    LOAD [esi+\i]
    LOAD [esi+POINT(7)+\i]
    ADD_
    LOAD [constant_half]
    MULTIPLY
    STORE [edi+\i]
    .endr
    DOT d, d
    ROOT
    LOAD [constant_half]
    MULTIPLY
    STORE [edi+12]
    own_leave

.macro middle a, b, to
    .irp i, 0, 4, 8
    LOAD [esi+POINT(\a)+\i]
    LOAD [esi+POINT(\b)+\i]
    ADD_
    LOAD [constant_half]
    MULTIPLY
    STORE [edi+\to+\i]
    .endr
.endm

own_function capsule_of_corners, corners, capsule
    local_block d, 12
    mov esi, [ebp+corners]
    mov edi, [ebp+capsule]
    DIFFERENCE3 esi, POINT(7), esi, 0, d
    LOAD [ebp+d+8]
    LOAD [ebp+d]
    UNLESS_LESS capsule_not_below_x
    jmp capsule_not_z
capsule_not_below_x:
    LOAD [ebp+d+8]
    LOAD [ebp+d+4]
    UNLESS_LESS capsule_z
capsule_not_z:
    LOAD [ebp+d]
    LOAD [ebp+d+4]
    UNLESS_LESS capsule_x
    middle 3, 7, 0
    middle 0, 6, 12
    jmp capsule_radius
capsule_x:
    middle 1, 7, 0
    middle 0, 4, 12
    jmp capsule_radius
capsule_z:
    middle 5, 7, 0
    middle 0, 2, 12
capsule_radius:
    DIFFERENCE3 edi, 0, esi, POINT(7), d
    DOT d, d
    ROOT
    STORE [edi+24]
    own_leave

/* ---- one piece ---- */

/* Returns in eax the piece's matrix in that space, or 0. */
own_function matrix_of, piece, space
    mov eax, [ebp+piece]
    mov ecx, [ebp+space]
    cmp ecx, MODE_MODEL
    je matrix_is_model
    cmp ecx, MODE_WORLD
    je matrix_is_world
    xor eax, eax
    jmp matrix_known
matrix_is_model:
    add eax, PIECE_MODEL - PIECE_WORLD
matrix_is_world:
    add eax, PIECE_WORLD
matrix_known:
    own_leave

/* Gives column 3, or zeros without a matrix. */
own_function origin_of, matrix, point
    mov esi, [ebp+matrix]
    mov edi, [ebp+point]
    xor eax, eax
    mov [edi], eax
    mov [edi+4], eax
    mov [edi+8], eax
    test esi, esi
    jz origin_known
    move [esi+TRANSLATION_X], [edi]
    move [esi+TRANSLATION_Y], [edi+4]
    move [esi+TRANSLATION_Z], [edi+8]
origin_known:
    own_leave

own_function piece_corners, mesh, piece, space, corners
    local_block limits, 24
    local_block of_piece, 4 /* its matrix */
    mov ebx, [ebp+mesh]
    own_call matrix_of, [ebp+piece], [ebp+space]
    mov [ebp+of_piece], eax
    own_call slot_of_variant, [ebp+piece], -1
    test eax, eax
    jz corners_without_slot
    lea esi, [eax+SLOT_LOW]
    lea edi, [ebp+limits]
    copy_dwords 6
    lea edi, [ebp+limits]
    cmp dword ptr [ebx+MESH_SCALED], 0
    je corners_unscaled
    own_call scale_points, ebx, edi, 2
corners_unscaled:
    own_call fill_from_limits, edi, [ebp+corners]
    own_call transform_points, [ebp+of_piece], [ebp+corners], 8
    jmp corners_done
corners_without_slot:
    mov edi, [ebp+corners]
    mov ebx, 8
corners_next:
    own_call origin_of, [ebp+of_piece], edi
    add edi, 12
    dec ebx
    jnz corners_next
corners_done:
    own_leave

own_function piece_sphere, mesh, piece, space, sphere
    local_block of_piece, 4
    mov ebx, [ebp+mesh]
    mov edi, [ebp+sphere]
    own_call matrix_of, [ebp+piece], [ebp+space]
    mov [ebp+of_piece], eax
    own_call slot_of_variant, [ebp+piece], -1
    test eax, eax
    jz sphere_without_slot
    lea esi, [eax+SLOT_SPHERE]
    copy_dwords 4
    mov edi, [ebp+sphere]
    cmp dword ptr [ebx+MESH_SCALED], 0
    je sphere_unscaled
    own_call scale_points, ebx, edi, 1
    lea esi, [edi+12]
    own_call scale_radius, ebx, esi
sphere_unscaled:
    own_call transform_points, [ebp+of_piece], edi, 1
    jmp sphere_done
sphere_without_slot:
    own_call origin_of, [ebp+of_piece], edi
    mov dword ptr [edi+12], 0
sphere_done:
    own_leave

/* ---- a piece and what hangs on it ---- */

#define SCOPE_SINGLE  0
#define SCOPE_MESH    1
#define SCOPE_SUBTREE 2

/* Returns in eax what a request is about. */
own_function scope_of, node, space, request
    mov esi, [ebp+request]
    mov ecx, [ebp+space]
    xor eax, eax
    cmp dword ptr [esi+12], 1
    je scope_known
    cmp ecx, MODE_MODEL
    je scope_wide
    cmp ecx, MODE_WORLD
    jne scope_known
scope_wide:
    inc eax
    cmp dword ptr [ebp+node], 0
    je scope_known
    inc eax
scope_known:
    own_leave

/* Returns in eax how many pieces were joined: the children of a piece that satisfy the request, and
 * their children. */
own_function join_children, mesh, node, space, request, limits
    local_block corners, BOX_BYTES
    local_block joined, 4
    mov dword ptr [ebp+joined], 0
    mov ebx, [ebp+mesh]
    load_node
    own_call node_flags, esi
    test eax, 0x10
    jnz join_done
    cmp dword ptr [ebp+space], MODE_MODEL
    jne join_begin
    test eax, 4
    jnz join_done
join_begin:
    mov edi, [ebp+node]
join_next:
    inc edi
    cmp edi, [ebx+MESH_PIECE_COUNT]
    jae join_done
    add esi, PIECE_STRIDE
    mov eax, [esi+PIECE_PARENT]
    cmp eax, [ebp+node]
    jne join_next
    own_call node_flags, esi
    mov edx, [ebp+request]
    test eax, [edx+4]
    jnz join_next
    not eax
    test eax, [edx]
    jnz join_next
    inc dword ptr [ebp+joined]
    push edi
    lea edi, [ebp+corners]
    own_call piece_corners, ebx, esi, [ebp+space], edi
    own_call extend_limits, [ebp+limits], edi, 8, 0
    pop edi
    own_call join_children, ebx, edi, [ebp+space], [ebp+request], [ebp+limits]
    jmp join_next
join_done:
    mov eax, [ebp+joined]
    own_leave

own_function box_of, mesh, node, space, request, corners
    local_block limits, 24
    mov ebx, [ebp+mesh]
    load_node
    own_call scope_of, [ebp+node], [ebp+space], [ebp+request]
    cmp eax, SCOPE_MESH
    je box_of_mesh
    push eax
    own_call piece_corners, ebx, esi, [ebp+space], [ebp+corners]
    pop eax
    cmp eax, SCOPE_SINGLE
    je box_done
    lea edi, [ebp+limits]
    own_call extend_limits, edi, [ebp+corners], 8, 1
    own_call join_children, ebx, [ebp+node], [ebp+space], [ebp+request], edi
    test eax, eax
    jz box_done
    own_call fill_from_limits, edi, [ebp+corners]
    jmp box_done
box_of_mesh:
    lea esi, [ebx+MESH_BOX]
    mov edi, [ebp+corners]
    copy_dwords 24
    cmp dword ptr [ebp+space], MODE_WORLD
    jne box_done
    lea esi, [ebx+MESH_PLACEMENT]
    own_call transform_points, esi, [ebp+corners], 8
box_done:
    own_leave

FUNCTION(animesh_IJointMesh_4)
    enter_animesh_IJointMesh_4 self, node, space, request, corners
    load_mesh JOINT_MESH_AT
    own_call box_of, ebx, [ebp+node], [ebp+space], [ebp+request], [ebp+corners]
    leave_animesh_IJointMesh_4

FUNCTION(animesh_IJointMesh_3)
    enter_animesh_IJointMesh_3 self, node, space, request, sphere
    local_block corners, BOX_BYTES
    load_mesh JOINT_MESH_AT
    load_node
    own_call scope_of, [ebp+node], [ebp+space], [ebp+request]
    cmp eax, SCOPE_MESH
    jb sphere_of_piece
    je sphere_of_mesh
    lea edi, [ebp+corners]
    own_call box_of, ebx, [ebp+node], [ebp+space], [ebp+request], edi
    own_call sphere_of_corners, edi, [ebp+sphere]
    jmp sphere_return
sphere_of_piece:
    own_call piece_sphere, ebx, esi, [ebp+space], [ebp+sphere]
    jmp sphere_return
sphere_of_mesh:
    mov ecx, [ebp+request]
    lea esi, [ebx+MESH_NODE_SPHERE]
    mov eax, [ecx]
    or eax, [ecx+4]
    or eax, [ecx+8]
    or eax, [ecx+12]
    jz sphere_chosen
    lea esi, [ebx+MESH_AGENT_SPHERE]
sphere_chosen:
    mov edi, [ebp+sphere]
    copy_dwords 4
    cmp dword ptr [ebp+space], MODE_WORLD
    jne sphere_return
    lea esi, [ebx+MESH_PLACEMENT]
    own_call transform_points, esi, [ebp+sphere], 1
sphere_return:
    leave_animesh_IJointMesh_3

FUNCTION(animesh_IJointMesh_5)
    enter_animesh_IJointMesh_5 self, node, space, request, capsule
    local_block corners, BOX_BYTES
    load_mesh JOINT_MESH_AT
    lea edi, [ebp+corners]
    own_call box_of, ebx, [ebp+node], [ebp+space], [ebp+request], edi
    own_call capsule_of_corners, edi, [ebp+capsule]
    leave_animesh_IJointMesh_5

/* ---- the object ---- */

FUNCTION(animesh_IMesh2_9)
    enter_animesh_IMesh2_9 self, space, centre, radius
    load_mesh MESH2_AT
    mov edi, [ebp+centre]
    move3 ebx, MESH_AGENT_SPHERE, edi, 0
    mov esi, [ebp+radius]
    move [ebx+MESH_AGENT_SPHERE+12], [esi]
    cmp dword ptr [ebp+space], MODE_WORLD
    jne agent_sphere_return
    lea esi, [ebx+MESH_PLACEMENT]
    own_call transform_points, esi, edi, 1
agent_sphere_return:
    leave_animesh_IMesh2_9

FUNCTION(animesh_IMesh2_12)
    enter_animesh_IMesh2_12 self, space, capsule
    load_mesh MESH2_AT
    lea esi, [ebx+MESH_CAPSULE]
    mov edi, [ebp+capsule]
    copy_dwords 7
    cmp dword ptr [ebp+space], MODE_WORLD
    jne capsule_return
    lea esi, [ebx+MESH_PLACEMENT]
    own_call transform_points, esi, [ebp+capsule], 2
capsule_return:
    leave_animesh_IMesh2_12

FUNCTION_ELSEWHERE(animesh_IMesh2_14)
    enter_animesh_IMesh2_14 self, scale
    load_mesh MESH2_AT
    mov edi, [ebp+scale]
    move3 ebx, MESH_SCALE, edi, 0
    leave_animesh_IMesh2_14

FUNCTION(animesh_IMesh2_15)
    enter_animesh_IMesh2_15 self, scale
    load_mesh MESH2_AT
    mov esi, [ebp+scale]
    move3 esi, 0, ebx, MESH_SCALE
    mov dword ptr [ebx+MESH_SCALED], 1
    .irp i, 0, 4, 8
    LOAD [ebx+MESH_SCALE+\i]
    ONE
    UNLESS_EQUAL scale_differs
    .endr
    mov dword ptr [ebx+MESH_SCALED], 0
scale_differs:
    invoke_animesh_ClearPoseCache animesh_ClearPoseCache, r, ebx
    invoke_animesh_PoseWalk animesh_PoseWalk, r, ebx
    lea edi, [ebx+MESH_BOX] /* box B behind it */
    own_call scale_points, ebx, edi, 16
    .irp sphere, MESH_AGENT_SPHERE, MESH_NODE_SPHERE
    lea edi, [ebx+\sphere]
    own_call scale_points, ebx, edi, 1
    add edi, 12
    own_call scale_radius, ebx, edi
    .endr
    lea edi, [ebx+MESH_CAPSULE]
    own_call scale_points, ebx, edi, 2
    add edi, 24
    own_call scale_radius, ebx, edi
    leave_animesh_IMesh2_15

/* ---- MeshBounds ---- */

#define HEADER_BYTES 0x8C

/* Copies a part's header in its own space, scaled if the object is. */
own_function part_header, mesh, piece, header
    mov ebx, [ebp+mesh]
    mov esi, [ebp+piece]
    mov esi, [esi+PIECE_READER]
    mov esi, [esi+READER_HEADER]
    mov edi, [ebp+header]
    copy_dwords HEADER_BYTES/4
    cmp dword ptr [ebx+MESH_SCALED], 0
    je part_header_known
    mov edi, [ebp+header]
    own_call scale_points, ebx, edi, 9 /* the corners and the centre behind them */
    lea esi, [edi+HEADER_SPHERE+12]
    own_call scale_radius, ebx, esi
    lea esi, [edi+HEADER_CAPSULE]
    own_call scale_points, ebx, esi, 2
    lea esi, [edi+HEADER_CAPSULE+24]
    own_call scale_radius, ebx, esi
part_header_known:
    own_leave

/* Returns in eax the model matrix that a part's header is in, or 0. */
own_function part_matrix, mesh, piece
    mov ebx, [ebp+mesh]
    mov esi, [ebp+piece]
    xor eax, eax
    cmp [esi+PIECE_TAG], eax
    je part_matrix_known
    parent_of esi, part_parent_known
    test eax, eax
    jz part_matrix_known
    add eax, PIECE_MODEL
part_matrix_known:
    own_leave

/* The members of a join return eax = 1 and the sphere, or 0 if the piece is no member. */
own_function part_member, mesh, node, sphere
    local_block header, HEADER_BYTES
    mov ebx, [ebp+mesh]
    load_node
    xor eax, eax
    test dword ptr [esi+PIECE_FLAGS], FLAG_FIRST_OF_PART
    jz part_member_known
    lea edi, [ebp+header]
    own_call part_header, ebx, esi, edi
    own_call part_matrix, ebx, esi
    lea esi, [ebp+header+HEADER_SPHERE]
    mov edi, [ebp+sphere]
    copy_dwords 4
    own_call transform_points, eax, [ebp+sphere], 1
    mov eax, 1
part_member_known:
    own_leave

own_function node_member, mesh, node, sphere
    local_block corners, BOX_BYTES
    mov ebx, [ebp+mesh]
    load_node
    xor eax, eax
    cmp [ebp+node], eax
    je node_member_known
    own_call node_flags, esi
    and eax, 1
    xor eax, 1
    jz node_member_known
    mov edi, [ebp+sphere]
    own_call slot_of_variant, esi, -1
    test eax, eax
    jz node_without_slot
    lea edi, [ebp+corners]
    own_call piece_corners, ebx, esi, MODE_MODEL, edi
    own_call sphere_of_corners, edi, [ebp+sphere]
    mov eax, 1
    jmp node_member_known
node_without_slot:
    own_call matrix_of, esi, MODE_MODEL
    own_call origin_of, eax, edi
    mov dword ptr [edi+12], 0
    mov eax, 1
node_member_known:
    own_leave

.set at_x, 0
.set at_y, 4
.set at_z, 8
/* Makes two passes over the members: for the weighted centre, and then for the largest reach. */
own_function join_spheres, mesh, member, joined
    local_block sphere, 16
    local_block result, 16
    local_block reach, 4
    local_block d, 12
    local_block sum_x, 12
    local_block sum_y, 12
    local_block sum_z, 12
    local_block sum_w, 12
    mov ebx, [ebp+mesh]
    .irp sum, sum_x, sum_y, sum_z, sum_w
    ZERO
    KEEP [ebp+\sum]
    .endr
    xor edi, edi
sum_next:
    cmp edi, [ebx+MESH_PIECE_COUNT]
    jae sum_done
    lea esi, [ebp+sphere]
    push esi
    push edi
    push ebx
    call dword ptr [ebp+member]
    inc edi
    test eax, eax
    jz sum_next
    .irp k, x, y, z
    RECALL [ebp+sum_\k]
    PRODUCT [ebp+sphere+at_\k], [ebp+sphere+12]
    ADD_
    KEEP [ebp+sum_\k]
    .endr
    RECALL [ebp+sum_w]
    LOAD [ebp+sphere+12]
    ADD_
    KEEP [ebp+sum_w]
    jmp sum_next
sum_done:
    mov dword ptr [ebp+result+12], 0
    RECALL [ebp+sum_w]
    ZERO
    UNLESS_EQUAL sum_is_weight
    mov dword ptr [ebp+result], 0
    mov dword ptr [ebp+result+4], 0
    mov dword ptr [ebp+result+8], 0
    jmp reach_done
sum_is_weight:
    .irp k, x, y, z
    RECALL [ebp+sum_\k]
    RECALL [ebp+sum_w]
    DIVIDE
    STORE [ebp+result+at_\k]
    .endr
    xor edi, edi
reach_next:
    cmp edi, [ebx+MESH_PIECE_COUNT]
    jae reach_done
    lea esi, [ebp+sphere]
    push esi
    push edi
    push ebx
    call dword ptr [ebp+member]
    inc edi
    test eax, eax
    jz reach_next
    DIFFERENCE3 ebp, sphere, ebp, result, d
    DOT d, d
    ROOT
    LOAD [ebp+sphere+12]
    ADD_
    STORE [ebp+reach]
    LOAD [ebp+result+12]
    LOAD [ebp+reach]
    UNLESS_LESS reach_next
    move [ebp+reach], [ebp+result+12]
    jmp reach_next
reach_done:
    lea esi, [ebp+result]
    mov edi, [ebp+joined]
    copy_dwords 4
    own_leave

/* Computes the box of several parts, and what follows from it. */
own_function join_parts, mesh
    local_block limits, 24
    local_block header, HEADER_BYTES
    local_block new, 4
    local_block index, 4
    mov ebx, [ebp+mesh]
    mov dword ptr [ebp+new], 1
    mov dword ptr [ebp+index], 0
parts_next:
    mov eax, [ebp+index]
    cmp eax, [ebx+MESH_PIECE_COUNT]
    jae parts_done
    inc dword ptr [ebp+index]
    load_piece eax
    test dword ptr [esi+PIECE_FLAGS], FLAG_FIRST_OF_PART
    jz parts_next
    lea edi, [ebp+header]
    own_call part_header, ebx, esi, edi
    own_call part_matrix, ebx, esi
    own_call transform_points, eax, edi, 8 /* the corners, which are first */
    lea esi, [ebp+limits]
    own_call extend_limits, esi, edi, 8, [ebp+new]
    mov dword ptr [ebp+new], 0
    jmp parts_next
parts_done:
    lea esi, [ebp+limits]
    lea edi, [ebx+MESH_BOX]
    own_call fill_from_limits, esi, edi
    lea esi, [ebx+MESH_CAPSULE]
    own_call capsule_of_corners, edi, esi
    lea edi, [ebx+MESH_AGENT_SPHERE]
    mov esi, offset part_member
    own_call join_spheres, ebx, esi, edi
    own_leave

FUNCTION(animesh_MeshBounds)
    enter_animesh_MeshBounds self
    local_block first_part, 4
    local_block header, HEADER_BYTES
    load_mesh
    invoke_animesh_PoseWalk animesh_PoseWalk, r, ebx
    xor edx, edx /* parts */
    mov ecx, [ebx+MESH_PIECE_COUNT]
    mov esi, [ebx+MESH_PIECES]
bounds_next:
    sub ecx, 1
    jb bounds_counted
    test dword ptr [esi+PIECE_FLAGS], FLAG_FIRST_OF_PART
    lea esi, [esi+PIECE_STRIDE]
    jz bounds_next
    inc edx
    cmp edx, 1
    jne bounds_next
    lea eax, [esi-PIECE_STRIDE]
    mov [ebp+first_part], eax
    jmp bounds_next
bounds_counted:
    cmp edx, 1
    jb bounds_nodes
    je bounds_of_header
    own_call join_parts, ebx
    jmp bounds_box_b
bounds_of_header:
    lea esi, [ebp+header]
    own_call part_header, ebx, [ebp+first_part], esi
    lea edi, [ebx+MESH_BOX]
    copy_dwords 24
    lea edi, [ebx+MESH_AGENT_SPHERE]
    copy_dwords 4
    lea edi, [ebx+MESH_CAPSULE]
    copy_dwords 7
bounds_box_b:
    lea esi, [ebx+MESH_BOX]
    lea edi, [ebx+MESH_BOX_B]
    copy_dwords 24
bounds_nodes:
    mov esi, offset node_member
    lea edi, [ebx+MESH_NODE_SPHERE]
    own_call join_spheres, ebx, esi, edi
    leave_animesh_MeshBounds
