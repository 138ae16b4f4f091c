/* What the fuzz targets of traces share. Random bytes never get past a checksum, so the bytes that
 * they change are made consistent again. This lets the targets reach the code after the checks. */
#ifndef RETROPOSE_TESTS_FUZZ_TRACE_BYTES_H
#define RETROPOSE_TESTS_FUZZ_TRACE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Puts the right checksums into the header and into every whole chunk. */
void TraceBytes_RepairChecksums(uint8_t *bytes, size_t size);

/* Changes a trace in place, as LLVMFuzzerCustomMutator is asked to: lets libFuzzer change its
 * bytes, sets one dword of a chunk to a number at some limit, or doubles or removes a chunk or a
 * call. Sizes, numbers of records, the counts at the end and the checksums are right afterwards,
 * as far as they were within the file. Returns the new size. */
size_t TraceBytes_Mutate(uint8_t *bytes, size_t size, size_t most, unsigned seed);

#endif
