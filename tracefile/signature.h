/* Signatures: the parameter lists of the ABI tables, parsed once, and how a call is laid out in a
 * trace. The text format is documented in exports/ngi32.abi.h, the byte layout in
 * docs/formats/trace.md. Needs no C library but what dll/base/freestanding.c has: our DLLs
 * link it, too. */
#ifndef RETROPOSE_TRACEFILE_SIGNATURE_H
#define RETROPOSE_TRACEFILE_SIGNATURE_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "tracefile/signature_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_SLOT_NULL  0xFFFFFFFFu /* the pointer is null */
#define SIGNATURE_SLOT_OTHER 0xFFFFFFFEu /* the pointer is in no entry */

typedef enum SignatureDirection {
    SIGNATURE_VALUE, /* one dword, passed by value */
    SIGNATURE_IN,
    SIGNATURE_OUT,
    SIGNATURE_INOUT
} SignatureDirection;

#define SIGNATURE_MAX_PARAMS 10
#define SIGNATURE_MAX_COUNT  4096  /* of elements behind one pointer */
#define SIGNATURE_MAX_STATE  65536 /* of patches, and of dwords in ranges, of one state */
#define SIGNATURE_MALFORMED  UINT32_MAX

typedef struct SignatureParam {
    char name[32];
    SignatureType type;
    SignatureDirection direction;
    uint32_t count; /* number of elements; where count_param >= 0, elements for each counted one */
    uint32_t element_bytes; /* of one element in a trace; 0 for cstr and state, whose size varies */
    int count_param;        /* index of the parameter by value that gives the count, or -1 */
    const AbiStruct *layout; /* for SIGNATURE_STRUCT */
} SignatureParam;

typedef struct Signature {
    const AbiFunction *function;
    SignatureType returns;
    int param_count;
    SignatureParam params[SIGNATURE_MAX_PARAMS];
    /* What Signature_Parse finds out once, because it decides how much each call has to be looked
     * at. The two numbers of bytes are those of every call if `fixed` is set. */
    bool fixed;
    bool opaque_inputs; /* there is something of the type `any` in the inputs */
    bool opaque_outputs;
    uint32_t fixed_inputs, fixed_outputs;
} Signature;

/* Parses a row's parameters. Returns RP_INVALID with the column in `offset` where the text is
 * malformed. */
RpStatus Signature_Parse(const AbiFunction *function, Signature *signature, RpError *error);
/* Parses them where they are known; returns false where they are not. */
bool Signature_IsKnown(const AbiFunction *function, Signature *signature);

/* Returns the bytes that one field of a struct takes in a trace. */
uint32_t Signature_FieldBytes(const AbiField *field);

/* "fastcall void (in f32[4] quaternion, out f32[16] matrix)": what a trace stores and compares. */
int Signature_Text(const Signature *signature, char *buffer, size_t size);

/* Where the data of each parameter stands in a call's inputs and outputs. */
typedef struct SignatureMap {
    uint32_t count; /* what the counting parameter says; 0 without one */
    uint32_t input_offset[SIGNATURE_MAX_PARAMS], input_bytes[SIGNATURE_MAX_PARAMS];
    uint32_t output_offset[SIGNATURE_MAX_PARAMS], output_bytes[SIGNATURE_MAX_PARAMS];
    /* of all outputs: the return value, then out and inout parameters in order */
    uint32_t output_size;
} SignatureMap;

/* Returns false where the inputs do not fit the signature. */
bool Signature_Map(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                   SignatureMap *map);

/* The data of a `state`, for inputs that were checked. Patches are pairs of an offset and a
 * value, ranges of an offset and a number of dwords. Offsets rise, and no range touches the next
 * one. */
typedef struct SignatureState {
    uint32_t memory, offset; /* of the pointer that the function is called with */
    uint32_t patch_count, range_count;
    const uint8_t *patches, *ranges;
} SignatureState;
SignatureState Signature_ReadState(const uint8_t *data);
/* Returns the index of the parameter of type state, or -1. There is at most one. */
int Signature_StateParam(const Signature *signature);

/* Return the bytes that one parameter's data takes in a call's inputs (value, in, inout) or
 * outputs (out, inout). All inputs of the call are needed, because a count may stand behind what
 * it counts. UINT32_MAX means that the inputs are malformed. */
uint32_t Signature_ParamBytes(const Signature *signature, int param, const uint8_t *inputs,
                              uint32_t input_size);

/* Checks a call's inputs against the signature: the exact size, counts within their limits,
 * strings that end, and 0 for values of type `any`. */
RpStatus Signature_CheckInputs(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size, RpError *error);

/* Checks a complete outputs record, for inputs that were checked: values of type `any` are 0. */
RpStatus Signature_CheckOutputs(const Signature *signature, const uint8_t *inputs,
                                uint32_t input_size, const uint8_t *outputs, RpError *error);

/* Returns the bytes of a complete outputs record, for inputs that were checked: the return
 * value, then every out and inout parameter in order. */
uint32_t Signature_OutputBytes(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size);
uint32_t Signature_ReturnBytes(const Signature *signature);

/* Walks over the elements of one call in order, in a time that is linear in their number. It
 * reads the inputs as it goes, so their size and counts must not change meanwhile. */
typedef struct SignatureCursor {
    const Signature *signature;
    const uint8_t *inputs;
    SignatureMap map;
    bool outputs;  /* false: walks over the inputs */
    int param;     /* the current parameter; -1: the return value comes next */
    uint32_t next; /* the next of the current parameter's elements */
    uint32_t count;
    /* Within a state: the current run of dwords, which is a range in the outputs and a patch in
     * the inputs. */
    SignatureState state;
    /* the number of the run, its next element, how many elements it has */
    uint32_t run, run_next, run_count;
    uint32_t run_offset; /* where its data begins */
} SignatureCursor;

/* Begins a walk over the outputs. Inputs that do not fit the signature give no elements. */
SignatureCursor Signature_OutputElements(const Signature *signature, const uint8_t *inputs,
                                         uint32_t input_size);
/* Begins a walk over the inputs, for reports. A cstr is one element: its bytes with the NUL. A
 * state is its pointer, then the values of its patches. */
SignatureCursor Signature_InputElements(const Signature *signature, const uint8_t *inputs,
                                        uint32_t input_size);
/* Returns false behind the last element. */
bool Signature_NextElement(SignatureCursor *cursor, SignatureElement *element);

#endif
