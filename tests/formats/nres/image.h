/* NRes images that are made field by field without the library, so that tests can damage them. */
#ifndef RETROPOSE_TESTS_FORMATS_NRES_IMAGE_H
#define RETROPOSE_TESTS_FORMATS_NRES_IMAGE_H

#include "retropose/nres.h"

#include <stddef.h>

typedef struct TestMember {
    const char *name; /* at most 36 characters */
    const char *payload;
    uint32_t size;
    uint32_t type, attr1, attr2, attr3;
} TestMember;

/* The image is a block of exactly its size, so that reads past its end are noticed. */
typedef struct Image {
    uint8_t *bytes;
    size_t size;
} Image;

/* Makes an image as the game writes it (facts/formats.md A.6). The table is made by a bubble sort,
 * like the game's. */
Image Image_Make(const TestMember *members, uint32_t count);
Image Image_Copy(const void *bytes, size_t size);
void Image_Free(Image *image);

uint32_t Image_Get(const Image *image, size_t at);
void Image_Put(Image *image, size_t at, uint32_t value);
/* Returns the byte offset of a field of a record. */
size_t Image_Field(const Image *image, uint32_t entry, size_t field);
/* Inserts bytes, or zeros, at an offset and moves the directory and the payloads from there on. */
void Image_Insert(Image *image, size_t at, const void *bytes, size_t size);

enum { FIELD_TYPE = 0, FIELD_ATTR1 = 4, FIELD_ATTR2 = 8, FIELD_SIZE = 12, FIELD_ATTR3 = 16 };
enum { FIELD_NAME = 20, FIELD_OFFSET = 56, FIELD_SORT = 60 };

/* Compares byte by byte as the game's _strcmpi does. */
int Image_CompareNames(const char *a, const char *b);

#endif
