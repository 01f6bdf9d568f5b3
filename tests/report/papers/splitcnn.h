/* splitcnn_trained.h - made-up training runs on patches, through the store's interface: the small sizes of all four
 * networks, in which every claim of the paper holds. The same calls give the same contents. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_SPLITCNN_H
#define NARROWS_TESTS_REPORT_PAPERS_SPLITCNN_H

#include <stdbool.h>

#include "harness/store/store.h"

struct splitcnn_trained {
    const char *network, *variant; /* one that has so many points of accuracy more; NULL: none */
    double accuracy;
    bool one_seed; /* instead of three; of 'network' alone where that is given */
    bool quick;    /* a quick look instead, with one seed */
    /* Besides, three variants of three networks trained longer, or as the paper trained, whose stochastic splits end a
     * point higher. */
    bool longer, paper;
};

void splitcnn_trained(struct store *s, const struct splitcnn_trained *t);

#endif
