/* Constants, vtables and globals of AniMesh.dll at their documented addresses (facts/animesh.md
 * C.3 to C.9, F). */
#include "tests/standin/bodies.inc"
#include "exports/animesh.abi.h"

#define RDATA(rva) .org (rva) - 0x20000
#define DATA(rva)  .org (rva) - 0x22000

/* The rows are taken one interface at a time, because the tables lie in another order. */
#define METHOD_ROW(interface, slot, rva, name, convention, convention_ev, returns, params,       \
                   params_ev, provider, source, note)                                              \
    method_entry interface, slot, rva, provider;
.macro method_entry interface, slot, address, provider
    .if interface_\interface == wanted_interface
    .ifc \provider,NATIVE
        vtable_entry \slot, animesh_\interface\()_\slot
    .else
    .ifnc \address,0x00000
        vtable_entry \slot, \interface\()_\slot
    .endif
    .endif
    .endif
.endm
.set interface_IAnimation, 0
.set interface_IMesh2, 1
.set interface_IJointMesh, 2
.set interface_ICollisionMesh, 3
.macro interface_table name, slots
    vtable
    .set wanted_interface, interface_\name
    ABI_ANIMESH_METHODS(METHOD_ROW)
    vtable_end \slots
.endm

/* A visitor has callbacks for a node, a batch and a triangle. */
.macro visitor node, triangle=absent_slot
    .long \node, absent_slot, \triangle
.endm

    .section .rdata, "dr"
    RDATA(0x201D4) /* agent, also IGameObject */
    vtable
    vtable_entry 2, SetParent
    vtable_entry 3, GetParent
    vtable_entry 4, AttachChild
    vtable_entry 5, AgentDetachChild
    vtable_entry 9, GetObjectId
    vtable_entry 13, AgentMessage
    vtable_entry 15, ChildrenNearSphere
    vtable_entry 16, GetJoint
    vtable_entry 17, AgentSave
    vtable_entry 18, AgentLoad
    vtable_entry 20, AgentChildEvent
    vtable_entry 21, AgentIsMirrored

    RDATA(0x204FC)
    interface_table ICollisionMesh, 4
    RDATA(0x2050C)
    interface_table IJointMesh, 12
    RDATA(0x2053C)
    interface_table IMesh2, 16
    RDATA(0x2057C)
    interface_table IAnimation, 36

    RDATA(0x20954) /* walk face with margin */
    visitor WalkFaceNode, WalkFaceTriangle
    RDATA(0x2096C)
    .float 0.173648
    .float 4.0 /* 0x20970 */
    RDATA(0x2097C)
    .float 1e-5
    visitor PushOutNode, PushOutTriangle /* 0x20980 */
    RDATA(0x20A20)
    visitor PointInsideNode
    visitor SegmentNode, SegmentTriangle /* 0x20A2C */
    RDATA(0x20B84)
    visitor FaceBelowNode, FaceBelowTriangle

    /* The stand-in's own data, where nothing documented lies. */
    RDATA(0x21000)
    .globl constant_half, constant_s16_scale, constant_one, sign_mask
    .globl constant_s16_scale_f64, constant_s16_limit
sign_mask:
    .long 0x80000000, 0, 0, 0
constant_one:
    .float 1.0
constant_half:
    .float 0.5
constant_s16_scale:
    .long 0x38000100 /* 1/32767 as binary32 */
constant_s16_limit:
    .float 32767.0
constant_s16_scale_f64:
    .quad 0x3F00002000400080 /* 1/32767 as binary64 */

    .data
    DATA(0x225E8) /* level that draw flag 0x200 chooses */
    .long 1
    DATA(0x26AD0) /* default joint request, all zero */
    .long 0, 0, 0, 0
    DATA(0x26ED8) /* triangle descriptor, batch descriptor */
    .space 0x27200 - 0x26ED8
