/* SampleNode 0x10012880 (facts/animesh.md E.4). */
#include "piece.inc"

    x87_arithmetic

/* Decodes a key's four s16 to w, x, y, z. ecx is the key. */
#if defined KEY_ORDER_WXYZ || STANDIN_KEY_ORDER == 1
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
#if STANDIN_KEY_SCALE == 0 /* f32 */
    fmul dword ptr [constant_s16_scale]
#elif STANDIN_KEY_SCALE == 1 /* f64 */
    fmul qword ptr [constant_s16_scale_f64]
#else /* divide */
    fdiv dword ptr [constant_s16_limit]
#endif
    fstp dword ptr \to
.endm
.macro decode_rotation base, displacement
    decode_component KEY_W, [\base+\displacement]
    decode_component KEY_X, [\base+\displacement+4]
    decode_component KEY_Y, [\base+\displacement+8]
    decode_component KEY_Z, [\base+\displacement+12]
.endm

/* Under choice c3 of reading nan-equal a program looks at C3 alone, to which unordered is equal. */
.macro UNLESS_SAME_TIME label
#if STANDIN_NAN_EQUAL == 1
    compare_in_x87
    test ah, 0x40
    jz \label
    DEPTH depth-2
#else
    UNLESS_EQUAL \label
#endif
.endm

/* Computes (t - k0) / (k1 - k0) of the keys esi and edi. */
.macro key_fraction
    LOAD [ebp+t]
    LOAD [esi+KEY_TIME]
    SUBTRACT
#if STANDIN_KEY_ALPHA == 1 /* reciprocal */
    ONE
#endif
    LOAD [edi+KEY_TIME]
    LOAD [esi+KEY_TIME]
    SUBTRACT
    DIVIDE
#if STANDIN_KEY_ALPHA == 1
    MULTIPLY
#endif
.endm

/* Interpolates one coordinate between the keys esi and edi. The fraction is on top and stays. */
.macro key_coordinate i
#if STANDIN_KEY_LERP == 1 /* weights */
    ONE
    PICK 1
    SUBTRACT
    LOAD [esi+\i]
    MULTIPLY
    PICK 1
    LOAD [edi+\i]
    MULTIPLY
    ADD_
#else
    LOAD [esi+\i]
    LOAD [edi+\i]
    LOAD [esi+\i]
    SUBTRACT
    PICK 2
    MULTIPLY
    ADD_
#endif
    STORE [ebp+result+\i]
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
    UNLESS_SAME_TIME sample_not_first
    jmp sample_one_key
sample_not_first:
    lea edi, [esi+KEY_STRIDE] /* k1 */
    LOAD [ebp+t]
    LOAD [edi+KEY_TIME]
    UNLESS_SAME_TIME sample_between
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
    key_fraction
    fst dword ptr [ebp+alpha]
    ROUND_IF (1-STANDIN_KEY_ALPHA_BITS), alpha
    .irp i, 0, 4, 8
    key_coordinate \i
    .endr
    DROP
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
