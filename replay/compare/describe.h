/* A call's data as text: what `retropose show` prints and what reports show of a difference. */
#ifndef RETROPOSE_REPLAY_COMPARE_DESCRIBE_H
#define RETROPOSE_REPLAY_COMPARE_DESCRIBE_H

#include "replay/trace/trace.h"

#include <stdio.h>

typedef struct DescribeData {
    const Signature *signature;
    const uint8_t *inputs;
    uint32_t input_size;
    const uint8_t *bytes; /* what is printed: the inputs or an outputs record */
    const uint8_t *other; /* marks with * what differs from here; null: nothing */
    bool outputs;         /* whether `bytes` are outputs */
    const char *indent;
} DescribeData;

/* One block a parameter, four elements a line, each as hex and decimal. */
void Describe_Data(FILE *out, const DescribeData *data);

/* "returned", "crashed", ... */
const char *Describe_Outcome(uint8_t outcome);
/* "returned", "crashed with c0000005 at Ngi32.dll+0x1234", "exited with 3". */
int Describe_Ending(uint8_t outcome, const uint8_t *outputs, uint32_t output_size, char *text,
                    size_t size);
/* "stack pointer, x87 stack"; "none". */
int Describe_Violations(uint8_t violations, char *text, size_t size);
/* The whole call: head line, state, inputs, outputs. */
void Describe_Call(FILE *out, const TraceCall *call);
/* The same as one line of JSON; false when it could not be written. */
bool Describe_CallJson(FILE *out, const TraceCall *call);
/* The version and the header lines. */
void Describe_Header(FILE *out, const TraceHeader *header);

#endif
