/* The ABI of AniMesh.dll (Parkan: Iron Strategy; no hash of it is published), one row per fact.
 * The row formats, types, evidence and provider words are those of ngi32.abi.h.
 */
#ifndef RETROPOSE_EXPORTS_ANIMESH_ABI_H
#define RETROPOSE_EXPORTS_ANIMESH_ABI_H

#include "conventions.h"

#define ABI_ANIMESH_IMAGE_BASE 0x10000000

/* clang-format off */
#define ABI_ANIMESH_EXPORTS(X) \
    X(LoadAgent, 1, INFERRED, 0x16A00, READ, ABI_CONV_COMPONENT, ASSUMED, "any", "in cstr archive, in cstr member, any outer, u32 player", READ, REFUSED, "facts/animesh.md A.1", "returns null until the Mesh issue") \
    X(LoadAniMesh, 2, INFERRED, 0x16A70, INFERRED, ABI_CONV_COMPONENT, ASSUMED, "any", "in cstr archive, in cstr member, any outer, u32 player", INFERRED, REFUSED, "facts/animesh.md A.1", "returns null until the Mesh issue")

/* Exports that the original does not have; see docs/abi.md. */
#define ABI_ANIMESH_OWN_EXPORTS(X) \
    X(RetroposeInternal, 2000, READ, 0x00000, READ, stdcall, READ, "any", "u32 address", READ, NATIVE, "docs/abi.md", "our implementation of the original's internal function at this address of its unrelocated image, or null") \
    X(RetroposeGates, 2001, READ, 0x00000, READ, stdcall, READ, "void", "", READ, DATA, "docs/live.md", "where the pool of pass-through gates is (live/exports_section.h)")

#define ABI_ANIMESH_INTERNALS(X) \
    X(0x15FD0, LoadReader, ABI_CONV_MEMBER, ASSUMED, "void", "out struct reader reader, nres file", ASSUMED, READ, "facts/animesh.md D.2 E.1, seed 001 4", "fills the 0xA4-byte reader; return value unpublished, so not compared") \
    X(0x124D0, FindSlot, ABI_CONV_MEMBER, ASSUMED, "ref", "ref piece, i32 level, i32 variant", INFERRED, READ, "facts/animesh.md E.2, seed 001 6.1", "variant -1 is the piece's own") \
    X(0x12530, NodeString, ABI_CONV_MEMBER, ASSUMED, "ref", "ref piece", INFERRED, READ, "facts/animesh.md E.3, seed 001 6.2", "null where the length is 0") \
    X(0x12880, SampleNode, ABI_CONV_MEMBER, ASSUMED, "void", "ref piece, f32 t, out f32[4] quaternion, out f32[3] position", ASSUMED, READ, "facts/animesh.md E.4, seed 000 3", "t in frames; quaternion w,x,y,z") \
    X(0x12560, BlendPoses, ABI_CONV_MEMBER, ASSUMED, "void", "ref piece, f32 t_a, f32 t_b, f32 weight, out f32[16] matrix", INFERRED, READ, "facts/animesh.md E.5, seed 000 4", "neither side valid: undefined in the original, identity in ours") \
    X(0x0B8E0, SetColumn, ABI_CONV_HELPER, READ, "void", "inout f32[16] matrix, u32 column, in f32[3] vector", INFERRED, READ, "facts/animesh.md E.5 G.2", "column index in EDX is read") \
    X(0x0B600, GetColumn, ABI_CONV_HELPER, ASSUMED, "void", "in f32[16] matrix, u32 column, out f32[3] vector", ASSUMED, READ, "facts/animesh.md E.5 G.2", "")

/* Functions with public facts and no native body yet; they are found in an original and named in
 * reports. X(rva, name, source). */
#define ABI_ANIMESH_KNOWN(X) \
    X(0x01000, AgentConstructor, "facts/animesh.md C.3") \
    X(0x02FF0, AgentSetup, "facts/animesh.md C.3") \
    X(0x068A0, MeshConstructor, "facts/animesh.md C.4") \
    X(0x08B30, PoseWalk, "facts/animesh.md E.7") \
    X(0x09510, Bounds, "facts/animesh.md E.11") \
    X(0x0A2A0, ClearPoseCache, "facts/animesh.md E.7") \
    X(0x0A460, Merge, "facts/animesh.md E.8") \
    X(0x0AA70, RemovePart, "facts/animesh.md C.5") \
    X(0x0AF10, LoadWalk, "facts/animesh.md C.5") \
    X(0x0B2C0, TriangleOwner, "facts/animesh.md E.14") \
    X(0x07E90, WalkFlat, "facts/animesh.md E.14") \
    X(0x08120, WalkHierarchy, "facts/animesh.md E.14") \
    X(0x0CE90, WalkFaceNode, "facts/animesh.md C.9 E.15") \
    X(0x0CFA0, WalkFaceTriangle, "facts/animesh.md C.9 E.15") \
    X(0x0D220, PointOverTriangle, "facts/animesh.md E.15") \
    X(0x0DFE0, PushOutNode, "facts/animesh.md C.9") \
    X(0x0E0C0, PushOutTriangle, "facts/animesh.md C.9 E.16") \
    X(0x0E900, SphereTouchesFace, "facts/animesh.md E.16") \
    X(0x0EB70, SphereTouchesEdge, "facts/animesh.md E.16") \
    X(0x106D0, PointInsideNode, "facts/animesh.md C.9") \
    X(0x10DC0, SegmentNode, "facts/animesh.md C.9") \
    X(0x11090, SegmentTriangle, "facts/animesh.md E.14") \
    X(0x11850, FillBoxCorners, "facts/animesh.md E.11") \
    X(0x123E0, InitPiece, "facts/animesh.md D.1") \
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
    X(0x02FE0, AgentIsMirrored, "facts/animesh.md C.3") \
    X(0x03660, SavePartList, "facts/animesh.md C.3") \
    X(0x036A0, LoadPartList, "facts/animesh.md C.3") \
    X(0x03760, AttachPart, "facts/animesh.md C.3") \
    X(0x03C40, RemoveAgentPart, "facts/animesh.md C.3") \
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
    X(0x17790, PlaceObject, "facts/animesh.md C.3") \
    X(0x17C30, GetPlacement, "facts/animesh.md C.3") \
    X(0x17D60, GetObjectId, "facts/animesh.md C.3") \
    X(0x17E00, ChildrenNearSphere, "facts/animesh.md C.3") \
    X(0x17EA0, GetJoint, "facts/animesh.md C.3") \
    X(0x0B040, LoadWalkNode, "facts/animesh.md C.9")

/* Interface methods: X(interface, slot, rva, name, convention, convention_evidence, returns, params,
 * params_evidence, provider, source, note). Signatures come with the Mesh issue. */
#define ABI_ANIMESH_METHODS(X) \
    X(IAnimation, 2, 0x06FC0, HandleMessage, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 3, 0x051F0, QueryNode, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "ids 0xa to 0x10") \
    X(IAnimation, 4, 0x05320, NodeMatrix, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "mode 0 model, 1 identity, 2 world") \
    X(IAnimation, 5, 0x00000, SetNodeMatrix, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 7, 0x054E0, NodeFlags, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 8, 0x05500, ChangeNodeFlags, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.9", "") \
    X(IAnimation, 9, 0x05600, NodePhase, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 10, 0x05630, SetNodePhase, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 12, 0x056C0, SetNodeFramePairs, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 14, 0x05780, FirstPieceOfPart, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 15, 0x057C0, PieceCountOfPart, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 16, 0x057F0, NodeStage, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 17, 0x05810, SetNodeStage, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 18, 0x05840, StageCount, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 25, 0x05890, SetPhase, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 26, 0x058F0, SetFramePairs, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 27, 0x05970, WearMaterial, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 29, 0x05B40, NodeRecord, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 31, 0x05C90, TiltNode, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.10", "") \
    X(IAnimation, 32, 0x05DF0, RootTranslation, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 33, 0x05EC0, AddFirstPersonView, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 34, 0x05F60, IsFirstPersonView, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IAnimation, 35, 0x05FA0, RemoveFirstPersonView, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.5", "") \
    X(IMesh2, 3, 0x134D0, BatchDescriptor, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.13", "") \
    X(IMesh2, 4, 0x07E80, Nothing, thiscall, READ, "void", "any self, u32 a", READ, ABSENT, "facts/animesh.md C.6", "bare ret 4") \
    X(IMesh2, 5, 0x13680, TriangleDescriptor, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 6, 0x13EF0, SegmentQuery, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.14", "") \
    X(IMesh2, 7, 0x13FE0, WalkFaceQuery, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 8, 0x142D0, ChildrenNearSphere, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 9, 0x14580, AgentSphere, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 11, 0x14B30, Draw, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.17", "") \
    X(IMesh2, 12, 0x146A0, Capsule, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 14, 0x14750, Scale, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.6", "") \
    X(IMesh2, 15, 0x14770, SetScale, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.12", "") \
    X(IJointMesh, 3, 0x0F3B0, Sphere, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.11", "") \
    X(IJointMesh, 4, 0x0F760, Box, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.11", "") \
    X(IJointMesh, 5, 0x0FD60, NodeCapsule, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.11", "") \
    X(IJointMesh, 6, 0x101D0, DrawSubtree, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.7", "") \
    X(IJointMesh, 7, 0x10550, PointInside, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md C.7", "") \
    X(IJointMesh, 10, 0x10A50, NodeSegmentQuery, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.14", "") \
    X(ICollisionMesh, 2, 0x0CCB0, WalkFaceWithMargin, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.15", "") \
    X(ICollisionMesh, 3, 0x0D410, PushOutSphere, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/animesh.md E.16", "")

/* Layouts. X(offset, type, count, name). Type ref is a pointer into the model's image; `any` is
 * left alone by the function that fills the record, so it keeps what was there. */
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
    X(0x64, ref, 1, colour_stream) \
    X(0x68, u32, 1, colour_stride) \
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
/* clang-format on */

#endif
