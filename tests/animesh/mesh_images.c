#include "mesh_images.h"

#include <stdlib.h>
#include <string.h>

Image Image_Make(const ModelBox *boxes, uint32_t count, uint32_t frames) {
    Image image = {NULL, 0};
    image.bytes = ModelBoxes_Write(boxes, count, frames, &image.size);
    assert_non_null(image.bytes);
    return image;
}

Image Image_Copy(const Image *image) {
    Image copy = {malloc(image->size), image->size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, image->bytes, copy.size);
    return copy;
}

void Image_Free(Image *image) {
    free(image->bytes);
    *image = (Image){NULL, 0};
}

uint8_t *Image_Record(const Image *image, uint32_t type) {
    uint32_t count = Bytes_U32(image->bytes + 8);
    uint8_t *record = image->bytes + image->size - (size_t)64 * count;
    for (; count > 0 && Bytes_U32(record) != type; count--)
        record += 64;
    assert_true(count > 0);
    return record;
}

uint8_t *Image_Stream(const Image *image, uint32_t type) {
    return image->bytes + Bytes_U32(Image_Record(image, type) + 0x38);
}

Image Image_Body(void) {
    static const ModelBox boxes[] = {
        {.parent = MODEL_BOXES_NO_PARENT, .low = {-2, -2, 0}, .high = {2, 2, 1}, .stages = 3},
        {.parent = 0,
         .label = "a central socket",
         .position = {0, 0, 1},
         .moved = {0, 0, 4},
         .low = {-1, -1, 0},
         .high = {1, 1, 2},
         .stages = 1},
        {.parent = 1,
         .flags = 0x31,
         .position = {0, 1, 2},
         .low = {-0.5f, -0.5f, -0.5f},
         .high = {0.5f, 0.5f, 0.5f}},
    };
    return Image_Make(boxes, 3, 9);
}

Image Image_Gun(void) {
    static const ModelBox boxes[] = {
        {.parent = MODEL_BOXES_NO_PARENT},
        {.parent = 0, .flags = 0x800, .position = {0, 2, 0}, .high = {1, 6, 1}, .stages = 1},
        {.parent = 1, .position = {0, 6, 0}},
    };
    return Image_Make(boxes, 3, 1);
}
