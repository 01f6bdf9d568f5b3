/* alltoall.c - each rank has a part for each other: in step s it sends to the rank s places on and receives from the
 * one s places back. Where each rank is on a machine of its own no two messages of a step share a link. */
#include "sim/collective/build.h"

#include <stdlib.h>

#include "model/status.h"

static struct part part_for(const struct build *b, int64_t from, int64_t to, int64_t bytes)
{
    return (
        struct part){ .offset = to * bytes, .bytes = bytes, .payload = from, .share = to, .shares = b->place->ranks };
}

/* Who sends waits until its receiver has ended the step before: it receives one at a time. */
static void one_step(struct build *b, int64_t step, int64_t bytes, int sent[])
{
    int64_t n = b->place->ranks;

    for (int64_t r = 0; r < n; r++) {
        int64_t to = (r + step) % n;
        sent[r] = build_transfer(b, r, to, part_for(b, r, to, bytes), true);
        build_after(b, sent[r], r);
        build_after(b, sent[r], to);
    }
    for (int64_t r = 0; r < n; r++) {
        b->held[r].sent = sent[r];
        b->held[(r + step) % n].got = sent[r];
    }
}

int build_alltoall(struct build *b, int64_t bytes)
{
    int *sent = malloc((size_t)b->place->ranks * sizeof(*sent));

    for (int64_t s = 1; sent && s < b->place->ranks; s++)
        one_step(b, s, bytes, sent);
    free(sent);
    return sent ? E_OK : E_NOMEM;
}
