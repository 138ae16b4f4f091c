/* Measures an image of a model in the game's memory. Whatever is there, measuring reads nothing
 * outside, and an image that is accepted can be copied. The first bytes choose pointers. */
#include "dll/observe/image.h"
#include "dll/observe/platform.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 0x10000, POINTERS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t *room;
    if (!room)
        room = Platform_Allocate(ROOM);
    if (size < 2 * POINTERS || size - 2 * POINTERS > ROOM)
        return 0;
    uint32_t address = (uint32_t)(uintptr_t)room, pointers[POINTERS];
    for (int i = 0; i < POINTERS; i++)
        pointers[i] = address + (uint32_t)(data[2 * i] | data[2 * i + 1] << 8);
    memset(room, 0, ROOM);
    memcpy(room, data + 2 * POINTERS, size - 2 * POINTERS);
    Images_Forget(address);
    Image image;
    if (Images_Around(pointers, POINTERS, &image) || Images_At(address, &image)) {
        /* The bytes after the room belong to somebody else and may change at any time. */
        bool inside =
            image.address - address <= ROOM && image.size <= ROOM - (image.address - address);
        uint8_t *bytes = Images_Fetch(&image, 0);
        if (inside &&
            (!bytes || memcmp(bytes, (const void *)(uintptr_t)image.address, image.size) != 0))
            abort();
        if (bytes)
            Platform_Free(bytes, (image.size + 3) & ~3u);
    }
    return 0;
}
