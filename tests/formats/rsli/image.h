/* Libraries that are put together by hand, correct or damaged, without the writer that is
 * tested. */
#ifndef RETROPOSE_TESTS_FORMATS_RSLI_IMAGE_H
#define RETROPOSE_TESTS_FORMATS_RSLI_IMAGE_H

#include <stdint.h>

#include <stddef.h>

typedef struct Row {
    const char *name; /* up to 12 characters */
    uint16_t flags, sort;
    uint32_t unpacked_size;
    uint32_t offset; /* 0 stands for the place where the payload is put */
    uint32_t packed_size;
    const void *packed; /* if it is null, no bytes are put anywhere */
} Row;

typedef struct Image {
    uint8_t bytes[16384];
    size_t size;
    uint32_t count, seed;
} Image;

/* Makes a library that is marked as sorted, with right counts and sum, service bytes "srvc" and
 * payloads back to back. */
void Image_Make(Image *image, uint32_t seed, const Row *rows, uint32_t count);
void Image_PutU16(uint8_t *at, uint32_t value);
void Image_PutU32(uint8_t *at, uint32_t value);
uint32_t Image_U16(const uint8_t *at);
uint32_t Image_U32(const uint8_t *at);
/* Encrypts or decrypts the table in place. */
void Image_Cipher(Image *image);
void Image_Append(Image *image, const void *bytes, size_t size);
/* Appends the trailer: "AO" and the overlay. */
void Image_AppendTrailer(Image *image, uint32_t overlay);

#endif
