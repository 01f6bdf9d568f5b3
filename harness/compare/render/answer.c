#include "harness/compare/render/answer.h"

#include <math.h>

#include "harness/compare/render/figures.h"
#include "harness/text/legible.h"

static void print_bits(const struct outcome *o, FILE *out)
{
    char bits[FIGURE_TEXT], ratio[FIGURE_TEXT];

    fprintf(out, "%s bits a value, %sx smaller than fp32", figure_text(outcome_bits(o), bits),
            figure_text(outcome_ratio(o), ratio));
}

static const char *name_of(const struct comparison *c, int i)
{
    return c->contenders->list[i].name;
}

static const struct fidelity *fidelity_of(const struct comparison *c, int i, bool arrived)
{
    return arrived ? &c->whole[i].arrived : &c->whole[i].each;
}

static void print_answer(const struct comparison *c, double bar, bool arrived, FILE *out)
{
    int best = comparison_best(c, bar, arrived), closest = comparison_closest(c, arrived);
    int shown = best == COMPARISON_NONE ? closest : best;
    char cosine[FIGURE_TEXT];

    if (shown == COMPARISON_NONE) {
        fputs("no codec has a cosine: the gradients are zero, or what arrives is not finite.\n", out);
        return;
    }
    if (best == COMPARISON_NONE)
        fprintf(out, "none keeps a cosine of %g; the closest is %s with ", bar, name_of(c, shown));
    else
        fprintf(out, "%s keeps a cosine of %g in the fewest bits: it has ", name_of(c, shown), bar);
    fprintf(out, "%s in ", figure_text(fidelity_cosine(fidelity_of(c, shown, arrived)), cosine));
    print_bits(&c->whole[shown], out);
    fputs(".\n", out);
}

void answer_each(const struct comparison *c, double bar, FILE *out)
{
    fprintf(out, "Of %zu codec%s, ", c->contenders->n, c->contenders->n == 1 ? "" : "s");
    print_answer(c, bar, false, out);
}

void answer_arrived(const struct comparison *c, double bar, FILE *out)
{
    fprintf(out, "After %zu steps, with what each codec sends later, ", c->steps->n);
    print_answer(c, bar, true, out);
}

int answer_fastest(const struct comparison *c, const struct forecasts *f, double bar, bool free)
{
    int best = COMPARISON_NONE;
    double least = INFINITY;

    for (size_t k = 0; k < c->contenders->n; k++) {
        size_t i = c->order[k];
        double step_ms = free ? f->list[i].free_step_ms : f->list[i].step_ms;

        if (fidelity_cosine(&c->whole[i].each) >= bar && step_ms < least) {
            best = (int)i;
            least = step_ms;
        }
    }
    return best;
}

static void print_step(const struct comparison *c, const struct forecasts *f, int i, double step_ms, FILE *out)
{
    char step[FIGURE_TEXT], factor[LEGIBLE];

    fprintf(out, "%s, %s ms (%s)", name_of(c, i), figure_text(step_ms, step),
            legible_factor(f->fp32_step_ms / step_ms, factor, sizeof(factor)));
}

void answer_forecast(const struct comparison *c, const struct forecasts *f, double bar, FILE *out)
{
    int here = answer_fastest(c, f, bar, false), nothing = answer_fastest(c, f, bar, true);
    char step[FIGURE_TEXT];

    fprintf(out, "A step of %s takes %s ms with fp32. ", f->name, figure_text(f->fp32_step_ms, step));
    if (here == COMPARISON_NONE) {
        fprintf(out, "No codec that keeps a cosine of %g can be simulated on it.\n", bar);
        return;
    }
    fprintf(out, "Of the codecs that keep a cosine of %g it is shortest with ", bar);
    print_step(c, f, here, f->list[here].step_ms, out);
    fputs(", at the rates measured here; with codecs that took no time, with ", out);
    print_step(c, f, nothing, f->list[nothing].free_step_ms, out);
    fputs(".\n", out);
}

void answer_print(const struct comparison *c, const struct forecasts *f, double bar, FILE *out)
{
    answer_each(c, bar, out);
    if (c->steps->n > 1)
        answer_arrived(c, bar, out);
    if (f)
        answer_forecast(c, f, bar, out);
}
