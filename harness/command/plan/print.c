#include "harness/command/plan/print.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/command/plan/run.h"
#include "harness/scenario/schema/units.h"

/* What is said of a layer: its operations' sums, all patches together, and the most that was alive during one of
 * them. */
struct line {
    int64_t patches, forward_ps, generated, offloadable, offloaded, live_forward, live_backward;
};

/* Milliseconds, or microseconds where the steps are short. */
struct clock_unit {
    const char *name;
    double per_ps;
};

static struct clock_unit unit_of(const struct plan_played *t)
{
    return t->step_ps < 10000000000 ? (struct clock_unit){ "us", 1e-6 } : (struct clock_unit){ "ms", 1e-9 };
}

const char *plan_bytes_text(double bytes, char text[PLAN_BYTES])
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
    int unit = 0;

    while (fabs(bytes) >= 999.95 && unit < 5)
        bytes /= 1000, unit++;
    snprintf(text, PLAN_BYTES, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

static void cell(FILE *out, double bytes, int width)
{
    fprintf(out, "%*s", width, bytes > 0 ? BYTES_TEXT(bytes) : "-");
}

/* Where no layer stands: the cuts of the input images come first, in line 0. */
static size_t line_of(const struct operation *o)
{
    return (size_t)(o->layer + 1);
}

static void gather(const struct planned *p, const struct plan_rows *rows, struct line *lines)
{
    const struct graph *g = &p->plan.graph;

    for (size_t i = 0; i < g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        const struct plan_step_fact *f = &rows->steps[i];
        struct line *l = &lines[line_of(o)];
        int64_t *live = o->backward ? &l->live_backward : &l->live_forward;

        *live = f->live_bytes > *live ? f->live_bytes : *live;
        if (o->backward)
            continue;
        l->patches += o->kind == OPERATION_LAYER || o->kind == OPERATION_CUT;
        l->forward_ps += f->duration_ps;
        l->generated += f->generated_bytes;
        l->offloadable += f->offloadable_bytes;
        l->offloaded += f->offloaded_bytes;
    }
}

/* 'patches' is a text, since their sum would mean nothing. */
static void print_line(const char *name, const char *patches, const struct line *l, const struct clock_unit *u,
                       FILE *out)
{
    fprintf(out, "%-24s %7s %10.3f", name, patches, u->per_ps * (double)l->forward_ps);
    cell(out, (double)l->generated, 12);
    cell(out, (double)l->offloadable, 13);
    cell(out, (double)l->offloaded, 12);
    cell(out, (double)l->live_forward, 12);
    cell(out, (double)l->live_backward, 12);
    fputc('\n', out);
}

static void print_layers(const struct planned *p, const struct line *lines, const struct clock_unit *u, FILE *out)
{
    struct line sum = { 0 };
    char patches[24];

    fprintf(out, "\n%-24s %7s %8s%s%12s%13s%12s%12s%12s\n", "layer", "patches", "fwd ", u->name, "generated",
            "offloadable", "offloaded", "live fwd", "live bwd");
    for (size_t i = 0; i <= p->model.nlayers; i++) {
        const struct line *l = &lines[i];
        if (!l->patches)
            continue;
        snprintf(patches, sizeof(patches), "%lld", (long long)l->patches);
        print_line(i ? p->model.layers[i - 1].name : "cut", patches, l, u, out);
        sum.forward_ps += l->forward_ps;
        sum.generated += l->generated;
        sum.offloadable += l->offloadable;
        sum.offloaded += l->offloaded;
        sum.live_forward = l->live_forward > sum.live_forward ? l->live_forward : sum.live_forward;
        sum.live_backward = l->live_backward > sum.live_backward ? l->live_backward : sum.live_backward;
    }
    print_line("all", "", &sum, u, out);
}

static void print_time(const struct planned *p, const struct plan_played *t, const struct clock_unit *u, FILE *out)
{
    int64_t workers = p->scenario->method.memory_planned.workers;

    fprintf(out, "step          %.3f %s: forward %.3f, backward %.3f\n", u->per_ps * (double)t->step_ps, u->name,
            u->per_ps * (double)t->forward_ps, u->per_ps * (double)t->backward_ps);
    if (workers > 1)
        fprintf(out, "              of one of %lld GPUs, before their gradients are summed\n", (long long)workers);
    fprintf(out,
            "stalls        %.3f %s in forward, %.3f at the turn, %.3f in backward; copies slow kernels by %.3f %s\n",
            u->per_ps * (double)t->stall_forward_ps, u->name, u->per_ps * (double)t->stall_turn_ps,
            u->per_ps * (double)t->stall_backward_ps, u->per_ps * (double)t->slowed_ps, u->name);
}

/* What of the generated data stays, and why: the limit comes first (sim/memory/transfer.h). */
static void print_kept(const struct memory_plan *plan, FILE *out)
{
    int64_t generated = plan->storages.generated_bytes, kept = generated - plan->transfers.offloaded_bytes;
    double limit = plan->options.limit * (double)generated;
    bool by_link = plan->options.limit_by_link && (double)plan->transfers.offloadable_bytes < limit;
    double beyond;

    if (plan->options.schedule == SCHEDULE_KEEP_ALL || kept <= 0)
        return;
    beyond = fmax((double)generated - (by_link ? (double)plan->transfers.offloadable_bytes : limit), 0);
    fprintf(out, "kept          %s of what backward needs: %s beyond %s, %s needed at once or too large for the rest\n",
            BYTES_TEXT(kept), BYTES_TEXT(beyond), by_link ? "what the link carries in forward" : "the limit",
            BYTES_TEXT(fmax((double)kept - beyond, 0)));
}

static void print_pools(const struct planned *p, FILE *out)
{
    const struct memory_plan *plan = &p->plan;
    const struct placement *pool = &plan->device_pool;
    int64_t capacity = memory_plan_capacity(&p->scenario->platform, &plan->options);
    double gap = pool->bound ? 100.0 * ((double)pool->height / (double)pool->bound - 1) : 0;
    fprintf(out, "general pool  %s for %zu buffers, placed %s; most alive at once %s, gap %.2f %%%s\n",
            BYTES_TEXT(pool->height), plan->device.n, placement_name(plan->options.placement), BYTES_TEXT(pool->bound),
            gap, pool->height == pool->floor ? " (optimal)" : "");
    fprintf(out, "parameters    %s\n", BYTES_TEXT(plan->parameter_bytes));
    fprintf(out, "device        %s of %s usable%s\n", BYTES_TEXT(plan->device_bytes), BYTES_TEXT(capacity),
            plan->device_bytes > capacity ? ": DOES NOT FIT" : "");
    fprintf(out, "host          %s pinned for %zu offloaded objects\n", BYTES_TEXT(plan->host_pool.height),
            plan->transfers.n);
    print_kept(plan, out);
    if (p->largest >= 0)
        fprintf(out, "largest batch %lld\n", (long long)p->largest);
}

/* Which point of several it is, and what makes it that. */
static void print_point(const struct point *point, size_t npoints, FILE *out)
{
    const char *between = ": ";
    char text[256];

    if (npoints < 2)
        return;
    fprintf(out, "point         %zu of 0..%zu", point->index, npoints - 1);
    for (size_t i = 0; i < point->nparams; i++, between = ", ")
        fprintf(out, "%s%s = %s", between, point->params[i].path,
                quantity_short(point->params[i].text, text, sizeof(text)));
    if (*point->variant)
        fprintf(out, "%svariant '%s'", between, point->variant);
    fputc('\n', out);
}

static void print_link(const struct platform *p, FILE *out)
{
    const struct link_spec *l = platform_gpu_link(p);
    struct executor_link link = plan_link(p, 0);

    if (!l)
        return;
    fprintf(out, "link          %s: %s/s to the host, %s/s to the device", l->name, BYTES_TEXT(link.to_host_Bps),
            BYTES_TEXT(link.to_device_Bps));
    if (link.latency_s > 0)
        fprintf(out, ", %g us for each copy", 1e6 * link.latency_s);
    fputs(l->duplex == DUPLEX_HALF ? ", one way at a time\n" : "\n", out);
}

void plan_print(const struct planned *p, const struct point *point, size_t npoints, const struct plan_rows *rows,
                const struct plan_played *played, bool layers, FILE *out)
{
    const struct memory_plan *plan = &p->plan;
    struct line *lines = calloc(p->model.nlayers + 1, sizeof(*lines));
    struct clock_unit unit = unit_of(played);

    fprintf(out, "%s on %s, batch %lld%s: ", p->model.name, p->scenario->platform.name, (long long)plan->batch,
            p->scenario->method.memory_planned.fill ? ", the largest that fits" : "");
    if (plan->split.nlayers)
        fprintf(out, "%lldx%lld patches over %lld of %lld convolutions, ", (long long)plan->split.rows,
                (long long)plan->split.columns, (long long)plan->split.convs_split, (long long)plan->split.convs);
    else
        fputs("not split, ", out);
    fprintf(out, "schedule %s, generated data %s, timing %s\n", schedule_name(plan->options.schedule),
            generated_name(plan->options.generated), plan->options.timing.name);
    print_point(point, npoints, out);
    print_link(&p->scenario->platform, out);
    print_time(p, played, &unit, out);
    print_pools(p, out);
    if (lines && (layers || p->model.nlayers <= PLAN_PRINT_LAYERS)) {
        gather(p, rows, lines);
        print_layers(p, lines, &unit, out);
    } else {
        fprintf(out, "layers        %zu of them: --layers prints each\n", p->model.nlayers);
    }
    free(lines);
}
