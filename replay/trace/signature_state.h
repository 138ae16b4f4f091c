/* How the bytes of a state are told apart: the elements of dwords by their offsets in the memory,
 * after the layouts of a mesh and of the pieces behind it. Free of the C library, as signature.h
 * is. */
#ifndef RETROPOSE_REPLAY_TRACE_SIGNATURE_STATE_H
#define RETROPOSE_REPLAY_TRACE_SIGNATURE_STATE_H

#include "replay/trace/signature_types.h"

/* Whether the dword at an offset is a pointer of the mesh or of a piece that its functions follow:
 * a trace has no such value but by a relocation. */
bool SignatureState_IsPointer(uint32_t offset);
/* Elements in `dwords` dwords from an offset on: four of a dword of bytes, else one. */
uint32_t SignatureState_Elements(uint32_t offset, uint32_t dwords);
/* The element of this index among them: its path, type and size, and as `offset` where it lies
 * behind the first byte of the dwords. */
void SignatureState_Element(uint32_t offset, uint32_t index, SignatureElement *element);

#endif
