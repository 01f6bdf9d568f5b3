/* factors.c - the rounds of a step, over the threads of a row. */
#include <string.h>

#include "kernels/powersgd/host.h"

enum { BLOCK = 1024, PIECE = 256 };

struct powersgd_shape powersgd_shape_by(size_t n, const struct codec_params *p)
{
    return powersgd_shape_of(n, p->value[0], p->value[1]);
}

struct job {
    const struct powersgd_spans *isa;
    struct powersgd_shape s;
    const float *values, *matrix;
    float *kept;
    const float *q_in, *p_in;
    float *p, *q;
};

/* --- the first round --- */

static void keep(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->isa->plain->sum(j->kept + from, j->kept + from, j->values + from, to - from, false);
    j->isa->finite(j->kept + from, to - from);
}

static bool is_zero(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

static void draw_where_zero(float *q, struct powersgd_shape s, uint64_t seed, uint64_t step)
{
    struct threefry_key key = drawn_key(seed, step);

    for (size_t k = 0; k < s.rank; k++, q += s.columns) {
        if (!is_zero(q, s.columns))
            continue;
        for (size_t at = 0; at < s.columns; at += 4) {
            float four[4];

            powersgd_draw(four, &key, k, at / 4);
            memcpy(q + at, four, 4 * (s.columns - at < 4 ? s.columns - at : 4));
        }
    }
}

/* Values from .. to-1 are whole rows. */
static void times_q(void *job, size_t from, size_t to)
{
    const struct job *j = job;
    struct powersgd_shape s = j->s;

    for (size_t row = from / s.columns; row * s.columns < to; row++)
        for (size_t k = 0; k < s.rank; k++)
            j->p[k * s.rows + row] =
                j->isa->dot(j->matrix + row * s.columns, j->q_in + k * s.columns, powersgd_length(s, row));
}

void powersgd_first(const struct impl *im, float *p, const float *values, size_t n, const struct codec_params *params,
                    void *state)
{
    struct powersgd_shape s = powersgd_shape_by(n, params);
    float *q = state;
    struct job j = { .isa = im->with,
                     .s = s,
                     .values = values,
                     .matrix = q + powersgd_kept(s),
                     .kept = q + powersgd_kept(s),
                     .q_in = q,
                     .p = p };
    uint64_t step;

    memcpy(&step, (uint8_t *)state + powersgd_counter(s), sizeof(step));
    draw_where_zero(q, s, (uint64_t)params->value[2], step);
    share_of(im)(keep, &j, n, BLOCK);
    share_of(im)(times_q, &j, n, s.columns);
}

/* --- the second --- */

/* Columns from .. to-1 of a vector of Q, block by block that stays in the first-level cache. */
static void columns_of_q(const struct job *j, size_t from, size_t to)
{
    struct powersgd_shape s = j->s;

    for (size_t k = 0; k < s.rank; k++)
        memset(j->q + k * s.columns + from, 0, 4 * (to - from));
    for (size_t row = 0; row < s.rows; row++) {
        size_t length = powersgd_length(s, row), end = to < length ? to : length;

        for (size_t k = 0; from < end && k < s.rank; k++)
            j->isa->add(j->q + k * s.columns + from, j->matrix + row * s.columns + from, j->p_in[k * s.rows + row],
                        end - from);
    }
    for (size_t k = 0; k < s.rank; k++)
        j->isa->finite(j->q + k * s.columns + from, to - from);
}

/* A share of so many values stands for as many columns of all rows. */
static void times_p(void *job, size_t from, size_t to)
{
    const struct job *j = job;
    size_t first = from / j->s.rows, end = to == j->s.n ? j->s.columns : to / j->s.rows;

    for (size_t at = first; at < end; at += BLOCK)
        columns_of_q(j, at, end - at < BLOCK ? end : at + BLOCK);
}

void powersgd_second(const struct impl *im, float *p, float *q, size_t n, const struct codec_params *params,
                     const void *state)
{
    struct powersgd_shape s = powersgd_shape_by(n, params);
    const float *matrix = (const float *)state + powersgd_kept(s);
    struct job j = { .isa = im->with, .s = s, .matrix = matrix, .p_in = p, .q = q };

    j.isa->finite(p, s.rank * s.rows);
    powersgd_orthogonalise(p, s.rank, s.rows);
    share_of(im)(times_p, &j, n, 64 * s.rows);
}

/* --- the last --- */

void powersgd_product(const struct powersgd_spans *isa, float *dst, const float *p, const float *q,
                      struct powersgd_shape s, size_t from, size_t to)
{
    memset(dst, 0, 4 * (to - from));
    for (size_t at = from; at < to;) {
        size_t row = at / s.columns, column = at % s.columns, left = s.columns - column;
        size_t count = to - at < left ? to - at : left;

        for (size_t k = 0; k < s.rank; k++)
            isa->add(dst + (at - from), q + k * s.columns + column, p[k * s.rows + row], count);
        at += count;
    }
    isa->finite(dst, to - from);
}

static void take(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    for (size_t at = from; at < to; at += PIECE) {
        size_t count = to - at < PIECE ? to - at : PIECE;
        float piece[PIECE];

        powersgd_product(j->isa, piece, j->p_in, j->q_in, j->s, at, at + count);
        j->isa->add(j->kept + at, piece, -1, count);
    }
}

void powersgd_last(const struct impl *im, const float *p, const float *q, size_t n, const struct codec_params *params,
                   void *state)
{
    struct powersgd_shape s = powersgd_shape_by(n, params);
    float *own = state;
    struct job j = { .isa = im->with, .s = s, .kept = own + powersgd_kept(s), .p_in = p, .q_in = q };
    uint8_t *counter = (uint8_t *)state + powersgd_counter(s);
    uint64_t step;

    share_of(im)(take, &j, n, BLOCK);
    memcpy(own, q, 4 * s.rank * s.columns);
    memcpy(&step, counter, sizeof(step));
    step++;
    memcpy(counter, &step, sizeof(step));
}
