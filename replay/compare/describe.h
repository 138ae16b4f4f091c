/* The data of a call as text, for `retropose show` and for the differences in reports. */
#ifndef RETROPOSE_REPLAY_COMPARE_DESCRIBE_H
#define RETROPOSE_REPLAY_COMPARE_DESCRIBE_H

#include "tracefile/tracefile.h"

#include <stdio.h>

typedef struct DescribeData {
    const Signature *signature;
    const uint8_t *inputs;
    uint32_t input_size;
    const uint8_t *bytes; /* what is printed: the inputs, or a record of outputs */
    /* elements that differ from those here are marked with *; null marks none */
    const uint8_t *other;
    bool outputs; /* `bytes` are outputs */
    const char *indent;
} DescribeData;

/* Prints one block for each parameter, four elements in a line, each in hexadecimal and in
 * decimal. */
void Describe_Data(FILE *out, const DescribeData *data);

/* Returns "returned", "crashed" and so on. */
const char *Describe_Outcome(uint8_t outcome);
/* Returns "access violation" of c0000005 and so on, or an empty text for a code without a name. */
const char *Describe_Exception(uint32_t code);
/* Writes "returned", "crashed with c0000005 (access violation) at Ngi32.dll+0x1234" or "exited with
 * 3". */
int Describe_Ending(uint8_t outcome, const uint8_t *outputs, uint32_t output_size, char *text,
                    size_t size);
/* Writes "stack pointer, x87 stack", or "none". */
int Describe_Violations(uint8_t violations, char *text, size_t size);
/* Writes what a state beside the outputs says, which a comparison names by `path`: "timed out" of
 * an outcome, "violated" or "kept" of a rule of calls. Returns false, and writes nothing, where the
 * path is that of a number. */
bool Describe_State(const char *path, uint32_t value, char *text, size_t size);
/* Prints the whole call: a line that names it, its state, inputs, outputs. */
void Describe_Call(FILE *out, const TraceCall *call);
/* Writes the whole call as one line of JSON. Returns false where it could not be written. */
bool Describe_CallJson(FILE *out, const TraceCall *call);
/* Writes a call that two traces hold as one line of JSON: an object with the members `a` and `b`.
 */
bool Describe_PairJson(FILE *out, const TraceCall *a, const TraceCall *b);
/* Prints a call that two traces hold: its inputs once, and of each side how it ended, its state and
 * its outputs, with a * at what differs. */
void Describe_Pair(FILE *out, const TraceCall *a, const TraceCall *b);
/* Prints the version and the lines of the header. */
void Describe_Header(FILE *out, const TraceHeader *header);

#endif
