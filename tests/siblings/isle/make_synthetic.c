/* make_synthetic_ani FILE [NUMBER] writes the synthetic file, or the random animation of this
 * number. */
#include "random_ani.h"
#include "synthetic.h"
#include "tests/owned.h"

#include <stdio.h>
#include <stdlib.h>

static bool WriteRandom(const char *number, RpBuffer *image) {
    OWNED(RpAni) ani;
    RpBuffer_Init(image, NULL);
    return RandomAni_Build((uint32_t)strtoul(number, NULL, 10), &ani) &&
           RpAni_Write(&ani, image, NULL) == RP_OK;
}

int main(int count, char **words) {
    OWNED(RpBuffer) image = {0};
    bool good = true;
    FILE *file = count == 2 || count == 3 ? fopen(words[1], "wb") : NULL;
    if (!file)
        return 2;
    if (count == 3)
        good = WriteRandom(words[2], &image);
    else
        Synthetic_Write(&image);
    good = good && fwrite(image.bytes, 1, image.size, file) == image.size;
    return fclose(file) == 0 && good ? 0 : 2;
}
