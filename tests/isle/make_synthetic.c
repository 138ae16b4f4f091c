/* make_synthetic_ani FILE writes the synthetic file. */
#include "synthetic.h"

#include <stdio.h>

int main(int count, char **words) {
    RpBuffer image;
    FILE *file = count == 2 ? fopen(words[1], "wb") : NULL;
    if (!file)
        return 2;
    Synthetic_Write(&image);
    const bool good = fwrite(image.bytes, 1, image.size, file) == image.size;
    RpBuffer_Free(&image);
    return fclose(file) == 0 && good ? 0 : 2;
}
