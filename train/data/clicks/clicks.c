#include "train/data/clicks/clicks.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/data/clicks/truth.h"
#include "train/data/draw.h"
#include "train/data/plain_math.h"
#include "train/number.h"

double clicks_probability(const struct data_source *s, const float *values, const int32_t *ids)
{
    const struct click_truth *t = s->own;

    return plain_logistic(t->steepness * click_score(t, values, ids) + t->offset);
}

static int clicks_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                         int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct click_truth *t = s->own;
    struct draw d = draw_of(t->seed, DRAW_CLICK, set, (uint64_t)index);

    (void)augment, (void)why, (void)nwhy;
    click_draw(t, &d, values, ids);
    *labels = draw_unit(&d) < clicks_probability(s, values, ids);
    return 0;
}

static void clicks_close(struct data_source *s)
{
    click_truth_forget(s->own);
    free(s->own);
    free(s);
}

static int check(const struct data_options *o, char *why, size_t nwhy)
{
    const struct data_range ranges[] = {
        { "train", o->train, 1, DATA_MOST_SAMPLES },
        { "test", o->test, 1, DATA_MOST_SAMPLES },
        { "dense", o->dense, 1, CLICK_MOST },
        { "tables", (int64_t)o->tables, 1, CLICK_MOST },
    };

    if (data_refused(ranges, COUNT(ranges), why, nwhy) || data_rows_refused(o, why, nwhy) ||
        data_real_refused("base_rate", o->base_rate, 0.001, 0.999, why, nwhy) ||
        data_real_refused("difficulty", o->difficulty, 0, 1, why, nwhy))
        return E_DATA;
    return 0;
}

int clicks_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    struct data_source *s;
    struct click_truth *t;

    if (check(o, why, nwhy))
        return E_DATA;
    s = calloc(1, sizeof(*s));
    t = calloc(1, sizeof(*t));
    if (s && t) {
        t->seed = o->seed;
        t->dense = (int)o->dense;
        t->tables = (int)o->tables;
        for (size_t i = 0; i < o->tables; i++)
            t->rows[i] = o->rows[i];
        click_truth_plant(t);
    }
    if (!s || !t || click_truth_fit(t, o->base_rate, o->difficulty)) {
        if (t)
            click_truth_forget(t);
        free(s);
        free(t);
        snprintf(why, nwhy, "no memory for clicks");
        return E_NOMEM;
    }
    *s = (struct data_source){ .name = "clicks",
                               .shape = { o->dense, 1, 1, (int64_t)o->tables, 1, 2 },
                               .count = { o->train, o->test },
                               .sample = clicks_sample,
                               .close = clicks_close,
                               .own = t };
    *out = s;
    return 0;
}
