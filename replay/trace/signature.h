/* Signatures: the parameter lists of the ABI tables, parsed once, and how a call is laid out in a
 * trace. The text format is documented in exports/ngi32.abi.h, the byte layout in
 * docs/formats/trace.md. Needs no C library but what live/dll/base/freestanding.c has: our DLLs
 * link it, too. */
#ifndef RETROPOSE_REPLAY_TRACE_SIGNATURE_H
#define RETROPOSE_REPLAY_TRACE_SIGNATURE_H

#include "exports/abi.h"
#include "replay/trace/signature_types.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_SLOT_NULL  0xFFFFFFFFu /* a null pointer */
#define SIGNATURE_SLOT_OTHER 0xFFFFFFFEu /* a pointer that no entry holds */

typedef enum SignatureDirection {
    SIGNATURE_VALUE, /* a dword by value */
    SIGNATURE_IN,
    SIGNATURE_OUT,
    SIGNATURE_INOUT
} SignatureDirection;

#define SIGNATURE_MAX_PARAMS 10
#define SIGNATURE_MAX_COUNT  4096  /* elements behind one pointer */
#define SIGNATURE_MAX_STATE  65536 /* patches, and dwords of ranges, of one state */
#define SIGNATURE_MALFORMED  UINT32_MAX

typedef struct SignatureParam {
    char name[32];
    SignatureType type;
    SignatureDirection direction;
    uint32_t count;          /* elements; multiplier when count_param >= 0 */
    uint32_t element_bytes;  /* of one element in a trace; 0 for cstr, state: their size varies */
    int count_param;         /* index of the by-value parameter that gives the count, or -1 */
    const AbiStruct *layout; /* SIGNATURE_STRUCT */
} SignatureParam;

typedef struct Signature {
    const AbiFunction *function;
    SignatureType returns;
    int param_count;
    SignatureParam params[SIGNATURE_MAX_PARAMS];
} Signature;

/* Parses the row; RP_INVALID with the column in `offset` when the text is malformed. */
RpStatus Signature_Parse(const AbiFunction *function, Signature *signature, RpError *error);

/* Bytes of one field of a struct in a trace. */
uint32_t Signature_FieldBytes(const AbiField *field);

/* "fastcall void (in f32[4] quaternion, out f32[16] matrix)": what a trace stores and compares. */
int Signature_Text(const Signature *signature, char *buffer, size_t size);

/* Where each parameter's data lies in a call's inputs and outputs. */
typedef struct SignatureMap {
    uint32_t count; /* value of the counting parameter, 0 without one */
    uint32_t input_offset[SIGNATURE_MAX_PARAMS], input_bytes[SIGNATURE_MAX_PARAMS];
    uint32_t output_offset[SIGNATURE_MAX_PARAMS], output_bytes[SIGNATURE_MAX_PARAMS];
    uint32_t output_size; /* of all outputs: return value, then out and inout in order */
} SignatureMap;

/* False when the inputs do not fit the signature. */
bool Signature_Map(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                   SignatureMap *map);

/* The data of a `state` in checked inputs. Patches and ranges are pairs of dwords: offset and
 * value, offset and number of dwords; both rise, no range touches the next one's dwords. */
typedef struct SignatureState {
    uint32_t memory, offset; /* of the pointer that the function gets */
    uint32_t patch_count, range_count;
    const uint8_t *patches, *ranges;
} SignatureState;
SignatureState Signature_ReadState(const uint8_t *data);
/* Index of the parameter of type state, or -1: there is at most one. */
int Signature_StateParam(const Signature *signature);

/* Bytes that one parameter's data takes in a call's inputs (value, in, inout) or outputs (out,
 * inout), given all of the call's inputs (a count may follow what it counts); UINT32_MAX if the
 * inputs are malformed. */
uint32_t Signature_ParamBytes(const Signature *signature, int param, const uint8_t *inputs,
                              uint32_t input_size);

/* Checks a call's inputs against the signature: exact size, counts in range, strings terminated,
 * values of type `any` 0. */
RpStatus Signature_CheckInputs(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size, RpError *error);

/* Checks a complete outputs record for checked inputs: values of type `any` are 0. */
RpStatus Signature_CheckOutputs(const Signature *signature, const uint8_t *inputs,
                                uint32_t input_size, const uint8_t *outputs, RpError *error);

/* Bytes of a complete outputs record for checked inputs: return value first, then every out and
 * inout parameter in order. */
uint32_t Signature_OutputBytes(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size);
uint32_t Signature_ReturnBytes(const Signature *signature);

/* Goes through the elements of one call in order, in time that is linear in their number. It reads
 * the inputs as it goes: they must stay as they are in size and counts. */
typedef struct SignatureCursor {
    const Signature *signature;
    const uint8_t *inputs;
    SignatureMap map;
    bool outputs;  /* else the inputs */
    int param;     /* the current one; -1: the return value, which is still to come */
    uint32_t next; /* of the current parameter's elements */
    uint32_t count;
    /* In a state: the current run of dwords, a range in the outputs and a patch in the inputs. */
    SignatureState state;
    uint32_t run, run_next, run_count; /* its number, its next element and how many it has */
    uint32_t run_offset;               /* where its data lie */
} SignatureCursor;

/* Inputs that do not fit the signature have no elements. */
SignatureCursor Signature_OutputElements(const Signature *signature, const uint8_t *inputs,
                                         uint32_t input_size);
/* The same over the inputs, for reports. A cstr is one element: its bytes with the NUL. A state is
 * its pointer, then the values of its patches. */
SignatureCursor Signature_InputElements(const Signature *signature, const uint8_t *inputs,
                                        uint32_t input_size);
/* False behind the last element. */
bool Signature_NextElement(SignatureCursor *cursor, SignatureElement *element);

#endif
