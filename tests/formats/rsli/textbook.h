/* Decoders of RsLi's methods that follow the definitions of the formats and do nothing else: they
 * undo the cipher byte by byte, keep a ring of 4096 bytes, take the input bit by bit (LZHUF) or
 * byte by byte (LZSS) and give the output byte by byte. Tests compare with them, and the bench
 * measures beside them. */
#ifndef RETROPOSE_TESTS_FORMATS_RSLI_TEXTBOOK_H
#define RETROPOSE_TESTS_FORMATS_RSLI_TEXTBOOK_H

#include <stddef.h>
#include <stdint.h>

/* If the input is too short, the rest of the output stays as it is, or is made of bits that are 0
 * (LZHUF). */
void Textbook_Lzss(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size);
/* These decode under key 1. */
void Textbook_Xor(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size);
void Textbook_LzHuf(const uint8_t *packed, size_t packed_size, uint8_t *output, size_t size);

#endif
