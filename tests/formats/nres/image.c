#include "image.h"

#include "tests/owned.h"

#include <stdlib.h>
#include <string.h>

uint32_t Image_Get(const Image *image, size_t at) {
    uint32_t value = 0;
    for (size_t i = 4; i > 0; i--)
        value = value * 256 + image->bytes[at + i - 1];
    return value;
}

void Image_Put(Image *image, size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; i++, value /= 256)
        image->bytes[at + i] = (uint8_t)(value % 256);
}

size_t Image_Field(const Image *image, uint32_t entry, size_t field) {
    return image->size - 64 * (size_t)Image_Get(image, 8) + 64 * (size_t)entry + field;
}

static int Lower(char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}

int Image_CompareNames(const char *a, const char *b) {
    for (int i = 0; i < 36; i++) {
        if (Lower(a[i]) != Lower(b[i]))
            return Lower(a[i]) - Lower(b[i]);
        if (!a[i])
            break;
    }
    return 0;
}

static void BubbleSort(const TestMember *members, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t end = count; end > 1; end--)
        for (uint32_t i = 1; i < end; i++)
            if (Image_CompareNames(members[order[i - 1]].name, members[order[i]].name) > 0) {
                const uint32_t swapped = order[i];
                order[i] = order[i - 1];
                order[i - 1] = swapped;
            }
}

static void PutRecord(Image *image, size_t at, const TestMember *member, size_t offset,
                      uint32_t sort_index) {
    Image_Put(image, at + FIELD_TYPE, member->type);
    Image_Put(image, at + FIELD_ATTR1, member->attr1);
    Image_Put(image, at + FIELD_ATTR2, member->attr2);
    Image_Put(image, at + FIELD_SIZE, member->size);
    Image_Put(image, at + FIELD_ATTR3, member->attr3);
    for (size_t i = 0; i < 36 && member->name[i]; i++)
        image->bytes[at + FIELD_NAME + i] = (uint8_t)member->name[i];
    Image_Put(image, at + FIELD_OFFSET, (uint32_t)offset);
    Image_Put(image, at + FIELD_SORT, sort_index);
}

Image Image_Make(const TestMember *members, uint32_t count) {
    size_t data = 16;
    for (uint32_t i = 0; i < count; i++)
        data += (members[i].size + 7u) / 8 * 8;
    Image image = {.size = data + 64 * (size_t)count};
    HEAP uint32_t *order = malloc(count * sizeof *order + 1);
    image.bytes = calloc(1, image.size);
    memcpy(image.bytes, "NRes", 4);
    Image_Put(&image, 4, 0x100);
    Image_Put(&image, 8, count);
    Image_Put(&image, 12, (uint32_t)image.size);
    BubbleSort(members, order, count);
    size_t offset = 16;
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].size)
            memcpy(image.bytes + offset, members[i].payload, members[i].size);
        PutRecord(&image, data + 64 * (size_t)i, &members[i], offset, order[i]);
        offset += (members[i].size + 7u) / 8 * 8;
    }
    return image;
}

Image Image_Copy(const void *bytes, size_t size) {
    Image image = {.bytes = malloc(size ? size : 1), .size = size};
    if (size)
        memcpy(image.bytes, bytes, size);
    return image;
}

void Image_Free(Image *image) {
    free(image->bytes);
    *image = (Image){NULL, 0};
}

void Image_Insert(Image *image, size_t at, const void *bytes, size_t size) {
    const uint32_t count = Image_Get(image, 8);
    uint8_t *grown = calloc(1, image->size + size);
    memcpy(grown, image->bytes, at);
    if (bytes)
        memcpy(grown + at, bytes, size);
    memcpy(grown + at + size, image->bytes + at, image->size - at);
    free(image->bytes);
    *image = (Image){grown, image->size + size};
    Image_Put(image, 12, (uint32_t)image->size);
    for (uint32_t i = 0; i < count; i++) {
        const size_t field = Image_Field(image, i, FIELD_OFFSET);
        if (Image_Get(image, field) >= at)
            Image_Put(image, field, Image_Get(image, field) + (uint32_t)size);
    }
}
