#include "image.h"

#include <stdlib.h>
#include <string.h>

void Image_PutU16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

void Image_PutU32(uint8_t *at, uint32_t value) {
    Image_PutU16(at, value);
    Image_PutU16(at + 2, value >> 16);
}

uint32_t Image_U16(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8;
}

uint32_t Image_U32(const uint8_t *at) {
    return Image_U16(at) | Image_U16(at + 2) << 16;
}

/* This is a second implementation of facts/formats.md B.2. */
void Image_Cipher(Image *image) {
    uint32_t low = image->seed & 0xFF, high = image->seed >> 8 & 0xFF;
    for (size_t i = 32; i < 32 + 32 * (size_t)image->count; i++) {
        low = (high ^ low * 2) & 0xFF;
        image->bytes[i] = (uint8_t)(image->bytes[i] ^ low);
        high = low ^ high / 2;
    }
}

void Image_Append(Image *image, const void *bytes, size_t size) {
    if (size > sizeof image->bytes - image->size)
        abort();
    if (size > 0)
        memcpy(image->bytes + image->size, bytes, size);
    image->size += size;
}

void Image_AppendTrailer(Image *image, uint32_t overlay) {
    uint8_t trailer[6] = {'A', 'O'};
    Image_PutU32(trailer + 2, overlay);
    Image_Append(image, trailer, sizeof trailer);
}

static void PutRow(Image *image, uint8_t *at, const Row *row) {
    memcpy(at, row->name, strlen(row->name) < 12 ? strlen(row->name) : 12);
    memcpy(at + 12, "srvc", 4);
    Image_PutU16(at + 16, row->flags);
    Image_PutU16(at + 18, row->sort);
    Image_PutU32(at + 20, row->unpacked_size);
    Image_PutU32(at + 24, row->offset ? row->offset : (uint32_t)image->size);
    Image_PutU32(at + 28, row->packed_size);
    if (row->packed)
        Image_Append(image, row->packed, row->packed_size);
}

void Image_Make(Image *image, uint32_t seed, const Row *rows, uint32_t count) {
    uint32_t sum = 0;
    memset(image, 0, sizeof *image);
    image->size = 32 + 32 * (size_t)count;
    image->count = count;
    image->seed = seed;
    memcpy(image->bytes, "NL\0\1", 4);
    Image_PutU16(image->bytes + 4, count);
    Image_PutU16(image->bytes + 6, count);
    memcpy(image->bytes + 8, "reserv", 6);
    Image_PutU16(image->bytes + 14, 0xABBA);
    Image_PutU32(image->bytes + 20, seed);
    for (uint32_t i = 0; i < count; i++) {
        PutRow(image, image->bytes + 32 + 32 * (size_t)i, &rows[i]);
        sum += rows[i].unpacked_size;
    }
    Image_PutU32(image->bytes + 16, sum);
    Image_Cipher(image);
}
