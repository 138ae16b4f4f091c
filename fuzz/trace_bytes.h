/* What the fuzz targets of traces share: random bytes never get past a checksum, so what they
 * change is made consistent again. What is left to find is behind the checks. */
#ifndef RETROPOSE_FUZZ_TRACE_BYTES_H
#define RETROPOSE_FUZZ_TRACE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Puts the right checksums into the header and into every whole chunk. */
void TraceBytes_RepairChecksums(uint8_t *bytes, size_t size);

/* Changes a trace in place, the way LLVMFuzzerCustomMutator is asked to: its bytes as libFuzzer
 * would, one dword of one chunk to a number that is an edge of something, or a chunk or a call
 * doubled or left out. Sizes, numbers of records, the counts at the end and the checksums are right
 * afterwards, wherever they were within the file. Returns the new size. */
size_t TraceBytes_Mutate(uint8_t *bytes, size_t size, size_t most, unsigned seed);

#endif
