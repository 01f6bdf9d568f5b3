/* symmetric.c - the ranks of one machine, or of two, do step by step what all ranks do. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/steps.h"

/* To whom a rank sends in a step. With one rank of many, to a second that sends nothing. */
static int64_t peer_of(const struct collective_place *p, enum step_hop hop, int64_t rank)
{
    int64_t n = p->ranks, l = p->ranks_per_machine;

    if (n == 1)
        return 1;
    if (hop == STEP_WITHIN)
        return rank / l * l + (rank + 1) % l;
    return (hop == STEP_ACROSS && n > l ? rank + l : rank + 1) % n;
}

/* Where a phase begins, its first message waits for who receives it, too (ring.c): the ranks of a machine may have
 * ended the phase before at different times. */
static int one_step(struct build *b, const struct step *step, bool first, int sent[])
{
    const struct collective_place *p = b->place;

    for (int64_t r = 0; r < p->ranks; r++) {
        int64_t to = peer_of(p, step->hop, r);
        sent[r] = build_transfer(b, r, to, (struct part){ .bytes = step->bytes }, 0);
        build_after(b, sent[r], r);
        if (first && to < p->ranks)
            build_after(b, sent[r], to);
    }
    for (int64_t r = 0; r < p->ranks; r++) {
        int64_t to = peer_of(p, step->hop, r);
        b->held[r].sent = sent[r];
        b->held[to < p->ranks ? to : r].got = sent[r];
    }
    return sent[0] < 0 ? E_INVAL : E_OK;
}

static int all_steps(struct build *b, int64_t bytes)
{
    const struct steps *steps = b->steps;
    int *sent = malloc((size_t)b->place->ranks * sizeof(*sent));
    int rc = sent ? E_OK : E_NOMEM;

    (void)bytes; /* they are in the steps */
    for (size_t i = 0; !rc && i < steps->n; i++)
        for (int64_t k = 0; !rc && k < steps->list[i].count; k++)
            rc = one_step(b, &steps->list[i], !k, sent);
    if (!rc && b->together)
        build_join(b);
    free(sent);
    return rc;
}

int collective_allreduce_symmetric(struct engine *e, enum collective_algorithm a, const struct collective_shape *shape,
                                   const struct collective_place *place, int64_t bytes, const int ready[], int done[],
                                   int label, int item)
{
    struct steps steps;
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item, .steps = &steps };
    int rc = steps_of(a, shape, bytes, &steps);

    b.together = a == COLLECTIVE_BOUND || a == COLLECTIVE_IDEAL;

    return rc ? rc : build_run(&b, all_steps, bytes, done);
}

int collective_allgather_symmetric(struct engine *e, const struct collective_shape *shape,
                                   const struct collective_place *place, int64_t bytes, const int ready[], int done[],
                                   int label, int item)
{
    struct steps steps;
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item, .steps = &steps };
    int rc = steps_of_allgather(shape, bytes, &steps);

    return rc ? rc : build_run(&b, all_steps, bytes, done);
}

int collective_alltoall_symmetric(struct engine *e, const struct collective_shape *shape,
                                  const struct collective_place *place, int64_t bytes, const int ready[], int done[],
                                  int label, int item)
{
    struct steps steps;
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item, .steps = &steps };
    int rc = steps_of_alltoall(shape, bytes, &steps);

    return rc ? rc : build_run(&b, all_steps, bytes, done);
}
