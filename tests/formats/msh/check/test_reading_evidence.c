/* Tests that the numbers of a model tell by which readings it was written, for all models of the
 * corpus in the default readings and in those of the projects that draw the game's files. */
#include "retropose/corpus.h"
#include "retropose/msh_check.h"
#include "tests/formats/msh/fixture.h"

#include <stdio.h>
#include <string.h>

typedef struct Counts {
    uint32_t certain, likely, undecided, matters;
} Counts;

/* The numbers that are given for a choice are those that decided it, so they must support it. */
static void CheckNumbers(const RpMshReading *reading, const char *model) {
    double taken, other;
    const char *second = strstr(reading->why, ", ");
    if (reading->certainty == RP_MSH_UNDECIDED || !second ||
        sscanf(reading->why, "the header's box: %lf %%", &taken) != 1 ||
        sscanf(second, ", %lf %%", &other) != 1)
        return;
    if (taken >= other)
        fail_msg("%s: %s=%s, but %s", model, reading->name, reading->choice, reading->why);
}

static void Count(const RpMshReading *reading, const char *meant, const char *model,
                  Counts *counts) {
    counts->matters += reading->matters;
    counts->certain += reading->certainty == RP_MSH_CERTAIN;
    counts->likely += reading->certainty == RP_MSH_LIKELY;
    counts->undecided += reading->certainty == RP_MSH_UNDECIDED;
    CheckNumbers(reading, model);
    if (reading->certainty != RP_MSH_UNDECIDED && strcmp(reading->choice, meant) != 0)
        fail_msg("%s: %s=%s is %s (%s), meant was %s", model, reading->name, reading->choice,
                 RpMshCertainty_Name(reading->certainty), reading->why, meant);
}

static void ReadAll(const char *list, const char *const meant[RP_MSH_READINGS],
                    Counts counts[RP_MSH_READINGS]) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpCorpus *corpus;
    memset(counts, 0, RP_MSH_READINGS * sizeof *counts);
    assert_int_equal(RpReadings_Parse(&options.readings, RP_READS_FILES, list, NULL), RP_OK);
    assert_int_equal(RpCorpus_New(&options, NULL, &corpus, NULL), RP_OK);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        OWNED(RpNResArchive) archive = {0};
        RpMsh msh;
        RpReadings readings;
        RpMshReading found[RP_MSH_READINGS];
        assert_int_equal(RpCorpus_Model(corpus, i, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_TOLERANT, &msh, NULL),
                         RP_OK);
        assert_int_equal(RpMsh_ReadingsByEvidence(&msh, NULL, &readings, found, NULL), RP_OK);
        for (int k = 0; k < RP_MSH_READINGS; k++)
            Count(&found[k], meant[k], RpCorpus_ModelInfo(corpus, i).name, &counts[k]);
    }
    RpCorpus_Free(corpus);
}

/* No choice that is called likely or certain is wrong, and the order of rotations is never left
 * open. */
TEST(DefaultsAreFound) {
    static const char *const meant[] = {"xyzw", "conjugate", "lod-group", "word2"};
    Counts counts[RP_MSH_READINGS];
    ReadAll(NULL, meant, counts);
    assert_int_equal(counts[RP_MSH_READS_KEY_ORDER].certain, 390);
    assert_int_equal(counts[RP_MSH_READS_KEY_ORDER].likely, 45);
    assert_int_equal(counts[RP_MSH_READS_ROTATION].certain, 188);
    assert_int_equal(counts[RP_MSH_READS_SLOT_WORDS].certain, 129);
    assert_int_equal(counts[RP_MSH_READS_SLOT_WORDS].likely, 88);
    /* Such models have the same row in both places, so that nothing tells the readings apart and
     * nothing needs to. */
    assert_int_equal(counts[RP_MSH_READS_MATERIAL].matters, 0);
}

TEST(DrawnReadingsAreFound) {
    static const char *const meant[] = {"wxyz", "conjugate", "state-lod", "byte4"};
    Counts counts[RP_MSH_READINGS];
    ReadAll("drawn", meant, counts);
    assert_int_equal(counts[RP_MSH_READS_KEY_ORDER].certain, 433);
    assert_int_equal(counts[RP_MSH_READS_KEY_ORDER].likely, 2);
    assert_int_equal(counts[RP_MSH_READS_ROTATION].certain, 193);
    assert_int_equal(counts[RP_MSH_READS_SLOT_WORDS].certain, 129);
    assert_int_equal(counts[RP_MSH_READS_SLOT_WORDS].likely, 216);
    assert_int_equal(counts[RP_MSH_READS_MATERIAL].likely, 343);
    assert_int_equal(counts[RP_MSH_READS_MATERIAL].undecided, 92);
}

TEST(WhatIsTakenIsWhatIsSaid) {
    RpReadings readings, parsed;
    RpMshReading found[RP_MSH_READINGS];
    RpMsh msh;
    char list[128];
    memset(&msh, 0, sizeof msh); /* a model without anything */
    assert_int_equal(RpMsh_ReadingsByEvidence(&msh, NULL, &readings, found, NULL), RP_OK);
    snprintf(list, sizeof list, "%s=%s,%s=%s,%s=%s,%s=%s", found[0].name, found[0].choice,
             found[1].name, found[1].choice, found[2].name, found[2].choice, found[3].name,
             found[3].choice);
    assert_int_equal(RpReadings_Parse(&parsed, RP_READS_FILES, list, NULL), RP_OK);
    assert_memory_equal(&readings, &parsed, sizeof parsed);
    for (int i = 0; i < RP_MSH_READINGS; i++) {
        assert_int_equal(found[i].certainty, RP_MSH_UNDECIDED);
        assert_false(found[i].matters);
        assert_true(found[i].why[0]);
    }
    assert_string_equal(RpMshCertainty_Name(RP_MSH_LIKELY), "likely");
}
