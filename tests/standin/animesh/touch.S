/* PointOverTriangle 0x1000D220, SphereTouchesFace 0x1000E900, SphereTouchesEdge 0x1000EB70
 * (facts/animesh.md E.15, E.16). */
#include "mesh.inc"

    x87_arithmetic

/* Loads into esi and edi both ends of the edge of that number at the corners ebx. eax is used. */
.macro edge_ends number
    mov eax, \number
    lea esi, [eax+2*eax]
    lea esi, [ebx+4*esi]
    lea edi, [esi+12]
    cmp eax, 2
    cmove edi, ebx
.endm

/* ---- PointOverTriangle ---- */

/* ebx points to the corners. The point and the answer are the function's parameters. */
FUNCTION_ELSEWHERE(animesh_PointOverTriangle)
    enter_animesh_PointOverTriangle triangle, point, answer
    local_block edge_b, 12 /* from a */
    local_block edge_c, 12
    local_block normal, 12
    local_block edge, 12
    local_block d, 12
    local_block gap, 8
    local_block side, 12
    local_block along, 12
    local_block whole, 12
    local_block number, 4
    mov ebx, [ebp+triangle]
    DIFFERENCE3 ebx, 12, ebx, 0, edge_b
    DIFFERENCE3 ebx, 24, ebx, 0, edge_c
    PRODUCT [ebp+edge_b], [ebp+edge_c+4]
    PRODUCT [ebp+edge_b+4], [ebp+edge_c]
    SUBTRACT
    KEEP [ebp+side]
    xor ecx, ecx /* the area is negative */
    RECALL [ebp+side]
    ZERO
    UNLESS_LESS over_not_negative
    jmp over_area_known
over_not_negative:
    inc ecx
    ZERO
    RECALL [ebp+side]
    UNLESS_LESS over_no_area
over_area_known:

    mov dword ptr [ebp+number], 0
over_next:
    edge_ends [ebp+number]
    mov edx, [ebp+point]
    DIFFERENCE3 edi, 0, esi, 0, edge
    .irp i, 0, 4
    LOAD [edx+\i]
    LOAD [esi+\i]
    SUBTRACT
    STORE [ebp+d+\i]
    .endr
    PRODUCT [ebp+edge], [ebp+d+4]
    PRODUCT [ebp+edge+4], [ebp+d]
    SUBTRACT
    KEEP [ebp+side]
    test ecx, ecx
    jz over_clockwise
    RECALL [ebp+side]
    ZERO
    UNLESS_LESS over_within
    jmp over_beyond
over_clockwise:
    ZERO
    RECALL [ebp+side]
    UNLESS_LESS over_within
    jmp over_beyond
over_within:
    inc dword ptr [ebp+number]
    cmp dword ptr [ebp+number], 3
    jb over_next

    CROSS ebp, edge_b, ebp, edge_c, ebp, normal
    .irp i, 0, 4
    LOAD [edx+\i]
    LOAD [ebx+\i]
    SUBTRACT
    STORE [ebp+d+\i]
    .endr
    LOAD [ebx+8]
    PRODUCT [ebp+normal], [ebp+d]
    PRODUCT [ebp+normal+4], [ebp+d+4]
    ADD_
    LOAD [ebp+normal+8]
    DIVIDE
    SUBTRACT
    mov edi, [ebp+answer]
    STORE [edi]
    mov dword ptr [edi+4], 0
    jmp over_found

over_beyond: /* the edge from esi to edi */
    PRODUCT [ebp+d], [ebp+edge]
    PRODUCT [ebp+d+4], [ebp+edge+4]
    ADD_
    KEEP [ebp+along]
    PRODUCT [ebp+edge], [ebp+edge]
    PRODUCT [ebp+edge+4], [ebp+edge+4]
    ADD_
    KEEP [ebp+whole]
    RECALL [ebp+along]
    ZERO
    UNLESS_LESS over_past_start
    jmp over_gap /* d is from the start */
over_past_start:
    RECALL [ebp+whole]
    RECALL [ebp+along]
    UNLESS_LESS over_between
    mov esi, edi
    .irp i, 0, 4
    LOAD [edx+\i]
    LOAD [esi+\i]
    SUBTRACT
    STORE [ebp+d+\i]
    .endr
over_gap: /* of d, at the height of esi */
    PRODUCT [ebp+d], [ebp+d]
    PRODUCT [ebp+d+4], [ebp+d+4]
    ADD_
    mov ecx, [esi+8]
    mov edi, [ebp+answer]
    STORE [edi+4]
    mov [edi], ecx
    jmp over_found

over_between:
    RECALL [ebp+along]
    RECALL [ebp+whole]
    DIVIDE
    .irp i, 0, 4
    LOAD [ebp+d+\i]
    PICK 1
    LOAD [ebp+edge+\i]
    MULTIPLY
    SUBTRACT
    STORE [ebp+gap+\i]
    .endr
    LOAD [ebp+edge+8]
    MULTIPLY
    LOAD [esi+8]
    ADD_
    mov edi, [ebp+answer]
    STORE [edi]
    PRODUCT [ebp+gap], [ebp+gap]
    PRODUCT [ebp+gap+4], [ebp+gap+4]
    ADD_
    STORE [edi+4]
over_found:
    mov eax, 1
    jmp over_return
over_no_area:
    xor eax, eax
over_return:
    leave_animesh_PointOverTriangle

/* ---- SphereTouchesFace ---- */

#define FACE_NORMAL 0x24

FUNCTION(animesh_SphereTouchesFace)
    enter_animesh_SphereTouchesFace face, centre, radius, distance
    local_block height, 12 /* with all its bits */
    local_block stored_height, 4
    local_block foot, 12
    local_block edge, 12
    local_block across, 12
    local_block d, 12
    local_block number, 4
    mov ebx, [ebp+face]
    mov edx, [ebp+centre]
    DIFFERENCE3 edx, 0, ebx, 0, d
    DOT3 0, [ebx+FACE_NORMAL], [ebp+d], [ebx+FACE_NORMAL+4], [ebp+d+4], [ebx+FACE_NORMAL+8], [ebp+d+8]
    KEEP [ebp+height]
    ZERO
    RECALL [ebp+height]
    UNLESS_LESS_OR_EQUAL touch_nothing
    RECALL [ebp+height]
    LOAD [ebp+radius]
    UNLESS_LESS_OR_EQUAL touch_nothing
    .irp i, 0, 4, 8
    LOAD [edx+\i]
    LOAD [ebx+FACE_NORMAL+\i]
    RECALL [ebp+height]
    MULTIPLY
    SUBTRACT
    STORE [ebp+foot+\i]
    .endr
    RECALL [ebp+height]
    STORE [ebp+stored_height]

    mov dword ptr [ebp+number], 0
touch_next:
    edge_ends [ebp+number]
    DIFFERENCE3 edi, 0, esi, 0, edge
    CROSS ebp, edge, ebx, FACE_NORMAL, ebp, across
    DIFFERENCE3 ebp, foot, esi, 0, d
    ZERO
    DOT across, d
    UNLESS_LESS touch_within
    lea ebx, [ebp+foot]
    invoke_animesh_SphereTouchesEdge animesh_SphereTouchesEdge, r, esi, r, edi, m, [ebp+centre], r, ebx, f, [ebp+stored_height], f, [ebp+radius], m, [ebp+distance]
    jmp touch_return
touch_within:
    inc dword ptr [ebp+number]
    cmp dword ptr [ebp+number], 3
    jb touch_next
    mov edi, [ebp+distance]
    move [ebp+stored_height], [edi]
    mov eax, 1
    jmp touch_return
touch_nothing:
    xor eax, eax
touch_return:
    leave_animesh_SphereTouchesFace

/* ---- SphereTouchesEdge ---- */

FUNCTION(animesh_SphereTouchesEdge)
    enter_animesh_SphereTouchesEdge start, finish, centre, foot, height, radius, distance
    local_block edge, 12
    local_block d, 12
    local_block length, 12 /* these three with all their bits */
    local_block along, 12
    local_block gap, 12
    mov esi, [ebp+start]
    mov edi, [ebp+finish]
    mov edx, [ebp+foot]
    DIFFERENCE3 edi, 0, esi, 0, edge
    DIFFERENCE3 edx, 0, esi, 0, d
    DOT edge, edge
    ROOT
    KEEP [ebp+length]
    DOT d, edge
    RECALL [ebp+length]
    DIVIDE
    KEEP [ebp+along]
    DOT d, d
    RECALL [ebp+along]
    SQUARE
    SUBTRACT
    KEEP [ebp+gap]
    RECALL [ebp+gap]
    PRODUCT [ebp+radius], [ebp+radius]
    PRODUCT [ebp+height], [ebp+height]
    SUBTRACT
    UNLESS_LESS_OR_EQUAL edge_nothing

    RECALL [ebp+along]
    ZERO
    UNLESS_LESS edge_past_start
    jmp edge_corner
edge_past_start:
    RECALL [ebp+length]
    RECALL [ebp+along]
    UNLESS_LESS edge_between
    mov esi, edi
edge_corner: /* esi */
    mov edx, [ebp+centre]
    DIFFERENCE3 edx, 0, esi, 0, d
    DOT d, d
    ROOT
    PICK 0
    LOAD [ebp+radius]
    UNLESS_LESS_OR_EQUAL edge_corner_too_far
    jmp edge_touches
edge_corner_too_far:
    DROP
edge_nothing:
    xor eax, eax
    jmp edge_return

edge_between:
    RECALL [ebp+gap]
    ZERO
    UNLESS_LESS edge_gap_known
    ZERO
    KEEP [ebp+gap]
edge_gap_known:
    RECALL [ebp+gap]
    PRODUCT [ebp+height], [ebp+height]
    ADD_
    ROOT
edge_touches: /* the distance is on the stack */
    mov edi, [ebp+distance]
    STORE [edi]
    mov eax, 1
edge_return:
    leave_animesh_SphereTouchesEdge
