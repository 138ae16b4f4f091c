#include "generator.h"

#include "core/random.h"

const char *const generator_names[GENERATOR_NAMES] = {
    "a",        "A",        "b",
    "B.msh",    "b.msh",    "_z",
    "Z",        "[x",       "a long name of 35 characters, yes..",
    "tex.0",    "a ",       "\xE0\xC0",
    "\xC0",     "12345678", "1234567",
    "12345678x"};
Image Generator_Sound(uint64_t *seed) {
    static const char bytes[] = "abcdefghijklmnopqrstuvwxyz";
    TestMember members[GENERATOR_MEMBERS];
    const uint32_t count = Random_Lcg64Below(seed, GENERATOR_MEMBERS + 1);
    for (uint32_t i = 0; i < count; i++)
        members[i] =
            (TestMember){.name = generator_names[Random_Lcg64Below(seed, GENERATOR_NAMES)],
                         .payload = bytes,
                         .size = Random_Lcg64Below(seed, 3) ? Random_Lcg64Below(seed, 26) : 0,
                         .type = Random_Lcg64Below(seed, 4),
                         .attr1 = Random_Lcg64Below(seed, 3),
                         .attr2 = Random_Lcg64Below(seed, 3),
                         .attr3 = Random_Lcg64Below(seed, 3)};
    return Image_Make(members, count);
}

static void Swap(Image *image, uint64_t *seed, const size_t *fields, size_t field_count) {
    const uint32_t count = Image_Get(image, 8);
    const uint32_t i = Random_Lcg64Below(seed, count), j = Random_Lcg64Below(seed, count);
    for (size_t k = 0; k < field_count; k++) {
        const size_t a = Image_Field(image, i, fields[k]), b = Image_Field(image, j, fields[k]);
        const uint32_t value = Image_Get(image, a);
        Image_Put(image, a, Image_Get(image, b));
        Image_Put(image, b, value);
    }
}

void Generator_SwapPayloads(Image *image, uint64_t *seed) {
    static const size_t fields[] = {FIELD_OFFSET, FIELD_SIZE};
    Swap(image, seed, fields, 2);
}

/* Makes one change that leaves the header sound. */
static void Damage(Image *image, uint64_t *seed) {
    static const size_t table[] = {FIELD_SORT};
    const uint32_t count = Image_Get(image, 8), kind = Random_Lcg64Below(seed, 8);
    if (count == 0)
        return;
    const size_t directory = Image_Field(image, 0, 0);
    const uint32_t entry = Random_Lcg64Below(seed, count);
    const size_t any = Image_Field(image, entry, FIELD_NAME + Random_Lcg64Below(seed, 36));
    if (kind == 0)
        Generator_SwapPayloads(image, seed);
    else if (kind == 1)
        Swap(image, seed, table, 1);
    else if (kind == 2)
        Image_Insert(image, 16 + Random_Lcg64Below(seed, (uint32_t)directory - 15),
                     Random_Lcg64Below(seed, 2) ? "0123456789abcdefghi" : NULL,
                     Random_Lcg64Below(seed, 20));
    else if (kind == 3)
        Image_Put(image, Image_Field(image, entry, FIELD_OFFSET),
                  Random_Lcg64Below(seed, (uint32_t)directory + 9));
    else if (kind == 4)
        Image_Put(image, Image_Field(image, entry, FIELD_SIZE), Random_Lcg64Below(seed, 40));
    else if (kind == 5)
        Image_Put(image, Image_Field(image, entry, FIELD_SORT), Random_Lcg64Below(seed, count + 1));
    else if (kind == 6)
        image->bytes[any] = Random_Lcg64Below(seed, 2) ? 0 : 'q';
    else
        image->bytes[16 + Random_Lcg64Below(seed, (uint32_t)image->size - 16)] ^=
            (uint8_t)(1u << Random_Lcg64Below(seed, 8));
}

Image Generator_Any(uint64_t *seed) {
    Image image = Generator_Sound(seed);
    for (uint32_t i = Random_Lcg64Below(seed, 4); i > 0; i--)
        Damage(&image, seed);
    return image;
}
