/* Reads models of any bytes, and good models with some bytes changed. Opening, checking and
 * validating agree, dumps assemble to the same bytes, and poses and differences stay inside the
 * streams. */
#include "fuzz.h"
#include "replay/scenario/synthetic_model.h"
#include "retropose/msh_check.h"
#include "retropose/msh_text.h"

#include <stdlib.h>
#include <string.h>

static void Ignore(void *context, const RpFinding *finding) {
    (void)context;
    (void)finding;
}

static void IgnoreDifference(void *context, const RpMshDifference *difference) {
    (void)context;
    (void)difference;
}

static void Pose(const RpMsh *msh) {
    static const float times[] = {-1.0F, 0.0F, 1.5F, 7.0F, 1e30F};
    static const RpArithmetic settings;
    RpPoseCounters counters = {0};
    RpSkeleton model;
    float quaternion[4], position[3];
    if (RpMsh_Skeleton(msh, &model, NULL) != RP_OK)
        return;
    for (uint32_t node = 0; node <= RpMsh_Count(msh, RP_MSH_NODES) && node < 16; node++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            RpPose_Sample(&model, &settings, node, times[i], quaternion, position, &counters);
}

/* Calls every accessor for the first and the last element of its stream, and for one behind the
 * end. */
static void ReadEdges(const RpMsh *msh) {
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t count = RpMsh_Count(msh, type), index = i == 0 ? 0 : count - 2 + i, length,
                     key;
            RpMshNode node;
            RpMshSlot slot;
            RpMshBatch batch;
            RpMshTriangle triangle;
            RpMshKey record;
            RpMshProbe probe;
            float position[3];
            int8_t normal[4];
            uint16_t words[2];
            RpMsh_Node(msh, index, &node);
            RpMsh_Slot(msh, index, &slot);
            RpMsh_Batch(msh, index, &batch);
            RpMsh_Triangle(msh, index, &triangle);
            RpMsh_Key(msh, index, &record);
            RpMsh_Probe(msh, index, &probe);
            RpMsh_Position(msh, index, position);
            RpMsh_Normal(msh, index, normal);
            RpMsh_Uv(msh, type, index, words);
            RpMsh_Index(msh, index, words);
            RpMsh_MapWord(msh, index, words);
            RpMsh_Text(msh, RP_MSH_LABELS, index, &length);
            RpMsh_Text(msh, RP_MSH_NAMES, index, &length);
            RpMsh_KeyAt(msh, index, i, &key);
        }
}

static void RoundTrip(const RpNRes *archive) {
    OWNED(RpBuffer) text = {0}, image = {0};
    RpError error;
    if (RpMsh_Dump(archive, &text, &error) == RP_OK) {
        if (RpMsh_Assemble((const char *)text.bytes, text.size, &image, &error) != RP_OK ||
            image.size != archive->size || memcmp(image.bytes, archive->image, image.size) != 0)
            abort();
    }
}

static void Check(const RpNRes *archive, const RpMsh *msh) {
    const RpFindingSink sink = {.take = Ignore};
    const RpMshCheckOptions options = {.repeats = 2};
    RpError error;
    RpMsh strict;
    RpStatus checked = RpMsh_Check(RpNRes_Entries(archive), &options, &sink, &error);
    RpStatus validated = RpMsh_Validate(msh, &error);
    if (!RpMsh_IsLand(RpNRes_Entries(archive)) && checked != RP_NO_MEMORY && checked != validated)
        abort();
    Insist(RpMsh_Open(RpNRes_Entries(archive), RP_STRICT, &strict, &error) == validated);
}

static void Read(const uint8_t *bytes, size_t size) {
    RpNRes archive;
    RpMsh msh;
    RpError error;
    RpMshDiffResult result;
    if (RpNRes_Open(bytes, size, RP_TOLERANT, &archive, &error) != RP_OK ||
        RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, &error) != RP_OK)
        return;
    ReadEdges(&msh);
    Check(&archive, &msh);
    Pose(&msh);
    RoundTrip(&archive);
    RpMsh_Diff(&archive, &archive, NULL, IgnoreDifference, NULL, &result, &error);
    Insist(result.count == 0);
}

/* Reads a copy in a block of its own, so that a read beyond its end is noticed. */
static void ReadCopy(const uint8_t *bytes, size_t size) {
    HEAP uint8_t *copy = Fuzz_Copy(bytes, size);
    Read(copy, size);
}

/* Each change is two bytes for the place and one for the value. */
static void ChangeAndRead(const uint8_t *changes, size_t size) {
    ModelSpec spec = {.name = "fuzzed",
                      .nodes = 4,
                      .animated = 2,
                      .frame_count = 6,
                      .keys_per_node = 3,
                      .slots = 2};
    OWNED(ModelImage) image = {0};
    RpError error;
    if (size < 1)
        return;
    spec.optional = changes[0] & 15;
    spec.map = (ModelMap)(changes[0] >> 4 & 3);
    if (ModelImage_Make(&spec, &image, &error))
        return;
    for (size_t i = 1; i + 3 <= size; i += 3)
        image.bytes[(size_t)(changes[i] | changes[i + 1] << 8) % image.size] = changes[i + 2];
    ReadCopy(image.bytes, image.size);
}

/* Assembles a text that is not a dump, or one that was changed. */
static void AssembleText(const uint8_t *bytes, size_t size) {
    OWNED(RpBuffer) image = {0};
    RpError error;
    RpMsh_Assemble((const char *)bytes, size, &image, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ReadCopy(bytes, size);
    ChangeAndRead(bytes, size);
    AssembleText(bytes, size);
    return 0;
}
