#include "harness/report/answer/break_even.h"

#include <math.h>
#include <string.h>

#include "harness/count.h"
#include "harness/text/csv.h"
#include "harness/text/json.h"

enum { NUMBER = 96, CLAIM = 160 };

static const char *const verdicts[] = { "crosses", "always", "never", "unchanged" };
static const char *const scopes[] = { "both", "variant", "baseline" };

/* "sparse pays", "sparse is 2 times as fast as fp16" */
static void claim(const struct break_even_question *q, char *text, size_t size)
{
    if (q->target == 1)
        snprintf(text, size, "%s pays", q->variant);
    else
        snprintf(text, size, "%s is at least %g times as fast as %s", q->variant, q->target, q->baseline);
}

static void print_binding(const struct binding *b, FILE *out)
{
    char text[BREAK_EVEN_KIND + 16] = "-";

    if (*b->kind)
        snprintf(text, sizeof(text), "%s %.0f %%", b->kind, 100 * b->share);
    fprintf(out, "  %-22s", text);
}

static void print_side(const struct break_even *b, const struct break_even_side *s, FILE *out)
{
    char x[NUMBER];

    vary_print(&b->number, s->x, x, sizeof(x));
    fprintf(out, "  %-36s", x);
    if (isnan(s->speedup)) {
        fprintf(out, " %9s\n", "refused");
        return;
    }
    fprintf(out, " %9.5g", s->speedup);
    print_binding(&s->variant, out);
    print_binding(&s->baseline, out);
    fputc('\n', out);
}

static void print_sides(const struct break_even *b, const struct break_even_question *q,
                        const struct break_even_side *sides, size_t n, FILE *out)
{
    const char *last = strrchr(b->path, '.');
    char variant[CLAIM], baseline[CLAIM];

    snprintf(variant, sizeof(variant), "%s bound by", q->variant);
    snprintf(baseline, sizeof(baseline), "%s bound by", q->baseline);
    fprintf(out, "\n  %-36s %9s  %-22s  %s\n", last ? last + 1 : b->path, "speedup", variant, baseline);
    for (size_t i = 0; i < n; i++)
        if (!i || sides[i].x != sides[i - 1].x)
            print_side(b, &sides[i], out);
}

static void print_crossing(const struct break_even *b, const struct break_even_question *q,
                           const struct break_even_crossing *c, FILE *out)
{
    char text[CLAIM], x[NUMBER], low[NUMBER], high[NUMBER];

    claim(q, text, sizeof(text));
    vary_print(&b->number, c->at.x, x, sizeof(x));
    vary_print(&b->number, c->at.low, low, sizeof(low));
    vary_print(&b->number, c->at.high, high, sizeof(high));
    if (vary_whole(&b->number))
        fprintf(out, "\n%s from %s %s\n", text, x, c->at.upwards ? "up" : "down");
    else
        fprintf(out, "\n%s %s %s\n  (between %s and %s)\n", text, c->at.upwards ? "above" : "below", x, low, high);
    if (b->nrefits && c->refits) {
        vary_print(&b->number, c->least, low, sizeof(low));
        vary_print(&b->number, c->largest, high, sizeof(high));
        fprintf(out, "  (from %s to %s as constants are fitted again without one of their cells, each in turn)\n", low,
                high);
    }
    if (c->refits < b->nrefits)
        fprintf(out, "  (%zu of %zu fits without one of their cells have another number of break-evens)\n",
                b->nrefits - c->refits, b->nrefits);
    if (!c->at.narrowed)
        fprintf(out, "  (no nearer: the simulator takes no value between %s and %s)\n", low, high);
    print_sides(b, q, c->sides, SIDES, out);
}

static void print_verdict(const struct break_even *b, const struct break_even_question *q, FILE *out)
{
    char text[CLAIM];

    claim(q, text, sizeof(text));
    switch (b->verdict) {
    case BREAK_EVEN_ALWAYS: fprintf(out, "\n%s everywhere in this range\n", text); break;
    case BREAK_EVEN_NEVER: fprintf(out, "\n%s nowhere in this range\n", text); break;
    case BREAK_EVEN_UNCHANGED:
        fprintf(out, "\n%s makes no difference: the speedup is %.5g throughout, so %s %s\n", b->path,
                b->ends[0].speedup, text, b->ends[0].speedup >= q->target ? "everywhere" : "nowhere");
        break;
    case BREAK_EVEN_CROSSES:
        if (b->found.n > 1)
            fprintf(out, "\nthe answer changes %zu times in this range, so there is no one break-even:\n", b->found.n);
        break;
    }
}

static void print_scope(const struct break_even *b, const struct break_even_question *q, FILE *out)
{
    char kept[NUMBER];

    if (b->scope == VARIED_BOTH)
        return;
    fprintf(out, "  changed in %s alone", b->scope == VARIED_VARIANT ? q->variant : q->baseline);
    if (isnan(b->kept)) {
        fprintf(out, ": %s has no such number\n", b->scope == VARIED_VARIANT ? q->baseline : q->variant);
        return;
    }
    vary_print(&b->number, b->kept, kept, sizeof(kept));
    fprintf(out, ": %s keeps its own, %s\n", q->baseline, kept);
}

void break_even_text(const struct break_even *b, const struct break_even_question *q, FILE *out)
{
    char low[NUMBER], high[NUMBER], now[NUMBER];

    vary_print(&b->number, b->low, low, sizeof(low));
    vary_print(&b->number, b->high, high, sizeof(high));
    fprintf(out, "%s over %s: %s from %s to %s, %zu points scanned, %zu simulations\n", q->variant, q->baseline,
            b->path, low, high, b->found.nscan, b->nsimulated);
    if (!isnan(b->present)) {
        vary_print(&b->number, b->present, now, sizeof(now));
        fprintf(out, "  it is %s", now);
        if (!isnan(b->speedup))
            fprintf(out, ", where the speedup per sample is %.5g", b->speedup);
        fputc('\n', out);
    }
    print_scope(b, q, out);
    if (*b->refused) {
        vary_print(&b->number, b->refused_at, now, sizeof(now));
        fprintf(out, "  %zu of them are refused, as %s: %s\n", b->found.nscan - b->found.nvalued, now, b->refused);
    }
    print_verdict(b, q, out);
    for (size_t i = 0; i < b->found.n; i++)
        print_crossing(b, q, &b->crossings[i], out);
    if (!b->found.n)
        print_sides(b, q, b->ends, 2, out);
}

static void csv_field(const char *text, FILE *out)
{
    csv_text(out, text);
    fputc(',', out);
}

static void csv_number(double v, FILE *out)
{
    if (!isnan(v))
        fprintf(out, "%.17g", v);
}

void break_even_csv_header(FILE *out)
{
    fputs("scenario,variant,baseline,path,unit,changed_in,target,verdict,pays,value,low,high,speedup_low,speedup_high,"
          "variant_binds_low,variant_share_low,variant_binds_high,variant_share_high,"
          "baseline_binds_low,baseline_share_low,baseline_binds_high,baseline_share_high\n",
          out);
}

static void csv_binding(const struct binding *b, const char *after, FILE *out)
{
    csv_field(b->kind, out);
    if (*b->kind)
        csv_number(b->share, out);
    fputs(after, out);
}

static void csv_line(const struct break_even *b, const struct break_even_question *q, const char *scenario,
                     const char *pays, double x, const struct break_even_side *low, const struct break_even_side *high,
                     FILE *out)
{
    const double numbers[] = { x, low->x, high->x, low->speedup, high->speedup };

    csv_field(scenario, out);
    csv_field(q->variant, out);
    csv_field(q->baseline, out);
    csv_field(b->path, out);
    csv_field(vary_unit(&b->number), out);
    fprintf(out, "%s,%.17g,%s,%s,", scopes[b->scope], q->target, verdicts[b->verdict], pays);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        csv_number(numbers[i], out);
        fputc(',', out);
    }
    csv_binding(&low->variant, ",", out);
    csv_binding(&high->variant, ",", out);
    csv_binding(&low->baseline, ",", out);
    csv_binding(&high->baseline, "\n", out);
}

void break_even_csv(const struct break_even *b, const struct break_even_question *q, const char *scenario, FILE *out)
{
    for (size_t i = 0; i < b->found.n; i++) {
        const struct break_even_crossing *c = &b->crossings[i];

        csv_line(b, q, scenario, c->at.upwards ? "above" : "below", c->at.x, &c->sides[SIDE_JUST_BELOW],
                 &c->sides[SIDE_JUST_ABOVE], out);
    }
    if (!b->found.n)
        csv_line(b, q, scenario, b->ends[0].speedup >= q->target ? "everywhere" : "nowhere", NAN, &b->ends[0],
                 &b->ends[1], out);
}

static void json_member(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\": ", name);
    json_text(text, out);
    fputs(", ", out);
}

static void json_number(const char *name, double v, const char *after, FILE *out)
{
    if (isnan(v))
        fprintf(out, "\"%s\": null%s", name, after);
    else
        fprintf(out, "\"%s\": %.17g%s", name, v, after);
}

static void json_side(const struct break_even_side *s, FILE *out)
{
    fputs("{", out);
    json_number("value", s->x, ", ", out);
    json_number("speedup", s->speedup, ", ", out);
    json_member("variant_binds", s->variant.kind, out);
    json_number("variant_share", s->variant.share, ", ", out);
    json_member("baseline_binds", s->baseline.kind, out);
    json_number("baseline_share", s->baseline.share, "}", out);
}

static void json_crossing(const struct break_even_crossing *c, FILE *out)
{
    fputs("{", out);
    json_member("pays", c->at.upwards ? "above" : "below", out);
    json_number("value", c->at.x, ", ", out);
    json_number("low", c->at.low, ", ", out);
    json_number("high", c->at.high, ", ", out);
    json_number("least", c->refits ? c->least : NAN, ", ", out);
    json_number("largest", c->refits ? c->largest : NAN, ", ", out);
    fprintf(out, "\"narrowed\": %s, \"sides\": [", c->at.narrowed ? "true" : "false");
    for (int i = 0; i < SIDES; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        json_side(&c->sides[i], out);
    }
    fputs("]}", out);
}

void break_even_json(const struct break_even *b, const struct break_even_question *q, const char *scenario, FILE *out)
{
    fputs("{", out);
    json_member("scenario", scenario, out);
    json_member("variant", q->variant, out);
    json_member("baseline", q->baseline, out);
    json_member("path", b->path, out);
    json_member("unit", vary_unit(&b->number), out);
    json_member("changed_in", scopes[b->scope], out);
    json_number("target", q->target, ", ", out);
    json_number("present", b->present, ", ", out);
    json_number("speedup", b->speedup, ", ", out);
    json_number("low", b->low, ", ", out);
    json_number("high", b->high, ", ", out);
    json_member("verdict", verdicts[b->verdict], out);
    json_member("refused", b->refused, out);
    fputs("\n \"crossings\": [", out);
    for (size_t i = 0; i < b->found.n; i++) {
        fputs(i ? ",\n   " : "\n   ", out);
        json_crossing(&b->crossings[i], out);
    }
    fputs("],\n \"scan\": [", out);
    for (size_t i = 0; i < b->found.nscan; i++) {
        fputs(i ? ", {" : "{", out);
        json_number("value", b->found.scan[i].x, ", ", out);
        json_number("speedup", b->found.scan[i].y, "}", out);
    }
    fputs("]}", out);
}
