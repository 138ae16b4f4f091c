/* Tests posing a model by its name in one call: it has the bits of the calls that it stands for,
 * names and parents are right, and errors and refused memory are reported. */
#include "tests/formats/msh/fixture.h"

#include "retropose/corpus.h"
#include "retropose/model_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an archive ------------------------------------------------------------------------------ */

typedef struct Archive {
    RpBuffer bytes;
    RpNResEntry model;
} Archive;

static void Archive_Free(Archive *archive) {
    RpBuffer_Free(&archive->bytes);
}

static const char name[] = "R_H_02.msh";

/* Makes "parts.rlb" of the corpus. */
static Archive MakeArchive(void) {
    RpCorpus *corpus;
    Archive archive;
    RpNRes image;
    RpBuffer_Init(&archive.bytes, NULL);
    assert_int_equal(RpCorpus_New(NULL, NULL, &corpus, NULL), RP_OK);
    uint32_t index = 0;
    while (strcmp(RpCorpus_LibraryName(index), "parts.rlb") != 0)
        index++;
    assert_int_equal(RpCorpus_Library(corpus, index, &archive.bytes, NULL), RP_OK);
    RpCorpus_Free(corpus);
    assert_int_equal(RpNRes_Open(archive.bytes.bytes, archive.bytes.size, RP_STRICT, &image, NULL),
                     RP_OK);
    archive.model = RpNRes_Entry(&image, (uint32_t)RpNRes_Find(&image, name));
    return archive;
}

static RpStatus Pose(const Archive *archive, const char *member, float frame, RpModelPose *pose,
                     RpError *error) {
    return RpModelPose_FromArchive(archive->bytes.bytes, archive->bytes.size, member, frame, NULL,
                                   NULL, pose, error);
}

/* ---- what it gives --------------------------------------------------------------------------- */

TEST(OneCallHasTheBitsOfMany) {
    OWNED(Archive) archive = MakeArchive();
    RpSkeleton skeleton;
    float local[64][16], model_space[64][16];
    assert_int_equal(RpSkeleton_FromNRes(archive.model.data, archive.model.size, &skeleton, NULL),
                     RP_OK);
    for (float frame = 0; frame < 130; frame += 12.75f) {
        OWNED(RpModelPose) pose;
        assert_int_equal(Pose(&archive, "r_h_02.MSH", frame, &pose, NULL), RP_OK);
        assert_int_equal(pose.node_count, RpSkeleton_NodeCount(&skeleton));
        assert_true(pose.node_count <= 64);
        assert_int_equal(pose.frame_count, skeleton.frame_count);
        assert_int_equal(RpPose_Skeleton(&skeleton, NULL, frame, -1.0f, 0.0f, false, local,
                                         model_space, NULL, NULL),
                         RP_OK);
        assert_memory_equal(pose.local, local, pose.node_count * sizeof *local);
        assert_memory_equal(pose.model_space, model_space, pose.node_count * sizeof *local);
    }
}

TEST(NamesAndParentsAreTheModels) {
    OWNED(Archive) archive = MakeArchive();
    RpSkeleton skeleton;
    RpNRes image;
    RpMsh msh;
    RpModelPose pose;
    assert_int_equal(Pose(&archive, name, 0, &pose, NULL), RP_OK);
    assert_int_equal(RpNRes_Open(archive.model.data, archive.model.size, RP_STRICT, &image, NULL),
                     RP_OK);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&image), RP_STRICT, &msh, NULL), RP_OK);
    assert_int_equal(RpMsh_Skeleton(&msh, &skeleton, NULL), RP_OK);
    for (uint32_t node = 0; node < pose.node_count; node++) {
        uint32_t length;
        const char *text = RpMsh_Text(&msh, RP_MSH_NAMES, node, &length);
        assert_int_equal(strlen(pose.names[node]), length);
        assert_memory_equal(pose.names[node], text, length);
        assert_int_equal(pose.parents[node], RpSkeleton_Parent(&skeleton, node));
    }
    /* The archive is not needed any more. */
    memset(archive.bytes.bytes, 0xEE, archive.bytes.size);
    assert_string_equal(pose.names[0], "Base");
    RpModelPose_Free(&pose);
    RpModelPose_Free(&pose);
    assert_null(pose.local);
}

TEST(AModelNeedsNoArchive) {
    OWNED(Archive) archive = MakeArchive();
    OWNED(RpModelPose) by_name, alone;
    assert_int_equal(Pose(&archive, name, 18.5f, &by_name, NULL), RP_OK);
    assert_int_equal(RpModelPose_FromArchive(archive.model.data, archive.model.size, NULL, 18.5f,
                                             NULL, NULL, &alone, NULL),
                     RP_OK);
    assert_int_equal(alone.node_count, by_name.node_count);
    assert_memory_equal(alone.model_space, by_name.model_space,
                        alone.node_count * sizeof *alone.model_space);
}

/* After its last frame, up to the last time that is accepted, a model stays as it is at that
 * frame. */
TEST(BehindItsLastFrameItStays) {
    static const float times[] = {1000, 0x1p24f, 0x1p31f};
    OWNED(Archive) archive = MakeArchive();
    OWNED(RpModelPose) last;
    assert_int_equal(Pose(&archive, name, 0, &last, NULL), RP_OK);
    const float frame = (float)(last.frame_count - 1);
    RpModelPose_Free(&last);
    assert_int_equal(Pose(&archive, name, frame, &last, NULL), RP_OK);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        OWNED(RpModelPose) later;
        assert_int_equal(Pose(&archive, name, times[i], &later, NULL), RP_OK);
        assert_memory_equal(later.model_space, last.model_space,
                            last.node_count * sizeof *last.model_space);
    }
}

/* ---- what it refuses ------------------------------------------------------------------------- */

TEST(ErrorsSayWhatAndWhere) {
    OWNED(Archive) archive = MakeArchive();
    RpModelPose pose;
    RpError error;
    assert_int_equal(Pose(&archive, "nobody.msh", 0, &pose, &error), RP_NOT_FOUND);
    assert_string_equal(error.where, "nobody.msh");
    assert_null(pose.local);
    RpModelPose_Free(&pose);
    assert_int_equal(Pose(&archive, name, -0.25f, &pose, NULL), RP_INVALID);
    assert_int_equal(Pose(&archive, name, NAN, &pose, NULL), RP_INVALID);
    assert_int_equal(Pose(&archive, name, INFINITY, &pose, NULL), RP_INVALID);
    assert_int_equal(Pose(&archive, name, 0x1.000002p31f, &pose, NULL), RP_INVALID);
    /* The offset is that of the byte in the archive, whichever function finds it. */
    const size_t place = (size_t)(archive.model.data - archive.bytes.bytes);
    /* a slot word of the first node, counted from the beginning of the model's image */
    enum { SLOT_WORD = 16 + 12 };
    archive.bytes.bytes[place + SLOT_WORD + 1] ^= 0x40;
    assert_int_equal(Pose(&archive, name, 0, &pose, &error), RP_CORRUPT);
    assert_int_equal(error.offset, place + SLOT_WORD);
    archive.bytes.bytes[place + SLOT_WORD + 1] ^= 0x40;
    archive.bytes.bytes[place] = 'X';
    assert_int_equal(Pose(&archive, name, 0, &pose, &error), RP_CORRUPT);
    assert_int_equal(error.offset, place);
    assert_int_equal(RpModelPose_FromArchive("this is no archive at all", 25, name, 0, NULL, NULL,
                                             &pose, &error),
                     RP_CORRUPT);
}

static void *Refuse(void *context, void *block, size_t size) {
    unsigned *asked = context;
    *asked += size > 0;
    free(size ? NULL : block);
    return NULL;
}

TEST(RefusedMemoryLeavesNothing) {
    OWNED(Archive) archive = MakeArchive();
    RpModelPose pose;
    unsigned asked = 0;
    const RpAllocator allocator = {Refuse, &asked};
    assert_int_equal(RpModelPose_FromArchive(archive.bytes.bytes, archive.bytes.size, name, 0, NULL,
                                             &allocator, &pose, NULL),
                     RP_NO_MEMORY);
    assert_int_equal(asked, 1);
    assert_null(pose.local);
}
