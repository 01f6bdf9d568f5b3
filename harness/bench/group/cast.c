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

    j->row->bf16_narrow(&j->row->impl, (uint16_t *)(void *)session_result(j->s), session_change(j->s),
                        session_values(j->s));
}

/* The words of the values themselves: what they say does not change what widening costs. */
static void bf16_widen(struct work *w)
{
    const struct job *j = w->arg;

    j->row->bf16_widen(&j->row->impl, session_result(j->s), (const uint16_t *)(const void *)session_change(j->s),
                       session_values(j->s));
}

static void fp16_narrow(struct work *w)
{
    const struct job *j = w->arg;

    j->row->fp16_narrow(&j->row->impl, (uint16_t *)(void *)session_result(j->s), session_change(j->s),
                        session_values(j->s));
}

static void fp16_widen(struct work *w)
{
    const struct job *j = w->arg;

    j->row->fp16_widen(&j->row->impl, session_result(j->s), (const uint16_t *)(const void *)session_change(j->s),
                       session_values(j->s));
}

static void bf16_round(struct work *w)
{
    const struct job *j = w->arg;

    j->row->bf16_round(&j->row->impl, session_state(j->s), session_state(j->s), session_values(j->s));
}

static int time_row(struct session *s, const struct cast_impl *row)
{
    static const struct {
        const char *kernel;
        void (*run)(struct work *w);
        double nbytes, bits;
        enum anchor anchor;
    } loops[] = { { "bf16_narrow", bf16_narrow, 6, 16, ANCHOR_COPY },
                  { "bf16_widen", bf16_widen, 6, 16, ANCHOR_COPY },
                  { "fp16_narrow", fp16_narrow, 6, 16, ANCHOR_COPY },
                  { "fp16_widen", fp16_widen, 6, 16, ANCHOR_COPY },
                  { "bf16_round", bf16_round, 8, 0, ANCHOR_SCALE } };
    struct job job = { s, row };
    int rc = NW_OK;

    for (size_t i = 0; i < COUNT(loops) && !rc; i++) {
        struct work w = { .kernel = loops[i].kernel,
                          .impl = row->impl.name,
                          .nbytes = loops[i].nbytes * (double)session_values(s),
                          .bits = loops[i].bits,
                          .run = loops[i].run,
                          .arg = &job };

        rc = session_time(s, session_anchor(s, loops[i].anchor), &w, 1);
    }
    return rc;
}

static int rows(struct session *s)
{
    int rc = NW_OK;

    for (const struct cast_impl *im = cast_impls; im->impl.name && !rc; im++)
        if (session_wants(s, &im->impl))
            rc = time_row(s, im);
    return rc;
}

const struct group group_cast = { "cast", "fp32 to bf16 and fp16, and back", rows };
