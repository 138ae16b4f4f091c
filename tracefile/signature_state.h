/* Divides the bytes of a state into elements: which dwords are one number and which are four
 * bytes, by the layouts of a mesh and of the pieces behind it. Needs no C library, as
 * signature.h does not. */
#ifndef RETROPOSE_TRACEFILE_SIGNATURE_STATE_H
#define RETROPOSE_TRACEFILE_SIGNATURE_STATE_H

#include "tracefile/signature_types.h"

/* Returns whether the dword at an offset is a pointer of the mesh or of a piece that its
 * functions follow. In a trace only a relocation gives such a dword a value. */
bool SignatureState_IsPointer(uint32_t offset);
/* Returns the number of elements in `dwords` dwords from an offset on: four for a dword of
 * bytes, else one. */
uint32_t SignatureState_Elements(uint32_t offset, uint32_t dwords);
/* Describes the element of this index among them: path, type and size. `offset` is counted from
 * the first of the dwords. */
void SignatureState_Element(uint32_t offset, uint32_t index, SignatureElement *element);

#endif
