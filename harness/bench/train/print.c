/* print.c - what the turns come to, and the tables. */

#include "harness/bench/train/case.h"
#include "harness/measure/statistics.h"

double train_samples_per_s(const struct train_timed *t, const struct train_series *s)
{
    double ns[TRAIN_MAX_REPS];

    for (int i = 0; i < t->reps; i++)
        ns[i] = (double)s->elapsed_ns[i];
    return 1e9 * (double)(t->samples * t->steps) / quantile(ns, (size_t)t->reps, 0.5);
}

static struct train_ratio summary(double *values, int n)
{
    return (struct train_ratio){ quantile(values, (size_t)n, 0.5), quantile(values, (size_t)n, 0.25),
                                 quantile(values, (size_t)n, 0.75) };
}

struct train_ratio train_speed(const struct train_timed *t)
{
    double ratios[TRAIN_MAX_REPS];

    for (int i = 0; i < t->reps; i++)
        ratios[i] = (double)t->second.elapsed_ns[i] / (double)t->first.elapsed_ns[i];
    return summary(ratios, t->reps);
}

struct train_ratio train_extra_pct(const struct train_timed *t)
{
    double extra[TRAIN_MAX_REPS];

    for (int i = 0; i < t->reps; i++)
        extra[i] = 100 * ((double)t->first.elapsed_ns[i] / (double)t->second.elapsed_ns[i] - 1);
    return summary(extra, t->reps);
}

void train_print_head(const struct train_case *c, const char *peer, FILE *out)
{
    if (c->way)
        fprintf(out, "\nwhat it adds to a step, samples/s\n%-17s %-17s %7s %7s %10s %10s %8s %16s %5s\n", "case",
                "with", "workers", "threads", "without", "with", "extra %", "quartiles", "reps");
    else
        fprintf(out, "\nnext to %s, samples/s\n%-17s %7s %7s %10s %10s %8s %16s %5s\n", *peer ? peer : "nothing",
                "case", "batch", "threads", "narrows", "peer", "ratio", "quartiles", "reps");
    fflush(out);
}

static void print_rate(const struct train_timed *t, const struct train_series *s, FILE *out)
{
    if (*s->program)
        fprintf(out, " %10.1f", train_samples_per_s(t, s));
    else
        fprintf(out, " %10s", "-");
}

static void print_ratio(struct train_ratio r, int digits, FILE *out)
{
    char quartiles[48];

    snprintf(quartiles, sizeof(quartiles), "%.*f .. %.*f", digits, r.low, digits, r.high);
    fprintf(out, " %8.*f %16s", digits, r.median, quartiles);
}

void train_print_line(const struct train_timed *t, FILE *out)
{
    if (t->c->way) {
        fprintf(out, "%-17s %-17s %7lld %7d", t->c->name, t->first.program, (long long)t->c->workers, t->threads);
        print_rate(t, &t->second, out);
        print_rate(t, &t->first, out);
        print_ratio(train_extra_pct(t), 1, out);
    } else {
        fprintf(out, "%-17s %7lld %7d", t->c->name, (long long)t->samples, t->threads);
        print_rate(t, &t->first, out);
        print_rate(t, &t->second, out);
        if (*t->second.program)
            print_ratio(train_speed(t), 3, out);
        else
            fprintf(out, " %8s %16s", "-", "");
    }
    fprintf(out, " %5d\n", t->reps);
    fflush(out);
}
