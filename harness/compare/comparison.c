#include "harness/compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "harness/run/interrupt.h"
#include "harness/run/progress.h"
#include "harness/status.h"

static const struct outcome *whole_of(const struct comparison *c, size_t i)
{
    return &c->whole[i];
}

const struct outcome *comparison_tensor(const struct comparison *c, size_t contender, size_t tensor)
{
    return &c->tensors[contender * c->steps->ntensors + tensor];
}

static int allocate(struct comparison *c)
{
    size_t n = c->contenders->n;

    c->tensors = calloc(n * c->steps->ntensors + 1, sizeof(*c->tensors));
    c->classes = calloc(n + 1, sizeof(*c->classes));
    c->whole = calloc(n + 1, sizeof(*c->whole));
    c->order = calloc(n + 1, sizeof(*c->order));
    return c->tensors && c->classes && c->whole && c->order ? NW_OK : NW_ENOMEM;
}

static int measure_tensor(struct comparison *c, size_t tensor, double seconds, struct progress *p)
{
    const struct steps *s = c->steps;
    const struct tensor **list = calloc(s->n + 1, sizeof(*list));
    int rc = list ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; i < s->n && !rc; i++)
        list[i] = s->list[i].list[tensor];
    for (size_t i = 0; i < c->contenders->n && !rc; i++) {
        struct outcome *one = &c->tensors[i * s->ntensors + tensor];

        rc = outcome_measure(&c->contenders->list[i], list, s->n, seconds, one);
        if (!rc) {
            outcome_merge(&c->classes[i][shape_class(list[0])], one);
            outcome_merge(&c->whole[i], one);
            progress_step(p, tensor * c->contenders->n + i + 1);
        }
        if (!rc && interrupted())
            rc = NW_EINTR;
    }
    free(list);
    return rc;
}

/* Equal ones as they were given. */
static void sort(struct comparison *c)
{
    for (size_t i = 0; i < c->contenders->n; i++) {
        size_t at = i;

        for (; at && outcome_bits(whole_of(c, c->order[at - 1])) > outcome_bits(whole_of(c, i)); at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = i;
    }
}

int comparison_make(const struct contenders *c, const struct steps *s, double seconds, struct comparison *out)
{
    size_t pairs = c->n * s->ntensors;
    struct progress p;
    int rc;

    *out = (struct comparison){ .contenders = c, .steps = s };
    rc = allocate(out);
    progress_begin(&p, "codecs on tensors", pairs);
    for (size_t i = 0; i < s->ntensors && !rc; i++)
        rc = measure_tensor(out, i, seconds / (double)(pairs ? pairs : 1), &p);
    progress_end(&p);
    if (!rc)
        sort(out);
    return rc;
}

void comparison_free(struct comparison *c)
{
    free(c->tensors);
    free(c->classes);
    free(c->whole);
    free(c->order);
    *c = (struct comparison){ 0 };
}

static double cosine_of(const struct comparison *c, size_t i, bool arrived)
{
    return fidelity_cosine(arrived ? &whole_of(c, i)->arrived : &whole_of(c, i)->each);
}

int comparison_best(const struct comparison *c, double bar, bool arrived)
{
    int best = COMPARISON_NONE;

    for (size_t k = 0; k < c->contenders->n; k++) { /* fewest bits first */
        size_t i = c->order[k];
        double cosine = cosine_of(c, i, arrived);

        if (!(cosine >= bar))
            continue;
        if (best == COMPARISON_NONE)
            best = (int)i;
        else if (outcome_bits(whole_of(c, i)) > outcome_bits(whole_of(c, (size_t)best)))
            break;
        else if (cosine > cosine_of(c, (size_t)best, arrived))
            best = (int)i;
    }
    return best;
}

int comparison_closest(const struct comparison *c, bool arrived)
{
    int best = COMPARISON_NONE;

    for (size_t k = 0; k < c->contenders->n; k++) {
        size_t i = c->order[k];
        double cosine = cosine_of(c, i, arrived);

        if (!isnan(cosine) && (best == COMPARISON_NONE || cosine > cosine_of(c, (size_t)best, arrived)))
            best = (int)i;
    }
    return best;
}
