#include "replay/prove/result.h"
#include "tests/replay/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many shards that one shard of a kernel is a few blocks. */
enum { SHARDS = 4096 };

static ProveResult Run(const char *kernel, uint32_t shard, uint32_t of, unsigned jobs) {
    ProveResult result;
    RpError error;
    ProveResult_Init(&result, ProveKernel_Find(kernel), of);
    const SweepOptions options = {.kernel = result.kernel, .shard = shard, .of = of, .jobs = jobs};
    assert_int_equal(Sweep_Run(&options, &result.tally, &error), RP_OK);
    result.shards.done[shard - 1] = true;
    return result;
}

static char *ToJson(const ProveResult *result) {
    RpBuffer json;
    RpError error;
    RpBuffer_Init(&json, NULL);
    assert_int_equal(ProveResult_Json(result, &json, &error), RP_OK);
    assert_true(RpBuffer_Append(&json, "", 1));
    return (char *)json.bytes;
}

static RpStatus FromJson(ProveResult *result, const char *json) {
    RpError error;
    return ProveResult_Read(result, json, strlen(json), &error);
}

static void AssertSame(const ProveResult *a, const ProveResult *b) {
    char *one = ToJson(a), *other = ToJson(b);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

/* Shard 4078 of the 4096 of `angle` has arguments whose rounding cannot be decided. */
#define LISTED_SHARD 4078

TEST(JobsAndFilesChangeNothing) {
    ProveResult one = Run("angle", LISTED_SHARD, SHARDS, 1), read;
    ProveResult three = Run("angle", LISTED_SHARD, SHARDS, 3);
    assert_true(one.tally.parts[0].undecided_count > 0);
    assert_true(one.tally.parts[0].largest > 0);
    AssertSame(&one, &three);
    char *json = ToJson(&one);
    assert_int_equal(FromJson(&read, json), RP_OK);
    AssertSame(&one, &read);
    assert_true(ProveResult_IsAlike(&one, &read));
    free(json);
    ProveResult_Free(&one);
    ProveResult_Free(&three);
    ProveResult_Free(&read);
}

TEST(ShardsMergeIntoTheWhole) {
    RpError error;
    ProveResult first = Run("angle", LISTED_SHARD, SHARDS, 1);
    ProveResult second = Run("angle", LISTED_SHARD - 1, SHARDS, 1);
    ProveResult both = Run("angle", LISTED_SHARD / 2, SHARDS / 2, 1);
    RpBuffer text;
    assert_int_equal(ProveResult_Merge(&first, &second, &error), RP_OK);
    assert_int_equal(ProveResult_Merge(&first, &second, &error), RP_INVALID);
    assert_int_equal(ProveResult_Merge(&first, &both, &error), RP_INVALID);
    assert_false(Shards_AreComplete(&first.shards));
    RpBuffer_Init(&text, NULL);
    Shards_Text(&first.shards, true, &text);
    Shards_Text(&first.shards, false, &text);
    assert_true(RpBuffer_Append(&text, "", 1));
    assert_string_equal((char *)text.bytes, "4077-4078 of 40961-4076, 4079-4096 of 4096");
    RpBuffer_Free(&text);
    /* Apart from how they were cut, the results are the same. */
    first.shards.of = both.shards.of = 1;
    first.shards.done[0] = both.shards.done[0] = true;
    AssertSame(&first, &both);
    ProveResult_Free(&first);
    ProveResult_Free(&second);
    ProveResult_Free(&both);
}

static ProveResult Small(void) {
    ProveResult result;
    ProveResult_Init(&result, ProveKernel_Find("phi"), 1);
    result.shards.done[0] = true;
    result.tally.arguments = ProveKernel_Arguments(result.kernel);
    return result;
}

static void List(RpBuffer *entries, uint64_t *count, uint32_t argument, uint32_t core,
                 uint32_t x87) {
    const ProveEntry entry = {argument, core, x87};
    assert_true(RpBuffer_Append(entries, &entry, sizeof entry));
    ++*count;
}

TEST(ArgumentsOnWhichProcessorsDifferAreFound) {
    ProveResult a = Small(), b = Small();
    ProveFindings *of_a = a.tally.parts, *of_b = b.tally.parts;
    RpBuffer contrasts;
    List(&of_a[0].undecided, &of_a[0].undecided_count, 0x30000000, 5, 5);
    List(&of_b[0].undecided, &of_b[0].undecided_count, 0x30000000, 5, 5);
    List(&of_a[0].undecided, &of_a[0].undecided_count, 0x30000001, 5, 5);
    List(&of_b[0].undecided, &of_b[0].undecided_count, 0x30000001, 5, 6);
    List(&of_a[1].different, &of_a[1].different_count, 0x30000002, 7, 8);
    List(&of_b[1].different, &of_b[1].different_count, 0x30000003, 7, 9);
    List(&of_a[1].different, &of_a[1].different_count, 0x30000004, 7, 9);
    List(&of_b[1].different, &of_b[1].different_count, 0x30000004, 7, 9);
    RpBuffer_Init(&contrasts, NULL);
    assert_true(ProveResult_Contrast(&a, &b, &contrasts));
    static const ProveContrast expected[] = {
        {0, 0x30000001, {5, 6}}, {1, 0x30000002, {8, 7}}, {1, 0x30000003, {7, 9}}};
    assert_int_equal(contrasts.size, sizeof expected);
    assert_memory_equal(contrasts.bytes, expected, sizeof expected);
    assert_false(ProveTally_IsProof(&a.tally, a.kernel));
    RpBuffer_Free(&contrasts);
    ProveResult_Free(&a);
    ProveResult_Free(&b);
}

TEST(AnErrorAboveItsBoundIsNoProof) {
    ProveResult result = Small();
    assert_true(ProveTally_IsProof(&result.tally, result.kernel));
    result.tally.parts[1].largest = result.kernel->parts[1].bound + 0.01;
    assert_false(ProveTally_IsProof(&result.tally, result.kernel));
    result.tally.parts[1].largest = __builtin_nan("");
    assert_false(ProveTally_IsProof(&result.tally, result.kernel));
    ProveResult_Free(&result);
}

static void AssertRefused(const char *json, const char *old, const char *new) {
    char damaged[8192];
    ProveResult result;
    const char *at = strstr(json, old);
    assert_non_null(at);
    snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old));
    assert_int_equal(FromJson(&result, damaged), RP_CORRUPT);
    ProveResult_Free(&result);
}

TEST(DamagedFilesAreRefused) {
    ProveResult result = Small();
    List(&result.tally.parts[0].undecided, &result.tally.parts[0].undecided_count, 0x30000000, 5,
         5);
    List(&result.tally.parts[0].undecided, &result.tally.parts[0].undecided_count, 0x30000009, 5,
         5);
    char *json = ToJson(&result);
    ProveResult whole;
    assert_int_equal(FromJson(&whole, json), RP_OK);
    ProveResult_Free(&whole);
    AssertRefused(json, "{", "");
    AssertRefused(json, "proof 1", "proof 2");
    AssertRefused(json, "\"phi\"", "\"psi\"");
    AssertRefused(json, "007F", "027F");
    AssertRefused(json, "\"shards\": 1", "\"shards\": 0");
    AssertRefused(json, "\"shards\": 1", "\"shards\": 5000");
    AssertRefused(json, "[1]", "[1, 1]");
    AssertRefused(json, "[1]", "[2]");
    AssertRefused(json, "\"sine\"", "\"cosine\"");
    AssertRefused(json, "0x30000009", "0x30000000");
    AssertRefused(json, "0x30000009", "0x40000000");
    AssertRefused(json, "\"x87\": \"0x00000005\"", "\"x87\": 5");
    AssertRefused(json, "\"undecided_count\": 2", "\"undecided_count\": 1");
    AssertRefused(json, "\"undecided_count\": 2", "\"undecided_count\": 3");
    AssertRefused(json, "\"undecided_count\": 2", "\"undecided_count\": -2");
    AssertRefused(json, "\"arguments\": ", "\"arguments\": 1");
    AssertRefused(json, "\"processor\": \"", "\"processor\": \"\\n");
    free(json);
    ProveResult_Free(&result);
}

/* ---- the lists in the project ---------------------------------------------------------------- */

static ProveResult ReadKept(const char *name) {
    char path[128];
    size_t size;
    ProveResult kept;
    RpError error;
    snprintf(path, sizeof path, "ngi32/exact/proofs/results/%s-AuthenticAMD-26-2.json", name);
    char *json = (char *)Fixture_Read(path, &size);
    assert_non_null(json);
    assert_int_equal(ProveResult_Read(&kept, json, size, &error), RP_OK);
    free(json);
    return kept;
}

/* At these arguments another processor's x87 may give other results. */
static void AssertListed(const RpBuffer *found, const RpBuffer *kept) {
    const ProveEntry *a = (const ProveEntry *)(const void *)found->bytes;
    const ProveEntry *b = (const ProveEntry *)(const void *)kept->bytes;
    const size_t count = kept->size / sizeof *b;
    size_t i = 0;
    for (size_t k = 0; k < found->size / sizeof *a; k++) {
        while (i < count && b[i].argument < a[k].argument)
            i++;
        assert_true(i < count && b[i].argument == a[k].argument && b[i].core == a[k].core);
    }
}

static uint64_t IndexOf(const ProveKernel *kernel, uint32_t argument) {
    uint64_t before = 0;
    int i = 0;
    for (; argument < kernel->ranges[i].first || argument > kernel->ranges[i].last; i++)
        before += (uint64_t)kernel->ranges[i].last + 1 - kernel->ranges[i].first;
    return before + argument - kernel->ranges[i].first;
}

/* Computes the neighbourhood of every listed argument again, and demands that everything found
 * there is listed. */
static void CheckNeighbourhoods(const ProveResult *kept, int part) {
    enum { BESIDE = 500 };
    const RpBuffer *list = &kept->tally.parts[part].undecided;
    const ProveEntry *entry = (const ProveEntry *)(const void *)list->bytes;
    for (size_t i = 0; i < list->size / sizeof *entry; i++) {
        ProveTally tally;
        const uint64_t index = IndexOf(kept->kernel, entry[i].argument);
        const uint64_t first = index < BESIDE ? 0 : index - BESIDE;
        const uint64_t left = ProveKernel_Arguments(kept->kernel) - first;
        ProveTally_Init(&tally);
        assert_true(
            Sweep_Block(kept->kernel, first, left < 2 * BESIDE ? left : 2 * BESIDE, 1, &tally));
        assert_true(tally.parts[part].undecided_count > 0);
        AssertListed(&tally.parts[part].undecided, list);
        assert_int_equal(tally.parts[part].different_count, 0);
        ProveTally_Free(&tally);
    }
}

TEST(TheListsAreThoseOfThisCore) {
    for (unsigned i = 0; i < prove_kernel_count; i++) {
        const char *name = prove_kernels[i].name;
        ProveResult kept = ReadKept(name), mine;
        ProveResult_Init(&mine, &prove_kernels[i], 1);
        if (strcmp(kept.core, mine.core) != 0)
            fail_msg("the core has changed since: retropose prove %s -j 2 -o "
                     "ngi32/exact/proofs/results/%s-MAKER-FAMILY-MODEL.json",
                     name, name);
        assert_true(Shards_AreComplete(&kept.shards));
        assert_true(kept.tally.arguments == ProveKernel_Arguments(&prove_kernels[i]));
        assert_true(ProveTally_IsProof(&kept.tally, kept.kernel));
        for (int part = 0; part < PROVE_PARTS; part++) {
            const ProveFindings *findings = &kept.tally.parts[part];
            assert_true(findings->undecided.size == findings->undecided_count * sizeof(ProveEntry));
            CheckNeighbourhoods(&kept, part);
        }
        ProveResult_Free(&kept);
        ProveResult_Free(&mine);
    }
}
