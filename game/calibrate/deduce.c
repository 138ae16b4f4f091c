/* Deduces from the answers which combinations fit each function, and which of these are possible
 * together. */
#include "exports/reading_table.h"
#include "game/calibrate/calibrate_run.h"

/* The builds that every recent processor chooses come first, so that the profile holds their
 * choices where functions contradict each other. */
static const RpBuild order[RP_BUILD_COUNT] = {RP_BUILD_SSE, RP_BUILD_GENERIC, RP_BUILD_FXCH};

/* The first combinations that fit are checked, too: readings on which a case is thought not to
 * depend must not change its result there. */
#define CHECKED_COMBINATIONS 3u
#define CHECKED_DRAWS        2u
static bool DependOnMore(Run *run, Work *work) {
    Subject *subject = &work->subject;
    const Combinations *fitting = &work->relation.fitting;
    bool more = false;
    for (size_t k = 0; k < subject->count; k++)
        for (unsigned i = 0; subject->cases[k].answered && i < CHECKED_COMBINATIONS; i++) {
            const RpReadings *rest =
                &fitting->list[Random_Below(&run->random, (uint32_t)fitting->count)];
            for (unsigned draw = 0; draw < CHECKED_DRAWS; draw++) {
                RpReadings any;
                Choices_Draw(&run->random, &any);
                any = Choices_Within(subject->cases[k].depends, rest, &any);
                more |= Bench_DependsOnMore(run->bench, subject, &subject->cases[k], rest, &any);
            }
        }
    return more;
}

static RpStatus Begin(Run *run, Work *work, bool restricted, RpError *error) {
    if (restricted)
        Joint_Domains(&run->joint, &work->within);
    else
        Domains_All(&work->within);
    work->begun = true;
    work->restricted = restricted;
    work->explained = 0;
    return Relation_Init(&work->relation, error);
}

/* With few combinations, every case is tried against all of them. With many, it is tried only
 * against the combinations of the readings on which it depends, and more draws are needed to be
 * sure which these are. */
#define FACTORED_DRAWS 384u

static RpStatus Continue(Run *run, Work *work, RpError *error) {
    bool too_many;

    Subject *subject = &work->subject;
    bool exact = Search_Product(subject->reaches, &work->within) <= SEARCH_MOST_EXACT;
    for (size_t i = 0; i < subject->count; i++) {
        Case *one = &subject->cases[i];
        if (!one->answered)
            continue;
        if (exact)
            one->depends = subject->reaches;
        else if (i >= work->explained)
            Bench_MeasureCase(run->bench, subject, one, FACTORED_DRAWS, &run->random);
    }
    work->begun_reaches = subject->reaches;

    RpStatus status = Search_Explain(run->bench, &work->subject, work->explained, &work->within,
                                     &work->relation, &too_many, error);
    work->explained = work->subject.count;
    work->fit = too_many                            ? CALIBRATE_TOO_MANY
                : work->relation.fitting.count == 0 ? CALIBRATE_FITS_NONE
                                                    : CALIBRATE_FITS;
    if (!status && work->fit == CALIBRATE_FITS)
        Relation_DropFree(&work->relation);
    return status;
}

/* How many draws measure the dependencies of a case a second time. */
#define SECOND_DRAWS 256u

/* Starts again with the first case: at first with the combinations that other functions have left
 * possible, and then with all. */
static RpStatus Solve(Run *run, Work *work, RpError *error) {
    Subject *subject = &work->subject;
    RpStatus status = RP_OK;
    bool again = true;
    while (!status && again) {
        status = Begin(run, work, true, error);
        if (!status)
            status = Continue(run, work, error);
        if (!status && work->fit == CALIBRATE_FITS_NONE) {
            status = Begin(run, work, false, error);
            if (!status)
                status = Continue(run, work, error);
        }
        again = work->fit == CALIBRATE_FITS && DependOnMore(run, work);

        /* A case may depend on more readings than the first draws showed. Before the verdict that
         * nothing fits, its dependencies are measured once more. */
        for (size_t i = 0; work->fit == CALIBRATE_FITS_NONE && i < subject->count; i++)
            if (subject->cases[i].answered)
                again |= Bench_MeasureCase(run->bench, subject, &subject->cases[i], SECOND_DRAWS,
                                           &run->random);
    }
    return status;
}

static RpStatus AddToJoint(Run *run, Work *work, bool *added, bool *too_many, RpError *error) {
    return Joint_Add(&run->joint, work->relation.held, &work->relation.fitting, added, too_many,
                     error);
}

/* Returns, of the functions of a build that are not done, the one with the fewest combinations
 * left. What it decides leaves fewer combinations to the others. */
static Work *Next(Run *run, RpBuild build, const bool *done) {
    Domains domains;
    Work *next = NULL;
    uint64_t fewest = UINT64_MAX;
    Joint_Domains(&run->joint, &domains);
    for (size_t i = 0; i < run->count; i++) {
        Work *work = &run->works[i];
        uint64_t product = Search_Product(work->subject.reaches, &domains);
        if (!done[i] && work->subject.build == build && product < fewest) {
            fewest = product;
            next = work;
        }
    }
    return next;
}

#define MOST_FUNCTIONS 1024u

RpStatus Run_Deduce(Run *run, RpError *error) {
    bool done[MOST_FUNCTIONS] = {false};
    Joint_Free(&run->joint);
    RpStatus status = Joint_Init(&run->joint, error);
    uint64_t finished = 0;
    for (int i = 0; !status && i < RP_BUILD_COUNT; i++) {
        Work *work;
        while (!status && (work = Next(run, order[i], done))) {
            Run_Progress(run, "combinations", finished++, run->count);
            done[work - run->works] = true;

            uint64_t answered = 0;
            for (size_t k = 0; k < work->subject.count; k++)
                answered += work->subject.cases[k].answered;
            if (answered == 0) {
                work->fit = work->missing ? CALIBRATE_MISSING : CALIBRATE_NO_EVIDENCE;
                continue;
            }

            /* The combinations that fit the function by itself. */
            if (work->fit == CALIBRATE_CONTRADICTS) /* contradictions may be gone by now */
                work->fit = CALIBRATE_FITS;
            if (!work->begun || work->begun_reaches != work->subject.reaches) {
                status = Solve(run, work, error);
            } else if (work->fit != CALIBRATE_FITS_NONE && work->fit != CALIBRATE_TOO_MANY &&
                       work->explained != work->subject.count) {
                status = Continue(run, work, error);
                if (!status && (work->fit != CALIBRATE_FITS || DependOnMore(run, work)))
                    status = Solve(run, work, error);
            }
            if (status || work->fit != CALIBRATE_FITS)
                continue;

            /* Those of them that others have left possible. If there is none, the function is tried
             * without this restriction. */
            bool added = false, too_many = false;
            status = AddToJoint(run, work, &added, &too_many, error);
            if (!status && !added && !too_many && work->restricted) {
                status = Solve(run, work, error);
                if (!status && work->fit == CALIBRATE_FITS)
                    status = AddToJoint(run, work, &added, &too_many, error);
            }
            if (!status && work->fit == CALIBRATE_FITS)
                work->fit = added      ? CALIBRATE_FITS
                            : too_many ? CALIBRATE_TOO_MANY
                                       : CALIBRATE_CONTRADICTS;
        }
    }

    Domains domains;
    Joint_Domains(&run->joint, &domains);
    run->open = 0;
    for (int h = 0; h < READING_RUNTIME_COUNT; h++)
        if (Choices_CanBeAsked(h) && domains.possible[h] & (domains.possible[h] - 1))
            run->open |= Set_Of(h);

    return status;
}
