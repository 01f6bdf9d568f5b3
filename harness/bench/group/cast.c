/* cast.c - the group "cast": fp32 to 16 bits and back, against a copy; rounding in place, against scaling in place. */
#include "kernels/cast/cast.h"

#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"

struct job {
    struct session *s;
    const struct cast_impl *row;
};

static void bf16_narrow(struct work *w)
{
    const struct job *j = w->arg;

    j->row->bf16_narrow(&j->row->impl, (uint16_t *)(void *)j->s->result, j->s->change, j->s->n);
}

/* The words of the values themselves: what they say does not change what widening costs. */
static void bf16_widen(struct work *w)
{
    const struct job *j = w->arg;

    j->row->bf16_widen(&j->row->impl, j->s->result, (const uint16_t *)(const void *)j->s->change, j->s->n);
}

static void fp16_narrow(struct work *w)
{
    const struct job *j = w->arg;

    j->row->fp16_narrow(&j->row->impl, (uint16_t *)(void *)j->s->result, j->s->change, j->s->n);
}

static void fp16_widen(struct work *w)
{
    const struct job *j = w->arg;

    j->row->fp16_widen(&j->row->impl, j->s->result, (const uint16_t *)(const void *)j->s->change, j->s->n);
}

static void bf16_round(struct work *w)
{
    const struct job *j = w->arg;

    j->row->bf16_round(&j->row->impl, j->s->state, j->s->state, j->s->n);
}

static const struct loop loops[] = { { "bf16_narrow", ANCHOR_COPY, 6, 16, bf16_narrow, NULL },
                                     { "bf16_widen", ANCHOR_COPY, 6, 16, bf16_widen, NULL },
                                     { "fp16_narrow", ANCHOR_COPY, 6, 16, fp16_narrow, NULL },
                                     { "fp16_widen", ANCHOR_COPY, 6, 16, fp16_widen, NULL },
                                     { "bf16_round", ANCHOR_SCALE, 8, 0, bf16_round, NULL } };

static int rows(struct session *s)
{
    int rc = NW_OK;

    for (const struct cast_impl *im = cast_impls; im->impl.name && !rc; im++)
        if (session_wants(s, &im->impl))
            rc = session_loops(s, loops, COUNT(loops), im->impl.name, "", &(struct job){ s, im });
    return rc;
}

const struct group group_cast = { "cast", "fp32 to bf16 and fp16, and back", rows };
