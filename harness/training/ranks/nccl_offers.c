/* nccl_offers.c - which ranks can exchange by NCCL. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/training/ranks/nccl.h"

void nccl_version_text(int64_t version, char *text, size_t ntext)
{
    int64_t major = version < 10000 ? 1000 : 10000; /* from 2.9 on */

    snprintf(text, ntext, "%" PRId64 ".%" PRId64 ".%" PRId64, version / major, version % major / 100, version % 100);
}

static bool same_gpu(const struct nccl_offer *a, const struct nccl_offer *b)
{
    return !memcmp(a->uuid, b->uuid, sizeof(a->uuid));
}

static int count_gpus(const struct nccl_offer *offers, int ranks)
{
    int n = 0;

    for (int r = 0; r < ranks; r++) {
        int first = 0;

        while (!same_gpu(&offers[first], &offers[r]))
            first++;
        n += first == r;
    }
    return n;
}

bool nccl_offers_fit(const struct nccl_offer *offers, int ranks, char *why, size_t nwhy)
{
    char first[32], other[32];

    for (int r = 0; r < ranks; r++)
        if (*offers[r].lacks) {
            snprintf(why, nwhy, "rank %d has no %s", r, offers[r].lacks);
            return false;
        }
    for (int r = 1; r < ranks; r++)
        if (offers[r].version != offers[0].version) {
            nccl_version_text(offers[0].version, first, sizeof(first));
            nccl_version_text(offers[r].version, other, sizeof(other));
            snprintf(why, nwhy, "rank %d has another NCCL: expected %s, as rank 0 has, got %s", r, first, other);
            return false;
        }
    for (int r = 1; r < ranks; r++)
        for (int s = 0; s < r; s++)
            if (same_gpu(&offers[r], &offers[s])) {
                snprintf(why, nwhy, "ranks %d and %d share %s: expected a GPU for each rank, got %d for %d ranks", s, r,
                         offers[r].gpu, count_gpus(offers, ranks), ranks);
                return false;
            }
    return true;
}
