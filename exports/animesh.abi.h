/* The ABI of AniMesh.dll (Parkan: Iron Strategy; no hash of it is published), one row per fact.
 * The row formats, types, evidence and provider words are those of ngi32.abi.h.
 */
#ifndef RETROPOSE_EXPORTS_ANIMESH_ABI_H
#define RETROPOSE_EXPORTS_ANIMESH_ABI_H

#include "exports/conventions.h"

#define ABI_ANIMESH_IMAGE_BASE 0x10000000

/* clang-format off */
#define ABI_ANIMESH_EXPORTS(X) \
    X(LoadAgent, 1, INFERRED, 0x16A00, READ, ABI_CONV_COMPONENT, ASSUMED, "any", "in cstr archive, in cstr member, any outer, u32 player", READ, NATIVE_ONLY, "facts/animesh.md A.1 C.3", "object + 0x130, or null; docs/reference/mesh.md") \
    X(LoadAniMesh, 2, INFERRED, 0x16A70, INFERRED, ABI_CONV_COMPONENT, ASSUMED, "any", "in cstr archive, in cstr member, any outer, u32 player", INFERRED, NATIVE_ONLY, "facts/animesh.md A.1", "the mesh object, or null; docs/reference/mesh.md")

/* Exports of ours that the original does not have; see docs/reference/abi.md. */
#define ABI_ANIMESH_OWN_EXPORTS(X) \
    X(RetroposeInternal, 2000, READ, 0x00000, READ, stdcall, READ, "any", "u32 address", READ, NATIVE, "docs/reference/abi.md", "our implementation of the original's internal function at this address of its unrelocated image, or null") \
    X(RetroposeGates, 2001, READ, 0x00000, READ, stdcall, READ, "void", "", READ, DATA, "docs/use/modes.md", "where the pool of pass-through gates is (exports/section.h)") \
    X(RetroposeDestroy, 2002, READ, 0x00000, READ, stdcall, READ, "u32", "any object", READ, NATIVE, "docs/reference/mesh.md", "ends what our LoadAniMesh or LoadAgent returned, and says whether it was that: the original's way is unpublished")

#define ABI_ANIMESH_INTERNALS(X) \
    X(0x15FD0, LoadReader, ABI_CONV_MEMBER, ASSUMED, "void", "out struct reader reader, nres file", ASSUMED, READ, "facts/animesh.md D.2 E.1, seed 001 4", "fills the 0xA4-byte reader; return value unpublished, so not compared") \
    X(0x124D0, FindSlot, ABI_CONV_MEMBER, ASSUMED, "ref", "ref piece, i32 level, i32 variant", INFERRED, READ, "facts/animesh.md E.2, seed 001 6.1", "variant -1 is the piece's own") \
    X(0x12530, NodeString, ABI_CONV_MEMBER, ASSUMED, "ref", "ref piece", INFERRED, READ, "facts/animesh.md E.3, seed 001 6.2", "null where the length is 0") \
    X(0x12880, SampleNode, ABI_CONV_MEMBER, ASSUMED, "void", "ref piece, f32 t, out f32[4] quaternion, out f32[3] position", ASSUMED, READ, "facts/animesh.md E.4, seed 000 3", "t in frames; quaternion w,x,y,z") \
    X(0x12560, BlendPoses, ABI_CONV_MEMBER, ASSUMED, "void", "ref piece, f32 t_a, f32 t_b, f32 weight, out f32[16] matrix", INFERRED, READ, "facts/animesh.md E.5, seed 000 4", "neither side valid: undefined in the original, identity in ours") \
    X(0x0B8E0, SetColumn, ABI_CONV_HELPER, READ, "void", "inout f32[16] matrix, u32 column, in f32[3] vector", INFERRED, READ, "facts/animesh.md E.5 G.2", "column index in EDX is read") \
    X(0x0B600, GetColumn, ABI_CONV_HELPER, ASSUMED, "void", "in f32[16] matrix, u32 column, out f32[3] vector", ASSUMED, READ, "facts/animesh.md E.5 G.2", "")

/* Internal functions of the mesh object, in the columns of ABI_NGI32_INTERNALS. `self` is the mesh
 * object, or a piece of it, inside a memory of the type `state` (ngi32.abi.h). */
#define ABI_ANIMESH_MESH_INTERNALS(X) \
    X(0x123E0, InitPiece, ABI_CONV_MEMBER, ASSUMED, "void", "inout state piece, u32 part", ASSUMED, READ, "facts/animesh.md D.1 G.2", "tag and flags are read; that nothing else is written is assumed") \
    X(0x11850, FillBoxCorners, ABI_CONV_HELPER, ASSUMED, "void", "in f32[3] low, in f32[3] high, out f32[24] corners", ASSUMED, READ, "facts/animesh.md E.11", "corner 0 none, 1 x, 2 xy, 3 y, 4 yz, 5 z, 6 xz, 7 xyz of the maximum") \
    X(0x0A2A0, ClearPoseCache, ABI_CONV_MEMBER, ASSUMED, "void", "inout state self", ASSUMED, READ, "facts/animesh.md E.7", "+0x110 of every piece; that it is the mesh's is assumed") \
    X(0x08B30, PoseWalk, ABI_CONV_MEMBER, ASSUMED, "void", "inout state self", ASSUMED, READ, "facts/animesh.md E.7", "readings frame-lerp, pose-cache, root-translation, world-product, tilt-order") \
    X(0x09510, MeshBounds, ABI_CONV_MEMBER, ASSUMED, "void", "inout state self", ASSUMED, READ, "facts/animesh.md E.11", "box B and the capsule of several parts are partly read") \
    X(0x0D220, PointOverTriangle, ABI_CONV_HELPER, ASSUMED, "u32", "in f32[9] triangle, in f32[3] point, out f32[2] answer", ASSUMED, READ, "facts/animesh.md E.15", "answer: height, squared gap in the plane xy; 1, or 0 for a triangle without area there") \
    X(0x0E900, SphereTouchesFace, ABI_CONV_HELPER, ASSUMED, "u32", "in struct face face, in f32[3] centre, f32 radius, out f32[1] distance", ASSUMED, READ, "facts/animesh.md E.16", "1 and the distance, or 0 and nothing written") \
    X(0x0EB70, SphereTouchesEdge, ABI_CONV_HELPER, ASSUMED, "u32", "in f32[3] start, in f32[3] end, in f32[3] centre, in f32[3] foot, f32 height, f32 radius, out f32[1] distance", ASSUMED, READ, "facts/animesh.md E.16", "the edge part of SphereTouchesFace; foot is the centre's projection on the face")

/* Internal functions of the agent. They are NATIVE_ONLY, because they work over agents that our DLL
 * made. */
#define ABI_ANIMESH_AGENT_INTERNALS(X) \
    X(0x03760, AttachPart, ABI_CONV_MEMBER, ASSUMED, "i32", "any self, any part", ASSUMED, READ, "facts/animesh.md C.3", "a part record without its id, which is the lowest free one; the id, or -1 (assumed)") \
    X(0x03C40, RemoveAgentPart, ABI_CONV_MEMBER, ASSUMED, "u32", "any self, u32 part", ASSUMED, READ, "facts/animesh.md C.3", "with what is attached to it; 1 or 0 (assumed)") \
    X(0x17790, PlaceObject, ABI_CONV_MEMBER, ASSUMED, "void", "any self, in f32[16] matrix", ASSUMED, READ, "facts/animesh.md C.3", "its number as a method is unpublished") \
    X(0x17C30, GetPlacement, ABI_CONV_MEMBER, ASSUMED, "void", "any self, out f32[16] matrix", ASSUMED, READ, "facts/animesh.md C.3", "its number as a method is unpublished")

/* Functions that have public facts but no native body yet. They are found in an original and named
 * in reports. X(rva, name, source). */
#define ABI_ANIMESH_KNOWN(X) \
    X(0x01000, AgentConstructor, "facts/animesh.md C.3") \
    X(0x02FF0, AgentSetup, "facts/animesh.md C.3") \
    X(0x068A0, MeshConstructor, "facts/animesh.md C.4") \
    X(0x0A460, Merge, "facts/animesh.md E.8") \
    X(0x0AA70, RemovePart, "facts/animesh.md C.5") \
    X(0x0AF10, LoadWalk, "facts/animesh.md C.5") \
    X(0x0B2C0, TriangleOwner, "facts/animesh.md E.14") \
    X(0x07E90, WalkFlat, "facts/animesh.md E.14") \
    X(0x08120, WalkHierarchy, "facts/animesh.md E.14") \
    X(0x0CE90, WalkFaceNode, "facts/animesh.md C.9 E.15") \
    X(0x0CFA0, WalkFaceTriangle, "facts/animesh.md C.9 E.15") \
    X(0x0DFE0, PushOutNode, "facts/animesh.md C.9") \
    X(0x0E0C0, PushOutTriangle, "facts/animesh.md C.9 E.16") \
    X(0x106D0, PointInsideNode, "facts/animesh.md C.9") \
    X(0x10DC0, SegmentNode, "facts/animesh.md C.9") \
    X(0x11090, SegmentTriangle, "facts/animesh.md E.14") \
    X(0x15B60, FaceBelowNode, "facts/animesh.md C.9") \
    X(0x15CA0, FaceBelowTriangle, "facts/animesh.md C.9") \
    X(0x012D0, AgentInterfaceQuery, "facts/animesh.md C.3") \
    X(0x01320, AgentQuery, "facts/animesh.md C.3") \
    X(0x01370, AgentMessage, "facts/animesh.md C.3") \
    X(0x01850, AgentMessageToCollision, "facts/animesh.md C.3") \
    X(0x01BA0, AgentChildEvent, "facts/animesh.md C.3") \
    X(0x01C20, AgentSave, "facts/animesh.md C.3") \
    X(0x01D60, AgentLoad, "facts/animesh.md C.3") \
    X(0x01F80, AgentDetachChild, "facts/animesh.md C.3") \
    X(0x02470, AgentGetMatrix, "facts/animesh.md C.3") \
    X(0x025E0, AgentPartName, "facts/animesh.md C.3") \
    X(0x02FD0, AgentGetKind, "facts/animesh.md C.3") \
    X(0x02FE0, AgentIsMirrored, "facts/animesh.md C.3") \
    X(0x03660, SavePartList, "facts/animesh.md C.3") \
    X(0x036A0, LoadPartList, "facts/animesh.md C.3") \
    X(0x04840, ResourceHelper1, "facts/animesh.md B") \
    X(0x04870, ResourceHelper2, "facts/animesh.md B") \
    X(0x048A0, ResourceHelper3, "facts/animesh.md B") \
    X(0x06E50, MeshQuery, "facts/animesh.md C.4") \
    X(0x0B480, ColourModelLights, "facts/animesh.md E.18") \
    X(0x0B620, MeshChildRemoved, "facts/animesh.md C.5") \
    X(0x0C7F0, SetNodeMasks, "facts/animesh.md C.4") \
    X(0x174C0, GameObjectQuery, "facts/animesh.md C.3") \
    X(0x17510, SetParent, "facts/animesh.md C.3") \
    X(0x17570, GetParent, "facts/animesh.md C.3") \
    X(0x17580, AttachChild, "facts/animesh.md C.3") \
    X(0x17670, AddChild, "facts/animesh.md C.3") \
    X(0x17680, DetachChild, "facts/animesh.md C.3") \
    X(0x17716, RemoveChild, "facts/animesh.md C.3") \
    X(0x17760, GetChildren, "facts/animesh.md C.3") \
    X(0x17D60, GetObjectId, "facts/animesh.md C.3") \
    X(0x17E00, ChildrenNearSphere, "facts/animesh.md C.3") \
    X(0x17EA0, GetJoint, "facts/animesh.md C.3") \
    X(0x0B040, LoadWalkNode, "facts/animesh.md C.9")

/* Interface methods of the mesh object: X(interface, number, rva, name, convention, convention_evidence,
 * returns, params, params_evidence, provider, source, note). Slots without a row have no public facts. */
#define ABI_ANIMESH_METHODS(X) \
    X(IAnimation, 2, 0x06FC0, HandleMessage, ABI_CONV_METHOD, ASSUMED, "u32", "any self, u32 message, any payload", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.5", "4 init/bind, 0x80000020 append, 20 remove part, 21 parent/child event; the return value is unpublished") \
    X(IAnimation, 3, 0x051F0, QueryNode, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 id, inout u32[1] answer", ASSUMED, NATIVE, "facts/animesh.md C.5", "ids 0xa to 0x10; another id writes nothing; where the answer is put is unpublished") \
    X(IAnimation, 4, 0x05320, NodeMatrix, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 mode, out f32[16] matrix", ASSUMED, NATIVE, "facts/animesh.md C.5", "mode 0 model, 1 identity, 2 world; how the matrix is handed over is unpublished") \
    X(IAnimation, 5, 0x00000, SetNodeMatrix, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, in f32[16] matrix", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.5", "of flying parts; which of the three matrices is set is unpublished: the world") \
    X(IAnimation, 6, 0x054B0, NodeLabel, ABI_CONV_METHOD, ASSUMED, "ref", "inout state self, i32 node", READ, NATIVE, "facts/animesh.md C.5", "null where the label is empty") \
    X(IAnimation, 7, 0x054E0, NodeFlags, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, i32 node", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 8, 0x05500, ChangeNodeFlags, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 mask, u32 operation, u32 unknown", ASSUMED, NATIVE, "facts/animesh.md E.9", "operation: odd clears, bit 0x200 takes the subtree; the fourth argument is unpublished") \
    X(IAnimation, 9, 0x05600, NodePhase, ABI_CONV_METHOD, ASSUMED, "f32", "inout state self, i32 node", ASSUMED, NATIVE, "facts/animesh.md C.5", "returned in ST0: unpublished") \
    X(IAnimation, 10, 0x05630, SetNodePhase, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, f32 phase, f32 weight", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 12, 0x056C0, SetNodeFramePairs, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, i32 a_first, i32 a_last, i32 b_first, i32 b_last", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 14, 0x05780, FirstPieceOfPart, ABI_CONV_METHOD, ASSUMED, "i32", "inout state self, u32 part", ASSUMED, NATIVE, "facts/animesh.md C.5", "-1 when none") \
    X(IAnimation, 15, 0x057C0, PieceCountOfPart, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, u32 part", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 16, 0x057F0, NodeStage, ABI_CONV_METHOD, ASSUMED, "i32", "inout state self, i32 node", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 17, 0x05810, SetNodeStage, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, i32 stage", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 18, 0x05840, StageCount, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, i32 node", ASSUMED, NATIVE, "facts/animesh.md C.5", "consecutive variants 0, 1, 2 with a slot at level 0; 0 is 1 to the caller") \
    X(IAnimation, 19, 0x07E70, NodeCount, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self", READ, NATIVE, "facts/animesh.md C.5", "of pieces; +0x1AC") \
    X(IAnimation, 25, 0x05890, SetPhase, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, f32 phase, f32 weight", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 26, 0x058F0, SetFramePairs, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 a_first, i32 a_last, i32 b_first, i32 b_last", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 27, 0x05970, WearMaterial, ABI_CONV_METHOD, ASSUMED, "void", "any self, any reference", ASSUMED, REFUSED, "facts/animesh.md C.5", "an empty reference takes it off; the form of a reference is unpublished") \
    X(IAnimation, 29, 0x05B40, NodeRecord, ABI_CONV_METHOD, ASSUMED, "any", "inout state self, i32 node", READ, NATIVE_ONLY, "facts/animesh.md C.5", "the answer is a static record, of which only +0x14, the parent, is published") \
    X(IAnimation, 31, 0x05C90, TiltNode, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, ref from, ref to", ASSUMED, NATIVE, "facts/animesh.md E.10", "two vectors of three, or null") \
    X(IAnimation, 32, 0x05DF0, RootTranslation, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, out f32[3] translation", ASSUMED, NATIVE, "facts/animesh.md C.5", "") \
    X(IAnimation, 33, 0x05EC0, AddFirstPersonView, ABI_CONV_METHOD, ASSUMED, "void", "any self, any view", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.5", "") \
    X(IAnimation, 34, 0x05F60, IsFirstPersonView, ABI_CONV_METHOD, ASSUMED, "u32", "any self, any view", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.5", "") \
    X(IAnimation, 35, 0x05FA0, RemoveFirstPersonView, ABI_CONV_METHOD, ASSUMED, "void", "any self, any view", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.5", "") \
    X(IMesh2, 3, 0x134D0, BatchDescriptor, ABI_CONV_METHOD, ASSUMED, "any", "inout state self, i32 node, u32 batch", ASSUMED, NATIVE_ONLY, "facts/animesh.md E.13", "") \
    X(IMesh2, 4, 0x07E80, Nothing, thiscall, READ, "void", "any self, u32 a", READ, NOOP, "facts/animesh.md C.6", "bare ret 4") \
    X(IMesh2, 5, 0x13680, TriangleDescriptor, ABI_CONV_METHOD, ASSUMED, "any", "inout state self, i32 node, u32 batch, u32 triangle, u32 flags", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.6", "flag 8 adds the UVs") \
    X(IMesh2, 6, 0x13EF0, SegmentQuery, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, in f32[6] segment, in struct query query, inout struct hit hit", ASSUMED, NATIVE_ONLY, "facts/animesh.md E.14", "") \
    X(IMesh2, 7, 0x13FE0, WalkFaceQuery, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, in f32[3] point, in struct query query, inout struct hit hit", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.6", "an identical question gets the answer of before") \
    X(IMesh2, 8, 0x142D0, ChildrenNearSphere, ABI_CONV_METHOD, ASSUMED, "u32", "any self, in f32[6] segment, f32 radius, any list, u32 room", ASSUMED, REFUSED, "facts/animesh.md C.6", "needs the game object of Terrain: 0 in ours") \
    X(IMesh2, 9, 0x14580, AgentSphere, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, u32 mode, out f32[3] centre, out f32[1] radius", ASSUMED, NATIVE, "facts/animesh.md C.6", "") \
    X(IMesh2, 11, 0x14B30, Draw, ABI_CONV_METHOD, ASSUMED, "void", "any self, u32 flags, any camera", ASSUMED, REFUSED, "facts/animesh.md E.17", "nothing without a shade") \
    X(IMesh2, 12, 0x146A0, Capsule, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, u32 mode, out f32[7] capsule", ASSUMED, NATIVE, "facts/animesh.md C.6", "") \
    X(IMesh2, 14, 0x14750, Scale, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, out f32[3] scale", ASSUMED, NATIVE, "facts/animesh.md C.6", "") \
    X(IMesh2, 15, 0x14770, SetScale, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, in f32[3] scale", ASSUMED, NATIVE, "facts/animesh.md E.12", "") \
    X(IJointMesh, 3, 0x0F3B0, Sphere, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 mode, in struct joint_request request, out f32[4] sphere", ASSUMED, NATIVE, "facts/animesh.md E.11", "mode 0 model, 1 the node itself, 2 world") \
    X(IJointMesh, 4, 0x0F760, Box, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 mode, in struct joint_request request, out f32[24] corners", ASSUMED, NATIVE, "facts/animesh.md E.11", "mode as Sphere") \
    X(IJointMesh, 5, 0x0FD60, NodeCapsule, ABI_CONV_METHOD, ASSUMED, "void", "inout state self, i32 node, u32 mode, in struct joint_request request, out f32[7] capsule", ASSUMED, NATIVE, "facts/animesh.md E.11", "mode as Sphere") \
    X(IJointMesh, 6, 0x101D0, DrawSubtree, ABI_CONV_METHOD, ASSUMED, "void", "any self, i32 node, u32 level, any camera", ASSUMED, REFUSED, "facts/animesh.md C.7", "nothing without a shade") \
    X(IJointMesh, 7, 0x10550, PointInside, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, i32 node, in f32[3] point, in struct query query", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.7", "crossings of a ray, their low bit") \
    X(IJointMesh, 10, 0x10A50, NodeSegmentQuery, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, i32 node, u32 mode, in f32[6] segment, in struct query query, f32 most, inout struct hit hit", ASSUMED, NATIVE_ONLY, "facts/animesh.md E.14", "most: the greatest squared distance that counts") \
    X(ICollisionMesh, 2, 0x0CCB0, WalkFaceWithMargin, ABI_CONV_METHOD, ASSUMED, "u32", "inout state self, in f32[3] point, f32 margin, u32 direction, inout struct hit hit", ASSUMED, NATIVE_ONLY, "facts/animesh.md E.15", "direction: 8 at or below, 4 at or above") \
    X(ICollisionMesh, 3, 0x0D410, PushOutSphere, stdcall, READ, "u32", "inout state self, in f32[4] sphere, in struct query gather, in struct query faces, out f32[3] push", READ, NATIVE_ONLY, "facts/animesh.md C.8 E.16", "ret 0x14; sphere: centre, radius; faces is asked for each gathered face; reading push-gather")

/* The interfaces of objects that our DLL makes: X(interface, id, object, offset, vtable_rva, methods,
 * methods_evidence). The lengths of IAnimation to ICollisionMesh are distances between vtables. Where
 * no length is published, the table has room for methods that the game may call, so that each of them
 * ends with a message that names it. */
#define ABI_ANIMESH_INTERFACES(X) \
    X(IAnimation, 0x0B, Mesh, 0x000, 0x2057C, 36, INFERRED) \
    X(IMesh2, 0x18, Mesh, 0x004, 0x2053C, 16, INFERRED) \
    X(IJointMesh, 0x20, Mesh, 0x008, 0x2050C, 12, INFERRED) \
    X(ICollisionMesh, 0x25, Mesh, 0x00C, 0x204FC, 4, INFERRED) \
    X(IMeshSave, 0x26, Mesh, 0x010, 0x00000, 32, ASSUMED) \
    X(IMeshQuery, 0x00, Mesh, 0x014, 0x00000, 32, ASSUMED) \
    X(IGameObject, 0x06, Agent, 0x000, 0x201D4, 48, ASSUMED) \
    X(IAgent, 0x15, Agent, 0x130, 0x00000, 32, ASSUMED) \
    X(IPartNames, 0x24, Agent, 0x7BC, 0x00000, 32, ASSUMED)

/* These methods have no row above, because they work only over objects that our DLL made. The
 * columns are those of ABI_ANIMESH_METHODS. That method 0 is QueryInterface is inferred; its address
 * is known only for the mesh (MeshQuery).
 *
 * The game has no name for three interfaces, so they got theirs here: IMeshSave (at +0x10),
 * IMeshQuery (at +0x14), and IPartNames. Where IPartNames is in the original's agent is
 * unpublished; ours has it behind the original's record. The agent's rows have the addresses of
 * facts/animesh.md C.3. A method of INTERFACE without a row ends with a message that names it. */
#define ABI_ANIMESH_OBJECT_METHODS(X) \
    X(IAnimation, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(IMesh2, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(IJointMesh, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(ICollisionMesh, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(IMeshSave, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(IMeshQuery, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.1 C.4", "") \
    X(IAgent, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x100012D0; never asks the outer object") \
    X(IGameObject, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10001320; asks the outer object, but for 0x15") \
    X(IGameObject, 2, 0x00000, SetParent, ABI_CONV_METHOD, ASSUMED, "void", "any self, any parent, i32 joint", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10017510") \
    X(IGameObject, 3, 0x00000, GetParent, ABI_CONV_METHOD, ASSUMED, "any", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10017570") \
    X(IGameObject, 4, 0x00000, AttachChild, ABI_CONV_METHOD, ASSUMED, "u32", "any self, any child, i32 joint", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10017580") \
    X(IGameObject, 5, 0x00000, DetachChild, ABI_CONV_METHOD, ASSUMED, "u32", "any self, any child", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10001F80") \
    X(IGameObject, 7, 0x00000, SetMatrix, ABI_CONV_METHOD, ASSUMED, "void", "any self, u32 kind, in f32[16] matrix", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "kind 2 is the world's; other kinds are refused, because nothing else of them is published") \
    X(IGameObject, 8, 0x00000, GetMatrix, ABI_CONV_METHOD, ASSUMED, "void", "any self, u32 kind, out f32[16] matrix", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10002470; kind 2 without a parent is what slot 7 wrote last; under a parent it is refused, because of what it is composed is unpublished") \
    X(IGameObject, 9, 0x00000, GetObjectId, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10017D60") \
    X(IGameObject, 11, 0x00000, GetKind, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10002FD0: the dword +0x6D8") \
    X(IGameObject, 12, 0x00000, GetLogicId, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, REFUSED, "facts/animesh.md C.3", "0: where the agent keeps it is unpublished") \
    X(IGameObject, 13, 0x00000, HandleMessage, ABI_CONV_METHOD, ASSUMED, "u32", "any self, u32 message, any payload", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10001370; the return value is unpublished") \
    X(IGameObject, 14, 0x00000, GetTypeWord, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, REFUSED, "facts/animesh.md C.3", "0: where the agent keeps it is unpublished") \
    X(IGameObject, 16, 0x00000, GetJoint, ABI_CONV_METHOD, ASSUMED, "i32", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10017EA0") \
    X(IGameObject, 17, 0x00000, GetOwnerWord, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "reading object-slot-17: with owner, what ILifeSystem method 11 answers; with chunks (0x10001C20) the process ends with a message, because the arguments are unpublished") \
    X(IGameObject, 20, 0x00000, ChildEvent, ABI_CONV_METHOD, ASSUMED, "void", "any self, u32 event, any payload", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10001BA0: message 21 to mesh, control and collision object") \
    X(IGameObject, 21, 0x00000, IsMirrored, ABI_CONV_METHOD, ASSUMED, "u32", "any self", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x10002FE0: the byte +0x6F0") \
    X(IPartNames, 0, 0x00000, QueryInterface, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 id", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "as IGameObject method 0: assumed") \
    X(IPartNames, 2, 0x00000, PartName, ABI_CONV_METHOD, ASSUMED, "any", "any self, u32 part", ASSUMED, NATIVE_ONLY, "facts/animesh.md C.3", "0x100025E0: the member's name in the record of the part, null where there is none")

/* The methods that the game calls on a mesh object (facts/animesh.md E.20). As long as one of them
 * has no native body, the exports that make such objects stay with the original. X(interface,
 * number). */
#define ABI_ANIMESH_CALLED(X) \
    X(IAnimation, 2) X(IAnimation, 3) X(IAnimation, 4) X(IAnimation, 5) X(IAnimation, 6) X(IAnimation, 7) X(IAnimation, 8) X(IAnimation, 9) X(IAnimation, 10) X(IAnimation, 12) X(IAnimation, 14) X(IAnimation, 15) X(IAnimation, 17) X(IAnimation, 18) X(IAnimation, 19) X(IAnimation, 25) X(IAnimation, 26) X(IAnimation, 27) X(IAnimation, 31) X(IAnimation, 32) X(IAnimation, 33) X(IAnimation, 34) X(IAnimation, 35) \
    X(IMesh2, 3) X(IMesh2, 6) X(IMesh2, 7) X(IMesh2, 9) X(IMesh2, 11) X(IMesh2, 12) X(IMesh2, 14) X(IMesh2, 15) \
    X(IJointMesh, 3) X(IJointMesh, 4) X(IJointMesh, 5) X(IJointMesh, 6) X(IJointMesh, 7) X(IJointMesh, 10) \
    X(ICollisionMesh, 2) X(ICollisionMesh, 3)

/* Layouts: X(offset, type, count, name). The type `ref` is a pointer into the model's image. A
 * field of the type `any` is not written by the function that fills the record, so it keeps its
 * former content. */
#define ABI_READER_SIZE 0xA4
#define ABI_READER_FIELDS(X) \
    X(0x00, ref, 1, nodes) \
    X(0x04, ref, 1, header) \
    X(0x08, ref, 1, slots) \
    X(0x0C, ref, 1, positions) \
    X(0x10, ref, 1, normals) \
    X(0x14, ref, 1, uv0) \
    X(0x18, ref, 1, keys) \
    X(0x1C, ref, 1, frame_map) \
    X(0x20, ref, 1, strings) \
    X(0x24, ref, 1, triangles) \
    X(0x28, ref, 1, batches) \
    X(0x2C, ref, 1, indices) \
    X(0x30, ref, 1, res20) \
    X(0x34, ref, 1, res15) \
    X(0x38, ref, 1, res16) \
    X(0x3C, ref, 1, position_stream) \
    X(0x40, u32, 1, position_stride) \
    X(0x44, ref, 1, normal_stream) \
    X(0x48, u32, 1, normal_stride) \
    X(0x4C, ref, 1, tangent_stream) \
    X(0x50, u32, 1, tangent_stride) \
    X(0x54, ref, 1, bitangent_stream) \
    X(0x58, u32, 1, bitangent_stride) \
    X(0x5C, ref, 1, uv0_stream) \
    X(0x60, u32, 1, uv0_stride) \
    X(0x64, ref, 1, uv1_stream) \
    X(0x68, u32, 1, uv1_stride) \
    X(0x6C, u32, 8, unknown_6c) \
    X(0x8C, ref, 1, res15_stream) \
    X(0x90, u32, 1, res15_stride) \
    X(0x94, u32, 1, zero) \
    X(0x98, u32, 1, unknown_98) \
    X(0x9C, u32, 1, frame_count) \
    X(0xA0, u32, 1, res20_count)

#define ABI_PIECE_SIZE 0x130
#define ABI_PIECE_FIELDS(X) \
    X(0x000, u32, 1, tag) \
    X(0x004, u32, 1, part_base) \
    X(0x008, u32, 1, node) \
    X(0x00C, u32, 1, unknown_0c) \
    X(0x010, u32, 1, material_base) \
    X(0x014, u32, 1, flags) \
    X(0x018, i32, 1, parent) \
    X(0x01C, i32, 1, variant) \
    X(0x020, f32, 16, world) \
    X(0x060, f32, 16, model) \
    X(0x0A0, f32, 16, local) \
    X(0x0E0, f32, 4, previous_tilt) \
    X(0x0F0, f32, 4, tilt) \
    X(0x100, i32, 1, a_first) \
    X(0x104, i32, 1, a_last) \
    X(0x108, i32, 1, b_first) \
    X(0x10C, i32, 1, b_last) \
    X(0x110, u8, 1, cache_valid) \
    X(0x111, u8, 1, flying) \
    X(0x112, u8, 1, own_segment) \
    X(0x113, u8, 1, tilted) \
    X(0x114, f32, 1, phase) \
    X(0x118, f32, 1, weight) \
    X(0x11C, f32, 1, cached_a) \
    X(0x120, f32, 1, cached_b) \
    X(0x124, f32, 1, life) \
    X(0x128, f32, 1, material_phase) \
    X(0x12C, ref, 1, reader)

/* The mesh object. The size of the original's is unpublished; ours is longer, because it keeps its
 * own fields behind the last known one. The type `any` marks pointers that belong to the game, and
 * pointers of ours in bytes that no source describes (views). */
#define ABI_MESH_SIZE 0x23C
#define ABI_MESH_FIELDS(X) \
    X(0x000, any, 1, animation) \
    X(0x004, any, 1, mesh2) \
    X(0x008, any, 1, joint_mesh) \
    X(0x00C, any, 1, collision_mesh) \
    X(0x010, any, 1, save) \
    X(0x014, any, 1, query) \
    X(0x018, u32, 3, unknown_018) \
    X(0x024, any, 1, material_manager) \
    X(0x028, u32, 2, unknown_028) \
    X(0x030, any, 1, life_system) \
    X(0x034, u32, 2, unknown_034) \
    X(0x03C, any, 1, shade) \
    X(0x040, u32, 5, unknown_040) \
    X(0x054, f32, 24, box) \
    X(0x0B4, f32, 24, box_b) \
    X(0x114, f32, 3, agent_centre) \
    X(0x120, f32, 1, agent_radius) \
    X(0x124, f32, 3, node_centre) \
    X(0x130, f32, 1, node_radius) \
    X(0x134, f32, 7, capsule) \
    X(0x150, u32, 1, unknown_150) \
    X(0x154, u32, 1, scaled) \
    X(0x158, f32, 3, scale) \
    X(0x164, f32, 16, placement) \
    X(0x1A4, u32, 1, unknown_1a4) \
    X(0x1A8, ref, 1, pieces) \
    X(0x1AC, u32, 1, piece_count) \
    X(0x1B0, u32, 6, unknown_1b0) \
    X(0x1C8, any, 1, views) \
    X(0x1CC, u32, 6, unknown_1cc) \
    X(0x1E4, i32, 1, a_first) \
    X(0x1E8, i32, 1, a_last) \
    X(0x1EC, i32, 1, b_first) \
    X(0x1F0, i32, 1, b_last) \
    X(0x1F4, f32, 1, phase) \
    X(0x1F8, f32, 1, weight) \
    X(0x1FC, u8, 1, unknown_1fc) \
    X(0x1FD, u8, 1, unknown_1fd) \
    X(0x1FE, u8, 2, unknown_1fe) \
    X(0x200, u32, 1, unknown_200) \
    X(0x204, any, 1, worn_manager) \
    X(0x208, any, 1, worn_handle) \
    X(0x20C, u32, 4, unknown_20c) \
    X(0x21C, f32, 4, life_colour) \
    X(0x22C, f32, 4, life_step)

/* What a query asks for (facts/animesh.md D.4). A face must have all bits of a mask `required` and
 * no bit of a mask `excluded`. */
#define ABI_QUERY_SIZE 0x20
#define ABI_QUERY_FIELDS(X) \
    X(0x00, u32, 1, class_mask) \
    X(0x04, u32, 1, required_object) \
    X(0x08, u32, 1, excluded_object) \
    X(0x0C, u32, 1, skip_parts) \
    X(0x10, u32, 1, required_batch) \
    X(0x14, u32, 1, excluded_batch) \
    X(0x18, u32, 1, required_triangle) \
    X(0x1C, u32, 1, excluded_triangle)

#define ABI_HIT_SIZE 0x24
#define ABI_HIT_FIELDS(X) \
    X(0x00, u32, 1, object) \
    X(0x04, i32, 1, node) \
    X(0x08, u32, 1, batch) \
    X(0x0C, u32, 1, batch_triangle) \
    X(0x10, u32, 1, triangle) \
    X(0x14, f32, 3, point) \
    X(0x20, f32, 1, distance)

/* Words 0 and 1 are plausibly masks of node flags (facts/animesh.md D.4). Word 3 is 1 for a single
 * node. */
#define ABI_JOINT_REQUEST_SIZE 0x10
#define ABI_JOINT_REQUEST_FIELDS(X) \
    X(0x00, u32, 1, required) \
    X(0x04, u32, 1, excluded) \
    X(0x08, u32, 1, unknown_08) \
    X(0x0C, u32, 1, single)

/* A face within the reach of a sphere (facts/animesh.md E.16). */
#define ABI_FACE_SIZE 0x48
#define ABI_FACE_FIELDS(X) \
    X(0x00, f32, 9, corners) \
    X(0x24, f32, 3, normal) \
    X(0x30, f32, 3, plane_normal) \
    X(0x3C, f32, 1, plane_offset) \
    X(0x40, u32, 1, batch_flags) \
    X(0x44, u32, 1, triangle_flags)

/* The payload of message 0x80000020 (facts/animesh.md C.1). */
#define ABI_APPEND_SIZE 0x4C
#define ABI_APPEND_FIELDS(X) \
    X(0x00, u8, 32, archive) \
    X(0x20, u8, 32, member) \
    X(0x40, u32, 1, part) \
    X(0x44, i32, 1, piece) \
    X(0x48, u32, 1, material)

/* A part of an agent (facts/animesh.md C.3). */
#define ABI_PART_SIZE 0x4C
#define ABI_PART_FIELDS(X) \
    X(0x00, u8, 32, archive) \
    X(0x20, u8, 32, member) \
    X(0x40, i32, 1, parent) \
    X(0x44, i32, 1, attach) \
    X(0x48, u32, 1, id)

/* The agent (facts/animesh.md C.3). The type `any` marks objects that belong to the game, and
 * objects of ours in bytes that no source describes. */
#define ABI_AGENT_SIZE 0x7BC
#define ABI_AGENT_IAGENT 0x130 /* LoadAgent returns the object's address plus this */
#define ABI_AGENT_TABLE 336 /* number of entries of the interface table */
#define ABI_AGENT_FIELDS(X) \
    X(0x000, any, 1, game_object) \
    X(0x004, any, 1, outer) \
    X(0x008, any, 1, parent) \
    X(0x00C, i32, 1, joint) \
    X(0x010, any, 68, unknown_010) \
    X(0x120, u32, 1, object_id) \
    X(0x124, u32, 3, unknown_124) \
    X(0x130, any, 1, agent) \
    X(0x134, u32, 2, unknown_134) \
    X(0x13C, any, 1, animation) \
    X(0x140, any, 1, mesh) \
    X(0x144, u32, 2, unknown_144) \
    X(0x14C, any, 1, material_manager) \
    X(0x150, any, 1, light_manager) \
    X(0x154, any, 1, unknown_154) \
    X(0x158, any, 1, control) \
    X(0x15C, u32, 1, unknown_15c) \
    X(0x160, any, 1, life_system) \
    X(0x164, any, 1, items) \
    X(0x168, any, 1, devices) \
    X(0x16C, any, 1, collision_manager) \
    X(0x170, any, 1, collision_object) \
    X(0x174, any, 1, effect_manager) \
    X(0x178, any, 1, wizard) \
    X(0x17C, any, 1, behaviour) \
    X(0x180, any, 1, hallway) \
    X(0x184, u32, 1, unknown_184) \
    X(0x188, any, 1, mesh_save) \
    X(0x18C, any, 1, control_save) \
    X(0x190, any, 1, behaviour_save) \
    X(0x194, any, 1, wizard_save) \
    X(0x198, any, 336, interfaces) \
    X(0x6D8, u32, 1, kind) \
    X(0x6DC, u32, 2, unknown_6dc) \
    X(0x6E4, any, 1, parts) \
    X(0x6E8, u32, 2, unknown_6e8) \
    X(0x6F0, u8, 4, mirrored) \
    X(0x6F4, any, 1, unknown_6f4) \
    X(0x6F8, u32, 49, unknown_6f8)
/* clang-format on */

#endif
