/* Tests FILE::MEMBER by name and by index, also nested, and libraries, broken members and
 * terrain. */
#include "tests/formats/msh/fixture.h"

#include "core/files/output.h"
#include "formats/msh/file/model_pack.h"
#include "formats/msh/file/model_source.h"
#include "formats/msh/file/model_target.h"

#include <stdio.h>
#include <string.h>

#define PATH(name) TEST_FOLDER "/" name

static void WriteFile(const char *path, const void *bytes, size_t size) {
    assert_int_equal(Output_WriteBytes(path, bytes, size, NULL), RP_OK);
}

typedef struct Member {
    const char *name;
    uint32_t type;
    const void *data;
    size_t size;
} Member;

enum { MESH = 0x4853454D, TEXTURE = 0x6D786554 };

static RpBuffer MakeLibrary(const Member *members, uint32_t count) {
    OWNED(RpNResArchive) archive = {0};
    RpBuffer image = {0};
    for (uint32_t i = 0; i < count; i++) {
        RpNResMember member = {
            .type = members[i].type, .data = members[i].data, .size = (uint32_t)members[i].size};
        memcpy(member.name, members[i].name, strlen(members[i].name));
        assert_int_equal(RpNResArchive_Add(&archive, i, &member, NULL), RP_OK);
    }
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, NULL), RP_OK);
    return image;
}

/* Writes two models, a texture, a member that is not a model, a library with one model, and
 * terrain. */
static void WriteFiles(void) {
    OWNED(Image) walker = Walker_Make(false), land = Walker_Make(false);
    Image_Remove(&land, 6);
    Image_Remove(&land, 13);
    Image_Add(&land, 21, "", 0);
    const Member inner_members[] = {{"inner.msh", MESH, walker.bytes, walker.size}};
    OWNED(RpBuffer) inner = MakeLibrary(inner_members, 1);
    const Member members[] = {{"Walker.msh", MESH, walker.bytes, walker.size},
                              {"skin.tex", TEXTURE, "texture", 7},
                              {"broken.msh", MESH, "NRes, but not really", 20},
                              {"walker.MSH", MESH, walker.bytes, walker.size},
                              {"inner.lib", 7, inner.bytes, inner.size}};
    OWNED(RpBuffer) library = MakeLibrary(members, 5);
    WriteFile(PATH("walker.msh"), walker.bytes, walker.size);
    WriteFile(PATH("land.msh"), land.bytes, land.size);
    WriteFile(PATH("library.rlb"), library.bytes, library.size);
    WriteFile(PATH("single.rlb"), inner.bytes, inner.size);
    WriteFile(PATH("empty.bin"), "", 0);
}

static void AssertOpens(const char *name, bool is_model) {
    ModelSource source;
    RpError error;
    if (ModelSource_Open(&source, name, &error) != RP_OK)
        fail_msg("%s: %s, %s", name, error.what, error.where);
    assert_int_equal(source.is_model, is_model);
    assert_memory_equal(source.mapping.bytes + source.offset, source.bytes, 16);
    ModelSource_Close(&source);
}

TEST(MembersAreFoundByNameAndIndex) {
    AssertOpens(PATH("walker.msh"), true);
    AssertOpens(PATH("library.rlb"), false);
    AssertOpens(PATH("library.rlb::Walker.msh"), true);
    AssertOpens(PATH("library.rlb::WALKER.MSH"), true);
    AssertOpens(PATH("library.rlb::#0"), true);
    AssertOpens(PATH("library.rlb::#3"), true);
    AssertOpens(PATH("library.rlb::inner.lib"), false);
    AssertOpens(PATH("library.rlb::inner.lib::inner.msh"), true);
    AssertOpens(PATH("library.rlb::#4::#0"), true);
}

static void AssertFails(const char *name, RpStatus status, const char *where) {
    ModelSource source;
    RpError error = {0};
    assert_int_equal(ModelSource_Open(&source, name, &error), status);
    assert_memory_equal(error.where, where, strlen(where));
    ModelSource_Close(&source);
}

TEST(ErrorsNameFileAndMember) {
    AssertFails(PATH("nothing.msh"), RP_NOT_FOUND, PATH("nothing.msh"));
    AssertFails(PATH("empty.bin"), RP_TRUNCATED, PATH("empty.bin"));
    AssertFails(PATH("library.rlb::nobody.msh"), RP_NOT_FOUND, PATH("library.rlb"));
    AssertFails(PATH("library.rlb::#5"), RP_NOT_FOUND, PATH("library.rlb"));
    AssertFails(PATH("library.rlb::#0x"), RP_NOT_FOUND, PATH("library.rlb"));
    AssertFails(PATH("library.rlb::"), RP_NOT_FOUND, PATH("library.rlb"));
    AssertFails(PATH("library.rlb::broken.msh"), RP_CORRUPT, PATH("library.rlb::broken.msh"));
    AssertFails(PATH("library.rlb::skin.tex"), RP_TRUNCATED, PATH("library.rlb::skin.tex"));
    AssertFails(PATH("library.rlb::inner.lib::x"), RP_NOT_FOUND, PATH("library.rlb::inner.lib"));
}

typedef struct Seen {
    char names[8][MODEL_SOURCE_NAME_BYTES];
    bool failed[8], land[8];
    uint32_t count, stop_at;
} Seen;

static bool See(void *context, const ModelSource *model, const RpError *failed) {
    Seen *seen = context;
    assert_true(seen->count < 8);
    memcpy(seen->names[seen->count], model->name, sizeof model->name);
    seen->failed[seen->count] = failed != NULL;
    seen->land[seen->count] = model->is_land;
    seen->count++;
    return seen->count != seen->stop_at;
}

TEST(EveryModelOfALibraryIsVisited) {
    static const char *const names[] = {PATH("library.rlb::Walker.msh"),
                                        PATH("library.rlb::broken.msh"),
                                        PATH("library.rlb::#3"), /* its name leads to the first */
                                        PATH("library.rlb::inner.lib::inner.msh")};
    static Seen seen;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(ModelSource_Each(PATH("library.rlb"), See, &seen, NULL), RP_OK);
    assert_int_equal(seen.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(seen.names[i], names[i]);
        assert_int_equal(seen.failed[i], i == 1);
        if (i != 1)
            AssertOpens(names[i], true);
    }
    memset(&seen, 0, sizeof seen);
    seen.stop_at = 2;
    assert_int_equal(ModelSource_Each(PATH("library.rlb"), See, &seen, NULL), RP_OK);
    assert_int_equal(seen.count, 2);
    memset(&seen, 0, sizeof seen);
    assert_int_equal(ModelSource_Each(PATH("land.msh"), See, &seen, NULL), RP_OK);
    assert_true(seen.count == 1 && seen.land[0]);
}

TEST(OneModelIsChosenOrAskedFor) {
    ModelSource source;
    RpError error;
    assert_int_equal(ModelSource_OpenModel(&source, PATH("single.rlb"), &error), RP_OK);
    assert_string_equal(source.name, PATH("single.rlb::inner.msh"));
    assert_true(source.is_model);
    ModelSource_Close(&source);
    assert_int_equal(ModelSource_OpenModel(&source, PATH("library.rlb"), &error), RP_INVALID);
    assert_string_equal(error.found, "3 models");
    assert_non_null(strstr(error.expected, "Walker.msh, #3, inner.msh"));
    ModelSource_Close(&source);
    assert_int_equal(ModelSource_OpenModel(&source, PATH("land.msh"), &error), RP_NOT_FOUND);
    ModelSource_Close(&source);
}

/* Names of sources are UTF-8. A console in Windows-1251 gives them in that encoding. */
TEST(CyrillicNamesAreUtf8) {
    static const char house[] = "\xD0\xB4\xD0\xBE\xD0\xBC.msh";
    OWNED(Image) walker = Walker_Make(false);
    const Member members[] = {{"\xE4\xEE\xEC.msh", MESH, walker.bytes, walker.size},
                              {"a\nb.msh", MESH, walker.bytes, walker.size}};
    OWNED(RpBuffer) library = MakeLibrary(members, 2);
    static Seen seen;
    char name[sizeof PATH("cyrillic.rlb::") + sizeof house];
    WriteFile(PATH("cyrillic.rlb"), library.bytes, library.size);
    snprintf(name, sizeof name, PATH("cyrillic.rlb::%s"), house);
    assert_int_equal(ModelSource_Each(PATH("cyrillic.rlb"), See, &seen, NULL), RP_OK);
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.names[0], name);
    /* A line break in a name must not break the line. */
    assert_string_equal(seen.names[1], PATH("cyrillic.rlb::#1"));
    AssertOpens(name, true);
    AssertOpens(PATH("cyrillic.rlb::\xE4\xEE\xEC.MSH"), true);
}

/* Two members have the same bytes. The one that was named is written. */
TEST(MembersThatShareBytesAreWrittenApart) {
    OWNED(Image) walker = Walker_Make(false), other = Walker_Make(true);
    const Member members[] = {{"a.msh", MESH, walker.bytes, walker.size}, {"b.msh", MESH, "", 0}};
    OWNED(RpBuffer) library = MakeLibrary(members, 2), packed = {0};
    uint8_t *first = library.bytes + library.size - 2 * RP_NRES_RECORD_BYTES;
    memcpy(first + RP_NRES_RECORD_BYTES + 12, first + 12, 4);     /* size */
    memcpy(first + RP_NRES_RECORD_BYTES + 0x38, first + 0x38, 4); /* offset */
    WriteFile(PATH("shared.rlb"), library.bytes, library.size);
    ModelSource source;
    RpNRes changed = Image_Open(&other), after;
    OWNED(RpNResArchive) model = {0};
    assert_int_equal(ModelSource_OpenModel(&source, PATH("shared.rlb::b.msh"), NULL), RP_OK);
    assert_int_equal(RpNResArchive_Read(&model, &changed, NULL), RP_OK);
    assert_int_equal(ModelTarget_Pack(&source, &model, &packed, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(packed.bytes, packed.size, RP_STRICT, &after, NULL), RP_OK);
    const RpNResEntry a = RpNRes_Entry(&after, 0), b = RpNRes_Entry(&after, 1);
    assert_int_equal(a.size, walker.size);
    assert_memory_equal(a.data, walker.bytes, walker.size);
    assert_int_equal(b.size, other.size);
    assert_memory_equal(b.data, other.bytes, other.size);
    ModelSource_Close(&source);
}

/* The nesting is deeper than RP_NRES_MAX_DEPTH, up to which archives are searched. */
TEST(NestingEnds) {
    OWNED(Image) walker = Walker_Make(false);
    OWNED(RpBuffer) library = {0};
    for (int i = 0; i < 4; i++) {
        const Member member = {"x", MESH, i ? library.bytes : walker.bytes,
                               i ? library.size : walker.size};
        RpBuffer outer = MakeLibrary(&member, 1);
        if (i)
            RpBuffer_Free(&library);
        library = outer;
    }
    WriteFile(PATH("deep.rlb"), library.bytes, library.size);
    AssertOpens(PATH("deep.rlb::x::x::x"), false);
    AssertFails(PATH("deep.rlb::x::x::x::x"), RP_UNSUPPORTED, PATH("deep.rlb::x::x::x::x"));
}

/* A model without one of its streams is a broken model, not a library without models. */
TEST(BrokenModelsAreStillModels) {
    OWNED(Image) image = Walker_Make(false);
    Image_Remove(&image, 6);
    RpNRes archive = Image_Open(&image);
    assert_false(RpMsh_Is(RpNRes_Entries(&archive)));
    assert_true(ModelSource_LooksLikeModel(&archive, "x"));
    Image_Add(&image, 0x4853454D, "", 0);
    archive = Image_Open(&image);
    assert_false(ModelSource_LooksLikeModel(&archive, "x"));
    assert_true(ModelSource_LooksLikeModel(&archive, "x.MSH"));
}

TEST(ModelsArePutIntoLibraries) {
    OWNED(Image) image = Walker_Make(true);
    const Member members[] = {{"a.msh", MESH, "old", 3}, {"b.tex", TEXTURE, "texture", 7}};
    OWNED(RpBuffer) library = MakeLibrary(members, 2), changed;
    const Image before = {.bytes = library.bytes, .size = library.size};
    RpNRes archive = Image_Open(&before);
    static const char *const names[] = {"A.MSH", "new.msh"};
    for (uint32_t i = 0; i < 2; i++) {
        RpBuffer_Init(&changed, NULL);
        assert_int_equal(
            ModelPack_Put(&archive, names[i], image.bytes, (uint32_t)image.size, &changed, NULL),
            RP_OK);
        RpNRes after;
        assert_int_equal(RpNRes_Open(changed.bytes, changed.size, RP_STRICT, &after, NULL), RP_OK);
        assert_int_equal(after.count, 2 + i);
        int32_t index = RpNRes_Find(&after, names[i]);
        assert_int_equal(index, 2 * i);
        RpNResEntry entry = RpNRes_Entry(&after, (uint32_t)index);
        assert_int_equal(entry.type, MESH);
        assert_int_equal(entry.size, image.size);
        assert_memory_equal(entry.data, image.bytes, image.size);
        RpBuffer_Free(&changed);
    }
    RpBuffer_Init(&changed, NULL);
    assert_int_equal(ModelPack_Put(&archive, "", "x", 1, &changed, NULL), RP_INVALID);
    assert_int_equal(ModelPack_Put(&archive, "#1", "x", 1, &changed, NULL), RP_INVALID);
    assert_int_equal(ModelPack_Put(&archive, "\xE2\x98\xA0.msh", "x", 1, &changed, NULL),
                     RP_INVALID);
    assert_int_equal(ModelPack_Put(&archive, "a name of more than thirty-five characters", "x", 1,
                                   &changed, NULL),
                     RP_INVALID);
    assert_int_equal(ModelPack_Put(&archive, "\xD0\xB4.msh", "x", 1, &changed, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(changed.bytes, changed.size, RP_STRICT, &archive, NULL), RP_OK);
    assert_int_equal(RpNRes_Find(&archive, "\xE4.msh"), 2);
    assert_string_equal(ModelPack_NameOf("a/b\\c.msh"), "c.msh");
    assert_string_equal(ModelPack_NameOf("x.rlb::c.msh"), "c.msh");
    assert_string_equal(ModelPack_NameOf("c.msh"), "c.msh");
}

int main(void) {
    WriteFiles();
    return Tests_Run();
}
