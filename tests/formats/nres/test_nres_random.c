/* Compares names and edits with plain ones, and uses thousands of random archives, sound and
 * damaged. */
#include "generator.h"

#include "core/random.h"
#include "formats/nres/name.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARCHIVES = 4000, NAMES = GENERATOR_NAMES };

/* ---- names ----------------------------------------------------------------------------------- */

TEST(FieldsCompareAsPlainly) {
    uint64_t seed = 3;
    for (int i = 0; i < 200000; i++) {
        /* names that are near each other in the alphabet, and names that are not */
        char a[37] = {0}, b[37] = {0};
        static const char letters[] = "@AZ[`az{\x7F\x80\xFF\x01"
                                      "a";
        const uint32_t length = Random_Lcg64Below(&seed, 37);
        for (uint32_t k = 0; k < length; k++)
            a[k] = b[k] = letters[Random_Lcg64Below(&seed, 13)];
        for (uint32_t changes = length > 0 ? Random_Lcg64Below(&seed, 4) : 0; changes > 0;
             changes--)
            b[Random_Lcg64Below(&seed, length)] = letters[Random_Lcg64Below(&seed, 14)];
        const int order = RpNRes_CompareName(a, b), expected = Image_CompareNames(a, b);
        assert_int_equal((order > 0) - (order < 0), (expected > 0) - (expected < 0));
        /* bytes after the NUL are not compared */
        for (uint32_t k = (uint32_t)strlen(a) + 1; k < 36; k++)
            a[k] = letters[Random_Lcg64Below(&seed, 13)];
        for (uint32_t k = (uint32_t)strlen(b) + 1; k < 36; k++)
            b[k] = letters[Random_Lcg64Below(&seed, 13)];
        const int fields = NResName_Compare((const uint8_t *)a, (const uint8_t *)b);
        assert_int_equal((fields > 0) - (fields < 0), (expected > 0) - (expected < 0));
    }
}

/* ---- editing --------------------------------------------------------------------------------- */

typedef struct Item {
    TestMember facts; /* its payload is the array below */
    char payload[32];
} Item;

typedef struct Model {
    Item items[64];
    uint32_t count;
} Model;

static void Model_Insert(Model *model, uint32_t at, Item item) {
    for (uint32_t i = model->count++; i > at; i--)
        model->items[i] = model->items[i - 1];
    model->items[at] = item;
}

static Item Model_Remove(Model *model, uint32_t at) {
    const Item item = model->items[at];
    model->count--;
    for (uint32_t i = at; i < model->count; i++)
        model->items[i] = model->items[i + 1];
    return item;
}

static const char *NameInTable(const char *field) {
    for (int n = 0; n < NAMES; n++)
        if (strncmp(generator_names[n], field, 36) == 0)
            return generator_names[n];
    fail();
    return NULL;
}

static Model Model_Of(const RpNResArchive *archive) {
    Model model = {.count = 0};
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResMember *member = &archive->members[i];
        Item item = {.facts = {.name = NameInTable(member->name),
                               .size = member->size,
                               .type = member->type,
                               .attr1 = member->attr1,
                               .attr2 = member->attr2,
                               .attr3 = member->attr3}};
        if (member->size)
            memcpy(item.payload, member->data, member->size);
        Model_Insert(&model, i, item);
    }
    return model;
}

static Item RandomItem(uint64_t *seed) {
    Item item = {.facts = {.name = generator_names[Random_Lcg64Below(seed, NAMES)],
                           .size = Random_Lcg64Below(seed, 3) ? Random_Lcg64Below(seed, 32) : 0,
                           .type = Random_Lcg64Below(seed, 9)}};
    for (int i = 0; i < 32; i++)
        item.payload[i] = (char)('A' + Random_Lcg64Below(seed, 26));
    return item;
}

static void AddOne(Model *model, RpNResArchive *archive, uint64_t *seed) {
    const uint32_t at = Random_Lcg64Below(seed, model->count + 1);
    const Item item = RandomItem(seed);
    RpNResMember member = {
        .type = item.facts.type, .data = (const uint8_t *)item.payload, .size = item.facts.size};
    memcpy(member.name, item.facts.name, strlen(item.facts.name));
    Model_Insert(model, at, item);
    assert_int_equal(RpNResArchive_Add(archive, at, &member, NULL), RP_OK);
}

static void ReplaceOne(Model *model, RpNResArchive *archive, uint32_t at, uint64_t *seed) {
    const Item item = RandomItem(seed);
    model->items[at].facts.size = item.facts.size;
    memcpy(model->items[at].payload, item.payload, sizeof item.payload);
    assert_int_equal(RpNResArchive_Replace(archive, at, item.payload, item.facts.size, NULL),
                     RP_OK);
}

static void ChangeOne(Model *model, RpNResArchive *archive, uint32_t at, uint64_t *seed) {
    TestMember *facts = &model->items[at].facts;
    facts->attr2 = archive->members[at].attr2 = Random_Lcg64Below(seed, 3);
    facts->name = generator_names[Random_Lcg64Below(seed, NAMES)];
    assert_int_equal(RpNResArchive_Rename(archive, at, facts->name, NULL), RP_OK);
}

static int CompareNumbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int CompareBy(RpNResSort sort, const TestMember *a, const TestMember *b) {
    const int type = CompareNumbers(a->type, b->type), name = Image_CompareNames(a->name, b->name);
    const int attr1 = CompareNumbers(a->attr1, b->attr1);
    const int attr2 = CompareNumbers(a->attr2, b->attr2);
    const int orders[RP_NRES_SORT_COUNT][3] = {
        {0, 0, 0},    {attr1, 0, 0},    {attr2, 0, 0},    {attr1, attr2, 0},
        {type, 0, 0}, {type, attr1, 0}, {type, attr1, 0}, {type, attr1, attr2},
        {name, 0, 0}, {type, name, 0},  {attr1, name, 0}, {attr2, name, 0},
    };
    const int *order = orders[sort];
    return order[0] ? order[0] : order[1] ? order[1] : order[2];
}

/* Sorts the plain list by a bubble sort, as the game does. */
static void SortBoth(Model *model, RpNResArchive *archive, RpNResSort sort) {
    for (uint32_t end = model->count; end > 1; end--)
        for (uint32_t i = 1; i < end; i++)
            if (CompareBy(sort, &model->items[i - 1].facts, &model->items[i].facts) > 0)
                Model_Insert(model, i - 1, Model_Remove(model, i));
    assert_int_equal(RpNResArchive_Sort(archive, sort, NULL), RP_OK);
}

static void EditOnce(Model *model, RpNResArchive *archive, uint64_t *seed) {
    const uint32_t kind = Random_Lcg64Below(seed, 7);
    if (kind < 2 || model->count == 0) {
        AddOne(model, archive, seed);
        return;
    }
    const uint32_t at = Random_Lcg64Below(seed, model->count),
                   to = Random_Lcg64Below(seed, model->count);
    if (kind == 2) {
        Model_Remove(model, at);
        assert_int_equal(RpNResArchive_Remove(archive, at, NULL), RP_OK);
    } else if (kind == 3) {
        ReplaceOne(model, archive, at, seed);
    } else if (kind == 4) {
        ChangeOne(model, archive, at, seed);
    } else if (kind == 5) {
        Model_Insert(model, to, Model_Remove(model, at));
        assert_int_equal(RpNResArchive_Move(archive, at, to, NULL), RP_OK);
    } else {
        SortBoth(model, archive, (RpNResSort)Random_Lcg64Below(seed, RP_NRES_SORT_COUNT));
    }
}

static Image Written(const RpNResArchive *archive, RpNResLayout layout) {
    OWNED(RpBuffer) buffer = {0};
    assert_int_equal(RpNResArchive_Write(archive, layout, &buffer, NULL), RP_OK);
    return Image_Copy(buffer.bytes, buffer.size);
}

static void AssertHolds(const Image *image, const Model *model) {
    RpNRes archive;
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL), RP_OK);
    assert_int_equal(archive.count, model->count);
    assert_true(archive.sorted);
    for (uint32_t i = 0; i < model->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        const TestMember *facts = &model->items[i].facts;
        assert_int_equal(strncmp(entry.name, facts->name, 36), 0);
        assert_int_equal(entry.type, facts->type);
        assert_int_equal(entry.attr2, facts->attr2);
        assert_int_equal(entry.size, facts->size);
        assert_non_null(entry.data);
        assert_memory_equal(entry.data, model->items[i].payload, facts->size);
    }
}

static bool OpensStrictly(const Image *image) {
    RpNRes archive;
    return RpNRes_Open(image->bytes, image->size, RP_STRICT, &archive, NULL) == RP_OK;
}

static bool IsCanonical(const Image *image) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpNRes_Check(image->bytes, image->size, NULL, &sink, NULL);
    return counter.count[RP_SEVERITY_ERROR] + counter.count[RP_SEVERITY_WARNING] +
               counter.count[RP_SEVERITY_CANONICAL] ==
           0;
}

/* Makes the same edits to the archive and to a plain list, and then writes in both ways. */
TEST(EditsAsTheModelDoes) {
    uint64_t seed = 5;
    for (int i = 0; i < ARCHIVES; i++) {
        OWNED(Image) image = Generator_Sound(&seed);
        if (Random_Lcg64Below(&seed, 2) && Image_Get(&image, 8) > 1)
            Generator_SwapPayloads(&image, &seed);
        const bool is_strict = OpensStrictly(&image);
        RpNRes opened;
        OWNED(RpNResArchive) archive = {0};
        RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &opened, NULL);
        assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
        Model model = Model_Of(&archive);
        for (uint32_t edits = 1 + Random_Lcg64Below(&seed, 8); edits > 0; edits--)
            EditOnce(&model, &archive, &seed);
        OWNED(Image) canonical = Written(&archive, RP_NRES_CANONICAL);
        AssertHolds(&canonical, &model);
        assert_true(IsCanonical(&canonical));
        OWNED(Image) preserving = Written(&archive, RP_NRES_PRESERVING);
        AssertHolds(&preserving, &model);
        assert_true(is_strict);
        assert_true(OpensStrictly(&preserving));
    }
}

/* Demands that the regions occur in the image one after another. */
static void AssertHoldsRegions(const Image *image, const RpNResArchive *archive) {
    size_t from = 16;
    for (uint32_t i = 0; i < archive->region_count; i++) {
        const RpNResRegion *region = &archive->regions[i];
        while (from + region->size <= image->size &&
               memcmp(image->bytes + from, region->data, region->size) != 0)
            from++;
        assert_true(from + region->size <= image->size);
        from += region->size;
    }
}

/* However odd an image was, an edit keeps every other payload and the bytes of each region. */
TEST(EditsOfOddArchivesLoseNothing) {
    uint64_t seed = 6;
    for (int i = 0; i < ARCHIVES; i++) {
        OWNED(Image) image = Generator_Sound(&seed);
        for (uint32_t n = 1 + Random_Lcg64Below(&seed, 3); n > 0 && Image_Get(&image, 8) > 0; n--) {
            const uint32_t directory = (uint32_t)Image_Field(&image, 0, 0);
            Image_Insert(&image, 16 + Random_Lcg64Below(&seed, directory - 15),
                         "0123456789abcdefghi", Random_Lcg64Below(&seed, 20));
        }
        RpNRes opened;
        OWNED(RpNResArchive) archive = {0};
        RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &opened, NULL);
        if (RpNResArchive_Read(&archive, &opened, NULL) == RP_OK && archive.count > 0) {
            Model model = Model_Of(&archive);
            for (uint32_t edits = 1 + Random_Lcg64Below(&seed, 4); edits > 0; edits--)
                EditOnce(&model, &archive, &seed);
            OWNED(Image) preserving = Written(&archive, RP_NRES_PRESERVING);
            AssertHolds(&preserving, &model);
            AssertHoldsRegions(&preserving, &archive);
        }
    }
}

/* ---- damage ---------------------------------------------------------------------------------- */

static bool CountVisits(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                        uint32_t offset) {
    (void)archive, (void)path, (void)offset;
    assert_true(depth <= RP_NRES_MAX_DEPTH);
    ++*(uint32_t *)context;
    return true;
}

/* Works on a block of the exact size, so that sanitizers notice every access outside. */
static void UseAll(const Image *image) {
    static uint32_t work[1024];
    RpNRes archive;
    OWNED(RpNResArchive) edited = {0};
    uint32_t visits = 0;
    RpNRes_Open(image->bytes, image->size, RP_STRICT, &archive, NULL);
    RpNRes_Check(image->bytes, image->size, NULL, NULL, NULL);
    if (RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL) != RP_OK)
        return;
    RpNRes_Check(image->bytes, image->size, archive.count <= 512 ? work : NULL, NULL, NULL);
    RpNRes_Walk(&archive, CountVisits, &visits);
    assert_true(visits > 0);
    for (int n = 0; n < NAMES; n++) {
        RpNRes_Find(&archive, generator_names[n]);
        RpNRes_FindAsGame(&archive, generator_names[n]);
    }
    if (RpNResArchive_Read(&edited, &archive, NULL) == RP_OK) {
        OWNED(Image) written = Written(&edited, RP_NRES_PRESERVING);
        assert_int_equal(written.size, image->size);
        assert_memory_equal(written.bytes, image->bytes, image->size);
        Image_Free(&written);
        written = Written(&edited, RP_NRES_CANONICAL);
    }
}

TEST(EveryTruncationIsRefused) {
    uint64_t seed = 7;
    for (int i = 0; i < 20; i++) {
        OWNED(Image) image = Generator_Sound(&seed);
        for (size_t size = 0; size < image.size; size++) {
            OWNED(Image) cut = Image_Copy(image.bytes, size);
            RpNRes archive;
            RpError error;
            for (int mode = RP_STRICT; mode <= RP_TOLERANT; mode++) {
                assert_int_equal(RpNRes_Open(cut.bytes, size, (RpReadMode)mode, &archive, &error),
                                 RP_TRUNCATED);
                assert_int_equal(error.status, RP_TRUNCATED);
            }
            UseAll(&cut);
        }
    }
}

TEST(FlippedBytesAreReadWithinBounds) {
    uint64_t seed = 8;
    for (int i = 0; i < 3 * ARCHIVES; i++) {
        OWNED(Image) image = Generator_Sound(&seed);
        for (uint32_t flips = 1 + Random_Lcg64Below(&seed, 4); flips > 0; flips--)
            image.bytes[Random_Lcg64Below(&seed, (uint32_t)image.size)] =
                (uint8_t)(Random_Lcg64(&seed) >> 33);
        UseAll(&image);
    }
}
