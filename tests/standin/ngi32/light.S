/* The four lighting routines (facts/ngi32.md B.3), which have only x87 code. Two of the documented
 * addresses are inside a routine of the original, so these entries are the stand-in's own. */
#include "tests/standin/arithmetic.inc"

    x87_arithmetic

/* Pushes c = (n0*(-t0) + n1*(-t1)) + n2*(-t2), or +0 if c < 0. */
.macro cosine_term n, t
    LOAD \n
    LOAD \t
    NEGATE
    MULTIPLY
.endm
.macro directional_cosine normal, direction
    cosine_term [\normal], [\direction]
    cosine_term [\normal+4], [\direction+4]
    ADD_
    cosine_term [\normal+8], [\direction+8]
    ADD_
    PICK 0
    ZERO
    UNLESS_LESS cosine_facing\@
    DROP
    ZERO
cosine_facing\@:
.endm

/* There are 54 bytes between this address and Highlight's. */
FUNCTION(ngi32_DirectionalCosine)
    jmp directional_cosine_elsewhere

function_at 0x00000, directional_cosine_elsewhere
    enter_ngi32_DirectionalCosine normal, travel
    mov esi, [ebp+normal]
    mov edi, [ebp+travel]
    directional_cosine esi, edi
    leave_ngi32_DirectionalCosine
    DEPTH 0

/* Computes s_i = travel_i + (2 cosine) * n_i and s = s . to_eye, and squares s power - 1 times. */
FUNCTION(ngi32_Highlight)
    enter_ngi32_Highlight normal, travel, cosine, to_eye, power
    mov esi, [ebp+normal]
    mov edi, [ebp+travel]
    mov ebx, [ebp+to_eye]
    mov ecx, [ebp+power]
    test ecx, ecx
    jz highlight_none
    LOAD [ebp+cosine]
    DOUBLE /* k */
    .irp i, 0, 4, 8
    LOAD [edi+\i]
    .if \i == 0
        PICK 1
    .else
        PICK 2
    .endif
    LOAD [esi+\i]
    MULTIPLY
    ADD_
    LOAD [ebx+\i]
    MULTIPLY
    .if \i != 0
        ADD_
    .endif
    .endr /* k s */
    fstp st(1)
    DEPTH 1
highlight_power:
    dec ecx
    jz highlight_return
    SQUARE
    jmp highlight_power
highlight_none:
    DEPTH 0
    ZERO
highlight_return:
    leave_ngi32_Highlight
    DEPTH 0

/* `light` is position[3], colour[3], range, a0, a1, a2. */
#define POSITION(i) [edi+i]
#define COLOUR(i)   [edi+12+i]
#define RANGE       [edi+24]
#define FALLOFF(n)  [edi+28+4*n]

FUNCTION(ngi32_PointLight)
    enter_ngi32_PointLight light, vertex, normal, sum
    local_block result, 12
    mov edi, [ebp+light]
    mov ebx, [ebp+vertex]
    mov esi, [ebp+normal]
    .irp i, 0, 4, 8
    LOAD POSITION(\i)
    LOAD [ebx+\i]
    SUBTRACT
    .endr
    SQUARES3
    ROOT /* to0 to1 to2 d */
    PICK 0
    LOAD RANGE
    UNLESS_GREATER point_light_near
    DROP 4
    jmp point_light_return
point_light_near:
    DEPTH 4
    LOAD [esi]
    PICK 4
    MULTIPLY
    LOAD [esi+4]
    PICK 4
    MULTIPLY
    ADD_
    LOAD [esi+8]
    PICK 3
    MULTIPLY
    ADD_
    PICK 1
    DIVIDE /* to0 to1 to2 d f */
    PICK 0
    ZERO
    UNLESS_GREATER point_light_behind
    fstp st(4)
    fstp st(2)
    fstp st(0)
    DEPTH 2 /* f d */
    LOAD RANGE
    PICK 1
    SUBTRACT
    LOAD RANGE
    DIVIDE /* f d x */
    LOAD FALLOFF(0)
    LOAD FALLOFF(1)
    PICK 2
    MULTIPLY
    ADD_
    LOAD FALLOFF(2)
    PICK 2
    MULTIPLY
    PICK 2
    MULTIPLY
    ADD_ /* f d x a */
    mov ecx, [ebp+sum]
    .irp i, 0, 4, 8
    LOAD [ecx+\i]
    LOAD COLOUR(\i)
    PICK 5
    MULTIPLY
    PICK 2
    MULTIPLY
    ADD_
    STORE [ebp+result+\i]
    .endr
    DROP 4
    copy_out 3, result, sum
    jmp point_light_return
point_light_behind:
    DEPTH 5
    DROP 5
point_light_return:
    leave_ngi32_PointLight
    DEPTH 0

/* `light` is direction of travel[3], colour[3]. acc_i, at `below`, grows by (colour_i * diffuse_i)
 * * c. */
.macro add_light i, below
    PRODUCT [edi+12+\i], [ebx+\i]
    PICK 1
    MULTIPLY
    faddp st(\below), st
    .set depth, depth - 1
.endm

FUNCTION(ngi32_DirectionalLights)
    enter_ngi32_DirectionalLights lights, count, normal, diffuse, colour
    mov edi, [ebp+lights]
    mov ecx, [ebp+count]
    mov esi, [ebp+normal]
    mov ebx, [ebp+diffuse]
    ZERO
    ZERO
    ZERO /* acc0 acc1 acc2 */
directional_lights_next:
    DEPTH 3
    sub ecx, 1
    jb directional_lights_done
    directional_cosine esi, edi
    add_light 0, 4
    add_light 4, 3
    add_light 8, 2
    DROP
    add edi, 24
    jmp directional_lights_next
directional_lights_done:
    mov edi, [ebp+colour]
    STORE [edi+8]
    STORE [edi+4]
    STORE [edi]
    leave_ngi32_DirectionalLights
