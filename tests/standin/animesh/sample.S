/* SampleNode 0x10012880 (facts/animesh.md E.4). */
#include "piece.inc"

    x87_arithmetic

/* A key's four s16 to w, x, y, z; ecx = the key. */
#ifdef KEY_ORDER_WXYZ
#define KEY_W 0
#define KEY_X 1
#define KEY_Y 2
#define KEY_Z 3
#else
#define KEY_X 0
#define KEY_Y 1
#define KEY_Z 2
#define KEY_W 3
#endif
.macro decode_component component, to
    fild word ptr [ecx+KEY_ROTATION+2*\component]
    fmul dword ptr [constant_s16_scale]
    fstp dword ptr \to
.endm
.macro decode_rotation base, displacement
    decode_component KEY_W, [\base+\displacement]
    decode_component KEY_X, [\base+\displacement+4]
    decode_component KEY_Y, [\base+\displacement+8]
    decode_component KEY_Z, [\base+\displacement+12]
.endm

FUNCTION(animesh_SampleNode)
    enter_animesh_SampleNode piece, t, quaternion, position
    local_block frame, 8
    local_block alpha, 4
    local_block rotation0, 16
    local_block rotation1, 16
    local_block result, 12

    fld dword ptr [ebp+t]
    fsub dword ptr [constant_half]
    fistp qword ptr [ebp+frame]
    mov ebx, [ebp+piece]
    imul eax, [ebx+PIECE_NODE], NODE_STRIDE
    mov ebx, [ebx+PIECE_READER]
    add eax, [ebx+READER_NODES]
    movzx edx, word ptr [eax+NODE_FALLBACK]
    mov ecx, [ebp+frame]
    cmp ecx, [ebx+READER_FRAME_COUNT]
    jae sample_fallback
    movzx eax, word ptr [eax+NODE_MAP_START]
    cmp eax, NO_INDEX
    je sample_fallback
    add eax, ecx
    add eax, eax
    add eax, [ebx+READER_FRAME_MAP]
    movzx eax, word ptr [eax]
    cmp eax, edx
    jae sample_fallback

    lea eax, [eax+2*eax]
    mov esi, [ebx+READER_KEYS]
    lea esi, [esi+8*eax] /* k0 */
    LOAD [ebp+t]
    LOAD [esi+KEY_TIME]
    UNLESS_EQUAL sample_not_first
    jmp sample_one_key
sample_not_first:
    lea edi, [esi+KEY_STRIDE] /* k1 */
    LOAD [ebp+t]
    LOAD [edi+KEY_TIME]
    UNLESS_EQUAL sample_between
    mov esi, edi
    jmp sample_one_key

sample_fallback:
    lea eax, [edx+2*edx]
    mov esi, [ebx+READER_KEYS]
    lea esi, [esi+8*eax]
sample_one_key: /* esi */
    mov edi, [ebp+position]
    mov eax, [esi]
    mov ecx, [esi+4]
    mov edx, [esi+8]
    mov [edi], eax
    mov [edi+4], ecx
    mov [edi+8], edx
    mov edi, [ebp+quaternion]
    mov ecx, esi
    decode_rotation edi, 0
    jmp sample_return

sample_between: /* esi, edi */
    LOAD [ebp+t]
    LOAD [esi+KEY_TIME]
    SUBTRACT
    LOAD [edi+KEY_TIME]
    LOAD [esi+KEY_TIME]
    SUBTRACT
    DIVIDE
    STORE [ebp+alpha]
    .irp i, 0, 4, 8
    LOAD [esi+\i]
    LOAD [edi+\i]
    LOAD [esi+\i]
    SUBTRACT
    LOAD [ebp+alpha]
    MULTIPLY
    ADD_
    STORE [ebp+result+\i]
    .endr
    mov ecx, esi
    decode_rotation ebp, rotation0
    mov ecx, edi
    decode_rotation ebp, rotation1
    copy_out 3, result, position
    lea esi, [ebp+rotation0]
    lea edi, [ebp+rotation1]
    fast_proc 17, r, esi, r, edi, f, [ebp+alpha], m, [ebp+quaternion]
sample_return:
    leave_animesh_SampleNode
