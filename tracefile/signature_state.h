/* Divides the bytes of a state into elements. The layouts of a mesh and of the pieces behind it say
 * which dwords are one number and which are four bytes. Like signature.h, this needs no C
 * library. */
#ifndef RETROPOSE_TRACEFILE_SIGNATURE_STATE_H
#define RETROPOSE_TRACEFILE_SIGNATURE_STATE_H

#include "tracefile/signature_types.h"

/* Returns whether the dword at an offset is a pointer of the mesh or of a piece that functions
 * follow. In a trace such a dword gets its value from a relocation and from nothing else. */
bool SignatureState_IsPointer(uint32_t offset);
/* Returns the number of elements in `dwords` dwords from an offset on: four for each dword of
 * bytes, one for any other. */
uint32_t SignatureState_Elements(uint32_t offset, uint32_t dwords);
/* Describes the element with this index among those: path, type and size. element->offset is
 * counted from the first of the dwords. */
void SignatureState_Element(uint32_t offset, uint32_t index, SignatureElement *element);

#endif
