/* peer.h - PyTorch's side: peer.py next to this file in the source tree, run by the first Python that has PyTorch.
 * Errors     harness status; the reason is in the side's why. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_PEER_H
#define NARROWS_HARNESS_BENCH_TRAIN_PEER_H

#include "harness/bench/train/ours.h"
#include "harness/bench/train/side.h"

struct peer {
    const char *python; /* NULL: none was found */
    char program[64];   /* "PyTorch 1.13.0" */
    char why[512];      /* none was found */
};

/* 'python': the only one to be tried; NULL: python3, then /usr/bin/python3. */
struct peer peer_find(const char *python);

/* A side that trains the same network on the same samples. NW_ESIM if it is not the same. */
int peer_start(const struct peer *p, const struct network_kind *kind, const struct ours *ours, struct side *out);

#endif
