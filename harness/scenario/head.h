/* head.h - the content of a scenario file except for its platform, model, axes and variants. */
#ifndef NARROWS_HARNESS_SCENARIO_HEAD_H
#define NARROWS_HARNESS_SCENARIO_HEAD_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/training.h"
#include "sim/method/method.h"

struct compare_row {
    const char *paper, *table, *row, *column, *measure;
    const char *variant; /* "" for every variant */
};

struct fit_row {
    const char *constant, *paper, *table, *row, *column, *measure;
    double start; /* 0: chosen by the constant's dimension */
};

struct head {
    const char *name, *title, *notes, *baseline, *figure;
    bool simulated, trained; /* which of the two sections there are: set before the keys are bound */
    int64_t batch;
    struct method method;
    struct training training;
    const char *fit_variant, *elsewhere;
    struct fit_row *fits;
    size_t nfits;
    struct compare_row *compare;
    size_t ncompare;
    struct chosen_cell *chosen;
    size_t nchosen;
    struct trained_time *times;
    size_t ntimes;
};

#endif
