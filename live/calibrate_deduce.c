/* From answers to what fits: each function's combinations, and what goes together. */
#include "calibrate_run.h"

/* The builds that every recent processor chooses come first: should functions contradict each
 * other, it is theirs that the profile holds. */
static const RpBuild order[RP_BUILD_COUNT] = {RP_BUILD_SSE, RP_BUILD_GENERIC, RP_BUILD_FXCH};

static uint64_t AnsweredCases(const Subject *subject) {
    uint64_t count = 0;
    for (size_t i = 0; i < subject->count; i++)
        count += subject->cases[i].answered;
    return count;
}

/* What no sample showed to reach the function may still change these very cases. */
static bool ReachOfCases(Run *run, Work *work) {
    Subject *subject = &work->subject;
    HypothesisSet before = subject->reaches;
    RpHypotheses nearest;
    Search_Nearest(run->bench, subject, run->options->seed, &nearest);
    for (size_t i = 0; i < subject->count; i++) {
        TraceCall call = Case_Call(subject, &subject->cases[i]);
        for (int h = 0; RpHypotheses_Name(h); h++)
            for (int a = 0; !Set_Has(subject->reaches, h) && a < Choices_Alternatives(h); a++) {
                RpHypotheses other = Choices_With(&nearest, h, a);
                Bench_FindReach(run->bench, subject, &call, subject->cases[i].memory, &other);
            }
    }
    return subject->reaches != before;
}

static RpStatus SolveWithin(Run *run, Work *work, const Domains *domains, bool *tried,
                            RpError *error) {
    *tried = Search_Product(work->subject.reaches, domains) <= SEARCH_MOST_COMBINATIONS;
    return *tried ? Search_Solve(run->bench, &work->subject, domains, &work->fitting, error)
                  : RP_OK;
}

/* First with what other functions have left, then with everything. */
static RpStatus Solve(Run *run, Work *work, RpError *error) {
    Domains left, all;
    bool tried;
    Joint_Domains(&run->joint, &left);
    Domains_All(&all);
    do {
        work->fitting.count = 0;
        work->restricted = true;
        RpStatus status = SolveWithin(run, work, &left, &tried, error);
        if (!status && work->fitting.count == 0) {
            work->restricted = false;
            status = SolveWithin(run, work, &all, &tried, error);
        }
        if (status)
            return status;
    } while (tried && work->fitting.count == 0 && ReachOfCases(run, work));
    work->solved = true;
    work->solved_reaches = work->subject.reaches;
    work->fit = !tried                     ? CALIBRATE_TOO_MANY
                : work->fitting.count == 0 ? CALIBRATE_FITS_NONE
                                           : CALIBRATE_FITS;
    return RP_OK;
}

static RpStatus FindFitting(Run *run, Work *work, RpError *error) {
    bool same = work->solved && work->solved_reaches == work->subject.reaches;
    if (same && (work->fit == CALIBRATE_FITS_NONE || work->fit == CALIBRATE_TOO_MANY))
        return RP_OK;
    if (same)
        Search_Filter(run->bench, &work->subject, work->explained, &work->fitting);
    work->explained = work->subject.count;
    return same && work->fitting.count > 0 ? RP_OK : Solve(run, work, error);
}

static RpStatus Join(Run *run, Work *work, RpError *error) {
    bool added = false, too_many = false;
    RpStatus status =
        Joint_Add(&run->joint, work->subject.reaches, &work->fitting, &added, &too_many, error);
    if (!status && !added && !too_many && work->restricted) { /* by what no longer holds */
        status = Solve(run, work, error);
        if (!status && work->fit == CALIBRATE_FITS)
            status = Joint_Add(&run->joint, work->subject.reaches, &work->fitting, &added,
                               &too_many, error);
    }
    if (!status && work->fitting.count > 0)
        work->fit = added ? CALIBRATE_FITS : too_many ? CALIBRATE_TOO_MANY : CALIBRATE_CONTRADICTS;
    return status;
}

static RpStatus DeduceFrom(Run *run, Work *work, RpError *error) {
    if (AnsweredCases(&work->subject) == 0) {
        work->fit = work->missing ? CALIBRATE_MISSING : CALIBRATE_NO_EVIDENCE;
        return RP_OK;
    }
    RpStatus status = FindFitting(run, work, error);
    return status || work->fitting.count == 0 ? status : Join(run, work, error);
}

/* Of the functions of a build that are not done, the one with the fewest combinations left: what it
 * decides makes the others' fewer. */
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

static void FindOpen(Run *run) {
    Domains domains;
    Joint_Domains(&run->joint, &domains);
    run->open = 0;
    for (int h = 0; RpHypotheses_Name(h); h++)
        if (domains.possible[h] & (domains.possible[h] - 1))
            run->open |= Set_Of(h);
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
            status = DeduceFrom(run, work, error);
        }
    }
    FindOpen(run);
    return status;
}
