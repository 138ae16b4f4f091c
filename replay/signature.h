/* Signatures: the parameter lists of the ABI tables, parsed once, and how a call is laid out in a
 * trace. The text format is documented in exports/ngi32.abi.h, the byte layout in
 * docs/trace-format.md. Needs no C library but what ngi32/dll/freestanding.c has: our DLLs link
 * it, too. */
#ifndef RETROPOSE_REPLAY_SIGNATURE_H
#define RETROPOSE_REPLAY_SIGNATURE_H

#include "../exports/abi.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SignatureType {
    SIGNATURE_VOID,
    SIGNATURE_F32, /* as a return value: ST0, 12 bytes in a trace (10 of x87, 2 of zero) */
    SIGNATURE_I32,
    SIGNATURE_U32,
    SIGNATURE_U8,   /* struct fields only */
    SIGNATURE_REF,  /* 8 bytes in a trace: u32 memory id, u32 offset */
    SIGNATURE_CSTR, /* u32 size with the NUL, the bytes, zero padding to 4 */
    SIGNATURE_NRES, /* u32 memory id of an NRes image */
    SIGNATURE_STRUCT,
    SIGNATURE_ANY /* 4 bytes in a trace, never compared */
} SignatureType;

typedef enum SignatureDirection {
    SIGNATURE_VALUE, /* a dword by value */
    SIGNATURE_IN,
    SIGNATURE_OUT,
    SIGNATURE_INOUT
} SignatureDirection;

#define SIGNATURE_MAX_PARAMS 10
#define SIGNATURE_MAX_COUNT  4096 /* elements behind one pointer */
#define SIGNATURE_MALFORMED  UINT32_MAX

typedef struct SignatureParam {
    char name[32];
    SignatureType type;
    SignatureDirection direction;
    uint32_t count;          /* elements; multiplier when count_param >= 0 */
    uint32_t element_bytes;  /* of one element in a trace; 0 for cstr, whose size varies */
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

/* "fastcall void (in f32[4] quaternion, out f32[16] matrix)": what a trace stores and compares. */
int Signature_Text(const Signature *signature, char *buffer, size_t size);

/* Bytes that one parameter's data takes in a call's inputs (value, in, inout) or outputs (out,
 * inout), given all of the call's inputs (a count may follow what it counts); UINT32_MAX if the
 * inputs are malformed. */
uint32_t Signature_ParamBytes(const Signature *signature, int param, const uint8_t *inputs,
                              uint32_t input_size);

/* Checks a call's inputs against the signature: exact size, counts in range, strings terminated. */
RpStatus Signature_CheckInputs(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size, RpError *error);

/* Bytes of a complete outputs record for checked inputs: return value first, then every out and
 * inout parameter in order. */
uint32_t Signature_OutputBytes(const Signature *signature, const uint8_t *inputs,
                               uint32_t input_size);
uint32_t Signature_ReturnBytes(const Signature *signature);

/* One comparable element of an outputs record. */
typedef struct SignatureElement {
    char path[64]; /* "matrix[2][1]", "return", "reader.frame_count" */
    SignatureType type;
    uint32_t offset; /* in the outputs, or the inputs */
    uint32_t size;   /* 1 (u8), 4, 8 or 12 bytes */
    bool compared;   /* false for `any` */
} SignatureElement;

/* Enumerates elements: returns false when `index` is past the last one. */
bool Signature_OutputElement(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                             uint32_t index, SignatureElement *element);
/* The same over the inputs, for reports. A cstr is one element: its bytes with the NUL. */
bool Signature_InputElement(const Signature *signature, const uint8_t *inputs, uint32_t input_size,
                            uint32_t index, SignatureElement *element);

#endif
