#include "reference.h"

#include <stdlib.h>
#include <string.h>

static const char *Name(const TestImage *image, uint32_t entry) {
    return (const char *)image->bytes + Image_Field(image, entry, FIELD_NAME);
}

static uint64_t Field(const TestImage *image, uint32_t entry, size_t field) {
    return Image_Get(image, Image_Field(image, entry, field));
}

static uint32_t Count(const TestImage *image) {
    return Image_Get(image, 8);
}

int32_t Reference_Find(const TestImage *image, const char *name) {
    char wanted[36] = {0};
    if (strlen(name) > 36)
        return -1;
    memcpy(wanted, name, strlen(name));
    for (uint32_t i = 0; i < Count(image); i++)
        if (Image_CompareNames(Name(image, i), wanted) == 0)
            return (int32_t)i;
    return -1;
}

/* Marks the owners of the bytes before the directory: 0 for none, 1 for one entry, 2 for
 * several. */
static uint8_t *MarkOwners(const TestImage *image, bool *inside) {
    const size_t directory = Image_Field(image, 0, 0);
    uint8_t *owners = calloc(1, directory + 1);
    for (uint32_t i = 0; i < Count(image); i++) {
        const uint64_t start = Field(image, i, FIELD_OFFSET), size = Field(image, i, FIELD_SIZE);
        if (start < 16 || start + size > directory) {
            *inside = false;
            continue;
        }
        for (uint64_t at = start; at < start + size; at++)
            owners[at] = owners[at] ? 2 : 1;
    }
    return owners;
}

static bool BytesAreOwned(const TestImage *image) {
    bool good = true;
    uint8_t *owners = MarkOwners(image, &good);
    const size_t directory = Image_Field(image, 0, 0);
    size_t unowned = 0;
    for (size_t at = 16; at < directory; at++) {
        unowned = owners[at] ? 0 : unowned + 1;
        good = good && owners[at] != 2 && unowned < 8 && (owners[at] || !image->bytes[at]);
    }
    free(owners);
    return good;
}

static bool RecordsAreGood(const TestImage *image) {
    bool good = true;
    for (uint32_t i = 0; i < Count(image); i++)
        good = good && Field(image, i, FIELD_OFFSET) % 8 == 0 && Name(image, i)[0] &&
               memchr(Name(image, i), 0, 36);
    return good;
}

static bool TableIsGood(const TestImage *image, bool *is_stable) {
    bool good = true;
    for (uint32_t i = 0; good && i < Count(image); i++) {
        uint32_t times = 0;
        for (uint32_t j = 0; j < Count(image); j++)
            times += Field(image, j, FIELD_SORT) == i;
        good = times == 1;
    }
    for (uint32_t i = 1; good && i < Count(image); i++) {
        const uint32_t a = (uint32_t)Field(image, i - 1, FIELD_SORT);
        const uint32_t b = (uint32_t)Field(image, i, FIELD_SORT);
        const int order = Image_CompareNames(Name(image, a), Name(image, b));
        good = order <= 0;
        *is_stable = *is_stable && (order != 0 || a < b);
    }
    return good;
}

TestImage Reference_Canonical(const TestImage *image) {
    const uint32_t count = Count(image);
    bool inside = true;
    free(MarkOwners(image, &inside));
    if (!inside)
        return (TestImage){NULL, 0};
    TestMember *members = calloc(count + 1, sizeof *members);
    for (uint32_t i = 0; i < count; i++)
        members[i] = (TestMember){
            .name = Name(image, i),
            .payload = (const char *)image->bytes + Field(image, i, FIELD_OFFSET),
            .size = (uint32_t)Field(image, i, FIELD_SIZE),
            .type = (uint32_t)Field(image, i, FIELD_TYPE),
            .attr1 = (uint32_t)Field(image, i, FIELD_ATTR1),
            .attr2 = (uint32_t)Field(image, i, FIELD_ATTR2),
            .attr3 = (uint32_t)Field(image, i, FIELD_ATTR3),
        };
    TestImage canonical = Image_Make(members, count);
    for (uint32_t i = 0; i < count; i++) /* with what follows the NUL */
        memcpy(canonical.bytes + Image_Field(&canonical, i, FIELD_NAME), Name(image, i), 36);
    free(members);
    return canonical;
}

void Reference_Judge(const TestImage *image, bool *is_strict, bool *is_canonical) {
    bool is_stable = true;
    const bool table = TableIsGood(image, &is_stable);
    *is_strict = RecordsAreGood(image) && BytesAreOwned(image) && table;
    TestImage canonical = Reference_Canonical(image);
    *is_canonical = canonical.size == image->size &&
                    memcmp(canonical.bytes, image->bytes, image->size) == 0 &&
                    RecordsAreGood(image);
    Image_Free(&canonical);
}
