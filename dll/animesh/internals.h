/* The functions of the original AniMesh.dll that our DLL implements, with the signatures of the ABI
 * table. */
#ifndef RETROPOSE_DLL_ANIMESH_INTERNALS_H
#define RETROPOSE_DLL_ANIMESH_INTERNALS_H

#include "retropose/arithmetic.h"

#include "exports/animesh.abi.h"
#include "prototypes.h"

#define INTERNALS_DECLARE(rva, name, ...) ABI_PROTO_animesh_##name(AniMesh_##name);
ABI_ANIMESH_INTERNALS(INTERNALS_DECLARE)
ABI_ANIMESH_MESH_INTERNALS(INTERNALS_DECLARE)
ABI_ANIMESH_AGENT_INTERNALS(INTERNALS_DECLARE)
#undef INTERNALS_DECLARE

#define INTERNALS_DECLARE_METHOD(interface, method, ...)                                           \
    ABI_PROTO_animesh_##interface##_##method(AniMesh_##interface##_##method);
ABI_ANIMESH_METHODS(INTERNALS_DECLARE_METHOD)
ABI_ANIMESH_OBJECT_METHODS(INTERNALS_DECLARE_METHOD)
#undef INTERNALS_DECLARE_METHOD

/* The DLL's build and readings, which are chosen once, when it is loaded. */
extern RpArithmetic animesh_arithmetic;

#endif
