/* Signatures are the parameter lists of the ABI tables, parsed once. They say how a call is laid
 * out in a trace. The text format is documented in exports/ngi32.abi.h, the byte layout in
 * docs/formats/trace.md. Of the C library, this needs only what dll/base/freestanding.c has,
 * because our DLLs contain it, too. */
#ifndef RETROPOSE_TRACEFILE_SIGNATURE_H
#define RETROPOSE_TRACEFILE_SIGNATURE_H

#include "exports/abi.h"
#include "retropose/error.h"
#include "tracefile/signature_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_SLOT_NULL  0xFFFFFFFFu /* the pointer is null */
#define SIGNATURE_SLOT_OTHER 0xFFFFFFFEu /* the pointer is in no entry of the table */

typedef enum SignatureDirection {
    SIGNATURE_VALUE, /* one dword, passed by value */
    SIGNATURE_IN,
    SIGNATURE_OUT,
    SIGNATURE_INOUT
} SignatureDirection;

#define SIGNATURE_MAX_PARAMS 10
#define SIGNATURE_MAX_COUNT  4096  /* most elements behind one pointer */
#define SIGNATURE_MAX_STATE  65536 /* most patches, and most dwords in ranges, of one state */
#define SIGNATURE_MALFORMED  UINT32_MAX

typedef struct SignatureParam {
    char name[32];
    SignatureType type;
    SignatureDirection direction;
    uint32_t count; /* number of elements; if count_param >= 0, elements for each counted one */
    uint32_t element_bytes;  /* size of one element in a trace; 0 for cstr and state (it varies) */
    int count_param;         /* index of the parameter by value that gives the count, or -1 */
    const AbiStruct *layout; /* for SIGNATURE_STRUCT */
} SignatureParam;

typedef struct Signature {
    const AbiFunction *function;
    SignatureType returns;
    int param_count;
    SignatureParam params[SIGNATURE_MAX_PARAMS];
    /* Facts that decide how closely each call has to be looked at; Signature_Parse finds them out
     * once. If `fixed` is set, every call has these two numbers of bytes. */
    bool fixed;
    bool opaque_inputs; /* there is a value of the type `any` in the inputs */
    bool opaque_outputs;
    bool refers; /* a parameter is a reference, or has one: ref, nres, state */
    uint32_t fixed_inputs, fixed_outputs;
} Signature;

/* Parses a row's parameters. Returns RP_INVALID with the column in `offset` when the text is
 * malformed. */
RpStatus Signature_Parse(const AbiFunction *function, Signature *signature, RpError *error);
/* Parses a row's parameters if they are known, and returns false if they are not. */
bool Signature_IsKnown(const AbiFunction *function, Signature *signature);

/* Returns the bytes that one field of a struct takes in a trace. */
uint32_t Signature_FieldBytes(const AbiField *field);

/* Writes the text that a trace stores and compares: "fastcall void (in f32[4] quaternion, out
 * f32[16] matrix)". */
int Signature_Text(const Signature *signature, char *buffer, size_t size);

/* The places of each parameter's data in a call's inputs and outputs. */
typedef struct SignatureMap {
    uint32_t count; /* the value of the counting parameter; 0 without one */
    uint32_t input_offset[SIGNATURE_MAX_PARAMS], input_bytes[SIGNATURE_MAX_PARAMS];
    uint32_t output_offset[SIGNATURE_MAX_PARAMS], output_bytes[SIGNATURE_MAX_PARAMS];
    /* size of all outputs: the return value, then out and inout parameters in order */
    uint32_t output_size;
} SignatureMap;

/* Returns false when the inputs do not fit the signature. */
bool Signature_Map(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                   SignatureMap *map);

/* The data of a `state`, from inputs that were checked. A patch is a pair of an offset and a value,
 * a range one of an offset and a number of dwords. Offsets rise, and there is a gap after each
 * range. */
typedef struct SignatureState {
    uint32_t memory, offset; /* the pointer that the function is called with */
    uint32_t patch_count, range_count;
    const uint8_t *patches, *ranges;
} SignatureState;
SignatureState Signature_ReadState(const uint8_t *data);
/* Returns the index of the parameter of type state, or -1. There is at most one. */
int Signature_StateParam(const Signature *signature);

/* These return the size of one parameter's data in a call's inputs (value, in, inout) or outputs
 * (out, inout). They need all inputs of the call, because a count may come after what it counts.
 * UINT32_MAX means that the inputs are malformed. */
uint32_t Signature_ParamBytes(const Signature *signature, int param, const uint8_t *inputs,
                              uint32_t input_size);

/* Checks a call's inputs against the signature: their size, which must be exact, counts within
 * their limits, strings that end, and 0 for values of type `any`. */
RpStatus Signature_CheckInputs(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size, RpError *error);

/* Checks a complete outputs record, after the inputs were checked: values of type `any` must be
 * 0. */
RpStatus Signature_CheckOutputs(const Signature *signature, const uint8_t *inputs,
                                uint32_t input_size, const uint8_t *outputs, RpError *error);

/* Returns the size of a complete outputs record, after the inputs were checked. It has the return
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
    bool outputs;  /* false: the cursor walks over the inputs */
    int param;     /* index of the current parameter; -1: the return value comes next */
    uint32_t next; /* index of the current parameter's next element */
    uint32_t count;
    /* Used within a state. The current run of dwords is a range if the cursor walks over the
     * outputs, and a patch if it walks over the inputs. */
    SignatureState state;
    /* number of the run, number of its next element, and how many elements it has */
    uint32_t run, run_next, run_count;
    uint32_t run_offset; /* where the run's data begins */
} SignatureCursor;

/* Begins a walk over the outputs. Inputs that do not fit the signature give no elements. */
SignatureCursor Signature_OutputElements(const Signature *signature, const uint8_t *inputs,
                                         uint32_t input_size);
/* Begins a walk over the inputs, for reports. A cstr is one element: its bytes with the NUL. A
 * state is its pointer, then the values of its patches. */
SignatureCursor Signature_InputElements(const Signature *signature, const uint8_t *inputs,
                                        uint32_t input_size);
/* Returns false after the last element. */
bool Signature_NextElement(SignatureCursor *cursor, SignatureElement *element);

#endif
