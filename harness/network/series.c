#include "harness/network/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/statistics.h"
#include "harness/status.h"

bool series_is(const struct timed *a, const struct trial *t, int64_t bytes)
{
    return pattern_is_stream(t->pattern) && a->trial.pattern == t->pattern && a->trial.bytes == bytes &&
           a->trial.message_bytes == t->message_bytes;
}

/* The entry that the trial's times belong to, with memory for them; NULL: out of memory. */
static struct timed *entry_for(struct series *s, const struct trial *t, size_t width, size_t repetitions)
{
    struct timed *last = NULL;

    for (size_t i = 0; i < s->n && !last; i++)
        if (series_is(&s->list[i], t, t->bytes))
            last = &s->list[i];
    if (!last) {
        if (s->n == s->capacity) {
            size_t capacity = s->capacity ? 2 * s->capacity : 64;
            struct timed *grown = realloc(s->list, capacity * sizeof(*grown));
            if (!grown)
                return NULL;
            s->list = grown;
            s->capacity = capacity;
        }
        last = &s->list[s->n++];
        *last = (struct timed){ .trial = *t, .width = width };
    }
    int64_t *grown = realloc(last->ns, (last->repetitions + repetitions) * width * sizeof(*grown));
    if (!grown)
        return NULL;
    last->ns = grown;
    return last;
}

int series_perform(struct series *s, const struct transport *by, const struct trial *t, const struct timed **out)
{
    size_t times = trial_times(t, by->members, by->ranks), repetitions = (size_t)t->repetitions;
    struct timed *at = entry_for(s, t, times / repetitions, repetitions);
    int64_t wrong = 0;
    int rc = at ? by->perform(by->context, t, at->ns + at->repetitions * at->width, &wrong) : NW_ENOMEM;

    if (rc)
        return rc;
    at->repetitions += repetitions;
    at->wrong += wrong;
    if (out)
        *out = at;
    return NW_OK;
}

void series_free(struct series *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->list[i].ns);
    free(s->list);
    *s = (struct series){ 0 };
}

/* Median, least and most of values that are all there; NaN where memory runs out. */
static struct timed_summary summary_of(const int64_t *ns, size_t repetitions, size_t stride, size_t width)
{
    double *worst = calloc(repetitions + 1, sizeof(*worst));
    struct timed_summary out = { NAN, NAN, NAN };

    if (!worst || !repetitions) {
        free(worst);
        return out;
    }
    for (size_t i = 0; i < repetitions; i++)
        for (size_t k = 0; k < width; k++)
            worst[i] = fmax(worst[i], (double)ns[i * stride + k]);
    out.median_ns = quantile(worst, repetitions, 0.5);
    out.least_ns = worst[0];
    out.most_ns = worst[repetitions - 1];
    free(worst);
    return out;
}

struct timed_summary timed_summary(const struct timed *t)
{
    return summary_of(t->ns, t->repetitions, t->width, t->width);
}

double timed_flow_ns(const struct timed *t, size_t flow)
{
    return summary_of(t->ns + flow, t->repetitions, t->width, 1).median_ns;
}

const struct timed *series_find(const struct series *s, enum pattern p, int peer, int64_t bytes)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].trial.pattern == p && s->list[i].trial.peer == peer && s->list[i].trial.bytes == bytes)
            return &s->list[i];
    return NULL;
}
