/* Getters and setters of the mesh object, IAnimation 3 to 26 (facts/animesh.md C.5, E.9), and
 * InitPiece 0x100123E0. */
#include "mesh.inc"

    x87_arithmetic

/* ---- what bounds.S uses, too ---- */

/* Returns in eax the piece's slot of a level 0 and a variant, or 0. */
own_function slot_of_variant, piece, variant
    xor esi, esi
    invoke_animesh_FindSlot animesh_FindSlot, m, [ebp+piece], r, esi, m, [ebp+variant]
    own_leave

/* Returns in eax the flags of the piece's node in Res1. */
own_function node_flags, piece
    mov esi, [ebp+piece]
    xor eax, eax
    mov ecx, [esi+PIECE_READER]
    test ecx, ecx
    jz node_flags_known
    imul eax, [esi+PIECE_NODE], NODE_STRIDE
    add eax, [ecx+READER_NODES]
    movzx eax, word ptr [eax]
node_flags_known:
    own_leave

/* ---- pieces ---- */

FUNCTION(animesh_InitPiece)
    enter_animesh_InitPiece piece, part
    mov esi, [ebp+piece]
    move [ebp+part], [esi+PIECE_TAG]
    mov dword ptr [esi+PIECE_FLAGS], 0
    leave_animesh_InitPiece

/* The table is read by an index, because its own address 0x100052FC is that of code here. */
FUNCTION(animesh_IAnimation_3)
    enter_animesh_IAnimation_3 self, node, id, answer
    local_block scratch, 4
    load_mesh
    load_node
    mov edi, [ebp+answer]
    mov ecx, [ebp+id]
    cmp ecx, 0x0A
    je query_flags
    cmp ecx, 0x0D
    je query_parent
    cmp ecx, 0x0E
    je query_node_flags
    sub ecx, 0x0F
    cmp ecx, 1
    ja query_return
    own_call slot_of_variant, esi, -1
    mov dword ptr [edi], 0
    test eax, eax
    jz query_return
    LOAD [eax+SLOT_VOLUME]
    cmp dword ptr [ebp+id], 0x10
    je query_times
    DROP
    LOAD [eax+SLOT_AREA]
query_times:
    LOAD [ebx+MESH_SCALE]
    MULTIPLY
    LOAD [ebx+MESH_SCALE+4]
    MULTIPLY
    cmp dword ptr [ebp+id], 0x10
    jne query_store
    LOAD [ebx+MESH_SCALE+8]
    MULTIPLY
query_store:
    STORE [edi]
    jmp query_return
query_flags:
    move [esi+PIECE_FLAGS], [edi]
    jmp query_return
query_parent:
    move [esi+PIECE_PARENT], [edi]
    jmp query_return
query_node_flags:
    own_call node_flags, esi
    mov [edi], eax
query_return:
    leave_animesh_IAnimation_3

FUNCTION_ELSEWHERE(animesh_IAnimation_6) /* has 48 bytes */
    enter_animesh_IAnimation_6 self, node
    load_mesh
    load_node
    invoke_animesh_NodeString animesh_NodeString, r, esi
    leave_animesh_IAnimation_6

FUNCTION_ELSEWHERE(animesh_IAnimation_7)
    enter_animesh_IAnimation_7 self, node
    load_mesh
    load_node
    mov eax, [esi+PIECE_FLAGS]
    leave_animesh_IAnimation_7

FUNCTION(animesh_IAnimation_8)
    enter_animesh_IAnimation_8 self, node, bits, operation, unpublished
    load_mesh
    own_call change_flags, ebx, [ebp+node], [ebp+bits], [ebp+operation]
    test eax, FLAG_OWN_SEGMENT | FLAG_TILTED
    jz flags_cached
    invoke_animesh_ClearPoseCache animesh_ClearPoseCache, r, ebx
flags_cached:
    leave_animesh_IAnimation_8

/* Returns in eax which flags of any piece have changed. */
own_function change_flags, mesh, node, bits, operation
    local_block changed, 4
    mov ebx, [ebp+mesh]
    load_node
    mov eax, [esi+PIECE_FLAGS]
    mov ecx, eax
    or eax, [ebp+bits]
    test byte ptr [ebp+operation], 1
    jz flags_chosen
    xor eax, [ebp+bits] /* all of them are set now */
flags_chosen:
    mov [esi+PIECE_FLAGS], eax
    xor ecx, eax
    mov [ebp+changed], ecx
    test eax, FLAG_FLYING
    setnz [esi+PIECE_FLYING]
    test eax, FLAG_OWN_SEGMENT
    setnz [esi+PIECE_OWN_SEGMENT]
    test eax, FLAG_TILTED
    setnz [esi+PIECE_TILTED]
    test dword ptr [ebp+operation], 0x200
    jz flags_done
    mov edi, [ebp+node]
flags_next:
    inc edi
    cmp edi, [ebx+MESH_PIECE_COUNT]
    jae flags_done
    add esi, PIECE_STRIDE
    mov eax, [esi+PIECE_PARENT]
    cmp eax, [ebp+node]
    jne flags_next
    own_call change_flags, ebx, edi, [ebp+bits], [ebp+operation]
    or [ebp+changed], eax
    jmp flags_next
flags_done:
    mov eax, [ebp+changed]
    own_leave

FUNCTION(animesh_IAnimation_9)
    enter_animesh_IAnimation_9 self, node
    load_mesh
    load_node
    fld dword ptr [esi+PIECE_PHASE]
    leave_animesh_IAnimation_9

FUNCTION(animesh_IAnimation_10)
    enter_animesh_IAnimation_10 self, node, new_phase, new_weight
    load_mesh
    load_node
    move [ebp+new_phase], [esi+PIECE_PHASE]
    mov eax, [ebp+new_weight]
#if STANDIN_POSE_CACHE == 1 /* weight-clears */
    cmp eax, [esi+PIECE_WEIGHT]
    je phase_cached
    mov byte ptr [esi+PIECE_CACHE_VALID], 0
phase_cached:
#endif
    mov [esi+PIECE_WEIGHT], eax
    leave_animesh_IAnimation_10

FUNCTION(animesh_IAnimation_12)
    enter_animesh_IAnimation_12 self, node, a_first, a_last, b_first, b_last
    load_mesh
    load_node
    move [ebp+a_first], [esi+PIECE_PAIRS]
    move [ebp+a_last], [esi+PIECE_PAIRS+4]
    move [ebp+b_first], [esi+PIECE_PAIRS+8]
    move [ebp+b_last], [esi+PIECE_PAIRS+12]
    leave_animesh_IAnimation_12

FUNCTION_ELSEWHERE(animesh_IAnimation_14)
    enter_animesh_IAnimation_14 self, part
    load_mesh
    mov esi, [ebx+MESH_PIECES]
    mov ecx, [ebp+part]
    xor eax, eax
first_next:
    cmp eax, [ebx+MESH_PIECE_COUNT]
    jae first_none
    cmp [esi+PIECE_TAG], ecx
    je first_found
    inc eax
    add esi, PIECE_STRIDE
    jmp first_next
first_none:
    or eax, -1
first_found:
    leave_animesh_IAnimation_14

FUNCTION_ELSEWHERE(animesh_IAnimation_15)
    enter_animesh_IAnimation_15 self, part
    load_mesh
    mov esi, [ebx+MESH_PIECES]
    mov ecx, [ebp+part]
    mov edi, [ebx+MESH_PIECE_COUNT]
    xor eax, eax
count_next:
    sub edi, 1
    jb count_done
    cmp [esi+PIECE_TAG], ecx
    lea esi, [esi+PIECE_STRIDE]
    jne count_next
    inc eax
    jmp count_next
count_done:
    leave_animesh_IAnimation_15

FUNCTION_ELSEWHERE(animesh_IAnimation_16)
    enter_animesh_IAnimation_16 self, node
    load_mesh
    load_node
    mov eax, [esi+PIECE_VARIANT]
    leave_animesh_IAnimation_16

FUNCTION_ELSEWHERE(animesh_IAnimation_17)
    enter_animesh_IAnimation_17 self, node, stage
    load_mesh
    load_node
    move [ebp+stage], [esi+PIECE_VARIANT]
    leave_animesh_IAnimation_17

FUNCTION(animesh_IAnimation_18)
    enter_animesh_IAnimation_18 self, node
    load_mesh
    load_node
    xor edi, edi
stage_next:
    own_call slot_of_variant, esi, edi
    test eax, eax
    jz stage_done
    inc edi
    cmp edi, 3
    jb stage_next
stage_done:
    mov eax, edi
    leave_animesh_IAnimation_18

/* ---- the object ---- */

FUNCTION_ELSEWHERE(animesh_IAnimation_19) /* has 16 bytes */
    enter_animesh_IAnimation_19 self
    load_mesh
    mov eax, [ebx+MESH_PIECE_COUNT]
    leave_animesh_IAnimation_19

FUNCTION(animesh_IAnimation_25)
    enter_animesh_IAnimation_25 self, new_phase, new_weight
    load_mesh
    move [ebp+new_phase], [ebx+MESH_PHASE]
    mov edi, [ebx+MESH_WEIGHT]
    move [ebp+new_weight], [ebx+MESH_WEIGHT]
#if STANDIN_POSE_CACHE == 1 /* weight-clears */
    cmp eax, edi
    je weight_cached
    invoke_animesh_ClearPoseCache animesh_ClearPoseCache, r, ebx
weight_cached:
#endif
    leave_animesh_IAnimation_25

FUNCTION(animesh_IAnimation_26)
    enter_animesh_IAnimation_26 self, a_first, a_last, b_first, b_last
    load_mesh
    move [ebp+a_first], [ebx+MESH_PAIRS]
    move [ebp+a_last], [ebx+MESH_PAIRS+4]
    move [ebp+b_first], [ebx+MESH_PAIRS+8]
    move [ebp+b_last], [ebx+MESH_PAIRS+12]
    leave_animesh_IAnimation_26
