#include "tracefile/signature_state.h"

#include "core/text.h"
#include "exports/abi.h"

#include <string.h>

static const AbiStruct *Mesh(void) {
    return Abi_FindStruct("mesh", 4);
}

static const AbiStruct *Piece(void) {
    return Abi_FindStruct("piece", 5);
}

static bool IsType(const AbiField *field, const char *type) {
    return strcmp(field->type, type) == 0;
}

static uint32_t ElementBytes(const AbiField *field) {
    return IsType(field, "u8") ? 1 : 4;
}

/* ---- counting: the elements in front of an offset -------------------------------------------- */

static uint32_t RecordElements(const AbiStruct *layout, uint32_t offset) {
    uint32_t elements = 0;
    for (size_t i = 0; i < layout->field_count && layout->fields[i].offset < offset; i++) {
        const AbiField *field = &layout->fields[i];
        uint32_t size = ElementBytes(field), bytes = offset - field->offset;
        elements += bytes / size < field->count ? bytes / size : field->count;
    }
    return elements;
}

static uint64_t ElementsBefore(uint64_t offset) {
    const AbiStruct *mesh = Mesh(), *piece = Piece();
    if (offset <= mesh->size)
        return RecordElements(mesh, (uint32_t)offset);
    uint64_t elements = RecordElements(mesh, mesh->size);
    if (offset <= SIGNATURE_STATE_PIECES)
        return elements + (offset - mesh->size) / 4;
    offset -= SIGNATURE_STATE_PIECES;
    elements += (SIGNATURE_STATE_PIECES - mesh->size) / 4;
    return elements + offset / piece->size * RecordElements(piece, piece->size) +
           RecordElements(piece, (uint32_t)(offset % piece->size));
}

uint32_t SignatureState_Elements(uint32_t offset, uint32_t dwords) {
    return (uint32_t)(ElementsBefore((uint64_t)offset + 4 * (uint64_t)dwords) -
                      ElementsBefore(offset));
}

/* ---- pointers -------------------------------------------------------------------------------- */

static bool HoldsPointer(const AbiStruct *layout, uint32_t offset) {
    for (size_t i = 0; i < layout->field_count; i++) {
        const AbiField *field = &layout->fields[i];
        if (offset >= field->offset && offset - field->offset < ElementBytes(field) * field->count)
            return IsType(field, "ref");
    }
    return false;
}

bool SignatureState_IsPointer(uint32_t offset) {
    if (offset < SIGNATURE_STATE_PIECES)
        return HoldsPointer(Mesh(), offset);
    return HoldsPointer(Piece(), (offset - SIGNATURE_STATE_PIECES) % Piece()->size);
}

/* ---- naming ---------------------------------------------------------------------------------- */

static void AppendIndex(Text *path, uint32_t index) {
    Text_AppendChar(path, '[');
    Text_AppendDecimal(path, index);
    Text_AppendChar(path, ']');
}

/* Names an element of a record, and returns its offset in the record. */
static uint32_t NameField(const AbiStruct *layout, uint32_t index, Text *path,
                          SignatureElement *element) {
    const AbiField *field = layout->fields;
    for (; index >= field->count; field++)
        index -= field->count;
    Text_AppendChar(path, '.');
    Text_Append(path, field->name);
    if (field->count == 16 && IsType(field, "f32")) {
        AppendIndex(path, index / 4);
        AppendIndex(path, index % 4);
    } else if (field->count > 1) {
        AppendIndex(path, index);
    }
    /* A pointer counts as a plain dword. If a call leaves it alone, it can be compared. If a call
     * sets it, its value means nothing outside of its process. */
    element->type = IsType(field, "u8")    ? SIGNATURE_U8
                    : IsType(field, "f32") ? SIGNATURE_F32
                    : IsType(field, "i32") ? SIGNATURE_I32
                                           : SIGNATURE_U32;
    element->size = ElementBytes(field);
    return field->offset + index * element->size;
}

void SignatureState_Element(uint32_t offset, uint32_t index, SignatureElement *element) {
    Text path = Text_Begin(element->path, sizeof element->path);
    const AbiStruct *mesh = Mesh(), *piece = Piece();
    const uint64_t first = ElementsBefore(mesh->size);
    const uint64_t pieces = ElementsBefore(SIGNATURE_STATE_PIECES);
    const uint64_t number = ElementsBefore(offset) + index; /* among the elements of the memory */
    uint64_t at;
    Text_Append(&path, number < pieces ? "mesh" : "piece");
    if (number < first) {
        at = NameField(mesh, (uint32_t)number, &path, element);
    } else if (number < pieces) {
        /* A dword between the mesh's record and its pieces is called "mesh+0x23C". */
        at = mesh->size + 4 * (uint32_t)(number - first);
        Text_Append(&path, "+0x");
        Text_AppendHex(&path, (uint32_t)at, 3);
        element->type = SIGNATURE_U32;
        element->size = 4;
    } else {
        const uint32_t each = RecordElements(piece, piece->size);
        const uint64_t row = (number - pieces) / each;
        AppendIndex(&path, (uint32_t)row);
        at = SIGNATURE_STATE_PIECES + row * piece->size +
             NameField(piece, (uint32_t)((number - pieces) % each), &path, element);
    }
    element->offset = (uint32_t)(at - offset);
}
