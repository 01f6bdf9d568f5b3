/* filled.h - databases with made-up results of the papers, in the test's folder. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_FILLED_H
#define NARROWS_TESTS_REPORT_PAPERS_FILLED_H

#include "harness/store/store.h"

enum part {
    THREELC = 1,
    THREELC_KILLED = 2,
    DCT = 4,
    DCT_CURVES = 8,
    SPLITCNN = 16,
    MEMORY = 32,
    MEMORY_LEAST = 64,
    DCT_TRAINED = 128,
    THREELC_TRAINED = 512,
    SPLITCNN_TRAINED = 1024,
    SPLITCNN_QUICK = 2048
};

/* The parts, or-ed together. */
struct store *open_filled(unsigned parts);

#endif
