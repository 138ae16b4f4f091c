/* Constants, tables and globals of Ngi32.dll at their documented addresses (facts/ngi32.md B, D). */
#include "tests/standin/bodies.inc"
#include "exports/ngi32.abi.h"

#define RDATA(rva) .org (rva) - 0x31000
#define DATA(rva)  .org (rva) - 0x34000

    .section .rdata, "dr"
    RDATA(0x311D4)
    .globl constant_polygon
constant_polygon:
    .float 0.0

#define METHOD_ROW(interface, slot, rva, name, convention, convention_ev, returns, params,       \
                   params_ev, provider, source, note)                                              \
    render_row interface, slot, rva;
.macro render_row interface, slot, address
    .ifc \interface,I3DRender
    .ifnc \address,0x00000
        vtable_entry \slot, \interface\()_\slot
    .endif
    .endif
.endm
    RDATA(0x315E0) /* I3DRender */
    vtable
    ABI_NGI32_METHODS(METHOD_ROW)

    /* The stand-in's own data, where nothing documented lies. */
    RDATA(0x32000)
    .globl sign_mask, constant_one, constant_near, constant_minus_tiny, constant_one_half
    .globl constant_two, constant_three, constant_near_f64, constant_right_angle
sign_mask:
    .long 0x80000000, 0, 0, 0
constant_one:
    .float 1.0
constant_near:
    .long 0x3727C5AC /* 9.9999997e-6 */
constant_minus_tiny:
    .long 0x80800000 /* -FLT_MIN */
constant_one_half:
    .float 0.5
constant_two:
    .float 2.0
constant_three:
    .float 3.0
constant_near_f64:
    .quad 0x3EE4F8B588E368F1 /* 1e-5 */
constant_right_angle:
    .quad 0x3FF921FB54442D18 /* pi / 2 */

    .data
    DATA(0x3432C)
    .globl error_format
error_format:
    .asciz "Error No.%ld"

    DATA(0x37220)
    .globl constant_plane_near, constant_plane_far
constant_plane_near:
    .float 0.0
constant_plane_far: /* 0x37224 */
    .float 0.0

    DATA(0x3A058)
    .globl _g_FastProc
_g_FastProc:
    .rept ABI_NGI32_FASTPROC_COUNT
    .long 0
    .endr
    .globl flag_sse
flag_sse: /* 0x3A168 */
    .long 0

    DATA(0x3A188)
    .globl debug_mode
debug_mode:
    .long 0

    DATA(0x3A384)
    .globl debug_file
debug_file:
    .long 0

    DATA(0x3E600)
    .globl heap
heap:
    .long 0
