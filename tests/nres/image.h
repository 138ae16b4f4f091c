/* NRes images made apart from the library, field by field, to be broken by tests. */
#ifndef RETROPOSE_TESTS_NRES_IMAGE_H
#define RETROPOSE_TESTS_NRES_IMAGE_H

#include "retropose/nres.h"

#include <stddef.h>

typedef struct TestMember {
    const char *name; /* at most 36 characters */
    const char *payload;
    uint32_t size;
    uint32_t type, attr1, attr2, attr3;
} TestMember;

/* A block of its own, of exactly that size: reads past its end are noticed. */
typedef struct TestImage {
    uint8_t *bytes;
    size_t size;
} TestImage;

/* As the game writes (facts/formats.md A.6): the table by a bubble sort, as its own. */
TestImage Image_Make(const TestMember *members, uint32_t count);
TestImage Image_Copy(const void *bytes, size_t size);
void Image_Free(TestImage *image);

uint32_t Image_Get(const TestImage *image, size_t at);
void Image_Put(TestImage *image, size_t at, uint32_t value);
/* Byte offset of a field of a record. */
size_t Image_Field(const TestImage *image, uint32_t entry, size_t field);
/* Puts zeros, or bytes, at an offset and moves the directory and the payloads from there on. */
void Image_Insert(TestImage *image, size_t at, const void *bytes, size_t size);

enum { FIELD_TYPE = 0, FIELD_ATTR1 = 4, FIELD_ATTR2 = 8, FIELD_SIZE = 12, FIELD_ATTR3 = 16 };
enum { FIELD_NAME = 20, FIELD_OFFSET = 56, FIELD_SORT = 60 };

/* The game's _strcmpi, a byte at a time. */
int Image_CompareNames(const char *a, const char *b);

/* Deterministic. */
uint32_t Random_Next(uint64_t *state);
uint32_t Random_Below(uint64_t *state, uint32_t end);

/* An allocator that refuses its `fail_at`th block (counting from 0) and counts what it gave. */
typedef struct TestMemory {
    size_t calls, fail_at, live;
} TestMemory;
RpAllocator TestMemory_Allocator(TestMemory *memory);

#endif
