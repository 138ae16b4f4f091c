/* clang-format off */
/* The ABI of Ngi32.dll (Parkan: Iron Strategy, 253952 bytes, SHA-256
 * bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5), one row per fact.
 *
 * Everything that depends on a signature is made from these rows: .def files, prototypes, trace
 * signatures, marshalling, report names, docs/reference/abi.md and the stand-in's entry sequences.
 *
 * Columns
 *   convention   a role of exports/conventions.h
 *   returns      void | u32 | i32 | f32 (in ST0; recorded with all 80 bits) | ref (pointer into the
 *                memory of a trace) | any (machine-dependent: recorded, never compared) | slot (a
 *                function pointer: recorded as the entry of g_FastProc that holds it)
 *   params       comma-separated `[in|out|inout] type[count] name`, in the order of the prototype.
 *                With a direction it is a pointer to `count` elements, without one a dword by value.
 *                type: f32 i32 u32 | ref (pointer into the memory of a trace, or null) | cstr (in
 *                only; one called `text` is a text, any other names a file or a part of one) | nres (an INResFile object over an NRes image in the memory of a trace) |
 *                struct NAME (a layout of these tables) | any (an opaque dword: never recorded) |
 *                state (`inout state` only, one a function: a pointer into a memory of the trace
 *                that the call may change in place; docs/formats/trace.md).
 *                count: a number, the name of another parameter, or number*name.
 *   evidence     READ (out of a disassembly) MEASURED (over files) LIVE (in a running process)
 *                INFERRED ASSUMED UNKNOWN; of the ordinal, the address, the convention, the params
 *   provider     NATIVE (ours is complete) | NATIVE_ONLY (as NATIVE, and the stand-in has no body of
 *                its own: nothing of it is replayed) | NOOP (the original is an empty function too) |
 *                REFUSED (returns failure, logged) | FATAL (ends with a clear message, because the
 *                stack cannot be repaired without knowing the arguments) | DATA | ABSENT (nothing
 *                of ours reaches it yet)
 * Addresses are RVAs of the known version; 0 is unpublished. An ordinal from 1000 up is provisional:
 * the original's is not public.
 */
#ifndef RETROPOSE_EXPORTS_NGI32_ABI_H
#define RETROPOSE_EXPORTS_NGI32_ABI_H

#include "exports/conventions.h"

#define ABI_NGI32_IMAGE_BASE 0x10000000
#define ABI_NGI32_EXPORT_COUNT 145 /* exports of the original, 89 of which have no public name */
#define ABI_NGI32_FASTPROC_COUNT 68 /* number of entries of g_FastProc */

/* X(name, ordinal, ordinal_evidence, rva, rva_evidence, convention, convention_evidence, returns,
 *   params, params_evidence, provider, source, note) */
#define ABI_NGI32_EXPORTS(X) \
    X(ngiAlloc, 54, READ, 0x19E50, READ, ABI_CONV_EXPORT, INFERRED, "any", "u32 size", READ, NATIVE, "facts/ngi32.md A.3 D.1", "fatal error 0x10 when memory runs out") \
    X(ngiFree, 45, READ, 0x19E80, READ, ABI_CONV_EXPORT, INFERRED, "void", "any block", READ, NATIVE, "facts/ngi32.md A.3 D.1", "ignores what IsBadWritePtr(block, 4) refuses, so null is safe") \
    X(ngiGetMemSize, 46, READ, 0x197A0, READ, ABI_CONV_EXPORT, INFERRED, "u32", "any block", READ, NATIVE, "facts/ngi32.md A.3 D.1", "size of the block in the private heap") \
    X(ngiFixedMemMaxBlock, 47, READ, 0x02A00, READ, ABI_CONV_EXPORT, READ, "u32", "", INFERRED, NOOP, "facts/ngi32.md A.3", "returns 0; body shared with the next two") \
    X(ngiGetPalette, 55, READ, 0x02A00, READ, ABI_CONV_EXPORT, READ, "u32", "", INFERRED, NOOP, "facts/ngi32.md A.3", "returns 0") \
    X(ngiIsBackSurface, 144, READ, 0x02A00, READ, ABI_CONV_EXPORT, READ, "u32", "", INFERRED, NOOP, "facts/ngi32.md A.3", "returns 0") \
    X(ngiSetPalette, 1000, ASSUMED, 0x025B0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c", READ, NOOP, "facts/ngi32.md A.3", "ret 0xC") \
    X(ngiProcessError, 31, READ, 0x04340, READ, ABI_CONV_EXPORT, INFERRED, "void", "any message", READ, NATIVE, "facts/ngi32.md D.2", "number below 500 or string; never returns") \
    X(ngiSetDebugOutput, 59, READ, 0x04170, READ, ABI_CONV_EXPORT, INFERRED, "void", "any target", READ, NATIVE, "facts/ngi32.md D.3", "0, 1 or a file name") \
    X(ngiGetClocks, 52, READ, 0x045B0, READ, ABI_CONV_EXPORT, INFERRED, "any", "", READ, NATIVE, "facts/ngi32.md C", "QueryPerformanceCounter or rdtsc; only EAX is used by callers") \
    X(ngiGetSinCos, 1001, ASSUMED, 0x1B6E0, READ, ABI_CONV_EXPORT, INFERRED, "void", "f32 angle, out f32[1] sine, out f32[1] cosine", ASSUMED, NATIVE, "facts/ngi32.md C", "sine first is read, the place of the angle is not") \
    X(ngiUnpack, 1002, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any packed", INFERRED, REFUSED, "facts/ngi32.md A.3", "null: argument list disputed, and what rsLoadPacked hands out is unpublished") \
    X(niGetProcAddress, 307, READ, 0x045F0, READ, ABI_CONV_EXPORT, INFERRED, "slot", "u32 index", READ, NATIVE, "facts/ngi32.md A.3", "g_FastProc[index]; ours refuses an index past the table") \
    X(g_FastProc, 1003, ASSUMED, 0x3A058, READ, ABI_CONV_EXPORT, UNKNOWN, "void", "", READ, DATA, "facts/ngi32.md B.1", "68 function pointers") \
    X(niOutputDebugString, 318, READ, 0x029A0, READ, ABI_CONV_EXPORT, INFERRED, "void", "in cstr text", READ, NATIVE, "facts/ngi32.md D.4", "one write to the mailslot ndebug per call") \
    X(niOpenResFile, 1004, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "in cstr path", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E", "= niOpenResFileEx(path, 0)") \
    X(niOpenResFileEx, 1005, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "in cstr path, u32 flags", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.3", "null when the file is no archive; docs/reference/archives-dll.md") \
    X(niOpenResInMem, 1006, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any image, u32 size", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E", "the image must outlive the object") \
    X(niCreateResFile, 1007, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "in cstr path", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E", "an existing archive is continued behind its last payload") \
    X(rsOpenLib, 1008, ASSUMED, 0x19420, READ, ABI_CONV_EXPORT, INFERRED, "any", "in cstr path, u32 flags", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "bit 1 looks for the trailer, bit 7 is kept at handle +0x28") \
    X(rsCloseLib, 1009, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any library", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "frees what rsLoad gave (assumed); 1, or 0 for what is no library (assumed)") \
    X(rsLibNum, 1010, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "u32", "any library", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "number of entries") \
    X(rsFind, 1011, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "i32", "any library, in cstr name", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "-1 on a miss") \
    X(rsLoad, 1012, ASSUMED, 0x19900, READ, ABI_CONV_EXPORT, INFERRED, "any", "any library, i32 index", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "decoded once, then the same pointer") \
    X(rsLoadFast, 1013, ASSUMED, 0x19880, READ, ABI_CONV_EXPORT, INFERRED, "any", "any library, i32 index, u32 flags", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "into the mapped file where the entry is stored, else as rsLoad; the flags have no effect (assumed)") \
    X(rsLoadPacked, 1014, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any library, i32 index", READ, REFUSED, "facts/ngi32.md A.3 E.7", "null: what it hands to ngiUnpack is unpublished") \
    X(rsLoadByName, 1015, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any library, in cstr name", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "rsFind, then rsLoad") \
    X(rsGetInfo, 1016, ASSUMED, 0x19D60, READ, ABI_CONV_EXPORT, INFERRED, "u32", "any library, i32 index, any info", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "writes the name (16 bytes) and the unpacked size (u32), and returns 1 or 0: all assumed") \
    X(rsGetPackMethod, 1017, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "u32", "any library, i32 index", READ, NATIVE_ONLY, "facts/ngi32.md A.3 E.7", "flags & 0x1C0") \
    X(rsLoadWave, 1018, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "any library, i32 index", UNKNOWN, FATAL, "facts/ngi32.md A.3", "stub or live is unpublished, and so are the arguments") \
    X(rsLoadTexture, 1019, ASSUMED, 0x025B0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c", READ, NOOP, "facts/ngi32.md A.3", "ret 0xC") \
    X(rsLoadBitmap, 1020, ASSUMED, 0x025B0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c", READ, NOOP, "facts/ngi32.md A.3", "ret 0xC") \
    X(rsLoadFadeTable, 1021, ASSUMED, 0x025B0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c", READ, NOOP, "facts/ngi32.md A.3", "ret 0xC") \
    X(rsLoadMultiTexture, 1022, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, READ, "u32", "u32 a, u32 b, u32 c, u32 d", READ, NOOP, "facts/ngi32.md A.3", "returns 0, ret 0x10") \
    X(niGetD3DDriverAmount, 1023, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "driver enumeration; arguments unpublished") \
    X(niSelectD3DDriver, 1024, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "driver enumeration; arguments unpublished") \
    X(niGetD3DDriverCaps, 1025, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "driver enumeration; arguments unpublished") \
    X(niGetD3DVideoModeList, 1026, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "driver enumeration; arguments unpublished") \
    X(niGetMaxTextureSize, 1027, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "driver enumeration; arguments unpublished") \
    X(niCreate3DRender, 1028, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3 F.1", "arguments unpublished") \
    X(niGet3DRender, 302, READ, 0x05640, READ, ABI_CONV_EXPORT, INFERRED, "any", "", READ, REFUSED, "facts/ngi32.md A.3 F.1", "null: no renderer exists without an original") \
    X(niCreate3DSound, 1029, ASSUMED, 0x0C3E0, READ, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3 F.4", "arguments after the flags unpublished") \
    X(niGet3DSound, 1030, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", READ, REFUSED, "facts/ngi32.md A.3 F.4", "null: no sound exists without an original") \
    X(niGet3DSoundCaps, 1031, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "arguments unpublished") \
    X(niMuteSound, 1032, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, INFERRED, "any", "", UNKNOWN, FATAL, "facts/ngi32.md A.3", "arguments unpublished") \
    X(mrnPointInPoly, 202, READ, 0x01E60, READ, ABI_CONV_EXPORT, INFERRED, "u32", "in f32[4] plane, in ref[count] vertices, u32 count, in f32[3] point", INFERRED, NATIVE, "facts/ngi32.md B.5", "order read; 1 inside, 0 outside is assumed") \
    X(vrtTextOut, 1033, ASSUMED, 0x02600, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c, u32 d, u32 e, u32 f", READ, NOOP, "facts/ngi32.md A.3", "ret 0x18") \
    X(vrtRectangle, 1034, ASSUMED, 0x02600, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c, u32 d, u32 e, u32 f", READ, NOOP, "facts/ngi32.md A.3", "ret 0x18") \
    X(vrtSetFadeTable, 1035, ASSUMED, 0x02600, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c, u32 d, u32 e, u32 f", READ, NOOP, "facts/ngi32.md A.3", "ret 0x18") \
    X(vrtStretchNgb, 1036, ASSUMED, 0x02600, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c, u32 d, u32 e, u32 f", READ, NOOP, "facts/ngi32.md A.3", "ret 0x18") \
    X(n3dPrimitive, 1037, ASSUMED, 0x02600, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b, u32 c, u32 d, u32 e, u32 f", READ, NOOP, "facts/ngi32.md A.3", "ret 0x18") \
    X(vrtPutDib, 1038, ASSUMED, 0x025A0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b", READ, NOOP, "facts/ngi32.md A.3", "ret 8, shared with 23 others") \
    X(n3dSetLighting, 1039, ASSUMED, 0x025A0, READ, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b", READ, NOOP, "facts/ngi32.md A.3", "ret 8") \
    X(vrtSetCameraParam, 1040, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b", UNKNOWN, NOOP, "facts/ngi32.md A.3", "argument bytes unpublished; two assumed") \
    X(n3dEndScene, 1041, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, READ, "void", "", UNKNOWN, NOOP, "facts/ngi32.md A.3", "argument bytes unpublished; none assumed") \
    X(n3dGetPortalClipRect, 1042, ASSUMED, 0x00000, UNKNOWN, ABI_CONV_EXPORT, READ, "void", "u32 a, u32 b", UNKNOWN, NOOP, "facts/ngi32.md A.3", "argument bytes unpublished; two assumed; imported by nobody")


/* Exports of ours that the original does not have; see docs/reference/abi.md. The columns are the same. */
#define ABI_NGI32_OWN_EXPORTS(X) \
    X(RetroposeInternal, 2000, READ, 0x00000, READ, stdcall, READ, "any", "u32 address", READ, NATIVE, "docs/reference/abi.md", "our implementation of the original's internal function at this address of its unrelocated image, or null") \
    X(RetroposeGates, 2001, READ, 0x00000, READ, stdcall, READ, "void", "", READ, DATA, "docs/use/modes.md", "where the pool of pass-through gates is (exports/section.h)") \
    X(RetroposeObserver, 2002, READ, 0x00000, READ, stdcall, READ, "any", "u32 version", READ, NATIVE, "docs/use/modes.md", "for our AniMesh.dll: what records and compares calls (dll/observer.h), or null")

/* g_FastProc. X(slot, name, body, convention, convention_evidence, returns, params, params_evidence,
 *   generic_rva, fxch_rva, sse_rva, provider, source, note)
 * `body` is the function of ngi32/ that computes the slot: its parameters are an
 * RpArithmetic and then those of the row. slot-bodies.h declares it; the entries of our Ngi32.dll and
 * the native provider call it, so nothing else binds a slot to its mathematics.
 * The three addresses are the builds that the known processor classes put into the table; 0 where
 * none is published. Slots without a row have no public facts: ours are FATAL. */
#define ABI_NGI32_SLOTS(X) \
    X(4, MatrixProduct34, RpMatrix_Product34, ABI_CONV_SLOT, ASSUMED, "void", "in f32[12] a, in f32[12] b, out f32[12] product", ASSUMED, 0x1C540, 0x00000, 0x00000, NATIVE, "facts/ngi32.md B.3", "affine product, three rows of four; which build 0x1C540 is, is unpublished") \
    X(7, RotateVector, RpMatrix_Rotate, ABI_CONV_SLOT, ASSUMED, "void", "in f32[16] matrix, in f32[3] vector, out f32[3] result", ASSUMED, 0x1F790, 0x00000, 0x00000, NATIVE, "facts/ngi32.md B.3", "reading rotate-vector") \
    X(11, ReciprocalSquareRoot, RpScalar_ReciprocalSquareRoot, ABI_CONV_SLOT, ASSUMED, "f32", "f32 x", ASSUMED, 0x00000, 0x00000, 0x00000, NATIVE, "facts/ngi32.md B.3", "reading rsqrt-sse") \
    X(14, QuaternionToMatrix, RpQuaternion_ToMatrix, ABI_CONV_SLOT, ASSUMED, "void", "in f32[4] quaternion, out f32[16] matrix", ASSUMED, 0x14540, 0x17E60, 0x1D830, NATIVE, "facts/ngi32.md B.4a, seed 000 4.4", "transpose of the usual column-vector rotation") \
    X(15, QuaternionToMirroredMatrix, RpQuaternion_ToMirroredMatrix, ABI_CONV_SLOT, ASSUMED, "void", "in f32[4] quaternion, out f32[16] matrix", ASSUMED, 0x14450, 0x00000, 0x00000, NATIVE, "facts/ngi32.md B.4b", "S R S with S = diag(1,1,-1); reading mirror-shape") \
    X(17, InterpolateQuaternions, RpQuaternion_Interpolate, ABI_CONV_SLOT, ASSUMED, "void", "in f32[4] q0, in f32[4] q1, f32 t, out f32[4] result", ASSUMED, 0x14630, 0x17F50, 0x15D80, NATIVE, "facts/ngi32.md B.4c, seed 000 4.4", "not renormalised") \
    X(20, CombineLight, RpLight_Combine, ABI_CONV_SLOT, ASSUMED, "void", "in f32[3] light, in f32[3] ambient, in f32[3] scene, out f32[3] colour", ASSUMED, 0x1FFC0, 0x248A0, 0x1D980, NATIVE, "facts/ngi32.md B.3", "max(light + ambient, scene) per channel; a fourth build is at 0x1BDD0") \
    X(22, BlendQuaternions, RpQuaternion_Interpolate, ABI_CONV_SLOT, ASSUMED, "void", "in f32[4] q0, in f32[4] q1, f32 t, out f32[4] result", ASSUMED, 0x14630, 0x17F50, 0x15D80, NATIVE, "facts/ngi32.md B.3", "the routine of slot 17") \
    X(23, MatrixProduct44, RpMatrix_Product, ABI_CONV_SLOT, ASSUMED, "void", "in f32[16] a, in f32[16] b, out f32[16] product", ASSUMED, 0x00000, 0x00000, 0x1D9A0, NATIVE, "facts/ngi32.md B.3", "row i = sum over k of a[i][k] * row k of b") \
    X(26, PointToFrame, RpMatrix_PointToFrame, ABI_CONV_SLOT, ASSUMED, "void", "in f32[16] frame, in f32[3] point, out f32[3] result", ASSUMED, 0x00000, 0x248F0, 0x00000, NATIVE, "facts/ngi32.md B.3", "inverse of a matrix with orthogonal axes") \
    X(28, MatrixProduct, RpMatrix_PoseProduct, ABI_CONV_SLOT, ASSUMED, "void", "in f32[16] a, in f32[16] b, out f32[16] product", ASSUMED, 0x00000, 0x00000, 0x00000, NATIVE, "facts/animesh.md E.6", "4x4 product of the pose walk") \
    X(35, RotateVectorTransposed, Matrix_RotateTransposedInPlace, ABI_CONV_SLOT, ASSUMED, "void", "in f32[16] matrix, inout f32[3] vector", READ, 0x00000, 0x00000, 0x1CA00, NATIVE, "facts/ngi32.md B.3, facts/animesh.md E.6", "vector by the transposed matrix, in place; read of the SSE builds, of which the one at 0x1CA90 is for an aligned matrix") \
    X(38, NormaliseVector, RpVector_Normalise, ABI_CONV_SLOT, ASSUMED, "f32", "inout f32[3] vector", ASSUMED, 0x00000, 0x00000, 0x00000, NATIVE, "facts/ngi32.md B.3", "in place; returns the former length; a null vector stays as it is (assumed); reading normalise") \
    X(45, SegmentPlane, RpSegment_Plane, ABI_CONV_SLOT, ASSUMED, "u32", "in f32[3] start, in f32[3] end, in f32[4] plane, out f32[3] hit", ASSUMED, 0x1FA00, 0x24410, 0x1D560, NATIVE, "facts/ngi32.md B.4d", "one-sided; 1 and the point, or 0 and nothing written (assumed)")

/* Internal functions: X(rva, name, convention, convention_evidence, returns, params,
 * params_evidence, entry_evidence, source, note). An entry_evidence of INFERRED means that the
 * address is inside a routine whose entry is unpublished. Such a function cannot be called in an
 * original, but in our DLL and in the stand-in, which put an entry at that address. */
#define ABI_NGI32_INTERNALS(X) \
    X(0x06D00, SetFpuControlWord, cdecl, INFERRED, "void", "", READ, READ, "facts/ngi32.md C, seed 000 3.1", "control word = (old & 0xF0FF) | 0x003F") \
    X(0x16139, DirectionalCosine, ABI_CONV_HELPER, ASSUMED, "f32", "in f32[3] normal, in f32[3] travel", ASSUMED, INFERRED, "facts/ngi32.md B.3", "max(n . -travel, 0)") \
    X(0x1616F, Highlight, ABI_CONV_HELPER, ASSUMED, "f32", "in f32[3] normal, in f32[3] travel, f32 cosine, in f32[3] to_eye, u32 power", ASSUMED, INFERRED, "facts/ngi32.md B.3", "(travel + 2 cosine n) . to_eye, squared power - 1 times; 0 at power 0") \
    X(0x164F0, PointLight, ABI_CONV_HELPER, ASSUMED, "void", "in f32[10] light, in f32[3] vertex, in f32[3] normal, inout f32[3] sum", ASSUMED, READ, "facts/ngi32.md B.3", "light: position, colour, range, a0, a1, a2 (layout assumed)") \
    X(0x18260, DirectionalLights, ABI_CONV_HELPER, ASSUMED, "void", "in f32[6*count] lights, u32 count, in f32[3] normal, in f32[3] diffuse, out f32[3] colour", ASSUMED, READ, "facts/ngi32.md B.3", "light: direction of travel, colour (layout assumed)")

/* Internal functions of NRes archives. They are NATIVE_ONLY, because they work over INResFile
 * objects that our DLL made. What they do is read; that the object comes first, and in ECX, is
 * assumed. The columns are the same. */
#define ABI_NGI32_ARCHIVE_INTERNALS(X) \
    X(0x119F0, DestroyArchives, cdecl, ASSUMED, "void", "", READ, READ, "facts/ngi32.md D.2", "every archive of the list, referenced or not; ours closes written ones first") \
    X(0x11E60, FindArchiveEntry, ABI_CONV_METHOD, ASSUMED, "i32", "any self, in cstr name", ASSUMED, READ, "facts/ngi32.md E.5", "binary search over the sort map; -1 on a miss") \
    X(0x122D0, CloseWrittenArchive, ABI_CONV_METHOD, ASSUMED, "void", "any self", ASSUMED, READ, "facts/ngi32.md E.5", "header, total, sort map and directory of a created archive; ignores any other") \
    X(0x12560, SortArchiveDirectory, ABI_CONV_METHOD, ASSUMED, "void", "any self, u32 mode", ASSUMED, READ, "facts/ngi32.md E.5", "modes 0 to 11; ignores what is not writable") \
    X(0x13260, BuildSortMap, ABI_CONV_METHOD, ASSUMED, "void", "any self", ASSUMED, READ, "facts/ngi32.md E.5", "bubble sort in the original, so ties keep their order; ignores what is not writable") \
    X(0x197D0, TouchPages, ABI_CONV_HELPER, ASSUMED, "void", "any memory, u32 size", ASSUMED, READ, "facts/ngi32.md E.4", "one byte every 4096 from 0x10000 on")

/* These functions change the process or files, although none of their types says so. They are
 * called for a trace only if the user trusts it, as are functions that take or hand out `any` or
 * take the name of a file (Abi_WhyTrust). X(function, what it does). */
#define ABI_NGI32_EFFECTS(X) \
    X(DestroyArchives, "ends objects")

/* Functions that have public facts, but neither a signature nor a native body of their own. They
 * are found in an original and named in reports. X(rva, name, source). */
#define ABI_NGI32_KNOWN(X) \
    X(0x02F90, FillFastProc, "facts/ngi32.md B.1") \
    X(0x04990, ReleaseRender, "facts/ngi32.md D.2") \
    X(0x049D0, FreeDriverList, "facts/ngi32.md D.2") \
    X(0x05E10, RenderConstructor, "facts/ngi32.md F.1") \
    X(0x06BE0, ResetDevice, "facts/ngi32.md F.1") \
    X(0x07030, Projection, "facts/ngi32.md F.1") \
    X(0x070D3, WindowProjection, "facts/ngi32.md F.1") \
    X(0x073F0, GetCamera, "facts/ngi32.md F.1") \
    X(0x07B40, DrawTransformedQuads, "facts/ngi32.md F.1") \
    X(0x07E50, CreateBlankTexture, "facts/ngi32.md F.3") \
    X(0x08E70, SetUpDevice, "facts/ngi32.md F.1") \
    X(0x09450, View, "facts/ngi32.md F.1") \
    X(0x0C1E0, ReleaseSound, "facts/ngi32.md D.2") \
    X(0x0E2C0, UpdateSound, "facts/ngi32.md F.4") \
    X(0x0F3D0, SetTextureFlags, "facts/ngi32.md F.3") \
    X(0x0F580, ChooseMipLevel, "facts/ngi32.md F.3") \
    X(0x0F620, MakePaletteTransparent, "facts/ngi32.md F.3") \
    X(0x0FB30, LoadTexture, "facts/ngi32.md F.3") \
    X(0x0FF60, ParseTexturePages, "facts/ngi32.md F.3") \
    X(0x101C0, TextureCellRectangle, "facts/ngi32.md F.3") \
    X(0x101D0, SelectTextureCell, "facts/ngi32.md F.3") \
    X(0x10310, TextureConstructor, "facts/ngi32.md F.3") \
    X(0x10C10, FontConstructor, "facts/ngi32.md F.3") \
    X(0x11380, SetFontCodePage, "facts/ngi32.md F.3") \
    X(0x11750, ReleaseListObject, "facts/ngi32.md D.2") \
    X(0x1A750, InflateStored, "facts/ngi32.md E.7") \
    X(0x1A8C0, InflateFixed, "facts/ngi32.md E.7") \
    X(0x1AA30, InflateDynamic, "facts/ngi32.md E.7") \
    X(0x2A78A, OperatorDelete, "facts/ngi32.md D.1") \
    X(0x2A847, HeapFree, "facts/ngi32.md D.1") \
    X(0x2ACDC, HeapSize, "facts/ngi32.md D.1")

/* Interface methods: X(interface, number, rva, name, convention, convention_evidence, returns,
 * params, params_evidence, provider, source, note). The rows of INTERFACE are the boundary of
 * archives, renderer and sound. Slots of INResFile without a row end with a message that names
 * them. */
#define ABI_NGI32_METHODS(X) \
    X(INResFile, 1, 0x00000, Release, ABI_CONV_METHOD, ASSUMED, "u32", "any self", INFERRED, NATIVE_ONLY, "facts/ngi32.md E.2 E.6", "number inferred from the render and sound objects; returns the references left (assumed)") \
    X(INResFile, 3, 0x00000, Find, ABI_CONV_METHOD, ASSUMED, "i32", "any self, in cstr name", INFERRED, NATIVE_ONLY, "facts/ngi32.md E.4", "by name; -1 on a miss") \
    X(INResFile, 4, 0x00000, Directory, ABI_CONV_METHOD, ASSUMED, "any", "any self", ASSUMED, NATIVE_ONLY, "facts/ngi32.md E.4", "base of the 64-byte records; its number is unpublished, 4 is provisional") \
    X(INResFile, 6, 0x00000, Data, ABI_CONV_METHOD, ASSUMED, "any", "any self, i32 index, u32 touch", INFERRED, NATIVE_ONLY, "facts/ngi32.md E.4", "pointer to the payload") \
    X(INResFile, 8, 0x00000, FindType, ABI_CONV_METHOD, ASSUMED, "i32", "any self, u32 type", INFERRED, NATIVE_ONLY, "facts/ngi32.md E.4", "first entry of a type; -1 on a miss") \
    X(I3DRender, 1, 0x00000, Release, ABI_CONV_METHOD, INFERRED, "any", "any self", INFERRED, ABSENT, "facts/ngi32.md E.2", "") \
    X(I3DRender, 6, 0x08680, SetBlendMode, ABI_CONV_METHOD, READ, "any", "any self, u32 mode", READ, ABSENT, "facts/ngi32.md F.1", "mode in EDX") \
    X(I3DRender, 10, 0x07CA0, Clear, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 14, 0x07E10, CreateTexture, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 15, 0x00000, CreatePalette, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 19, 0x08AA0, SetClipPlane, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 22, 0x07DD0, CreateFont, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 25, 0x07170, SetCamera, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "takes the 100-byte block") \
    X(I3DRender, 30, 0x08750, SetPhase, ABI_CONV_METHOD, READ, "any", "any self, u32 phase", INFERRED, ABSENT, "facts/ngi32.md F.1", "phase in EDX, two textures follow") \
    X(I3DRender, 31, 0x00000, IsPhaseSupported, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 36, 0x08B20, LightEnable, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "") \
    X(I3DRender, 37, 0x08B50, SetLight, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.1", "no caller in the game") \
    X(I3DSound, 1, 0x00000, Release, ABI_CONV_METHOD, INFERRED, "any", "any self", INFERRED, ABSENT, "facts/ngi32.md E.2", "") \
    X(I3DSound, 3, 0x00000, Listener, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.4", "") \
    X(I3DSound, 4, 0x0C7D0, CreateSoundPool, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.4", "") \
    X(I3DSound, 7, 0x0CAB0, CreateSound, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.4", "") \
    X(I3DSound, 9, 0x0CC30, OpenCd, ABI_CONV_METHOD, ASSUMED, "any", "any self", UNKNOWN, ABSENT, "facts/ngi32.md F.4", "")

/* Layouts (facts/ngi32.md E.6, E.7): X(offset, type, count, name), with the types of animesh.abi.h.
 * Fields named `unknown` are unpublished. */
#define ABI_ARCHIVE_SIZE 0x68
#define ABI_ARCHIVE_FIELDS(X) \
    X(0x00, ref, 1, methods) \
    X(0x04, u32, 1, count) \
    X(0x08, ref, 1, base) \
    X(0x0C, ref, 1, directory) \
    X(0x10, ref, 1, name) \
    X(0x14, u32, 1, references) \
    X(0x18, u32, 1, released) \
    X(0x1C, u8, 64, raw_entry) \
    X(0x5C, ref, 1, next) \
    X(0x60, ref, 1, unknown_60) \
    X(0x64, u8, 1, writable) \
    X(0x65, u8, 1, cacheable) \
    X(0x66, u8, 2, unknown_66)

#define ABI_LIBRARY_SIZE 0x38
#define ABI_LIBRARY_FIELDS(X) \
    X(0x00, u8, 4, magic) \
    X(0x04, u32, 1, count) \
    X(0x08, u32, 1, media_offset) \
    X(0x0C, u32, 7, unknown_0c) \
    X(0x28, u32, 1, flag_7) \
    X(0x2C, ref, 1, file) \
    X(0x30, ref, 1, mapping) \
    X(0x34, ref, 1, view)

#define ABI_LIBRARY_ENTRY_SIZE 0x40
#define ABI_LIBRARY_ENTRY_FIELDS(X) \
    X(0x00, u8, 16, name) \
    X(0x10, u32, 1, flags) \
    X(0x14, u32, 1, sort) \
    X(0x18, u32, 1, unpacked_size) \
    X(0x1C, ref, 1, packed) \
    X(0x20, u32, 1, packed_size) \
    X(0x24, u32, 3, unknown_24) \
    X(0x30, ref, 1, decoded) \
    X(0x34, u32, 3, unknown_34)
/* clang-format on */

#endif
